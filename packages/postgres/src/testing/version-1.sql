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
INSERT INTO redrive.audit_anchors VALUES (1, '0001.00000000000000000726.0000000000000001', '0001.00000000000000000747.0000000000000011', 11, '0b14111321ec03e871280f0a08a86fdb74aec1e06e3730aaab7860e7b51e5a9b', '', 'f2938fce00bb0fd35f826c231c08d99268225499e901c10953bb06469a5829c5', 1795133686481);
INSERT INTO redrive.audit_anchors VALUES (2, '0001.00000000000000000751.0000000000000012', '0001.00000000000000000763.0000000000000021', 9, '331a1dbd2355056e62ca38a9e6a896cd4520a3e9fa438f484f683dca32cab4eb', 'f2938fce00bb0fd35f826c231c08d99268225499e901c10953bb06469a5829c5', '5da3824cafe7bcbafdc853786432a6a922e2103ce460a05beae8963a8776fe22', 1795133686591);
INSERT INTO redrive.audit_anchors VALUES (3, '0001.00000000000000000767.0000000000000022', '0001.00000000000000000768.0000000000000023', 2, '95813a695c105e8b838d980ac4b92f643fc81002d680e7dfb5e951d6ad45fba2', '5da3824cafe7bcbafdc853786432a6a922e2103ce460a05beae8963a8776fe22', 'a3270827d9835793815fb26a9ff48d68762aecacaeaa964bb4648d8946f6140d', 1795133686608);
INSERT INTO redrive.audit_blocks VALUES (1, 1795133686376, 1, '726', 'writer_1795133686037_004v4nq06y9khw1.1', '', '5146a5c5a495fa6a8e156dfef0e591f1a579b917a0fb18798469d9d4d426ceff', '[[["0mwo88x92000dvlt408e","0mwo88x92001dvlt408e","0mwo88x92002dvlt408e"],1,"enqueue",null,"ready",1795133686369,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (2, 1795133686403, 1, '728', 'writer_1795133686037_004v4nq06y9khw1.2', '', '8e58ccdc94dd1791f5ee4b1487d4f650cd590ad20444113b0bf508d97f91ce86', '[[["0mwo88x9s000dvlt408e"],1,"enqueue",null,"ready",1795133686399,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO redrive.audit_blocks VALUES (3, 1795133686405, 1, '731', 'writer_1795133686037_004v4nq06y9khw1.2', '8e58ccdc94dd1791f5ee4b1487d4f650cd590ad20444113b0bf508d97f91ce86', '0f771eef4d393d2c6aafae9cafc8ce72333b5a7b4e2466d39e700daba382ad59', '[[["0mwo88xac000dvlt408e"],1,"enqueue",null,"ready",1795133686405,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO redrive.audit_blocks VALUES (4, 1795133686407, 1, '733', 'writer_1795133686037_004v4nq06y9khw1.1', '5146a5c5a495fa6a8e156dfef0e591f1a579b917a0fb18798469d9d4d426ceff', '5ffc3abf09988c9fa46f0eace29936834f9bc96967f0573b7f792fb15bef1a90', '[[["0mwo88xad000dvlt408e"],1,"enqueue",null,"ready",1795133686406,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","correlation":"order-7"}]]');
INSERT INTO redrive.audit_blocks VALUES (5, 1795133686408, 1, '735', 'writer_1795133686037_004v4nq06y9khw1.1', '5ffc3abf09988c9fa46f0eace29936834f9bc96967f0573b7f792fb15bef1a90', '7990ce20da876325feabc33d104dcd783abd92b8878b371888729ac9b248ba3e', '[[["0mwo88xaf000dvlt408e"],1,"enqueue",null,"ready",1795133686408,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (6, 1795133686410, 1, '737', 'writer_1795133686037_004v4nq06y9khw1.1', '7990ce20da876325feabc33d104dcd783abd92b8878b371888729ac9b248ba3e', '84a753793522ed7ae9d7e5422b4ded86999ffd4128fde8007b56dc4b348d3f64', '[[["0mwo88xah000dvlt408e"],1,"enqueue",null,"ready",1795133686409,0,1,0,0,{"by":"app:worker-1","handler":"import","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (7, 1795133686411, 1, '739', 'writer_1795133686037_004v4nq06y9khw1.1', '84a753793522ed7ae9d7e5422b4ded86999ffd4128fde8007b56dc4b348d3f64', '5b2a79760acc453b0bebd64ac1d0814064b79d12c6c4d52a4acca362702b63e1', '[[["0mwo88xai000dvlt408e"],1,"enqueue",null,"ready",1795133686411,0,1,0,0,{"by":"app:worker-1","handler":"search","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (8, 1795133686413, 1, '741', 'writer_1795133686037_004v4nq06y9khw1.1', '5b2a79760acc453b0bebd64ac1d0814064b79d12c6c4d52a4acca362702b63e1', '4d06230f6b313f9425b13a1f063505e1889d1e49a5e689e5031868fa387ea151', '[[["0mwo88xal000dvlt408e"],1,"enqueue",null,"ready",1795133686413,0,1,0,0,{"by":"app:worker-1","handler":"report","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (9, 1795133686414, 1, '743', 'writer_1795133686037_004v4nq06y9khw1.1', '4d06230f6b313f9425b13a1f063505e1889d1e49a5e689e5031868fa387ea151', '6493eeb8fccc2bedc96fd216bc60d13f40bacc22b004ded77bc7fc6b9650b365', '[[["0mwo88xal001dvlt408e"],1,"enqueue",null,"scheduled",1795133686414,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default","due":{"inMs":86400000}}]]');
INSERT INTO redrive.audit_blocks VALUES (10, 1795133686415, 1, '745', 'writer_1795133686037_004v4nq06y9khw1.1', '6493eeb8fccc2bedc96fd216bc60d13f40bacc22b004ded77bc7fc6b9650b365', '78ee72235678c893875a99ce61115d1ef7c77af6043a8a19c9b124f8cab63686', '[[["0mwo88xan000dvlt408e"],1,"enqueue",null,"ready",1795133686415,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (11, 1795133686420, 1, '747', 'writer_1795133686037_004v4nq06y9khw1.2', '0f771eef4d393d2c6aafae9cafc8ce72333b5a7b4e2466d39e700daba382ad59', '4df1a9ca8d01ac3f271c88ef1f57f634f0b6261239b80e34d070d943656788bf', '[["0mwo88xan000dvlt408e",2,"cancel","ready","cancelled",1795133686418,0,1,0,10,{"by":"app:worker-1","why":"not wanted"}]]');
INSERT INTO redrive.audit_blocks VALUES (12, 1795133686487, 1, '751', 'writer_1795133686037_004v4nq06y9khw1.1', '78ee72235678c893875a99ce61115d1ef7c77af6043a8a19c9b124f8cab63686', 'b05d2c38c37cc6e7d17c79f941ffd536626de956c1a4810acdfeec3685057428', '[[["0mwo88x9s000dvlt408e","0mwo88xac000dvlt408e","0mwo88xad000dvlt408e","0mwo88xaf000dvlt408e"],2,"claim","ready","leased",1795133686484,1,1,1,[2,3,4,5],{"by":"worker-1-004v4nq06y9khw2","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}],
[["0mwo88x92000dvlt408e","0mwo88x92001dvlt408e","0mwo88x92002dvlt408e","0mwo88xah000dvlt408e"],2,"claim","ready","leased",1795133686484,1,1,1,[1,1,1,6],{"by":"worker-1-004v4nq06y9khw2","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}],
[["0mwo88xai000dvlt408e","0mwo88xal000dvlt408e"],2,"claim","ready","leased",1795133686487,1,1,1,[7,8],{"by":"worker-1-004v4nq06y9khw2","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}]]');
INSERT INTO redrive.audit_blocks VALUES (14, 1795133686523, 1, '754', 'writer_1795133686037_004v4nq06y9khw1.2', '4df1a9ca8d01ac3f271c88ef1f57f634f0b6261239b80e34d070d943656788bf', '6c595bb4e86401a54d89b2f3165fac66c1c1204760bdab8063ebca6a66b6b98d', '[["gate:[\"reports\",\"\",\"\"]",0,"control",null,null,1795133686523,0,0,0,0,{"by":"worker:worker-1-004v4nq06y9khw2","act":"close","untilMs":1795137286539,"cut":false}]]');
INSERT INTO redrive.audit_blocks VALUES (13, 1795133686527, 1, '753', 'writer_1795133686037_004v4nq06y9khw1.1', 'b05d2c38c37cc6e7d17c79f941ffd536626de956c1a4810acdfeec3685057428', 'e3a14e3eadcf4d23b2ff9b8603b535beb0a3b080fd20cc52058cfe16dd535d26', '[[["0mwo88xah000dvlt408e"],3,"settle","leased","dead",1795133686518,2,1,1,12,{"by":"worker-1-004v4nq06y9khw2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:final","message":"unknown format"},"action":"give-up","reason":"final_error","entry":"failed","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"final","effect":"none"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795133686488,3.922,0,1,0,0,0,null,0.8785947229274322]]],
[["0mwo88x92000dvlt408e","0mwo88x92001dvlt408e","0mwo88x92002dvlt408e"],3,"settle","leased","succeeded",1795133686518,2,1,1,12,{"by":"worker-1-004v4nq06y9khw2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1}],
[["0mwo88xai000dvlt408e"],3,"settle","leased","scheduled",1795133686518,2,1,1,12,{"by":"worker-1-004v4nq06y9khw2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"The handler asked for a later time"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":0,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":5},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795133686488,8.854,0,6,1,0,0,0,null,0.22688639031628388]]],
[["0mwo88xal000dvlt408e"],3,"settle","leased","scheduled",1795133686518,2,1,1,12,{"by":"worker-1-004v4nq06y9khw2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"The handler asked for a later time"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":0,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":3600000},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795133686488,9.071,0,3822302,1,0,0,0,null,0.617505002251767]]],
[["0mwo88x9s000dvlt408e","0mwo88xac000dvlt408e","0mwo88xad000dvlt408e","0mwo88xaf000dvlt408e"],3,"settle","leased","scheduled",1795133686518,2,1,1,12,{"by":"worker-1-004v4nq06y9khw2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795133686487,2.669,0,4,1,0,0,0,null,0.5932059578237777],[1,1795133686488,3.483,0,4,1,0,0,0,null,0.7522126960938104],[1,1795133686488,3.689,0,4,1,0,0,0,null,0.8520584062344346],[1,1795133686488,3.791,0,4,1,0,0,0,null,0.8763729770084773]]],
[["0mwo88x9s000dvlt408e","0mwo88xad000dvlt408e","0mwo88xac000dvlt408e","0mwo88xaf000dvlt408e"],4,"claim","ready","leased",1795133686527,3,1,2,13,{"by":"worker-1-004v4nq06y9khw2","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}],
[["0mwo88xai000dvlt408e"],4,"claim","ready","leased",1795133686527,3,1,2,13,{"by":"worker-1-004v4nq06y9khw2","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}]]');
INSERT INTO redrive.audit_blocks VALUES (19, 1795133686563, 1, '760', 'writer_1795133686037_004v4nq06y9khw1.2', '6c595bb4e86401a54d89b2f3165fac66c1c1204760bdab8063ebca6a66b6b98d', 'd50cc1851505d4c5789028327c0b4260f98cacb384e5eec7ec86846f196e457a', '[["0mwo88xad000dvlt408e",8,"requeue","dead","ready",1795133686562,7,2,3,18,{"by":"app:worker-1","why":"the bank answers again"}]]');
INSERT INTO redrive.audit_blocks VALUES (22, 1795133686597, 1, '767', 'writer_1795133686037_004v4nq06y9khw1.2', 'd50cc1851505d4c5789028327c0b4260f98cacb384e5eec7ec86846f196e457a', 'b6d9810960368e8ba68bf33fb518a23d793a447a9c2f711824c8336277796abb', '[["kill:pause:queue:slow",0,"control",null,null,1795133686597,0,0,0,0,{"by":"ann","why":"maintenance","act":"pause"}]]');
INSERT INTO redrive.audit_blocks VALUES (15, 1795133686541, 1, '756', 'writer_1795133686037_004v4nq06y9khw1.1', 'e3a14e3eadcf4d23b2ff9b8603b535beb0a3b080fd20cc52058cfe16dd535d26', '480c76aa5e75074bd3bd6f73fdb07aeb521a01025e9577a65c565ea23484b099', '[[["0mwo88x9s000dvlt408e"],5,"settle","leased","succeeded",1795133686541,4,1,2,13,{"by":"worker-1-004v4nq06y9khw2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}],
[["0mwo88xai000dvlt408e"],5,"settle","leased","succeeded",1795133686541,4,1,2,13,{"by":"worker-1-004v4nq06y9khw2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1}],
[["0mwo88xad000dvlt408e","0mwo88xac000dvlt408e","0mwo88xaf000dvlt408e"],5,"settle","leased","scheduled",1795133686541,4,1,2,13,{"by":"worker-1-004v4nq06y9khw2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[2,1795133686527,0.365,4,9,2,0,0,4,null,0.9672031965919718],[2,1795133686527,0.454,4,8,2,0,0,4,null,0.20312786795462168],[2,1795133686527,0.53,4,8,2,0,0,4,null,0.48308327439919985]]]]');
INSERT INTO redrive.audit_blocks VALUES (17, 1795133686552, 1, '758', 'writer_1795133686037_004v4nq06y9khw1.1', '480c76aa5e75074bd3bd6f73fdb07aeb521a01025e9577a65c565ea23484b099', '7f9c343e57e28aaf948d93d4aac4e385f81c05b28dc36408ca087976ceb2aabf', '[[["0mwo88xac000dvlt408e","0mwo88xad000dvlt408e","0mwo88xaf000dvlt408e"],6,"claim","ready","leased",1795133686552,5,1,3,15,{"by":"worker-1-004v4nq06y9khw2","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO redrive.audit_blocks VALUES (18, 1795133686557, 1, '759', 'writer_1795133686037_004v4nq06y9khw1.1', '7f9c343e57e28aaf948d93d4aac4e385f81c05b28dc36408ca087976ceb2aabf', '36c994a240991e88b175a7022dcca98d6ae927907ac3bc15641226c94f37d6b9', '[[["0mwo88xad000dvlt408e","0mwo88xaf000dvlt408e"],7,"settle","leased","dead",1795133686556,6,1,3,17,{"by":"worker-1-004v4nq06y9khw2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"give-up","reason":"max_attempts_exceeded","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[3,1795133686552,0.23,9,15,3,0,0,9,null,0.17672149045612473],[3,1795133686552,1.702,8,17,3,0,0,8,null,0.8683411510930271]]],
[["0mwo88xac000dvlt408e"],7,"settle","leased","succeeded",1795133686556,6,1,3,17,{"by":"worker-1-004v4nq06y9khw2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}]]');
INSERT INTO redrive.audit_blocks VALUES (20, 1795133686568, 1, '761', 'writer_1795133686037_004v4nq06y9khw1.1', '36c994a240991e88b175a7022dcca98d6ae927907ac3bc15641226c94f37d6b9', '82b327454be73de67fb09093400283574d715d97ddb8df6b121020b5f8b5fa33', '[[["0mwo88xad000dvlt408e"],9,"claim","ready","leased",1795133686568,8,2,4,19,{"by":"worker-1-004v4nq06y9khw2","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO redrive.audit_blocks VALUES (21, 1795133686576, 1, '763', 'writer_1795133686037_004v4nq06y9khw1.1', '82b327454be73de67fb09093400283574d715d97ddb8df6b121020b5f8b5fa33', '5f0a8241b3a71e5487622f081e9511b1a959a6369267d09b70e521d9c7209aac', '[[["0mwo88xad000dvlt408e"],10,"settle","leased","succeeded",1795133686575,9,2,4,20,{"by":"worker-1-004v4nq06y9khw2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}]]');
INSERT INTO redrive.audit_blocks VALUES (23, 1795133686603, 1, '768', 'writer_1795133686037_004v4nq06y9khw1.1', '5f0a8241b3a71e5487622f081e9511b1a959a6369267d09b70e521d9c7209aac', '1a736c4bd7dd4030ce5796550add6bfdb58b3b8fa1259de4e0e1fd22ec241763', '[[["0mwo88xfu000dvlt408e"],1,"enqueue",null,"ready",1795133686603,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"slow"}]]');
INSERT INTO redrive.control_revision VALUES (2, 2);
INSERT INTO redrive.controls VALUES ('gate', '["reports","",""]', 1, '{"untilMs":1795137286539,"sinceMs":1795133686539,"cut":false,"dependency":"reports","credential":"","tenant":""}');
INSERT INTO redrive.controls VALUES ('kill', 'pause:queue:slow', 2, '{"sinceMs":1795133686595,"mode":"finish","by":"ann","why":"maintenance"}');
INSERT INTO redrive.dead_groups VALUES ('fp1:f7bac0256cf639d7', 'verdict:final: unknown format');
INSERT INTO redrive.dead_groups VALUES ('fp1:68d2f39d12ce3be5', 'Error: connection reset');
INSERT INTO redrive.epochs VALUES (1);
INSERT INTO redrive.finished VALUES (12, 1795133686415, 0, 1795133686415, 11, 10, NULL, 0, 2, 1, 0, 0, 0, 0, 0, 'cancelled', false, '0mwo88xan000dvlt408e', 'mail', 'default', '', '{"to":"dan@example.org"}', NULL, 'cancelled', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795133686418, NULL, NULL, NULL, NULL, NULL);
INSERT INTO redrive.finished VALUES (1, 1795133686369, 2, 1795133686484, 13, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwo88x92000dvlt408e', 'mail', 'default', '', '{"to":"ada@example.org"}', '[0,[1,1,1795133686487,1.05,0,"succeeded","succeed","succeeded","worker-1-004v4nq06y9khw2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795133686518, NULL, NULL, NULL, '{"sent":true}', NULL);
INSERT INTO redrive.finished VALUES (2, 1795133686369, 2, 1795133686484, 13, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwo88x92001dvlt408e', 'mail', 'default', '', '{"to":"bob@example.org"}', '[0,[1,1,1795133686488,3.18,0,"succeeded","succeed","succeeded","worker-1-004v4nq06y9khw2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795133686518, NULL, NULL, NULL, '{"sent":true}', NULL);
INSERT INTO redrive.finished VALUES (3, 1795133686369, 2, 1795133686484, 13, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwo88x92002dvlt408e', 'mail', 'default', '', '{"to":"cy@example.org"}', '[0,[1,1,1795133686488,3.595,0,"succeeded","succeed","succeeded","worker-1-004v4nq06y9khw2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795133686518, NULL, NULL, NULL, '{"sent":true}', NULL);
INSERT INTO redrive.finished VALUES (8, 1795133686409, 2, 1795133686484, 13, 12, NULL, 0, 3, 1, 1, 1, 1, 0, 0, 'dead', false, '0mwo88xah000dvlt408e', 'import', 'default', '', '{"file":"a.csv"}', '[0,[1,1,1795133686488,3.922,0,"failed","give-up","final_error","worker-1-004v4nq06y9khw2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,null,"final",{"type":"verdict:final","message":"unknown format"},[1,0,0,0,0.8785947229274322,{"kind":"failure","effect":"none"}],1]]', 'final_error', 'final', '0', NULL, 'files', NULL, NULL, NULL, NULL, NULL, 1795133686518, NULL, NULL, NULL, NULL, 'fp1:f7bac0256cf639d7');
INSERT INTO redrive.finished VALUES (4, 1795133686399, 4, 1795133686484, 15, 13, NULL, 0, 5, 1, 2, 2, 1, 0, 0, 'succeeded', false, '0mwo88x9s000dvlt408e', 'charge', 'default', 'acme', '{"failures":1}', '[0,[1,1,1795133686487,2.669,0,"failed","retry","retryable_error","worker-1-004v4nq06y9khw2",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.5932059578237777,{"kind":"failure","effect":"unknown"}],1],[1,2,1795133686527,0.224,4,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', 'order-1', NULL, NULL, NULL, NULL, NULL, NULL, 1795133686541, NULL, NULL, NULL, '{"charged":true}', NULL);
INSERT INTO redrive.finished VALUES (9, 1795133686411, 4, 1795133686487, 15, 13, NULL, 0, 5, 1, 2, 2, 0, 0, 0, 'succeeded', false, '0mwo88xai000dvlt408e', 'search', 'default', '', '{"q":"x"}', '[0,[1,1,1795133686488,8.854,0,"rate_limited","retry","rate_limited","worker-1-004v4nq06y9khw2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,6,"rate_limited",{"type":"verdict:retry_after","message":"The handler asked for a later time"},[1,0,0,0,0.22688639031628388,{"kind":"failure","effect":"none","retryAfterMs":5}],1],[1,2,1795133686527,0.574,6,"succeeded","succeed","succeeded","","",8]]', 'succeeded', NULL, '1,1,0,0,0,1,6', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795133686541, NULL, NULL, NULL, '"found"', NULL);
INSERT INTO redrive.finished VALUES (5, 1795133686405, 6, 1795133686484, 18, 17, NULL, 0, 7, 1, 3, 3, 2, 0, 0, 'succeeded', false, '0mwo88xac000dvlt408e', 'charge', 'default', 'acme', '{"failures":2}', '[0,[1,1,1795133686488,3.483,0,"failed","retry","retryable_error","worker-1-004v4nq06y9khw2",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.7522126960938104,{"kind":"failure","effect":"unknown"}],1],[1,2,1795133686527,0.454,4,"failed","retry","retryable_error","","",3,8,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.20312786795462168,{"kind":"failure","effect":"unknown"}],1],[1,3,1795133686552,0.137,8,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', 'order-2', NULL, NULL, NULL, NULL, NULL, NULL, 1795133686556, NULL, NULL, NULL, '{"charged":true}', NULL);
INSERT INTO redrive.finished VALUES (7, 1795133686408, 6, 1795133686484, 18, 17, NULL, 0, 7, 1, 3, 3, 3, 0, 2, 'dead', false, '0mwo88xaf000dvlt408e', 'charge', 'default', '', NULL, '[0,[1,1,1795133686488,3.791,0,"failed","retry","retryable_error","worker-1-004v4nq06y9khw2",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.8763729770084773,{"kind":"failure","effect":"unknown"}],1],[1,2,1795133686527,0.53,4,"failed","retry","retryable_error","","",3,8,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.48308327439919985,{"kind":"failure","effect":"unknown"}],1],[1,3,1795133686552,1.702,8,"failed","give-up","max_attempts_exceeded","","",3,null,"retryable",{"type":"Error","message":"connection reset"},[3,0,0,8,0.8683411510930271,{"kind":"failure","effect":"unknown"}],1]]', 'max_attempts_exceeded', 'retryable', '0', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795133686556, NULL, NULL, NULL, NULL, 'fp1:68d2f39d12ce3be5');
INSERT INTO redrive.finished VALUES (6, 1795133686406, 9, 1795133686568, 21, 20, NULL, 0, 10, 2, 1, 4, 0, 0, 0, 'succeeded', false, '0mwo88xad000dvlt408e', 'charge', 'default', '', '{"failures":9}', '[0,[1,1,1795133686488,3.689,0,"failed","retry","retryable_error","worker-1-004v4nq06y9khw2",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.8520584062344346,{"kind":"failure","effect":"unknown"}],1],[1,2,1795133686527,0.365,4,"failed","retry","retryable_error","","",3,9,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.9672031965919718,{"kind":"failure","effect":"unknown"}],1],[1,3,1795133686552,0.23,9,"failed","give-up","max_attempts_exceeded","","",3,null,"retryable",{"type":"Error","message":"connection reset"},[3,0,0,9,0.17672149045612473,{"kind":"failure","effect":"unknown"}],1],[2,1,1795133686568,0.069,0,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, '{"correlationId":"order-7"}', NULL, NULL, 1795133686575, NULL, NULL, NULL, '{"charged":true}', NULL);
INSERT INTO redrive.ids VALUES ('0mwo88x92000dvlt408e', 1, NULL);
INSERT INTO redrive.ids VALUES ('0mwo88x92001dvlt408e', 2, NULL);
INSERT INTO redrive.ids VALUES ('0mwo88x92002dvlt408e', 3, NULL);
INSERT INTO redrive.ids VALUES ('0mwo88x9s000dvlt408e', 4, NULL);
INSERT INTO redrive.ids VALUES ('0mwo88xac000dvlt408e', 5, NULL);
INSERT INTO redrive.ids VALUES ('0mwo88xad000dvlt408e', 6, NULL);
INSERT INTO redrive.ids VALUES ('0mwo88xaf000dvlt408e', 7, NULL);
INSERT INTO redrive.ids VALUES ('0mwo88xah000dvlt408e', 8, NULL);
INSERT INTO redrive.ids VALUES ('0mwo88xai000dvlt408e', 9, NULL);
INSERT INTO redrive.ids VALUES ('0mwo88xal000dvlt408e', 10, NULL);
INSERT INTO redrive.ids VALUES ('0mwo88xal001dvlt408e', 11, NULL);
INSERT INTO redrive.ids VALUES ('0mwo88xan000dvlt408e', 12, NULL);
INSERT INTO redrive.ids VALUES ('0mwo88xfu000dvlt408e', 13, NULL);
INSERT INTO redrive.jobs VALUES (11, 1795133686414, 0, 1795133686414, 9, 0, NULL, 0, 1, 1, 0, 0, 0, 0, 0, 'scheduled', false, '0mwo88xal001dvlt408e', 'mail', 'default', '', '{"to":"eve@example.org"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795220086414, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO redrive.jobs VALUES (10, 1795133686413, 2, 1795133686487, 13, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'scheduled', false, '0mwo88xal000dvlt408e', 'report', 'default', '', '{"of":"May"}', '[0,[1,1,1795133686488,9.071,0,"rate_limited","retry","rate_limited","worker-1-004v4nq06y9khw2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,3822302,"rate_limited",{"type":"verdict:retry_after","message":"The handler asked for a later time"},[1,0,0,0,0.617505002251767,{"kind":"failure","effect":"none","retryAfterMs":3600000}],1]]', 'rate_limited', 'rate_limited', '0,1,0,0,0,1,3822302,3822302', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795137508820, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO redrive.jobs VALUES (13, 1795133686603, 0, 1795133686603, 23, 0, NULL, 0, 1, 1, 0, 0, 0, 0, 0, 'ready', false, '0mwo88xfu000dvlt408e', 'mail', 'slow', '', '{"to":"fay@example.org"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO redrive.meta VALUES (1, 1, NULL, '2026-11-20 00:14:46.347246+00');
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
