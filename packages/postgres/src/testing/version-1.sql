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
INSERT INTO redrive.audit_anchors VALUES (1, '0001.00000000000000000726.0000000000000001', '0001.00000000000000000752.0000000000000011', 11, 'b367f61c957400695a608f2cea09451ee49c46c810ebfe25dc6e3f45574e9651', '', 'da891440f8025284714d71414b191abb0f769c687dfa8aee9777813ea7f7b89a', 1795111455043);
INSERT INTO redrive.audit_anchors VALUES (2, '0001.00000000000000000757.0000000000000012', '0001.00000000000000000772.0000000000000022', 9, '2dd9270b55c153dd8fcc31496a076705d289edf01dc148c909a2fef74fa03272', 'da891440f8025284714d71414b191abb0f769c687dfa8aee9777813ea7f7b89a', 'e266396af01afc0a1fc0f4f01266e1ea271740933502dd861d0a855c50b71538', 1795111455396);
INSERT INTO redrive.audit_anchors VALUES (3, '0001.00000000000000000776.0000000000000023', '0001.00000000000000000778.0000000000000024', 2, 'aa67adcf2d9da1e64c9c03b720d33e385cbeb467a6cd8eea4f25a344bd265197', 'e266396af01afc0a1fc0f4f01266e1ea271740933502dd861d0a855c50b71538', '76129f82ca6ce470b5724fceeb2aaf161e8ab5ad81c24eb5c338ef477dda90f6', 1795111455408);
INSERT INTO redrive.audit_blocks VALUES (1, 1795111454402, 1, '726', 'writer_1795111453311_1dfx6uc0k5eolw1.1', '', '0a505d5a25e1a5e515367e3d15ca647ac340a61f4b6cb0efb7bff3f87964b5c6', '[[["0mwnv0ev6000fuk8lc0q","0mwnv0ev6001fuk8lc0q","0mwnv0ev6002fuk8lc0q"],1,"enqueue",null,"ready",1795111454396,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (2, 1795111454602, 1, '729', 'writer_1795111453311_1dfx6uc0k5eolw1.2', '', 'c5a8e7e0397f1c4031db46fef8406553a9e98de2c23385c2e1a3625075824e1f', '[[["0mwnv0ez3000fuk8lc0q"],1,"enqueue",null,"ready",1795111454518,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO redrive.audit_blocks VALUES (3, 1795111454631, 1, '731', 'writer_1795111453311_1dfx6uc0k5eolw1.2', 'c5a8e7e0397f1c4031db46fef8406553a9e98de2c23385c2e1a3625075824e1f', '23d377963983e15ee0db4d8904ad6ef5403433cacc9ba67808a0efaba533f2ac', '[[["0mwnv0f52000fuk8lc0q"],1,"enqueue",null,"ready",1795111454631,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO redrive.audit_blocks VALUES (4, 1795111454650, 1, '734', 'writer_1795111453311_1dfx6uc0k5eolw1.1', '0a505d5a25e1a5e515367e3d15ca647ac340a61f4b6cb0efb7bff3f87964b5c6', '9ae70bc9335afaf662b277c406944ee2c5fdf0db9bad51a3b5d353a26c034e32', '[[["0mwnv0f54000fuk8lc0q"],1,"enqueue",null,"ready",1795111454650,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","correlation":"order-7"}]]');
INSERT INTO redrive.audit_blocks VALUES (5, 1795111454655, 1, '737', 'writer_1795111453311_1dfx6uc0k5eolw1.1', '9ae70bc9335afaf662b277c406944ee2c5fdf0db9bad51a3b5d353a26c034e32', '9f08d306267cff66169d7fb60c771f4379ff6c034535a9c42707f93299652d9d', '[[["0mwnv0f5q000fuk8lc0q"],1,"enqueue",null,"ready",1795111454655,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (6, 1795111454664, 1, '739', 'writer_1795111453311_1dfx6uc0k5eolw1.1', '9f08d306267cff66169d7fb60c771f4379ff6c034535a9c42707f93299652d9d', '11eb952528c4c1d44a6621bff595972299c57ad5cbaf74f09e232e0003cc7945', '[[["0mwnv0f5y000fuk8lc0q"],1,"enqueue",null,"ready",1795111454663,0,1,0,0,{"by":"app:worker-1","handler":"import","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (7, 1795111454758, 1, '742', 'writer_1795111453311_1dfx6uc0k5eolw1.1', '11eb952528c4c1d44a6621bff595972299c57ad5cbaf74f09e232e0003cc7945', '043ad770968e699e2991c3b72aac76387828fce78bee72faedf8d9aa5e11494e', '[[["0mwnv0f65000fuk8lc0q"],1,"enqueue",null,"ready",1795111454757,0,1,0,0,{"by":"app:worker-1","handler":"search","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (8, 1795111454767, 1, '745', 'writer_1795111453311_1dfx6uc0k5eolw1.1', '043ad770968e699e2991c3b72aac76387828fce78bee72faedf8d9aa5e11494e', 'fec8167b84709773c8f66c7b50a66c2179815db02fd974f58b50956918836965', '[[["0mwnv0f8t000fuk8lc0q"],1,"enqueue",null,"ready",1795111454767,0,1,0,0,{"by":"app:worker-1","handler":"report","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (9, 1795111454780, 1, '747', 'writer_1795111453311_1dfx6uc0k5eolw1.1', 'fec8167b84709773c8f66c7b50a66c2179815db02fd974f58b50956918836965', '8b66a4cc152a805eac02a19930f2d7e599dc8d9cbaf0ca06befdd3d7370a6a47', '[[["0mwnv0f93000fuk8lc0q"],1,"enqueue",null,"scheduled",1795111454779,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default","due":{"inMs":86400000}}]]');
INSERT INTO redrive.audit_blocks VALUES (10, 1795111454803, 1, '750', 'writer_1795111453311_1dfx6uc0k5eolw1.1', '8b66a4cc152a805eac02a19930f2d7e599dc8d9cbaf0ca06befdd3d7370a6a47', 'f74b7f1455134eda9eabc610f25af5d979914340bc65aeceb1d0f4c5e5220815', '[[["0mwnv0f9u000fuk8lc0q"],1,"enqueue",null,"ready",1795111454803,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (11, 1795111454841, 1, '752', 'writer_1795111453311_1dfx6uc0k5eolw1.2', '23d377963983e15ee0db4d8904ad6ef5403433cacc9ba67808a0efaba533f2ac', '88225fdee23834f108ecaa5d02861b44b3b7b5d376e7932a9b17bc8ad31e336f', '[["0mwnv0f9u000fuk8lc0q",2,"cancel","ready","cancelled",1795111454823,0,1,0,10,{"by":"app:worker-1","why":"not wanted"}]]');
INSERT INTO redrive.audit_blocks VALUES (12, 1795111455016, 1, '757', 'writer_1795111453311_1dfx6uc0k5eolw1.1', 'f74b7f1455134eda9eabc610f25af5d979914340bc65aeceb1d0f4c5e5220815', '602459a07e20c9c6891b320aa315800b8c84fb18ce7c4078c45a71e88bd8f102', '[[["0mwnv0ez3000fuk8lc0q","0mwnv0f52000fuk8lc0q","0mwnv0f54000fuk8lc0q","0mwnv0f5q000fuk8lc0q"],2,"claim","ready","leased",1795111454994,1,1,1,[2,3,4,5],{"by":"worker-1-1dfx6uc0k5eolw2","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}],
[["0mwnv0ev6000fuk8lc0q","0mwnv0ev6001fuk8lc0q","0mwnv0ev6002fuk8lc0q","0mwnv0f5y000fuk8lc0q"],2,"claim","ready","leased",1795111454994,1,1,1,[1,1,1,6],{"by":"worker-1-1dfx6uc0k5eolw2","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}],
[["0mwnv0f65000fuk8lc0q","0mwnv0f8t000fuk8lc0q"],2,"claim","ready","leased",1795111455016,1,1,1,[7,8],{"by":"worker-1-1dfx6uc0k5eolw2","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}]]');
INSERT INTO redrive.audit_blocks VALUES (13, 1795111455076, 1, '758', 'writer_1795111453311_1dfx6uc0k5eolw1.2', '88225fdee23834f108ecaa5d02861b44b3b7b5d376e7932a9b17bc8ad31e336f', '71d4c00b1a832e618929b12ab25eb1e8877e535b28cf2f6f28d277326f54f76d', '[["gate:[\"reports\",\"\",\"\"]",0,"control",null,null,1795111455076,0,0,0,0,{"by":"worker:worker-1-1dfx6uc0k5eolw2","act":"close","untilMs":1795115055106,"cut":false}]]');
INSERT INTO redrive.audit_blocks VALUES (14, 1795111455134, 1, '760', 'writer_1795111453311_1dfx6uc0k5eolw1.1', '602459a07e20c9c6891b320aa315800b8c84fb18ce7c4078c45a71e88bd8f102', 'acff927dc4fe43d6597de4b53414155de7b8f3bb0b288d820b18b952d8489e9b', '[[["0mwnv0ev6000fuk8lc0q","0mwnv0ev6001fuk8lc0q","0mwnv0ev6002fuk8lc0q"],3,"settle","leased","succeeded",1795111455098,2,1,1,12,{"by":"worker-1-1dfx6uc0k5eolw2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":3}],
[["0mwnv0f5y000fuk8lc0q"],3,"settle","leased","dead",1795111455098,2,1,1,12,{"by":"worker-1-1dfx6uc0k5eolw2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:final","message":"unknown format"},"action":"give-up","reason":"final_error","entry":"failed","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":3,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"final","effect":"none"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795111455025,11.051,0,1,0,0,0,null,0.1424584928972299]]],
[["0mwnv0ez3000fuk8lc0q","0mwnv0f52000fuk8lc0q","0mwnv0f54000fuk8lc0q","0mwnv0f5q000fuk8lc0q"],3,"settle","leased","scheduled",1795111455098,2,1,1,12,{"by":"worker-1-1dfx6uc0k5eolw2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":3,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795111455024,6.096,0,4,1,0,0,0,null,0.6371229541469009],[1,1795111455025,10.722,0,4,1,0,0,0,null,0.2492844047032895],[1,1795111455025,10.86,0,4,1,0,0,0,null,0.29269082635131816],[1,1795111455025,10.937,0,4,1,0,0,0,null,0.2208525425072061]]],
[["0mwnv0f8t000fuk8lc0q"],3,"settle","leased","scheduled",1795111455098,2,1,1,12,{"by":"worker-1-1dfx6uc0k5eolw2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"The handler asked for a later time"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":0,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":3,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":3600000},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795111455025,11.813,0,3703761,1,0,0,0,null,0.2882245534320401]]],
[["0mwnv0f65000fuk8lc0q"],3,"settle","leased","scheduled",1795111455098,2,1,1,12,{"by":"worker-1-1dfx6uc0k5eolw2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"The handler asked for a later time"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":0,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":3,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":5},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795111455025,11.733,0,6,1,0,0,0,null,0.807785858713991]]],
[["0mwnv0ez3000fuk8lc0q","0mwnv0f54000fuk8lc0q","0mwnv0f52000fuk8lc0q","0mwnv0f5q000fuk8lc0q"],4,"claim","ready","leased",1795111455126,3,1,2,14,{"by":"worker-1-1dfx6uc0k5eolw2","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}],
[["0mwnv0f65000fuk8lc0q"],4,"claim","ready","leased",1795111455126,3,1,2,14,{"by":"worker-1-1dfx6uc0k5eolw2","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}]]');
INSERT INTO redrive.audit_blocks VALUES (20, 1795111455282, 1, '768', 'writer_1795111453311_1dfx6uc0k5eolw1.2', '71d4c00b1a832e618929b12ab25eb1e8877e535b28cf2f6f28d277326f54f76d', '49fc3bb53a118cbceb2b0456fc253250b17bf37dea7c0eb6e17014cbaa9248ab', '[["0mwnv0f54000fuk8lc0q",8,"requeue","dead","ready",1795111455281,7,2,3,19,{"by":"app:worker-1","why":"the bank answers again"}]]');
INSERT INTO redrive.audit_blocks VALUES (23, 1795111455400, 1, '776', 'writer_1795111453311_1dfx6uc0k5eolw1.2', '49fc3bb53a118cbceb2b0456fc253250b17bf37dea7c0eb6e17014cbaa9248ab', '86905e009285655e9619bb3fefddd70798f020f14d587d953787d1706144cbff', '[["kill:pause:queue:slow",0,"control",null,null,1795111455400,0,0,0,0,{"by":"ann","why":"maintenance","act":"pause"}]]');
INSERT INTO redrive.audit_blocks VALUES (16, 1795111455181, 1, '763', 'writer_1795111453311_1dfx6uc0k5eolw1.1', 'acff927dc4fe43d6597de4b53414155de7b8f3bb0b288d820b18b952d8489e9b', 'ea0658b16d445849bbe78f6b8659d65054dbcbdb11f5889e6c3dde79cbb9f6f4', '[[["0mwnv0f65000fuk8lc0q"],5,"settle","leased","succeeded",1795111455172,4,1,2,14,{"by":"worker-1-1dfx6uc0k5eolw2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":3}],
[["0mwnv0ez3000fuk8lc0q"],5,"settle","leased","succeeded",1795111455172,4,1,2,14,{"by":"worker-1-1dfx6uc0k5eolw2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":3}],
[["0mwnv0f54000fuk8lc0q","0mwnv0f52000fuk8lc0q","0mwnv0f5q000fuk8lc0q"],5,"settle","leased","scheduled",1795111455172,4,1,2,14,{"by":"worker-1-1dfx6uc0k5eolw2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":3,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[2,1795111455128,0.439,4,7,2,0,0,4,null,0.02586124612815488],[2,1795111455128,0.521,4,8,2,0,0,4,null,0.78367274218185],[2,1795111455128,0.631,4,9,2,0,0,4,null,0.9878822631043709]]]]');
INSERT INTO redrive.audit_blocks VALUES (17, 1795111455241, 1, '765', 'writer_1795111453311_1dfx6uc0k5eolw1.1', 'ea0658b16d445849bbe78f6b8659d65054dbcbdb11f5889e6c3dde79cbb9f6f4', '73db3586f1393c4b5538826d921ab880b81f13024cad8c6b308f687f4b4fb85b', '[[["0mwnv0f52000fuk8lc0q","0mwnv0f54000fuk8lc0q","0mwnv0f5q000fuk8lc0q"],6,"claim","ready","leased",1795111455221,5,1,3,16,{"by":"worker-1-1dfx6uc0k5eolw2","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO redrive.audit_blocks VALUES (19, 1795111455268, 1, '767', 'writer_1795111453311_1dfx6uc0k5eolw1.1', '73db3586f1393c4b5538826d921ab880b81f13024cad8c6b308f687f4b4fb85b', 'b6c57e26cbf7d78481cf09c37179d8df67f031054d9fbe4c66c4808800848aa2', '[[["0mwnv0f54000fuk8lc0q","0mwnv0f5q000fuk8lc0q"],7,"settle","leased","dead",1795111455264,6,1,3,17,{"by":"worker-1-1dfx6uc0k5eolw2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"give-up","reason":"max_attempts_exceeded","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":3,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[3,1795111455239,0.344,7,17,3,0,0,7,null,0.9565520365531653],[3,1795111455239,0.852,9,17,3,0,0,9,null,0.8710110532601529]]],
[["0mwnv0f52000fuk8lc0q"],7,"settle","leased","succeeded",1795111455264,6,1,3,17,{"by":"worker-1-1dfx6uc0k5eolw2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":3}]]');
INSERT INTO redrive.audit_blocks VALUES (21, 1795111455302, 1, '770', 'writer_1795111453311_1dfx6uc0k5eolw1.1', 'b6c57e26cbf7d78481cf09c37179d8df67f031054d9fbe4c66c4808800848aa2', 'a83c0b6470827d0f2b959dcc188d3f0bc3dbd353b21b21d55c0539d4361eb14b', '[[["0mwnv0f54000fuk8lc0q"],9,"claim","ready","leased",1795111455301,8,2,4,20,{"by":"worker-1-1dfx6uc0k5eolw2","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO redrive.audit_blocks VALUES (22, 1795111455318, 1, '772', 'writer_1795111453311_1dfx6uc0k5eolw1.1', 'a83c0b6470827d0f2b959dcc188d3f0bc3dbd353b21b21d55c0539d4361eb14b', 'e416afba0236a951ac83fe21b85179b1c36a3dae869e00990ee0592b17e52075', '[[["0mwnv0f54000fuk8lc0q"],10,"settle","leased","succeeded",1795111455306,9,2,4,21,{"by":"worker-1-1dfx6uc0k5eolw2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":3}]]');
INSERT INTO redrive.audit_blocks VALUES (24, 1795111455405, 1, '778', 'writer_1795111453311_1dfx6uc0k5eolw1.1', 'e416afba0236a951ac83fe21b85179b1c36a3dae869e00990ee0592b17e52075', '3680900c93227c2c14b9c38eef16b43f34de7b41a109ac9c577ed5ee68a38030', '[[["0mwnv0fql000fuk8lc0q"],1,"enqueue",null,"ready",1795111455405,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"slow"}]]');
INSERT INTO redrive.control_revision VALUES (2, 2);
INSERT INTO redrive.controls VALUES ('gate', '["reports","",""]', 1, '{"untilMs":1795115055106,"sinceMs":1795111455106,"cut":false,"dependency":"reports","credential":"","tenant":""}');
INSERT INTO redrive.controls VALUES ('kill', 'pause:queue:slow', 2, '{"sinceMs":1795111455399,"mode":"finish","by":"ann","why":"maintenance"}');
INSERT INTO redrive.dead_groups VALUES ('fp1:f7bac0256cf639d7', 'verdict:final: unknown format');
INSERT INTO redrive.dead_groups VALUES ('fp1:68d2f39d12ce3be5', 'Error: connection reset');
INSERT INTO redrive.epochs VALUES (1);
INSERT INTO redrive.finished VALUES (12, 1795111454803, 0, 1795111454803, 11, 10, NULL, 0, 2, 1, 0, 0, 0, 0, 0, 'cancelled', false, '0mwnv0f9u000fuk8lc0q', 'mail', 'default', '', '{"to":"dan@example.org"}', NULL, 'cancelled', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795111454823, NULL, NULL, NULL, NULL, NULL);
INSERT INTO redrive.finished VALUES (1, 1795111454396, 2, 1795111454994, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwnv0ev6000fuk8lc0q', 'mail', 'default', '', '{"to":"ada@example.org"}', '[0,[1,1,1795111455022,3.233,0,"succeeded","succeed","succeeded","worker-1-1dfx6uc0k5eolw2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795111455098, NULL, NULL, NULL, '{"sent":true}', NULL);
INSERT INTO redrive.finished VALUES (2, 1795111454396, 2, 1795111454994, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwnv0ev6001fuk8lc0q', 'mail', 'default', '', '{"to":"bob@example.org"}', '[0,[1,1,1795111455025,10.46,0,"succeeded","succeed","succeeded","worker-1-1dfx6uc0k5eolw2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795111455098, NULL, NULL, NULL, '{"sent":true}', NULL);
INSERT INTO redrive.finished VALUES (3, 1795111454396, 2, 1795111454994, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwnv0ev6002fuk8lc0q', 'mail', 'default', '', '{"to":"cy@example.org"}', '[0,[1,1,1795111455025,10.791,0,"succeeded","succeed","succeeded","worker-1-1dfx6uc0k5eolw2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795111455098, NULL, NULL, NULL, '{"sent":true}', NULL);
INSERT INTO redrive.finished VALUES (8, 1795111454663, 2, 1795111454994, 14, 12, NULL, 0, 3, 1, 1, 1, 1, 0, 0, 'dead', false, '0mwnv0f5y000fuk8lc0q', 'import', 'default', '', '{"file":"a.csv"}', '[0,[1,1,1795111455025,11.051,0,"failed","give-up","final_error","worker-1-1dfx6uc0k5eolw2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,null,"final",{"type":"verdict:final","message":"unknown format"},[1,0,0,0,0.1424584928972299,{"kind":"failure","effect":"none"}],3]]', 'final_error', 'final', '0', NULL, 'files', NULL, NULL, NULL, NULL, NULL, 1795111455098, NULL, NULL, NULL, NULL, 'fp1:f7bac0256cf639d7');
INSERT INTO redrive.finished VALUES (4, 1795111454518, 4, 1795111454994, 16, 14, NULL, 0, 5, 1, 2, 2, 1, 0, 0, 'succeeded', false, '0mwnv0ez3000fuk8lc0q', 'charge', 'default', 'acme', '{"failures":1}', '[0,[1,1,1795111455024,6.096,0,"failed","retry","retryable_error","worker-1-1dfx6uc0k5eolw2",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.6371229541469009,{"kind":"failure","effect":"unknown"}],3],[1,2,1795111455128,0.431,4,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', 'order-1', NULL, NULL, NULL, NULL, NULL, NULL, 1795111455172, NULL, NULL, NULL, '{"charged":true}', NULL);
INSERT INTO redrive.finished VALUES (9, 1795111454757, 4, 1795111455016, 16, 14, NULL, 0, 5, 1, 2, 2, 0, 0, 0, 'succeeded', false, '0mwnv0f65000fuk8lc0q', 'search', 'default', '', '{"q":"x"}', '[0,[1,1,1795111455025,11.733,0,"rate_limited","retry","rate_limited","worker-1-1dfx6uc0k5eolw2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,6,"rate_limited",{"type":"verdict:retry_after","message":"The handler asked for a later time"},[1,0,0,0,0.807785858713991,{"kind":"failure","effect":"none","retryAfterMs":5}],3],[1,2,1795111455128,0.674,6,"succeeded","succeed","succeeded","","",8]]', 'succeeded', NULL, '1,1,0,0,0,1,6', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795111455172, NULL, NULL, NULL, '"found"', NULL);
INSERT INTO redrive.finished VALUES (5, 1795111454631, 6, 1795111454994, 19, 17, NULL, 0, 7, 1, 3, 3, 2, 0, 0, 'succeeded', false, '0mwnv0f52000fuk8lc0q', 'charge', 'default', 'acme', '{"failures":2}', '[0,[1,1,1795111455025,10.722,0,"failed","retry","retryable_error","worker-1-1dfx6uc0k5eolw2",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.2492844047032895,{"kind":"failure","effect":"unknown"}],3],[1,2,1795111455128,0.521,4,"failed","retry","retryable_error","","",3,8,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.78367274218185,{"kind":"failure","effect":"unknown"}],3],[1,3,1795111455239,0.224,8,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', 'order-2', NULL, NULL, NULL, NULL, NULL, NULL, 1795111455264, NULL, NULL, NULL, '{"charged":true}', NULL);
INSERT INTO redrive.finished VALUES (7, 1795111454655, 6, 1795111454994, 19, 17, NULL, 0, 7, 1, 3, 3, 3, 0, 2, 'dead', false, '0mwnv0f5q000fuk8lc0q', 'charge', 'default', '', NULL, '[0,[1,1,1795111455025,10.937,0,"failed","retry","retryable_error","worker-1-1dfx6uc0k5eolw2",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.2208525425072061,{"kind":"failure","effect":"unknown"}],3],[1,2,1795111455128,0.631,4,"failed","retry","retryable_error","","",3,9,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.9878822631043709,{"kind":"failure","effect":"unknown"}],3],[1,3,1795111455239,0.852,9,"failed","give-up","max_attempts_exceeded","","",3,null,"retryable",{"type":"Error","message":"connection reset"},[3,0,0,9,0.8710110532601529,{"kind":"failure","effect":"unknown"}],3]]', 'max_attempts_exceeded', 'retryable', '0', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795111455264, NULL, NULL, NULL, NULL, 'fp1:68d2f39d12ce3be5');
INSERT INTO redrive.finished VALUES (6, 1795111454650, 9, 1795111455301, 22, 21, NULL, 0, 10, 2, 1, 4, 0, 0, 0, 'succeeded', false, '0mwnv0f54000fuk8lc0q', 'charge', 'default', '', '{"failures":9}', '[0,[1,1,1795111455025,10.86,0,"failed","retry","retryable_error","worker-1-1dfx6uc0k5eolw2",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.29269082635131816,{"kind":"failure","effect":"unknown"}],3],[1,2,1795111455128,0.439,4,"failed","retry","retryable_error","","",3,7,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.02586124612815488,{"kind":"failure","effect":"unknown"}],3],[1,3,1795111455239,0.344,7,"failed","give-up","max_attempts_exceeded","","",3,null,"retryable",{"type":"Error","message":"connection reset"},[3,0,0,7,0.9565520365531653,{"kind":"failure","effect":"unknown"}],3],[2,1,1795111455302,0.064,0,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, '{"correlationId":"order-7"}', NULL, NULL, 1795111455306, NULL, NULL, NULL, '{"charged":true}', NULL);
INSERT INTO redrive.ids VALUES ('0mwnv0ev6000fuk8lc0q', 1, NULL);
INSERT INTO redrive.ids VALUES ('0mwnv0ev6001fuk8lc0q', 2, NULL);
INSERT INTO redrive.ids VALUES ('0mwnv0ev6002fuk8lc0q', 3, NULL);
INSERT INTO redrive.ids VALUES ('0mwnv0ez3000fuk8lc0q', 4, NULL);
INSERT INTO redrive.ids VALUES ('0mwnv0f52000fuk8lc0q', 5, NULL);
INSERT INTO redrive.ids VALUES ('0mwnv0f54000fuk8lc0q', 6, NULL);
INSERT INTO redrive.ids VALUES ('0mwnv0f5q000fuk8lc0q', 7, NULL);
INSERT INTO redrive.ids VALUES ('0mwnv0f5y000fuk8lc0q', 8, NULL);
INSERT INTO redrive.ids VALUES ('0mwnv0f65000fuk8lc0q', 9, NULL);
INSERT INTO redrive.ids VALUES ('0mwnv0f8t000fuk8lc0q', 10, NULL);
INSERT INTO redrive.ids VALUES ('0mwnv0f93000fuk8lc0q', 11, NULL);
INSERT INTO redrive.ids VALUES ('0mwnv0f9u000fuk8lc0q', 12, NULL);
INSERT INTO redrive.ids VALUES ('0mwnv0fql000fuk8lc0q', 13, NULL);
INSERT INTO redrive.jobs VALUES (11, 1795111454779, 0, 1795111454779, 9, 0, NULL, 0, 1, 1, 0, 0, 0, 0, 0, 'scheduled', false, '0mwnv0f93000fuk8lc0q', 'mail', 'default', '', '{"to":"eve@example.org"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795197854779, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO redrive.jobs VALUES (10, 1795111454767, 2, 1795111455016, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'scheduled', false, '0mwnv0f8t000fuk8lc0q', 'report', 'default', '', '{"of":"May"}', '[0,[1,1,1795111455025,11.813,0,"rate_limited","retry","rate_limited","worker-1-1dfx6uc0k5eolw2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,3703761,"rate_limited",{"type":"verdict:retry_after","message":"The handler asked for a later time"},[1,0,0,0,0.2882245534320401,{"kind":"failure","effect":"none","retryAfterMs":3600000}],3]]', 'rate_limited', 'rate_limited', '0,1,0,0,0,1,3703761,3703761', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795115158859, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO redrive.jobs VALUES (13, 1795111455405, 0, 1795111455405, 24, 0, NULL, 0, 1, 1, 0, 0, 0, 0, 0, 'ready', false, '0mwnv0fql000fuk8lc0q', 'mail', 'slow', '', '{"to":"fay@example.org"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO redrive.meta VALUES (1, 1, NULL, '2026-11-19 18:04:14.181678+00');
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
