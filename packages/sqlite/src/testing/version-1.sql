-- Made by `npm run store-fixture -- sqlite`.
PRAGMA application_id = 1380209238;
PRAGMA user_version = 1;
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE lanes (
    lane INTEGER PRIMARY KEY,
    queue TEXT NOT NULL,
    handler TEXT NOT NULL,
    scheduled INTEGER NOT NULL DEFAULT 0,
    ready INTEGER NOT NULL DEFAULT 0,
    parked INTEGER NOT NULL DEFAULT 0,
    leased INTEGER NOT NULL DEFAULT 0,
    succeeded INTEGER NOT NULL DEFAULT 0,
    dead INTEGER NOT NULL DEFAULT 0,
    cancelled INTEGER NOT NULL DEFAULT 0,
    purged INTEGER NOT NULL DEFAULT 0,
    UNIQUE (queue, handler)
  ) STRICT;
CREATE TABLE jobs (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    lane INTEGER NOT NULL,
    tenant TEXT NOT NULL,
    priority INTEGER NOT NULL,
    submitted_at INTEGER NOT NULL,
    -- Place in STATES.
    state INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    token INTEGER NOT NULL,
    audit_block INTEGER NOT NULL,
    -- The lane, while it is ready and nothing holds it back.
    ready_lane INTEGER,
    -- When it becomes ready, while scheduled.
    due_at INTEGER,
    -- When it becomes ready, while parked.
    release_at INTEGER,
    -- The deadline, while it waits for an attempt.
    expires_at INTEGER,
    lease_until INTEGER,
    -- JSON: worker, since, hash of the policy.
    lease TEXT,
    cancel_requested INTEGER NOT NULL DEFAULT 0,
    deadline_at INTEGER,
    -- Absent: when it was submitted.
    generation_at INTEGER,
    cause TEXT,
    -- Only while it is unfinished.
    unique_key TEXT,
    -- JSON: handler and limit key.
    limit_key TEXT,
    -- The limit key, while it is leased.
    leased_key TEXT,
    -- The limit key, while it is ready and held back by it.
    held_key TEXT,
    finished_at INTEGER,
    -- The state, while it is finished.
    finished_as INTEGER,
    -- JSON of what else was said at the enqueue. Absent: nothing.
    spec TEXT,
    -- JSON of what attempts leave behind. Absent: there was none.
    life TEXT,
    -- The payload. TEXT: JSON. BLOB: bytes. 0: it is in the table payloads.
    body ANY NOT NULL,
    -- JSON of the attempts that are kept.
    attempts TEXT,
    result TEXT
  ) STRICT;
CREATE TABLE held_keys (
    held_key TEXT PRIMARY KEY,
    handler TEXT NOT NULL,
    held_under INTEGER NOT NULL,
    -- The tenant whose turn was last.
    turn TEXT NOT NULL DEFAULT ''
  ) STRICT, WITHOUT ROWID;
