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
    ended_at bigint,
    CONSTRAINT batches_state_check CHECK ((state = ANY (ARRAY['open'::text, 'sealed'::text, 'ended'::text])))
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
    batch text GENERATED ALWAYS AS ("substring"(spec, '^\{"batch":"([^"]*)"'::text)) STORED COLLATE pg_catalog."C",
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
    batch text GENERATED ALWAYS AS ("substring"(spec, '^\{"batch":"([^"]*)"'::text)) STORED COLLATE pg_catalog."C",
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
INSERT INTO redrive.audit_anchors VALUES (1, '0001.00000000000000000726.0000000000000001', '0001.00000000000000000748.0000000000000011', 11, 'ecd339317fe0fcfe0485292f7ed13d42dcc56c1026749bba97187bbbbeac4126', '', '70c6afa727e5a3530680e0410bbb8d7e7c655b4d369c38c1c11fc56a71e224b0', 1795134637235);
INSERT INTO redrive.audit_anchors VALUES (2, '0001.00000000000000000752.0000000000000012', '0001.00000000000000000765.0000000000000021', 9, '4ec361654bb1b5e4561debeab88e7a542e8569b35a6f083992ce6b2d0d6a102e', '70c6afa727e5a3530680e0410bbb8d7e7c655b4d369c38c1c11fc56a71e224b0', 'af54bf266de43c6ca07032e314d0e698e7bd1366e9f1ed0972ade3310cd11400', 1795134637381);
INSERT INTO redrive.audit_anchors VALUES (3, '0001.00000000000000000770.0000000000000022', '0001.00000000000000000771.0000000000000023', 2, 'a4f6e64c2338ac06e7665a6f014ad5c544d8ccc5b627835ac9e2fdcd4db9d18d', 'af54bf266de43c6ca07032e314d0e698e7bd1366e9f1ed0972ade3310cd11400', 'c40b44258a4cd9f3ced6b14dfaadfc46e80aa6c5ed452a2c73a006ddd038709c', 1795134637408);
INSERT INTO redrive.audit_blocks VALUES (1, 1795134637027, 1, '726', 'writer_1795134636358_02ft58o0064b701.1', '', '7bb5ceb26bb77c3f60df5b570a1bef77ad58f93da06c26c3a00de75294cbfdbb', '[[["0mwo8tara000xjf0gllk","0mwo8tara001xjf0gllk","0mwo8tara002xjf0gllk"],1,"enqueue",null,"ready",1795134637020,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (2, 1795134637066, 1, '729', 'writer_1795134636358_02ft58o0064b701.2', '', '69f5ef7fbb9e7c6d58d4721bdf1179c24a15190a354948fe8dc43dae72d71964', '[[["0mwo8tasm000xjf0gllk"],1,"enqueue",null,"ready",1795134637062,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO redrive.audit_blocks VALUES (3, 1795134637070, 1, '731', 'writer_1795134636358_02ft58o0064b701.2', '69f5ef7fbb9e7c6d58d4721bdf1179c24a15190a354948fe8dc43dae72d71964', '6d351d3037fc0cb867ba51c99c328193b89a2ef79461792cd30febc1e82b2025', '[[["0mwo8tato000xjf0gllk"],1,"enqueue",null,"ready",1795134637070,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO redrive.audit_blocks VALUES (4, 1795134637073, 1, '733', 'writer_1795134636358_02ft58o0064b701.1', '7bb5ceb26bb77c3f60df5b570a1bef77ad58f93da06c26c3a00de75294cbfdbb', '69ecd831947d4407771238913a721510076f540383f89f65028079f7eead2db6', '[[["0mwo8tatr000xjf0gllk"],1,"enqueue",null,"ready",1795134637072,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","correlation":"order-7"}]]');
INSERT INTO redrive.audit_blocks VALUES (5, 1795134637076, 1, '735', 'writer_1795134636358_02ft58o0064b701.1', '69ecd831947d4407771238913a721510076f540383f89f65028079f7eead2db6', '513e6831091903f4ae9eaea111e94699132a5e9fef4ae308cb499995876001bb', '[[["0mwo8tatv000xjf0gllk"],1,"enqueue",null,"ready",1795134637076,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (6, 1795134637081, 1, '737', 'writer_1795134636358_02ft58o0064b701.1', '513e6831091903f4ae9eaea111e94699132a5e9fef4ae308cb499995876001bb', '99f08fb76cd22a38fe707552dd27de730d047ef9a9dfcf6b8b6173e406fc27fb', '[[["0mwo8tatz000xjf0gllk"],1,"enqueue",null,"ready",1795134637081,0,1,0,0,{"by":"app:worker-1","handler":"import","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (7, 1795134637086, 1, '739', 'writer_1795134636358_02ft58o0064b701.1', '99f08fb76cd22a38fe707552dd27de730d047ef9a9dfcf6b8b6173e406fc27fb', '9a8b3cab07eff6ee6d2375302b6a9553789a8f0aff3182da08e7882ca366b925', '[[["0mwo8tau5000xjf0gllk"],1,"enqueue",null,"ready",1795134637085,0,1,0,0,{"by":"app:worker-1","handler":"search","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (8, 1795134637096, 1, '741', 'writer_1795134636358_02ft58o0064b701.1', '9a8b3cab07eff6ee6d2375302b6a9553789a8f0aff3182da08e7882ca366b925', '80edeff6b4d611f0f41d2c54b95504f09fa4fc270604769685261793618af32e', '[[["0mwo8tauf000xjf0gllk"],1,"enqueue",null,"ready",1795134637095,0,1,0,0,{"by":"app:worker-1","handler":"report","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (9, 1795134637100, 1, '743', 'writer_1795134636358_02ft58o0064b701.1', '80edeff6b4d611f0f41d2c54b95504f09fa4fc270604769685261793618af32e', '6046f07ef952c433a47ba145a7fa3db2a4d1edaacfec5d2553d075c2ceecb597', '[[["0mwo8tauj000xjf0gllk"],1,"enqueue",null,"scheduled",1795134637099,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default","due":{"inMs":86400000}}]]');
INSERT INTO redrive.audit_blocks VALUES (10, 1795134637106, 1, '745', 'writer_1795134636358_02ft58o0064b701.1', '6046f07ef952c433a47ba145a7fa3db2a4d1edaacfec5d2553d075c2ceecb597', 'c39c9d39f18de288e0bef641de51313c5ab31723d9c85562bcdfa02f0ea865f5', '[[["0mwo8taup000xjf0gllk"],1,"enqueue",null,"ready",1795134637106,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (11, 1795134637118, 1, '748', 'writer_1795134636358_02ft58o0064b701.2', '6d351d3037fc0cb867ba51c99c328193b89a2ef79461792cd30febc1e82b2025', 'e0689b8c7591a04554f05d82b66d75bf12597e96d4a58858480ecefe2a1813cf', '[["0mwo8taup000xjf0gllk",2,"cancel","ready","cancelled",1795134637113,0,1,0,10,{"by":"app:worker-1","why":"not wanted"}]]');
INSERT INTO redrive.audit_blocks VALUES (12, 1795134637224, 1, '752', 'writer_1795134636358_02ft58o0064b701.1', 'c39c9d39f18de288e0bef641de51313c5ab31723d9c85562bcdfa02f0ea865f5', 'f78e1f4978bd9647c774e6a4a36f98e8fa588ee7c1479e2b251e8d6b7ff95581', '[[["0mwo8tasm000xjf0gllk","0mwo8tato000xjf0gllk","0mwo8tatr000xjf0gllk","0mwo8tatv000xjf0gllk"],2,"claim","ready","leased",1795134637218,1,1,1,[2,3,4,5],{"by":"worker-1-02ft58o0064b702","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}],
[["0mwo8tara000xjf0gllk","0mwo8tara001xjf0gllk","0mwo8tara002xjf0gllk","0mwo8tatz000xjf0gllk"],2,"claim","ready","leased",1795134637218,1,1,1,[1,1,1,6],{"by":"worker-1-02ft58o0064b702","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}],
[["0mwo8tau5000xjf0gllk","0mwo8tauf000xjf0gllk"],2,"claim","ready","leased",1795134637223,1,1,1,[7,8],{"by":"worker-1-02ft58o0064b702","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}]]');
INSERT INTO redrive.audit_blocks VALUES (13, 1795134637261, 1, '753', 'writer_1795134636358_02ft58o0064b701.2', 'e0689b8c7591a04554f05d82b66d75bf12597e96d4a58858480ecefe2a1813cf', 'aa78b553566186fb3eed6e439010a051ade12a4218e2af702186b1b8574ae4d8', '[["gate:[\"reports\",\"\",\"\"]",0,"control",null,null,1795134637261,0,0,0,0,{"by":"worker:worker-1-02ft58o0064b702","act":"close","untilMs":1795138237277,"cut":false}]]');
INSERT INTO redrive.audit_blocks VALUES (14, 1795134637280, 1, '756', 'writer_1795134636358_02ft58o0064b701.1', 'f78e1f4978bd9647c774e6a4a36f98e8fa588ee7c1479e2b251e8d6b7ff95581', '7a3ed5fcef2c8dbf9f8118b195b79bd16495c9791da8e9f27b7fb89ce00987af', '[[["0mwo8tara000xjf0gllk","0mwo8tara001xjf0gllk","0mwo8tara002xjf0gllk"],3,"settle","leased","succeeded",1795134637267,2,1,1,12,{"by":"worker-1-02ft58o0064b702","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1}],
[["0mwo8tatz000xjf0gllk"],3,"settle","leased","dead",1795134637267,2,1,1,12,{"by":"worker-1-02ft58o0064b702","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:final","message":"unknown format"},"action":"give-up","reason":"final_error","entry":"failed","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"final","effect":"none"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795134637227,9.237,0,1,0,0,0,null,0.473415956135282]]],
[["0mwo8tauf000xjf0gllk"],3,"settle","leased","scheduled",1795134637267,2,1,1,12,{"by":"worker-1-02ft58o0064b702","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"The handler asked for a later time"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":0,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":3600000},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795134637227,15.758,0,3835993,1,0,0,0,null,0.6555357409781053]]],
[["0mwo8tasm000xjf0gllk","0mwo8tato000xjf0gllk","0mwo8tatr000xjf0gllk","0mwo8tatv000xjf0gllk"],3,"settle","leased","scheduled",1795134637267,2,1,1,12,{"by":"worker-1-02ft58o0064b702","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795134637227,7.783,0,4,1,0,0,0,null,0.4296917331404707],[1,1795134637227,8.792,0,4,1,0,0,0,null,0.13535431573151346],[1,1795134637227,9.045,0,4,1,0,0,0,null,0.9502089150420047],[1,1795134637227,9.11,0,4,1,0,0,0,null,0.8476827296002301]]],
[["0mwo8tau5000xjf0gllk"],3,"settle","leased","scheduled",1795134637267,2,1,1,12,{"by":"worker-1-02ft58o0064b702","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"The handler asked for a later time"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":0,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":5},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795134637227,15.607,0,6,1,0,0,0,null,0.5012503761169415]]],
[["0mwo8tasm000xjf0gllk","0mwo8tatr000xjf0gllk","0mwo8tato000xjf0gllk","0mwo8tatv000xjf0gllk"],4,"claim","ready","leased",1795134637279,3,1,2,14,{"by":"worker-1-02ft58o0064b702","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}],
[["0mwo8tau5000xjf0gllk"],4,"claim","ready","leased",1795134637279,3,1,2,14,{"by":"worker-1-02ft58o0064b702","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}]]');
INSERT INTO redrive.audit_blocks VALUES (19, 1795134637345, 1, '763', 'writer_1795134636358_02ft58o0064b701.2', 'aa78b553566186fb3eed6e439010a051ade12a4218e2af702186b1b8574ae4d8', 'bf125965ead4993363e2340dd088ab2abe239e49d3b1e24f4b79c738fd3e9057', '[["0mwo8tatr000xjf0gllk",8,"requeue","dead","ready",1795134637344,7,2,3,18,{"by":"app:worker-1","why":"the bank answers again"}]]');
INSERT INTO redrive.audit_blocks VALUES (22, 1795134637391, 1, '770', 'writer_1795134636358_02ft58o0064b701.2', 'bf125965ead4993363e2340dd088ab2abe239e49d3b1e24f4b79c738fd3e9057', '4316844d3fe939aafda2cace77c7cd0fbc2644dce010165d73d16c7714c08626', '[["kill:pause:queue:slow",0,"control",null,null,1795134637391,0,0,0,0,{"by":"ann","why":"maintenance","act":"pause"}]]');
INSERT INTO redrive.audit_blocks VALUES (15, 1795134637291, 1, '758', 'writer_1795134636358_02ft58o0064b701.1', '7a3ed5fcef2c8dbf9f8118b195b79bd16495c9791da8e9f27b7fb89ce00987af', '454d7e9f92f7fc6e9a48d41a8f86b0c79ae3cafe07ed21628ad4f3196b980a09', '[[["0mwo8tau5000xjf0gllk"],5,"settle","leased","succeeded",1795134637290,4,1,2,14,{"by":"worker-1-02ft58o0064b702","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1}],
[["0mwo8tasm000xjf0gllk"],5,"settle","leased","succeeded",1795134637290,4,1,2,14,{"by":"worker-1-02ft58o0064b702","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}],
[["0mwo8tatr000xjf0gllk","0mwo8tato000xjf0gllk","0mwo8tatv000xjf0gllk"],5,"settle","leased","scheduled",1795134637290,4,1,2,14,{"by":"worker-1-02ft58o0064b702","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[2,1795134637281,0.571,4,7,2,0,0,4,null,0.1574758444178792],[2,1795134637281,0.827,4,7,2,0,0,4,null,0.05385139496088598],[2,1795134637281,1.088,4,9,2,0,0,4,null,0.8648296728567462]]]]');
INSERT INTO redrive.audit_blocks VALUES (17, 1795134637303, 1, '759', 'writer_1795134636358_02ft58o0064b701.1', '454d7e9f92f7fc6e9a48d41a8f86b0c79ae3cafe07ed21628ad4f3196b980a09', 'df4b46660d612d88f37ade76c1c599a5d65a991480caf1886c6a658f9edaae4e', '[[["0mwo8tato000xjf0gllk","0mwo8tatr000xjf0gllk","0mwo8tatv000xjf0gllk"],6,"claim","ready","leased",1795134637303,5,1,3,15,{"by":"worker-1-02ft58o0064b702","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO redrive.audit_blocks VALUES (18, 1795134637310, 1, '760', 'writer_1795134636358_02ft58o0064b701.1', 'df4b46660d612d88f37ade76c1c599a5d65a991480caf1886c6a658f9edaae4e', 'e15f53b07d99bf6706b7bab735a48da76e4f607d257229a7843dcc45a172affc', '[[["0mwo8tatr000xjf0gllk","0mwo8tatv000xjf0gllk"],7,"settle","leased","dead",1795134637309,6,1,3,17,{"by":"worker-1-02ft58o0064b702","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"give-up","reason":"max_attempts_exceeded","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[3,1795134637303,0.324,7,17,3,0,0,7,null,0.9122712419757839],[3,1795134637303,2.059,9,17,3,0,0,9,null,0.9226548256906743]]],
[["0mwo8tato000xjf0gllk"],7,"settle","leased","succeeded",1795134637309,6,1,3,17,{"by":"worker-1-02ft58o0064b702","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}]]');
INSERT INTO redrive.audit_blocks VALUES (20, 1795134637348, 1, '764', 'writer_1795134636358_02ft58o0064b701.1', 'e15f53b07d99bf6706b7bab735a48da76e4f607d257229a7843dcc45a172affc', 'd1394f2559b5d40a0723c0a041208f8721e0dbd88848888f416f84ba00a0fb20', '[[["0mwo8tatr000xjf0gllk"],9,"claim","ready","leased",1795134637347,8,2,4,19,{"by":"worker-1-02ft58o0064b702","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO redrive.audit_blocks VALUES (21, 1795134637359, 1, '765', 'writer_1795134636358_02ft58o0064b701.1', 'd1394f2559b5d40a0723c0a041208f8721e0dbd88848888f416f84ba00a0fb20', '1331fa96c98cfcb73ba758b7f73fb4e94bed38e406d425bd96da6b96034806aa', '[[["0mwo8tatr000xjf0gllk"],10,"settle","leased","succeeded",1795134637357,9,2,4,20,{"by":"worker-1-02ft58o0064b702","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}]]');
INSERT INTO redrive.audit_blocks VALUES (23, 1795134637394, 1, '771', 'writer_1795134636358_02ft58o0064b701.1', '1331fa96c98cfcb73ba758b7f73fb4e94bed38e406d425bd96da6b96034806aa', '596f0837d5526f0d3683a98e8320d30721f00da82ea90af231284dd72f28b752', '[[["0mwo8tb2p000xjf0gllk"],1,"enqueue",null,"ready",1795134637394,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"slow"}]]');
INSERT INTO redrive.control_revision VALUES (2, 2);
INSERT INTO redrive.controls VALUES ('gate', '["reports","",""]', 1, '{"untilMs":1795138237277,"sinceMs":1795134637277,"cut":false,"dependency":"reports","credential":"","tenant":""}');
INSERT INTO redrive.controls VALUES ('kill', 'pause:queue:slow', 2, '{"sinceMs":1795134637388,"mode":"finish","by":"ann","why":"maintenance"}');
INSERT INTO redrive.dead_groups VALUES ('fp1:f7bac0256cf639d7', 'verdict:final: unknown format');
INSERT INTO redrive.dead_groups VALUES ('fp1:68d2f39d12ce3be5', 'Error: connection reset');
INSERT INTO redrive.epochs VALUES (1);
INSERT INTO redrive.finished VALUES (12, 1795134637106, 0, 1795134637106, 11, 10, NULL, 0, 2, 1, 0, 0, 0, 0, 0, 'cancelled', false, '0mwo8taup000xjf0gllk', 'mail', 'default', '', '{"to":"dan@example.org"}', NULL, 'cancelled', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795134637113, NULL, NULL, NULL, NULL, NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (1, 1795134637020, 2, 1795134637218, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwo8tara000xjf0gllk', 'mail', 'default', '', '{"to":"ada@example.org"}', '[0,[1,1,1795134637223,5.041,0,"succeeded","succeed","succeeded","worker-1-02ft58o0064b702",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795134637267, NULL, NULL, NULL, '{"sent":true}', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (2, 1795134637020, 2, 1795134637218, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwo8tara001xjf0gllk', 'mail', 'default', '', '{"to":"bob@example.org"}', '[0,[1,1,1795134637227,8.517,0,"succeeded","succeed","succeeded","worker-1-02ft58o0064b702",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795134637267, NULL, NULL, NULL, '{"sent":true}', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (3, 1795134637020, 2, 1795134637218, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwo8tara002xjf0gllk', 'mail', 'default', '', '{"to":"cy@example.org"}', '[0,[1,1,1795134637227,8.997,0,"succeeded","succeed","succeeded","worker-1-02ft58o0064b702",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795134637267, NULL, NULL, NULL, '{"sent":true}', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (8, 1795134637081, 2, 1795134637218, 14, 12, NULL, 0, 3, 1, 1, 1, 1, 0, 0, 'dead', false, '0mwo8tatz000xjf0gllk', 'import', 'default', '', '{"file":"a.csv"}', '[0,[1,1,1795134637227,9.237,0,"failed","give-up","final_error","worker-1-02ft58o0064b702",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,null,"final",{"type":"verdict:final","message":"unknown format"},[1,0,0,0,0.473415956135282,{"kind":"failure","effect":"none"}],1]]', 'final_error', 'final', '0', NULL, 'files', NULL, NULL, NULL, NULL, NULL, 1795134637267, NULL, NULL, NULL, NULL, 'fp1:f7bac0256cf639d7', DEFAULT);
INSERT INTO redrive.finished VALUES (4, 1795134637062, 4, 1795134637218, 15, 14, NULL, 0, 5, 1, 2, 2, 1, 0, 0, 'succeeded', false, '0mwo8tasm000xjf0gllk', 'charge', 'default', 'acme', '{"failures":1}', '[0,[1,1,1795134637227,7.783,0,"failed","retry","retryable_error","worker-1-02ft58o0064b702",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.4296917331404707,{"kind":"failure","effect":"unknown"}],1],[1,2,1795134637281,0.294,4,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', 'order-1', NULL, NULL, NULL, NULL, NULL, NULL, 1795134637290, NULL, NULL, NULL, '{"charged":true}', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (9, 1795134637085, 4, 1795134637223, 15, 14, NULL, 0, 5, 1, 2, 2, 0, 0, 0, 'succeeded', false, '0mwo8tau5000xjf0gllk', 'search', 'default', '', '{"q":"x"}', '[0,[1,1,1795134637227,15.607,0,"rate_limited","retry","rate_limited","worker-1-02ft58o0064b702",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,6,"rate_limited",{"type":"verdict:retry_after","message":"The handler asked for a later time"},[1,0,0,0,0.5012503761169415,{"kind":"failure","effect":"none","retryAfterMs":5}],1],[1,2,1795134637281,1.159,6,"succeeded","succeed","succeeded","","",8]]', 'succeeded', NULL, '1,1,0,0,0,1,6', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795134637290, NULL, NULL, NULL, '"found"', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (5, 1795134637070, 6, 1795134637218, 18, 17, NULL, 0, 7, 1, 3, 3, 2, 0, 0, 'succeeded', false, '0mwo8tato000xjf0gllk', 'charge', 'default', 'acme', '{"failures":2}', '[0,[1,1,1795134637227,8.792,0,"failed","retry","retryable_error","worker-1-02ft58o0064b702",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.13535431573151346,{"kind":"failure","effect":"unknown"}],1],[1,2,1795134637281,0.827,4,"failed","retry","retryable_error","","",3,7,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.05385139496088598,{"kind":"failure","effect":"unknown"}],1],[1,3,1795134637303,0.195,7,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', 'order-2', NULL, NULL, NULL, NULL, NULL, NULL, 1795134637309, NULL, NULL, NULL, '{"charged":true}', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (7, 1795134637076, 6, 1795134637218, 18, 17, NULL, 0, 7, 1, 3, 3, 3, 0, 2, 'dead', false, '0mwo8tatv000xjf0gllk', 'charge', 'default', '', NULL, '[0,[1,1,1795134637227,9.11,0,"failed","retry","retryable_error","worker-1-02ft58o0064b702",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.8476827296002301,{"kind":"failure","effect":"unknown"}],1],[1,2,1795134637281,1.088,4,"failed","retry","retryable_error","","",3,9,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.8648296728567462,{"kind":"failure","effect":"unknown"}],1],[1,3,1795134637303,2.059,9,"failed","give-up","max_attempts_exceeded","","",3,null,"retryable",{"type":"Error","message":"connection reset"},[3,0,0,9,0.9226548256906743,{"kind":"failure","effect":"unknown"}],1]]', 'max_attempts_exceeded', 'retryable', '0', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795134637309, NULL, NULL, NULL, NULL, 'fp1:68d2f39d12ce3be5', DEFAULT);
INSERT INTO redrive.finished VALUES (6, 1795134637072, 9, 1795134637347, 21, 20, NULL, 0, 10, 2, 1, 4, 0, 0, 0, 'succeeded', false, '0mwo8tatr000xjf0gllk', 'charge', 'default', '', '{"failures":9}', '[0,[1,1,1795134637227,9.045,0,"failed","retry","retryable_error","worker-1-02ft58o0064b702",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.9502089150420047,{"kind":"failure","effect":"unknown"}],1],[1,2,1795134637281,0.571,4,"failed","retry","retryable_error","","",3,7,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.1574758444178792,{"kind":"failure","effect":"unknown"}],1],[1,3,1795134637303,0.324,7,"failed","give-up","max_attempts_exceeded","","",3,null,"retryable",{"type":"Error","message":"connection reset"},[3,0,0,7,0.9122712419757839,{"kind":"failure","effect":"unknown"}],1],[2,1,1795134637347,0.123,0,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, '{"correlationId":"order-7"}', NULL, NULL, 1795134637357, NULL, NULL, NULL, '{"charged":true}', NULL, DEFAULT);
INSERT INTO redrive.ids VALUES ('0mwo8tara000xjf0gllk', 1, NULL);
INSERT INTO redrive.ids VALUES ('0mwo8tara001xjf0gllk', 2, NULL);
INSERT INTO redrive.ids VALUES ('0mwo8tara002xjf0gllk', 3, NULL);
INSERT INTO redrive.ids VALUES ('0mwo8tasm000xjf0gllk', 4, NULL);
INSERT INTO redrive.ids VALUES ('0mwo8tato000xjf0gllk', 5, NULL);
INSERT INTO redrive.ids VALUES ('0mwo8tatr000xjf0gllk', 6, NULL);
INSERT INTO redrive.ids VALUES ('0mwo8tatv000xjf0gllk', 7, NULL);
INSERT INTO redrive.ids VALUES ('0mwo8tatz000xjf0gllk', 8, NULL);
INSERT INTO redrive.ids VALUES ('0mwo8tau5000xjf0gllk', 9, NULL);
INSERT INTO redrive.ids VALUES ('0mwo8tauf000xjf0gllk', 10, NULL);
INSERT INTO redrive.ids VALUES ('0mwo8tauj000xjf0gllk', 11, NULL);
INSERT INTO redrive.ids VALUES ('0mwo8taup000xjf0gllk', 12, NULL);
INSERT INTO redrive.ids VALUES ('0mwo8tb2p000xjf0gllk', 13, NULL);
INSERT INTO redrive.jobs VALUES (11, 1795134637099, 0, 1795134637099, 9, 0, NULL, 0, 1, 1, 0, 0, 0, 0, 0, 'scheduled', false, '0mwo8tauj000xjf0gllk', 'mail', 'default', '', '{"to":"eve@example.org"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795221037099, NULL, NULL, NULL, NULL, NULL, NULL, NULL, DEFAULT, NULL);
INSERT INTO redrive.jobs VALUES (10, 1795134637095, 2, 1795134637223, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'scheduled', false, '0mwo8tauf000xjf0gllk', 'report', 'default', '', '{"of":"May"}', '[0,[1,1,1795134637227,15.758,0,"rate_limited","retry","rate_limited","worker-1-02ft58o0064b702",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,3835993,"rate_limited",{"type":"verdict:retry_after","message":"The handler asked for a later time"},[1,0,0,0,0.6555357409781053,{"kind":"failure","effect":"none","retryAfterMs":3600000}],1]]', 'rate_limited', 'rate_limited', '0,1,0,0,0,1,3835993,3835993', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795138473260, NULL, NULL, NULL, NULL, NULL, NULL, NULL, DEFAULT, NULL);
INSERT INTO redrive.jobs VALUES (13, 1795134637394, 0, 1795134637394, 23, 0, NULL, 0, 1, 1, 0, 0, 0, 0, 0, 'ready', false, '0mwo8tb2p000xjf0gllk', 'mail', 'slow', '', '{"to":"fay@example.org"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, DEFAULT, NULL);
INSERT INTO redrive.meta VALUES (1, 1, NULL, '2026-11-20 00:30:36.952236+00');
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
CREATE INDEX jobs_batch ON redrive.jobs USING btree (batch) WHERE (batch IS NOT NULL);
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
