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
INSERT INTO redrive.audit_anchors VALUES (1, '0001.00000000000000000726.0000000000000001', '0001.00000000000000000749.0000000000000011', 11, '5145d7fedb2e550e2f326300d4d8f8e5dad4870d6637cd269111455e534e03bf', '', '9cde543d0082d143ce5eea2528a5f4bb3b36531c57734f08c7f61275f1cfede7', 1795131454201);
INSERT INTO redrive.audit_anchors VALUES (2, '0001.00000000000000000753.0000000000000012', '0001.00000000000000000765.0000000000000022', 9, 'aac517e06777fcd0677db0889e2ffab529919fcdf493ab1dc6e5f9ad5764d8dd', '9cde543d0082d143ce5eea2528a5f4bb3b36531c57734f08c7f61275f1cfede7', 'da3f339cf10853022ceda1f89b8d4e2e6cbba9ba4dbe603f0704a913678ed4f5', 1795131454292);
INSERT INTO redrive.audit_anchors VALUES (3, '0001.00000000000000000769.0000000000000023', '0001.00000000000000000770.0000000000000024', 2, '6a079712d8bdbbd9dd551388ef7701b5a119b33bf93a0a260b8cd6c73029a9c3', 'da3f339cf10853022ceda1f89b8d4e2e6cbba9ba4dbe603f0704a913678ed4f5', '905683520437bfc8d805ef7a15e2d6662c76408dc74d81a5c2b8f185763c1b20', 1795131454302);
INSERT INTO redrive.audit_blocks VALUES (1, 1795131453960, 1, '726', 'writer_1795131453740_0cjk3kd13z96hu1.1', '', '541e51f4807dda56e0ec9e9ef7a0f8a8bf88f9ec895976a36cd89cc682da52f4', '[[["0mwo6x2os0006gz7gqu1","0mwo6x2ot0006gz7gqu1","0mwo6x2ot0016gz7gqu1"],1,"enqueue",null,"ready",1795131453957,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (2, 1795131454089, 1, '729', 'writer_1795131453740_0cjk3kd13z96hu1.2', '', 'd91be4f6b29b87fde4a0b12af3dc766e6abede045f824de010e7e4e917468186', '[[["0mwo6x2qn0006gz7gqu1"],1,"enqueue",null,"ready",1795131454086,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO redrive.audit_blocks VALUES (3, 1795131454091, 1, '732', 'writer_1795131453740_0cjk3kd13z96hu1.2', 'd91be4f6b29b87fde4a0b12af3dc766e6abede045f824de010e7e4e917468186', 'dfadfa532b3210dbc1be2fc0807f44fe9a6a30ef9304037f45f9580c219172cd', '[[["0mwo6x2tn0006gz7gqu1"],1,"enqueue",null,"ready",1795131454091,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO redrive.audit_blocks VALUES (4, 1795131454094, 1, '734', 'writer_1795131453740_0cjk3kd13z96hu1.1', '541e51f4807dda56e0ec9e9ef7a0f8a8bf88f9ec895976a36cd89cc682da52f4', '0b736c9e5f0b47e7481e5ae2ef0a83a9016b0b384fe3325bd34d132bf7910d6b', '[[["0mwo6x2tp0006gz7gqu1"],1,"enqueue",null,"ready",1795131454094,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","correlation":"order-7"}]]');
INSERT INTO redrive.audit_blocks VALUES (5, 1795131454096, 1, '736', 'writer_1795131453740_0cjk3kd13z96hu1.1', '0b736c9e5f0b47e7481e5ae2ef0a83a9016b0b384fe3325bd34d132bf7910d6b', 'ddde264f69c6799334406eb54b46a53ddf9d84edfec87bb9228d1e16823b20e9', '[[["0mwo6x2tr0006gz7gqu1"],1,"enqueue",null,"ready",1795131454096,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (6, 1795131454099, 1, '738', 'writer_1795131453740_0cjk3kd13z96hu1.1', 'ddde264f69c6799334406eb54b46a53ddf9d84edfec87bb9228d1e16823b20e9', 'ce16e34c608fbb2bd3341cdfbc996ba3cc1c2d2d59be7a236817d1cb2aa8fde4', '[[["0mwo6x2tt0006gz7gqu1"],1,"enqueue",null,"ready",1795131454099,0,1,0,0,{"by":"app:worker-1","handler":"import","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (7, 1795131454102, 1, '740', 'writer_1795131453740_0cjk3kd13z96hu1.1', 'ce16e34c608fbb2bd3341cdfbc996ba3cc1c2d2d59be7a236817d1cb2aa8fde4', '2d20d341f553ef5400b1f55c0c2172c1a42f3727e6a0473fc475d87c3978c7c5', '[[["0mwo6x2tx0006gz7gqu1"],1,"enqueue",null,"ready",1795131454101,0,1,0,0,{"by":"app:worker-1","handler":"search","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (8, 1795131454115, 1, '743', 'writer_1795131453740_0cjk3kd13z96hu1.1', '2d20d341f553ef5400b1f55c0c2172c1a42f3727e6a0473fc475d87c3978c7c5', '5a36cf6855f087280992fa11d9d25522199cd2f08cf73868dd6519ba45423eb6', '[[["0mwo6x2ua0006gz7gqu1"],1,"enqueue",null,"ready",1795131454114,0,1,0,0,{"by":"app:worker-1","handler":"report","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (9, 1795131454117, 1, '745', 'writer_1795131453740_0cjk3kd13z96hu1.1', '5a36cf6855f087280992fa11d9d25522199cd2f08cf73868dd6519ba45423eb6', '8105bc63756c3f489254986a04301ba17c313ad72f29c9656d66cc6868256c07', '[[["0mwo6x2ub0006gz7gqu1"],1,"enqueue",null,"scheduled",1795131454116,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default","due":{"inMs":86400000}}]]');
INSERT INTO redrive.audit_blocks VALUES (10, 1795131454118, 1, '747', 'writer_1795131453740_0cjk3kd13z96hu1.1', '8105bc63756c3f489254986a04301ba17c313ad72f29c9656d66cc6868256c07', '7fa352d57f57a9b2ffd48bd7f5398a6e4a6ed8aaa934dec984a9627b64badf4c', '[[["0mwo6x2ud0006gz7gqu1"],1,"enqueue",null,"ready",1795131454118,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (11, 1795131454122, 1, '749', 'writer_1795131453740_0cjk3kd13z96hu1.2', 'dfadfa532b3210dbc1be2fc0807f44fe9a6a30ef9304037f45f9580c219172cd', '291264f29cf610be4c1f22bdf610fdc367ca5886f1c2218568d770632191d698', '[["0mwo6x2ud0006gz7gqu1",2,"cancel","ready","cancelled",1795131454120,0,1,0,10,{"by":"app:worker-1","why":"not wanted"}]]');
INSERT INTO redrive.audit_blocks VALUES (12, 1795131454200, 1, '753', 'writer_1795131453740_0cjk3kd13z96hu1.1', '7fa352d57f57a9b2ffd48bd7f5398a6e4a6ed8aaa934dec984a9627b64badf4c', 'aab298a0a46d7dcf56f86afe4ff7cf906805e572b87e4bcdaf3e1fa6a5dacb3e', '[[["0mwo6x2qn0006gz7gqu1","0mwo6x2tn0006gz7gqu1","0mwo6x2tp0006gz7gqu1","0mwo6x2tr0006gz7gqu1"],2,"claim","ready","leased",1795131454198,1,1,1,[2,3,4,5],{"by":"worker-1-0cjk3kd13z96hu2","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}],
[["0mwo6x2os0006gz7gqu1","0mwo6x2ot0006gz7gqu1","0mwo6x2ot0016gz7gqu1","0mwo6x2tt0006gz7gqu1"],2,"claim","ready","leased",1795131454198,1,1,1,[1,1,1,6],{"by":"worker-1-0cjk3kd13z96hu2","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}],
[["0mwo6x2tx0006gz7gqu1","0mwo6x2ua0006gz7gqu1"],2,"claim","ready","leased",1795131454200,1,1,1,[7,8],{"by":"worker-1-0cjk3kd13z96hu2","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}]]');
INSERT INTO redrive.audit_blocks VALUES (13, 1795131454215, 1, '755', 'writer_1795131453740_0cjk3kd13z96hu1.2', '291264f29cf610be4c1f22bdf610fdc367ca5886f1c2218568d770632191d698', '7d995b5f05aa6f786b569ebfeeb102b89fbe1817be387dc74e71f2cfdf3353f7', '[["gate:[\"reports\",\"\",\"\"]",0,"control",null,null,1795131454215,0,0,0,0,{"by":"worker:worker-1-0cjk3kd13z96hu2","act":"close","untilMs":1795135054227,"cut":false}]]');
INSERT INTO redrive.audit_blocks VALUES (14, 1795131454227, 1, '756', 'writer_1795131453740_0cjk3kd13z96hu1.1', 'aab298a0a46d7dcf56f86afe4ff7cf906805e572b87e4bcdaf3e1fa6a5dacb3e', 'c70d6187f23f49238b7349d258f6bbfe48d4b7425d8cf524b5d455077bf36aed', '[[["0mwo6x2tt0006gz7gqu1"],3,"settle","leased","dead",1795131454218,2,1,1,12,{"by":"worker-1-0cjk3kd13z96hu2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:final","message":"unknown format"},"action":"give-up","reason":"final_error","entry":"failed","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"final","effect":"none"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795131454201,3.802,0,1,0,0,0,null,0.39475151955573096]]],
[["0mwo6x2os0006gz7gqu1","0mwo6x2ot0006gz7gqu1","0mwo6x2ot0016gz7gqu1"],3,"settle","leased","succeeded",1795131454218,2,1,1,12,{"by":"worker-1-0cjk3kd13z96hu2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1}],
[["0mwo6x2ua0006gz7gqu1"],3,"settle","leased","scheduled",1795131454218,2,1,1,12,{"by":"worker-1-0cjk3kd13z96hu2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"The handler asked for a later time"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":0,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":3600000},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795131454201,4.784,0,3876611,1,0,0,0,null,0.7683632463815855]]],
[["0mwo6x2qn0006gz7gqu1","0mwo6x2tn0006gz7gqu1","0mwo6x2tp0006gz7gqu1","0mwo6x2tr0006gz7gqu1"],3,"settle","leased","scheduled",1795131454218,2,1,1,12,{"by":"worker-1-0cjk3kd13z96hu2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795131454200,2.675,0,4,1,0,0,0,null,0.7050280832206746],[1,1795131454201,3.408,0,4,1,0,0,0,null,0.16511601808739584],[1,1795131454201,3.577,0,4,1,0,0,0,null,0.13789925689409543],[1,1795131454201,3.638,0,4,1,0,0,0,null,0.5846071847448441]]],
[["0mwo6x2tx0006gz7gqu1"],3,"settle","leased","scheduled",1795131454218,2,1,1,12,{"by":"worker-1-0cjk3kd13z96hu2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"The handler asked for a later time"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":0,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":5},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795131454201,4.586,0,6,1,0,0,0,null,0.9342797761779442]]],
[["0mwo6x2qn0006gz7gqu1","0mwo6x2tp0006gz7gqu1","0mwo6x2tn0006gz7gqu1","0mwo6x2tr0006gz7gqu1"],4,"claim","ready","leased",1795131454227,3,1,2,14,{"by":"worker-1-0cjk3kd13z96hu2","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}],
[["0mwo6x2tx0006gz7gqu1"],4,"claim","ready","leased",1795131454227,3,1,2,14,{"by":"worker-1-0cjk3kd13z96hu2","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}]]');
INSERT INTO redrive.audit_blocks VALUES (20, 1795131454278, 1, '763', 'writer_1795131453740_0cjk3kd13z96hu1.2', '7d995b5f05aa6f786b569ebfeeb102b89fbe1817be387dc74e71f2cfdf3353f7', 'ed76f3931655a4d807fe9c532a86dc65fff107fe8eeff1b8c6ad43aad07e5974', '[["0mwo6x2tp0006gz7gqu1",8,"requeue","dead","ready",1795131454277,7,2,3,19,{"by":"app:worker-1","why":"the bank answers again"}]]');
INSERT INTO redrive.audit_blocks VALUES (23, 1795131454296, 1, '769', 'writer_1795131453740_0cjk3kd13z96hu1.2', 'ed76f3931655a4d807fe9c532a86dc65fff107fe8eeff1b8c6ad43aad07e5974', 'a049a1d1d182b6cbb0400a9b8bc0606c82127e71519a20a5c35f997ab066f3fe', '[["kill:pause:queue:slow",0,"control",null,null,1795131454296,0,0,0,0,{"by":"ann","why":"maintenance","act":"pause"}]]');
INSERT INTO redrive.audit_blocks VALUES (15, 1795131454240, 1, '758', 'writer_1795131453740_0cjk3kd13z96hu1.1', 'c70d6187f23f49238b7349d258f6bbfe48d4b7425d8cf524b5d455077bf36aed', 'b09835d9a0ffe4280d66d4b20d94abbe09b9940110574e5e68b9cb9568c6a11f', '[[["0mwo6x2qn0006gz7gqu1"],5,"settle","leased","succeeded",1795131454239,4,1,2,14,{"by":"worker-1-0cjk3kd13z96hu2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}],
[["0mwo6x2tx0006gz7gqu1"],5,"settle","leased","succeeded",1795131454239,4,1,2,14,{"by":"worker-1-0cjk3kd13z96hu2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1}],
[["0mwo6x2tp0006gz7gqu1","0mwo6x2tn0006gz7gqu1","0mwo6x2tr0006gz7gqu1"],5,"settle","leased","scheduled",1795131454239,4,1,2,14,{"by":"worker-1-0cjk3kd13z96hu2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[2,1795131454227,0.445,4,7,2,0,0,4,null,0.10319514729543011],[2,1795131454227,0.703,4,8,2,0,0,4,null,0.4192372673579434],[2,1795131454227,0.932,4,8,2,0,0,4,null,0.19425096369862282]]]]');
INSERT INTO redrive.audit_blocks VALUES (17, 1795131454257, 1, '760', 'writer_1795131453740_0cjk3kd13z96hu1.1', 'b09835d9a0ffe4280d66d4b20d94abbe09b9940110574e5e68b9cb9568c6a11f', 'cf201901398d602d17ccb76a04acec5ea83a20d206dd38d25bff8ebcd15676f2', '[[["0mwo6x2tn0006gz7gqu1","0mwo6x2tp0006gz7gqu1","0mwo6x2tr0006gz7gqu1"],6,"claim","ready","leased",1795131454255,5,1,3,15,{"by":"worker-1-0cjk3kd13z96hu2","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO redrive.audit_blocks VALUES (19, 1795131454266, 1, '761', 'writer_1795131453740_0cjk3kd13z96hu1.1', 'cf201901398d602d17ccb76a04acec5ea83a20d206dd38d25bff8ebcd15676f2', '6dbe00a0001da7ff8dfd76f7a90a4fbcc86ed2a89ea3696da141a0e11957b96a', '[[["0mwo6x2tn0006gz7gqu1"],7,"settle","leased","succeeded",1795131454265,6,1,3,17,{"by":"worker-1-0cjk3kd13z96hu2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}],
[["0mwo6x2tp0006gz7gqu1","0mwo6x2tr0006gz7gqu1"],7,"settle","leased","dead",1795131454265,6,1,3,17,{"by":"worker-1-0cjk3kd13z96hu2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"give-up","reason":"max_attempts_exceeded","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[3,1795131454255,1.084,7,17,3,0,0,7,null,0.8665222369590464],[3,1795131454255,1.987,8,15,3,0,0,8,null,0.1795811732656558]]]]');
INSERT INTO redrive.audit_blocks VALUES (21, 1795131454282, 1, '764', 'writer_1795131453740_0cjk3kd13z96hu1.1', '6dbe00a0001da7ff8dfd76f7a90a4fbcc86ed2a89ea3696da141a0e11957b96a', '2d9c5ea6220b1dd45cd9325e7814172e0415a3f2f884c2632ca57e9d7387179a', '[[["0mwo6x2tp0006gz7gqu1"],9,"claim","ready","leased",1795131454281,8,2,4,20,{"by":"worker-1-0cjk3kd13z96hu2","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO redrive.audit_blocks VALUES (22, 1795131454285, 1, '765', 'writer_1795131453740_0cjk3kd13z96hu1.1', '2d9c5ea6220b1dd45cd9325e7814172e0415a3f2f884c2632ca57e9d7387179a', 'b8fdc050705a744dbb398bceb86e6f72abf34bc57c32ed86766d593555bc968b', '[[["0mwo6x2tp0006gz7gqu1"],10,"settle","leased","succeeded",1795131454283,9,2,4,21,{"by":"worker-1-0cjk3kd13z96hu2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}]]');
INSERT INTO redrive.audit_blocks VALUES (24, 1795131454299, 1, '770', 'writer_1795131453740_0cjk3kd13z96hu1.1', 'b8fdc050705a744dbb398bceb86e6f72abf34bc57c32ed86766d593555bc968b', '283816cb085996374bbfb99bd24b69d7111e4378138508ae0759cc87ec05a09c', '[[["0mwo6x2ze0006gz7gqu1"],1,"enqueue",null,"ready",1795131454299,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"slow"}]]');
INSERT INTO redrive.control_revision VALUES (2, 2);
INSERT INTO redrive.controls VALUES ('gate', '["reports","",""]', 1, '{"untilMs":1795135054227,"sinceMs":1795131454227,"cut":false,"dependency":"reports","credential":"","tenant":""}');
INSERT INTO redrive.controls VALUES ('kill', 'pause:queue:slow', 2, '{"sinceMs":1795131454295,"mode":"finish","by":"ann","why":"maintenance"}');
INSERT INTO redrive.dead_groups VALUES ('fp1:f7bac0256cf639d7', 'verdict:final: unknown format');
INSERT INTO redrive.dead_groups VALUES ('fp1:68d2f39d12ce3be5', 'Error: connection reset');
INSERT INTO redrive.epochs VALUES (1);
INSERT INTO redrive.finished VALUES (12, 1795131454118, 0, 1795131454118, 11, 10, NULL, 0, 2, 1, 0, 0, 0, 0, 0, 'cancelled', false, '0mwo6x2ud0006gz7gqu1', 'mail', 'default', '', '{"to":"dan@example.org"}', NULL, 'cancelled', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795131454120, NULL, NULL, NULL, NULL, NULL);
INSERT INTO redrive.finished VALUES (1, 1795131453957, 2, 1795131454198, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwo6x2os0006gz7gqu1', 'mail', 'default', '', '{"to":"ada@example.org"}', '[0,[1,1,1795131454200,1.206,0,"succeeded","succeed","succeeded","worker-1-0cjk3kd13z96hu2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795131454218, NULL, NULL, NULL, '{"sent":true}', NULL);
INSERT INTO redrive.finished VALUES (2, 1795131453957, 2, 1795131454198, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwo6x2ot0006gz7gqu1', 'mail', 'default', '', '{"to":"bob@example.org"}', '[0,[1,1,1795131454201,3.117,0,"succeeded","succeed","succeeded","worker-1-0cjk3kd13z96hu2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795131454218, NULL, NULL, NULL, '{"sent":true}', NULL);
INSERT INTO redrive.finished VALUES (3, 1795131453957, 2, 1795131454198, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwo6x2ot0016gz7gqu1', 'mail', 'default', '', '{"to":"cy@example.org"}', '[0,[1,1,1795131454201,3.508,0,"succeeded","succeed","succeeded","worker-1-0cjk3kd13z96hu2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795131454218, NULL, NULL, NULL, '{"sent":true}', NULL);
INSERT INTO redrive.finished VALUES (8, 1795131454099, 2, 1795131454198, 14, 12, NULL, 0, 3, 1, 1, 1, 1, 0, 0, 'dead', false, '0mwo6x2tt0006gz7gqu1', 'import', 'default', '', '{"file":"a.csv"}', '[0,[1,1,1795131454201,3.802,0,"failed","give-up","final_error","worker-1-0cjk3kd13z96hu2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,null,"final",{"type":"verdict:final","message":"unknown format"},[1,0,0,0,0.39475151955573096,{"kind":"failure","effect":"none"}],1]]', 'final_error', 'final', '0', NULL, 'files', NULL, NULL, NULL, NULL, NULL, 1795131454218, NULL, NULL, NULL, NULL, 'fp1:f7bac0256cf639d7');
INSERT INTO redrive.finished VALUES (4, 1795131454086, 4, 1795131454198, 15, 14, NULL, 0, 5, 1, 2, 2, 1, 0, 0, 'succeeded', false, '0mwo6x2qn0006gz7gqu1', 'charge', 'default', 'acme', '{"failures":1}', '[0,[1,1,1795131454200,2.675,0,"failed","retry","retryable_error","worker-1-0cjk3kd13z96hu2",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.7050280832206746,{"kind":"failure","effect":"unknown"}],1],[1,2,1795131454227,0.197,4,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', 'order-1', NULL, NULL, NULL, NULL, NULL, NULL, 1795131454239, NULL, NULL, NULL, '{"charged":true}', NULL);
INSERT INTO redrive.finished VALUES (9, 1795131454101, 4, 1795131454200, 15, 14, NULL, 0, 5, 1, 2, 2, 0, 0, 0, 'succeeded', false, '0mwo6x2tx0006gz7gqu1', 'search', 'default', '', '{"q":"x"}', '[0,[1,1,1795131454201,4.586,0,"rate_limited","retry","rate_limited","worker-1-0cjk3kd13z96hu2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,6,"rate_limited",{"type":"verdict:retry_after","message":"The handler asked for a later time"},[1,0,0,0,0.9342797761779442,{"kind":"failure","effect":"none","retryAfterMs":5}],1],[1,2,1795131454227,0.994,6,"succeeded","succeed","succeeded","","",8]]', 'succeeded', NULL, '1,1,0,0,0,1,6', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795131454239, NULL, NULL, NULL, '"found"', NULL);
INSERT INTO redrive.finished VALUES (5, 1795131454091, 6, 1795131454198, 19, 17, NULL, 0, 7, 1, 3, 3, 2, 0, 0, 'succeeded', false, '0mwo6x2tn0006gz7gqu1', 'charge', 'default', 'acme', '{"failures":2}', '[0,[1,1,1795131454201,3.408,0,"failed","retry","retryable_error","worker-1-0cjk3kd13z96hu2",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.16511601808739584,{"kind":"failure","effect":"unknown"}],1],[1,2,1795131454227,0.703,4,"failed","retry","retryable_error","","",3,8,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.4192372673579434,{"kind":"failure","effect":"unknown"}],1],[1,3,1795131454255,0.944,8,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', 'order-2', NULL, NULL, NULL, NULL, NULL, NULL, 1795131454265, NULL, NULL, NULL, '{"charged":true}', NULL);
INSERT INTO redrive.finished VALUES (7, 1795131454096, 6, 1795131454198, 19, 17, NULL, 0, 7, 1, 3, 3, 3, 0, 2, 'dead', false, '0mwo6x2tr0006gz7gqu1', 'charge', 'default', '', NULL, '[0,[1,1,1795131454201,3.638,0,"failed","retry","retryable_error","worker-1-0cjk3kd13z96hu2",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.5846071847448441,{"kind":"failure","effect":"unknown"}],1],[1,2,1795131454227,0.932,4,"failed","retry","retryable_error","","",3,8,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.19425096369862282,{"kind":"failure","effect":"unknown"}],1],[1,3,1795131454255,1.987,8,"failed","give-up","max_attempts_exceeded","","",3,null,"retryable",{"type":"Error","message":"connection reset"},[3,0,0,8,0.1795811732656558,{"kind":"failure","effect":"unknown"}],1]]', 'max_attempts_exceeded', 'retryable', '0', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795131454265, NULL, NULL, NULL, NULL, 'fp1:68d2f39d12ce3be5');
INSERT INTO redrive.finished VALUES (6, 1795131454094, 9, 1795131454281, 22, 21, NULL, 0, 10, 2, 1, 4, 0, 0, 0, 'succeeded', false, '0mwo6x2tp0006gz7gqu1', 'charge', 'default', '', '{"failures":9}', '[0,[1,1,1795131454201,3.577,0,"failed","retry","retryable_error","worker-1-0cjk3kd13z96hu2",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.13789925689409543,{"kind":"failure","effect":"unknown"}],1],[1,2,1795131454227,0.445,4,"failed","retry","retryable_error","","",3,7,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.10319514729543011,{"kind":"failure","effect":"unknown"}],1],[1,3,1795131454255,1.084,7,"failed","give-up","max_attempts_exceeded","","",3,null,"retryable",{"type":"Error","message":"connection reset"},[3,0,0,7,0.8665222369590464,{"kind":"failure","effect":"unknown"}],1],[2,1,1795131454281,0.087,0,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, '{"correlationId":"order-7"}', NULL, NULL, 1795131454283, NULL, NULL, NULL, '{"charged":true}', NULL);
INSERT INTO redrive.ids VALUES ('0mwo6x2os0006gz7gqu1', 1, NULL);
INSERT INTO redrive.ids VALUES ('0mwo6x2ot0006gz7gqu1', 2, NULL);
INSERT INTO redrive.ids VALUES ('0mwo6x2ot0016gz7gqu1', 3, NULL);
INSERT INTO redrive.ids VALUES ('0mwo6x2qn0006gz7gqu1', 4, NULL);
INSERT INTO redrive.ids VALUES ('0mwo6x2tn0006gz7gqu1', 5, NULL);
INSERT INTO redrive.ids VALUES ('0mwo6x2tp0006gz7gqu1', 6, NULL);
INSERT INTO redrive.ids VALUES ('0mwo6x2tr0006gz7gqu1', 7, NULL);
INSERT INTO redrive.ids VALUES ('0mwo6x2tt0006gz7gqu1', 8, NULL);
INSERT INTO redrive.ids VALUES ('0mwo6x2tx0006gz7gqu1', 9, NULL);
INSERT INTO redrive.ids VALUES ('0mwo6x2ua0006gz7gqu1', 10, NULL);
INSERT INTO redrive.ids VALUES ('0mwo6x2ub0006gz7gqu1', 11, NULL);
INSERT INTO redrive.ids VALUES ('0mwo6x2ud0006gz7gqu1', 12, NULL);
INSERT INTO redrive.ids VALUES ('0mwo6x2ze0006gz7gqu1', 13, NULL);
INSERT INTO redrive.jobs VALUES (11, 1795131454116, 0, 1795131454116, 9, 0, NULL, 0, 1, 1, 0, 0, 0, 0, 0, 'scheduled', false, '0mwo6x2ub0006gz7gqu1', 'mail', 'default', '', '{"to":"eve@example.org"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795217854116, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO redrive.jobs VALUES (10, 1795131454114, 2, 1795131454200, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'scheduled', false, '0mwo6x2ua0006gz7gqu1', 'report', 'default', '', '{"of":"May"}', '[0,[1,1,1795131454201,4.784,0,"rate_limited","retry","rate_limited","worker-1-0cjk3kd13z96hu2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,3876611,"rate_limited",{"type":"verdict:retry_after","message":"The handler asked for a later time"},[1,0,0,0,0.7683632463815855,{"kind":"failure","effect":"none","retryAfterMs":3600000}],1]]', 'rate_limited', 'rate_limited', '0,1,0,0,0,1,3876611,3876611', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795135330829, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO redrive.jobs VALUES (13, 1795131454299, 0, 1795131454299, 24, 0, NULL, 0, 1, 1, 0, 0, 0, 0, 0, 'ready', false, '0mwo6x2ze0006gz7gqu1', 'mail', 'slow', '', '{"to":"fay@example.org"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO redrive.meta VALUES (1, 1, NULL, '2026-11-19 23:37:33.906962+00');
INSERT INTO redrive.payloads VALUES (7, '{"failures":9,"note":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}', NULL);
INSERT INTO redrive.policies VALUES ('3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506', 'runs.default', '{"enabled":true,"maxAttempts":8,"backoff":"exponential","baseDelayMs":60000,"maxDelayMs":3600000,"multiplier":2,"immediateFirstRetry":false,"jitter":"none","jitterAmount":1,"maxFreeWaits":100,"maxFreeWaitMs":86400000}');
INSERT INTO redrive.policies VALUES ('b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd', 'default', '{"enabled":true,"maxAttempts":3,"backoff":"exponential","baseDelayMs":4,"maxDelayMs":20,"multiplier":2,"immediateFirstRetry":false,"jitter":"proportional","jitterAmount":0.1,"maxFreeWaits":100,"maxFreeWaitMs":86400000}');
INSERT INTO redrive.stops VALUES ('{slow}', '{}', '{}', false);
SELECT pg_catalog.setval('redrive.audit_seq', 24, true);
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
