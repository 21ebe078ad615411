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
INSERT INTO redrive.audit_anchors VALUES (1, '0001.00000000000000000726.0000000000000001', '0001.00000000000000000752.0000000000000012', 12, 'd92c9e5c54b918ebf0111ca9b45655ba27bcefe82d23a3cccc6764b069099931', '', '7e4f2c59756797146e861dee983f5a28504f3aef38ba769506baae8cbfd7d7c0', 1795134354468);
INSERT INTO redrive.audit_anchors VALUES (2, '0001.00000000000000000753.0000000000000013', '0001.00000000000000000763.0000000000000022', 8, 'e98dcf541762debb9220ec9a4bb9846f9904eb89bc465a3f211d574dfd7a4541', '7e4f2c59756797146e861dee983f5a28504f3aef38ba769506baae8cbfd7d7c0', '343ea81c3ca30dc6f2f985fb0acba70f79430e85691369dbd9b0b050c8a5f618', 1795134354516);
INSERT INTO redrive.audit_anchors VALUES (3, '0001.00000000000000000767.0000000000000023', '0001.00000000000000000768.0000000000000024', 2, 'ae9a6ac13729cc32e14e82b94e0480f4b18080134d2431865cb92fd4fd07c504', '343ea81c3ca30dc6f2f985fb0acba70f79430e85691369dbd9b0b050c8a5f618', '0f1857645da5b7a1a13f697d0f1b9c360c05208fb21318cb55a2f3896cd0b9a5', 1795134354523);
INSERT INTO redrive.audit_blocks VALUES (1, 1795134354357, 1, '726', 'writer_1795134354204_0azjjyd0v1e1gt1.1', '', 'd5e73a25a02fdec854328621b74cdd9a6f00c49d4a21aa7af60c16f9d4b82741', '[[["0mwo8n8o4000t1am947m","0mwo8n8o4001t1am947m","0mwo8n8o4002t1am947m"],1,"enqueue",null,"ready",1795134354353,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (2, 1795134354376, 1, '729', 'writer_1795134354204_0azjjyd0v1e1gt1.2', '', '974ff8eb6b5af1f4275f50b39f27a0c79e8ff9624d50ecfab82a5be6df3849e2', '[[["0mwo8n8oo000t1am947m"],1,"enqueue",null,"ready",1795134354372,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO redrive.audit_blocks VALUES (3, 1795134354379, 1, '731', 'writer_1795134354204_0azjjyd0v1e1gt1.2', '974ff8eb6b5af1f4275f50b39f27a0c79e8ff9624d50ecfab82a5be6df3849e2', 'befd02e3cea27fe8d319bf3bf14c01132699f5299539c0e07df60bac2c18d9a8', '[[["0mwo8n8p6000t1am947m"],1,"enqueue",null,"ready",1795134354379,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO redrive.audit_blocks VALUES (4, 1795134354381, 1, '733', 'writer_1795134354204_0azjjyd0v1e1gt1.1', 'd5e73a25a02fdec854328621b74cdd9a6f00c49d4a21aa7af60c16f9d4b82741', '6a07c3bdd7069e845838ac6ae5f8bc4bd89b96e866afdd728c1681b5c1668a4d', '[[["0mwo8n8p8000t1am947m"],1,"enqueue",null,"ready",1795134354381,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","correlation":"order-7"}]]');
INSERT INTO redrive.audit_blocks VALUES (5, 1795134354383, 1, '735', 'writer_1795134354204_0azjjyd0v1e1gt1.1', '6a07c3bdd7069e845838ac6ae5f8bc4bd89b96e866afdd728c1681b5c1668a4d', '272a645e5a4f585b8bd420a9278ca199425c745b4261e7f49ee6dfa1863e638a', '[[["0mwo8n8pa000t1am947m"],1,"enqueue",null,"ready",1795134354383,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (6, 1795134354385, 1, '737', 'writer_1795134354204_0azjjyd0v1e1gt1.1', '272a645e5a4f585b8bd420a9278ca199425c745b4261e7f49ee6dfa1863e638a', '8914a60c235283f0edbef1be114cfbbc4bfce01c4a1875cfb75bbff5d12cb890', '[[["0mwo8n8pc000t1am947m"],1,"enqueue",null,"ready",1795134354384,0,1,0,0,{"by":"app:worker-1","handler":"import","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (7, 1795134354386, 1, '739', 'writer_1795134354204_0azjjyd0v1e1gt1.1', '8914a60c235283f0edbef1be114cfbbc4bfce01c4a1875cfb75bbff5d12cb890', 'd6ec553ecd7001dd306d330afe3aaa177847bf8289d1882a2b381607ff81dc78', '[[["0mwo8n8pd000t1am947m"],1,"enqueue",null,"ready",1795134354386,0,1,0,0,{"by":"app:worker-1","handler":"search","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (8, 1795134354387, 1, '741', 'writer_1795134354204_0azjjyd0v1e1gt1.1', 'd6ec553ecd7001dd306d330afe3aaa177847bf8289d1882a2b381607ff81dc78', 'ac446907fa25ba5d124dfa76e75aa1909c087e133caf2b18e31fc372bec3620b', '[[["0mwo8n8pe000t1am947m"],1,"enqueue",null,"ready",1795134354387,0,1,0,0,{"by":"app:worker-1","handler":"report","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (9, 1795134354388, 1, '743', 'writer_1795134354204_0azjjyd0v1e1gt1.1', 'ac446907fa25ba5d124dfa76e75aa1909c087e133caf2b18e31fc372bec3620b', '013b7503c2b41092fcd2009aaccf0d9fd0b5e5be042206b6045bf747a834df78', '[[["0mwo8n8pf000t1am947m"],1,"enqueue",null,"scheduled",1795134354388,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default","due":{"inMs":86400000}}]]');
INSERT INTO redrive.audit_blocks VALUES (10, 1795134354390, 1, '745', 'writer_1795134354204_0azjjyd0v1e1gt1.1', '013b7503c2b41092fcd2009aaccf0d9fd0b5e5be042206b6045bf747a834df78', '32535cd1fcd697c0a6cb2f7245fb0e48350dbdf5df85ecdfede9385d1e356535', '[[["0mwo8n8ph000t1am947m"],1,"enqueue",null,"ready",1795134354390,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (11, 1795134354395, 1, '748', 'writer_1795134354204_0azjjyd0v1e1gt1.2', 'befd02e3cea27fe8d319bf3bf14c01132699f5299539c0e07df60bac2c18d9a8', '463e0792a8e13ed06de1ddcbc67ded391cf8887066970b394ddfd1da93475206', '[["0mwo8n8ph000t1am947m",2,"cancel","ready","cancelled",1795134354394,0,1,0,10,{"by":"app:worker-1","why":"not wanted"}]]');
INSERT INTO redrive.audit_blocks VALUES (12, 1795134354445, 1, '752', 'writer_1795134354204_0azjjyd0v1e1gt1.1', '32535cd1fcd697c0a6cb2f7245fb0e48350dbdf5df85ecdfede9385d1e356535', '7b5fcd3b50bcb332cf95517af342ba3bfb10cdd49d9f4c3a7eebfd5da8d2518d', '[[["0mwo8n8o4000t1am947m","0mwo8n8o4001t1am947m","0mwo8n8o4002t1am947m","0mwo8n8pc000t1am947m"],2,"claim","ready","leased",1795134354442,1,1,1,[1,1,1,6],{"by":"worker-1-0azjjyd0v1e1gt2","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}],
[["0mwo8n8oo000t1am947m","0mwo8n8p6000t1am947m","0mwo8n8p8000t1am947m","0mwo8n8pa000t1am947m"],2,"claim","ready","leased",1795134354442,1,1,1,[2,3,4,5],{"by":"worker-1-0azjjyd0v1e1gt2","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}],
[["0mwo8n8pd000t1am947m","0mwo8n8pe000t1am947m"],2,"claim","ready","leased",1795134354444,1,1,1,[7,8],{"by":"worker-1-0azjjyd0v1e1gt2","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}]]');
INSERT INTO redrive.audit_blocks VALUES (13, 1795134354465, 1, '753', 'writer_1795134354204_0azjjyd0v1e1gt1.2', '463e0792a8e13ed06de1ddcbc67ded391cf8887066970b394ddfd1da93475206', 'a204ec984711df84780b4d88d2ae93c17839ed9013179b53ca9c170bd455b3d8', '[["gate:[\"reports\",\"\",\"\"]",0,"control",null,null,1795134354465,0,0,0,0,{"by":"worker:worker-1-0azjjyd0v1e1gt2","act":"close","untilMs":1795137954473,"cut":false}]]');
INSERT INTO redrive.audit_blocks VALUES (14, 1795134354475, 1, '754', 'writer_1795134354204_0azjjyd0v1e1gt1.1', '7b5fcd3b50bcb332cf95517af342ba3bfb10cdd49d9f4c3a7eebfd5da8d2518d', '7beae128c270a724f3c555d562206afc45cf8c41034d86d159a80b14b23860ce', '[[["0mwo8n8pc000t1am947m"],3,"settle","leased","dead",1795134354466,2,1,1,12,{"by":"worker-1-0azjjyd0v1e1gt2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:final","message":"unknown format"},"action":"give-up","reason":"final_error","entry":"failed","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"final","effect":"none"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795134354445,3.646,0,1,0,0,0,null,0.43258276017254527]]],
[["0mwo8n8o4000t1am947m","0mwo8n8o4001t1am947m","0mwo8n8o4002t1am947m"],3,"settle","leased","succeeded",1795134354466,2,1,1,12,{"by":"worker-1-0azjjyd0v1e1gt2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1}],
[["0mwo8n8pd000t1am947m"],3,"settle","leased","scheduled",1795134354466,2,1,1,12,{"by":"worker-1-0azjjyd0v1e1gt2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"The handler asked for a later time"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":0,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":5},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795134354445,10.166,0,6,1,0,0,0,null,0.9263859921678788]]],
[["0mwo8n8pe000t1am947m"],3,"settle","leased","scheduled",1795134354466,2,1,1,12,{"by":"worker-1-0azjjyd0v1e1gt2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"The handler asked for a later time"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":0,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":3600000},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795134354445,10.473,0,3919918,1,0,0,0,null,0.8886588549678254]]],
[["0mwo8n8oo000t1am947m","0mwo8n8p6000t1am947m","0mwo8n8p8000t1am947m","0mwo8n8pa000t1am947m"],3,"settle","leased","scheduled",1795134354466,2,1,1,12,{"by":"worker-1-0azjjyd0v1e1gt2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795134354445,2.596,0,4,1,0,0,0,null,0.03533992407321995],[1,1795134354445,3.32,0,4,1,0,0,0,null,0.7410026009697213],[1,1795134354445,3.467,0,4,1,0,0,0,null,0.9499623535527943],[1,1795134354445,3.527,0,4,1,0,0,0,null,0.7001825330217226]]],
[["0mwo8n8pd000t1am947m"],4,"claim","ready","leased",1795134354474,3,1,2,14,{"by":"worker-1-0azjjyd0v1e1gt2","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}],
[["0mwo8n8oo000t1am947m","0mwo8n8p8000t1am947m","0mwo8n8p6000t1am947m","0mwo8n8pa000t1am947m"],4,"claim","ready","leased",1795134354474,3,1,2,14,{"by":"worker-1-0azjjyd0v1e1gt2","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO redrive.audit_blocks VALUES (20, 1795134354504, 1, '761', 'writer_1795134354204_0azjjyd0v1e1gt1.2', 'a204ec984711df84780b4d88d2ae93c17839ed9013179b53ca9c170bd455b3d8', '3f6c8515a273abb0c8cccdd27de75b3b33deb86da189c8503d868732b653c0ad', '[["0mwo8n8p8000t1am947m",8,"requeue","dead","ready",1795134354503,7,2,3,19,{"by":"app:worker-1","why":"the bank answers again"}]]');
INSERT INTO redrive.audit_blocks VALUES (23, 1795134354520, 1, '767', 'writer_1795134354204_0azjjyd0v1e1gt1.2', '3f6c8515a273abb0c8cccdd27de75b3b33deb86da189c8503d868732b653c0ad', 'd495904eceb9ff0cb0e9cdc6c20aec58ff17e3b82baf61efecaeef3e72c0b635', '[["kill:pause:queue:slow",0,"control",null,null,1795134354520,0,0,0,0,{"by":"ann","why":"maintenance","act":"pause"}]]');
INSERT INTO redrive.audit_blocks VALUES (15, 1795134354482, 1, '757', 'writer_1795134354204_0azjjyd0v1e1gt1.1', '7beae128c270a724f3c555d562206afc45cf8c41034d86d159a80b14b23860ce', '5fa810c09df6741fefb34adb133bbe34ebac4bee4f8a135670bc2cec79034aba', '[[["0mwo8n8pd000t1am947m"],5,"settle","leased","succeeded",1795134354480,4,1,2,14,{"by":"worker-1-0azjjyd0v1e1gt2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1}],
[["0mwo8n8oo000t1am947m"],5,"settle","leased","succeeded",1795134354480,4,1,2,14,{"by":"worker-1-0azjjyd0v1e1gt2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}],
[["0mwo8n8p8000t1am947m","0mwo8n8p6000t1am947m","0mwo8n8pa000t1am947m"],5,"settle","leased","scheduled",1795134354480,4,1,2,14,{"by":"worker-1-0azjjyd0v1e1gt2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[2,1795134354474,1.022,4,8,2,0,0,4,null,0.3748709165778421],[2,1795134354474,1.303,4,8,2,0,0,4,null,0.6356713238139955],[2,1795134354474,1.118,4,8,2,0,0,4,null,0.44324046474954026]]]]');
INSERT INTO redrive.audit_blocks VALUES (17, 1795134354490, 1, '758', 'writer_1795134354204_0azjjyd0v1e1gt1.1', '5fa810c09df6741fefb34adb133bbe34ebac4bee4f8a135670bc2cec79034aba', 'b229c4bd680e0cce655ab0de067e1bf1d7d52983d03faae2e52ea7ce3cf4df18', '[[["0mwo8n8p6000t1am947m","0mwo8n8p8000t1am947m","0mwo8n8pa000t1am947m"],6,"claim","ready","leased",1795134354490,5,1,3,15,{"by":"worker-1-0azjjyd0v1e1gt2","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO redrive.audit_blocks VALUES (19, 1795134354498, 1, '760', 'writer_1795134354204_0azjjyd0v1e1gt1.1', 'b229c4bd680e0cce655ab0de067e1bf1d7d52983d03faae2e52ea7ce3cf4df18', '1fa24dfee874b784fc37c8c14c06d170ce6098e3297145fb8e83e1999bc57afa', '[[["0mwo8n8p6000t1am947m"],7,"settle","leased","succeeded",1795134354497,6,1,3,17,{"by":"worker-1-0azjjyd0v1e1gt2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}],
[["0mwo8n8p8000t1am947m","0mwo8n8pa000t1am947m"],7,"settle","leased","dead",1795134354497,6,1,3,17,{"by":"worker-1-0azjjyd0v1e1gt2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"give-up","reason":"max_attempts_exceeded","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[3,1795134354490,0.426,8,15,3,0,0,8,null,0.057791400918521973],[3,1795134354490,1.863,8,17,3,0,0,8,null,0.9590485758798656]]]]');
INSERT INTO redrive.audit_blocks VALUES (21, 1795134354506, 1, '762', 'writer_1795134354204_0azjjyd0v1e1gt1.1', '1fa24dfee874b784fc37c8c14c06d170ce6098e3297145fb8e83e1999bc57afa', '182236d238eaecb1df931dbf7e4ea48ba82a5544f3fdb90bd68a83642183e3c9', '[[["0mwo8n8p8000t1am947m"],9,"claim","ready","leased",1795134354506,8,2,4,20,{"by":"worker-1-0azjjyd0v1e1gt2","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO redrive.audit_blocks VALUES (22, 1795134354509, 1, '763', 'writer_1795134354204_0azjjyd0v1e1gt1.1', '182236d238eaecb1df931dbf7e4ea48ba82a5544f3fdb90bd68a83642183e3c9', 'f1adde06795d6e9a001c585803a3a9b317da7367cc80cc62d74eae86da2a7d93', '[[["0mwo8n8p8000t1am947m"],10,"settle","leased","succeeded",1795134354508,9,2,4,21,{"by":"worker-1-0azjjyd0v1e1gt2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}]]');
INSERT INTO redrive.audit_blocks VALUES (24, 1795134354521, 1, '768', 'writer_1795134354204_0azjjyd0v1e1gt1.1', 'f1adde06795d6e9a001c585803a3a9b317da7367cc80cc62d74eae86da2a7d93', 'cd8cd044640ab685b96b77e6edbc13fbb25286e8104c31df594e497ddfe9fb8c', '[[["0mwo8n8t4000t1am947m"],1,"enqueue",null,"ready",1795134354521,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"slow"}]]');
INSERT INTO redrive.control_revision VALUES (2, 2);
INSERT INTO redrive.controls VALUES ('gate', '["reports","",""]', 1, '{"untilMs":1795137954473,"sinceMs":1795134354473,"cut":false,"dependency":"reports","credential":"","tenant":""}');
INSERT INTO redrive.controls VALUES ('kill', 'pause:queue:slow', 2, '{"sinceMs":1795134354518,"mode":"finish","by":"ann","why":"maintenance"}');
INSERT INTO redrive.dead_groups VALUES ('fp1:f7bac0256cf639d7', 'verdict:final: unknown format');
INSERT INTO redrive.dead_groups VALUES ('fp1:68d2f39d12ce3be5', 'Error: connection reset');
INSERT INTO redrive.epochs VALUES (1);
INSERT INTO redrive.finished VALUES (12, 1795134354390, 0, 1795134354390, 11, 10, NULL, 0, 2, 1, 0, 0, 0, 0, 0, 'cancelled', false, '0mwo8n8ph000t1am947m', 'mail', 'default', '', '{"to":"dan@example.org"}', NULL, 'cancelled', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795134354394, NULL, NULL, NULL, NULL, NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (1, 1795134354353, 2, 1795134354442, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwo8n8o4000t1am947m', 'mail', 'default', '', '{"to":"ada@example.org"}', '[0,[1,1,1795134354444,1.191,0,"succeeded","succeed","succeeded","worker-1-0azjjyd0v1e1gt2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795134354466, NULL, NULL, NULL, '{"sent":true}', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (2, 1795134354353, 2, 1795134354442, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwo8n8o4001t1am947m', 'mail', 'default', '', '{"to":"bob@example.org"}', '[0,[1,1,1795134354445,3.056,0,"succeeded","succeed","succeeded","worker-1-0azjjyd0v1e1gt2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795134354466, NULL, NULL, NULL, '{"sent":true}', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (3, 1795134354353, 2, 1795134354442, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwo8n8o4002t1am947m', 'mail', 'default', '', '{"to":"cy@example.org"}', '[0,[1,1,1795134354445,3.408,0,"succeeded","succeed","succeeded","worker-1-0azjjyd0v1e1gt2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795134354466, NULL, NULL, NULL, '{"sent":true}', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (8, 1795134354384, 2, 1795134354442, 14, 12, NULL, 0, 3, 1, 1, 1, 1, 0, 0, 'dead', false, '0mwo8n8pc000t1am947m', 'import', 'default', '', '{"file":"a.csv"}', '[0,[1,1,1795134354445,3.646,0,"failed","give-up","final_error","worker-1-0azjjyd0v1e1gt2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,null,"final",{"type":"verdict:final","message":"unknown format"},[1,0,0,0,0.43258276017254527,{"kind":"failure","effect":"none"}],1]]', 'final_error', 'final', '0', NULL, 'files', NULL, NULL, NULL, NULL, NULL, 1795134354466, NULL, NULL, NULL, NULL, 'fp1:f7bac0256cf639d7', DEFAULT);
INSERT INTO redrive.finished VALUES (4, 1795134354372, 4, 1795134354442, 15, 14, NULL, 0, 5, 1, 2, 2, 1, 0, 0, 'succeeded', false, '0mwo8n8oo000t1am947m', 'charge', 'default', 'acme', '{"failures":1}', '[0,[1,1,1795134354445,2.596,0,"failed","retry","retryable_error","worker-1-0azjjyd0v1e1gt2",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.03533992407321995,{"kind":"failure","effect":"unknown"}],1],[1,2,1795134354474,0.708,4,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', 'order-1', NULL, NULL, NULL, NULL, NULL, NULL, 1795134354480, NULL, NULL, NULL, '{"charged":true}', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (9, 1795134354386, 4, 1795134354444, 15, 14, NULL, 0, 5, 1, 2, 2, 0, 0, 0, 'succeeded', false, '0mwo8n8pd000t1am947m', 'search', 'default', '', '{"q":"x"}', '[0,[1,1,1795134354445,10.166,0,"rate_limited","retry","rate_limited","worker-1-0azjjyd0v1e1gt2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,6,"rate_limited",{"type":"verdict:retry_after","message":"The handler asked for a later time"},[1,0,0,0,0.9263859921678788,{"kind":"failure","effect":"none","retryAfterMs":5}],1],[1,2,1795134354474,0.916,6,"succeeded","succeed","succeeded","","",8]]', 'succeeded', NULL, '1,1,0,0,0,1,6', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795134354480, NULL, NULL, NULL, '"found"', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (5, 1795134354379, 6, 1795134354442, 19, 17, NULL, 0, 7, 1, 3, 3, 2, 0, 0, 'succeeded', false, '0mwo8n8p6000t1am947m', 'charge', 'default', 'acme', '{"failures":2}', '[0,[1,1,1795134354445,3.32,0,"failed","retry","retryable_error","worker-1-0azjjyd0v1e1gt2",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.7410026009697213,{"kind":"failure","effect":"unknown"}],1],[1,2,1795134354474,1.303,4,"failed","retry","retryable_error","","",3,8,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.6356713238139955,{"kind":"failure","effect":"unknown"}],1],[1,3,1795134354490,0.288,8,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', 'order-2', NULL, NULL, NULL, NULL, NULL, NULL, 1795134354497, NULL, NULL, NULL, '{"charged":true}', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (7, 1795134354383, 6, 1795134354442, 19, 17, NULL, 0, 7, 1, 3, 3, 3, 0, 2, 'dead', false, '0mwo8n8pa000t1am947m', 'charge', 'default', '', NULL, '[0,[1,1,1795134354445,3.527,0,"failed","retry","retryable_error","worker-1-0azjjyd0v1e1gt2",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.7001825330217226,{"kind":"failure","effect":"unknown"}],1],[1,2,1795134354474,1.118,4,"failed","retry","retryable_error","","",3,8,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.44324046474954026,{"kind":"failure","effect":"unknown"}],1],[1,3,1795134354490,1.863,8,"failed","give-up","max_attempts_exceeded","","",3,null,"retryable",{"type":"Error","message":"connection reset"},[3,0,0,8,0.9590485758798656,{"kind":"failure","effect":"unknown"}],1]]', 'max_attempts_exceeded', 'retryable', '0', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795134354497, NULL, NULL, NULL, NULL, 'fp1:68d2f39d12ce3be5', DEFAULT);
INSERT INTO redrive.finished VALUES (6, 1795134354381, 9, 1795134354506, 22, 21, NULL, 0, 10, 2, 1, 4, 0, 0, 0, 'succeeded', false, '0mwo8n8p8000t1am947m', 'charge', 'default', '', '{"failures":9}', '[0,[1,1,1795134354445,3.467,0,"failed","retry","retryable_error","worker-1-0azjjyd0v1e1gt2",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.9499623535527943,{"kind":"failure","effect":"unknown"}],1],[1,2,1795134354474,1.022,4,"failed","retry","retryable_error","","",3,8,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.3748709165778421,{"kind":"failure","effect":"unknown"}],1],[1,3,1795134354490,0.426,8,"failed","give-up","max_attempts_exceeded","","",3,null,"retryable",{"type":"Error","message":"connection reset"},[3,0,0,8,0.057791400918521973,{"kind":"failure","effect":"unknown"}],1],[2,1,1795134354506,0.08,0,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, '{"correlationId":"order-7"}', NULL, NULL, 1795134354508, NULL, NULL, NULL, '{"charged":true}', NULL, DEFAULT);
INSERT INTO redrive.ids VALUES ('0mwo8n8o4000t1am947m', 1, NULL);
INSERT INTO redrive.ids VALUES ('0mwo8n8o4001t1am947m', 2, NULL);
INSERT INTO redrive.ids VALUES ('0mwo8n8o4002t1am947m', 3, NULL);
INSERT INTO redrive.ids VALUES ('0mwo8n8oo000t1am947m', 4, NULL);
INSERT INTO redrive.ids VALUES ('0mwo8n8p6000t1am947m', 5, NULL);
INSERT INTO redrive.ids VALUES ('0mwo8n8p8000t1am947m', 6, NULL);
INSERT INTO redrive.ids VALUES ('0mwo8n8pa000t1am947m', 7, NULL);
INSERT INTO redrive.ids VALUES ('0mwo8n8pc000t1am947m', 8, NULL);
INSERT INTO redrive.ids VALUES ('0mwo8n8pd000t1am947m', 9, NULL);
INSERT INTO redrive.ids VALUES ('0mwo8n8pe000t1am947m', 10, NULL);
INSERT INTO redrive.ids VALUES ('0mwo8n8pf000t1am947m', 11, NULL);
INSERT INTO redrive.ids VALUES ('0mwo8n8ph000t1am947m', 12, NULL);
INSERT INTO redrive.ids VALUES ('0mwo8n8t4000t1am947m', 13, NULL);
INSERT INTO redrive.jobs VALUES (11, 1795134354388, 0, 1795134354388, 9, 0, NULL, 0, 1, 1, 0, 0, 0, 0, 0, 'scheduled', false, '0mwo8n8pf000t1am947m', 'mail', 'default', '', '{"to":"eve@example.org"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795220754388, NULL, NULL, NULL, NULL, NULL, NULL, NULL, DEFAULT);
INSERT INTO redrive.jobs VALUES (10, 1795134354387, 2, 1795134354444, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'scheduled', false, '0mwo8n8pe000t1am947m', 'report', 'default', '', '{"of":"May"}', '[0,[1,1,1795134354445,10.473,0,"rate_limited","retry","rate_limited","worker-1-0azjjyd0v1e1gt2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,3919918,"rate_limited",{"type":"verdict:retry_after","message":"The handler asked for a later time"},[1,0,0,0,0.8886588549678254,{"kind":"failure","effect":"none","retryAfterMs":3600000}],1]]', 'rate_limited', 'rate_limited', '0,1,0,0,0,1,3919918,3919918', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795138274384, NULL, NULL, NULL, NULL, NULL, NULL, NULL, DEFAULT);
INSERT INTO redrive.jobs VALUES (13, 1795134354521, 0, 1795134354521, 24, 0, NULL, 0, 1, 1, 0, 0, 0, 0, 0, 'ready', false, '0mwo8n8t4000t1am947m', 'mail', 'slow', '', '{"to":"fay@example.org"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, DEFAULT);
INSERT INTO redrive.meta VALUES (1, 1, NULL, '2026-11-20 00:25:54.332016+00');
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
CREATE INDEX jobs_leased ON redrive.jobs USING btree (lease_until) WHERE (state = 'leased'::redrive.job_state);
CREATE INDEX jobs_limit_key ON redrive.jobs USING btree (state, handler, limit_key, priority DESC, tenant, submitted_at, id) WHERE (limit_key IS NOT NULL);
CREATE INDEX jobs_parked ON redrive.jobs USING btree (cause, priority DESC, due_at, id) WHERE (state = 'parked'::redrive.job_state);
CREATE INDEX jobs_ready ON redrive.jobs USING btree (handler, queue, priority DESC, tenant, submitted_at, id) WHERE (state = 'ready'::redrive.job_state);
CREATE UNIQUE INDEX jobs_unique_key ON redrive.jobs USING btree (unique_key) WHERE (unique_key IS NOT NULL);
CREATE INDEX ledger_until ON redrive.ledger USING btree (until) WHERE (until IS NOT NULL);
