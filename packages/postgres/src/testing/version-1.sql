-- Made by `npm run store-fixture -- postgres`.
CREATE SCHEMA redrive;
CREATE TYPE redrive.answer AS (
	kind text,
	meta text,
	id text,
	payload text,
	submitted_at bigint,
	tid tid,
	handler text,
	queue text,
	tenant text,
	priority integer,
	revision integer,
	token bigint,
	generation integer,
	claims integer,
	executions integer,
	failed integer,
	lease_lost integer,
	retry_count integer,
	generation_at bigint,
	lease_since bigint,
	deadline bigint,
	attempts text,
	reason text,
	error_class text,
	account text,
	unique_key text,
	limit_key text,
	session_id text,
	headers text,
	spec text,
	tags text,
	payload_bytes bytea
);
CREATE TYPE redrive.job_state AS ENUM (
    'scheduled',
    'ready',
    'held',
    'parked',
    'leased',
    'succeeded',
    'dead',
    'cancelled',
    'purged'
);
CREATE TABLE redrive.audit_anchors (
    seq bigint NOT NULL,
    from_position text NOT NULL COLLATE pg_catalog."C",
    to_position text NOT NULL COLLATE pg_catalog."C",
    blocks integer NOT NULL,
    root text NOT NULL,
    prev_hash text NOT NULL,
    hash text NOT NULL,
    at bigint NOT NULL
);
CREATE TABLE redrive.audit_blocks (
    seq bigint NOT NULL,
    at bigint NOT NULL,
    epoch integer NOT NULL,
    xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    writer text NOT NULL,
    prev_hash text NOT NULL,
    hash text NOT NULL,
    body text NOT NULL
);
ALTER TABLE ONLY redrive.audit_blocks ALTER COLUMN body SET COMPRESSION lz4;
CREATE TABLE redrive.audit_packs (
    seq bigint NOT NULL,
    from_position text NOT NULL COLLATE pg_catalog."C",
    to_position text NOT NULL COLLATE pg_catalog."C",
    min_seq bigint NOT NULL,
    max_seq bigint NOT NULL,
    blocks integer NOT NULL,
    data bytea NOT NULL,
    hash text NOT NULL
);
ALTER TABLE ONLY redrive.audit_packs ALTER COLUMN data SET STORAGE EXTERNAL;
CREATE SEQUENCE redrive.audit_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE redrive.batches (
    id text NOT NULL COLLATE pg_catalog."C",
    tenant text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL,
    follows text,
    opened_by text NOT NULL,
    opened_at bigint NOT NULL,
    sealed_at bigint,
    ended_at bigint
);
CREATE TABLE redrive.control_revision (
    revision bigint NOT NULL,
    documents integer NOT NULL
);
CREATE TABLE redrive.controls (
    kind text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    revision bigint NOT NULL,
    document text NOT NULL
);
CREATE TABLE redrive.dead_groups (
    fingerprint text NOT NULL COLLATE pg_catalog."C",
    pattern text NOT NULL
);
CREATE TABLE redrive.earlier_payloads (
    seq bigint NOT NULL,
    generation integer NOT NULL,
    payload text,
    payload_bytes bytea,
    replaced_at bigint NOT NULL,
    replaced_by text NOT NULL
);
CREATE TABLE redrive.epochs (
    epoch integer NOT NULL,
    CONSTRAINT epochs_epoch_check CHECK (((epoch >= 1) AND (epoch <= 9999)))
);
CREATE TABLE redrive.event_documents (
    collection text NOT NULL COLLATE pg_catalog."C",
    document text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL,
    bytes integer NOT NULL
);
CREATE TABLE redrive.finished (
    seq bigint NOT NULL,
    submitted_at bigint NOT NULL,
    token bigint NOT NULL,
    generation_at bigint NOT NULL,
    audit_block bigint NOT NULL,
    previous_block bigint NOT NULL,
    deadline bigint,
    priority integer NOT NULL,
    revision integer NOT NULL,
    generation integer NOT NULL,
    claims integer NOT NULL,
    executions integer NOT NULL,
    failed integer NOT NULL,
    lease_lost integer NOT NULL,
    retry_count integer NOT NULL,
    state redrive.job_state NOT NULL,
    cancel_requested boolean NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    handler text NOT NULL COLLATE pg_catalog."C",
    queue text NOT NULL COLLATE pg_catalog."C",
    tenant text NOT NULL COLLATE pg_catalog."C",
    payload text,
    attempts text,
    reason text,
    error_class text,
    account text,
    unique_key text COLLATE pg_catalog."C",
    limit_key text COLLATE pg_catalog."C",
    session_id text COLLATE pg_catalog."C",
    headers text,
    spec text,
    tags text[],
    payload_bytes bytea,
    finished_at bigint NOT NULL,
    result_omitted_bytes bigint,
    purged_from redrive.job_state,
    purged_at bigint,
    result text,
    fingerprint text COLLATE pg_catalog."C",
    batch text GENERATED ALWAYS AS (
CASE
    WHEN starts_with(spec, '{"batch":"'::text) THEN split_part(spec, '"'::text, 4)
    ELSE NULL::text
END) STORED COLLATE pg_catalog."C",
    CONSTRAINT finished_check CHECK (((audit_block >= previous_block) OR (audit_block = 0)))
);
CREATE TABLE redrive.ids (
    id text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL,
    session_id text COLLATE pg_catalog."C"
);
CREATE SEQUENCE redrive.job_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE redrive.jobs (
    seq bigint NOT NULL,
    submitted_at bigint NOT NULL,
    token bigint NOT NULL,
    generation_at bigint NOT NULL,
    audit_block bigint NOT NULL,
    previous_block bigint NOT NULL,
    deadline bigint,
    priority integer NOT NULL,
    revision integer NOT NULL,
    generation integer NOT NULL,
    claims integer NOT NULL,
    executions integer NOT NULL,
    failed integer NOT NULL,
    lease_lost integer NOT NULL,
    retry_count integer NOT NULL,
    state redrive.job_state NOT NULL,
    cancel_requested boolean NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    handler text NOT NULL COLLATE pg_catalog."C",
    queue text NOT NULL COLLATE pg_catalog."C",
    tenant text NOT NULL COLLATE pg_catalog."C",
    payload text,
    attempts text,
    reason text,
    error_class text,
    account text,
    unique_key text COLLATE pg_catalog."C",
    limit_key text COLLATE pg_catalog."C",
    session_id text COLLATE pg_catalog."C",
    headers text,
    spec text,
    tags text[],
    payload_bytes bytea,
    due_at bigint,
    lease_since bigint,
    lease_until bigint,
    cause text COLLATE pg_catalog."C",
    worker text,
    policy_hash text,
    alone boolean,
    progress text,
    batch text GENERATED ALWAYS AS (
CASE
    WHEN starts_with(spec, '{"batch":"'::text) THEN split_part(spec, '"'::text, 4)
    ELSE NULL::text
END) STORED COLLATE pg_catalog."C",
    held_rate text COLLATE pg_catalog."C",
    CONSTRAINT jobs_check CHECK (((audit_block >= previous_block) OR (audit_block = 0)))
)
WITH (autovacuum_vacuum_scale_factor='0.05', autovacuum_vacuum_cost_delay='0');
CREATE TABLE redrive.ledger (
    key text NOT NULL COLLATE pg_catalog."C",
    token bigint NOT NULL,
    lease_until bigint NOT NULL,
    until bigint,
    state text NOT NULL,
    fingerprint text NOT NULL,
    value text,
    error text
);
CREATE SEQUENCE redrive.ledger_token
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE redrive.meta (
    version integer NOT NULL,
    works_from integer NOT NULL,
    step integer,
    migrated_at timestamp with time zone NOT NULL
);
CREATE TABLE redrive.operations (
    id text NOT NULL COLLATE pg_catalog."C",
    revision integer NOT NULL,
    request text NOT NULL,
    finished boolean NOT NULL,
    page text,
    acted integer NOT NULL,
    refused integer NOT NULL,
    begun_by text NOT NULL,
    why text,
    started_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE redrive.payloads (
    seq bigint NOT NULL,
    payload text,
    payload_bytes bytea
);
CREATE TABLE redrive.policies (
    hash text NOT NULL,
    id text NOT NULL,
    policy text NOT NULL
);
CREATE TABLE redrive.pruned_in_batches (
    batch text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL,
    count bigint NOT NULL
);
CREATE TABLE redrive.rates (
    key text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    handler text COLLATE pg_catalog."C",
    full_us bigint NOT NULL,
    since bigint,
    look_at bigint NOT NULL,
    holds boolean NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE redrive.stops (
    queues text[] NOT NULL,
    handlers text[] NOT NULL,
    tenants text[] NOT NULL,
    everything boolean NOT NULL
);
CREATE TABLE redrive.workers (
    name text NOT NULL COLLATE pg_catalog."C",
    since bigint NOT NULL,
    seen_at bigint NOT NULL,
    running integer NOT NULL,
    stopping boolean NOT NULL,
    facts text NOT NULL
);
INSERT INTO redrive.audit_anchors VALUES (1, '0001.00000000000000000726.0000000000000001', '0001.00000000000000000754.0000000000000013', 13, '68ce956043d1908a8755203245d1e26b8c167bb388a8ccca980102cc3b0ab911', '', '6900a2562c91d1520bffd188c732c1c038e17ac8fb54d9d085d4f3bb5d10cc82', 1795138418916);
INSERT INTO redrive.audit_anchors VALUES (2, '0001.00000000000000000757.0000000000000014', '0001.00000000000000000766.0000000000000021', 7, 'cf2a7963d4fff0e0c285c64d917a505d888f7bf82559b218bfd31aff3e8d5a66', '6900a2562c91d1520bffd188c732c1c038e17ac8fb54d9d085d4f3bb5d10cc82', 'b07f99d86d1243dffd2c08a449f4593df7db4d158884fe27ae23153a6070d6c0', 1795138418996);
INSERT INTO redrive.audit_anchors VALUES (3, '0001.00000000000000000770.0000000000000022', '0001.00000000000000000771.0000000000000023', 2, 'e2b4da4003dcfa65340b7b0af1c12a80e16a6a741ba1d4813597baf13e09dd88', 'b07f99d86d1243dffd2c08a449f4593df7db4d158884fe27ae23153a6070d6c0', '6bd29453000ddb7a49aff490944a587eee01cafed0e1936983ac533ded5582c2', 1795138419007);
INSERT INTO redrive.audit_blocks VALUES (1, 1795138418741, 1, '726', 'writer_1795138418362_07z0hp11ux3j2l1.1', '', '279d19b9713f5b739632d6881c43f5f8ee3fdfe9be8409ceac0900930ae5bd3d', '[[["0mwob2cri0005tfazs8s","0mwob2cri0015tfazs8s","0mwob2cri0025tfazs8s"],1,"enqueue",null,"ready",1795138418734,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (2, 1795138418771, 1, '729', 'writer_1795138418362_07z0hp11ux3j2l1.2', '', 'f027c5ac224660df7022d8bee06856318d8886c4f0e7efac9ed13c9b6d1c3a90', '[[["0mwob2csc0005tfazs8s"],1,"enqueue",null,"ready",1795138418764,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO redrive.audit_blocks VALUES (3, 1795138418774, 1, '731', 'writer_1795138418362_07z0hp11ux3j2l1.2', 'f027c5ac224660df7022d8bee06856318d8886c4f0e7efac9ed13c9b6d1c3a90', '9af978576b1f678539f8a1bf3f061f153f1f24e3f3ee98f8f99d93727272c096', '[[["0mwob2ct10005tfazs8s"],1,"enqueue",null,"ready",1795138418774,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO redrive.audit_blocks VALUES (4, 1795138418778, 1, '733', 'writer_1795138418362_07z0hp11ux3j2l1.1', '279d19b9713f5b739632d6881c43f5f8ee3fdfe9be8409ceac0900930ae5bd3d', '78c099cada4836ab60e01f54d3ffd0f18deac7418beaaed91a20d80f6a34643a', '[[["0mwob2ct40005tfazs8s"],1,"enqueue",null,"ready",1795138418777,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","correlation":"order-7"}]]');
INSERT INTO redrive.audit_blocks VALUES (5, 1795138418781, 1, '736', 'writer_1795138418362_07z0hp11ux3j2l1.1', '78c099cada4836ab60e01f54d3ffd0f18deac7418beaaed91a20d80f6a34643a', '82062e62ba6588dbe3c7d762679950d02caba6fade8cd8532fee2e58ae62a3c2', '[[["0mwob2ct70005tfazs8s"],1,"enqueue",null,"ready",1795138418781,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (6, 1795138418785, 1, '738', 'writer_1795138418362_07z0hp11ux3j2l1.1', '82062e62ba6588dbe3c7d762679950d02caba6fade8cd8532fee2e58ae62a3c2', 'ddd2dd8ab1670955cb3ada16ccd9226d7d9d780d594ab2831397a4d3d4c198ca', '[[["0mwob2ctc0005tfazs8s"],1,"enqueue",null,"ready",1795138418785,0,1,0,0,{"by":"app:worker-1","handler":"import","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (7, 1795138418792, 1, '740', 'writer_1795138418362_07z0hp11ux3j2l1.1', 'ddd2dd8ab1670955cb3ada16ccd9226d7d9d780d594ab2831397a4d3d4c198ca', 'b6de237975cfbdf9f56bf56a401cdd4e5f4db4c36761e4f8a0bf3d7cb6505d47', '[[["0mwob2ctj0005tfazs8s"],1,"enqueue",null,"ready",1795138418791,0,1,0,0,{"by":"app:worker-1","handler":"search","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (8, 1795138418795, 1, '742', 'writer_1795138418362_07z0hp11ux3j2l1.1', 'b6de237975cfbdf9f56bf56a401cdd4e5f4db4c36761e4f8a0bf3d7cb6505d47', '30ea91bbbc925d096b8cfc15b2f1d53b446989fc546818a15f27e8a1532b1045', '[[["0mwob2ctn0005tfazs8s"],1,"enqueue",null,"ready",1795138418795,0,1,0,0,{"by":"app:worker-1","handler":"report","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (9, 1795138418800, 1, '744', 'writer_1795138418362_07z0hp11ux3j2l1.1', '30ea91bbbc925d096b8cfc15b2f1d53b446989fc546818a15f27e8a1532b1045', '47c9c3d1f57dc08fa879cd3c7a9571bf542c55cf890de0769795dfd69e420649', '[[["0mwob2ctq0005tfazs8s"],1,"enqueue",null,"scheduled",1795138418800,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default","due":{"inMs":86400000}}]]');
INSERT INTO redrive.audit_blocks VALUES (10, 1795138418803, 1, '747', 'writer_1795138418362_07z0hp11ux3j2l1.1', '47c9c3d1f57dc08fa879cd3c7a9571bf542c55cf890de0769795dfd69e420649', 'b52561bec714663762efb573c03e2deaef0b2d5ec13949af683554ab53fec5a8', '[[["0mwob2ctu0005tfazs8s"],1,"enqueue",null,"ready",1795138418803,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (11, 1795138418814, 1, '749', 'writer_1795138418362_07z0hp11ux3j2l1.2', '9af978576b1f678539f8a1bf3f061f153f1f24e3f3ee98f8f99d93727272c096', '6154ab845ff080b9c0cac7fc66dfd26cbe9c93a28dbd61aee85b3482e8d61885', '[["0mwob2ctu0005tfazs8s",2,"cancel","ready","cancelled",1795138418811,0,1,0,10,{"by":"app:worker-1","why":"not wanted"}]]');
INSERT INTO redrive.audit_blocks VALUES (12, 1795138418881, 1, '753', 'writer_1795138418362_07z0hp11ux3j2l1.1', 'b52561bec714663762efb573c03e2deaef0b2d5ec13949af683554ab53fec5a8', '0d4959f67a88c8cf23c8082edea968701ecaf01243ae2487b2bdb533de72b785', '[[["0mwob2csc0005tfazs8s","0mwob2ct10005tfazs8s","0mwob2ct40005tfazs8s","0mwob2ct70005tfazs8s"],2,"claim","ready","leased",1795138418873,1,1,1,[2,3,4,5],{"by":"worker-1-07z0hp11ux3j2l2","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}],
[["0mwob2cri0005tfazs8s","0mwob2cri0015tfazs8s","0mwob2cri0025tfazs8s","0mwob2ctc0005tfazs8s"],2,"claim","ready","leased",1795138418873,1,1,1,[1,1,1,6],{"by":"worker-1-07z0hp11ux3j2l2","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}],
[["0mwob2ctj0005tfazs8s","0mwob2ctn0005tfazs8s"],2,"claim","ready","leased",1795138418881,1,1,1,[7,8],{"by":"worker-1-07z0hp11ux3j2l2","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}]]');
INSERT INTO redrive.audit_blocks VALUES (13, 1795138418911, 1, '754', 'writer_1795138418362_07z0hp11ux3j2l1.2', '6154ab845ff080b9c0cac7fc66dfd26cbe9c93a28dbd61aee85b3482e8d61885', 'aa4a4c6a114cd0e59292f01c3571115b6d9d61d1163ab40e66d4a2b7d5a2ea03', '[["gate:[\"reports\",\"\",\"\"]",0,"control",null,null,1795138418911,0,0,0,0,{"by":"worker:worker-1-07z0hp11ux3j2l2","act":"close","untilMs":1795142018930,"cut":false}]]');
INSERT INTO redrive.audit_blocks VALUES (14, 1795138418925, 1, '757', 'writer_1795138418362_07z0hp11ux3j2l1.1', '0d4959f67a88c8cf23c8082edea968701ecaf01243ae2487b2bdb533de72b785', '1c7c1e70cc9f0078ca2804d05b90d18409f8286419683df9c908350db0bc9d71', '[[["0mwob2ctc0005tfazs8s"],3,"settle","leased","dead",1795138418913,2,1,1,12,{"by":"worker-1-07z0hp11ux3j2l2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:final","message":"unknown format"},"action":"give-up","reason":"final_error","entry":"failed","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"final","effect":"none"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795138418882,4.876,0,1,0,0,0,null,0.8493004720216202]]],
[["0mwob2cri0005tfazs8s","0mwob2cri0015tfazs8s","0mwob2cri0025tfazs8s"],3,"settle","leased","succeeded",1795138418913,2,1,1,12,{"by":"worker-1-07z0hp11ux3j2l2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1}],
[["0mwob2ctn0005tfazs8s"],3,"settle","leased","scheduled",1795138418913,2,1,1,12,{"by":"worker-1-07z0hp11ux3j2l2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"The handler asked for a later time"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":0,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":3600000},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795138418882,10.777,0,3776362,1,0,0,0,null,0.4898917320288262]]],
[["0mwob2csc0005tfazs8s","0mwob2ct10005tfazs8s","0mwob2ct40005tfazs8s","0mwob2ct70005tfazs8s"],3,"settle","leased","scheduled",1795138418913,2,1,1,12,{"by":"worker-1-07z0hp11ux3j2l2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795138418882,2.492,0,4,1,0,0,0,null,0.1508511971216242],[1,1795138418882,3.709,0,4,1,0,0,0,null,0.5944510051240506],[1,1795138418882,3.932,0,4,1,0,0,0,null,0.5780206995909027],[1,1795138418882,4.711,0,4,1,0,0,0,null,0.8141619017522755]]],
[["0mwob2ctj0005tfazs8s"],3,"settle","leased","scheduled",1795138418913,2,1,1,12,{"by":"worker-1-07z0hp11ux3j2l2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"The handler asked for a later time"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":0,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":5},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795138418882,10.623,0,6,1,0,0,0,null,0.27409194694024086]]],
[["0mwob2ctj0005tfazs8s"],4,"claim","ready","leased",1795138418924,3,1,2,14,{"by":"worker-1-07z0hp11ux3j2l2","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}],
[["0mwob2csc0005tfazs8s","0mwob2ct40005tfazs8s","0mwob2ct10005tfazs8s","0mwob2ct70005tfazs8s"],4,"claim","ready","leased",1795138418924,3,1,2,14,{"by":"worker-1-07z0hp11ux3j2l2","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO redrive.audit_blocks VALUES (19, 1795138418975, 1, '763', 'writer_1795138418362_07z0hp11ux3j2l1.2', 'aa4a4c6a114cd0e59292f01c3571115b6d9d61d1163ab40e66d4a2b7d5a2ea03', '8a02c96a16e08ab8024985e0a260402a77375070f6b922e1e167e37fdbd8dab5', '[["0mwob2ct40005tfazs8s",8,"requeue","dead","ready",1795138418974,7,2,3,18,{"by":"app:worker-1","why":"the bank answers again"}]]');
INSERT INTO redrive.audit_blocks VALUES (22, 1795138419001, 1, '770', 'writer_1795138418362_07z0hp11ux3j2l1.2', '8a02c96a16e08ab8024985e0a260402a77375070f6b922e1e167e37fdbd8dab5', '7fa901d17adc3a46da4a39d332354ed0f6d45d2567726f63f0e3d39a1c68b8ca', '[["kill:pause:queue:slow",0,"control",null,null,1795138419001,0,0,0,0,{"by":"ann","why":"maintenance","act":"pause"}]]');
INSERT INTO redrive.audit_blocks VALUES (15, 1795138418937, 1, '758', 'writer_1795138418362_07z0hp11ux3j2l1.1', '1c7c1e70cc9f0078ca2804d05b90d18409f8286419683df9c908350db0bc9d71', '42eafbad2ce0cc6331bc74837d1819400ddf7d800b3b1e0c97dffb5bd83b813d', '[[["0mwob2csc0005tfazs8s"],5,"settle","leased","succeeded",1795138418932,4,1,2,14,{"by":"worker-1-07z0hp11ux3j2l2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}],
[["0mwob2ctj0005tfazs8s"],5,"settle","leased","succeeded",1795138418932,4,1,2,14,{"by":"worker-1-07z0hp11ux3j2l2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1}],
[["0mwob2ct40005tfazs8s","0mwob2ct10005tfazs8s","0mwob2ct70005tfazs8s"],5,"settle","leased","scheduled",1795138418932,4,1,2,14,{"by":"worker-1-07z0hp11ux3j2l2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[2,1795138418924,0.462,4,8,2,0,0,4,null,0.5773995679072225],[2,1795138418924,0.583,4,7,2,0,0,4,null,0.09468881092471948],[2,1795138418924,0.687,4,8,2,0,0,4,null,0.23915179485096527]]]]');
INSERT INTO redrive.audit_blocks VALUES (16, 1795138418941, 1, '760', 'writer_1795138418362_07z0hp11ux3j2l1.1', '42eafbad2ce0cc6331bc74837d1819400ddf7d800b3b1e0c97dffb5bd83b813d', '9ae0a6d7819f038c8e5e71665cd48e163391388b46851969d3f2538220393965', '[[["0mwob2ct10005tfazs8s","0mwob2ct40005tfazs8s","0mwob2ct70005tfazs8s"],6,"claim","ready","leased",1795138418941,5,1,3,15,{"by":"worker-1-07z0hp11ux3j2l2","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO redrive.audit_blocks VALUES (18, 1795138418950, 1, '761', 'writer_1795138418362_07z0hp11ux3j2l1.1', '9ae0a6d7819f038c8e5e71665cd48e163391388b46851969d3f2538220393965', 'b6e72e8f9623a5f22f14c1044e312d6e65d7f164e278c7e62a152cf51c1dfef6', '[[["0mwob2ct40005tfazs8s","0mwob2ct70005tfazs8s"],7,"settle","leased","dead",1795138418949,6,1,3,16,{"by":"worker-1-07z0hp11ux3j2l2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"give-up","reason":"max_attempts_exceeded","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[3,1795138418941,0.467,8,17,3,0,0,8,null,0.6786651631102032],[3,1795138418941,1.869,8,17,3,0,0,8,null,0.7841002913321913]]],
[["0mwob2ct10005tfazs8s"],7,"settle","leased","succeeded",1795138418949,6,1,3,16,{"by":"worker-1-07z0hp11ux3j2l2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}]]');
INSERT INTO redrive.audit_blocks VALUES (20, 1795138418979, 1, '764', 'writer_1795138418362_07z0hp11ux3j2l1.1', 'b6e72e8f9623a5f22f14c1044e312d6e65d7f164e278c7e62a152cf51c1dfef6', '4d242a048ababe994ee31fd05ce7f11daf67d7ec79ab45dc5938aeca3eefc75e', '[[["0mwob2ct40005tfazs8s"],9,"claim","ready","leased",1795138418978,8,2,4,19,{"by":"worker-1-07z0hp11ux3j2l2","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO redrive.audit_blocks VALUES (21, 1795138418988, 1, '766', 'writer_1795138418362_07z0hp11ux3j2l1.1', '4d242a048ababe994ee31fd05ce7f11daf67d7ec79ab45dc5938aeca3eefc75e', 'ce761dd21f0d72b6e42398cf303fb6cd91545feac4c71aa736dcf06e8334f966', '[[["0mwob2ct40005tfazs8s"],10,"settle","leased","succeeded",1795138418987,9,2,4,20,{"by":"worker-1-07z0hp11ux3j2l2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}]]');
INSERT INTO redrive.audit_blocks VALUES (23, 1795138419002, 1, '771', 'writer_1795138418362_07z0hp11ux3j2l1.1', 'ce761dd21f0d72b6e42398cf303fb6cd91545feac4c71aa736dcf06e8334f966', 'd81a9ee81dc6d593a97a5ef756487765dfe759bc0ce830c4e904c0865e65ef21', '[[["0mwob2cze0005tfazs8s"],1,"enqueue",null,"ready",1795138419002,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"slow"}]]');
INSERT INTO redrive.control_revision VALUES (2, 2);
INSERT INTO redrive.controls VALUES ('gate', '["reports","",""]', 1, '{"untilMs":1795142018930,"sinceMs":1795138418930,"cut":false,"dependency":"reports","credential":"","tenant":""}');
INSERT INTO redrive.controls VALUES ('kill', 'pause:queue:slow', 2, '{"sinceMs":1795138418999,"mode":"finish","by":"ann","why":"maintenance"}');
INSERT INTO redrive.dead_groups VALUES ('fp1:f7bac0256cf639d7', 'verdict:final: unknown format');
INSERT INTO redrive.dead_groups VALUES ('fp1:68d2f39d12ce3be5', 'Error: connection reset');
INSERT INTO redrive.epochs VALUES (1);
INSERT INTO redrive.finished VALUES (12, 1795138418803, 0, 1795138418803, 11, 10, NULL, 0, 2, 1, 0, 0, 0, 0, 0, 'cancelled', false, '0mwob2ctu0005tfazs8s', 'mail', 'default', '', '{"to":"dan@example.org"}', NULL, 'cancelled', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795138418811, NULL, NULL, NULL, NULL, NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (1, 1795138418734, 2, 1795138418873, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwob2cri0005tfazs8s', 'mail', 'default', '', '{"to":"ada@example.org"}', '[0,[1,1,1795138418881,0.996,0,"succeeded","succeed","succeeded","worker-1-07z0hp11ux3j2l2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795138418913, NULL, NULL, NULL, '{"sent":true}', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (2, 1795138418734, 2, 1795138418873, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwob2cri0015tfazs8s', 'mail', 'default', '', '{"to":"bob@example.org"}', '[0,[1,1,1795138418882,3.449,0,"succeeded","succeed","succeeded","worker-1-07z0hp11ux3j2l2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795138418913, NULL, NULL, NULL, '{"sent":true}', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (3, 1795138418734, 2, 1795138418873, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwob2cri0025tfazs8s', 'mail', 'default', '', '{"to":"cy@example.org"}', '[0,[1,1,1795138418882,3.855,0,"succeeded","succeed","succeeded","worker-1-07z0hp11ux3j2l2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795138418913, NULL, NULL, NULL, '{"sent":true}', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (8, 1795138418785, 2, 1795138418873, 14, 12, NULL, 0, 3, 1, 1, 1, 1, 0, 0, 'dead', false, '0mwob2ctc0005tfazs8s', 'import', 'default', '', '{"file":"a.csv"}', '[0,[1,1,1795138418882,4.876,0,"failed","give-up","final_error","worker-1-07z0hp11ux3j2l2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,null,"final",{"type":"verdict:final","message":"unknown format"},[1,0,0,0,0.8493004720216202,{"kind":"failure","effect":"none"}],1]]', 'final_error', 'final', '0', NULL, 'files', NULL, NULL, NULL, NULL, NULL, 1795138418913, NULL, NULL, NULL, NULL, 'fp1:f7bac0256cf639d7', DEFAULT);
INSERT INTO redrive.finished VALUES (4, 1795138418764, 4, 1795138418873, 15, 14, NULL, 0, 5, 1, 2, 2, 1, 0, 0, 'succeeded', false, '0mwob2csc0005tfazs8s', 'charge', 'default', 'acme', '{"failures":1}', '[0,[1,1,1795138418882,2.492,0,"failed","retry","retryable_error","worker-1-07z0hp11ux3j2l2",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.1508511971216242,{"kind":"failure","effect":"unknown"}],1],[1,2,1795138418924,0.227,4,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', 'order-1', NULL, NULL, NULL, NULL, NULL, NULL, 1795138418932, NULL, NULL, NULL, '{"charged":true}', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (9, 1795138418791, 4, 1795138418881, 15, 14, NULL, 0, 5, 1, 2, 2, 0, 0, 0, 'succeeded', false, '0mwob2ctj0005tfazs8s', 'search', 'default', '', '{"q":"x"}', '[0,[1,1,1795138418882,10.623,0,"rate_limited","retry","rate_limited","worker-1-07z0hp11ux3j2l2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,6,"rate_limited",{"type":"verdict:retry_after","message":"The handler asked for a later time"},[1,0,0,0,0.27409194694024086,{"kind":"failure","effect":"none","retryAfterMs":5}],1],[1,2,1795138418924,0.715,6,"succeeded","succeed","succeeded","","",8]]', 'succeeded', NULL, '1,1,0,0,0,1,6', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795138418932, NULL, NULL, NULL, '"found"', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (5, 1795138418774, 6, 1795138418873, 18, 16, NULL, 0, 7, 1, 3, 3, 2, 0, 0, 'succeeded', false, '0mwob2ct10005tfazs8s', 'charge', 'default', 'acme', '{"failures":2}', '[0,[1,1,1795138418882,3.709,0,"failed","retry","retryable_error","worker-1-07z0hp11ux3j2l2",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.5944510051240506,{"kind":"failure","effect":"unknown"}],1],[1,2,1795138418924,0.583,4,"failed","retry","retryable_error","","",3,7,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.09468881092471948,{"kind":"failure","effect":"unknown"}],1],[1,3,1795138418941,0.319,7,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', 'order-2', NULL, NULL, NULL, NULL, NULL, NULL, 1795138418949, NULL, NULL, NULL, '{"charged":true}', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (7, 1795138418781, 6, 1795138418873, 18, 16, NULL, 0, 7, 1, 3, 3, 3, 0, 2, 'dead', false, '0mwob2ct70005tfazs8s', 'charge', 'default', '', NULL, '[0,[1,1,1795138418882,4.711,0,"failed","retry","retryable_error","worker-1-07z0hp11ux3j2l2",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.8141619017522755,{"kind":"failure","effect":"unknown"}],1],[1,2,1795138418924,0.687,4,"failed","retry","retryable_error","","",3,8,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.23915179485096527,{"kind":"failure","effect":"unknown"}],1],[1,3,1795138418941,1.869,8,"failed","give-up","max_attempts_exceeded","","",3,null,"retryable",{"type":"Error","message":"connection reset"},[3,0,0,8,0.7841002913321913,{"kind":"failure","effect":"unknown"}],1]]', 'max_attempts_exceeded', 'retryable', '0', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795138418949, NULL, NULL, NULL, NULL, 'fp1:68d2f39d12ce3be5', DEFAULT);
INSERT INTO redrive.finished VALUES (6, 1795138418777, 9, 1795138418978, 21, 20, NULL, 0, 10, 2, 1, 4, 0, 0, 0, 'succeeded', false, '0mwob2ct40005tfazs8s', 'charge', 'default', '', '{"failures":9}', '[0,[1,1,1795138418882,3.932,0,"failed","retry","retryable_error","worker-1-07z0hp11ux3j2l2",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.5780206995909027,{"kind":"failure","effect":"unknown"}],1],[1,2,1795138418924,0.462,4,"failed","retry","retryable_error","","",3,8,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.5773995679072225,{"kind":"failure","effect":"unknown"}],1],[1,3,1795138418941,0.467,8,"failed","give-up","max_attempts_exceeded","","",3,null,"retryable",{"type":"Error","message":"connection reset"},[3,0,0,8,0.6786651631102032,{"kind":"failure","effect":"unknown"}],1],[2,1,1795138418978,0.092,0,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, '{"correlationId":"order-7"}', NULL, NULL, 1795138418987, NULL, NULL, NULL, '{"charged":true}', NULL, DEFAULT);
INSERT INTO redrive.ids VALUES ('0mwob2cri0005tfazs8s', 1, NULL);
INSERT INTO redrive.ids VALUES ('0mwob2cri0015tfazs8s', 2, NULL);
INSERT INTO redrive.ids VALUES ('0mwob2cri0025tfazs8s', 3, NULL);
INSERT INTO redrive.ids VALUES ('0mwob2csc0005tfazs8s', 4, NULL);
INSERT INTO redrive.ids VALUES ('0mwob2ct10005tfazs8s', 5, NULL);
INSERT INTO redrive.ids VALUES ('0mwob2ct40005tfazs8s', 6, NULL);
INSERT INTO redrive.ids VALUES ('0mwob2ct70005tfazs8s', 7, NULL);
INSERT INTO redrive.ids VALUES ('0mwob2ctc0005tfazs8s', 8, NULL);
INSERT INTO redrive.ids VALUES ('0mwob2ctj0005tfazs8s', 9, NULL);
INSERT INTO redrive.ids VALUES ('0mwob2ctn0005tfazs8s', 10, NULL);
INSERT INTO redrive.ids VALUES ('0mwob2ctq0005tfazs8s', 11, NULL);
INSERT INTO redrive.ids VALUES ('0mwob2ctu0005tfazs8s', 12, NULL);
INSERT INTO redrive.ids VALUES ('0mwob2cze0005tfazs8s', 13, NULL);
INSERT INTO redrive.jobs VALUES (11, 1795138418800, 0, 1795138418800, 9, 0, NULL, 0, 1, 1, 0, 0, 0, 0, 0, 'scheduled', false, '0mwob2ctq0005tfazs8s', 'mail', 'default', '', '{"to":"eve@example.org"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795224818800, NULL, NULL, NULL, NULL, NULL, NULL, NULL, DEFAULT, NULL);
INSERT INTO redrive.jobs VALUES (10, 1795138418795, 2, 1795138418881, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'scheduled', false, '0mwob2ctn0005tfazs8s', 'report', 'default', '', '{"of":"May"}', '[0,[1,1,1795138418882,10.777,0,"rate_limited","retry","rate_limited","worker-1-07z0hp11ux3j2l2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,3776362,"rate_limited",{"type":"verdict:retry_after","message":"The handler asked for a later time"},[1,0,0,0,0.4898917320288262,{"kind":"failure","effect":"none","retryAfterMs":3600000}],1]]', 'rate_limited', 'rate_limited', '0,1,0,0,0,1,3776362,3776362', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795142195275, NULL, NULL, NULL, NULL, NULL, NULL, NULL, DEFAULT, NULL);
INSERT INTO redrive.jobs VALUES (13, 1795138419002, 0, 1795138419002, 23, 0, NULL, 0, 1, 1, 0, 0, 0, 0, 0, 'ready', false, '0mwob2cze0005tfazs8s', 'mail', 'slow', '', '{"to":"fay@example.org"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, DEFAULT, NULL);
INSERT INTO redrive.meta VALUES (1, 1, NULL, '2026-11-20 01:33:38.707621+00');
INSERT INTO redrive.payloads VALUES (7, '{"failures":9,"note":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}', NULL);
INSERT INTO redrive.policies VALUES ('3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506', 'runs.default', '{"enabled":true,"maxAttempts":8,"backoff":"exponential","baseDelayMs":60000,"maxDelayMs":3600000,"multiplier":2,"immediateFirstRetry":false,"jitter":"none","jitterAmount":1,"maxFreeWaits":100,"maxFreeWaitMs":86400000}');
INSERT INTO redrive.policies VALUES ('b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd', 'default', '{"enabled":true,"maxAttempts":3,"backoff":"exponential","baseDelayMs":4,"maxDelayMs":20,"multiplier":2,"immediateFirstRetry":false,"jitter":"proportional","jitterAmount":0.1,"maxFreeWaits":100,"maxFreeWaitMs":86400000}');
INSERT INTO redrive.stops VALUES ('{slow}', '{}', '{}', false);
SELECT pg_catalog.setval('redrive.audit_seq', 23, true);
SELECT pg_catalog.setval('redrive.job_seq', 13, true);
SELECT pg_catalog.setval('redrive.ledger_token', 1, false);
ALTER TABLE ONLY redrive.audit_anchors
    ADD CONSTRAINT audit_anchors_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY redrive.audit_blocks
    ADD CONSTRAINT audit_blocks_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY redrive.audit_packs
    ADD CONSTRAINT audit_packs_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY redrive.batches
    ADD CONSTRAINT batches_pkey PRIMARY KEY (id);
ALTER TABLE ONLY redrive.controls
    ADD CONSTRAINT controls_pkey PRIMARY KEY (kind, key);
ALTER TABLE ONLY redrive.dead_groups
    ADD CONSTRAINT dead_groups_pkey PRIMARY KEY (fingerprint);
ALTER TABLE ONLY redrive.earlier_payloads
    ADD CONSTRAINT earlier_payloads_pkey PRIMARY KEY (seq, generation);
ALTER TABLE ONLY redrive.event_documents
    ADD CONSTRAINT event_documents_pkey PRIMARY KEY (collection, document);
ALTER TABLE ONLY redrive.finished
    ADD CONSTRAINT finished_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY redrive.ids
    ADD CONSTRAINT ids_pkey PRIMARY KEY (id);
ALTER TABLE ONLY redrive.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY redrive.ledger
    ADD CONSTRAINT ledger_pkey PRIMARY KEY (key);
ALTER TABLE ONLY redrive.operations
    ADD CONSTRAINT operations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY redrive.payloads
    ADD CONSTRAINT payloads_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY redrive.policies
    ADD CONSTRAINT policies_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY redrive.pruned_in_batches
    ADD CONSTRAINT pruned_in_batches_pkey PRIMARY KEY (batch, state);
ALTER TABLE ONLY redrive.rates
    ADD CONSTRAINT rates_pkey PRIMARY KEY (key);
ALTER TABLE ONLY redrive.workers
    ADD CONSTRAINT workers_pkey PRIMARY KEY (name);
CREATE INDEX audit_blocks_position ON redrive.audit_blocks USING btree (epoch, xid, seq);
CREATE INDEX audit_packs_numbers ON redrive.audit_packs USING btree (min_seq, max_seq);
CREATE INDEX audit_packs_to ON redrive.audit_packs USING btree (to_position);
CREATE INDEX batches_opened ON redrive.batches USING btree (opened_at, id);
CREATE INDEX batches_sealed ON redrive.batches USING btree (id) WHERE (state = 'sealed'::text);
CREATE INDEX event_documents_seq ON redrive.event_documents USING btree (seq);
CREATE INDEX finished_batch ON redrive.finished USING btree (batch, state, finished_at) WHERE (batch IS NOT NULL);
CREATE INDEX finished_dead ON redrive.finished USING btree (finished_at, id) INCLUDE (fingerprint) WHERE ((state = 'dead'::redrive.job_state) AND (seq > 0));
CREATE INDEX finished_dead_handler ON redrive.finished USING btree (handler, finished_at, id) INCLUDE (fingerprint) WHERE ((state = 'dead'::redrive.job_state) AND (revision > 0));
CREATE INDEX finished_dead_tenant ON redrive.finished USING btree (tenant, finished_at, id) INCLUDE (fingerprint) WHERE ((state = 'dead'::redrive.job_state) AND (tenant <> ''::text));
CREATE INDEX finished_fingerprint ON redrive.finished USING btree (fingerprint, state, finished_at, id) WHERE (fingerprint IS NOT NULL);
CREATE INDEX finished_purged ON redrive.finished USING btree (purged_at) WHERE (state = 'purged'::redrive.job_state);
CREATE INDEX finished_state ON redrive.finished USING btree (state, finished_at) WHERE (state <> 'dead'::redrive.job_state);
CREATE INDEX ids_session ON redrive.ids USING btree (session_id) WHERE (session_id IS NOT NULL);
CREATE INDEX jobs_batch ON redrive.jobs USING btree (batch) WHERE ((batch IS NOT NULL) AND (state <> 'leased'::redrive.job_state));
CREATE INDEX jobs_deadline ON redrive.jobs USING btree (deadline) WHERE ((deadline IS NOT NULL) AND (lease_since IS NULL));
CREATE INDEX jobs_due ON redrive.jobs USING btree (state, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX jobs_held_rate ON redrive.jobs USING btree (held_rate, priority DESC, submitted_at, id) WHERE ((state = 'held'::redrive.job_state) AND (held_rate IS NOT NULL));
CREATE INDEX jobs_leased ON redrive.jobs USING btree (lease_until) WHERE (state = 'leased'::redrive.job_state);
CREATE INDEX jobs_limit_key ON redrive.jobs USING btree (state, handler, limit_key, priority DESC, tenant, submitted_at, id) WHERE (limit_key IS NOT NULL);
CREATE INDEX jobs_parked ON redrive.jobs USING btree (cause, priority DESC, due_at, id) WHERE (state = 'parked'::redrive.job_state);
CREATE INDEX jobs_ready ON redrive.jobs USING btree (handler, queue, priority DESC, tenant, submitted_at, id) WHERE (state = 'ready'::redrive.job_state);
CREATE UNIQUE INDEX jobs_unique_key ON redrive.jobs USING btree (unique_key) WHERE (unique_key IS NOT NULL);
CREATE INDEX ledger_until ON redrive.ledger USING btree (until) WHERE (until IS NOT NULL);
CREATE INDEX rates_idle ON redrive.rates USING btree (look_at);
CREATE INDEX rates_look ON redrive.rates USING btree (name, look_at) WHERE holds;
