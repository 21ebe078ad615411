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
INSERT INTO redrive.audit_anchors VALUES (1, '0001.00000000000000000726.0000000000000001', '0001.00000000000000000748.0000000000000011', 11, 'e98b0b0254cc8f5d7542db11ca43226bb037c4c7b7ca3e54f8dbb2c207794575', '', 'c9e7bcd5c801e61f80a08cd551689d986065250c48f8310fc85a21e74856a9b9', 1795136836920);
INSERT INTO redrive.audit_anchors VALUES (2, '0001.00000000000000000752.0000000000000012', '0001.00000000000000000763.0000000000000021', 9, '4e72cce7eb361a2af3825e1c9204bc4e023ca52ae979ec0a94193dbc3c368b0f', 'c9e7bcd5c801e61f80a08cd551689d986065250c48f8310fc85a21e74856a9b9', 'b7c67fef53c02dbbf6d23fb26fb8b71f208429d5ae737625439de8562e52f44d', 1795136836983);
INSERT INTO redrive.audit_anchors VALUES (3, '0001.00000000000000000767.0000000000000022', '0001.00000000000000000768.0000000000000023', 2, '0bf02d94e6f96cf9e2b393d549bd10188f49c88649aa406c92f8f5ddbd2e5a21', 'b7c67fef53c02dbbf6d23fb26fb8b71f208429d5ae737625439de8562e52f44d', 'ba07c75dc03b7376675e42fac7d79db9c5d168362ef15c4cc848ee06cd677e46', 1795136836991);
INSERT INTO redrive.audit_blocks VALUES (1, 1795136836854, 1, '726', 'writer_1795136836652_1lq0wz31s32m2f1.1', '', '201e3c2adb3ece87828ad0040dbc6fd927cc65150e0532025790240dd83d0157', '[[["0mwoa4g6g000w6qa5jhs","0mwoa4g6h000w6qa5jhs","0mwoa4g6h001w6qa5jhs"],1,"enqueue",null,"ready",1795136836851,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (2, 1795136836871, 1, '729', 'writer_1795136836652_1lq0wz31s32m2f1.2', '', '21c39a2946970d7b6e9203f79901bb0649cccd3d1abcf2c7fa4f9256eb8b84ae', '[[["0mwoa4g6w000w6qa5jhs"],1,"enqueue",null,"ready",1795136836868,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO redrive.audit_blocks VALUES (3, 1795136836873, 1, '731', 'writer_1795136836652_1lq0wz31s32m2f1.2', '21c39a2946970d7b6e9203f79901bb0649cccd3d1abcf2c7fa4f9256eb8b84ae', '967edc9d59005a6253045d6f75dd6c1444661353e675678cf89d59735775ed65', '[[["0mwoa4g7c000w6qa5jhs"],1,"enqueue",null,"ready",1795136836873,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO redrive.audit_blocks VALUES (4, 1795136836874, 1, '733', 'writer_1795136836652_1lq0wz31s32m2f1.1', '201e3c2adb3ece87828ad0040dbc6fd927cc65150e0532025790240dd83d0157', 'd146ef8aa4763f7404dc31c0b2a80fdee8eb55a65d3701e4533cf7260f68d4bd', '[[["0mwoa4g7d000w6qa5jhs"],1,"enqueue",null,"ready",1795136836874,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","correlation":"order-7"}]]');
INSERT INTO redrive.audit_blocks VALUES (5, 1795136836876, 1, '735', 'writer_1795136836652_1lq0wz31s32m2f1.1', 'd146ef8aa4763f7404dc31c0b2a80fdee8eb55a65d3701e4533cf7260f68d4bd', '3581e270fb2db9d6accf4fb412a7dccaa52fc3015c878cc0019296b47358a0a6', '[[["0mwoa4g7f000w6qa5jhs"],1,"enqueue",null,"ready",1795136836875,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (6, 1795136836877, 1, '737', 'writer_1795136836652_1lq0wz31s32m2f1.1', '3581e270fb2db9d6accf4fb412a7dccaa52fc3015c878cc0019296b47358a0a6', 'ebe82e26126091a7103fbc8f2fbda7772b5c9276b55b79174aa075e3a8baba9b', '[[["0mwoa4g7g000w6qa5jhs"],1,"enqueue",null,"ready",1795136836876,0,1,0,0,{"by":"app:worker-1","handler":"import","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (7, 1795136836878, 1, '739', 'writer_1795136836652_1lq0wz31s32m2f1.1', 'ebe82e26126091a7103fbc8f2fbda7772b5c9276b55b79174aa075e3a8baba9b', '9d4dd15cf6883994c2bf4e290f70f8a61911b4c5f7ec21044771e4b0c84cf17d', '[[["0mwoa4g7h000w6qa5jhs"],1,"enqueue",null,"ready",1795136836877,0,1,0,0,{"by":"app:worker-1","handler":"search","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (8, 1795136836879, 1, '741', 'writer_1795136836652_1lq0wz31s32m2f1.1', '9d4dd15cf6883994c2bf4e290f70f8a61911b4c5f7ec21044771e4b0c84cf17d', 'fee9ae019cf3d9506fab96bb7a72a95d70483b5b3643396624ddf2e1d5ab1c64', '[[["0mwoa4g7i000w6qa5jhs"],1,"enqueue",null,"ready",1795136836878,0,1,0,0,{"by":"app:worker-1","handler":"report","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (9, 1795136836880, 1, '743', 'writer_1795136836652_1lq0wz31s32m2f1.1', 'fee9ae019cf3d9506fab96bb7a72a95d70483b5b3643396624ddf2e1d5ab1c64', '9308829f9331b3bcc79a2126ddceb5f9def9f01f33dda6e845b20df641f8564c', '[[["0mwoa4g7j000w6qa5jhs"],1,"enqueue",null,"scheduled",1795136836879,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default","due":{"inMs":86400000}}]]');
INSERT INTO redrive.audit_blocks VALUES (10, 1795136836880, 1, '745', 'writer_1795136836652_1lq0wz31s32m2f1.1', '9308829f9331b3bcc79a2126ddceb5f9def9f01f33dda6e845b20df641f8564c', '314b079dc73250ebf6c025b91c4d473c08c979a7d3a6e7e3fff2ddbaaa6df487', '[[["0mwoa4g7k000w6qa5jhs"],1,"enqueue",null,"ready",1795136836880,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (11, 1795136836884, 1, '748', 'writer_1795136836652_1lq0wz31s32m2f1.2', '967edc9d59005a6253045d6f75dd6c1444661353e675678cf89d59735775ed65', 'e21e8e3718507abb6f38bf0d416bdf4eca3e0f9f3309f5666a18862cf2b6851a', '[["0mwoa4g7k000w6qa5jhs",2,"cancel","ready","cancelled",1795136836883,0,1,0,10,{"by":"app:worker-1","why":"not wanted"}]]');
INSERT INTO redrive.audit_blocks VALUES (12, 1795136836922, 1, '752', 'writer_1795136836652_1lq0wz31s32m2f1.1', '314b079dc73250ebf6c025b91c4d473c08c979a7d3a6e7e3fff2ddbaaa6df487', '6e25614123ad346ce807dfb5e9884950cd46625d06c7b43b41e08b5cdbebeb82', '[[["0mwoa4g6g000w6qa5jhs","0mwoa4g6h000w6qa5jhs","0mwoa4g6h001w6qa5jhs","0mwoa4g7g000w6qa5jhs"],2,"claim","ready","leased",1795136836920,1,1,1,[1,1,1,6],{"by":"worker-1-1lq0wz31s32m2f2","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}],
[["0mwoa4g6w000w6qa5jhs","0mwoa4g7c000w6qa5jhs","0mwoa4g7d000w6qa5jhs","0mwoa4g7f000w6qa5jhs"],2,"claim","ready","leased",1795136836920,1,1,1,[2,3,4,5],{"by":"worker-1-1lq0wz31s32m2f2","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}],
[["0mwoa4g7h000w6qa5jhs","0mwoa4g7i000w6qa5jhs"],2,"claim","ready","leased",1795136836921,1,1,1,[7,8],{"by":"worker-1-1lq0wz31s32m2f2","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}]]');
INSERT INTO redrive.audit_blocks VALUES (13, 1795136836936, 1, '754', 'writer_1795136836652_1lq0wz31s32m2f1.2', 'e21e8e3718507abb6f38bf0d416bdf4eca3e0f9f3309f5666a18862cf2b6851a', '5dce2f68e193888259eed5ac3699e93a2efc9fcfbcaa4b448e4d26168bfc3a74', '[["gate:[\"reports\",\"\",\"\"]",0,"control",null,null,1795136836936,0,0,0,0,{"by":"worker:worker-1-1lq0wz31s32m2f2","act":"close","untilMs":1795140436944,"cut":false}]]');
INSERT INTO redrive.audit_blocks VALUES (14, 1795136836945, 1, '756', 'writer_1795136836652_1lq0wz31s32m2f1.1', '6e25614123ad346ce807dfb5e9884950cd46625d06c7b43b41e08b5cdbebeb82', '0e40b47f48088ceec35d70c765af10a20dec26c11eb161174bf36d9aca7fcfe6', '[[["0mwoa4g7g000w6qa5jhs"],3,"settle","leased","dead",1795136836937,2,1,1,12,{"by":"worker-1-1lq0wz31s32m2f2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:final","message":"unknown format"},"action":"give-up","reason":"final_error","entry":"failed","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"final","effect":"none"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795136836922,3.392,0,1,0,0,0,null,0.10617525693605556]]],
[["0mwoa4g6g000w6qa5jhs","0mwoa4g6h000w6qa5jhs","0mwoa4g6h001w6qa5jhs"],3,"settle","leased","succeeded",1795136836937,2,1,1,12,{"by":"worker-1-1lq0wz31s32m2f2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1}],
[["0mwoa4g7h000w6qa5jhs"],3,"settle","leased","scheduled",1795136836937,2,1,1,12,{"by":"worker-1-1lq0wz31s32m2f2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"The handler asked for a later time"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":0,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":5},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795136836922,8.25,0,6,1,0,0,0,null,0.34644141320763555]]],
[["0mwoa4g6w000w6qa5jhs","0mwoa4g7c000w6qa5jhs","0mwoa4g7d000w6qa5jhs","0mwoa4g7f000w6qa5jhs"],3,"settle","leased","scheduled",1795136836937,2,1,1,12,{"by":"worker-1-1lq0wz31s32m2f2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795136836922,2.357,0,4,1,0,0,0,null,0.03872631405925675],[1,1795136836922,3.07,0,4,1,0,0,0,null,0.03946783768956952],[1,1795136836922,3.195,0,4,1,0,0,0,null,0.2855862685260764],[1,1795136836922,3.258,0,4,1,0,0,0,null,0.30273210139234663]]],
[["0mwoa4g7i000w6qa5jhs"],3,"settle","leased","scheduled",1795136836937,2,1,1,12,{"by":"worker-1-1lq0wz31s32m2f2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"The handler asked for a later time"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":0,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":3600000},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795136836922,8.334,0,3869495,1,0,0,0,null,0.7485947102587845]]],
[["0mwoa4g7h000w6qa5jhs"],4,"claim","ready","leased",1795136836945,3,1,2,14,{"by":"worker-1-1lq0wz31s32m2f2","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}],
[["0mwoa4g6w000w6qa5jhs","0mwoa4g7d000w6qa5jhs","0mwoa4g7c000w6qa5jhs","0mwoa4g7f000w6qa5jhs"],4,"claim","ready","leased",1795136836945,3,1,2,14,{"by":"worker-1-1lq0wz31s32m2f2","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO redrive.audit_blocks VALUES (19, 1795136836972, 1, '761', 'writer_1795136836652_1lq0wz31s32m2f1.2', '5dce2f68e193888259eed5ac3699e93a2efc9fcfbcaa4b448e4d26168bfc3a74', '9e43b5a19d86e2af44f6df79a64fb40375f462962d4ca3c9f48394a25b5eae53', '[["0mwoa4g7d000w6qa5jhs",8,"requeue","dead","ready",1795136836971,7,2,3,18,{"by":"app:worker-1","why":"the bank answers again"}]]');
INSERT INTO redrive.audit_blocks VALUES (22, 1795136836987, 1, '767', 'writer_1795136836652_1lq0wz31s32m2f1.2', '9e43b5a19d86e2af44f6df79a64fb40375f462962d4ca3c9f48394a25b5eae53', '3e78a0354fd4d993af483d847d3d5d6c996dd958922bef90e90d905bad60e616', '[["kill:pause:queue:slow",0,"control",null,null,1795136836987,0,0,0,0,{"by":"ann","why":"maintenance","act":"pause"}]]');
INSERT INTO redrive.audit_blocks VALUES (15, 1795136836950, 1, '757', 'writer_1795136836652_1lq0wz31s32m2f1.1', '0e40b47f48088ceec35d70c765af10a20dec26c11eb161174bf36d9aca7fcfe6', '3a9c24d544da0e8457979fe2f097d4238ec1cc1a2e2c97924934cb202d1f8026', '[[["0mwoa4g7h000w6qa5jhs"],5,"settle","leased","succeeded",1795136836949,4,1,2,14,{"by":"worker-1-1lq0wz31s32m2f2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1}],
[["0mwoa4g6w000w6qa5jhs"],5,"settle","leased","succeeded",1795136836949,4,1,2,14,{"by":"worker-1-1lq0wz31s32m2f2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}],
[["0mwoa4g7d000w6qa5jhs","0mwoa4g7c000w6qa5jhs","0mwoa4g7f000w6qa5jhs"],5,"settle","leased","scheduled",1795136836949,4,1,2,14,{"by":"worker-1-1lq0wz31s32m2f2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[2,1795136836945,0.696,4,8,2,0,0,4,null,0.60426517245924],[2,1795136836945,0.781,4,8,2,0,0,4,null,0.6694371344227279],[2,1795136836945,0.621,4,8,2,0,0,4,null,0.43360371671858655]]]]');
INSERT INTO redrive.audit_blocks VALUES (17, 1795136836959, 1, '758', 'writer_1795136836652_1lq0wz31s32m2f1.1', '3a9c24d544da0e8457979fe2f097d4238ec1cc1a2e2c97924934cb202d1f8026', '1c8989cbc0f43d14f3bc381339bb0bd7ecb6434dbaa55eb3a8848d193b613091', '[[["0mwoa4g7c000w6qa5jhs","0mwoa4g7d000w6qa5jhs","0mwoa4g7f000w6qa5jhs"],6,"claim","ready","leased",1795136836959,5,1,3,15,{"by":"worker-1-1lq0wz31s32m2f2","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO redrive.audit_blocks VALUES (18, 1795136836963, 1, '759', 'writer_1795136836652_1lq0wz31s32m2f1.1', '1c8989cbc0f43d14f3bc381339bb0bd7ecb6434dbaa55eb3a8848d193b613091', '28893edf69c3b8fac8653d0ec56785b764ae64b04ecb849cfe86e78bda2bbf30', '[[["0mwoa4g7d000w6qa5jhs","0mwoa4g7f000w6qa5jhs"],7,"settle","leased","dead",1795136836963,6,1,3,17,{"by":"worker-1-1lq0wz31s32m2f2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"give-up","reason":"max_attempts_exceeded","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[3,1795136836959,0.165,8,16,3,0,0,8,null,0.5393274001691594],[3,1795136836959,1.384,8,16,3,0,0,8,null,0.5956404471572081]]],
[["0mwoa4g7c000w6qa5jhs"],7,"settle","leased","succeeded",1795136836963,6,1,3,17,{"by":"worker-1-1lq0wz31s32m2f2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}]]');
INSERT INTO redrive.audit_blocks VALUES (20, 1795136836974, 1, '762', 'writer_1795136836652_1lq0wz31s32m2f1.1', '28893edf69c3b8fac8653d0ec56785b764ae64b04ecb849cfe86e78bda2bbf30', 'c8caaf759c90d958bfc9039fb1c6d6c249576dcfdfbfd9a388deb005fdef35de', '[[["0mwoa4g7d000w6qa5jhs"],9,"claim","ready","leased",1795136836974,8,2,4,19,{"by":"worker-1-1lq0wz31s32m2f2","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO redrive.audit_blocks VALUES (21, 1795136836977, 1, '763', 'writer_1795136836652_1lq0wz31s32m2f1.1', 'c8caaf759c90d958bfc9039fb1c6d6c249576dcfdfbfd9a388deb005fdef35de', 'd33aecf9241cfe555a79d87e6c0cb5ba0646b24a86f1aae8f6783373757359ff', '[[["0mwoa4g7d000w6qa5jhs"],10,"settle","leased","succeeded",1795136836976,9,2,4,20,{"by":"worker-1-1lq0wz31s32m2f2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}]]');
INSERT INTO redrive.audit_blocks VALUES (23, 1795136836988, 1, '768', 'writer_1795136836652_1lq0wz31s32m2f1.1', 'd33aecf9241cfe555a79d87e6c0cb5ba0646b24a86f1aae8f6783373757359ff', 'f29bb6c72601b83afeebc275d710147de87809f45b7cc67aef0130fb30cd7d66', '[[["0mwoa4gak000w6qa5jhs"],1,"enqueue",null,"ready",1795136836988,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"slow"}]]');
INSERT INTO redrive.control_revision VALUES (2, 2);
INSERT INTO redrive.controls VALUES ('gate', '["reports","",""]', 1, '{"untilMs":1795140436944,"sinceMs":1795136836944,"cut":false,"dependency":"reports","credential":"","tenant":""}');
INSERT INTO redrive.controls VALUES ('kill', 'pause:queue:slow', 2, '{"sinceMs":1795136836986,"mode":"finish","by":"ann","why":"maintenance"}');
INSERT INTO redrive.dead_groups VALUES ('fp1:f7bac0256cf639d7', 'verdict:final: unknown format');
INSERT INTO redrive.dead_groups VALUES ('fp1:68d2f39d12ce3be5', 'Error: connection reset');
INSERT INTO redrive.epochs VALUES (1);
INSERT INTO redrive.finished VALUES (12, 1795136836880, 0, 1795136836880, 11, 10, NULL, 0, 2, 1, 0, 0, 0, 0, 0, 'cancelled', false, '0mwoa4g7k000w6qa5jhs', 'mail', 'default', '', '{"to":"dan@example.org"}', NULL, 'cancelled', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795136836883, NULL, NULL, NULL, NULL, NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (1, 1795136836851, 2, 1795136836920, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwoa4g6g000w6qa5jhs', 'mail', 'default', '', '{"to":"ada@example.org"}', '[0,[1,1,1795136836922,0.908,0,"succeeded","succeed","succeeded","worker-1-1lq0wz31s32m2f2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795136836937, NULL, NULL, NULL, '{"sent":true}', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (2, 1795136836851, 2, 1795136836920, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwoa4g6h000w6qa5jhs', 'mail', 'default', '', '{"to":"bob@example.org"}', '[0,[1,1,1795136836922,2.846,0,"succeeded","succeed","succeeded","worker-1-1lq0wz31s32m2f2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795136836937, NULL, NULL, NULL, '{"sent":true}', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (3, 1795136836851, 2, 1795136836920, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwoa4g6h001w6qa5jhs', 'mail', 'default', '', '{"to":"cy@example.org"}', '[0,[1,1,1795136836922,3.145,0,"succeeded","succeed","succeeded","worker-1-1lq0wz31s32m2f2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795136836937, NULL, NULL, NULL, '{"sent":true}', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (8, 1795136836876, 2, 1795136836920, 14, 12, NULL, 0, 3, 1, 1, 1, 1, 0, 0, 'dead', false, '0mwoa4g7g000w6qa5jhs', 'import', 'default', '', '{"file":"a.csv"}', '[0,[1,1,1795136836922,3.392,0,"failed","give-up","final_error","worker-1-1lq0wz31s32m2f2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,null,"final",{"type":"verdict:final","message":"unknown format"},[1,0,0,0,0.10617525693605556,{"kind":"failure","effect":"none"}],1]]', 'final_error', 'final', '0', NULL, 'files', NULL, NULL, NULL, NULL, NULL, 1795136836937, NULL, NULL, NULL, NULL, 'fp1:f7bac0256cf639d7', DEFAULT);
INSERT INTO redrive.finished VALUES (4, 1795136836868, 4, 1795136836920, 15, 14, NULL, 0, 5, 1, 2, 2, 1, 0, 0, 'succeeded', false, '0mwoa4g6w000w6qa5jhs', 'charge', 'default', 'acme', '{"failures":1}', '[0,[1,1,1795136836922,2.357,0,"failed","retry","retryable_error","worker-1-1lq0wz31s32m2f2",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.03872631405925675,{"kind":"failure","effect":"unknown"}],1],[1,2,1795136836945,0.468,4,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', 'order-1', NULL, NULL, NULL, NULL, NULL, NULL, 1795136836949, NULL, NULL, NULL, '{"charged":true}', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (9, 1795136836877, 4, 1795136836921, 15, 14, NULL, 0, 5, 1, 2, 2, 0, 0, 0, 'succeeded', false, '0mwoa4g7h000w6qa5jhs', 'search', 'default', '', '{"q":"x"}', '[0,[1,1,1795136836922,8.25,0,"rate_limited","retry","rate_limited","worker-1-1lq0wz31s32m2f2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,6,"rate_limited",{"type":"verdict:retry_after","message":"The handler asked for a later time"},[1,0,0,0,0.34644141320763555,{"kind":"failure","effect":"none","retryAfterMs":5}],1],[1,2,1795136836945,0.636,6,"succeeded","succeed","succeeded","","",8]]', 'succeeded', NULL, '1,1,0,0,0,1,6', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795136836949, NULL, NULL, NULL, '"found"', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (5, 1795136836873, 6, 1795136836920, 18, 17, NULL, 0, 7, 1, 3, 3, 2, 0, 0, 'succeeded', false, '0mwoa4g7c000w6qa5jhs', 'charge', 'default', 'acme', '{"failures":2}', '[0,[1,1,1795136836922,3.07,0,"failed","retry","retryable_error","worker-1-1lq0wz31s32m2f2",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.03946783768956952,{"kind":"failure","effect":"unknown"}],1],[1,2,1795136836945,0.781,4,"failed","retry","retryable_error","","",3,8,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.6694371344227279,{"kind":"failure","effect":"unknown"}],1],[1,3,1795136836959,0.095,8,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', 'order-2', NULL, NULL, NULL, NULL, NULL, NULL, 1795136836963, NULL, NULL, NULL, '{"charged":true}', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (7, 1795136836875, 6, 1795136836920, 18, 17, NULL, 0, 7, 1, 3, 3, 3, 0, 2, 'dead', false, '0mwoa4g7f000w6qa5jhs', 'charge', 'default', '', NULL, '[0,[1,1,1795136836922,3.258,0,"failed","retry","retryable_error","worker-1-1lq0wz31s32m2f2",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.30273210139234663,{"kind":"failure","effect":"unknown"}],1],[1,2,1795136836945,0.621,4,"failed","retry","retryable_error","","",3,8,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.43360371671858655,{"kind":"failure","effect":"unknown"}],1],[1,3,1795136836959,1.384,8,"failed","give-up","max_attempts_exceeded","","",3,null,"retryable",{"type":"Error","message":"connection reset"},[3,0,0,8,0.5956404471572081,{"kind":"failure","effect":"unknown"}],1]]', 'max_attempts_exceeded', 'retryable', '0', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795136836963, NULL, NULL, NULL, NULL, 'fp1:68d2f39d12ce3be5', DEFAULT);
INSERT INTO redrive.finished VALUES (6, 1795136836874, 9, 1795136836974, 21, 20, NULL, 0, 10, 2, 1, 4, 0, 0, 0, 'succeeded', false, '0mwoa4g7d000w6qa5jhs', 'charge', 'default', '', '{"failures":9}', '[0,[1,1,1795136836922,3.195,0,"failed","retry","retryable_error","worker-1-1lq0wz31s32m2f2",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.2855862685260764,{"kind":"failure","effect":"unknown"}],1],[1,2,1795136836945,0.696,4,"failed","retry","retryable_error","","",3,8,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.60426517245924,{"kind":"failure","effect":"unknown"}],1],[1,3,1795136836959,0.165,8,"failed","give-up","max_attempts_exceeded","","",3,null,"retryable",{"type":"Error","message":"connection reset"},[3,0,0,8,0.5393274001691594,{"kind":"failure","effect":"unknown"}],1],[2,1,1795136836974,0.044,0,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, '{"correlationId":"order-7"}', NULL, NULL, 1795136836976, NULL, NULL, NULL, '{"charged":true}', NULL, DEFAULT);
INSERT INTO redrive.ids VALUES ('0mwoa4g6g000w6qa5jhs', 1, NULL);
INSERT INTO redrive.ids VALUES ('0mwoa4g6h000w6qa5jhs', 2, NULL);
INSERT INTO redrive.ids VALUES ('0mwoa4g6h001w6qa5jhs', 3, NULL);
INSERT INTO redrive.ids VALUES ('0mwoa4g6w000w6qa5jhs', 4, NULL);
INSERT INTO redrive.ids VALUES ('0mwoa4g7c000w6qa5jhs', 5, NULL);
INSERT INTO redrive.ids VALUES ('0mwoa4g7d000w6qa5jhs', 6, NULL);
INSERT INTO redrive.ids VALUES ('0mwoa4g7f000w6qa5jhs', 7, NULL);
INSERT INTO redrive.ids VALUES ('0mwoa4g7g000w6qa5jhs', 8, NULL);
INSERT INTO redrive.ids VALUES ('0mwoa4g7h000w6qa5jhs', 9, NULL);
INSERT INTO redrive.ids VALUES ('0mwoa4g7i000w6qa5jhs', 10, NULL);
INSERT INTO redrive.ids VALUES ('0mwoa4g7j000w6qa5jhs', 11, NULL);
INSERT INTO redrive.ids VALUES ('0mwoa4g7k000w6qa5jhs', 12, NULL);
INSERT INTO redrive.ids VALUES ('0mwoa4gak000w6qa5jhs', 13, NULL);
INSERT INTO redrive.jobs VALUES (11, 1795136836879, 0, 1795136836879, 9, 0, NULL, 0, 1, 1, 0, 0, 0, 0, 0, 'scheduled', false, '0mwoa4g7j000w6qa5jhs', 'mail', 'default', '', '{"to":"eve@example.org"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795223236879, NULL, NULL, NULL, NULL, NULL, NULL, NULL, DEFAULT, NULL);
INSERT INTO redrive.jobs VALUES (10, 1795136836878, 2, 1795136836921, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'scheduled', false, '0mwoa4g7i000w6qa5jhs', 'report', 'default', '', '{"of":"May"}', '[0,[1,1,1795136836922,8.334,0,"rate_limited","retry","rate_limited","worker-1-1lq0wz31s32m2f2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,3869495,"rate_limited",{"type":"verdict:retry_after","message":"The handler asked for a later time"},[1,0,0,0,0.7485947102587845,{"kind":"failure","effect":"none","retryAfterMs":3600000}],1]]', 'rate_limited', 'rate_limited', '0,1,0,0,0,1,3869495,3869495', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795140706432, NULL, NULL, NULL, NULL, NULL, NULL, NULL, DEFAULT, NULL);
INSERT INTO redrive.jobs VALUES (13, 1795136836988, 0, 1795136836988, 23, 0, NULL, 0, 1, 1, 0, 0, 0, 0, 0, 'ready', false, '0mwoa4gak000w6qa5jhs', 'mail', 'slow', '', '{"to":"fay@example.org"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, DEFAULT, NULL);
INSERT INTO redrive.meta VALUES (1, 1, NULL, '2026-11-20 01:07:16.831075+00');
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
