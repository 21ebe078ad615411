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
INSERT INTO redrive.audit_anchors VALUES (1, '0001.00000000000000000726.0000000000000001', '0001.00000000000000000755.0000000000000012', 12, '8bc1966a6328808c7fdb88a9bbc125c74fde3eb1884f0e44bb3b21f212cc1666', '', 'd0f972f7798d4eaeb6c69ab4d3c6dcab0530801a1232d0f894b82cd2298033b9', 1795136566803);
INSERT INTO redrive.audit_anchors VALUES (2, '0001.00000000000000000756.0000000000000013', '0001.00000000000000000769.0000000000000021', 8, '4b4fa99680b465857f2ece491100d72d1391e196d4c43b6fbdc99f1e1c84219e', 'd0f972f7798d4eaeb6c69ab4d3c6dcab0530801a1232d0f894b82cd2298033b9', 'c2af8b2d10493264e384199ee5dcec9c2c9b95f5dc6102c92be71c658f8f99b4', 1795136567011);
INSERT INTO redrive.audit_anchors VALUES (3, '0001.00000000000000000773.0000000000000022', '0001.00000000000000000775.0000000000000023', 2, '1f465c5faa62c8386fce7e54a85f23ca4c85c8e5fa41eec66c7ea1246097f9c2', 'c2af8b2d10493264e384199ee5dcec9c2c9b95f5dc6102c92be71c658f8f99b4', '9c6cb5e9666f29e47240ef06d7deb835ccbe44e2a9792153799dd0915d3a1a09', 1795136567050);
INSERT INTO redrive.audit_blocks VALUES (1, 1795136566423, 1, '726', 'writer_1795136565891_170rcc30ogg8az1.1', '', '4704ef34a0fd3e1cb3c47dbff5ef2cdb3da6200e59052fed2de4327deb5f5d0f', '[[["0mwo9ynhr000cfzt8pns","0mwo9ynhr001cfzt8pns","0mwo9ynhr002cfzt8pns"],1,"enqueue",null,"ready",1795136566416,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (2, 1795136566513, 1, '729', 'writer_1795136565891_170rcc30ogg8az1.2', '', '9840e291a98cf07ce2e831c67bab554fb08c53f2d70ce8789b8a09b49c414332', '[[["0mwo9ynjw000cfzt8pns"],1,"enqueue",null,"ready",1795136566505,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO redrive.audit_blocks VALUES (3, 1795136566535, 1, '732', 'writer_1795136565891_170rcc30ogg8az1.2', '9840e291a98cf07ce2e831c67bab554fb08c53f2d70ce8789b8a09b49c414332', '41ba01652c0cf1fafc8ff4fbc3a8905396dadd7fcb32438876208d9b3c9296b5', '[[["0mwo9ynly000cfzt8pns"],1,"enqueue",null,"ready",1795136566534,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO redrive.audit_blocks VALUES (4, 1795136566546, 1, '734', 'writer_1795136565891_170rcc30ogg8az1.1', '4704ef34a0fd3e1cb3c47dbff5ef2cdb3da6200e59052fed2de4327deb5f5d0f', 'a1a5234da7ab531757f2306201baa5fde6de873a337405d51c3ae0b7932da2c2', '[[["0mwo9ynm4000cfzt8pns"],1,"enqueue",null,"ready",1795136566541,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","correlation":"order-7"}]]');
INSERT INTO redrive.audit_blocks VALUES (5, 1795136566558, 1, '737', 'writer_1795136565891_170rcc30ogg8az1.1', 'a1a5234da7ab531757f2306201baa5fde6de873a337405d51c3ae0b7932da2c2', 'af361cec1cd6f1f0cb2a568a852948f35e58de80c912c5542b6a2c199d2604e9', '[[["0mwo9ynml000cfzt8pns"],1,"enqueue",null,"ready",1795136566557,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (6, 1795136566564, 1, '739', 'writer_1795136565891_170rcc30ogg8az1.1', 'af361cec1cd6f1f0cb2a568a852948f35e58de80c912c5542b6a2c199d2604e9', 'f03e3be3b5cf7e45833cb9f2b9aa4b80032ec86ab39a00f4ba933832ba2c11d6', '[[["0mwo9ynmq000cfzt8pns"],1,"enqueue",null,"ready",1795136566563,0,1,0,0,{"by":"app:worker-1","handler":"import","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (7, 1795136566568, 1, '741', 'writer_1795136565891_170rcc30ogg8az1.1', 'f03e3be3b5cf7e45833cb9f2b9aa4b80032ec86ab39a00f4ba933832ba2c11d6', '1df10b59368cc3d491bb816f0a24b770115ab0e70823437b5edf1662dbac4901', '[[["0mwo9ynmv000cfzt8pns"],1,"enqueue",null,"ready",1795136566567,0,1,0,0,{"by":"app:worker-1","handler":"search","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (8, 1795136566571, 1, '743', 'writer_1795136565891_170rcc30ogg8az1.1', '1df10b59368cc3d491bb816f0a24b770115ab0e70823437b5edf1662dbac4901', '84b75825a547a0e422781d445bb014f4914a70d2e71e4d4aa2fde80554b5997f', '[[["0mwo9ynmz000cfzt8pns"],1,"enqueue",null,"ready",1795136566571,0,1,0,0,{"by":"app:worker-1","handler":"report","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (9, 1795136566579, 1, '746', 'writer_1795136565891_170rcc30ogg8az1.1', '84b75825a547a0e422781d445bb014f4914a70d2e71e4d4aa2fde80554b5997f', '3f5d340996a4201f5cf262484166a7f2d18bb03f5d5ffe7cb244bd100f4f57ef', '[[["0mwo9ynn3000cfzt8pns"],1,"enqueue",null,"scheduled",1795136566578,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default","due":{"inMs":86400000}}]]');
INSERT INTO redrive.audit_blocks VALUES (10, 1795136566581, 1, '748', 'writer_1795136565891_170rcc30ogg8az1.1', '3f5d340996a4201f5cf262484166a7f2d18bb03f5d5ffe7cb244bd100f4f57ef', '6e0e6127eda2667cbee085337d65ebd81d080f5a0247b952a2cba3509b13a954', '[[["0mwo9ynn9000cfzt8pns"],1,"enqueue",null,"ready",1795136566581,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO redrive.audit_blocks VALUES (11, 1795136566598, 1, '750', 'writer_1795136565891_170rcc30ogg8az1.2', '41ba01652c0cf1fafc8ff4fbc3a8905396dadd7fcb32438876208d9b3c9296b5', 'b9a4760573115ec6889fad8367f251e6284b597ab7677c7c756d0bbdd0517505', '[["0mwo9ynn9000cfzt8pns",2,"cancel","ready","cancelled",1795136566589,0,1,0,10,{"by":"app:worker-1","why":"not wanted"}]]');
INSERT INTO redrive.audit_blocks VALUES (12, 1795136566765, 1, '755', 'writer_1795136565891_170rcc30ogg8az1.1', '6e0e6127eda2667cbee085337d65ebd81d080f5a0247b952a2cba3509b13a954', '006436de1e8f197f0d66603346934389bb8491da7a6dde5312d2aa601acdf615', '[[["0mwo9ynhr000cfzt8pns","0mwo9ynhr001cfzt8pns","0mwo9ynhr002cfzt8pns","0mwo9ynmq000cfzt8pns"],2,"claim","ready","leased",1795136566762,1,1,1,[1,1,1,6],{"by":"worker-1-170rcc30ogg8az2","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}],
[["0mwo9ynjw000cfzt8pns","0mwo9ynly000cfzt8pns","0mwo9ynm4000cfzt8pns","0mwo9ynml000cfzt8pns"],2,"claim","ready","leased",1795136566762,1,1,1,[2,3,4,5],{"by":"worker-1-170rcc30ogg8az2","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}],
[["0mwo9ynmv000cfzt8pns","0mwo9ynmz000cfzt8pns"],2,"claim","ready","leased",1795136566764,1,1,1,[7,8],{"by":"worker-1-170rcc30ogg8az2","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}]]');
INSERT INTO redrive.audit_blocks VALUES (13, 1795136566797, 1, '756', 'writer_1795136565891_170rcc30ogg8az1.2', 'b9a4760573115ec6889fad8367f251e6284b597ab7677c7c756d0bbdd0517505', '726dac26456236464e42086cf09bd3a195a0e65ba812a00ba68081b369ace392', '[["gate:[\"reports\",\"\",\"\"]",0,"control",null,null,1795136566797,0,0,0,0,{"by":"worker:worker-1-170rcc30ogg8az2","act":"close","untilMs":1795140166855,"cut":false}]]');
INSERT INTO redrive.audit_blocks VALUES (14, 1795136566824, 1, '757', 'writer_1795136565891_170rcc30ogg8az1.1', '006436de1e8f197f0d66603346934389bb8491da7a6dde5312d2aa601acdf615', 'd42225f30c316e50f88ecb8ba3654e827e8ed1fcea2c69764068604dc57257a4', '[[["0mwo9ynhr000cfzt8pns","0mwo9ynhr001cfzt8pns","0mwo9ynhr002cfzt8pns"],3,"settle","leased","succeeded",1795136566800,2,1,1,12,{"by":"worker-1-170rcc30ogg8az2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1}],
[["0mwo9ynmq000cfzt8pns"],3,"settle","leased","dead",1795136566800,2,1,1,12,{"by":"worker-1-170rcc30ogg8az2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:final","message":"unknown format"},"action":"give-up","reason":"final_error","entry":"failed","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"final","effect":"none"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795136566765,4.243,0,1,0,0,0,null,0.2406545146505582]]],
[["0mwo9ynmz000cfzt8pns"],3,"settle","leased","scheduled",1795136566800,2,1,1,12,{"by":"worker-1-170rcc30ogg8az2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"The handler asked for a later time"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":0,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":3600000},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795136566765,10.694,0,3688831,1,0,0,0,null,0.2467504338848211]]],
[["0mwo9ynjw000cfzt8pns","0mwo9ynly000cfzt8pns","0mwo9ynm4000cfzt8pns","0mwo9ynml000cfzt8pns"],3,"settle","leased","scheduled",1795136566800,2,1,1,12,{"by":"worker-1-170rcc30ogg8az2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795136566765,2.611,0,4,1,0,0,0,null,0.9786597626235793],[1,1795136566765,3.33,0,4,1,0,0,0,null,0.9111150603128501],[1,1795136566765,3.848,0,4,1,0,0,0,null,0.42996389046421735],[1,1795136566765,3.934,0,4,1,0,0,0,null,0.5185610329231722]]],
[["0mwo9ynmv000cfzt8pns"],3,"settle","leased","scheduled",1795136566800,2,1,1,12,{"by":"worker-1-170rcc30ogg8az2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"The handler asked for a later time"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":0,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":5},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795136566765,10.458,0,6,1,0,0,0,null,0.8758946910688248]]],
[["0mwo9ynmv000cfzt8pns"],4,"claim","ready","leased",1795136566824,3,1,2,14,{"by":"worker-1-170rcc30ogg8az2","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}],
[["0mwo9ynjw000cfzt8pns","0mwo9ynm4000cfzt8pns","0mwo9ynly000cfzt8pns","0mwo9ynml000cfzt8pns"],4,"claim","ready","leased",1795136566824,3,1,2,14,{"by":"worker-1-170rcc30ogg8az2","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO redrive.audit_blocks VALUES (19, 1795136566906, 1, '766', 'writer_1795136565891_170rcc30ogg8az1.2', '726dac26456236464e42086cf09bd3a195a0e65ba812a00ba68081b369ace392', '964d411c675ca98ae08ab8a47b996ad7e3c0e535b5bef03613ddfd6b9dc975d2', '[["0mwo9ynm4000cfzt8pns",8,"requeue","dead","ready",1795136566901,7,2,3,18,{"by":"app:worker-1","why":"the bank answers again"}]]');
INSERT INTO redrive.audit_blocks VALUES (22, 1795136567021, 1, '773', 'writer_1795136565891_170rcc30ogg8az1.2', '964d411c675ca98ae08ab8a47b996ad7e3c0e535b5bef03613ddfd6b9dc975d2', '496be6e3e4e1cd70ab83442c74133f6e80a6a760392b5e46654ed4e6ae1fae11', '[["kill:pause:queue:slow",0,"control",null,null,1795136567021,0,0,0,0,{"by":"ann","why":"maintenance","act":"pause"}]]');
INSERT INTO redrive.audit_blocks VALUES (15, 1795136566844, 1, '761', 'writer_1795136565891_170rcc30ogg8az1.1', 'd42225f30c316e50f88ecb8ba3654e827e8ed1fcea2c69764068604dc57257a4', 'b85b0604a5d9e80d8654be7815a0d8c7d11a09e2adb3c7f977221e0f55dbf920', '[[["0mwo9ynjw000cfzt8pns"],5,"settle","leased","succeeded",1795136566843,4,1,2,14,{"by":"worker-1-170rcc30ogg8az2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}],
[["0mwo9ynmv000cfzt8pns"],5,"settle","leased","succeeded",1795136566843,4,1,2,14,{"by":"worker-1-170rcc30ogg8az2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1}],
[["0mwo9ynm4000cfzt8pns","0mwo9ynly000cfzt8pns","0mwo9ynml000cfzt8pns"],5,"settle","leased","scheduled",1795136566843,4,1,2,14,{"by":"worker-1-170rcc30ogg8az2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[2,1795136566824,0.393,4,7,2,0,0,4,null,0.15844580951202092],[2,1795136566824,0.471,4,8,2,0,0,4,null,0.7346226525389564],[2,1795136566824,0.554,4,8,2,0,0,4,null,0.580038008317028]]]]');
INSERT INTO redrive.audit_blocks VALUES (16, 1795136566853, 1, '762', 'writer_1795136565891_170rcc30ogg8az1.1', 'b85b0604a5d9e80d8654be7815a0d8c7d11a09e2adb3c7f977221e0f55dbf920', '541cd7fd64c44ec31754a3ea03bc7f93e813bee44dd3d56877e6516e340c0b36', '[[["0mwo9ynly000cfzt8pns","0mwo9ynm4000cfzt8pns","0mwo9ynml000cfzt8pns"],6,"claim","ready","leased",1795136566853,5,1,3,15,{"by":"worker-1-170rcc30ogg8az2","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO redrive.audit_blocks VALUES (18, 1795136566872, 1, '764', 'writer_1795136565891_170rcc30ogg8az1.1', '541cd7fd64c44ec31754a3ea03bc7f93e813bee44dd3d56877e6516e340c0b36', 'dfdfc2696a08d65b0281234f0afba8be2174ca885dc858e3b100359cd1d917f5', '[[["0mwo9ynm4000cfzt8pns","0mwo9ynml000cfzt8pns"],7,"settle","leased","dead",1795136566871,6,1,3,16,{"by":"worker-1-170rcc30ogg8az2","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"give-up","reason":"max_attempts_exceeded","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[3,1795136566853,0.445,7,15,3,0,0,7,null,0.23030200746298168],[3,1795136566853,1.917,8,16,3,0,0,8,null,0.37376993607141007]]],
[["0mwo9ynly000cfzt8pns"],7,"settle","leased","succeeded",1795136566871,6,1,3,16,{"by":"worker-1-170rcc30ogg8az2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}]]');
INSERT INTO redrive.audit_blocks VALUES (20, 1795136566931, 1, '768', 'writer_1795136565891_170rcc30ogg8az1.1', 'dfdfc2696a08d65b0281234f0afba8be2174ca885dc858e3b100359cd1d917f5', '6fac45b57d86d3f4ebcb7f287ebaba70c4369e629726807234173f96f661078d', '[[["0mwo9ynm4000cfzt8pns"],9,"claim","ready","leased",1795136566931,8,2,4,19,{"by":"worker-1-170rcc30ogg8az2","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO redrive.audit_blocks VALUES (21, 1795136566970, 1, '769', 'writer_1795136565891_170rcc30ogg8az1.1', '6fac45b57d86d3f4ebcb7f287ebaba70c4369e629726807234173f96f661078d', '8a1e803e1d8093a49d28352f321da39261f702acb67ffff849a17b784d582b2e', '[[["0mwo9ynm4000cfzt8pns"],10,"settle","leased","succeeded",1795136566960,9,2,4,20,{"by":"worker-1-170rcc30ogg8az2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}]]');
INSERT INTO redrive.audit_blocks VALUES (23, 1795136567032, 1, '775', 'writer_1795136565891_170rcc30ogg8az1.1', '8a1e803e1d8093a49d28352f321da39261f702acb67ffff849a17b784d582b2e', '93b7ce06fb05841935d0d55dfb50f57a1fdb5fb8f2d57b89901bdb0752868dc9', '[[["0mwo9ynzr000cfzt8pns"],1,"enqueue",null,"ready",1795136567032,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"slow"}]]');
INSERT INTO redrive.control_revision VALUES (2, 2);
INSERT INTO redrive.controls VALUES ('gate', '["reports","",""]', 1, '{"untilMs":1795140166855,"sinceMs":1795136566855,"cut":false,"dependency":"reports","credential":"","tenant":""}');
INSERT INTO redrive.controls VALUES ('kill', 'pause:queue:slow', 2, '{"sinceMs":1795136567019,"mode":"finish","by":"ann","why":"maintenance"}');
INSERT INTO redrive.dead_groups VALUES ('fp1:f7bac0256cf639d7', 'verdict:final: unknown format');
INSERT INTO redrive.dead_groups VALUES ('fp1:68d2f39d12ce3be5', 'Error: connection reset');
INSERT INTO redrive.epochs VALUES (1);
INSERT INTO redrive.finished VALUES (12, 1795136566581, 0, 1795136566581, 11, 10, NULL, 0, 2, 1, 0, 0, 0, 0, 0, 'cancelled', false, '0mwo9ynn9000cfzt8pns', 'mail', 'default', '', '{"to":"dan@example.org"}', NULL, 'cancelled', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795136566589, NULL, NULL, NULL, NULL, NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (1, 1795136566416, 2, 1795136566762, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwo9ynhr000cfzt8pns', 'mail', 'default', '', '{"to":"ada@example.org"}', '[0,[1,1,1795136566764,1.204,0,"succeeded","succeed","succeeded","worker-1-170rcc30ogg8az2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795136566800, NULL, NULL, NULL, '{"sent":true}', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (2, 1795136566416, 2, 1795136566762, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwo9ynhr001cfzt8pns', 'mail', 'default', '', '{"to":"bob@example.org"}', '[0,[1,1,1795136566765,3.111,0,"succeeded","succeed","succeeded","worker-1-170rcc30ogg8az2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795136566800, NULL, NULL, NULL, '{"sent":true}', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (3, 1795136566416, 2, 1795136566762, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwo9ynhr002cfzt8pns', 'mail', 'default', '', '{"to":"cy@example.org"}', '[0,[1,1,1795136566765,3.728,0,"succeeded","succeed","succeeded","worker-1-170rcc30ogg8az2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1795136566800, NULL, NULL, NULL, '{"sent":true}', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (8, 1795136566563, 2, 1795136566762, 14, 12, NULL, 0, 3, 1, 1, 1, 1, 0, 0, 'dead', false, '0mwo9ynmq000cfzt8pns', 'import', 'default', '', '{"file":"a.csv"}', '[0,[1,1,1795136566765,4.243,0,"failed","give-up","final_error","worker-1-170rcc30ogg8az2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,null,"final",{"type":"verdict:final","message":"unknown format"},[1,0,0,0,0.2406545146505582,{"kind":"failure","effect":"none"}],1]]', 'final_error', 'final', '0', NULL, 'files', NULL, NULL, NULL, NULL, NULL, 1795136566800, NULL, NULL, NULL, NULL, 'fp1:f7bac0256cf639d7', DEFAULT);
INSERT INTO redrive.finished VALUES (4, 1795136566505, 4, 1795136566762, 15, 14, NULL, 0, 5, 1, 2, 2, 1, 0, 0, 'succeeded', false, '0mwo9ynjw000cfzt8pns', 'charge', 'default', 'acme', '{"failures":1}', '[0,[1,1,1795136566765,2.611,0,"failed","retry","retryable_error","worker-1-170rcc30ogg8az2",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.9786597626235793,{"kind":"failure","effect":"unknown"}],1],[1,2,1795136566824,0.229,4,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', 'order-1', NULL, NULL, NULL, NULL, NULL, NULL, 1795136566843, NULL, NULL, NULL, '{"charged":true}', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (9, 1795136566567, 4, 1795136566764, 15, 14, NULL, 0, 5, 1, 2, 2, 0, 0, 0, 'succeeded', false, '0mwo9ynmv000cfzt8pns', 'search', 'default', '', '{"q":"x"}', '[0,[1,1,1795136566765,10.458,0,"rate_limited","retry","rate_limited","worker-1-170rcc30ogg8az2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,6,"rate_limited",{"type":"verdict:retry_after","message":"The handler asked for a later time"},[1,0,0,0,0.8758946910688248,{"kind":"failure","effect":"none","retryAfterMs":5}],1],[1,2,1795136566824,0.597,6,"succeeded","succeed","succeeded","","",8]]', 'succeeded', NULL, '1,1,0,0,0,1,6', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795136566843, NULL, NULL, NULL, '"found"', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (5, 1795136566534, 6, 1795136566762, 18, 16, NULL, 0, 7, 1, 3, 3, 2, 0, 0, 'succeeded', false, '0mwo9ynly000cfzt8pns', 'charge', 'default', 'acme', '{"failures":2}', '[0,[1,1,1795136566765,3.33,0,"failed","retry","retryable_error","worker-1-170rcc30ogg8az2",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.9111150603128501,{"kind":"failure","effect":"unknown"}],1],[1,2,1795136566824,0.471,4,"failed","retry","retryable_error","","",3,8,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.7346226525389564,{"kind":"failure","effect":"unknown"}],1],[1,3,1795136566853,0.521,8,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', 'order-2', NULL, NULL, NULL, NULL, NULL, NULL, 1795136566871, NULL, NULL, NULL, '{"charged":true}', NULL, DEFAULT);
INSERT INTO redrive.finished VALUES (7, 1795136566557, 6, 1795136566762, 18, 16, NULL, 0, 7, 1, 3, 3, 3, 0, 2, 'dead', false, '0mwo9ynml000cfzt8pns', 'charge', 'default', '', NULL, '[0,[1,1,1795136566765,3.934,0,"failed","retry","retryable_error","worker-1-170rcc30ogg8az2",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.5185610329231722,{"kind":"failure","effect":"unknown"}],1],[1,2,1795136566824,0.554,4,"failed","retry","retryable_error","","",3,8,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.580038008317028,{"kind":"failure","effect":"unknown"}],1],[1,3,1795136566853,1.917,8,"failed","give-up","max_attempts_exceeded","","",3,null,"retryable",{"type":"Error","message":"connection reset"},[3,0,0,8,0.37376993607141007,{"kind":"failure","effect":"unknown"}],1]]', 'max_attempts_exceeded', 'retryable', '0', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795136566871, NULL, NULL, NULL, NULL, 'fp1:68d2f39d12ce3be5', DEFAULT);
INSERT INTO redrive.finished VALUES (6, 1795136566541, 9, 1795136566931, 21, 20, NULL, 0, 10, 2, 1, 4, 0, 0, 0, 'succeeded', false, '0mwo9ynm4000cfzt8pns', 'charge', 'default', '', '{"failures":9}', '[0,[1,1,1795136566765,3.848,0,"failed","retry","retryable_error","worker-1-170rcc30ogg8az2",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.42996389046421735,{"kind":"failure","effect":"unknown"}],1],[1,2,1795136566824,0.393,4,"failed","retry","retryable_error","","",3,7,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.15844580951202092,{"kind":"failure","effect":"unknown"}],1],[1,3,1795136566853,0.445,7,"failed","give-up","max_attempts_exceeded","","",3,null,"retryable",{"type":"Error","message":"connection reset"},[3,0,0,7,0.23030200746298168,{"kind":"failure","effect":"unknown"}],1],[2,1,1795136566931,0.101,0,"succeeded","succeed","succeeded","","",3]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, '{"correlationId":"order-7"}', NULL, NULL, 1795136566960, NULL, NULL, NULL, '{"charged":true}', NULL, DEFAULT);
INSERT INTO redrive.ids VALUES ('0mwo9ynhr000cfzt8pns', 1, NULL);
INSERT INTO redrive.ids VALUES ('0mwo9ynhr001cfzt8pns', 2, NULL);
INSERT INTO redrive.ids VALUES ('0mwo9ynhr002cfzt8pns', 3, NULL);
INSERT INTO redrive.ids VALUES ('0mwo9ynjw000cfzt8pns', 4, NULL);
INSERT INTO redrive.ids VALUES ('0mwo9ynly000cfzt8pns', 5, NULL);
INSERT INTO redrive.ids VALUES ('0mwo9ynm4000cfzt8pns', 6, NULL);
INSERT INTO redrive.ids VALUES ('0mwo9ynml000cfzt8pns', 7, NULL);
INSERT INTO redrive.ids VALUES ('0mwo9ynmq000cfzt8pns', 8, NULL);
INSERT INTO redrive.ids VALUES ('0mwo9ynmv000cfzt8pns', 9, NULL);
INSERT INTO redrive.ids VALUES ('0mwo9ynmz000cfzt8pns', 10, NULL);
INSERT INTO redrive.ids VALUES ('0mwo9ynn3000cfzt8pns', 11, NULL);
INSERT INTO redrive.ids VALUES ('0mwo9ynn9000cfzt8pns', 12, NULL);
INSERT INTO redrive.ids VALUES ('0mwo9ynzr000cfzt8pns', 13, NULL);
INSERT INTO redrive.jobs VALUES (11, 1795136566578, 0, 1795136566578, 9, 0, NULL, 0, 1, 1, 0, 0, 0, 0, 0, 'scheduled', false, '0mwo9ynn3000cfzt8pns', 'mail', 'default', '', '{"to":"eve@example.org"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795222966578, NULL, NULL, NULL, NULL, NULL, NULL, NULL, DEFAULT, NULL);
INSERT INTO redrive.jobs VALUES (10, 1795136566571, 2, 1795136566764, 14, 12, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'scheduled', false, '0mwo9ynmz000cfzt8pns', 'report', 'default', '', '{"of":"May"}', '[0,[1,1,1795136566765,10.694,0,"rate_limited","retry","rate_limited","worker-1-170rcc30ogg8az2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,3688831,"rate_limited",{"type":"verdict:retry_after","message":"The handler asked for a later time"},[1,0,0,0,0.2467504338848211,{"kind":"failure","effect":"none","retryAfterMs":3600000}],1]]', 'rate_limited', 'rate_limited', '0,1,0,0,0,1,3688831,3688831', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795140255631, NULL, NULL, NULL, NULL, NULL, NULL, NULL, DEFAULT, NULL);
INSERT INTO redrive.jobs VALUES (13, 1795136567032, 0, 1795136567032, 23, 0, NULL, 0, 1, 1, 0, 0, 0, 0, 0, 'ready', false, '0mwo9ynzr000cfzt8pns', 'mail', 'slow', '', '{"to":"fay@example.org"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, DEFAULT, NULL);
INSERT INTO redrive.meta VALUES (1, 1, NULL, '2026-11-20 01:02:46.365799+00');
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
