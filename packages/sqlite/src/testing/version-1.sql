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
    -- The limit key or the rate, while it is ready and held back by it.
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
    result TEXT,
    batch TEXT GENERATED ALWAYS AS (
      CASE WHEN substr(spec, 1, 10) = '{"batch":"'
        THEN substr(spec, 11, instr(substr(spec, 11), '"') - 1) END) VIRTUAL
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
CREATE TABLE batches (
    id TEXT PRIMARY KEY,
    tenant TEXT NOT NULL,
    -- open, sealed or ended.
    state TEXT NOT NULL,
    -- JSON of the job that follows.
    follows TEXT,
    opened_by TEXT NOT NULL,
    opened_at INTEGER NOT NULL,
    sealed_at INTEGER,
    ended_at INTEGER
  ) STRICT, WITHOUT ROWID;
CREATE TABLE pruned_in_batches (
    batch TEXT NOT NULL,
    -- Place in STATES.
    state INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (batch, state)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE rates (
    -- The name of the rate and the value that is counted.
    key TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    -- The handler whose jobs it counts. Absent: those of a queue.
    handler TEXT,
    -- When the burst is free again, in microseconds.
    full_us INTEGER NOT NULL,
    -- Since when jobs wait for it.
    since INTEGER,
    -- When a claim looks at it again.
    look_at INTEGER NOT NULL,
    -- Whether jobs are out of the index because of it.
    holds INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES('store_id','store_1795134631498_04mldjy0lp6r641');
INSERT INTO meta VALUES('works_from','1');
INSERT INTO lanes VALUES(1,'default','mail',1,0,0,0,3,0,1,0);
INSERT INTO lanes VALUES(2,'default','charge',0,0,0,0,3,1,0,0);
INSERT INTO lanes VALUES(3,'default','import',0,0,0,0,0,1,0,0);
INSERT INTO lanes VALUES(4,'default','search',0,0,0,0,1,0,0,0);
INSERT INTO lanes VALUES(5,'default','report',1,0,0,0,0,0,0,0);
INSERT INTO lanes VALUES(6,'slow','mail',0,1,0,0,0,0,0,0);
INSERT INTO jobs VALUES(1,'0mwo8t6kb000wgtxiqud',1,'',0,1795134631555,4,3,2,13,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795134631696,NULL,NULL,NULL,NULL,NULL,1795134631790,4,'{"tags":["welcome"]}','{"account":[1,1,1,0,0,0,1],"retryCount":0,"reason":"succeeded"}','{"to":"ada@example.org"}','[0,[1,1,1795134631697,5.922,0,"succeeded","succeed","succeeded","worker-1-0k430kt0wm6nd61",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]','{"sent":true}');
INSERT INTO jobs VALUES(2,'0mwo8t6kd000wgtxiqud',1,'',0,1795134631555,4,3,2,13,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795134631696,NULL,NULL,NULL,NULL,NULL,1795134631790,4,'{"tags":["welcome"]}','{"account":[1,1,1,0,0,0,1],"retryCount":0,"reason":"succeeded"}','{"to":"bob@example.org"}','[0,[1,1,1795134631702,17.682,0,"succeeded","succeed","succeeded","worker-1-0k430kt0wm6nd61",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]','{"sent":true}');
INSERT INTO jobs VALUES(3,'0mwo8t6kd001wgtxiqud',1,'',0,1795134631555,4,3,2,13,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795134631696,NULL,NULL,NULL,NULL,NULL,1795134631790,4,'{"tags":["welcome"]}','{"account":[1,1,1,0,0,0,1],"retryCount":0,"reason":"succeeded"}','{"to":"cy@example.org"}','[0,[1,1,1795134631702,18.082,0,"succeeded","succeed","succeeded","worker-1-0k430kt0wm6nd61",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]','{"sent":true}');
INSERT INTO jobs VALUES(4,'0mwo8t6kn000wgtxiqud',2,'acme',0,1795134631560,4,5,4,15,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795134631696,NULL,NULL,NULL,NULL,NULL,1795134631859,4,'{"uniqueKey":"order-1"}','{"account":[1,2,2,0,0,0,1,1],"retryCount":0,"reason":"succeeded"}','{"failures":1}','[0,[1,1,1795134631702,16.272,0,"failed","retry","retryable_error","worker-1-0k430kt0wm6nd61",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.48882218420539236,{"kind":"failure","effect":"unknown"}],1],[1,2,1795134631813,0.448,4,"succeeded","succeed","succeeded","","",3]]','{"charged":true}');
INSERT INTO jobs VALUES(5,'0mwo8t6kt000wgtxiqud',2,'acme',0,1795134631565,4,7,6,17,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795134631696,NULL,NULL,NULL,NULL,NULL,1795134631896,4,'{"uniqueKey":"order-2"}','{"account":[1,3,3,0,0,0,1,2],"retryCount":0,"reason":"succeeded"}','{"failures":2}','[0,[1,1,1795134631702,17.979,0,"failed","retry","retryable_error","worker-1-0k430kt0wm6nd61",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.6574022322893628,{"kind":"failure","effect":"unknown"}],1],[1,2,1795134631813,1.062,4,"failed","retry","retryable_error","","",3,9,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.9539716021977384,{"kind":"failure","effect":"unknown"}],1],[1,3,1795134631871,0.301,9,"succeeded","succeed","succeeded","","",3]]','{"charged":true}');
INSERT INTO jobs VALUES(6,'0mwo8t6ku000wgtxiqud',2,'',0,1795134631567,4,10,9,20,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795134631931,NULL,NULL,NULL,NULL,NULL,1795134631942,4,'{"correlationId":"order-7"}','{"account":[2,1,4,0,0,0,1],"retryCount":0,"reason":"succeeded"}','{"failures":9}','[0,[1,1,1795134631702,18.042,0,"failed","retry","retryable_error","worker-1-0k430kt0wm6nd61",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.04729447265934916,{"kind":"failure","effect":"unknown"}],1],[1,2,1795134631813,0.605,4,"failed","retry","retryable_error","","",3,8,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.24120730676978241,{"kind":"failure","effect":"unknown"}],1],[1,3,1795134631871,0.422,8,"failed","give-up","max_attempts_exceeded","","",3,null,"retryable",{"type":"Error","message":"connection reset"},[3,0,0,8,0.2883282394130532,{"kind":"failure","effect":"unknown"}],1],[2,1,1795134631931,0.237,0,"succeeded","succeed","succeeded","","",3]]','{"charged":true}');
INSERT INTO jobs VALUES(7,'0mwo8t6ky000wgtxiqud',2,'',0,1795134631571,5,7,6,17,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795134631696,NULL,NULL,NULL,NULL,NULL,1795134631896,5,NULL,'{"account":[1,3,3,0,0,0,0,3],"retryCount":2,"errorClass":"retryable","reason":"max_attempts_exceeded","fingerprint":"fp1:68d2f39d12ce3be5"}',0.0,'[0,[1,1,1795134631702,18.114,0,"failed","retry","retryable_error","worker-1-0k430kt0wm6nd61",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.7427918500161556,{"kind":"failure","effect":"unknown"}],1],[1,2,1795134631813,1.431,4,"failed","retry","retryable_error","","",3,9,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.836287718916681,{"kind":"failure","effect":"unknown"}],1],[1,3,1795134631871,3.951,9,"failed","give-up","max_attempts_exceeded","","",3,null,"retryable",{"type":"Error","message":"connection reset"},[3,0,0,9,0.4807922183349279,{"kind":"failure","effect":"unknown"}],1]]',NULL);
INSERT INTO jobs VALUES(8,'0mwo8t6l3000wgtxiqud',3,'',0,1795134631575,5,3,2,13,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795134631696,NULL,NULL,'["import","files"]',NULL,NULL,1795134631790,5,'{"limitKey":"files"}','{"account":[1,1,1,0,0,0,0,1],"retryCount":0,"errorClass":"final","reason":"final_error","fingerprint":"fp1:f7bac0256cf639d7"}','{"file":"a.csv"}','[0,[1,1,1795134631702,18.259,0,"failed","give-up","final_error","worker-1-0k430kt0wm6nd61",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,null,"final",{"type":"verdict:final","message":"unknown format"},[1,0,0,0,0.24597202193931245,{"kind":"failure","effect":"none"}],1]]',NULL);
INSERT INTO jobs VALUES(9,'0mwo8t6l6000wgtxiqud',4,'',0,1795134631579,4,5,4,15,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795134631696,NULL,NULL,NULL,NULL,NULL,1795134631859,4,NULL,'{"account":[1,2,2,1,6,0,1,0,1],"retryCount":0,"reason":"succeeded"}','{"q":"x"}','[0,[1,1,1795134631702,50.34,0,"rate_limited","retry","rate_limited","worker-1-0k430kt0wm6nd61",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,6,"rate_limited",{"type":"verdict:retry_after","message":"The handler asked for a later time"},[1,0,0,0,0.7246895877584639,{"kind":"failure","effect":"none","retryAfterMs":5}],1],[1,2,1795134631813,1.478,6,"succeeded","succeed","succeeded","","",8]]','"found"');
INSERT INTO jobs VALUES(10,'0mwo8t6l9000wgtxiqud',5,'',0,1795134631582,0,3,2,13,NULL,1795138394668,NULL,NULL,NULL,NULL,0,NULL,1795134631696,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{"account":[1,1,1,1,3762878,3762878,0,0,1],"retryCount":0,"errorClass":"rate_limited","reason":"rate_limited"}','{"of":"May"}','[0,[1,1,1795134631702,53.034,0,"rate_limited","retry","rate_limited","worker-1-0k430kt0wm6nd61",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,3762878,"rate_limited",{"type":"verdict:retry_after","message":"The handler asked for a later time"},[1,0,0,0,0.4524370891021262,{"kind":"failure","effect":"none","retryAfterMs":3600000}],1]]',NULL);
INSERT INTO jobs VALUES(11,'0mwo8t6lf000wgtxiqud',1,'',0,1795134631587,0,1,0,9,NULL,1795221031587,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{"to":"eve@example.org"}',NULL,NULL);
INSERT INTO jobs VALUES(12,'0mwo8t6lj000wgtxiqud',1,'',0,1795134631591,6,2,0,11,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795134631591,NULL,NULL,NULL,NULL,NULL,1795134631598,6,NULL,'{"account":[1],"retryCount":0,"reason":"cancelled"}','{"to":"dan@example.org"}',NULL,NULL);
INSERT INTO jobs VALUES(13,'0mwo8t6w5000wgtxiqud',6,'',0,1795134631973,1,1,0,22,6,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{"to":"fay@example.org"}',NULL,NULL);
INSERT INTO audit_blocks VALUES(1,'sqlite',1795134631555,'','ed004e4ece5a7944589050bce592ac2fb0afb913f445a7c23a2145a100c63fc6','[[["0mwo8t6kb000wgtxiqud","0mwo8t6kd000wgtxiqud","0mwo8t6kd001wgtxiqud"],1,"enqueue",null,"ready",1795134631555,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO audit_blocks VALUES(2,'sqlite',1795134631560,'ed004e4ece5a7944589050bce592ac2fb0afb913f445a7c23a2145a100c63fc6','d2d945135ebc6e6e8d439b8d40e41a9aaa495b17bf75a630c51f674aaa8ec2bd','[["0mwo8t6kn000wgtxiqud",1,"enqueue",null,"ready",1795134631560,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO audit_blocks VALUES(3,'sqlite',1795134631565,'d2d945135ebc6e6e8d439b8d40e41a9aaa495b17bf75a630c51f674aaa8ec2bd','36ce3b4403135422fc183e922ee8fa5d7cf6fc36fd9a185b8ed2c32ef4329f05','[["0mwo8t6kt000wgtxiqud",1,"enqueue",null,"ready",1795134631565,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO audit_blocks VALUES(4,'sqlite',1795134631567,'36ce3b4403135422fc183e922ee8fa5d7cf6fc36fd9a185b8ed2c32ef4329f05','d4c6dd1c300569134a794f03fec7b9e4147c83a62ffe051f7196c4313896520c','[["0mwo8t6ku000wgtxiqud",1,"enqueue",null,"ready",1795134631567,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","correlation":"order-7"}]]');
INSERT INTO audit_blocks VALUES(5,'sqlite',1795134631571,'d4c6dd1c300569134a794f03fec7b9e4147c83a62ffe051f7196c4313896520c','138e6352089c982211e3a6281d55749fc5e88d12d05a570daaef0837c3dc23f8','[["0mwo8t6ky000wgtxiqud",1,"enqueue",null,"ready",1795134631571,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default"}]]');
INSERT INTO audit_blocks VALUES(6,'sqlite',1795134631575,'138e6352089c982211e3a6281d55749fc5e88d12d05a570daaef0837c3dc23f8','68e7d2f39d5c35003d8a3201cdf078cc874747680dfed07f2d500ed2cf7dccd3','[["0mwo8t6l3000wgtxiqud",1,"enqueue",null,"ready",1795134631575,0,1,0,0,{"by":"app:worker-1","handler":"import","queue":"default"}]]');
INSERT INTO audit_blocks VALUES(7,'sqlite',1795134631579,'68e7d2f39d5c35003d8a3201cdf078cc874747680dfed07f2d500ed2cf7dccd3','69dc3ba17d6139db5ab0bd1b9ff1af0f0359db44bf70b3b23b890ef6133396fb','[["0mwo8t6l6000wgtxiqud",1,"enqueue",null,"ready",1795134631579,0,1,0,0,{"by":"app:worker-1","handler":"search","queue":"default"}]]');
INSERT INTO audit_blocks VALUES(8,'sqlite',1795134631582,'69dc3ba17d6139db5ab0bd1b9ff1af0f0359db44bf70b3b23b890ef6133396fb','bc7b7c6e209e3d60a1600dcb3c5c6f04b2f313af874557764f3f8661a6dc56c6','[["0mwo8t6l9000wgtxiqud",1,"enqueue",null,"ready",1795134631582,0,1,0,0,{"by":"app:worker-1","handler":"report","queue":"default"}]]');
INSERT INTO audit_blocks VALUES(9,'sqlite',1795134631587,'bc7b7c6e209e3d60a1600dcb3c5c6f04b2f313af874557764f3f8661a6dc56c6','d4f31cb0908ae625a068882bda9e04de6734558155748a1e586fdd0da3e1f535','[["0mwo8t6lf000wgtxiqud",1,"enqueue",null,"scheduled",1795134631587,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default","due":{"inMs":86400000}}]]');
INSERT INTO audit_blocks VALUES(10,'sqlite',1795134631591,'d4f31cb0908ae625a068882bda9e04de6734558155748a1e586fdd0da3e1f535','153b3d478d1d89cc8f388e12002ac029544a7a254aaf1e751b6ad724400372b9','[["0mwo8t6lj000wgtxiqud",1,"enqueue",null,"ready",1795134631591,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO audit_blocks VALUES(11,'sqlite',1795134631598,'153b3d478d1d89cc8f388e12002ac029544a7a254aaf1e751b6ad724400372b9','cf85e434c1bb3526fe16f684c969ab9a440af3b2e86518a85efc69cea54bafcb','[["0mwo8t6lj000wgtxiqud",2,"cancel","ready","cancelled",1795134631598,0,1,0,10,{"by":"app:worker-1","why":"not wanted"}]]');
INSERT INTO audit_blocks VALUES(12,'sqlite',1795134631696,'cf85e434c1bb3526fe16f684c969ab9a440af3b2e86518a85efc69cea54bafcb','1adaf88050dd8df4755d83d80dfb0aba815b82824d6343730a4fa1e82caf0225','[[["0mwo8t6kb000wgtxiqud","0mwo8t6kd000wgtxiqud","0mwo8t6kd001wgtxiqud","0mwo8t6l3000wgtxiqud","0mwo8t6l6000wgtxiqud","0mwo8t6l9000wgtxiqud"],2,"claim","ready","leased",1795134631696,1,1,1,[1,1,1,6,7,8],{"by":"worker-1-0k430kt0wm6nd61","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}],
[["0mwo8t6kn000wgtxiqud","0mwo8t6kt000wgtxiqud","0mwo8t6ku000wgtxiqud","0mwo8t6ky000wgtxiqud"],2,"claim","ready","leased",1795134631696,1,1,1,[2,3,4,5],{"by":"worker-1-0k430kt0wm6nd61","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO audit_blocks VALUES(13,'sqlite',1795134631790,'1adaf88050dd8df4755d83d80dfb0aba815b82824d6343730a4fa1e82caf0225','b718ab4aaeea3d553ad2385902e69fa2799bf037c2d8cbc551a33e9ea39d5cd7','[["gate:[\"reports\",\"\",\"\"]",0,"control",null,null,1795134631790,0,0,0,0,{"by":"worker:worker-1-0k430kt0wm6nd61","act":"close","untilMs":1795138231787,"cut":false}],
[["0mwo8t6kb000wgtxiqud","0mwo8t6kd000wgtxiqud","0mwo8t6kd001wgtxiqud"],3,"settle","leased","succeeded",1795134631790,2,1,1,12,{"by":"worker-1-0k430kt0wm6nd61","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1}],
[["0mwo8t6kn000wgtxiqud","0mwo8t6kt000wgtxiqud","0mwo8t6ku000wgtxiqud","0mwo8t6ky000wgtxiqud"],3,"settle","leased","scheduled",1795134631790,2,1,1,12,{"by":"worker-1-0k430kt0wm6nd61","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795134631702,16.272,0,4,1,0,0,0,null,0.48882218420539236],[1,1795134631702,17.979,0,4,1,0,0,0,null,0.6574022322893628],[1,1795134631702,18.042,0,4,1,0,0,0,null,0.04729447265934916],[1,1795134631702,18.114,0,4,1,0,0,0,null,0.7427918500161556]]],
["0mwo8t6l3000wgtxiqud",3,"settle","leased","dead",1795134631790,2,1,1,12,{"by":"worker-1-0k430kt0wm6nd61","attempt":1,"startedAtMs":1795134631702,"durationMs":18.259,"delayBeforeMs":0,"error":{"type":"verdict:final","message":"unknown format"},"action":"give-up","reason":"final_error","entry":"failed","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":1,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"final","effect":"none"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.24597202193931245}}],
["0mwo8t6l6000wgtxiqud",3,"settle","leased","scheduled",1795134631790,2,1,1,12,{"by":"worker-1-0k430kt0wm6nd61","attempt":1,"startedAtMs":1795134631702,"durationMs":50.34,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"The handler asked for a later time"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":6,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":1,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":5},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.7246895877584639}}],
["0mwo8t6l9000wgtxiqud",3,"settle","leased","scheduled",1795134631790,2,1,1,12,{"by":"worker-1-0k430kt0wm6nd61","attempt":1,"startedAtMs":1795134631702,"durationMs":53.034,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"The handler asked for a later time"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":3762878,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":1,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":3600000},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.4524370891021262}}]]');
INSERT INTO audit_blocks VALUES(14,'sqlite',1795134631807,'b718ab4aaeea3d553ad2385902e69fa2799bf037c2d8cbc551a33e9ea39d5cd7','19e980ee62b42bf4146d1769df6a1386143e956f083d2cf3e861828e7cc9b494','[[["0mwo8t6kn000wgtxiqud","0mwo8t6ku000wgtxiqud","0mwo8t6kt000wgtxiqud","0mwo8t6ky000wgtxiqud"],4,"claim","ready","leased",1795134631807,3,1,2,13,{"by":"worker-1-0k430kt0wm6nd61","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}],
["0mwo8t6l6000wgtxiqud",4,"claim","ready","leased",1795134631807,3,1,2,13,{"by":"worker-1-0k430kt0wm6nd61","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}]]');
INSERT INTO audit_blocks VALUES(15,'sqlite',1795134631859,'19e980ee62b42bf4146d1769df6a1386143e956f083d2cf3e861828e7cc9b494','4f29ff065898a31f9f6bcebd24744908c046df1e0dd267495b478e6bd98df185','[["0mwo8t6kn000wgtxiqud",5,"settle","leased","succeeded",1795134631859,4,1,2,14,{"by":"worker-1-0k430kt0wm6nd61","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}],
[["0mwo8t6ku000wgtxiqud","0mwo8t6kt000wgtxiqud","0mwo8t6ky000wgtxiqud"],5,"settle","leased","scheduled",1795134631859,4,1,2,14,{"by":"worker-1-0k430kt0wm6nd61","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[2,1795134631813,0.605,4,8,2,0,0,4,null,0.24120730676978241],[2,1795134631813,1.062,4,9,2,0,0,4,null,0.9539716021977384],[2,1795134631813,1.431,4,9,2,0,0,4,null,0.836287718916681]]],
["0mwo8t6l6000wgtxiqud",5,"settle","leased","succeeded",1795134631859,4,1,2,14,{"by":"worker-1-0k430kt0wm6nd61","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1}]]');
INSERT INTO audit_blocks VALUES(16,'sqlite',1795134631871,'4f29ff065898a31f9f6bcebd24744908c046df1e0dd267495b478e6bd98df185','38e3030c2d9d3df24a4febd9133908fc83860eb5ade01f981c68ff8b0bfa1f57','[[["0mwo8t6kt000wgtxiqud","0mwo8t6ku000wgtxiqud","0mwo8t6ky000wgtxiqud"],6,"claim","ready","leased",1795134631871,5,1,3,15,{"by":"worker-1-0k430kt0wm6nd61","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO audit_blocks VALUES(17,'sqlite',1795134631896,'38e3030c2d9d3df24a4febd9133908fc83860eb5ade01f981c68ff8b0bfa1f57','1b7edd8fe4e71bcaaa13f810ff93672f05f0bf37fd7330532860e896c4c945a5','[["0mwo8t6kt000wgtxiqud",7,"settle","leased","succeeded",1795134631896,6,1,3,16,{"by":"worker-1-0k430kt0wm6nd61","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}],
[["0mwo8t6ku000wgtxiqud","0mwo8t6ky000wgtxiqud"],7,"settle","leased","dead",1795134631896,6,1,3,16,{"by":"worker-1-0k430kt0wm6nd61","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"give-up","reason":"max_attempts_exceeded","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[3,1795134631871,0.422,8,15,3,0,0,8,null,0.2883282394130532],[3,1795134631871,3.951,9,16,3,0,0,9,null,0.4807922183349279]]]]');
INSERT INTO audit_blocks VALUES(18,'sqlite',1795134631917,'1b7edd8fe4e71bcaaa13f810ff93672f05f0bf37fd7330532860e896c4c945a5','19fbcae9a898ad5b0187aa1d09703f0e92ddb9ccfdf250883f7b2d5dc6f63bf7','[["0mwo8t6ku000wgtxiqud",8,"requeue","dead","ready",1795134631917,7,2,3,17,{"by":"app:worker-1","why":"the bank answers again"}]]');
INSERT INTO audit_blocks VALUES(19,'sqlite',1795134631931,'19fbcae9a898ad5b0187aa1d09703f0e92ddb9ccfdf250883f7b2d5dc6f63bf7','69a1dadaaee6045f18d8d874f4afa2ddaf65232d9ec97d707b58377892b01f1b','[["0mwo8t6ku000wgtxiqud",9,"claim","ready","leased",1795134631931,8,2,4,18,{"by":"worker-1-0k430kt0wm6nd61","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO audit_blocks VALUES(20,'sqlite',1795134631942,'69a1dadaaee6045f18d8d874f4afa2ddaf65232d9ec97d707b58377892b01f1b','87bcfb611e5e1be273016d0cd17cdfde2700cbc5820d3b0b1b1e51f574ebdb50','[["0mwo8t6ku000wgtxiqud",10,"settle","leased","succeeded",1795134631942,9,2,4,19,{"by":"worker-1-0k430kt0wm6nd61","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}]]');
INSERT INTO audit_blocks VALUES(21,'sqlite',1795134631969,'87bcfb611e5e1be273016d0cd17cdfde2700cbc5820d3b0b1b1e51f574ebdb50','0f2a50e8f0a5554098cc1c42f24f3ef2cedbe75969d4487479b99e7e46aa16b8','[["kill:pause:queue:slow",0,"control",null,null,1795134631969,0,0,0,0,{"by":"ann","why":"maintenance","act":"pause"}]]');
INSERT INTO audit_blocks VALUES(22,'sqlite',1795134631973,'0f2a50e8f0a5554098cc1c42f24f3ef2cedbe75969d4487479b99e7e46aa16b8','b0a268c374e862764ee122f614546c92cf6c6bf75646fa70f4d49062215fa945','[["0mwo8t6w5000wgtxiqud",1,"enqueue",null,"ready",1795134631973,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"slow"}]]');
INSERT INTO policies VALUES('3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506','runs.default','{"enabled":true,"maxAttempts":8,"backoff":"exponential","baseDelayMs":60000,"maxDelayMs":3600000,"multiplier":2,"immediateFirstRetry":false,"jitter":"none","jitterAmount":1,"maxFreeWaits":100,"maxFreeWaitMs":86400000}');
INSERT INTO policies VALUES('b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd','default','{"enabled":true,"maxAttempts":3,"backoff":"exponential","baseDelayMs":4,"maxDelayMs":20,"multiplier":2,"immediateFirstRetry":false,"jitter":"proportional","jitterAmount":0.1,"maxFreeWaits":100,"maxFreeWaitMs":86400000}');
INSERT INTO audit_anchors VALUES(1,'0000000000000001','0000000000000011',11,'e82c95546c09c47282b6279f337f11af5a2879562c0f733dd9b14c8b094d6a01','','b2aa12293e5c06d5b7f25f612cb7c8544f8386657e939a8c1cfaaa03275321b4',1795134631682);
INSERT INTO audit_anchors VALUES(2,'0000000000000012','0000000000000020',9,'9cd89ffbf05d7c028900053ef8e388be9b0d60104924361b5a5432a7bb4488e2','b2aa12293e5c06d5b7f25f612cb7c8544f8386657e939a8c1cfaaa03275321b4','7cb6ddb066403d9bea71807552b248052e326449b67708ad79ee90f238a4b64c',1795134631952);
INSERT INTO audit_anchors VALUES(3,'0000000000000021','0000000000000022',2,'7decd74047e0981255673dd6fa276141c7d8eebc2b59529afe79abe874337d11','7cb6ddb066403d9bea71807552b248052e326449b67708ad79ee90f238a4b64c','e3e1bd394ddad55ed40cbb886b3366b40ae2d5a2dbba1bfc6cdf945391a17369',1795134631978);
INSERT INTO dead_letters VALUES(1795134631790,'0mwo8t6l3000wgtxiqud',8,3,'','fp1:f7bac0256cf639d7','final_error','final',NULL,NULL);
INSERT INTO dead_letters VALUES(1795134631896,'0mwo8t6ky000wgtxiqud',7,2,'','fp1:68d2f39d12ce3be5','max_attempts_exceeded','retryable',NULL,NULL);
INSERT INTO dead_groups VALUES(1,'fp1:f7bac0256cf639d7','verdict:final: unknown format');
INSERT INTO dead_groups VALUES(2,'fp1:68d2f39d12ce3be5','Error: connection reset');
INSERT INTO controls VALUES('gate','["reports","",""]',1,'{"untilMs":1795138231787,"sinceMs":1795134631787,"cut":false,"dependency":"reports","credential":"","tenant":""}');
INSERT INTO controls VALUES('kill','pause:queue:slow',2,'{"sinceMs":1795134631968,"mode":"finish","by":"ann","why":"maintenance"}');
INSERT INTO control_revision VALUES(1,2);
INSERT INTO flows VALUES(6,0,'',1795134631973,'0mwo8t6w5000wgtxiqud',NULL);
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
CREATE INDEX batches_sealed ON batches (id) WHERE state = 'sealed';
CREATE INDEX batches_opened ON batches (opened_at, id);
CREATE INDEX jobs_batch ON jobs (batch, finished_as) WHERE batch IS NOT NULL;
CREATE INDEX rates_look ON rates (name, look_at) WHERE holds;
CREATE INDEX rates_idle ON rates (look_at);
