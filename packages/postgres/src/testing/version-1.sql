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
INSERT INTO redrive.audit_anchors VALUES (1, '0001.00000000000000000726.0000000000000001', '0001.00000000000000000751.0000000000000011', 11, '5a7caaa57d85e80748b49e2f772e7f1ce334485f49b172d114785d556967957a', '', '890f6145b4c27df409ff1d2cbf802f79a85c9dd9917cd38a1ee56fbe5328127a', 1795113126135);
INSERT INTO redrive.audit_anchors VALUES (2, '0001.00000000000000000756.0000000000000012', '0001.00000000000000000770.0000000000000021', 9, 'f8cc39d581c733d87dd3a0c12810442644ab2a7e4998ccf47b51e42dc93b1a4d', '890f6145b4c27df409ff1d2cbf802f79a85c9dd9917cd38a1ee56fbe5328127a', 'dc40d6786734366537709bf6817bddb0a28f4aefee8dcbf0e4b025fd7cb72b62', 1795113126453);
INSERT INTO redrive.audit_anchors VALUES (3, '0001.00000000000000000774.0000000000000022', '0001.00000000000000000775.0000000000000023', 2, '5eafeceb8a38fae719f36b2589616854b9ed5215c50a020f6f280d561da940e1', 'dc40d6786734366537709bf6817bddb0a28f4aefee8dcbf0e4b025fd7cb72b62', 'ea70761eba7cf57916da03dd8fdd37fa2fcd67569782ffb8af420ab6e88cbe98', 1795113126542);
INSERT INTO redrive.audit_blocks VALUES (1, 1795113125722, 1, '726', 'writer_1795113124480_0npmld617uzro11.1', '', 'a0ab42df4cb96abeb0764c41492d99458762444f8aa706c2d949d170721cc48a', '[[["0mwnw08hq0004f8pi45d","0mwnw08hq0014f8pi45d","0mwnw08hq0024f8pi45d"],1,"enqueue",null,"ready",1795113125696,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (2, 1795113125809, 1, '728', 'writer_1795113124480_0npmld617uzro11.2', '', '02d39b5f42e321ecb97166fe15eeabbeaa0d5998e1e7e5dad444509d2e106e91', '[[["0mwnw08l10004f8pi45d"],1,"enqueue",null,"ready",1795113125802,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO redrive.audit_blocks VALUES (3, 1795113125838, 1, '731', 'writer_1795113124480_0npmld617uzro11.2', '02d39b5f42e321ecb97166fe15eeabbeaa0d5998e1e7e5dad444509d2e106e91', 'da86cc4611ffccb9daf42194509003c2e809aada5e534061607bf5da2a47f69e', '[[["0mwnw08nh0004f8pi45d"],1,"enqueue",null,"ready",1795113125838,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO redrive.audit_blocks VALUES (4, 1795113125858, 1, '734', 'writer_1795113124480_0npmld617uzro11.1', 'a0ab42df4cb96abeb0764c41492d99458762444f8aa706c2d949d170721cc48a', '4ef2d3e85fa89480d4072cfbdeb0b359816b9fa0fc41abe6979219bb51bfc61d', '[[["0mwnw08nx0004f8pi45d"],1,"enqueue",null,"ready",1795113125858,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","correlation":"order-7"}]]');
INSERT INTO redrive.audit_blocks VALUES (5, 1795113125872, 1, '737', 'writer_1795113124480_0npmld617uzro11.1', '4ef2d3e85fa89480d4072cfbdeb0b359816b9fa0fc41abe6979219bb51bfc61d', 'f2c3c4e3b993a211eb331e8536aa7f78199e9db3ec8f7f87a0bfe004234f8996', '[[["0mwnw08of0004f8pi45d"],1,"enqueue",null,"ready",1795113125872,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (6, 1795113125884, 1, '739', 'writer_1795113124480_0npmld617uzro11.1', 'f2c3c4e3b993a211eb331e8536aa7f78199e9db3ec8f7f87a0bfe004234f8996', 'c2801c8d7e3656539b91af2839a18976c1092233839c1a461b399d5d61cb1d21', '[[["0mwnw08os0004f8pi45d"],1,"enqueue",null,"ready",1795113125884,0,1,0,0,{"by":"app:worker-1","handler":"import","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (7, 1795113125893, 1, '742', 'writer_1795113124480_0npmld617uzro11.1', 'c2801c8d7e3656539b91af2839a18976c1092233839c1a461b399d5d61cb1d21', '91013e22fd0c24179050d85af72fa950446aae61b4a28e1af9898b78f72615ab', '[[["0mwnw08oy0004f8pi45d"],1,"enqueue",null,"ready",1795113125892,0,1,0,0,{"by":"app:worker-1","handler":"search","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (8, 1795113125898, 1, '744', 'writer_1795113124480_0npmld617uzro11.1', '91013e22fd0c24179050d85af72fa950446aae61b4a28e1af9898b78f72615ab', '697499ba63a7b7a688af31c4baf96159289a8c56f2e89d35dde11c77fa413421', '[[["0mwnw08p60004f8pi45d"],1,"enqueue",null,"ready",1795113125898,0,1,0,0,{"by":"app:worker-1","handler":"report","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (9, 1795113125922, 1, '747', 'writer_1795113124480_0npmld617uzro11.1', '697499ba63a7b7a688af31c4baf96159289a8c56f2e89d35dde11c77fa413421', 'e18a7c13d32a285fd3700fb7a1c536d213c30606156b143fe56c2baf6d50a7e7', '[[["0mwnw08pq0004f8pi45d"],1,"enqueue",null,"scheduled",1795113125922,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default","due":{"inMs":86400000}}]]');
INSERT INTO redrive.audit_blocks VALUES (10, 1795113125930, 1, '749', 'writer_1795113124480_0npmld617uzro11.1', 'e18a7c13d32a285fd3700fb7a1c536d213c30606156b143fe56c2baf6d50a7e7', '3d041c511e9b38ef61bd6ba9e2dfe8c7c61c010e4e6450cbe785c0ecb54ad428', '[[["0mwnw08q20004f8pi45d"],1,"enqueue",null,"ready",1795113125930,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (11, 1795113125946, 1, '751', 'writer_1795113124480_0npmld617uzro11.2', 'da86cc4611ffccb9daf42194509003c2e809aada5e534061607bf5da2a47f69e', '9d590581214b8d8978b10f3044f4d6785b8dd066756e8d84fea7be88c97829b7', '[["0mwnw08q20004f8pi45d",2,"cancel","ready","cancelled",1795113125935,0,1,0,10,{"by":"app:worker-1","why":"not wanted"}]]');
INSERT INTO redrive.audit_blocks VALUES (12, 1795113126128, 1, '756', 'writer_1795113124480_0npmld617uzro11.1', '3d041c511e9b38ef61bd6ba9e2dfe8c7c61c010e4e6450cbe785c0ecb54ad428', 'ab87b31530ebdab4cf04196fc76f135d73370f1216fdb4d0f2024552d94c3c4c', '[[["0mwnw08l10004f8pi45d","0mwnw08nh0004f8pi45d","0mwnw08nx0004f8pi45d","0mwnw08of0004f8pi45d"],2,"claim","ready","leased",1795113126127,1,1,1,[2,3,4,5],{"by":"worker-1-0npmld617uzro12","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}],
[["0mwnw08hq0004f8pi45d","0mwnw08hq0014f8pi45d","0mwnw08hq0024f8pi45d","0mwnw08os0004f8pi45d"],2,"claim","ready","leased",1795113126127,1,1,1,[1,1,1,6],{"by":"worker-1-0npmld617uzro12","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}],
[["0mwnw08oy0004f8pi45d","0mwnw08p60004f8pi45d"],2,"claim","ready","leased",1795113126128,1,1,1,[7,8],{"by":"worker-1-0npmld617uzro12","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}]]');
INSERT INTO redrive.audit_blocks VALUES (13, 1795113126170, 1, '758', 'writer_1795113124480_0npmld617uzro11.2', '9d590581214b8d8978b10f3044f4d6785b8dd066756e8d84fea7be88c97829b7', '1cc962ad2db6c93721cabec383d13dd70dc461e10e0747f8f36ccb765ad4c9d9', '[["gate:[\"reports\",\"\",\"\"]",0,"control",null,null,1795113126170,0,0,0,0,{"by":"worker:worker-1-0npmld617uzro12","act":"close","untilMs":1795116726192,"cut":false}]]');
INSERT INTO redrive.audit_blocks VALUES (14, 1795113126214, 1, '760', 'writer_1795113124480_0npmld617uzro11.1', 'ab87b31530ebdab4cf04196fc76f135d73370f1216fdb4d0f2024552d94c3c4c', 'dc218b9b45377da421f28f6df9fc836d3f286bce726a32bf620041e5084ddb99', '[[["0mwnw08hq0004f8pi45d","0mwnw08hq0014f8pi45d","0mwnw08hq0024f8pi45d"],3,"settle","leased","succeeded",1795113126188,2,1,1,12,{"by":"worker-1-0npmld617uzro12","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1}],
[["0mwnw08os0004f8pi45d"],3,"settle","leased","dead",1795113126188,2,1,1,12,{"by":"worker-1-0npmld617uzro12","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:final","message":"unknown format"},"action":"give-up","reason":"final_error","entry":"failed","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"final","effect":"none"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795113126128,19.559,0,1,0,0,0,null,0.9288905227212476]]],
[["0mwnw08oy0004f8pi45d"],3,"settle","leased","scheduled",1795113126188,2,1,1,12,{"by":"worker-1-0npmld617uzro12","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"The handler asked for a later time"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":0,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":5},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795113126129,20.276,0,6,1,0,0,0,null,0.12705470509390393]]],
[["0mwnw08p60004f8pi45d"],3,"settle","leased","scheduled",1795113126188,2,1,1,12,{"by":"worker-1-0npmld617uzro12","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"The handler asked for a later time"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":0,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":3600000},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795113126129,20.355,0,3748834,1,0,0,0,null,0.413425329385126]]],
[["0mwnw08l10004f8pi45d","0mwnw08nh0004f8pi45d","0mwnw08nx0004f8pi45d","0mwnw08of0004f8pi45d"],3,"settle","leased","scheduled",1795113126188,2,1,1,12,{"by":"worker-1-0npmld617uzro12","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795113126128,9.514,0,4,1,0,0,0,null,0.8799987963119155],[1,1795113126128,10.144,0,4,1,0,0,0,null,0.0760765870854615],[1,1795113126128,10.298,0,4,1,0,0,0,null,0.9367198021454802],[1,1795113126128,19.408,0,4,1,0,0,0,null,0.29906689189355173]]],
[["0mwnw08l10004f8pi45d","0mwnw08nx0004f8pi45d","0mwnw08nh0004f8pi45d","0mwnw08of0004f8pi45d"],4,"claim","ready","leased",1795113126201,3,1,2,14,{"by":"worker-1-0npmld617uzro12","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}],
[["0mwnw08oy0004f8pi45d"],4,"claim","ready","leased",1795113126201,3,1,2,14,{"by":"worker-1-0npmld617uzro12","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}]]');
INSERT INTO redrive.audit_blocks VALUES (19, 1795113126371, 1, '767', 'writer_1795113124480_0npmld617uzro11.2', '1cc962ad2db6c93721cabec383d13dd70dc461e10e0747f8f36ccb765ad4c9d9', '77bd470e9a04f28f4ee80b64e58fd77e209efa53f04fc71b51a21d4a62fc99a5', '[["0mwnw08nx0004f8pi45d",8,"requeue","dead","ready",1795113126362,7,2,3,18,{"by":"app:worker-1","why":"the bank answers again"}]]');
INSERT INTO redrive.audit_blocks VALUES (22, 1795113126460, 1, '774', 'writer_1795113124480_0npmld617uzro11.2', '77bd470e9a04f28f4ee80b64e58fd77e209efa53f04fc71b51a21d4a62fc99a5', '041dabe82d549de26de3a72b09cbf6834d9c0256faa77287de387b1b728a09ba', '[["kill:pause:queue:slow",0,"control",null,null,1795113126460,0,0,0,0,{"by":"ann","why":"maintenance","act":"pause"}]]');
INSERT INTO redrive.audit_blocks VALUES (15, 1795113126255, 1, '762', 'writer_1795113124480_0npmld617uzro11.1', 'dc218b9b45377da421f28f6df9fc836d3f286bce726a32bf620041e5084ddb99', '1d530ebf9bdce545d7203404bdaa44ee8e34bc051390d69f4b65100ba0157db3', '[[["0mwnw08oy0004f8pi45d"],5,"settle","leased","succeeded",1795113126248,4,1,2,14,{"by":"worker-1-0npmld617uzro12","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1}],
[["0mwnw08l10004f8pi45d"],5,"settle","leased","succeeded",1795113126248,4,1,2,14,{"by":"worker-1-0npmld617uzro12","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}],
[["0mwnw08nx0004f8pi45d","0mwnw08nh0004f8pi45d","0mwnw08of0004f8pi45d"],5,"settle","leased","scheduled",1795113126248,4,1,2,14,{"by":"worker-1-0npmld617uzro12","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[2,1795113126201,0.343,4,7,2,0,0,4,null,0.12291828131094273],[2,1795113126201,10.514,4,8,2,0,0,4,null,0.7251436779984065],[2,1795113126201,10.658,4,9,2,0,0,4,null,0.8266436227981364]]]]');
INSERT INTO redrive.audit_blocks VALUES (16, 1795113126271, 1, '764', 'writer_1795113124480_0npmld617uzro11.1', '1d530ebf9bdce545d7203404bdaa44ee8e34bc051390d69f4b65100ba0157db3', '604e0265ea08212b4d6ce5f5e4720224c723540fc3c1c2f5ca9ee87278bab5a4', '[[["0mwnw08nh0004f8pi45d","0mwnw08nx0004f8pi45d","0mwnw08of0004f8pi45d"],6,"claim","ready","leased",1795113126267,5,1,3,15,{"by":"worker-1-0npmld617uzro12","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO redrive.audit_blocks VALUES (18, 1795113126330, 1, '765', 'writer_1795113124480_0npmld617uzro11.1', '604e0265ea08212b4d6ce5f5e4720224c723540fc3c1c2f5ca9ee87278bab5a4', '3ed787ac4286db3dcb1f919ad6f8a60991ea3b6d628358dd120d70d247e618f1', '[[["0mwnw08nx0004f8pi45d","0mwnw08of0004f8pi45d"],7,"settle","leased","dead",1795113126326,6,1,3,16,{"by":"worker-1-0npmld617uzro12","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"give-up","reason":"max_attempts_exceeded","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[3,1795113126271,0.333,7,15,3,0,0,7,null,0.22637499626291624],[3,1795113126271,1.151,9,16,3,0,0,9,null,0.39842808026547516]]],
[["0mwnw08nh0004f8pi45d"],7,"settle","leased","succeeded",1795113126326,6,1,3,16,{"by":"worker-1-0npmld617uzro12","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}]]');
INSERT INTO redrive.audit_blocks VALUES (20, 1795113126390, 1, '768', 'writer_1795113124480_0npmld617uzro11.1', '3ed787ac4286db3dcb1f919ad6f8a60991ea3b6d628358dd120d70d247e618f1', '6626a894563451af5c999de732b53a74fa26c21cdf9ab8dbb1fa3662a2905ef9', '[[["0mwnw08nx0004f8pi45d"],9,"claim","ready","leased",1795113126390,8,2,4,19,{"by":"worker-1-0npmld617uzro12","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO redrive.audit_blocks VALUES (21, 1795113126424, 1, '770', 'writer_1795113124480_0npmld617uzro11.1', '6626a894563451af5c999de732b53a74fa26c21cdf9ab8dbb1fa3662a2905ef9', '1af52153262a90324d08cd946210c94e8c3bc8f37cc74e0904d77ea8924e1044', '[[["0mwnw08nx0004f8pi45d"],10,"settle","leased","succeeded",1795113126410,9,2,4,20,{"by":"worker-1-0npmld617uzro12","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}]]');
INSERT INTO redrive.audit_blocks VALUES (23, 1795113126508, 1, '775', 'writer_1795113124480_0npmld617uzro11.1', '1af52153262a90324d08cd946210c94e8c3bc8f37cc74e0904d77ea8924e1044', 'abe95362ccd94404408e3b580ccdba0bc0434c4534d6109c7c4c25d3a7de4edd', '[[["0mwnw09640004f8pi45d"],1,"enqueue",null,"ready",1795113126508,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"slow"}]]');
INSERT INTO redrive.control_revision VALUES (2, 2);
INSERT INTO redrive.controls VALUES ('gate', '["reports","",""]', 1, '{"untilMs":1795116726192,"sinceMs":1795113126192,"cut":false,"dependency":"reports","credential":"","tenant":""}');
INSERT INTO redrive.controls VALUES ('kill', 'pause:queue:slow', 2, '{"sinceMs":1795113126458,"mode":"finish","by":"ann","why":"maintenance"}');
INSERT INTO redrive.dead_groups VALUES ('fp1:f7bac0256cf639d7', 'verdict:final: unknown format');
INSERT INTO redrive.dead_groups VALUES ('fp1:68d2f39d12ce3be5', 'Error: connection reset');
INSERT INTO redrive.epochs VALUES (1);
INSERT INTO redrive.finished VALUES (12, 1795113125930, 0, 1795113125930, 11, 10, NULL, 0, 2, 1, 0, 0, 0, 0, 0, 'cancelled', false, '0mwnw08q20004f8pi45d', 'mail', 'default', '', '{"to":"dan@example.org"}', NULL, 'cancelled', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795113125935, NULL, NULL, NULL, NULL, NULL);
INSERT INTO redrive.finished VALUES (1, 1795113125696, 2, 1795113126127, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwnw08hq0004f8pi45d', 'mail', 'default', '', '{"to":"ada@example.org"}', '[0,[1,1,1795113126128,0.85,0,"succeeded","succeed","succeeded","worker-1-0npmld617uzro12",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795113126188, NULL, NULL, NULL, '{"sent":true}', NULL);
INSERT INTO redrive.finished VALUES (2, 1795113125696, 2, 1795113126127, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwnw08hq0014f8pi45d', 'mail', 'default', '', '{"to":"bob@example.org"}', '[0,[1,1,1795113126128,9.932,0,"succeeded","succeed","succeeded","worker-1-0npmld617uzro12",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795113126188, NULL, NULL, NULL, '{"sent":true}', NULL);
INSERT INTO redrive.finished VALUES (3, 1795113125696, 2, 1795113126127, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwnw08hq0024f8pi45d', 'mail', 'default', '', '{"to":"cy@example.org"}', '[0,[1,1,1795113126128,10.217,0,"succeeded","succeed","succeeded","worker-1-0npmld617uzro12",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795113126188, NULL, NULL, NULL, '{"sent":true}', NULL);
INSERT INTO redrive.finished VALUES (8, 1795113125884, 2, 1795113126127, 14, 12, NULL, 0, 3, 1, 1, 1, 1, 0, 0, 'dead', false, '0mwnw08os0004f8pi45d', 'import', 'default', '', '{"file":"a.csv"}', '[0,[1,1,1795113126128,19.559,0,"failed","give-up","final_error","worker-1-0npmld617uzro12",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,null,"final",{"type":"verdict:final","message":"unknown format"},[1,0,0,0,0.9288905227212476,{"kind":"failure","effect":"none"}],1]]', 'final_error', 'final', '0', NULL, 'files', NULL, NULL, NULL, NULL, NULL, 1795113126188, NULL, NULL, NULL, NULL, 'fp1:f7bac0256cf639d7');
INSERT INTO redrive.finished VALUES (4, 1795113125802, 4, 1795113126127, 15, 14, NULL, 0, 5, 1, 2, 2, 1, 0, 0, 'succeeded', false, '0mwnw08l10004f8pi45d', 'charge', 'default', 'acme', '{"failures":1}', '[0,[1,1,1795113126128,9.514,0,"failed","retry","retryable_error","worker-1-0npmld617uzro12",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.8799987963119155,{"kind":"failure","effect":"unknown"}],1],[1,2,1795113126201,0.155,4,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', 'order-1', NULL, NULL, NULL, NULL, NULL, NULL, 1795113126248, NULL, NULL, NULL, '{"charged":true}', NULL);
INSERT INTO redrive.finished VALUES (9, 1795113125892, 4, 1795113126128, 15, 14, NULL, 0, 5, 1, 2, 2, 0, 0, 0, 'succeeded', false, '0mwnw08oy0004f8pi45d', 'search', 'default', '', '{"q":"x"}', '[0,[1,1,1795113126129,20.276,0,"rate_limited","retry","rate_limited","worker-1-0npmld617uzro12",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,6,"rate_limited",{"type":"verdict:retry_after","message":"The handler asked for a later time"},[1,0,0,0,0.12705470509390393,{"kind":"failure","effect":"none","retryAfterMs":5}],1],[1,2,1795113126201,10.712,6,"succeeded","succeed","succeeded","","",8]]', 'succeeded', NULL, '1,1,0,0,0,1,6', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795113126248, NULL, NULL, NULL, '"found"', NULL);
INSERT INTO redrive.finished VALUES (5, 1795113125838, 6, 1795113126127, 18, 16, NULL, 0, 7, 1, 3, 3, 2, 0, 0, 'succeeded', false, '0mwnw08nh0004f8pi45d', 'charge', 'default', 'acme', '{"failures":2}', '[0,[1,1,1795113126128,10.144,0,"failed","retry","retryable_error","worker-1-0npmld617uzro12",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.0760765870854615,{"kind":"failure","effect":"unknown"}],1],[1,2,1795113126201,10.514,4,"failed","retry","retryable_error","","",3,8,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.7251436779984065,{"kind":"failure","effect":"unknown"}],1],[1,3,1795113126271,0.194,8,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', 'order-2', NULL, NULL, NULL, NULL, NULL, NULL, 1795113126326, NULL, NULL, NULL, '{"charged":true}', NULL);
INSERT INTO redrive.finished VALUES (7, 1795113125872, 6, 1795113126127, 18, 16, NULL, 0, 7, 1, 3, 3, 3, 0, 2, 'dead', false, '0mwnw08of0004f8pi45d', 'charge', 'default', '', NULL, '[0,[1,1,1795113126128,19.408,0,"failed","retry","retryable_error","worker-1-0npmld617uzro12",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.29906689189355173,{"kind":"failure","effect":"unknown"}],1],[1,2,1795113126201,10.658,4,"failed","retry","retryable_error","","",3,9,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.8266436227981364,{"kind":"failure","effect":"unknown"}],1],[1,3,1795113126271,1.151,9,"failed","give-up","max_attempts_exceeded","","",3,null,"retryable",{"type":"Error","message":"connection reset"},[3,0,0,9,0.39842808026547516,{"kind":"failure","effect":"unknown"}],1]]', 'max_attempts_exceeded', 'retryable', '0', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795113126326, NULL, NULL, NULL, NULL, 'fp1:68d2f39d12ce3be5');
INSERT INTO redrive.finished VALUES (6, 1795113125858, 9, 1795113126390, 21, 20, NULL, 0, 10, 2, 1, 4, 0, 0, 0, 'succeeded', false, '0mwnw08nx0004f8pi45d', 'charge', 'default', '', '{"failures":9}', '[0,[1,1,1795113126128,10.298,0,"failed","retry","retryable_error","worker-1-0npmld617uzro12",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.9367198021454802,{"kind":"failure","effect":"unknown"}],1],[1,2,1795113126201,0.343,4,"failed","retry","retryable_error","","",3,7,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.12291828131094273,{"kind":"failure","effect":"unknown"}],1],[1,3,1795113126271,0.333,7,"failed","give-up","max_attempts_exceeded","","",3,null,"retryable",{"type":"Error","message":"connection reset"},[3,0,0,7,0.22637499626291624,{"kind":"failure","effect":"unknown"}],1],[2,1,1795113126390,0.083,0,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, '{"correlationId":"order-7"}', NULL, NULL, 1795113126410, NULL, NULL, NULL, '{"charged":true}', NULL);
INSERT INTO redrive.ids VALUES ('0mwnw08hq0004f8pi45d', 1, NULL);
INSERT INTO redrive.ids VALUES ('0mwnw08hq0014f8pi45d', 2, NULL);
INSERT INTO redrive.ids VALUES ('0mwnw08hq0024f8pi45d', 3, NULL);
INSERT INTO redrive.ids VALUES ('0mwnw08l10004f8pi45d', 4, NULL);
INSERT INTO redrive.ids VALUES ('0mwnw08nh0004f8pi45d', 5, NULL);
INSERT INTO redrive.ids VALUES ('0mwnw08nx0004f8pi45d', 6, NULL);
INSERT INTO redrive.ids VALUES ('0mwnw08of0004f8pi45d', 7, NULL);
INSERT INTO redrive.ids VALUES ('0mwnw08os0004f8pi45d', 8, NULL);
INSERT INTO redrive.ids VALUES ('0mwnw08oy0004f8pi45d', 9, NULL);
INSERT INTO redrive.ids VALUES ('0mwnw08p60004f8pi45d', 10, NULL);
INSERT INTO redrive.ids VALUES ('0mwnw08pq0004f8pi45d', 11, NULL);
INSERT INTO redrive.ids VALUES ('0mwnw08q20004f8pi45d', 12, NULL);
INSERT INTO redrive.ids VALUES ('0mwnw09640004f8pi45d', 13, NULL);
INSERT INTO redrive.jobs VALUES (11, 1795113125922, 0, 1795113125922, 9, 0, NULL, 0, 1, 1, 0, 0, 0, 0, 0, 'scheduled', false, '0mwnw08pq0004f8pi45d', 'mail', 'default', '', '{"to":"eve@example.org"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795199525922, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO redrive.jobs VALUES (10, 1795113125898, 2, 1795113126128, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'scheduled', false, '0mwnw08p60004f8pi45d', 'report', 'default', '', '{"of":"May"}', '[0,[1,1,1795113126129,20.355,0,"rate_limited","retry","rate_limited","worker-1-0npmld617uzro12",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,3748834,"rate_limited",{"type":"verdict:retry_after","message":"The handler asked for a later time"},[1,0,0,0,0.413425329385126,{"kind":"failure","effect":"none","retryAfterMs":3600000}],1]]', 'rate_limited', 'rate_limited', '0,1,0,0,0,1,3748834,3748834', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795116875022, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO redrive.jobs VALUES (13, 1795113126508, 0, 1795113126508, 23, 0, NULL, 0, 1, 1, 0, 0, 0, 0, 0, 'ready', false, '0mwnw09640004f8pi45d', 'mail', 'slow', '', '{"to":"fay@example.org"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO redrive.meta VALUES (1, 1, NULL, '2026-11-19 18:32:05.58568+00');
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
