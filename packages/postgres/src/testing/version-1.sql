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
INSERT INTO redrive.audit_anchors VALUES (1, '0001.00000000000000000726.0000000000000001', '0001.00000000000000000757.0000000000000012', 12, '2ccbd83c6d123379b0495759e2b4cd7b168c618c24707db5310be2f6e381ff9c', '', 'a46ded58f847538cc920f805a6fe22b489cb008971c9362c08d7bacff6e54a86', 1795135979549);
INSERT INTO redrive.audit_anchors VALUES (2, '0001.00000000000000000759.0000000000000014', '0001.00000000000000000771.0000000000000022', 8, 'db821b885e4c605fea2a0bda2265fe9ce77e8b8e0c47af4382b1e467ba90e6b0', 'a46ded58f847538cc920f805a6fe22b489cb008971c9362c08d7bacff6e54a86', '5cd5f4e5441bcfe6c7f171bd49ac4e3ca5e95309629085ce060b283f5ad77e32', 1795135979735);
INSERT INTO redrive.audit_anchors VALUES (3, '0001.00000000000000000775.0000000000000023', '0001.00000000000000000776.0000000000000024', 2, 'a43a35770acd345a885655d98c37cbfe70ac8e80a634f80c7a548844bfb491a5', '5cd5f4e5441bcfe6c7f171bd49ac4e3ca5e95309629085ce060b283f5ad77e32', 'e05ff8ee94ee8ce07367a98f8aae86e80a3e7e4b88469c036a94bd5f42a21cc3', 1795135979780);
INSERT INTO redrive.audit_blocks VALUES (1, 1795135978964, 1, '726', 'writer_1795135977771_1jtnxac1apgbir1.1', '', 'b7109419df8faed05d4ce814ad3e169af90efde4093e2c36b0d25685104096da', '[[["0mwo9m277000jf8oyfev","0mwo9m277001jf8oyfev","0mwo9m277002jf8oyfev"],1,"enqueue",null,"ready",1795135978953,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (2, 1795135979057, 1, '729', 'writer_1795135977771_1jtnxac1apgbir1.2', '', 'c3acb9ddbab535cb46cf022608fc106d447a452cbdf61cfb94452970ebd6b152', '[[["0mwo9m299000jf8oyfev"],1,"enqueue",null,"ready",1795135979049,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO redrive.audit_blocks VALUES (3, 1795135979076, 1, '732', 'writer_1795135977771_1jtnxac1apgbir1.2', 'c3acb9ddbab535cb46cf022608fc106d447a452cbdf61cfb94452970ebd6b152', '475e5394745e10faabbc33433185679da6bd668af99f6cae62c1002cf6bf9447', '[[["0mwo9m2bm000jf8oyfev"],1,"enqueue",null,"ready",1795135979075,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO redrive.audit_blocks VALUES (4, 1795135979098, 1, '734', 'writer_1795135977771_1jtnxac1apgbir1.1', 'b7109419df8faed05d4ce814ad3e169af90efde4093e2c36b0d25685104096da', 'e2f2ce9f51736a156c87ca98f277e393f5a266e1073a830e99314be22b6796c0', '[[["0mwo9m2c7000jf8oyfev"],1,"enqueue",null,"ready",1795135979097,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","correlation":"order-7"}]]');
INSERT INTO redrive.audit_blocks VALUES (5, 1795135979107, 1, '737', 'writer_1795135977771_1jtnxac1apgbir1.1', 'e2f2ce9f51736a156c87ca98f277e393f5a266e1073a830e99314be22b6796c0', '0f2c249008e796f6bc2a1c5b8a58aacb9fd8a93345bbd40061a482308b652288', '[[["0mwo9m2ci000jf8oyfev"],1,"enqueue",null,"ready",1795135979107,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (6, 1795135979125, 1, '740', 'writer_1795135977771_1jtnxac1apgbir1.1', '0f2c249008e796f6bc2a1c5b8a58aacb9fd8a93345bbd40061a482308b652288', 'f613bc0349d32b346eca007ca8f5d554f3d71007bc167192b06b0422ea48ce01', '[[["0mwo9m2cz000jf8oyfev"],1,"enqueue",null,"ready",1795135979124,0,1,0,0,{"by":"app:worker-1","handler":"import","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (7, 1795135979138, 1, '742', 'writer_1795135977771_1jtnxac1apgbir1.1', 'f613bc0349d32b346eca007ca8f5d554f3d71007bc167192b06b0422ea48ce01', '4a43e0e4087068d1b7347eb60f87e4f043610546780ee82df47f95c8d5eaff2d', '[[["0mwo9m2da000jf8oyfev"],1,"enqueue",null,"ready",1795135979138,0,1,0,0,{"by":"app:worker-1","handler":"search","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (8, 1795135979145, 1, '745', 'writer_1795135977771_1jtnxac1apgbir1.1', '4a43e0e4087068d1b7347eb60f87e4f043610546780ee82df47f95c8d5eaff2d', 'dbe9ab72ee71a1809cd781be53403890f47f2aaf11d6090b3f2ccece96629a6b', '[[["0mwo9m2dk000jf8oyfev"],1,"enqueue",null,"ready",1795135979145,0,1,0,0,{"by":"app:worker-1","handler":"report","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (9, 1795135979160, 1, '747', 'writer_1795135977771_1jtnxac1apgbir1.1', 'dbe9ab72ee71a1809cd781be53403890f47f2aaf11d6090b3f2ccece96629a6b', '7138ec5a750f29d1e5b428bbde6ed574a7ceecfe5d069fe873aee52a8756d96a', '[[["0mwo9m2dx000jf8oyfev"],1,"enqueue",null,"scheduled",1795135979159,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default","due":{"inMs":86400000}}]]');
INSERT INTO redrive.audit_blocks VALUES (10, 1795135979162, 1, '749', 'writer_1795135977771_1jtnxac1apgbir1.1', '7138ec5a750f29d1e5b428bbde6ed574a7ceecfe5d069fe873aee52a8756d96a', 'c4f11b7e38c963b0e5ac12a3e841d2f24944a047f3270d10319b1e72a4674f90', '[[["0mwo9m2e1000jf8oyfev"],1,"enqueue",null,"ready",1795135979161,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (11, 1795135979187, 1, '752', 'writer_1795135977771_1jtnxac1apgbir1.2', '475e5394745e10faabbc33433185679da6bd668af99f6cae62c1002cf6bf9447', 'a9f1c5e8a1862928f09cd10b3132189fd81fd5adb0d740aca1a560aa56d250da', '[["0mwo9m2e1000jf8oyfev",2,"cancel","ready","cancelled",1795135979180,0,1,0,10,{"by":"app:worker-1","why":"not wanted"}]]');
INSERT INTO redrive.audit_blocks VALUES (12, 1795135979438, 1, '757', 'writer_1795135977771_1jtnxac1apgbir1.1', 'c4f11b7e38c963b0e5ac12a3e841d2f24944a047f3270d10319b1e72a4674f90', '4bf73766ee747a771bc0b622fb84646e7ac6385ddc3245398c0f194b067118a7', '[[["0mwo9m299000jf8oyfev","0mwo9m2bm000jf8oyfev","0mwo9m2c7000jf8oyfev","0mwo9m2ci000jf8oyfev"],2,"claim","ready","leased",1795135979436,1,1,1,[2,3,4,5],{"by":"worker-1-1jtnxac1apgbir2","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}],
[["0mwo9m277000jf8oyfev","0mwo9m277001jf8oyfev","0mwo9m277002jf8oyfev","0mwo9m2cz000jf8oyfev"],2,"claim","ready","leased",1795135979436,1,1,1,[1,1,1,6],{"by":"worker-1-1jtnxac1apgbir2","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}],
[["0mwo9m2da000jf8oyfev","0mwo9m2dk000jf8oyfev"],2,"claim","ready","leased",1795135979437,1,1,1,[7,8],{"by":"worker-1-1jtnxac1apgbir2","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}]]');
INSERT INTO redrive.audit_blocks VALUES (14, 1795135979558, 1, '759', 'writer_1795135977771_1jtnxac1apgbir1.2', 'a9f1c5e8a1862928f09cd10b3132189fd81fd5adb0d740aca1a560aa56d250da', 'e10f39f3b6fb99b34dc6bab619d4ef929ea99a0428b676f22b5175d30785b57c', '[["gate:[\"reports\",\"\",\"\"]",0,"control",null,null,1795135979558,0,0,0,0,{"by":"worker:worker-1-1jtnxac1apgbir2","act":"close","untilMs":1795139579559,"cut":false}]]');
INSERT INTO redrive.audit_blocks VALUES (13, 1795135979603, 1, '760', 'writer_1795135977771_1jtnxac1apgbir1.1', '4bf73766ee747a771bc0b622fb84646e7ac6385ddc3245398c0f194b067118a7', '9c921fa83feb9a032469dc66f7da65fa3e235d116ff4fd098d0d1ec2ccdb48cb', '[[["0mwo9m2cz000jf8oyfev"],3,"settle","leased","dead",1795135979554,2,1,1,12,{"by":"worker-1-1jtnxac1apgbir2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:final","message":"unknown format"},"action":"give-up","reason":"final_error","entry":"failed","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"final","effect":"none"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795135979438,20.494,0,1,0,0,0,null,0.3784059018895132]]],
[["0mwo9m277000jf8oyfev","0mwo9m277001jf8oyfev","0mwo9m277002jf8oyfev"],3,"settle","leased","succeeded",1795135979554,2,1,1,12,{"by":"worker-1-1jtnxac1apgbir2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1}],
[["0mwo9m2da000jf8oyfev"],3,"settle","leased","scheduled",1795135979554,2,1,1,12,{"by":"worker-1-1jtnxac1apgbir2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"The handler asked for a later time"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":0,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":5},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795135979438,34.801,0,6,1,0,0,0,null,0.6877453955227689]]],
[["0mwo9m299000jf8oyfev","0mwo9m2bm000jf8oyfev","0mwo9m2c7000jf8oyfev","0mwo9m2ci000jf8oyfev"],3,"settle","leased","scheduled",1795135979554,2,1,1,12,{"by":"worker-1-1jtnxac1apgbir2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795135979438,17.376,0,4,1,0,0,0,null,0.48760152721330463],[1,1795135979438,19.995,0,4,1,0,0,0,null,0.7684129509654875],[1,1795135979438,20.231,0,4,1,0,0,0,null,0.4200741657274496],[1,1795135979438,20.322,0,4,1,0,0,0,null,0.497620621002439]]],
[["0mwo9m2dk000jf8oyfev"],3,"settle","leased","scheduled",1795135979554,2,1,1,12,{"by":"worker-1-1jtnxac1apgbir2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"The handler asked for a later time"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":0,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":3600000},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795135979444,47.643,0,3888050,1,0,0,0,null,0.8001386435483088]]],
[["0mwo9m299000jf8oyfev","0mwo9m2c7000jf8oyfev","0mwo9m2bm000jf8oyfev","0mwo9m2ci000jf8oyfev"],4,"claim","ready","leased",1795135979593,3,1,2,13,{"by":"worker-1-1jtnxac1apgbir2","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}],
[["0mwo9m2da000jf8oyfev"],4,"claim","ready","leased",1795135979593,3,1,2,13,{"by":"worker-1-1jtnxac1apgbir2","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}]]');
INSERT INTO redrive.audit_blocks VALUES (20, 1795135979694, 1, '768', 'writer_1795135977771_1jtnxac1apgbir1.2', 'e10f39f3b6fb99b34dc6bab619d4ef929ea99a0428b676f22b5175d30785b57c', '602f768f28639ca4b9f7902f6b75b2c65c48a91bcb33d9db1ccf1b3101acbdbc', '[["0mwo9m2c7000jf8oyfev",8,"requeue","dead","ready",1795135979693,7,2,3,19,{"by":"app:worker-1","why":"the bank answers again"}]]');
INSERT INTO redrive.audit_blocks VALUES (23, 1795135979744, 1, '775', 'writer_1795135977771_1jtnxac1apgbir1.2', '602f768f28639ca4b9f7902f6b75b2c65c48a91bcb33d9db1ccf1b3101acbdbc', '1875e42a06f8fe1254995a961b7335a0b5234b1fe946342a6c7f218d6f7c6421', '[["kill:pause:queue:slow",0,"control",null,null,1795135979744,0,0,0,0,{"by":"ann","why":"maintenance","act":"pause"}]]');
INSERT INTO redrive.audit_blocks VALUES (16, 1795135979628, 1, '763', 'writer_1795135977771_1jtnxac1apgbir1.1', '9c921fa83feb9a032469dc66f7da65fa3e235d116ff4fd098d0d1ec2ccdb48cb', 'c988804fd936032f197f2d1a2a3cd739d013be56c81034eb1912fdad096435b7', '[[["0mwo9m299000jf8oyfev"],5,"settle","leased","succeeded",1795135979623,4,1,2,13,{"by":"worker-1-1jtnxac1apgbir2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}],
[["0mwo9m2da000jf8oyfev"],5,"settle","leased","succeeded",1795135979623,4,1,2,13,{"by":"worker-1-1jtnxac1apgbir2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1}],
[["0mwo9m2c7000jf8oyfev","0mwo9m2bm000jf8oyfev","0mwo9m2ci000jf8oyfev"],5,"settle","leased","scheduled",1795135979623,4,1,2,13,{"by":"worker-1-1jtnxac1apgbir2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[2,1795135979601,0.587,4,8,2,0,0,4,null,0.30195930861455456],[2,1795135979601,0.701,4,8,2,0,0,4,null,0.620769267057286],[2,1795135979601,1.684,4,7,2,0,0,4,null,0.08787548429767833]]]]');
INSERT INTO redrive.audit_blocks VALUES (17, 1795135979649, 1, '764', 'writer_1795135977771_1jtnxac1apgbir1.1', 'c988804fd936032f197f2d1a2a3cd739d013be56c81034eb1912fdad096435b7', '1f61addf3f01b29be35e3531a4fcb9b084dbee57ebf188f1272336ece23e71b1', '[[["0mwo9m2bm000jf8oyfev","0mwo9m2c7000jf8oyfev","0mwo9m2ci000jf8oyfev"],6,"claim","ready","leased",1795135979639,5,1,3,16,{"by":"worker-1-1jtnxac1apgbir2","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO redrive.audit_blocks VALUES (19, 1795135979675, 1, '766', 'writer_1795135977771_1jtnxac1apgbir1.1', '1f61addf3f01b29be35e3531a4fcb9b084dbee57ebf188f1272336ece23e71b1', '127ba2606d75e55b473e96d4ac22cf2eb8898268ba451c6e1c97ba0eb3880dba', '[[["0mwo9m2c7000jf8oyfev","0mwo9m2ci000jf8oyfev"],7,"settle","leased","dead",1795135979669,6,1,3,17,{"by":"worker-1-1jtnxac1apgbir2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"give-up","reason":"max_attempts_exceeded","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[3,1795135979648,0.509,8,15,3,0,0,8,null,0.31516532774481],[3,1795135979648,1.94,7,17,3,0,0,7,null,0.7123263962244943]]],
[["0mwo9m2bm000jf8oyfev"],7,"settle","leased","succeeded",1795135979669,6,1,3,17,{"by":"worker-1-1jtnxac1apgbir2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}]]');
INSERT INTO redrive.audit_blocks VALUES (21, 1795135979708, 1, '769', 'writer_1795135977771_1jtnxac1apgbir1.1', '127ba2606d75e55b473e96d4ac22cf2eb8898268ba451c6e1c97ba0eb3880dba', '7cffbf7aa246c2aea6918edde34af17efe302091424083893d08ecc5a4f29d09', '[[["0mwo9m2c7000jf8oyfev"],9,"claim","ready","leased",1795135979706,8,2,4,20,{"by":"worker-1-1jtnxac1apgbir2","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO redrive.audit_blocks VALUES (22, 1795135979721, 1, '771', 'writer_1795135977771_1jtnxac1apgbir1.1', '7cffbf7aa246c2aea6918edde34af17efe302091424083893d08ecc5a4f29d09', '3fec38d00c84acaff62956f08e335de025c46c140cdf1b4f761feccdc8165a56', '[[["0mwo9m2c7000jf8oyfev"],10,"settle","leased","succeeded",1795135979714,9,2,4,21,{"by":"worker-1-1jtnxac1apgbir2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}]]');
INSERT INTO redrive.audit_blocks VALUES (24, 1795135979748, 1, '776', 'writer_1795135977771_1jtnxac1apgbir1.1', '3fec38d00c84acaff62956f08e335de025c46c140cdf1b4f761feccdc8165a56', 'b10eeda3f88b47fdb97532f7dd537324ae38d41108b1a320cc91001759b06da7', '[[["0mwo9m2ub000jf8oyfev"],1,"enqueue",null,"ready",1795135979748,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"slow"}]]');
INSERT INTO redrive.control_revision VALUES (2, 2);
INSERT INTO redrive.controls VALUES ('gate', '["reports","",""]', 1, '{"untilMs":1795139579559,"sinceMs":1795135979559,"cut":false,"dependency":"reports","credential":"","tenant":""}');
INSERT INTO redrive.controls VALUES ('kill', 'pause:queue:slow', 2, '{"sinceMs":1795135979742,"mode":"finish","by":"ann","why":"maintenance"}');
INSERT INTO redrive.dead_groups VALUES ('fp1:f7bac0256cf639d7', 'verdict:final: unknown format');
INSERT INTO redrive.dead_groups VALUES ('fp1:68d2f39d12ce3be5', 'Error: connection reset');
INSERT INTO redrive.epochs VALUES (1);
INSERT INTO redrive.finished VALUES (12, 1795135979161, 0, 1795135979161, 11, 10, NULL, 0, 2, 1, 0, 0, 0, 0, 0, 'cancelled', false, '0mwo9m2e1000jf8oyfev', 'mail', 'default', '', '{"to":"dan@example.org"}', NULL, 'cancelled', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795135979180, NULL, NULL, NULL, NULL, NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (1, 1795135978953, 2, 1795135979436, 13, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwo9m277000jf8oyfev', 'mail', 'default', '', '{"to":"ada@example.org"}', '[0,[1,1,1795135979438,7.378,0,"succeeded","succeed","succeeded","worker-1-1jtnxac1apgbir2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795135979554, NULL, NULL, NULL, '{"sent":true}', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (2, 1795135978953, 2, 1795135979436, 13, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwo9m277001jf8oyfev', 'mail', 'default', '', '{"to":"bob@example.org"}', '[0,[1,1,1795135979438,19.591,0,"succeeded","succeed","succeeded","worker-1-1jtnxac1apgbir2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795135979554, NULL, NULL, NULL, '{"sent":true}', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (3, 1795135978953, 2, 1795135979436, 13, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwo9m277002jf8oyfev', 'mail', 'default', '', '{"to":"cy@example.org"}', '[0,[1,1,1795135979438,20.142,0,"succeeded","succeed","succeeded","worker-1-1jtnxac1apgbir2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795135979554, NULL, NULL, NULL, '{"sent":true}', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (8, 1795135979124, 2, 1795135979436, 13, 12, NULL, 0, 3, 1, 1, 1, 1, 0, 0, 'dead', false, '0mwo9m2cz000jf8oyfev', 'import', 'default', '', '{"file":"a.csv"}', '[0,[1,1,1795135979438,20.494,0,"failed","give-up","final_error","worker-1-1jtnxac1apgbir2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,null,"final",{"type":"verdict:final","message":"unknown format"},[1,0,0,0,0.3784059018895132,{"kind":"failure","effect":"none"}],1]]', 'final_error', 'final', '0', NULL, 'files', NULL, NULL, NULL, NULL, NULL, 1795135979554, NULL, NULL, NULL, NULL, 'fp1:f7bac0256cf639d7', DEFAULT);
INSERT INTO redrive.finished VALUES (4, 1795135979049, 4, 1795135979436, 16, 13, NULL, 0, 5, 1, 2, 2, 1, 0, 0, 'succeeded', false, '0mwo9m299000jf8oyfev', 'charge', 'default', 'acme', '{"failures":1}', '[0,[1,1,1795135979438,17.376,0,"failed","retry","retryable_error","worker-1-1jtnxac1apgbir2",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.48760152721330463,{"kind":"failure","effect":"unknown"}],1],[1,2,1795135979601,0.365,4,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', 'order-1', NULL, NULL, NULL, NULL, NULL, NULL, 1795135979623, NULL, NULL, NULL, '{"charged":true}', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (9, 1795135979138, 4, 1795135979437, 16, 13, NULL, 0, 5, 1, 2, 2, 0, 0, 0, 'succeeded', false, '0mwo9m2da000jf8oyfev', 'search', 'default', '', '{"q":"x"}', '[0,[1,1,1795135979438,34.801,0,"rate_limited","retry","rate_limited","worker-1-1jtnxac1apgbir2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,6,"rate_limited",{"type":"verdict:retry_after","message":"The handler asked for a later time"},[1,0,0,0,0.6877453955227689,{"kind":"failure","effect":"none","retryAfterMs":5}],1],[1,2,1795135979601,1.745,6,"succeeded","succeed","succeeded","","",8]]', 'succeeded', NULL, '1,1,0,0,0,1,6', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795135979623, NULL, NULL, NULL, '"found"', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (5, 1795135979075, 6, 1795135979436, 19, 17, NULL, 0, 7, 1, 3, 3, 2, 0, 0, 'succeeded', false, '0mwo9m2bm000jf8oyfev', 'charge', 'default', 'acme', '{"failures":2}', '[0,[1,1,1795135979438,19.995,0,"failed","retry","retryable_error","worker-1-1jtnxac1apgbir2",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.7684129509654875,{"kind":"failure","effect":"unknown"}],1],[1,2,1795135979601,0.701,4,"failed","retry","retryable_error","","",3,8,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.620769267057286,{"kind":"failure","effect":"unknown"}],1],[1,3,1795135979648,0.39,8,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', 'order-2', NULL, NULL, NULL, NULL, NULL, NULL, 1795135979669, NULL, NULL, NULL, '{"charged":true}', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (7, 1795135979107, 6, 1795135979436, 19, 17, NULL, 0, 7, 1, 3, 3, 3, 0, 2, 'dead', false, '0mwo9m2ci000jf8oyfev', 'charge', 'default', '', NULL, '[0,[1,1,1795135979438,20.322,0,"failed","retry","retryable_error","worker-1-1jtnxac1apgbir2",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.497620621002439,{"kind":"failure","effect":"unknown"}],1],[1,2,1795135979601,1.684,4,"failed","retry","retryable_error","","",3,7,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.08787548429767833,{"kind":"failure","effect":"unknown"}],1],[1,3,1795135979648,1.94,7,"failed","give-up","max_attempts_exceeded","","",3,null,"retryable",{"type":"Error","message":"connection reset"},[3,0,0,7,0.7123263962244943,{"kind":"failure","effect":"unknown"}],1]]', 'max_attempts_exceeded', 'retryable', '0', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795135979669, NULL, NULL, NULL, NULL, 'fp1:68d2f39d12ce3be5', DEFAULT);
INSERT INTO redrive.finished VALUES (6, 1795135979097, 9, 1795135979706, 22, 21, NULL, 0, 10, 2, 1, 4, 0, 0, 0, 'succeeded', false, '0mwo9m2c7000jf8oyfev', 'charge', 'default', '', '{"failures":9}', '[0,[1,1,1795135979438,20.231,0,"failed","retry","retryable_error","worker-1-1jtnxac1apgbir2",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.4200741657274496,{"kind":"failure","effect":"unknown"}],1],[1,2,1795135979601,0.587,4,"failed","retry","retryable_error","","",3,8,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.30195930861455456,{"kind":"failure","effect":"unknown"}],1],[1,3,1795135979648,0.509,8,"failed","give-up","max_attempts_exceeded","","",3,null,"retryable",{"type":"Error","message":"connection reset"},[3,0,0,8,0.31516532774481,{"kind":"failure","effect":"unknown"}],1],[2,1,1795135979707,0.1,0,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, '{"correlationId":"order-7"}', NULL, NULL, 1795135979714, NULL, NULL, NULL, '{"charged":true}', NULL, DEFAULT);
INSERT INTO redrive.ids VALUES ('0mwo9m277000jf8oyfev', 1, NULL);
INSERT INTO redrive.ids VALUES ('0mwo9m277001jf8oyfev', 2, NULL);
INSERT INTO redrive.ids VALUES ('0mwo9m277002jf8oyfev', 3, NULL);
INSERT INTO redrive.ids VALUES ('0mwo9m299000jf8oyfev', 4, NULL);
INSERT INTO redrive.ids VALUES ('0mwo9m2bm000jf8oyfev', 5, NULL);
INSERT INTO redrive.ids VALUES ('0mwo9m2c7000jf8oyfev', 6, NULL);
INSERT INTO redrive.ids VALUES ('0mwo9m2ci000jf8oyfev', 7, NULL);
INSERT INTO redrive.ids VALUES ('0mwo9m2cz000jf8oyfev', 8, NULL);
INSERT INTO redrive.ids VALUES ('0mwo9m2da000jf8oyfev', 9, NULL);
INSERT INTO redrive.ids VALUES ('0mwo9m2dk000jf8oyfev', 10, NULL);
INSERT INTO redrive.ids VALUES ('0mwo9m2dx000jf8oyfev', 11, NULL);
INSERT INTO redrive.ids VALUES ('0mwo9m2e1000jf8oyfev', 12, NULL);
INSERT INTO redrive.ids VALUES ('0mwo9m2ub000jf8oyfev', 13, NULL);
INSERT INTO redrive.jobs VALUES (11, 1795135979159, 0, 1795135979159, 9, 0, NULL, 0, 1, 1, 0, 0, 0, 0, 0, 'scheduled', false, '0mwo9m2dx000jf8oyfev', 'mail', 'default', '', '{"to":"eve@example.org"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795222379159, NULL, NULL, NULL, NULL, NULL, NULL, NULL, DEFAULT, NULL);
INSERT INTO redrive.jobs VALUES (10, 1795135979145, 2, 1795135979437, 13, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'scheduled', false, '0mwo9m2dk000jf8oyfev', 'report', 'default', '', '{"of":"May"}', '[0,[1,1,1795135979444,47.643,0,"rate_limited","retry","rate_limited","worker-1-1jtnxac1apgbir2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,3888050,"rate_limited",{"type":"verdict:retry_after","message":"The handler asked for a later time"},[1,0,0,0,0.8001386435483088,{"kind":"failure","effect":"none","retryAfterMs":3600000}],1]]', 'rate_limited', 'rate_limited', '0,1,0,0,0,1,3888050,3888050', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795139867604, NULL, NULL, NULL, NULL, NULL, NULL, NULL, DEFAULT, NULL);
INSERT INTO redrive.jobs VALUES (13, 1795135979748, 0, 1795135979748, 24, 0, NULL, 0, 1, 1, 0, 0, 0, 0, 0, 'ready', false, '0mwo9m2ub000jf8oyfev', 'mail', 'slow', '', '{"to":"fay@example.org"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, DEFAULT, NULL);
INSERT INTO redrive.meta VALUES (1, 1, NULL, '2026-11-20 00:52:58.882979+00');
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
