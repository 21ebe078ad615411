-- A store of an earlier version (schema 12, audit records without groups): jobs that succeed, fail and succeed, are
-- rate-limited, die, are requeued, cancelled, not due; a pause. That version ran them; then "pg_dump --inserts", without
-- the functions, which a migration replaces.
CREATE SCHEMA version_before;
CREATE TYPE version_before.answer AS (
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
CREATE TYPE version_before.job_state AS ENUM (
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
CREATE TABLE version_before.audit_anchors (
 seq bigint NOT NULL,
 from_position text NOT NULL COLLATE pg_catalog."C",
 to_position text NOT NULL COLLATE pg_catalog."C",
 blocks integer NOT NULL,
 root text NOT NULL,
 prev_hash text NOT NULL,
 hash text NOT NULL,
 at bigint NOT NULL
);
CREATE TABLE version_before.audit_blocks (
 seq bigint NOT NULL,
 at bigint NOT NULL,
 epoch integer NOT NULL,
 xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
 writer text NOT NULL,
 prev_hash text NOT NULL,
 hash text NOT NULL,
 body text NOT NULL
);
ALTER TABLE ONLY version_before.audit_blocks ALTER COLUMN body SET COMPRESSION lz4;
CREATE TABLE version_before.audit_packs (
 seq bigint NOT NULL,
 from_position text NOT NULL COLLATE pg_catalog."C",
 to_position text NOT NULL COLLATE pg_catalog."C",
 min_seq bigint NOT NULL,
 max_seq bigint NOT NULL,
 blocks integer NOT NULL,
 data bytea NOT NULL,
 hash text NOT NULL
);
ALTER TABLE ONLY version_before.audit_packs ALTER COLUMN data SET STORAGE EXTERNAL;
CREATE SEQUENCE version_before.audit_seq
 START WITH 1
 INCREMENT BY 1
 NO MINVALUE
 NO MAXVALUE
 CACHE 1;
CREATE TABLE version_before.control_revision (
 revision bigint NOT NULL,
 documents integer NOT NULL
);
CREATE TABLE version_before.controls (
 kind text NOT NULL COLLATE pg_catalog."C",
 key text NOT NULL COLLATE pg_catalog."C",
 revision bigint NOT NULL,
 document text NOT NULL
);
CREATE TABLE version_before.dead_groups (
 fingerprint text NOT NULL COLLATE pg_catalog."C",
 pattern text NOT NULL
);
CREATE TABLE version_before.earlier_payloads (
 seq bigint NOT NULL,
 generation integer NOT NULL,
 payload text,
 payload_bytes bytea,
 replaced_at bigint NOT NULL,
 replaced_by text NOT NULL
);
CREATE TABLE version_before.epochs (
 epoch integer NOT NULL,
 CONSTRAINT epochs_epoch_check CHECK (((epoch >= 1) AND (epoch <= 9999)))
);
CREATE TABLE version_before.finished (
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
 state version_before.job_state NOT NULL,
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
 purged_from version_before.job_state,
 purged_at bigint,
 result text,
 fingerprint text COLLATE pg_catalog."C",
 CONSTRAINT finished_check CHECK (((audit_block >= previous_block) OR (audit_block = 0)))
);
CREATE TABLE version_before.ids (
 id text NOT NULL COLLATE pg_catalog."C",
 seq bigint NOT NULL,
 session_id text COLLATE pg_catalog."C"
);
CREATE SEQUENCE version_before.job_seq
 START WITH 1
 INCREMENT BY 1
 NO MINVALUE
 NO MAXVALUE
 CACHE 1;
CREATE TABLE version_before.jobs (
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
 state version_before.job_state NOT NULL,
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
CREATE TABLE version_before.ledger (
 key text NOT NULL COLLATE pg_catalog."C",
 token bigint NOT NULL,
 lease_until bigint NOT NULL,
 until bigint,
 state text NOT NULL,
 fingerprint text NOT NULL,
 value text,
 error text
);
CREATE SEQUENCE version_before.ledger_token
 START WITH 1
 INCREMENT BY 1
 NO MINVALUE
 NO MAXVALUE
 CACHE 1;
CREATE TABLE version_before.meta (
 version integer NOT NULL,
 migrated_at timestamp with time zone NOT NULL,
 works_from integer DEFAULT 10 NOT NULL,
 step integer
);
CREATE TABLE version_before.operations (
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
CREATE TABLE version_before.pauses (
 scope text NOT NULL,
 name text NOT NULL COLLATE pg_catalog."C",
 since bigint NOT NULL,
 paused_by text NOT NULL,
 why text
);
CREATE TABLE version_before.policies (
 hash text NOT NULL,
 id text NOT NULL,
 policy text NOT NULL
);
CREATE TABLE version_before.stops (
 queues text[] NOT NULL,
 handlers text[] NOT NULL,
 tenants text[] NOT NULL,
 everything boolean NOT NULL
);
CREATE TABLE version_before.workers (
 name text NOT NULL COLLATE pg_catalog."C",
 since bigint NOT NULL,
 seen_at bigint NOT NULL,
 running integer NOT NULL,
 stopping boolean NOT NULL,
 facts text NOT NULL
);
INSERT INTO version_before.audit_anchors VALUES (1, '0001.00000000000000000726.0000000000000001', '0001.00000000000000000745.0000000000000010', 10, '9a4fecf3b85b633f8d80aeb9ad8505ed2ecd40f8da9773d056d5b0c09c3a5a0c', '', '3ed05fbb4f21480d79da7c317ee444fa725489f5a7d4cf3b3850f988b2397b9f', 1794851479688);
INSERT INTO version_before.audit_anchors VALUES (2, '0001.00000000000000000749.0000000000000011', '0001.00000000000000000757.0000000000000017', 6, '77aac125e81fa286801b32e78331090ebeccea54898689449bf579c17e88d41f', '3ed05fbb4f21480d79da7c317ee444fa725489f5a7d4cf3b3850f988b2397b9f', '0075dc361d3908c85f2fba8907ae4bd6e24599e91908f8bfb1f9b3e4b19a103c', 1794851479849);
INSERT INTO version_before.audit_anchors VALUES (3, '0001.00000000000000000761.0000000000000018', '0001.00000000000000000765.0000000000000021', 3, 'cbb19009ce64b3029b073ff75c47db8c767a900b5372b7878eb5dd5910e59b18', '0075dc361d3908c85f2fba8907ae4bd6e24599e91908f8bfb1f9b3e4b19a103c', '212eef1591ff4626c641ed96e6b6ffaa91293eb25b6e5b1e6946c8c0b8035d59', 1794851479920);
INSERT INTO version_before.audit_anchors VALUES (4, '0001.00000000000000000768.0000000000000022', '0001.00000000000000000768.0000000000000022', 1, 'a6473a2d846f70dede5998e5eb259992b1c6ebcec9d5aec84a2a1b674fec804c', '212eef1591ff4626c641ed96e6b6ffaa91293eb25b6e5b1e6946c8c0b8035d59', '966d7fdc8ad47296683ddabb16dd49e3319f13ebb10e29d9606fd302ffe5d9e6', 1794851479941);
INSERT INTO version_before.audit_blocks VALUES (1, 1794851479516, 1, '726', 'writer_1794851479245_1hejuf00yalnzi1.1', '', '767f6414924dffcc58c648703eb153d29b64c3e80dbd9b1faa9082425282dfb1', '[["0mwjk891c000sbqk06yf",1,"enqueue",null,"ready",1794851479512,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}],
["0mwjk891c001sbqk06yf",1,"enqueue",null,"ready",1794851479512,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}],
["0mwjk891c002sbqk06yf",1,"enqueue",null,"ready",1794851479512,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO version_before.audit_blocks VALUES (2, 1794851479527, 1, '728', 'writer_1794851479245_1hejuf00yalnzi1.1', '767f6414924dffcc58c648703eb153d29b64c3e80dbd9b1faa9082425282dfb1', '6377fe5d5a3b5136ea4e73d5b4e5f713b88d7bae9c491de9e16eadd77de31f7a', '[["0mwjk892b000sbqk06yf",1,"enqueue",null,"ready",1794851479527,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}],
["0mwjk892b001sbqk06yf",1,"enqueue",null,"ready",1794851479527,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}],
["0mwjk892b002sbqk06yf",1,"enqueue",null,"ready",1794851479527,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO version_before.audit_blocks VALUES (3, 1794851479532, 1, '730', 'writer_1794851479245_1hejuf00yalnzi1.1', '6377fe5d5a3b5136ea4e73d5b4e5f713b88d7bae9c491de9e16eadd77de31f7a', 'c0edd1d38d8f716f0c15a216050f83fa0293c113a280af24c8181fe18e5379c6', '[["0mwjk892h000sbqk06yf",1,"enqueue",null,"ready",1794851479531,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default"}],
["0mwjk892h001sbqk06yf",1,"enqueue",null,"ready",1794851479531,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default"}]]');
INSERT INTO version_before.audit_blocks VALUES (4, 1794851479535, 1, '732', 'writer_1794851479245_1hejuf00yalnzi1.1', 'c0edd1d38d8f716f0c15a216050f83fa0293c113a280af24c8181fe18e5379c6', '7e414e0d52d638511b55c66c3beafc4845a4e43d118288b9d8d6ea32fd01a370', '[["0mwjk892k000sbqk06yf",1,"enqueue",null,"ready",1794851479535,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","correlation":"order-7"}]]');
INSERT INTO version_before.audit_blocks VALUES (5, 1794851479537, 1, '734', 'writer_1794851479245_1hejuf00yalnzi1.1', '7e414e0d52d638511b55c66c3beafc4845a4e43d118288b9d8d6ea32fd01a370', 'bc6ee539cd2d3398f22b5d40dc885c95160dc4c9e6e0c927d0c9c4e8845d0e76', '[["0mwjk892o000sbqk06yf",1,"enqueue",null,"ready",1794851479537,0,1,0,0,{"by":"app:worker-1","handler":"import","queue":"default"}]]');
INSERT INTO version_before.audit_blocks VALUES (6, 1794851479538, 1, '736', 'writer_1794851479245_1hejuf00yalnzi1.1', 'bc6ee539cd2d3398f22b5d40dc885c95160dc4c9e6e0c927d0c9c4e8845d0e76', 'e7ea069b6e5d0fd4d765b32f0ee263d3e007e17101f27d346c0ce96b3c043ee0', '[["0mwjk892q000sbqk06yf",1,"enqueue",null,"ready",1794851479538,0,1,0,0,{"by":"app:worker-1","handler":"search","queue":"default"}]]');
INSERT INTO version_before.audit_blocks VALUES (7, 1794851479543, 1, '738', 'writer_1794851479245_1hejuf00yalnzi1.1', 'e7ea069b6e5d0fd4d765b32f0ee263d3e007e17101f27d346c0ce96b3c043ee0', 'bbc74b2302d1ea9fba76beb1b253347cc11ba93ed6aeb8b400a666b32653f0a8', '[["0mwjk892t000sbqk06yf",1,"enqueue",null,"scheduled",1794851479542,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default","due":{"inMs":86400000}}]]');
INSERT INTO version_before.audit_blocks VALUES (8, 1794851479546, 1, '740', 'writer_1794851479245_1hejuf00yalnzi1.1', 'bbc74b2302d1ea9fba76beb1b253347cc11ba93ed6aeb8b400a666b32653f0a8', '1cec4a29159e8b857771102e73e6244185ae77e9768e09be9c1efd1d55f84951', '[["0mwjk892v000sbqk06yf",1,"enqueue",null,"scheduled",1794851479546,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default","due":{"inMs":86400000}}]]');
INSERT INTO version_before.audit_blocks VALUES (9, 1794851479581, 1, '743', 'writer_1794851479245_1hejuf00yalnzi1.9', '', '91f1a85eebf33e8f7de7c453fb2d79d6d0eb6b3ed0942e8b40f360a497df90dd', '[["0mwjk892t000sbqk06yf",2,"cancel","scheduled","cancelled",1794851479571,0,1,0,7,{"by":"app:worker-1","why":"not needed"}]]');
INSERT INTO version_before.audit_blocks VALUES (10, 1794851479595, 1, '745', 'writer_1794851479245_1hejuf00yalnzi1.9', '91f1a85eebf33e8f7de7c453fb2d79d6d0eb6b3ed0942e8b40f360a497df90dd', '4566a6b6159432a25318d4ad05160ef2235b6825a0543361976407eae6aed1a5', '[["queue:reports",0,"pause",null,null,1794851479588,0,0,0,0,{"by":"ada","why":"a rehearsal"}]]');
INSERT INTO version_before.audit_blocks VALUES (11, 1794851479691, 1, '749', 'writer_1794851479245_1hejuf00yalnzi1.1', '1cec4a29159e8b857771102e73e6244185ae77e9768e09be9c1efd1d55f84951', 'bd26359f77557e533e98fedffbb03310e6ff7428f82dbff74c251294781a1f9b', '[["0mwjk891c000sbqk06yf",2,"claim","ready","leased",1794851479687,1,1,1,1,{"by":"worker-1-1hejuf00yalnzi2","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}],
["0mwjk892b000sbqk06yf",2,"claim","ready","leased",1794851479687,1,1,1,2,{"by":"worker-1-1hejuf00yalnzi2","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}],
["0mwjk891c001sbqk06yf",2,"claim","ready","leased",1794851479687,1,1,1,1,{"by":"worker-1-1hejuf00yalnzi2","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}],
["0mwjk892b001sbqk06yf",2,"claim","ready","leased",1794851479687,1,1,1,2,{"by":"worker-1-1hejuf00yalnzi2","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}],
["0mwjk891c002sbqk06yf",2,"claim","ready","leased",1794851479687,1,1,1,1,{"by":"worker-1-1hejuf00yalnzi2","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}],
["0mwjk892b002sbqk06yf",2,"claim","ready","leased",1794851479687,1,1,1,2,{"by":"worker-1-1hejuf00yalnzi2","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}],
["0mwjk892h000sbqk06yf",2,"claim","ready","leased",1794851479687,1,1,1,3,{"by":"worker-1-1hejuf00yalnzi2","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}],
["0mwjk892h001sbqk06yf",2,"claim","ready","leased",1794851479687,1,1,1,3,{"by":"worker-1-1hejuf00yalnzi2","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}],
["0mwjk892k000sbqk06yf",2,"claim","ready","leased",1794851479687,1,1,1,4,{"by":"worker-1-1hejuf00yalnzi2","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}],
["0mwjk892o000sbqk06yf",2,"claim","ready","leased",1794851479691,1,1,1,5,{"by":"worker-1-1hejuf00yalnzi2","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}]]');
INSERT INTO version_before.audit_blocks VALUES (12, 1794851479773, 1, '751', 'writer_1794851479245_1hejuf00yalnzi1.1', 'bd26359f77557e533e98fedffbb03310e6ff7428f82dbff74c251294781a1f9b', '7e3eec337a4f6b61e7c412c504a43235aa4b2a5621d570a2c8519ab12a0ad1de', '[["0mwjk891c000sbqk06yf",3,"settle","leased","succeeded",1794851479716,2,1,1,11,{"by":"worker-1-1hejuf00yalnzi2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":3}],
["0mwjk891c001sbqk06yf",3,"settle","leased","succeeded",1794851479716,2,1,1,11,{"by":"worker-1-1hejuf00yalnzi2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":3}],
["0mwjk891c002sbqk06yf",3,"settle","leased","succeeded",1794851479716,2,1,1,11,{"by":"worker-1-1hejuf00yalnzi2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":3}],
["0mwjk892o000sbqk06yf",3,"settle","leased","dead",1794851479716,2,1,1,11,{"by":"worker-1-1hejuf00yalnzi2","attempt":1,"startedAtMs":1794851479692,"durationMs":3.57,"delayBeforeMs":0,"error":{"type":"verdict:final","message":"the file is missing"},"action":"give-up","reason":"final_error","entry":"failed","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":3,"input":{"account":{"charged":1,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"final","effect":"none"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.10732945902176272}}],
["0mwjk892b000sbqk06yf",3,"settle","leased","scheduled",1794851479716,2,1,1,11,{"by":"worker-1-1hejuf00yalnzi2","attempt":1,"startedAtMs":1794851479692,"durationMs":2.681,"delayBeforeMs":0,"error":{"type":"Error","message":"the bank is down"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":1,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3,"input":{"account":{"charged":1,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.12577691886940368}}],
["0mwjk892b001sbqk06yf",3,"settle","leased","scheduled",1794851479716,2,1,1,11,{"by":"worker-1-1hejuf00yalnzi2","attempt":1,"startedAtMs":1794851479692,"durationMs":3.24,"delayBeforeMs":0,"error":{"type":"Error","message":"the bank is down"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":1,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3,"input":{"account":{"charged":1,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.3574901962484175}}],
["0mwjk892b002sbqk06yf",3,"settle","leased","scheduled",1794851479716,2,1,1,11,{"by":"worker-1-1hejuf00yalnzi2","attempt":1,"startedAtMs":1794851479692,"durationMs":3.281,"delayBeforeMs":0,"error":{"type":"Error","message":"the bank is down"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":4,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3,"input":{"account":{"charged":1,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.9345371664935253}}],
["0mwjk892h000sbqk06yf",3,"settle","leased","scheduled",1794851479716,2,1,1,11,{"by":"worker-1-1hejuf00yalnzi2","attempt":1,"startedAtMs":1794851479692,"durationMs":3.35,"delayBeforeMs":0,"error":{"type":"Error","message":"the bank is down"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":1,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3,"input":{"account":{"charged":1,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.2352703398915048}}],
["0mwjk892h001sbqk06yf",3,"settle","leased","scheduled",1794851479716,2,1,1,11,{"by":"worker-1-1hejuf00yalnzi2","attempt":1,"startedAtMs":1794851479692,"durationMs":3.388,"delayBeforeMs":0,"error":{"type":"Error","message":"the bank is down"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":3,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3,"input":{"account":{"charged":1,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.7442728277355856}}],
["0mwjk892k000sbqk06yf",3,"settle","leased","scheduled",1794851479716,2,1,1,11,{"by":"worker-1-1hejuf00yalnzi2","attempt":1,"startedAtMs":1794851479692,"durationMs":3.442,"delayBeforeMs":0,"error":{"type":"Error","message":"the bank is down"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":2,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3,"input":{"account":{"charged":1,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.3951882535049871}}],
["0mwjk892b000sbqk06yf",4,"claim","ready","leased",1794851479754,3,1,2,12,{"by":"worker-1-1hejuf00yalnzi2","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}],
["0mwjk892h000sbqk06yf",4,"claim","ready","leased",1794851479754,3,1,2,12,{"by":"worker-1-1hejuf00yalnzi2","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}],
["0mwjk892b001sbqk06yf",4,"claim","ready","leased",1794851479754,3,1,2,12,{"by":"worker-1-1hejuf00yalnzi2","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}],
["0mwjk892h001sbqk06yf",4,"claim","ready","leased",1794851479754,3,1,2,12,{"by":"worker-1-1hejuf00yalnzi2","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}],
["0mwjk892b002sbqk06yf",4,"claim","ready","leased",1794851479754,3,1,2,12,{"by":"worker-1-1hejuf00yalnzi2","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}],
["0mwjk892k000sbqk06yf",4,"claim","ready","leased",1794851479754,3,1,2,12,{"by":"worker-1-1hejuf00yalnzi2","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}],
["0mwjk892q000sbqk06yf",2,"claim","ready","leased",1794851479754,1,1,1,6,{"by":"worker-1-1hejuf00yalnzi2","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}]]');
INSERT INTO version_before.audit_blocks VALUES (14, 1794851479800, 1, '753', 'writer_1794851479245_1hejuf00yalnzi1.1', '7e3eec337a4f6b61e7c412c504a43235aa4b2a5621d570a2c8519ab12a0ad1de', 'a801c7dee0725ea4a37346c97b0dbec91747a3204e2ad1bcd09a182d17bcedd4', '[["0mwjk892b002sbqk06yf",5,"settle","leased","succeeded",1794851479797,4,1,2,12,{"by":"worker-1-1hejuf00yalnzi2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3}],
["0mwjk892b000sbqk06yf",5,"settle","leased","scheduled",1794851479797,4,1,2,12,{"by":"worker-1-1hejuf00yalnzi2","attempt":2,"startedAtMs":1794851479772,"durationMs":0.638,"delayBeforeMs":1,"error":{"type":"Error","message":"the bank is down"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":7,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3,"input":{"account":{"charged":2,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":1},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.8862855837899236}}],
["0mwjk892h000sbqk06yf",5,"settle","leased","scheduled",1794851479797,4,1,2,12,{"by":"worker-1-1hejuf00yalnzi2","attempt":2,"startedAtMs":1794851479772,"durationMs":0.721,"delayBeforeMs":1,"error":{"type":"Error","message":"the bank is down"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":2,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3,"input":{"account":{"charged":2,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":1},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.21451528854935653}}],
["0mwjk892b001sbqk06yf",5,"settle","leased","ready",1794851479797,4,1,2,12,{"by":"worker-1-1hejuf00yalnzi2","attempt":2,"startedAtMs":1794851479772,"durationMs":0.784,"delayBeforeMs":1,"error":{"type":"Error","message":"the bank is down"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3,"input":{"account":{"charged":2,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":1},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.002652592795598707}}],
["0mwjk892h001sbqk06yf",5,"settle","leased","scheduled",1794851479797,4,1,2,12,{"by":"worker-1-1hejuf00yalnzi2","attempt":2,"startedAtMs":1794851479772,"durationMs":0.851,"delayBeforeMs":3,"error":{"type":"Error","message":"the bank is down"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":5,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3,"input":{"account":{"charged":2,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":3},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.652337864489404}}],
["0mwjk892k000sbqk06yf",5,"settle","leased","scheduled",1794851479797,4,1,2,12,{"by":"worker-1-1hejuf00yalnzi2","attempt":2,"startedAtMs":1794851479772,"durationMs":0.906,"delayBeforeMs":2,"error":{"type":"Error","message":"the bank is down"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":5,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3,"input":{"account":{"charged":2,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":2},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.6778838628524583}}],
["0mwjk892q000sbqk06yf",3,"settle","leased","scheduled",1794851479797,2,1,1,12,{"by":"worker-1-1hejuf00yalnzi2","attempt":1,"startedAtMs":1794851479772,"durationMs":0.963,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"429 Too Many Requests"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":6,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":3,"input":{"account":{"charged":1,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":5},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.8929703964588495}}],
["0mwjk892b001sbqk06yf",6,"claim","ready","leased",1794851479799,5,1,3,14,{"by":"worker-1-1hejuf00yalnzi2","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}]]');
INSERT INTO version_before.audit_blocks VALUES (18, 1794851479884, 1, '761', 'writer_1794851479245_1hejuf00yalnzi1.9', '4566a6b6159432a25318d4ad05160ef2235b6825a0543361976407eae6aed1a5', '6c134d6a2a2b82b1e94c45048f23e99ef96814933f9a2f1c364adcd172266e63', '[["0mwjk892k000sbqk06yf",8,"requeue","dead","ready",1794851479882,7,2,3,17,{"by":"app:worker-1","why":"the bank is back"}]]');
INSERT INTO version_before.audit_blocks VALUES (15, 1794851479806, 1, '754', 'writer_1794851479245_1hejuf00yalnzi1.1', 'a801c7dee0725ea4a37346c97b0dbec91747a3204e2ad1bcd09a182d17bcedd4', '94d5ae5e5422fdf2825f22aa9a18ebdca8f7dfeff9077ed6796849d0063c0e00', '[["0mwjk892h000sbqk06yf",6,"claim","ready","leased",1794851479806,5,1,3,14,{"by":"worker-1-1hejuf00yalnzi2","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}],
["0mwjk892b000sbqk06yf",6,"claim","ready","leased",1794851479806,5,1,3,14,{"by":"worker-1-1hejuf00yalnzi2","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}],
["0mwjk892h001sbqk06yf",6,"claim","ready","leased",1794851479806,5,1,3,14,{"by":"worker-1-1hejuf00yalnzi2","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}],
["0mwjk892k000sbqk06yf",6,"claim","ready","leased",1794851479806,5,1,3,14,{"by":"worker-1-1hejuf00yalnzi2","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}],
["0mwjk892q000sbqk06yf",4,"claim","ready","leased",1794851479806,3,1,2,14,{"by":"worker-1-1hejuf00yalnzi2","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}]]');
INSERT INTO version_before.audit_blocks VALUES (16, 1794851479818, 1, '756', 'writer_1794851479245_1hejuf00yalnzi1.1', '94d5ae5e5422fdf2825f22aa9a18ebdca8f7dfeff9077ed6796849d0063c0e00', 'dcb74dff528b014ffcc9b7f3f341c01cefa69b0ac32bc502a99f03485ac5b5ce', '[["0mwjk892b001sbqk06yf",7,"settle","leased","succeeded",1794851479818,6,1,3,14,{"by":"worker-1-1hejuf00yalnzi2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3}]]');
INSERT INTO version_before.audit_blocks VALUES (17, 1794851479823, 1, '757', 'writer_1794851479245_1hejuf00yalnzi1.1', 'dcb74dff528b014ffcc9b7f3f341c01cefa69b0ac32bc502a99f03485ac5b5ce', '9df26189e41b9aa46fa406acff1e3547462c63f15d6f8a3ea2c8edf82512f75e', '[["0mwjk892k000sbqk06yf",7,"settle","leased","dead",1794851479821,6,1,3,15,{"by":"worker-1-1hejuf00yalnzi2","attempt":3,"startedAtMs":1794851479806,"durationMs":0.35,"delayBeforeMs":5,"error":{"type":"Error","message":"the bank is down"},"action":"give-up","reason":"max_attempts_exceeded","entry":"failed","delayMs":11,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3,"input":{"account":{"charged":3,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":5},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.7148187187651724}}],
["0mwjk892h001sbqk06yf",7,"settle","leased","dead",1794851479821,6,1,3,15,{"by":"worker-1-1hejuf00yalnzi2","attempt":3,"startedAtMs":1794851479806,"durationMs":0.66,"delayBeforeMs":5,"error":{"type":"Error","message":"the bank is down"},"action":"give-up","reason":"max_attempts_exceeded","entry":"failed","delayMs":12,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3,"input":{"account":{"charged":3,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":5},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.7410226475980196}}],
["0mwjk892b000sbqk06yf",7,"settle","leased","succeeded",1794851479821,6,1,3,15,{"by":"worker-1-1hejuf00yalnzi2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3}],
["0mwjk892h000sbqk06yf",7,"settle","leased","dead",1794851479821,6,1,3,15,{"by":"worker-1-1hejuf00yalnzi2","attempt":3,"startedAtMs":1794851479806,"durationMs":3.361,"delayBeforeMs":2,"error":{"type":"Error","message":"the bank is down"},"action":"give-up","reason":"max_attempts_exceeded","entry":"failed","delayMs":14,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3,"input":{"account":{"charged":3,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":2},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.8775110265038829}}],
["0mwjk892q000sbqk06yf",5,"settle","leased","succeeded",1794851479821,4,1,2,15,{"by":"worker-1-1hejuf00yalnzi2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":3}]]');
INSERT INTO version_before.audit_blocks VALUES (19, 1794851479904, 1, '763', 'writer_1794851479245_1hejuf00yalnzi1.1', '9df26189e41b9aa46fa406acff1e3547462c63f15d6f8a3ea2c8edf82512f75e', '249968dfd68807584cd18793d13271b343f5fb9089f95dafd28fa908faff072f', '[["0mwjk892k000sbqk06yf",9,"claim","ready","leased",1794851479903,8,2,4,18,{"by":"worker-1-1hejuf00yalnzi3","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}]]');
INSERT INTO version_before.audit_blocks VALUES (21, 1794851479915, 1, '765', 'writer_1794851479245_1hejuf00yalnzi1.1', '249968dfd68807584cd18793d13271b343f5fb9089f95dafd28fa908faff072f', '03a3060bed3a67453ffa9b1eea07c915b52fa14d9868bc7f73b6a0f5ff751683', '[["0mwjk892k000sbqk06yf",10,"settle","leased","succeeded",1794851479913,9,2,4,19,{"by":"worker-1-1hejuf00yalnzi3","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3}]]');
INSERT INTO version_before.audit_blocks VALUES (22, 1794851479930, 1, '768', 'writer_1794851479245_1hejuf00yalnzi1.9', '6c134d6a2a2b82b1e94c45048f23e99ef96814933f9a2f1c364adcd172266e63', '3b80a197cb051ae0becfe28952b9c37f0f90285cba4040761e6a34c826826579', '[["queue:reports",0,"resume",null,null,1794851479929,0,0,0,0,{"by":"ada","why":"a rehearsal"}]]');
INSERT INTO version_before.control_revision VALUES (2, 0);
INSERT INTO version_before.dead_groups VALUES ('fp1:ecd16adb3b345527', 'verdict:final: the file is missing');
INSERT INTO version_before.dead_groups VALUES ('fp1:235b4a9ff80d57f7', 'Error: the bank is down');
INSERT INTO version_before.epochs VALUES (1);
INSERT INTO version_before.finished VALUES (12, 1794851479542, 0, 1794851479542, 9, 7, NULL, 0, 2, 1, 0, 0, 0, 0, 0, 'cancelled', false, '0mwjk892t000sbqk06yf', 'mail', 'default', '', '{"to":"dan@example.org"}', NULL, 'cancelled', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1794851479571, NULL, NULL, NULL, NULL, NULL);
INSERT INTO version_before.finished VALUES (1, 1794851479512, 2, 1794851479687, 12, 11, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwjk891c000sbqk06yf', 'mail', 'default', '', '{"to":"ada@example.org"}', '[0,[1,1,1794851479691,2.18,0,"succeeded","succeed","succeeded","worker-1-1hejuf00yalnzi2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1794851479716, NULL, NULL, NULL, '{"delivered":true}', NULL);
INSERT INTO version_before.finished VALUES (2, 1794851479512, 2, 1794851479687, 12, 11, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwjk891c001sbqk06yf', 'mail', 'default', '', '{"to":"bob@example.org"}', '[0,[1,1,1794851479692,3.202,0,"succeeded","succeed","succeeded","worker-1-1hejuf00yalnzi2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1794851479716, NULL, NULL, NULL, '{"delivered":true}', NULL);
INSERT INTO version_before.finished VALUES (3, 1794851479512, 2, 1794851479687, 12, 11, NULL, 0, 3, 1, 1, 1, 0, 0, 0, 'succeeded', false, '0mwjk891c002sbqk06yf', 'mail', 'default', '', '{"to":"cy@example.org"}', '[0,[1,1,1794851479692,3.269,0,"succeeded","succeed","succeeded","worker-1-1hejuf00yalnzi2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, '{welcome}', NULL, 1794851479716, NULL, NULL, NULL, '{"delivered":true}', NULL);
INSERT INTO version_before.finished VALUES (10, 1794851479537, 2, 1794851479691, 12, 11, NULL, 0, 3, 1, 1, 1, 1, 0, 0, 'dead', false, '0mwjk892o000sbqk06yf', 'import', 'default', '', '{"file":"a.csv"}', '[0,[1,1,1794851479692,3.57,0,"failed","give-up","final_error","worker-1-1hejuf00yalnzi2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,null,"final",{"type":"verdict:final","message":"the file is missing"},[1,0,0,0,0.10732945902176272,{"kind":"failure","errorClass":"final","effect":"none"}],3]]', 'final_error', 'final', '0', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1794851479716, NULL, NULL, NULL, NULL, 'fp1:ecd16adb3b345527');
INSERT INTO version_before.finished VALUES (6, 1794851479527, 4, 1794851479687, 14, 12, NULL, 0, 5, 1, 2, 2, 1, 0, 0, 'succeeded', false, '0mwjk892b002sbqk06yf', 'charge', 'default', 'acme', '{"failures":1}', '[0,[1,1,1794851479692,3.281,0,"failed","retry","retryable_error","worker-1-1hejuf00yalnzi2",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3,4,"retryable",{"type":"Error","message":"the bank is down"},[1,0,0,0,0.9345371664935253,{"kind":"failure","errorClass":"retryable","effect":"unknown"}],3],[1,2,1794851479772,0.878,4,"succeeded","succeed","succeeded","worker-1-1hejuf00yalnzi2",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1794851479797, NULL, NULL, NULL, '"paid"', NULL);
INSERT INTO version_before.finished VALUES (5, 1794851479527, 6, 1794851479687, 16, 14, NULL, 0, 7, 1, 3, 3, 2, 0, 0, 'succeeded', false, '0mwjk892b001sbqk06yf', 'charge', 'default', 'acme', '{"failures":2}', '[0,[1,1,1794851479692,3.24,0,"failed","retry","retryable_error","worker-1-1hejuf00yalnzi2",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3,1,"retryable",{"type":"Error","message":"the bank is down"},[1,0,0,0,0.3574901962484175,{"kind":"failure","errorClass":"retryable","effect":"unknown"}],3],[1,2,1794851479772,0.784,1,"failed","retry","retryable_error","worker-1-1hejuf00yalnzi2",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3,0,"retryable",{"type":"Error","message":"the bank is down"},[2,0,0,1,0.002652592795598707,{"kind":"failure","errorClass":"retryable","effect":"unknown"}],3],[1,3,1794851479799,0.279,0,"succeeded","succeed","succeeded","worker-1-1hejuf00yalnzi2",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1794851479818, NULL, NULL, NULL, '"paid"', NULL);
INSERT INTO version_before.finished VALUES (8, 1794851479531, 6, 1794851479687, 17, 15, NULL, 0, 7, 1, 3, 3, 3, 0, 2, 'dead', false, '0mwjk892h001sbqk06yf', 'charge', 'default', '', '{"failures":9}', '[0,[1,1,1794851479692,3.388,0,"failed","retry","retryable_error","worker-1-1hejuf00yalnzi2",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3,3,"retryable",{"type":"Error","message":"the bank is down"},[1,0,0,0,0.7442728277355856,{"kind":"failure","errorClass":"retryable","effect":"unknown"}],3],[1,2,1794851479772,0.851,3,"failed","retry","retryable_error","worker-1-1hejuf00yalnzi2",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3,5,"retryable",{"type":"Error","message":"the bank is down"},[2,0,0,3,0.652337864489404,{"kind":"failure","errorClass":"retryable","effect":"unknown"}],3],[1,3,1794851479806,0.66,5,"failed","give-up","max_attempts_exceeded","worker-1-1hejuf00yalnzi2",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3,null,"retryable",{"type":"Error","message":"the bank is down"},[3,0,0,5,0.7410226475980196,{"kind":"failure","errorClass":"retryable","effect":"unknown"}],3]]', 'max_attempts_exceeded', 'retryable', '0', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1794851479821, NULL, NULL, NULL, NULL, 'fp1:235b4a9ff80d57f7');
INSERT INTO version_before.finished VALUES (4, 1794851479527, 6, 1794851479687, 17, 15, NULL, 0, 7, 1, 3, 3, 2, 0, 0, 'succeeded', false, '0mwjk892b000sbqk06yf', 'charge', 'default', 'acme', '{"failures":2}', '[0,[1,1,1794851479692,2.681,0,"failed","retry","retryable_error","worker-1-1hejuf00yalnzi2",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3,1,"retryable",{"type":"Error","message":"the bank is down"},[1,0,0,0,0.12577691886940368,{"kind":"failure","errorClass":"retryable","effect":"unknown"}],3],[1,2,1794851479772,0.638,1,"failed","retry","retryable_error","worker-1-1hejuf00yalnzi2",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3,7,"retryable",{"type":"Error","message":"the bank is down"},[2,0,0,1,0.8862855837899236,{"kind":"failure","errorClass":"retryable","effect":"unknown"}],3],[1,3,1794851479806,3.285,7,"succeeded","succeed","succeeded","worker-1-1hejuf00yalnzi2",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1794851479821, NULL, NULL, NULL, '"paid"', NULL);
INSERT INTO version_before.finished VALUES (7, 1794851479531, 6, 1794851479687, 17, 15, NULL, 0, 7, 1, 3, 3, 3, 0, 2, 'dead', false, '0mwjk892h000sbqk06yf', 'charge', 'default', '', '{"failures":9}', '[0,[1,1,1794851479692,3.35,0,"failed","retry","retryable_error","worker-1-1hejuf00yalnzi2",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3,1,"retryable",{"type":"Error","message":"the bank is down"},[1,0,0,0,0.2352703398915048,{"kind":"failure","errorClass":"retryable","effect":"unknown"}],3],[1,2,1794851479772,0.721,1,"failed","retry","retryable_error","worker-1-1hejuf00yalnzi2",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3,2,"retryable",{"type":"Error","message":"the bank is down"},[2,0,0,1,0.21451528854935653,{"kind":"failure","errorClass":"retryable","effect":"unknown"}],3],[1,3,1794851479806,3.361,2,"failed","give-up","max_attempts_exceeded","worker-1-1hejuf00yalnzi2",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3,null,"retryable",{"type":"Error","message":"the bank is down"},[3,0,0,2,0.8775110265038829,{"kind":"failure","errorClass":"retryable","effect":"unknown"}],3]]', 'max_attempts_exceeded', 'retryable', '0', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1794851479821, NULL, NULL, NULL, NULL, 'fp1:235b4a9ff80d57f7');
INSERT INTO version_before.finished VALUES (11, 1794851479538, 4, 1794851479754, 17, 15, NULL, 0, 5, 1, 2, 2, 0, 0, 0, 'succeeded', false, '0mwjk892q000sbqk06yf', 'search', 'default', '', '{"q":"x"}', '[0,[1,1,1794851479772,0.963,0,"rate_limited","retry","rate_limited","worker-1-1hejuf00yalnzi2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,6,"rate_limited",{"type":"verdict:retry_after","message":"429 Too Many Requests"},[1,0,0,0,0.8929703964588495,{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":5}],3],[1,2,1794851479806,3.498,6,"succeeded","succeed","succeeded","worker-1-1hejuf00yalnzi2",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]', 'succeeded', NULL, '1,1,0,0,0,1,6', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1794851479821, NULL, NULL, NULL, '"found"', NULL);
INSERT INTO version_before.finished VALUES (9, 1794851479535, 9, 1794851479903, 21, 19, NULL, 0, 10, 2, 1, 4, 0, 0, 0, 'succeeded', false, '0mwjk892k000sbqk06yf', 'charge', 'default', '', '{"failures":9}', '[0,[1,1,1794851479692,3.442,0,"failed","retry","retryable_error","worker-1-1hejuf00yalnzi2",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3,2,"retryable",{"type":"Error","message":"the bank is down"},[1,0,0,0,0.3951882535049871,{"kind":"failure","errorClass":"retryable","effect":"unknown"}],3],[1,2,1794851479772,0.906,2,"failed","retry","retryable_error","worker-1-1hejuf00yalnzi2",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3,5,"retryable",{"type":"Error","message":"the bank is down"},[2,0,0,2,0.6778838628524583,{"kind":"failure","errorClass":"retryable","effect":"unknown"}],3],[1,3,1794851479806,0.35,5,"failed","give-up","max_attempts_exceeded","worker-1-1hejuf00yalnzi2",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3,null,"retryable",{"type":"Error","message":"the bank is down"},[3,0,0,5,0.7148187187651724,{"kind":"failure","errorClass":"retryable","effect":"unknown"}],3],[2,1,1794851479903,0.174,0,"succeeded","succeed","succeeded","worker-1-1hejuf00yalnzi3",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3]]', 'succeeded', NULL, '1', NULL, NULL, NULL, NULL, '{"correlationId":"order-7"}', NULL, NULL, 1794851479913, NULL, NULL, NULL, '"paid"', NULL);
INSERT INTO version_before.ids VALUES ('0mwjk891c000sbqk06yf', 1, NULL);
INSERT INTO version_before.ids VALUES ('0mwjk891c001sbqk06yf', 2, NULL);
INSERT INTO version_before.ids VALUES ('0mwjk891c002sbqk06yf', 3, NULL);
INSERT INTO version_before.ids VALUES ('0mwjk892b000sbqk06yf', 4, NULL);
INSERT INTO version_before.ids VALUES ('0mwjk892b001sbqk06yf', 5, NULL);
INSERT INTO version_before.ids VALUES ('0mwjk892b002sbqk06yf', 6, NULL);
INSERT INTO version_before.ids VALUES ('0mwjk892h000sbqk06yf', 7, NULL);
INSERT INTO version_before.ids VALUES ('0mwjk892h001sbqk06yf', 8, NULL);
INSERT INTO version_before.ids VALUES ('0mwjk892k000sbqk06yf', 9, NULL);
INSERT INTO version_before.ids VALUES ('0mwjk892o000sbqk06yf', 10, NULL);
INSERT INTO version_before.ids VALUES ('0mwjk892q000sbqk06yf', 11, NULL);
INSERT INTO version_before.ids VALUES ('0mwjk892t000sbqk06yf', 12, NULL);
INSERT INTO version_before.ids VALUES ('0mwjk892v000sbqk06yf', 13, NULL);
INSERT INTO version_before.jobs VALUES (13, 1794851479546, 0, 1794851479546, 8, 0, NULL, 0, 1, 1, 0, 0, 0, 0, 0, 'scheduled', false, '0mwjk892v000sbqk06yf', 'mail', 'default', '', '{"to":"eve@example.org"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1794937879546, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO version_before.meta VALUES (12, '2026-11-16 17:51:19.477418+00', 10, NULL);
INSERT INTO version_before.policies VALUES ('3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506', 'runs.default', '{"enabled":true,"maxAttempts":8,"backoff":"exponential","baseDelayMs":60000,"maxDelayMs":3600000,"multiplier":2,"immediateFirstRetry":false,"jitter":"none","jitterAmount":1,"maxFreeWaits":100,"maxFreeWaitMs":86400000}');
INSERT INTO version_before.policies VALUES ('18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3', 'default', '{"enabled":true,"maxAttempts":3,"backoff":"exponential","baseDelayMs":4,"maxDelayMs":20,"multiplier":2,"immediateFirstRetry":false,"jitter":"full","jitterAmount":1,"maxFreeWaits":100,"maxFreeWaitMs":86400000}');
INSERT INTO version_before.stops VALUES ('{}', '{}', '{}', false);
SELECT pg_catalog.setval('version_before.audit_seq', 22, true);
SELECT pg_catalog.setval('version_before.job_seq', 13, true);
SELECT pg_catalog.setval('version_before.ledger_token', 1, false);
ALTER TABLE ONLY version_before.audit_anchors
 ADD CONSTRAINT audit_anchors_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY version_before.audit_blocks
 ADD CONSTRAINT audit_blocks_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY version_before.audit_packs
 ADD CONSTRAINT audit_packs_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY version_before.controls
 ADD CONSTRAINT controls_pkey PRIMARY KEY (kind, key);
ALTER TABLE ONLY version_before.dead_groups
 ADD CONSTRAINT dead_groups_pkey PRIMARY KEY (fingerprint);
ALTER TABLE ONLY version_before.earlier_payloads
 ADD CONSTRAINT earlier_payloads_pkey PRIMARY KEY (seq, generation);
ALTER TABLE ONLY version_before.finished
 ADD CONSTRAINT finished_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY version_before.ids
 ADD CONSTRAINT ids_pkey PRIMARY KEY (id);
ALTER TABLE ONLY version_before.jobs
 ADD CONSTRAINT jobs_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY version_before.ledger
 ADD CONSTRAINT ledger_pkey PRIMARY KEY (key);
ALTER TABLE ONLY version_before.operations
 ADD CONSTRAINT operations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY version_before.pauses
 ADD CONSTRAINT pauses_pkey PRIMARY KEY (scope, name);
ALTER TABLE ONLY version_before.policies
 ADD CONSTRAINT policies_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY version_before.workers
 ADD CONSTRAINT workers_pkey PRIMARY KEY (name);
CREATE INDEX audit_blocks_position ON version_before.audit_blocks USING btree (epoch, xid, seq);
CREATE INDEX audit_packs_numbers ON version_before.audit_packs USING btree (min_seq, max_seq);
CREATE INDEX audit_packs_to ON version_before.audit_packs USING btree (to_position);
CREATE INDEX finished_dead ON version_before.finished USING btree (finished_at, id) INCLUDE (fingerprint) WHERE ((state = 'dead'::version_before.job_state) AND (seq > 0));
CREATE INDEX finished_dead_handler ON version_before.finished USING btree (handler, finished_at, id) INCLUDE (fingerprint) WHERE ((state = 'dead'::version_before.job_state) AND (revision > 0));
CREATE INDEX finished_dead_tenant ON version_before.finished USING btree (tenant, finished_at, id) INCLUDE (fingerprint) WHERE ((state = 'dead'::version_before.job_state) AND (tenant <> ''::text));
CREATE INDEX finished_fingerprint ON version_before.finished USING btree (fingerprint, state, finished_at, id) WHERE (fingerprint IS NOT NULL);
CREATE INDEX finished_purged ON version_before.finished USING btree (purged_at) WHERE (state = 'purged'::version_before.job_state);
CREATE INDEX finished_state ON version_before.finished USING btree (state, finished_at) WHERE (state <> 'dead'::version_before.job_state);
CREATE INDEX ids_session ON version_before.ids USING btree (session_id) WHERE (session_id IS NOT NULL);
CREATE INDEX jobs_deadline ON version_before.jobs USING btree (deadline) WHERE ((deadline IS NOT NULL) AND (lease_since IS NULL));
CREATE INDEX jobs_due ON version_before.jobs USING btree (state, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX jobs_leased ON version_before.jobs USING btree (lease_until) WHERE (state = 'leased'::version_before.job_state);
CREATE INDEX jobs_limit_key ON version_before.jobs USING btree (state, handler, limit_key, priority DESC, tenant, submitted_at, id) WHERE (limit_key IS NOT NULL);
CREATE INDEX jobs_parked ON version_before.jobs USING btree (cause, priority DESC, due_at, id) WHERE (state = 'parked'::version_before.job_state);
CREATE INDEX jobs_ready ON version_before.jobs USING btree (handler, queue, priority DESC, tenant, submitted_at, id) WHERE (state = 'ready'::version_before.job_state);
CREATE UNIQUE INDEX jobs_unique_key ON version_before.jobs USING btree (unique_key) WHERE (unique_key IS NOT NULL);
CREATE INDEX ledger_until ON version_before.ledger USING btree (until) WHERE (until IS NOT NULL);
