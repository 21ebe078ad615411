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
INSERT INTO meta VALUES('store_id','store_1795111506757_14pq0p00mi28ea1');
INSERT INTO meta VALUES('works_from','1');
INSERT INTO lanes VALUES(1,'default','mail',1,0,0,0,3,0,1,0);
INSERT INTO lanes VALUES(2,'default','charge',0,0,0,0,3,1,0,0);
INSERT INTO lanes VALUES(3,'default','import',0,0,0,0,0,1,0,0);
INSERT INTO lanes VALUES(4,'default','search',0,0,0,0,1,0,0,0);
INSERT INTO lanes VALUES(5,'default','report',1,0,0,0,0,0,0,0);
INSERT INTO lanes VALUES(6,'slow','mail',0,1,0,0,0,0,0,0);
INSERT INTO jobs VALUES(1,'0mwnv1je0000tu55r1m8',1,'',0,1795111506797,4,3,2,13,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795111507135,NULL,NULL,NULL,NULL,NULL,1795111507145,4,'{"tags":["welcome"]}','{"account":[1,1,1,0,0,0,1],"retryCount":0,"reason":"succeeded"}','{"to":"ada@example.org"}','[0,[1,1,1795111507135,0.783,0,"succeeded","succeed","succeeded","worker-1-0ckkcdk1cdhgg71",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]','{"sent":true}');
INSERT INTO jobs VALUES(2,'0mwnv1je4000tu55r1m8',1,'',0,1795111506797,4,3,2,13,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795111507135,NULL,NULL,NULL,NULL,NULL,1795111507145,4,'{"tags":["welcome"]}','{"account":[1,1,1,0,0,0,1],"retryCount":0,"reason":"succeeded"}','{"to":"bob@example.org"}','[0,[1,1,1795111507135,2.419,0,"succeeded","succeed","succeeded","worker-1-0ckkcdk1cdhgg71",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]','{"sent":true}');
INSERT INTO jobs VALUES(3,'0mwnv1je4001tu55r1m8',1,'',0,1795111506797,4,3,2,13,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795111507135,NULL,NULL,NULL,NULL,NULL,1795111507145,4,'{"tags":["welcome"]}','{"account":[1,1,1,0,0,0,1],"retryCount":0,"reason":"succeeded"}','{"to":"cy@example.org"}','[0,[1,1,1795111507135,2.665,0,"succeeded","succeed","succeeded","worker-1-0ckkcdk1cdhgg71",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]','{"sent":true}');
INSERT INTO jobs VALUES(4,'0mwnv1jem000tu55r1m8',2,'acme',0,1795111506814,4,5,4,16,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795111507135,NULL,NULL,NULL,NULL,NULL,1795111507156,4,'{"uniqueKey":"order-1"}','{"account":[1,2,2,0,0,0,1,1],"retryCount":0,"reason":"succeeded"}','{"failures":1}','[0,[1,1,1795111507135,2.026,0,"failed","retry","retryable_error","worker-1-0ckkcdk1cdhgg71",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.18274016469113075,{"kind":"failure","effect":"unknown"}],3],[1,2,1795111507150,0.166,4,"succeeded","succeed","succeeded","","",3]]','{"charged":true}');
INSERT INTO jobs VALUES(5,'0mwnv1jep000tu55r1m8',2,'acme',0,1795111506817,4,7,6,18,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795111507135,NULL,NULL,NULL,NULL,NULL,1795111507183,4,'{"uniqueKey":"order-2"}','{"account":[1,3,3,0,0,0,1,2],"retryCount":0,"reason":"succeeded"}','{"failures":2}','[0,[1,1,1795111507135,2.604,0,"failed","retry","retryable_error","worker-1-0ckkcdk1cdhgg71",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.868132566196816,{"kind":"failure","effect":"unknown"}],3],[1,2,1795111507150,0.449,4,"failed","retry","retryable_error","","",3,8,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.4260584009003312,{"kind":"failure","effect":"unknown"}],3],[1,3,1795111507168,0.298,8,"succeeded","succeed","succeeded","","",3]]','{"charged":true}');
INSERT INTO jobs VALUES(6,'0mwnv1jez000tu55r1m8',2,'',0,1795111506827,4,10,9,21,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795111507212,NULL,NULL,NULL,NULL,NULL,1795111507214,4,'{"correlationId":"order-7"}','{"account":[2,1,4,0,0,0,1],"retryCount":0,"reason":"succeeded"}','{"failures":9}','[0,[1,1,1795111507135,3.192,0,"failed","retry","retryable_error","worker-1-0ckkcdk1cdhgg71",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.03293656376364429,{"kind":"failure","effect":"unknown"}],3],[1,2,1795111507150,0.308,4,"failed","retry","retryable_error","","",3,8,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.5019086390002303,{"kind":"failure","effect":"unknown"}],3],[1,3,1795111507168,0.377,8,"failed","give-up","max_attempts_exceeded","","",3,null,"retryable",{"type":"Error","message":"connection reset"},[3,0,0,8,0.45170627206709457,{"kind":"failure","effect":"unknown"}],3],[2,1,1795111507212,0.046,0,"succeeded","succeed","succeeded","","",3]]','{"charged":true}');
INSERT INTO jobs VALUES(7,'0mwnv1jfi000tu55r1m8',2,'',0,1795111506846,5,7,6,18,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795111507135,NULL,NULL,NULL,NULL,NULL,1795111507183,5,NULL,'{"account":[1,3,3,0,0,0,0,3],"retryCount":2,"errorClass":"retryable","reason":"max_attempts_exceeded","fingerprint":"fp1:68d2f39d12ce3be5"}',0.0,'[0,[1,1,1795111507135,3.281,0,"failed","retry","retryable_error","worker-1-0ckkcdk1cdhgg71",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.3425443075962036,{"kind":"failure","effect":"unknown"}],3],[1,2,1795111507150,0.585,4,"failed","retry","retryable_error","","",3,8,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.49721413498957046,{"kind":"failure","effect":"unknown"}],3],[1,3,1795111507168,4.274,8,"failed","give-up","max_attempts_exceeded","","",3,null,"retryable",{"type":"Error","message":"connection reset"},[3,0,0,8,0.44997387727624805,{"kind":"failure","effect":"unknown"}],3]]',NULL);
INSERT INTO jobs VALUES(8,'0mwnv1jfs000tu55r1m8',3,'',0,1795111506856,5,3,2,13,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795111507135,NULL,NULL,'["import","files"]',NULL,NULL,1795111507145,5,'{"limitKey":"files"}','{"account":[1,1,1,0,0,0,0,1],"retryCount":0,"errorClass":"final","reason":"final_error","fingerprint":"fp1:f7bac0256cf639d7"}','{"file":"a.csv"}','[0,[1,1,1795111507135,3.401,0,"failed","give-up","final_error","worker-1-0ckkcdk1cdhgg71",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,null,"final",{"type":"verdict:final","message":"unknown format"},[1,0,0,0,0.3880986658826666,{"kind":"failure","effect":"none"}],3]]',NULL);
INSERT INTO jobs VALUES(9,'0mwnv1jfy000tu55r1m8',4,'',0,1795111506862,4,5,4,17,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795111507135,NULL,NULL,NULL,NULL,NULL,1795111507168,4,NULL,'{"account":[1,2,2,1,6,0,1,0,1],"retryCount":0,"reason":"succeeded"}','{"q":"x"}','[0,[1,1,1795111507135,4.051,0,"rate_limited","retry","rate_limited","worker-1-0ckkcdk1cdhgg71",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,6,"rate_limited",{"type":"verdict:retry_after","message":"The handler asked for a later time"},[1,0,0,0,0.8867939916581928,{"kind":"failure","effect":"none","retryAfterMs":5}],3],[1,2,1795111507152,0.274,6,"succeeded","succeed","succeeded","","",8]]','"found"');
INSERT INTO jobs VALUES(10,'0mwnv1jgb000tu55r1m8',5,'',0,1795111506875,0,3,2,13,NULL,1795115259207,NULL,NULL,NULL,NULL,0,NULL,1795111507135,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{"account":[1,1,1,1,3752062,3752062,0,0,1],"retryCount":0,"errorClass":"rate_limited","reason":"rate_limited"}','{"of":"May"}','[0,[1,1,1795111507135,4.295,0,"rate_limited","retry","rate_limited","worker-1-0ckkcdk1cdhgg71",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,3752062,"rate_limited",{"type":"verdict:retry_after","message":"The handler asked for a later time"},[1,0,0,0,0.42239207228778197,{"kind":"failure","effect":"none","retryAfterMs":3600000}],3]]',NULL);
INSERT INTO jobs VALUES(11,'0mwnv1jgo000tu55r1m8',1,'',0,1795111506889,0,1,0,9,NULL,1795197906889,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{"to":"eve@example.org"}',NULL,NULL);
INSERT INTO jobs VALUES(12,'0mwnv1jha000tu55r1m8',1,'',0,1795111506910,6,2,0,11,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795111506910,NULL,NULL,NULL,NULL,NULL,1795111506921,6,NULL,'{"account":[1],"retryCount":0,"reason":"cancelled"}','{"to":"dan@example.org"}',NULL,NULL);
INSERT INTO jobs VALUES(13,'0mwnv1jq4000tu55r1m8',6,'',0,1795111507228,1,1,0,23,6,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{"to":"fay@example.org"}',NULL,NULL);
INSERT INTO audit_blocks VALUES(1,'sqlite',1795111506797,'','6abed679b3a655e3571e4a54e071673307c7dfc859aee9b87f5b8226cb9383b9','[[["0mwnv1je0000tu55r1m8","0mwnv1je4000tu55r1m8","0mwnv1je4001tu55r1m8"],1,"enqueue",null,"ready",1795111506797,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO audit_blocks VALUES(2,'sqlite',1795111506814,'6abed679b3a655e3571e4a54e071673307c7dfc859aee9b87f5b8226cb9383b9','5b24f67b2b278e2bfabc959123978997c8969766808ff3b58c93f6b40a864ba8','[["0mwnv1jem000tu55r1m8",1,"enqueue",null,"ready",1795111506814,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO audit_blocks VALUES(3,'sqlite',1795111506817,'5b24f67b2b278e2bfabc959123978997c8969766808ff3b58c93f6b40a864ba8','5dd78724c7dd84be7e6809776748f4dafd886c86613412db90d64db43e0dbf50','[["0mwnv1jep000tu55r1m8",1,"enqueue",null,"ready",1795111506817,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO audit_blocks VALUES(4,'sqlite',1795111506827,'5dd78724c7dd84be7e6809776748f4dafd886c86613412db90d64db43e0dbf50','4de2a04f68e2e8e0196974967571678286a6f258d00b48e92d7f580ae98cb595','[["0mwnv1jez000tu55r1m8",1,"enqueue",null,"ready",1795111506827,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","correlation":"order-7"}]]');
INSERT INTO audit_blocks VALUES(5,'sqlite',1795111506846,'4de2a04f68e2e8e0196974967571678286a6f258d00b48e92d7f580ae98cb595','4785671e22a5a4e45476fc2906cb0ee4455f0d822577a5642037635abe588e3d','[["0mwnv1jfi000tu55r1m8",1,"enqueue",null,"ready",1795111506846,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default"}]]');
INSERT INTO audit_blocks VALUES(6,'sqlite',1795111506856,'4785671e22a5a4e45476fc2906cb0ee4455f0d822577a5642037635abe588e3d','4a0122dd2819b420084e4436228e5110f94ce587b2046c6390cda74e03667a39','[["0mwnv1jfs000tu55r1m8",1,"enqueue",null,"ready",1795111506856,0,1,0,0,{"by":"app:worker-1","handler":"import","queue":"default"}]]');
INSERT INTO audit_blocks VALUES(7,'sqlite',1795111506862,'4a0122dd2819b420084e4436228e5110f94ce587b2046c6390cda74e03667a39','d8360fb715b0524567502c6e0d5c8be3d1a87c76c91e150df5e5d8a720d2d0b0','[["0mwnv1jfy000tu55r1m8",1,"enqueue",null,"ready",1795111506862,0,1,0,0,{"by":"app:worker-1","handler":"search","queue":"default"}]]');
INSERT INTO audit_blocks VALUES(8,'sqlite',1795111506875,'d8360fb715b0524567502c6e0d5c8be3d1a87c76c91e150df5e5d8a720d2d0b0','f87b2e9725e538ebd95687a8090064ffce41d89afde38062f4011b1183b92cca','[["0mwnv1jgb000tu55r1m8",1,"enqueue",null,"ready",1795111506875,0,1,0,0,{"by":"app:worker-1","handler":"report","queue":"default"}]]');
INSERT INTO audit_blocks VALUES(9,'sqlite',1795111506889,'f87b2e9725e538ebd95687a8090064ffce41d89afde38062f4011b1183b92cca','f266b487790db918b251fb9abde95155e714842534bd448453cedf3c60f06d6f','[["0mwnv1jgo000tu55r1m8",1,"enqueue",null,"scheduled",1795111506889,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default","due":{"inMs":86400000}}]]');
INSERT INTO audit_blocks VALUES(10,'sqlite',1795111506910,'f266b487790db918b251fb9abde95155e714842534bd448453cedf3c60f06d6f','4f0e0e4e7ad4c4ee2241e730be90495a01f25c7081605288033e8c6d16b3a79d','[["0mwnv1jha000tu55r1m8",1,"enqueue",null,"ready",1795111506910,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO audit_blocks VALUES(11,'sqlite',1795111506921,'4f0e0e4e7ad4c4ee2241e730be90495a01f25c7081605288033e8c6d16b3a79d','cb5e0bd4cc79fa3b359285d4bea156364cd5a88ea135d345f35d1e419264e941','[["0mwnv1jha000tu55r1m8",2,"cancel","ready","cancelled",1795111506921,0,1,0,10,{"by":"app:worker-1","why":"not wanted"}]]');
INSERT INTO audit_blocks VALUES(12,'sqlite',1795111507135,'cb5e0bd4cc79fa3b359285d4bea156364cd5a88ea135d345f35d1e419264e941','e387ee28a251cf9e44743cf6b0ac03926231f6c7f3cb759610b1824906769011','[[["0mwnv1je0000tu55r1m8","0mwnv1je4000tu55r1m8","0mwnv1je4001tu55r1m8","0mwnv1jfs000tu55r1m8","0mwnv1jfy000tu55r1m8","0mwnv1jgb000tu55r1m8"],2,"claim","ready","leased",1795111507135,1,1,1,[1,1,1,6,7,8],{"by":"worker-1-0ckkcdk1cdhgg71","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}],
[["0mwnv1jem000tu55r1m8","0mwnv1jep000tu55r1m8","0mwnv1jez000tu55r1m8","0mwnv1jfi000tu55r1m8"],2,"claim","ready","leased",1795111507135,1,1,1,[2,3,4,5],{"by":"worker-1-0ckkcdk1cdhgg71","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO audit_blocks VALUES(13,'sqlite',1795111507145,'e387ee28a251cf9e44743cf6b0ac03926231f6c7f3cb759610b1824906769011','6f8c372910d119b7f6c935e032c2d522db312cb3c9717eca774bcb914ffffae9','[["gate:[\"reports\",\"\",\"\"]",0,"control",null,null,1795111507145,0,0,0,0,{"by":"worker:worker-1-0ckkcdk1cdhgg71","act":"close","untilMs":1795115107145,"cut":false}],
[["0mwnv1je0000tu55r1m8","0mwnv1je4000tu55r1m8","0mwnv1je4001tu55r1m8"],3,"settle","leased","succeeded",1795111507145,2,1,1,12,{"by":"worker-1-0ckkcdk1cdhgg71","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":3}],
[["0mwnv1jem000tu55r1m8","0mwnv1jep000tu55r1m8","0mwnv1jez000tu55r1m8","0mwnv1jfi000tu55r1m8"],3,"settle","leased","scheduled",1795111507145,2,1,1,12,{"by":"worker-1-0ckkcdk1cdhgg71","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":3,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795111507135,2.026,0,4,1,0,0,0,null,0.18274016469113075],[1,1795111507135,2.604,0,4,1,0,0,0,null,0.868132566196816],[1,1795111507135,3.192,0,4,1,0,0,0,null,0.03293656376364429],[1,1795111507135,3.281,0,4,1,0,0,0,null,0.3425443075962036]]],
["0mwnv1jfs000tu55r1m8",3,"settle","leased","dead",1795111507145,2,1,1,12,{"by":"worker-1-0ckkcdk1cdhgg71","attempt":1,"startedAtMs":1795111507135,"durationMs":3.401,"delayBeforeMs":0,"error":{"type":"verdict:final","message":"unknown format"},"action":"give-up","reason":"final_error","entry":"failed","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":3,"input":{"account":{"charged":1,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"final","effect":"none"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.3880986658826666}}],
["0mwnv1jfy000tu55r1m8",3,"settle","leased","scheduled",1795111507145,2,1,1,12,{"by":"worker-1-0ckkcdk1cdhgg71","attempt":1,"startedAtMs":1795111507135,"durationMs":4.051,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"The handler asked for a later time"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":6,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":3,"input":{"account":{"charged":1,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":5},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.8867939916581928}}],
["0mwnv1jgb000tu55r1m8",3,"settle","leased","scheduled",1795111507145,2,1,1,12,{"by":"worker-1-0ckkcdk1cdhgg71","attempt":1,"startedAtMs":1795111507135,"durationMs":4.295,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"The handler asked for a later time"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":3752062,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":3,"input":{"account":{"charged":1,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":3600000},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.42239207228778197}}]]');
INSERT INTO audit_blocks VALUES(14,'sqlite',1795111507150,'6f8c372910d119b7f6c935e032c2d522db312cb3c9717eca774bcb914ffffae9','d487536ae2747dc51a3f32673712b9b206efcc15708c73f18b710858d0b36e52','[[["0mwnv1jem000tu55r1m8","0mwnv1jez000tu55r1m8","0mwnv1jep000tu55r1m8","0mwnv1jfi000tu55r1m8"],4,"claim","ready","leased",1795111507150,3,1,2,13,{"by":"worker-1-0ckkcdk1cdhgg71","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO audit_blocks VALUES(15,'sqlite',1795111507152,'d487536ae2747dc51a3f32673712b9b206efcc15708c73f18b710858d0b36e52','3a8a85e80196f40ad90bd8a5d2b8d1d9ef646bf7d45d442de26d394192220dea','[["0mwnv1jfy000tu55r1m8",4,"claim","ready","leased",1795111507152,3,1,2,13,{"by":"worker-1-0ckkcdk1cdhgg71","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}]]');
INSERT INTO audit_blocks VALUES(16,'sqlite',1795111507156,'3a8a85e80196f40ad90bd8a5d2b8d1d9ef646bf7d45d442de26d394192220dea','7d5aca15d29a25ee1e28c751da94daf40457eface77c741f75a793d3a6c4306e','[["0mwnv1jem000tu55r1m8",5,"settle","leased","succeeded",1795111507156,4,1,2,14,{"by":"worker-1-0ckkcdk1cdhgg71","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":3}],
[["0mwnv1jez000tu55r1m8","0mwnv1jep000tu55r1m8","0mwnv1jfi000tu55r1m8"],5,"settle","leased","scheduled",1795111507156,4,1,2,14,{"by":"worker-1-0ckkcdk1cdhgg71","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":3,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[2,1795111507150,0.308,4,8,2,0,0,4,null,0.5019086390002303],[2,1795111507150,0.449,4,8,2,0,0,4,null,0.4260584009003312],[2,1795111507150,0.585,4,8,2,0,0,4,null,0.49721413498957046]]]]');
INSERT INTO audit_blocks VALUES(17,'sqlite',1795111507168,'7d5aca15d29a25ee1e28c751da94daf40457eface77c741f75a793d3a6c4306e','e7134dbe28d2e48c9ef129f1d13e7fcd662c1fb2b6b208a9046ce0f5157a2301','[["0mwnv1jfy000tu55r1m8",5,"settle","leased","succeeded",1795111507168,4,1,2,15,{"by":"worker-1-0ckkcdk1cdhgg71","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":3}],
[["0mwnv1jep000tu55r1m8","0mwnv1jez000tu55r1m8","0mwnv1jfi000tu55r1m8"],6,"claim","ready","leased",1795111507168,5,1,3,16,{"by":"worker-1-0ckkcdk1cdhgg71","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO audit_blocks VALUES(18,'sqlite',1795111507183,'e7134dbe28d2e48c9ef129f1d13e7fcd662c1fb2b6b208a9046ce0f5157a2301','d0b4fb9baefd52aaba797042028528417ad9c91c4581e4e659bf40d2b83b8605','[["0mwnv1jep000tu55r1m8",7,"settle","leased","succeeded",1795111507183,6,1,3,17,{"by":"worker-1-0ckkcdk1cdhgg71","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":3}],
[["0mwnv1jez000tu55r1m8","0mwnv1jfi000tu55r1m8"],7,"settle","leased","dead",1795111507183,6,1,3,17,{"by":"worker-1-0ckkcdk1cdhgg71","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"give-up","reason":"max_attempts_exceeded","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":3,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[3,1795111507168,0.377,8,16,3,0,0,8,null,0.45170627206709457],[3,1795111507168,4.274,8,16,3,0,0,8,null,0.44997387727624805]]]]');
INSERT INTO audit_blocks VALUES(19,'sqlite',1795111507209,'d0b4fb9baefd52aaba797042028528417ad9c91c4581e4e659bf40d2b83b8605','3186f6982ecfe4afe4451163191704674505a81ffe6545c21a977165b6eb1461','[["0mwnv1jez000tu55r1m8",8,"requeue","dead","ready",1795111507209,7,2,3,18,{"by":"app:worker-1","why":"the bank answers again"}]]');
INSERT INTO audit_blocks VALUES(20,'sqlite',1795111507212,'3186f6982ecfe4afe4451163191704674505a81ffe6545c21a977165b6eb1461','fa0c73b5753221949cb1b55eb7719fd520c81bd0c23d8aecbf01f26d1dbd3d7b','[["0mwnv1jez000tu55r1m8",9,"claim","ready","leased",1795111507212,8,2,4,19,{"by":"worker-1-0ckkcdk1cdhgg71","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO audit_blocks VALUES(21,'sqlite',1795111507214,'fa0c73b5753221949cb1b55eb7719fd520c81bd0c23d8aecbf01f26d1dbd3d7b','46aa813de04ef3a269a60f3ac98fb7096fdea3202ee040711fc311df36985d4f','[["0mwnv1jez000tu55r1m8",10,"settle","leased","succeeded",1795111507214,9,2,4,20,{"by":"worker-1-0ckkcdk1cdhgg71","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":3}]]');
INSERT INTO audit_blocks VALUES(22,'sqlite',1795111507225,'46aa813de04ef3a269a60f3ac98fb7096fdea3202ee040711fc311df36985d4f','6fe6232344161aa36899ac92ca0c9edce609049cc95f6d385ad3d68e2cfe5725','[["kill:pause:queue:slow",0,"control",null,null,1795111507225,0,0,0,0,{"by":"ann","why":"maintenance","act":"pause"}]]');
INSERT INTO audit_blocks VALUES(23,'sqlite',1795111507228,'6fe6232344161aa36899ac92ca0c9edce609049cc95f6d385ad3d68e2cfe5725','51a5d9ff61df862e08772c4d46d7b393245ccf1fdda542233b90a75bf0e14f4a','[["0mwnv1jq4000tu55r1m8",1,"enqueue",null,"ready",1795111507228,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"slow"}]]');
INSERT INTO policies VALUES('3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506','runs.default','{"enabled":true,"maxAttempts":8,"backoff":"exponential","baseDelayMs":60000,"maxDelayMs":3600000,"multiplier":2,"immediateFirstRetry":false,"jitter":"none","jitterAmount":1,"maxFreeWaits":100,"maxFreeWaitMs":86400000}');
INSERT INTO policies VALUES('b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd','default','{"enabled":true,"maxAttempts":3,"backoff":"exponential","baseDelayMs":4,"maxDelayMs":20,"multiplier":2,"immediateFirstRetry":false,"jitter":"proportional","jitterAmount":0.1,"maxFreeWaits":100,"maxFreeWaitMs":86400000}');
INSERT INTO audit_anchors VALUES(1,'0000000000000001','0000000000000011',11,'885b5b10f2de3d28f66fbab8a9588c609dedc4ad9ff7f4482b7b5497c385a0b3','','1cb4bd8c46a5bf94159fe1421c94ae110350a1ee19306cf6c76e93689e284d91',1795111507134);
INSERT INTO audit_anchors VALUES(2,'0000000000000012','0000000000000021',10,'34caf5c0526b1554d6ca6f0c5b56e54d16833402127936ba4d56d7e69f9f9d9f','1cb4bd8c46a5bf94159fe1421c94ae110350a1ee19306cf6c76e93689e284d91','43df0330ff6394b84361b8b538d276bfb732d22cdc37dcecdb034e37a42ef966',1795111507221);
INSERT INTO audit_anchors VALUES(3,'0000000000000022','0000000000000023',2,'8749cc6ae60dbff534c6282a06cfd531e42061a50327245dd7bc42bdbf3ffe0a','43df0330ff6394b84361b8b538d276bfb732d22cdc37dcecdb034e37a42ef966','a04730e6773160587b65db6440b8bca2d3516e5f7d67d6aaee7d97ca0bb47244',1795111507238);
INSERT INTO dead_letters VALUES(1795111507145,'0mwnv1jfs000tu55r1m8',8,3,'','fp1:f7bac0256cf639d7','final_error','final',NULL,NULL);
INSERT INTO dead_letters VALUES(1795111507183,'0mwnv1jfi000tu55r1m8',7,2,'','fp1:68d2f39d12ce3be5','max_attempts_exceeded','retryable',NULL,NULL);
INSERT INTO dead_groups VALUES(1,'fp1:f7bac0256cf639d7','verdict:final: unknown format');
INSERT INTO dead_groups VALUES(2,'fp1:68d2f39d12ce3be5','Error: connection reset');
INSERT INTO controls VALUES('gate','["reports","",""]',1,'{"untilMs":1795115107145,"sinceMs":1795111507145,"cut":false,"dependency":"reports","credential":"","tenant":""}');
INSERT INTO controls VALUES('kill','pause:queue:slow',2,'{"sinceMs":1795111507225,"mode":"finish","by":"ann","why":"maintenance"}');
INSERT INTO control_revision VALUES(1,2);
INSERT INTO flows VALUES(6,0,'',1795111507228,'0mwnv1jq4000tu55r1m8',NULL);
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
