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
INSERT INTO redrive.audit_anchors VALUES (1, '0001.00000000000000000726.0000000000000001', '0001.00000000000000000746.0000000000000011', 11, '6b3b10e8c6c5154b409c78ad2f85dff7e60086143bd864276790e65eb56f8128', '', '7854ef4aff801d88c2735be607cfacd66982eaf36c81320943d0453afaf1434c', 1795124881176);
INSERT INTO redrive.audit_anchors VALUES (2, '0001.00000000000000000751.0000000000000012', '0001.00000000000000000762.0000000000000021', 9, 'a6213a58d39cd4f03bf2b71090bb2074fa478d2ef1c7d86fe10cd89a2d77622a', '7854ef4aff801d88c2735be607cfacd66982eaf36c81320943d0453afaf1434c', '3de4fff7f9dc7dc05166f4124a9aae8c8526e4b93902eff3015b4b4010a33f9e', 1795124881338);
INSERT INTO redrive.audit_anchors VALUES (3, '0001.00000000000000000766.0000000000000022', '0001.00000000000000000767.0000000000000023', 2, '2f0962f502d89803405148c18300744ddb87bb267830e6ed252dbaa49fa3d675', '3de4fff7f9dc7dc05166f4124a9aae8c8526e4b93902eff3015b4b4010a33f9e', '9a64b15971a56e8b3c973214c206989dac0ce056e87e0940d4c7ec0c75e12cb3', 1795124881349);
INSERT INTO redrive.audit_blocks VALUES (1, 1795124881076, 1, '726', 'writer_1795124880807_1smvub71knf7011.1', '', '4be65fe402171775df1591bb9d9332fd896d28378082ba4afea253a9b1a33985', '[[["0mwo3071f000iy5p9ky9","0mwo3071f001iy5p9ky9","0mwo3071f002iy5p9ky9"],1,"enqueue",null,"ready",1795124881072,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (2, 1795124881093, 1, '728', 'writer_1795124880807_1smvub71knf7011.2', '', '866b494375291046fcac14a6d1658f28a0685a351b81b5e4d7ca5a2746f63060', '[[["0mwo3071z000iy5p9ky9"],1,"enqueue",null,"ready",1795124881090,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO redrive.audit_blocks VALUES (3, 1795124881098, 1, '730', 'writer_1795124880807_1smvub71knf7011.2', '866b494375291046fcac14a6d1658f28a0685a351b81b5e4d7ca5a2746f63060', '3a487909a728d42f3d84ccf9811142776e131e41cff980a78172e2f709f84c38', '[[["0mwo3072h000iy5p9ky9"],1,"enqueue",null,"ready",1795124881098,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO redrive.audit_blocks VALUES (4, 1795124881101, 1, '732', 'writer_1795124880807_1smvub71knf7011.1', '4be65fe402171775df1591bb9d9332fd896d28378082ba4afea253a9b1a33985', 'ab276480516d3ce167ccc9c5b0f57a2a4dcdf631c91b3eee0d4760ef9f596ced', '[[["0mwo3072k000iy5p9ky9"],1,"enqueue",null,"ready",1795124881101,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","correlation":"order-7"}]]');
INSERT INTO redrive.audit_blocks VALUES (5, 1795124881103, 1, '734', 'writer_1795124880807_1smvub71knf7011.1', 'ab276480516d3ce167ccc9c5b0f57a2a4dcdf631c91b3eee0d4760ef9f596ced', '52a6d4faa3528843fd7834eb4daed20dc900b765be30351e2d0d2435e08a3035', '[[["0mwo3072m000iy5p9ky9"],1,"enqueue",null,"ready",1795124881103,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (6, 1795124881105, 1, '736', 'writer_1795124880807_1smvub71knf7011.1', '52a6d4faa3528843fd7834eb4daed20dc900b765be30351e2d0d2435e08a3035', '7ec6a2303f2ce938539a72ffef929e590d4aeb917173e0de292f795137d8c934', '[[["0mwo3072o000iy5p9ky9"],1,"enqueue",null,"ready",1795124881105,0,1,0,0,{"by":"app:worker-1","handler":"import","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (7, 1795124881109, 1, '738', 'writer_1795124880807_1smvub71knf7011.1', '7ec6a2303f2ce938539a72ffef929e590d4aeb917173e0de292f795137d8c934', '3ec114d03c68f379079b75838cf7208a0c047a7bd88d2aa69c074b292bdee86a', '[[["0mwo3072r000iy5p9ky9"],1,"enqueue",null,"ready",1795124881109,0,1,0,0,{"by":"app:worker-1","handler":"search","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (8, 1795124881111, 1, '740', 'writer_1795124880807_1smvub71knf7011.1', '3ec114d03c68f379079b75838cf7208a0c047a7bd88d2aa69c074b292bdee86a', 'dabb2661cc29fcb661513f00d2c4f6d69c83ef0c9b5328cd05f2a0671185c0f4', '[[["0mwo3072u000iy5p9ky9"],1,"enqueue",null,"ready",1795124881111,0,1,0,0,{"by":"app:worker-1","handler":"report","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (9, 1795124881113, 1, '742', 'writer_1795124880807_1smvub71knf7011.1', 'dabb2661cc29fcb661513f00d2c4f6d69c83ef0c9b5328cd05f2a0671185c0f4', '171130c273379dd9b129ded38b343271e55cdbaab24013230a8a2c4fe8d7aacb', '[[["0mwo3072v000iy5p9ky9"],1,"enqueue",null,"scheduled",1795124881113,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default","due":{"inMs":86400000}}]]');
INSERT INTO redrive.audit_blocks VALUES (10, 1795124881116, 1, '744', 'writer_1795124880807_1smvub71knf7011.1', '171130c273379dd9b129ded38b343271e55cdbaab24013230a8a2c4fe8d7aacb', '6391c707c83544edd97a35f07499cfaee43461332287ba7da1618a93d67ceaee', '[[["0mwo30730000iy5p9ky9"],1,"enqueue",null,"ready",1795124881116,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (11, 1795124881123, 1, '746', 'writer_1795124880807_1smvub71knf7011.2', '3a487909a728d42f3d84ccf9811142776e131e41cff980a78172e2f709f84c38', '989fcb2121529fdeabb11a69b59f40d154d795329c6c4e0d2fc872d4f98f9c28', '[["0mwo30730000iy5p9ky9",2,"cancel","ready","cancelled",1795124881121,0,1,0,10,{"by":"app:worker-1","why":"not wanted"}]]');
INSERT INTO redrive.audit_blocks VALUES (12, 1795124881248, 1, '751', 'writer_1795124880807_1smvub71knf7011.1', '6391c707c83544edd97a35f07499cfaee43461332287ba7da1618a93d67ceaee', 'aa7336199197003aee7dd4f4405f97b0d3a8c52b348b8b3548de798d0ade59f7', '[[["0mwo3071f000iy5p9ky9","0mwo3071f001iy5p9ky9","0mwo3071f002iy5p9ky9","0mwo3072o000iy5p9ky9"],2,"claim","ready","leased",1795124881245,1,1,1,[1,1,1,6],{"by":"worker-1-1smvub71knf7012","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}],
[["0mwo3071z000iy5p9ky9","0mwo3072h000iy5p9ky9","0mwo3072k000iy5p9ky9","0mwo3072m000iy5p9ky9"],2,"claim","ready","leased",1795124881245,1,1,1,[2,3,4,5],{"by":"worker-1-1smvub71knf7012","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}],
[["0mwo3072r000iy5p9ky9","0mwo3072u000iy5p9ky9"],2,"claim","ready","leased",1795124881247,1,1,1,[7,8],{"by":"worker-1-1smvub71knf7012","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}]]');
INSERT INTO redrive.audit_blocks VALUES (13, 1795124881269, 1, '753', 'writer_1795124880807_1smvub71knf7011.2', '989fcb2121529fdeabb11a69b59f40d154d795329c6c4e0d2fc872d4f98f9c28', '6333cf105e02e0acc39785312e8478efea530f788564d60c7b1678fa6bc8f755', '[["gate:[\"reports\",\"\",\"\"]",0,"control",null,null,1795124881269,0,0,0,0,{"by":"worker:worker-1-1smvub71knf7012","act":"close","untilMs":1795128481277,"cut":false}]]');
INSERT INTO redrive.audit_blocks VALUES (14, 1795124881281, 1, '754', 'writer_1795124880807_1smvub71knf7011.1', 'aa7336199197003aee7dd4f4405f97b0d3a8c52b348b8b3548de798d0ade59f7', '0d1e4fbe50d2f57dd67723777225472bb011a653d298afab85ee53c2b79d3995', '[[["0mwo3071f000iy5p9ky9","0mwo3071f001iy5p9ky9","0mwo3071f002iy5p9ky9"],3,"settle","leased","succeeded",1795124881271,2,1,1,12,{"by":"worker-1-1smvub71knf7012","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1}],
[["0mwo3072o000iy5p9ky9"],3,"settle","leased","dead",1795124881271,2,1,1,12,{"by":"worker-1-1smvub71knf7012","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:final","message":"unknown format"},"action":"give-up","reason":"final_error","entry":"failed","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"final","effect":"none"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795124881248,8.388,0,1,0,0,0,null,0.7031504058443591]]],
[["0mwo3072r000iy5p9ky9"],3,"settle","leased","scheduled",1795124881271,2,1,1,12,{"by":"worker-1-1smvub71knf7012","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"The handler asked for a later time"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":0,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":5},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795124881248,9.194,0,6,1,0,0,0,null,0.5769167667904598]]],
[["0mwo3072u000iy5p9ky9"],3,"settle","leased","scheduled",1795124881271,2,1,1,12,{"by":"worker-1-1smvub71knf7012","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"The handler asked for a later time"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":0,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":3600000},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795124881249,9.264,0,3651053,1,0,0,0,null,0.1418123762686262]]],
[["0mwo3071z000iy5p9ky9","0mwo3072h000iy5p9ky9","0mwo3072k000iy5p9ky9","0mwo3072m000iy5p9ky9"],3,"settle","leased","scheduled",1795124881271,2,1,1,12,{"by":"worker-1-1smvub71knf7012","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795124881248,5.759,0,4,1,0,0,0,null,0.39403365610311214],[1,1795124881248,8.015,0,4,1,0,0,0,null,0.8119653285736518],[1,1795124881248,8.181,0,4,1,0,0,0,null,0.05816315455798993],[1,1795124881248,8.244,0,4,1,0,0,0,null,0.619727845410591]]],
[["0mwo3072r000iy5p9ky9"],4,"claim","ready","leased",1795124881281,3,1,2,14,{"by":"worker-1-1smvub71knf7012","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}],
[["0mwo3071z000iy5p9ky9","0mwo3072k000iy5p9ky9","0mwo3072h000iy5p9ky9","0mwo3072m000iy5p9ky9"],4,"claim","ready","leased",1795124881281,3,1,2,14,{"by":"worker-1-1smvub71knf7012","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO redrive.audit_blocks VALUES (19, 1795124881324, 1, '760', 'writer_1795124880807_1smvub71knf7011.2', '6333cf105e02e0acc39785312e8478efea530f788564d60c7b1678fa6bc8f755', 'ff5d60ad1f6f8c70edf948fa4db3935de01955ebb6256e54a217e667d84b209e', '[["0mwo3072k000iy5p9ky9",8,"requeue","dead","ready",1795124881322,7,2,3,18,{"by":"app:worker-1","why":"the bank answers again"}]]');
INSERT INTO redrive.audit_blocks VALUES (22, 1795124881343, 1, '766', 'writer_1795124880807_1smvub71knf7011.2', 'ff5d60ad1f6f8c70edf948fa4db3935de01955ebb6256e54a217e667d84b209e', 'c66b5700f498997c26bf506c26991e97728ace2e33507fbabc041b1c6eca41bf', '[["kill:pause:queue:slow",0,"control",null,null,1795124881343,0,0,0,0,{"by":"ann","why":"maintenance","act":"pause"}]]');
INSERT INTO redrive.audit_blocks VALUES (15, 1795124881292, 1, '756', 'writer_1795124880807_1smvub71knf7011.1', '0d1e4fbe50d2f57dd67723777225472bb011a653d298afab85ee53c2b79d3995', 'f22a72125f0c5d045a69d9452c1511e20bcfb3aef0b5e24a0d16547e4cde2290', '[[["0mwo3071z000iy5p9ky9"],5,"settle","leased","succeeded",1795124881291,4,1,2,14,{"by":"worker-1-1smvub71knf7012","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}],
[["0mwo3072r000iy5p9ky9"],5,"settle","leased","succeeded",1795124881291,4,1,2,14,{"by":"worker-1-1smvub71knf7012","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1}],
[["0mwo3072k000iy5p9ky9","0mwo3072h000iy5p9ky9","0mwo3072m000iy5p9ky9"],5,"settle","leased","scheduled",1795124881291,4,1,2,14,{"by":"worker-1-1smvub71knf7012","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[2,1795124881283,0.385,4,8,2,0,0,4,null,0.38515314017745805],[2,1795124881283,0.569,4,8,2,0,0,4,null,0.4050497794699852],[2,1795124881283,0.791,4,8,2,0,0,4,null,0.7949247647586254]]]]');
INSERT INTO redrive.audit_blocks VALUES (17, 1795124881301, 1, '757', 'writer_1795124880807_1smvub71knf7011.1', 'f22a72125f0c5d045a69d9452c1511e20bcfb3aef0b5e24a0d16547e4cde2290', '7389958d6970c01befd63651bfd480f2c481ce947ac93db84b75ae3e25ecfe01', '[[["0mwo3072h000iy5p9ky9","0mwo3072k000iy5p9ky9","0mwo3072m000iy5p9ky9"],6,"claim","ready","leased",1795124881301,5,1,3,15,{"by":"worker-1-1smvub71knf7012","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO redrive.audit_blocks VALUES (18, 1795124881312, 1, '759', 'writer_1795124880807_1smvub71knf7011.1', '7389958d6970c01befd63651bfd480f2c481ce947ac93db84b75ae3e25ecfe01', '12eed1a833e100ed1cd4f0361dbeaa57d6877a5d9e3c2169cde771f3a2fedb13', '[[["0mwo3072k000iy5p9ky9","0mwo3072m000iy5p9ky9"],7,"settle","leased","dead",1795124881311,6,1,3,17,{"by":"worker-1-1smvub71knf7012","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"give-up","reason":"max_attempts_exceeded","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[3,1795124881301,0.183,8,16,3,0,0,8,null,0.5135220884758037],[3,1795124881301,0.984,8,17,3,0,0,8,null,0.7408141854710745]]],
[["0mwo3072h000iy5p9ky9"],7,"settle","leased","succeeded",1795124881311,6,1,3,17,{"by":"worker-1-1smvub71knf7012","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}]]');
INSERT INTO redrive.audit_blocks VALUES (20, 1795124881326, 1, '761', 'writer_1795124880807_1smvub71knf7011.1', '12eed1a833e100ed1cd4f0361dbeaa57d6877a5d9e3c2169cde771f3a2fedb13', 'a2294c2ce82d7f0f448ef79c9645ff4b7e02e5bc1db1eceb3107f27b76dada0c', '[[["0mwo3072k000iy5p9ky9"],9,"claim","ready","leased",1795124881326,8,2,4,19,{"by":"worker-1-1smvub71knf7012","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO redrive.audit_blocks VALUES (21, 1795124881330, 1, '762', 'writer_1795124880807_1smvub71knf7011.1', 'a2294c2ce82d7f0f448ef79c9645ff4b7e02e5bc1db1eceb3107f27b76dada0c', 'f0d7dd71e24a83efe365dfe31b18d91bb1d4b3fcb5037d8fce569542289b0318', '[[["0mwo3072k000iy5p9ky9"],10,"settle","leased","succeeded",1795124881329,9,2,4,20,{"by":"worker-1-1smvub71knf7012","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}]]');
INSERT INTO redrive.audit_blocks VALUES (23, 1795124881345, 1, '767', 'writer_1795124880807_1smvub71knf7011.1', 'f0d7dd71e24a83efe365dfe31b18d91bb1d4b3fcb5037d8fce569542289b0318', '6db3c594e3694f3fccf629e5dd33a7d584cf37f56cf92803d1209d42c1f13aff', '[[["0mwo3079c000iy5p9ky9"],1,"enqueue",null,"ready",1795124881345,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"slow"}]]');
INSERT INTO redrive.control_revision VALUES (2, 2);
INSERT INTO redrive.controls VALUES ('gate', '["reports","",""]', 1, '{"untilMs":1795128481277,"sinceMs":1795124881277,"cut":false,"dependency":"reports","credential":"","tenant":""}');
INSERT INTO redrive.controls VALUES ('kill', 'pause:queue:slow', 2, '{"sinceMs":1795124881341,"mode":"finish","by":"ann","why":"maintenance"}');
INSERT INTO redrive.dead_groups VALUES ('fp1:f7bac0256cf639d7', 'verdict:final: unknown format');
INSERT INTO redrive.dead_groups VALUES ('fp1:68d2f39d12ce3be5', 'Error: connection reset');
INSERT INTO redrive.epochs VALUES (1);
INSERT INTO redrive.finished VALUES (12, 1795124881116, 0, 1795124881116, 11, 10, NULL, 0, 2, 1, 0, 0, 0, 0, 0, 'cancelled', false, '0mwo30730000iy5p9ky9', 'mail', 'default', '', '{"to":"dan@example.org"}', NULL, 'cancelled', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795124881121, NULL, NULL, NULL, NULL, NULL);
INSERT INTO redrive.finished VALUES (1, 1795124881072, 2, 1795124881245, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwo3071f000iy5p9ky9', 'mail', 'default', '', '{"to":"ada@example.org"}', '[0,[1,1,1795124881247,2.009,0,"succeeded","succeed","succeeded","worker-1-1smvub71knf7012",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795124881271, NULL, NULL, NULL, '{"sent":true}', NULL);
INSERT INTO redrive.finished VALUES (2, 1795124881072, 2, 1795124881245, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwo3071f001iy5p9ky9', 'mail', 'default', '', '{"to":"bob@example.org"}', '[0,[1,1,1795124881248,7.682,0,"succeeded","succeed","succeeded","worker-1-1smvub71knf7012",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795124881271, NULL, NULL, NULL, '{"sent":true}', NULL);
INSERT INTO redrive.finished VALUES (3, 1795124881072, 2, 1795124881245, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwo3071f002iy5p9ky9', 'mail', 'default', '', '{"to":"cy@example.org"}', '[0,[1,1,1795124881248,8.127,0,"succeeded","succeed","succeeded","worker-1-1smvub71knf7012",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795124881271, NULL, NULL, NULL, '{"sent":true}', NULL);
INSERT INTO redrive.finished VALUES (8, 1795124881105, 2, 1795124881245, 14, 12, NULL, 0, 3, 1, 1, 1, 1, 0, 0, 'dead', false, '0mwo3072o000iy5p9ky9', 'import', 'default', '', '{"file":"a.csv"}', '[0,[1,1,1795124881248,8.388,0,"failed","give-up","final_error","worker-1-1smvub71knf7012",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,null,"final",{"type":"verdict:final","message":"unknown format"},[1,0,0,0,0.7031504058443591,{"kind":"failure","effect":"none"}],1]]', 'final_error', 'final', '0', NULL, 'files', NULL, NULL, NULL, NULL, NULL, 1795124881271, NULL, NULL, NULL, NULL, 'fp1:f7bac0256cf639d7');
INSERT INTO redrive.finished VALUES (4, 1795124881090, 4, 1795124881245, 15, 14, NULL, 0, 5, 1, 2, 2, 1, 0, 0, 'succeeded', false, '0mwo3071z000iy5p9ky9', 'charge', 'default', 'acme', '{"failures":1}', '[0,[1,1,1795124881248,5.759,0,"failed","retry","retryable_error","worker-1-1smvub71knf7012",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.39403365610311214,{"kind":"failure","effect":"unknown"}],1],[1,2,1795124881283,0.178,4,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', 'order-1', NULL, NULL, NULL, NULL, NULL, NULL, 1795124881291, NULL, NULL, NULL, '{"charged":true}', NULL);
INSERT INTO redrive.finished VALUES (9, 1795124881109, 4, 1795124881247, 15, 14, NULL, 0, 5, 1, 2, 2, 0, 0, 0, 'succeeded', false, '0mwo3072r000iy5p9ky9', 'search', 'default', '', '{"q":"x"}', '[0,[1,1,1795124881248,9.194,0,"rate_limited","retry","rate_limited","worker-1-1smvub71knf7012",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,6,"rate_limited",{"type":"verdict:retry_after","message":"The handler asked for a later time"},[1,0,0,0,0.5769167667904598,{"kind":"failure","effect":"none","retryAfterMs":5}],1],[1,2,1795124881283,0.848,6,"succeeded","succeed","succeeded","","",8]]', 'succeeded', NULL, '1,1,0,0,0,1,6', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795124881291, NULL, NULL, NULL, '"found"', NULL);
INSERT INTO redrive.finished VALUES (5, 1795124881098, 6, 1795124881245, 18, 17, NULL, 0, 7, 1, 3, 3, 2, 0, 0, 'succeeded', false, '0mwo3072h000iy5p9ky9', 'charge', 'default', 'acme', '{"failures":2}', '[0,[1,1,1795124881248,8.015,0,"failed","retry","retryable_error","worker-1-1smvub71knf7012",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.8119653285736518,{"kind":"failure","effect":"unknown"}],1],[1,2,1795124881283,0.569,4,"failed","retry","retryable_error","","",3,8,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.4050497794699852,{"kind":"failure","effect":"unknown"}],1],[1,3,1795124881301,0.12,8,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', 'order-2', NULL, NULL, NULL, NULL, NULL, NULL, 1795124881311, NULL, NULL, NULL, '{"charged":true}', NULL);
INSERT INTO redrive.finished VALUES (7, 1795124881103, 6, 1795124881245, 18, 17, NULL, 0, 7, 1, 3, 3, 3, 0, 2, 'dead', false, '0mwo3072m000iy5p9ky9', 'charge', 'default', '', NULL, '[0,[1,1,1795124881248,8.244,0,"failed","retry","retryable_error","worker-1-1smvub71knf7012",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.619727845410591,{"kind":"failure","effect":"unknown"}],1],[1,2,1795124881283,0.791,4,"failed","retry","retryable_error","","",3,8,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.7949247647586254,{"kind":"failure","effect":"unknown"}],1],[1,3,1795124881301,0.984,8,"failed","give-up","max_attempts_exceeded","","",3,null,"retryable",{"type":"Error","message":"connection reset"},[3,0,0,8,0.7408141854710745,{"kind":"failure","effect":"unknown"}],1]]', 'max_attempts_exceeded', 'retryable', '0', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795124881311, NULL, NULL, NULL, NULL, 'fp1:68d2f39d12ce3be5');
INSERT INTO redrive.finished VALUES (6, 1795124881101, 9, 1795124881326, 21, 20, NULL, 0, 10, 2, 1, 4, 0, 0, 0, 'succeeded', false, '0mwo3072k000iy5p9ky9', 'charge', 'default', '', '{"failures":9}', '[0,[1,1,1795124881248,8.181,0,"failed","retry","retryable_error","worker-1-1smvub71knf7012",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.05816315455798993,{"kind":"failure","effect":"unknown"}],1],[1,2,1795124881283,0.385,4,"failed","retry","retryable_error","","",3,8,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.38515314017745805,{"kind":"failure","effect":"unknown"}],1],[1,3,1795124881301,0.183,8,"failed","give-up","max_attempts_exceeded","","",3,null,"retryable",{"type":"Error","message":"connection reset"},[3,0,0,8,0.5135220884758037,{"kind":"failure","effect":"unknown"}],1],[2,1,1795124881326,0.056,0,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, '{"correlationId":"order-7"}', NULL, NULL, 1795124881329, NULL, NULL, NULL, '{"charged":true}', NULL);
INSERT INTO redrive.ids VALUES ('0mwo3071f000iy5p9ky9', 1, NULL);
INSERT INTO redrive.ids VALUES ('0mwo3071f001iy5p9ky9', 2, NULL);
INSERT INTO redrive.ids VALUES ('0mwo3071f002iy5p9ky9', 3, NULL);
INSERT INTO redrive.ids VALUES ('0mwo3071z000iy5p9ky9', 4, NULL);
INSERT INTO redrive.ids VALUES ('0mwo3072h000iy5p9ky9', 5, NULL);
INSERT INTO redrive.ids VALUES ('0mwo3072k000iy5p9ky9', 6, NULL);
INSERT INTO redrive.ids VALUES ('0mwo3072m000iy5p9ky9', 7, NULL);
INSERT INTO redrive.ids VALUES ('0mwo3072o000iy5p9ky9', 8, NULL);
INSERT INTO redrive.ids VALUES ('0mwo3072r000iy5p9ky9', 9, NULL);
INSERT INTO redrive.ids VALUES ('0mwo3072u000iy5p9ky9', 10, NULL);
INSERT INTO redrive.ids VALUES ('0mwo3072v000iy5p9ky9', 11, NULL);
INSERT INTO redrive.ids VALUES ('0mwo30730000iy5p9ky9', 12, NULL);
INSERT INTO redrive.ids VALUES ('0mwo3079c000iy5p9ky9', 13, NULL);
INSERT INTO redrive.jobs VALUES (11, 1795124881113, 0, 1795124881113, 9, 0, NULL, 0, 1, 1, 0, 0, 0, 0, 0, 'scheduled', false, '0mwo3072v000iy5p9ky9', 'mail', 'default', '', '{"to":"eve@example.org"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795211281113, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO redrive.jobs VALUES (10, 1795124881111, 2, 1795124881247, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'scheduled', false, '0mwo3072u000iy5p9ky9', 'report', 'default', '', '{"of":"May"}', '[0,[1,1,1795124881249,9.264,0,"rate_limited","retry","rate_limited","worker-1-1smvub71knf7012",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,3651053,"rate_limited",{"type":"verdict:retry_after","message":"The handler asked for a later time"},[1,0,0,0,0.1418123762686262,{"kind":"failure","effect":"none","retryAfterMs":3600000}],1]]', 'rate_limited', 'rate_limited', '0,1,0,0,0,1,3651053,3651053', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795128532324, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO redrive.jobs VALUES (13, 1795124881345, 0, 1795124881345, 23, 0, NULL, 0, 1, 1, 0, 0, 0, 0, 0, 'ready', false, '0mwo3079c000iy5p9ky9', 'mail', 'slow', '', '{"to":"fay@example.org"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO redrive.meta VALUES (1, 1, NULL, '2026-11-19 21:48:01.047574+00');
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
ALTER TABLE ONLY redrive.workers
    ADD CONSTRAINT workers_pkey PRIMARY KEY (name);
CREATE INDEX audit_blocks_position ON redrive.audit_blocks USING btree (epoch, xid, seq);
CREATE INDEX audit_packs_numbers ON redrive.audit_packs USING btree (min_seq, max_seq);
CREATE INDEX audit_packs_to ON redrive.audit_packs USING btree (to_position);
CREATE INDEX event_documents_seq ON redrive.event_documents USING btree (seq);
CREATE INDEX finished_dead ON redrive.finished USING btree (finished_at, id) INCLUDE (fingerprint) WHERE ((state = 'dead'::redrive.job_state) AND (seq > 0));
CREATE INDEX finished_dead_handler ON redrive.finished USING btree (handler, finished_at, id) INCLUDE (fingerprint) WHERE ((state = 'dead'::redrive.job_state) AND (revision > 0));
CREATE INDEX finished_dead_tenant ON redrive.finished USING btree (tenant, finished_at, id) INCLUDE (fingerprint) WHERE ((state = 'dead'::redrive.job_state) AND (tenant <> ''::text));
CREATE INDEX finished_fingerprint ON redrive.finished USING btree (fingerprint, state, finished_at, id) WHERE (fingerprint IS NOT NULL);
CREATE INDEX finished_purged ON redrive.finished USING btree (purged_at) WHERE (state = 'purged'::redrive.job_state);
CREATE INDEX finished_state ON redrive.finished USING btree (state, finished_at) WHERE (state <> 'dead'::redrive.job_state);
CREATE INDEX ids_session ON redrive.ids USING btree (session_id) WHERE (session_id IS NOT NULL);
CREATE INDEX jobs_deadline ON redrive.jobs USING btree (deadline) WHERE ((deadline IS NOT NULL) AND (lease_since IS NULL));
CREATE INDEX jobs_due ON redrive.jobs USING btree (state, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX jobs_leased ON redrive.jobs USING btree (lease_until) WHERE (state = 'leased'::redrive.job_state);
CREATE INDEX jobs_limit_key ON redrive.jobs USING btree (state, handler, limit_key, priority DESC, tenant, submitted_at, id) WHERE (limit_key IS NOT NULL);
CREATE INDEX jobs_parked ON redrive.jobs USING btree (cause, priority DESC, due_at, id) WHERE (state = 'parked'::redrive.job_state);
CREATE INDEX jobs_ready ON redrive.jobs USING btree (handler, queue, priority DESC, tenant, submitted_at, id) WHERE (state = 'ready'::redrive.job_state);
CREATE UNIQUE INDEX jobs_unique_key ON redrive.jobs USING btree (unique_key) WHERE (unique_key IS NOT NULL);
CREATE INDEX ledger_until ON redrive.ledger USING btree (until) WHERE (until IS NOT NULL);