CREATE TABLE audit_blocks (
    seq INTEGER PRIMARY KEY,
    writer TEXT NOT NULL,
    at INTEGER NOT NULL,
    prev_hash TEXT NOT NULL,
    hash TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
CREATE TABLE policies (
    hash TEXT PRIMARY KEY,
    id TEXT NOT NULL,
    -- JSON.
    policy TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE audit_anchors (
    seq INTEGER PRIMARY KEY,
    from_position TEXT NOT NULL,
    to_position TEXT NOT NULL,
    blocks INTEGER NOT NULL,
    root TEXT NOT NULL,
    prev_hash TEXT NOT NULL,
    hash TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT;
CREATE TABLE audit_packs (
    seq INTEGER PRIMARY KEY,
    from_position TEXT NOT NULL,
    to_position TEXT NOT NULL,
    min_seq INTEGER NOT NULL,
    max_seq INTEGER NOT NULL,
    blocks INTEGER NOT NULL,
    data BLOB NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;
CREATE TABLE dead_letters (
    died_at INTEGER NOT NULL,
    id TEXT NOT NULL,
    -- Of the job.
    n INTEGER NOT NULL,
    lane INTEGER NOT NULL,
    tenant TEXT NOT NULL,
    fingerprint TEXT,
    reason TEXT,
    error_class TEXT,
    -- Absent: that of the job's own.
    session_id TEXT,
    -- JSON. Absent: none.
    tags TEXT,
    PRIMARY KEY (died_at, id)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE dead_groups (
    g INTEGER PRIMARY KEY,
    fingerprint TEXT NOT NULL UNIQUE,
    pattern TEXT NOT NULL
  ) STRICT;
CREATE TABLE purged_jobs (
    purged_at INTEGER NOT NULL,
    n INTEGER NOT NULL,
    -- Where it was dead: it keeps its group.
    fingerprint TEXT,
    PRIMARY KEY (purged_at, n)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE earlier_payloads (
    id TEXT NOT NULL,
    generation INTEGER NOT NULL,
    replaced_at INTEGER NOT NULL,
    replaced_by TEXT NOT NULL,
    payload ANY NOT NULL,
    PRIMARY KEY (id, generation)
  ) STRICT;
CREATE TABLE operations (
    id TEXT PRIMARY KEY,
    revision INTEGER NOT NULL,
    request TEXT NOT NULL,
    state TEXT NOT NULL,
    cursor TEXT,
    acted INTEGER NOT NULL,
    refused INTEGER NOT NULL,
    begun_by TEXT NOT NULL,
    why TEXT,
    started_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE ledger (
    token INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,
    -- 0: in progress. 1: done. 2: failed.
    state INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    lease_until INTEGER NOT NULL,
    -- From then on it is as if it were not there. Absent: never.
    gone_at INTEGER,
    -- JSON of the result or the failure. Absent: nothing was given.
    value TEXT,
    -- JSON of what was given with a result. Absent: nothing.
    metadata TEXT
  ) STRICT;
CREATE TABLE controls (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    revision INTEGER NOT NULL,
    -- JSON.
    document TEXT NOT NULL,
    PRIMARY KEY (kind, key)
  ) STRICT;
CREATE TABLE control_revision (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    revision INTEGER NOT NULL
  ) STRICT;
CREATE TABLE workers (
    name TEXT PRIMARY KEY,
    since INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    running INTEGER NOT NULL,
    stopping INTEGER NOT NULL,
    -- JSON of what never changes: last, because a report then leaves its pages as they are.
    facts TEXT NOT NULL
  ) STRICT;
CREATE TABLE flows (
    lane INTEGER NOT NULL,
    priority INTEGER NOT NULL,
    tenant TEXT NOT NULL,
    -- Place of the first job, or an earlier one.
    first_at INTEGER NOT NULL,
    first_id TEXT NOT NULL,
    -- Since when all jobs of the flow are past their deadline, so that claims skip it.
    late_from INTEGER,
    PRIMARY KEY (lane, priority, tenant)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE payloads (
    n INTEGER PRIMARY KEY,
    -- TEXT: JSON. BLOB: bytes.
    payload ANY NOT NULL
  ) STRICT;
CREATE TABLE clock_steps (n INTEGER PRIMARY KEY) STRICT;
CREATE TABLE event_documents (
    collection TEXT NOT NULL,
    document TEXT NOT NULL,
    n INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (collection, document)
  ) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES('store_id','store_1795113117041_1xqhaus103k0071');
INSERT INTO meta VALUES('works_from','1');
INSERT INTO lanes VALUES(1,'default','mail',1,0,0,0,3,0,1,0);
INSERT INTO lanes VALUES(2,'default','charge',0,0,0,0,3,1,0,0);
INSERT INTO lanes VALUES(3,'default','import',0,0,0,0,0,1,0,0);
INSERT INTO lanes VALUES(4,'default','search',0,0,0,0,1,0,0,0);
INSERT INTO lanes VALUES(5,'default','report',1,0,0,0,0,0,0,0);
INSERT INTO lanes VALUES(6,'slow','mail',0,1,0,0,0,0,0,0);
INSERT INTO jobs VALUES(1,'0mwnw01x6000vuu6phl1',1,'',0,1795113117117,4,3,2,13,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795113118364,NULL,NULL,NULL,NULL,NULL,1795113118376,4,'{"tags":["welcome"]}','{"account":[1,1,1,0,0,0,1],"retryCount":0,"reason":"succeeded"}','{"to":"ada@example.org"}','[0,[1,1,1795113118366,0.99,0,"succeeded","succeed","succeeded","worker-1-0hsdb171awsy7q1",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]','{"sent":true}');
INSERT INTO jobs VALUES(2,'0mwnw01x7000vuu6phl1',1,'',0,1795113117117,4,3,2,13,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795113118364,NULL,NULL,NULL,NULL,NULL,1795113118376,4,'{"tags":["welcome"]}','{"account":[1,1,1,0,0,0,1],"retryCount":0,"reason":"succeeded"}','{"to":"bob@example.org"}','[0,[1,1,1795113118367,2.945,0,"succeeded","succeed","succeeded","worker-1-0hsdb171awsy7q1",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]','{"sent":true}');
INSERT INTO jobs VALUES(3,'0mwnw01x7001vuu6phl1',1,'',0,1795113117117,4,3,2,13,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795113118364,NULL,NULL,NULL,NULL,NULL,1795113118376,4,'{"tags":["welcome"]}','{"account":[1,1,1,0,0,0,1],"retryCount":0,"reason":"succeeded"}','{"to":"cy@example.org"}','[0,[1,1,1795113118367,3.309,0,"succeeded","succeed","succeeded","worker-1-0hsdb171awsy7q1",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]','{"sent":true}');
INSERT INTO jobs VALUES(4,'0mwnw01yu000vuu6phl1',2,'acme',0,1795113117175,4,5,4,15,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795113118364,NULL,NULL,NULL,NULL,NULL,1795113118389,4,'{"uniqueKey":"order-1"}','{"account":[1,2,2,0,0,0,1,1],"retryCount":0,"reason":"succeeded"}','{"failures":1}','[0,[1,1,1795113118367,2.299,0,"failed","retry","retryable_error","worker-1-0hsdb171awsy7q1",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.6020568336427454,{"kind":"failure","effect":"unknown"}],1],[1,2,1795113118386,0.225,4,"succeeded","succeed","succeeded","","",3]]','{"charged":true}');
INSERT INTO jobs VALUES(5,'0mwnw01z2000vuu6phl1',2,'acme',0,1795113117210,4,7,6,17,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795113118364,NULL,NULL,NULL,NULL,NULL,1795113118403,4,'{"uniqueKey":"order-2"}','{"account":[1,3,3,0,0,0,1,2],"retryCount":0,"reason":"succeeded"}','{"failures":2}','[0,[1,1,1795113118367,3.24,0,"failed","retry","retryable_error","worker-1-0hsdb171awsy7q1",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.23298059501075097,{"kind":"failure","effect":"unknown"}],1],[1,2,1795113118386,0.502,4,"failed","retry","retryable_error","","",3,9,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.9585428223316297,{"kind":"failure","effect":"unknown"}],1],[1,3,1795113118398,0.216,9,"succeeded","succeed","succeeded","","",3]]','{"charged":true}');
INSERT INTO jobs VALUES(6,'0mwnw020a000vuu6phl1',2,'',0,1795113117226,4,10,9,20,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795113118450,NULL,NULL,NULL,NULL,NULL,1795113118454,4,'{"correlationId":"order-7"}','{"account":[2,1,4,0,0,0,1],"retryCount":0,"reason":"succeeded"}','{"failures":9}','[0,[1,1,1795113118367,3.447,0,"failed","retry","retryable_error","worker-1-0hsdb171awsy7q1",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.07956628110344277,{"kind":"failure","effect":"unknown"}],1],[1,2,1795113118386,0.311,4,"failed","retry","retryable_error","","",3,8,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.2619268032681298,{"kind":"failure","effect":"unknown"}],1],[1,3,1795113118398,0.275,8,"failed","give-up","max_attempts_exceeded","","",3,null,"retryable",{"type":"Error","message":"connection reset"},[3,0,0,8,0.09488457545791018,{"kind":"failure","effect":"unknown"}],1],[2,1,1795113118450,0.067,0,"succeeded","succeed","succeeded","","",3]]','{"charged":true}');
INSERT INTO jobs VALUES(7,'0mwnw020g000vuu6phl1',2,'',0,1795113117234,5,7,6,17,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795113118364,NULL,NULL,NULL,NULL,NULL,1795113118403,5,NULL,'{"account":[1,3,3,0,0,0,0,3],"retryCount":2,"errorClass":"retryable","reason":"max_attempts_exceeded","fingerprint":"fp1:68d2f39d12ce3be5"}',0.0,'[0,[1,1,1795113118367,3.52,0,"failed","retry","retryable_error","worker-1-0hsdb171awsy7q1",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.547184160343936,{"kind":"failure","effect":"unknown"}],1],[1,2,1795113118386,0.654,4,"failed","retry","retryable_error","","",3,8,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.3148115317731739,{"kind":"failure","effect":"unknown"}],1],[1,3,1795113118398,1.429,8,"failed","give-up","max_attempts_exceeded","","",3,null,"retryable",{"type":"Error","message":"connection reset"},[3,0,0,8,0.8996858573426754,{"kind":"failure","effect":"unknown"}],1]]',NULL);
INSERT INTO jobs VALUES(8,'0mwnw021a000vuu6phl1',3,'',0,1795113117262,5,3,2,13,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795113118364,NULL,NULL,'["import","files"]',NULL,NULL,1795113118376,5,'{"limitKey":"files"}','{"account":[1,1,1,0,0,0,0,1],"retryCount":0,"errorClass":"final","reason":"final_error","fingerprint":"fp1:f7bac0256cf639d7"}','{"file":"a.csv"}','[0,[1,1,1795113118367,3.637,0,"failed","give-up","final_error","worker-1-0hsdb171awsy7q1",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,null,"final",{"type":"verdict:final","message":"unknown format"},[1,0,0,0,0.37626435678857706,{"kind":"failure","effect":"none"}],1]]',NULL);
INSERT INTO jobs VALUES(9,'0mwnw021m000vuu6phl1',4,'',0,1795113117274,4,5,4,15,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795113118364,NULL,NULL,NULL,NULL,NULL,1795113118389,4,NULL,'{"account":[1,2,2,1,6,0,1,0,1],"retryCount":0,"reason":"succeeded"}','{"q":"x"}','[0,[1,1,1795113118367,4.341,0,"rate_limited","retry","rate_limited","worker-1-0hsdb171awsy7q1",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,6,"rate_limited",{"type":"verdict:retry_after","message":"The handler asked for a later time"},[1,0,0,0,0.3380901332490964,{"kind":"failure","effect":"none","retryAfterMs":5}],1],[1,2,1795113118386,0.696,6,"succeeded","succeed","succeeded","","",8]]','"found"');
INSERT INTO jobs VALUES(10,'0mwnw0222000vuu6phl1',5,'',0,1795113117290,0,3,2,13,NULL,1795117057496,NULL,NULL,NULL,NULL,0,NULL,1795113118364,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{"account":[1,1,1,1,3939120,3939120,0,0,1],"retryCount":0,"errorClass":"rate_limited","reason":"rate_limited"}','{"of":"May"}','[0,[1,1,1795113118367,4.527,0,"rate_limited","retry","rate_limited","worker-1-0hsdb171awsy7q1",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,3939120,"rate_limited",{"type":"verdict:retry_after","message":"The handler asked for a later time"},[1,0,0,0,0.941998644707467,{"kind":"failure","effect":"none","retryAfterMs":3600000}],1]]',NULL);
INSERT INTO jobs VALUES(11,'0mwnw0225000vuu6phl1',1,'',0,1795113117293,0,1,0,9,NULL,1795199517293,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{"to":"eve@example.org"}',NULL,NULL);
INSERT INTO jobs VALUES(12,'0mwnw0227000vuu6phl1',1,'',0,1795113117295,6,2,0,11,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795113117295,NULL,NULL,NULL,NULL,NULL,1795113117301,6,NULL,'{"account":[1],"retryCount":0,"reason":"cancelled"}','{"to":"dan@example.org"}',NULL,NULL);
INSERT INTO jobs VALUES(13,'0mwnw02z1000vuu6phl1',6,'',0,1795113118477,1,1,0,22,6,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{"to":"fay@example.org"}',NULL,NULL);
INSERT INTO audit_blocks VALUES(1,'sqlite',1795113117117,'','e2e2c97c39711db7d1bdc99ebafae04e9146dcc3d131ba94aa8bd580e4706397','[[["0mwnw01x6000vuu6phl1","0mwnw01x7000vuu6phl1","0mwnw01x7001vuu6phl1"],1,"enqueue",null,"ready",1795113117117,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO audit_blocks VALUES(2,'sqlite',1795113117175,'e2e2c97c39711db7d1bdc99ebafae04e9146dcc3d131ba94aa8bd580e4706397','0910ac5bfdff1dfd7a1a452756ebe308aef312e8ea3b6f051f6892f2907372f5','[["0mwnw01yu000vuu6phl1",1,"enqueue",null,"ready",1795113117175,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO audit_blocks VALUES(3,'sqlite',1795113117210,'0910ac5bfdff1dfd7a1a452756ebe308aef312e8ea3b6f051f6892f2907372f5','e1d358c50bdd93008fc0697c5fe929919726e94fa6bc6407e87ed424f620b0a9','[["0mwnw01z2000vuu6phl1",1,"enqueue",null,"ready",1795113117210,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO audit_blocks VALUES(4,'sqlite',1795113117226,'e1d358c50bdd93008fc0697c5fe929919726e94fa6bc6407e87ed424f620b0a9','1aca7b8890f8b97a78842576fabc22f8c0c39a0bf2cfcc716bc05f2885006d15','[["0mwnw020a000vuu6phl1",1,"enqueue",null,"ready",1795113117226,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","correlation":"order-7"}]]');
INSERT INTO audit_blocks VALUES(5,'sqlite',1795113117234,'1aca7b8890f8b97a78842576fabc22f8c0c39a0bf2cfcc716bc05f2885006d15','94241f38fef234760ba9d74277059270476bb378d966ab6e8abf40f50be04c08','[["0mwnw020g000vuu6phl1",1,"enqueue",null,"ready",1795113117234,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default"}]]');
INSERT INTO audit_blocks VALUES(6,'sqlite',1795113117262,'94241f38fef234760ba9d74277059270476bb378d966ab6e8abf40f50be04c08','19a52842074c1ca269d463d67d2e0a9e8f5b1b4f2a14c77d6d0c78a16b236beb','[["0mwnw021a000vuu6phl1",1,"enqueue",null,"ready",1795113117262,0,1,0,0,{"by":"app:worker-1","handler":"import","queue":"default"}]]');
INSERT INTO audit_blocks VALUES(7,'sqlite',1795113117274,'19a52842074c1ca269d463d67d2e0a9e8f5b1b4f2a14c77d6d0c78a16b236beb','7ee93813c20e2a6b89527eba2d08d348d9b4281ab2b8d431e63f80f581fc276c','[["0mwnw021m000vuu6phl1",1,"enqueue",null,"ready",1795113117274,0,1,0,0,{"by":"app:worker-1","handler":"search","queue":"default"}]]');
INSERT INTO audit_blocks VALUES(8,'sqlite',1795113117290,'7ee93813c20e2a6b89527eba2d08d348d9b4281ab2b8d431e63f80f581fc276c','f440987c36a851838c62dac0143e14392745af04d08ccab98570b1be5d7ccd08','[["0mwnw0222000vuu6phl1",1,"enqueue",null,"ready",1795113117290,0,1,0,0,{"by":"app:worker-1","handler":"report","queue":"default"}]]');
INSERT INTO audit_blocks VALUES(9,'sqlite',1795113117293,'f440987c36a851838c62dac0143e14392745af04d08ccab98570b1be5d7ccd08','8316c43e9b89e231c35071407b071a9f3a8236f63e2a414963a851b1c7ff0221','[["0mwnw0225000vuu6phl1",1,"enqueue",null,"scheduled",1795113117293,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default","due":{"inMs":86400000}}]]');
INSERT INTO audit_blocks VALUES(10,'sqlite',1795113117295,'8316c43e9b89e231c35071407b071a9f3a8236f63e2a414963a851b1c7ff0221','af84b8c0581a4b9690bfaa0f64a3be49cc5a7274346b39b177a1129b7b889141','[["0mwnw0227000vuu6phl1",1,"enqueue",null,"ready",1795113117295,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO audit_blocks VALUES(11,'sqlite',1795113117301,'af84b8c0581a4b9690bfaa0f64a3be49cc5a7274346b39b177a1129b7b889141','690cae77dba06efa0da737fc50c74b524c1db77f2815cd6fe5187a4a0396aac8','[["0mwnw0227000vuu6phl1",2,"cancel","ready","cancelled",1795113117301,0,1,0,10,{"by":"app:worker-1","why":"not wanted"}]]');
INSERT INTO audit_blocks VALUES(12,'sqlite',1795113118364,'690cae77dba06efa0da737fc50c74b524c1db77f2815cd6fe5187a4a0396aac8','5e49fec52b3de59efd6f305a7f9c86c70e88993e99d73b96383738487c6df477','[[["0mwnw01x6000vuu6phl1","0mwnw01x7000vuu6phl1","0mwnw01x7001vuu6phl1","0mwnw021a000vuu6phl1","0mwnw021m000vuu6phl1","0mwnw0222000vuu6phl1"],2,"claim","ready","leased",1795113118364,1,1,1,[1,1,1,6,7,8],{"by":"worker-1-0hsdb171awsy7q1","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}],
[["0mwnw01yu000vuu6phl1","0mwnw01z2000vuu6phl1","0mwnw020a000vuu6phl1","0mwnw020g000vuu6phl1"],2,"claim","ready","leased",1795113118364,1,1,1,[2,3,4,5],{"by":"worker-1-0hsdb171awsy7q1","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO audit_blocks VALUES(13,'sqlite',1795113118376,'5e49fec52b3de59efd6f305a7f9c86c70e88993e99d73b96383738487c6df477','a661c83e81fc4f98433c12c8fcb549e57d4c11ed237b660fc6db5fbf92c567ea','[["gate:[\"reports\",\"\",\"\"]",0,"control",null,null,1795113118376,0,0,0,0,{"by":"worker:worker-1-0hsdb171awsy7q1","act":"close","untilMs":1795116718376,"cut":false}],
[["0mwnw01x6000vuu6phl1","0mwnw01x7000vuu6phl1","0mwnw01x7001vuu6phl1"],3,"settle","leased","succeeded",1795113118376,2,1,1,12,{"by":"worker-1-0hsdb171awsy7q1","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1}],
[["0mwnw01yu000vuu6phl1","0mwnw01z2000vuu6phl1","0mwnw020a000vuu6phl1","0mwnw020g000vuu6phl1"],3,"settle","leased","scheduled",1795113118376,2,1,1,12,{"by":"worker-1-0hsdb171awsy7q1","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795113118367,2.299,0,4,1,0,0,0,null,0.6020568336427454],[1,1795113118367,3.24,0,4,1,0,0,0,null,0.23298059501075097],[1,1795113118367,3.447,0,4,1,0,0,0,null,0.07956628110344277],[1,1795113118367,3.52,0,4,1,0,0,0,null,0.547184160343936]]],
["0mwnw021a000vuu6phl1",3,"settle","leased","dead",1795113118376,2,1,1,12,{"by":"worker-1-0hsdb171awsy7q1","attempt":1,"startedAtMs":1795113118367,"durationMs":3.637,"delayBeforeMs":0,"error":{"type":"verdict:final","message":"unknown format"},"action":"give-up","reason":"final_error","entry":"failed","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":1,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"final","effect":"none"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.37626435678857706}}],
["0mwnw021m000vuu6phl1",3,"settle","leased","scheduled",1795113118376,2,1,1,12,{"by":"worker-1-0hsdb171awsy7q1","attempt":1,"startedAtMs":1795113118367,"durationMs":4.341,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"The handler asked for a later time"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":6,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":1,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":5},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.3380901332490964}}],
["0mwnw0222000vuu6phl1",3,"settle","leased","scheduled",1795113118376,2,1,1,12,{"by":"worker-1-0hsdb171awsy7q1","attempt":1,"startedAtMs":1795113118367,"durationMs":4.527,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"The handler asked for a later time"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":3939120,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":1,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":3600000},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.941998644707467}}]]');
INSERT INTO audit_blocks VALUES(14,'sqlite',1795113118386,'a661c83e81fc4f98433c12c8fcb549e57d4c11ed237b660fc6db5fbf92c567ea','6274290855f22ef3755167f0430bab949e01517ef03b7ce27300725c7b634793','[[["0mwnw01yu000vuu6phl1","0mwnw020a000vuu6phl1","0mwnw01z2000vuu6phl1","0mwnw020g000vuu6phl1"],4,"claim","ready","leased",1795113118386,3,1,2,13,{"by":"worker-1-0hsdb171awsy7q1","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}],
["0mwnw021m000vuu6phl1",4,"claim","ready","leased",1795113118386,3,1,2,13,{"by":"worker-1-0hsdb171awsy7q1","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}]]');
INSERT INTO audit_blocks VALUES(15,'sqlite',1795113118389,'6274290855f22ef3755167f0430bab949e01517ef03b7ce27300725c7b634793','193f3d9bb664d8c318a96ed536ff8e6af6d33a36c874213f64d79e44002a3fd3','[["0mwnw01yu000vuu6phl1",5,"settle","leased","succeeded",1795113118389,4,1,2,14,{"by":"worker-1-0hsdb171awsy7q1","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}],
[["0mwnw020a000vuu6phl1","0mwnw01z2000vuu6phl1","0mwnw020g000vuu6phl1"],5,"settle","leased","scheduled",1795113118389,4,1,2,14,{"by":"worker-1-0hsdb171awsy7q1","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[2,1795113118386,0.311,4,8,2,0,0,4,null,0.2619268032681298],[2,1795113118386,0.502,4,9,2,0,0,4,null,0.9585428223316297],[2,1795113118386,0.654,4,8,2,0,0,4,null,0.3148115317731739]]],
["0mwnw021m000vuu6phl1",5,"settle","leased","succeeded",1795113118389,4,1,2,14,{"by":"worker-1-0hsdb171awsy7q1","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1}]]');
INSERT INTO audit_blocks VALUES(16,'sqlite',1795113118398,'193f3d9bb664d8c318a96ed536ff8e6af6d33a36c874213f64d79e44002a3fd3','6b1156dd143d17a1adc1f39a96a54c3989ad346053037ed606cb97fa4395cd5a','[[["0mwnw01z2000vuu6phl1","0mwnw020a000vuu6phl1","0mwnw020g000vuu6phl1"],6,"claim","ready","leased",1795113118398,5,1,3,15,{"by":"worker-1-0hsdb171awsy7q1","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO audit_blocks VALUES(17,'sqlite',1795113118403,'6b1156dd143d17a1adc1f39a96a54c3989ad346053037ed606cb97fa4395cd5a','c8806ae30f0f55cf806a88019a80260699fb62b1fcd3a66ae5ff5b60bfcea218','[["0mwnw01z2000vuu6phl1",7,"settle","leased","succeeded",1795113118403,6,1,3,16,{"by":"worker-1-0hsdb171awsy7q1","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}],
[["0mwnw020a000vuu6phl1","0mwnw020g000vuu6phl1"],7,"settle","leased","dead",1795113118403,6,1,3,16,{"by":"worker-1-0hsdb171awsy7q1","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"give-up","reason":"max_attempts_exceeded","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[3,1795113118398,0.275,8,15,3,0,0,8,null,0.09488457545791018],[3,1795113118398,1.429,8,17,3,0,0,8,null,0.8996858573426754]]]]');
INSERT INTO audit_blocks VALUES(18,'sqlite',1795113118405,'c8806ae30f0f55cf806a88019a80260699fb62b1fcd3a66ae5ff5b60bfcea218','ac5d213e25a840389178040491787903cc6897ca14e19debd782c233d237ffc4','[["0mwnw020a000vuu6phl1",8,"requeue","dead","ready",1795113118405,7,2,3,17,{"by":"app:worker-1","why":"the bank answers again"}]]');
INSERT INTO audit_blocks VALUES(19,'sqlite',1795113118450,'ac5d213e25a840389178040491787903cc6897ca14e19debd782c233d237ffc4','027b8801d5642ee7d085000eada0c949af57472323f72ddc5943e1156c34f6aa','[["0mwnw020a000vuu6phl1",9,"claim","ready","leased",1795113118450,8,2,4,18,{"by":"worker-1-0hsdb171awsy7q1","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO audit_blocks VALUES(20,'sqlite',1795113118454,'027b8801d5642ee7d085000eada0c949af57472323f72ddc5943e1156c34f6aa','ce5e09eeed15f3693b2c7028f306d8ef291e3bb2584988150a2459a1e354f4d1','[["0mwnw020a000vuu6phl1",10,"settle","leased","succeeded",1795113118454,9,2,4,19,{"by":"worker-1-0hsdb171awsy7q1","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}]]');
INSERT INTO audit_blocks VALUES(21,'sqlite',1795113118470,'ce5e09eeed15f3693b2c7028f306d8ef291e3bb2584988150a2459a1e354f4d1','680aae50a298f50c70aef4aaf14d1908e7f92bfb173ad784f182fd4e98e32f1f','[["kill:pause:queue:slow",0,"control",null,null,1795113118470,0,0,0,0,{"by":"ann","why":"maintenance","act":"pause"}]]');
INSERT INTO audit_blocks VALUES(22,'sqlite',1795113118477,'680aae50a298f50c70aef4aaf14d1908e7f92bfb173ad784f182fd4e98e32f1f','395cfc19369ae0c7343e47be167ce1008859cd9354320f437110acd4e9762f7c','[["0mwnw02z1000vuu6phl1",1,"enqueue",null,"ready",1795113118477,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"slow"}]]');
INSERT INTO policies VALUES('3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506','runs.default','{"enabled":true,"maxAttempts":8,"backoff":"exponential","baseDelayMs":60000,"maxDelayMs":3600000,"multiplier":2,"immediateFirstRetry":false,"jitter":"none","jitterAmount":1,"maxFreeWaits":100,"maxFreeWaitMs":86400000}');
INSERT INTO policies VALUES('b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd','default','{"enabled":true,"maxAttempts":3,"backoff":"exponential","baseDelayMs":4,"maxDelayMs":20,"multiplier":2,"immediateFirstRetry":false,"jitter":"proportional","jitterAmount":0.1,"maxFreeWaits":100,"maxFreeWaitMs":86400000}');
INSERT INTO audit_anchors VALUES(1,'0000000000000001','0000000000000011',11,'4d016f59585883c032d865f1a55d60ae77a1f3441cf271142729f92d179c6898','','02a8d8d0e61663f536738445015327d716c4d877f57a2a97e21b973209d18260',1795113118359);
INSERT INTO audit_anchors VALUES(2,'0000000000000012','0000000000000020',9,'d39496b651fb8a62d8e6ca6e50473271a456da81caa61421b7288b5041b2836a','02a8d8d0e61663f536738445015327d716c4d877f57a2a97e21b973209d18260','bb8a775298a04fd9788c2c10262821e5b3b9231c7038eeee6c341315aec57c5b',1795113118463);
INSERT INTO audit_anchors VALUES(3,'0000000000000021','0000000000000022',2,'c9bbe2c64a7d0c37c47333e4a9f6ceb228b67528d1ae43c87e3af2f7a555ef71','bb8a775298a04fd9788c2c10262821e5b3b9231c7038eeee6c341315aec57c5b','36d41b5fcf8a33cb298449a1cbd91a41beb9794b1f95ec08ffd702cfb98a4230',1795113118483);
INSERT INTO dead_letters VALUES(1795113118376,'0mwnw021a000vuu6phl1',8,3,'','fp1:f7bac0256cf639d7','final_error','final',NULL,NULL);
INSERT INTO dead_letters VALUES(1795113118403,'0mwnw020g000vuu6phl1',7,2,'','fp1:68d2f39d12ce3be5','max_attempts_exceeded','retryable',NULL,NULL);
INSERT INTO dead_groups VALUES(1,'fp1:f7bac0256cf639d7','verdict:final: unknown format');
INSERT INTO dead_groups VALUES(2,'fp1:68d2f39d12ce3be5','Error: connection reset');
INSERT INTO controls VALUES('gate','["reports","",""]',1,'{"untilMs":1795116718376,"sinceMs":1795113118376,"cut":false,"dependency":"reports","credential":"","tenant":""}');
INSERT INTO controls VALUES('kill','pause:queue:slow',2,'{"sinceMs":1795113118469,"mode":"finish","by":"ann","why":"maintenance"}');
INSERT INTO control_revision VALUES(1,2);
INSERT INTO flows VALUES(6,0,'',1795113118477,'0mwnw02z1000vuu6phl1',NULL);
INSERT INTO payloads VALUES(7,'{"failures":9,"note":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}');
DELETE FROM sqlite_sequence;
CREATE INDEX jobs_ready ON jobs (priority DESC, tenant, ready_lane, submitted_at, id)
    WHERE ready_lane IS NOT NULL;
CREATE INDEX jobs_due ON jobs (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX jobs_release ON jobs (release_at, id) WHERE release_at IS NOT NULL;
CREATE INDEX jobs_expiry ON jobs (expires_at, id) WHERE expires_at IS NOT NULL;
CREATE INDEX jobs_lease ON jobs (lease_until) WHERE lease_until IS NOT NULL;
CREATE UNIQUE INDEX jobs_unique ON jobs (unique_key) WHERE unique_key IS NOT NULL;
CREATE INDEX jobs_leased_key ON jobs (leased_key) WHERE leased_key IS NOT NULL;
CREATE INDEX jobs_held_key ON jobs (held_key, lane, tenant, priority DESC, submitted_at, id)
    WHERE held_key IS NOT NULL;
CREATE INDEX jobs_held_turn ON jobs (held_key, lane, priority DESC, tenant, submitted_at, id)
    WHERE held_key IS NOT NULL;
CREATE INDEX jobs_finished ON jobs (finished_as, finished_at) WHERE finished_as IS NOT NULL;
CREATE INDEX held_keys_handler ON held_keys (handler, held_under);
CREATE INDEX audit_packs_to ON audit_packs (to_position);
CREATE INDEX audit_anchors_at ON audit_anchors (at);
CREATE INDEX dead_letters_group ON dead_letters (fingerprint, died_at, id)
    WHERE fingerprint IS NOT NULL;
CREATE INDEX dead_letters_lane ON dead_letters (lane, died_at, id);
CREATE INDEX dead_letters_tenant ON dead_letters (tenant, died_at, id);
CREATE INDEX purged_jobs_group ON purged_jobs (fingerprint) WHERE fingerprint IS NOT NULL;
CREATE INDEX ledger_gone ON ledger (gone_at) WHERE gone_at IS NOT NULL;
CREATE INDEX jobs_parked ON jobs (cause, priority DESC, release_at, id)
    WHERE cause IS NOT NULL;
CREATE INDEX flows_line ON flows (priority DESC, tenant, first_at, first_id);
CREATE TRIGGER jobs_flow AFTER UPDATE OF ready_lane ON jobs WHEN NEW.ready_lane IS NOT NULL BEGIN
    INSERT INTO flows (lane, priority, tenant, first_at, first_id)
    VALUES (NEW.ready_lane, NEW.priority, NEW.tenant, NEW.submitted_at, NEW.id)
    ON CONFLICT DO UPDATE SET late_from = NULL,
      first_at = iif((excluded.first_at, excluded.first_id) < (first_at, first_id), excluded.first_at, first_at),
      first_id = iif((excluded.first_at, excluded.first_id) < (first_at, first_id), excluded.first_id, first_id)
    WHERE (excluded.first_at, excluded.first_id) < (first_at, first_id) OR late_from IS NOT NULL;
  END;
CREATE INDEX event_documents_n ON event_documents (n);
