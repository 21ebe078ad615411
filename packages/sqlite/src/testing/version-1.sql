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
    -- Number of its batch.
    batch INTEGER
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
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    tenant TEXT NOT NULL,
    -- open, sealed or ended.
    state TEXT NOT NULL,
    -- JSON of the job that follows.
    follows TEXT,
    opened_by TEXT NOT NULL,
    opened_at INTEGER NOT NULL,
    sealed_at INTEGER,
    ended_at INTEGER
  ) STRICT;
CREATE TABLE pruned_in_batches (
    batch INTEGER NOT NULL,
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
INSERT INTO meta VALUES('store_id','store_1795135967801_1rju6381yd3hqy1');
INSERT INTO meta VALUES('works_from','1');
INSERT INTO lanes VALUES(1,'default','mail',1,0,0,0,3,0,1,0);
INSERT INTO lanes VALUES(2,'default','charge',0,0,0,0,3,1,0,0);
INSERT INTO lanes VALUES(3,'default','import',0,0,0,0,0,1,0,0);
INSERT INTO lanes VALUES(4,'default','search',0,0,0,0,1,0,0,0);
INSERT INTO lanes VALUES(5,'default','report',1,0,0,0,0,0,0,0);
INSERT INTO lanes VALUES(6,'slow','mail',0,1,0,0,0,0,0,0);
INSERT INTO jobs VALUES(1,'0mwo9ltow000xdw40bn6',1,'',0,1795135967889,4,3,2,13,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795135968319,NULL,NULL,NULL,NULL,NULL,1795135968415,4,'{"tags":["welcome"]}','{"account":[1,1,1,0,0,0,1],"retryCount":0,"reason":"succeeded"}','{"to":"ada@example.org"}','[0,[1,1,1795135968339,4.02,0,"succeeded","succeed","succeeded","worker-1-1cw4avh1mo22dc1",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]','{"sent":true}',NULL);
INSERT INTO jobs VALUES(2,'0mwo9ltow001xdw40bn6',1,'',0,1795135967889,4,3,2,13,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795135968319,NULL,NULL,NULL,NULL,NULL,1795135968415,4,'{"tags":["welcome"]}','{"account":[1,1,1,0,0,0,1],"retryCount":0,"reason":"succeeded"}','{"to":"bob@example.org"}','[0,[1,1,1795135968340,9.839,0,"succeeded","succeed","succeeded","worker-1-1cw4avh1mo22dc1",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]','{"sent":true}',NULL);
INSERT INTO jobs VALUES(3,'0mwo9ltow002xdw40bn6',1,'',0,1795135967889,4,3,2,13,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795135968319,NULL,NULL,NULL,NULL,NULL,1795135968415,4,'{"tags":["welcome"]}','{"account":[1,1,1,0,0,0,1],"retryCount":0,"reason":"succeeded"}','{"to":"cy@example.org"}','[0,[1,1,1795135968340,12.678,0,"succeeded","succeed","succeeded","worker-1-1cw4avh1mo22dc1",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]','{"sent":true}',NULL);
INSERT INTO jobs VALUES(4,'0mwo9ltpb000xdw40bn6',2,'acme',0,1795135967904,4,5,4,15,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795135968319,NULL,NULL,NULL,NULL,NULL,1795135968555,4,'{"uniqueKey":"order-1"}','{"account":[1,2,2,0,0,0,1,1],"retryCount":0,"reason":"succeeded"}','{"failures":1}','[0,[1,1,1795135968340,6.682,0,"failed","retry","retryable_error","worker-1-1cw4avh1mo22dc1",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.17517716774223924,{"kind":"failure","effect":"unknown"}],1],[1,2,1795135968437,0.289,4,"succeeded","succeed","succeeded","","",3]]','{"charged":true}',NULL);
INSERT INTO jobs VALUES(5,'0mwo9lttc000xdw40bn6',2,'acme',0,1795135968048,4,7,6,18,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795135968319,NULL,NULL,NULL,NULL,NULL,1795135968570,4,'{"uniqueKey":"order-2"}','{"account":[1,3,3,0,0,0,1,2],"retryCount":0,"reason":"succeeded"}','{"failures":2}','[0,[1,1,1795135968340,12.488,0,"failed","retry","retryable_error","worker-1-1cw4avh1mo22dc1",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.20995914502730917,{"kind":"failure","effect":"unknown"}],1],[1,2,1795135968437,0.544,4,"failed","retry","retryable_error","","",3,9,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.9555153033922972,{"kind":"failure","effect":"unknown"}],1],[1,3,1795135968567,0.196,9,"succeeded","succeed","succeeded","","",3]]','{"charged":true}',NULL);
INSERT INTO jobs VALUES(6,'0mwo9ltte000xdw40bn6',2,'',0,1795135968051,4,10,9,21,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795135968576,NULL,NULL,NULL,NULL,NULL,1795135968580,4,'{"correlationId":"order-7"}','{"account":[2,1,4,0,0,0,1],"retryCount":0,"reason":"succeeded"}','{"failures":9}','[0,[1,1,1795135968340,12.78,0,"failed","retry","retryable_error","worker-1-1cw4avh1mo22dc1",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.13746794516785976,{"kind":"failure","effect":"unknown"}],1],[1,2,1795135968437,0.457,4,"failed","retry","retryable_error","","",3,8,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.5820687869689142,{"kind":"failure","effect":"unknown"}],1],[1,3,1795135968563,0.854,8,"failed","give-up","max_attempts_exceeded","","",3,null,"retryable",{"type":"Error","message":"connection reset"},[3,0,0,8,0.8355210290387596,{"kind":"failure","effect":"unknown"}],1],[2,1,1795135968577,0.104,0,"succeeded","succeed","succeeded","","",3]]','{"charged":true}',NULL);
INSERT INTO jobs VALUES(7,'0mwo9lttg000xdw40bn6',2,'',0,1795135968052,5,7,6,17,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795135968319,NULL,NULL,NULL,NULL,NULL,1795135968567,5,NULL,'{"account":[1,3,3,0,0,0,0,3],"retryCount":2,"errorClass":"retryable","reason":"max_attempts_exceeded","fingerprint":"fp1:68d2f39d12ce3be5"}',0.0,'[0,[1,1,1795135968340,12.861,0,"failed","retry","retryable_error","worker-1-1cw4avh1mo22dc1",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.026009021920894382,{"kind":"failure","effect":"unknown"}],1],[1,2,1795135968437,0.635,4,"failed","retry","retryable_error","","",3,8,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.4333417257826201,{"kind":"failure","effect":"unknown"}],1],[1,3,1795135968563,2.542,8,"failed","give-up","max_attempts_exceeded","","",3,null,"retryable",{"type":"Error","message":"connection reset"},[3,0,0,8,0.6506872069781219,{"kind":"failure","effect":"unknown"}],1]]',NULL,NULL);
INSERT INTO jobs VALUES(8,'0mwo9lttr000xdw40bn6',3,'',0,1795135968065,5,3,2,13,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795135968319,NULL,NULL,'["import","files"]',NULL,NULL,1795135968415,5,'{"limitKey":"files"}','{"account":[1,1,1,0,0,0,0,1],"retryCount":0,"errorClass":"final","reason":"final_error","fingerprint":"fp1:f7bac0256cf639d7"}','{"file":"a.csv"}','[0,[1,1,1795135968340,13.055,0,"failed","give-up","final_error","worker-1-1cw4avh1mo22dc1",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,null,"final",{"type":"verdict:final","message":"unknown format"},[1,0,0,0,0.24202529380201843,{"kind":"failure","effect":"none"}],1]]',NULL,NULL);
INSERT INTO jobs VALUES(9,'0mwo9lttx000xdw40bn6',4,'',0,1795135968069,4,5,4,15,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795135968319,NULL,NULL,NULL,NULL,NULL,1795135968555,4,NULL,'{"account":[1,2,2,1,6,0,1,0,1],"retryCount":0,"reason":"succeeded"}','{"q":"x"}','[0,[1,1,1795135968340,18.503,0,"rate_limited","retry","rate_limited","worker-1-1cw4avh1mo22dc1",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,6,"rate_limited",{"type":"verdict:retry_after","message":"The handler asked for a later time"},[1,0,0,0,0.2458694854518363,{"kind":"failure","effect":"none","retryAfterMs":5}],1],[1,2,1795135968437,0.677,6,"succeeded","succeed","succeeded","","",8]]','"found"',NULL);
INSERT INTO jobs VALUES(10,'0mwo9ltu0000xdw40bn6',5,'',0,1795135968073,0,3,2,13,NULL,1795139705953,NULL,NULL,NULL,NULL,0,NULL,1795135968319,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{"account":[1,1,1,1,3737538,3737538,0,0,1],"retryCount":0,"errorClass":"rate_limited","reason":"rate_limited"}','{"of":"May"}','[0,[1,1,1795135968341,25.458,0,"rate_limited","retry","rate_limited","worker-1-1cw4avh1mo22dc1",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,3737538,"rate_limited",{"type":"verdict:retry_after","message":"The handler asked for a later time"},[1,0,0,0,0.3820474501760347,{"kind":"failure","effect":"none","retryAfterMs":3600000}],1]]',NULL,NULL);
INSERT INTO jobs VALUES(11,'0mwo9ltu3000xdw40bn6',1,'',0,1795135968075,0,1,0,9,NULL,1795222368075,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{"to":"eve@example.org"}',NULL,NULL,NULL);
INSERT INTO jobs VALUES(12,'0mwo9ltu8000xdw40bn6',1,'',0,1795135968081,6,2,0,11,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795135968081,NULL,NULL,NULL,NULL,NULL,1795135968098,6,NULL,'{"account":[1],"retryCount":0,"reason":"cancelled"}','{"to":"dan@example.org"}',NULL,NULL,NULL);
INSERT INTO jobs VALUES(13,'0mwo9lu8a000xdw40bn6',6,'',0,1795135968586,1,1,0,23,6,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{"to":"fay@example.org"}',NULL,NULL,NULL);
INSERT INTO audit_blocks VALUES(1,'sqlite',1795135967889,'','6b322763571f3f15b7cea6b8defa8aea6533be65009408e339f62c607241f78e','[[["0mwo9ltow000xdw40bn6","0mwo9ltow001xdw40bn6","0mwo9ltow002xdw40bn6"],1,"enqueue",null,"ready",1795135967889,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO audit_blocks VALUES(2,'sqlite',1795135967904,'6b322763571f3f15b7cea6b8defa8aea6533be65009408e339f62c607241f78e','e5eda5352a55c1829ef75937b25591d27d3c6d5a95b7f95318e2f7be9e69486d','[["0mwo9ltpb000xdw40bn6",1,"enqueue",null,"ready",1795135967904,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO audit_blocks VALUES(3,'sqlite',1795135968048,'e5eda5352a55c1829ef75937b25591d27d3c6d5a95b7f95318e2f7be9e69486d','79be826a492dda561c12593975262a50f2b74d46d92a62ddbe184ffcd1a76b64','[["0mwo9lttc000xdw40bn6",1,"enqueue",null,"ready",1795135968048,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO audit_blocks VALUES(4,'sqlite',1795135968051,'79be826a492dda561c12593975262a50f2b74d46d92a62ddbe184ffcd1a76b64','14202f4038217bad33d8371f118079302601ec4697bf6a2bb9ceeeaffd37df12','[["0mwo9ltte000xdw40bn6",1,"enqueue",null,"ready",1795135968051,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","correlation":"order-7"}]]');
INSERT INTO audit_blocks VALUES(5,'sqlite',1795135968052,'14202f4038217bad33d8371f118079302601ec4697bf6a2bb9ceeeaffd37df12','80e5ee0040598e45c08bf228a3bae4efde69d8f8183d1d2cbb73e8df2338fd6a','[["0mwo9lttg000xdw40bn6",1,"enqueue",null,"ready",1795135968052,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default"}]]');
INSERT INTO audit_blocks VALUES(6,'sqlite',1795135968065,'80e5ee0040598e45c08bf228a3bae4efde69d8f8183d1d2cbb73e8df2338fd6a','3252d4c566177e1baa576c07489615a25cbee692f08979c1921962949ae51bfd','[["0mwo9lttr000xdw40bn6",1,"enqueue",null,"ready",1795135968065,0,1,0,0,{"by":"app:worker-1","handler":"import","queue":"default"}]]');
INSERT INTO audit_blocks VALUES(7,'sqlite',1795135968069,'3252d4c566177e1baa576c07489615a25cbee692f08979c1921962949ae51bfd','8d13938a94089d65277b0a9c78d62690b952f12bcb5c1e798fd1751385b043d3','[["0mwo9lttx000xdw40bn6",1,"enqueue",null,"ready",1795135968069,0,1,0,0,{"by":"app:worker-1","handler":"search","queue":"default"}]]');
INSERT INTO audit_blocks VALUES(8,'sqlite',1795135968073,'8d13938a94089d65277b0a9c78d62690b952f12bcb5c1e798fd1751385b043d3','3f9a53c3d603ba2e94f1a24e2a14bc418fbe1b53bb70f821da3172f8ccb501e8','[["0mwo9ltu0000xdw40bn6",1,"enqueue",null,"ready",1795135968073,0,1,0,0,{"by":"app:worker-1","handler":"report","queue":"default"}]]');
INSERT INTO audit_blocks VALUES(9,'sqlite',1795135968075,'3f9a53c3d603ba2e94f1a24e2a14bc418fbe1b53bb70f821da3172f8ccb501e8','1995bf4e011da2e447f686a3249f5b82671df70ca66cb7629a0281831913f60a','[["0mwo9ltu3000xdw40bn6",1,"enqueue",null,"scheduled",1795135968075,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default","due":{"inMs":86400000}}]]');
INSERT INTO audit_blocks VALUES(10,'sqlite',1795135968081,'1995bf4e011da2e447f686a3249f5b82671df70ca66cb7629a0281831913f60a','5e970c9b7c759fea6db8637c4eb26ba8802fa6388ae1fab8417fbeffcbf9e156','[["0mwo9ltu8000xdw40bn6",1,"enqueue",null,"ready",1795135968081,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO audit_blocks VALUES(11,'sqlite',1795135968098,'5e970c9b7c759fea6db8637c4eb26ba8802fa6388ae1fab8417fbeffcbf9e156','930e33f0908e69c6c1565e8423c7892b5331969c7af03bc4d58f0332248feb94','[["0mwo9ltu8000xdw40bn6",2,"cancel","ready","cancelled",1795135968098,0,1,0,10,{"by":"app:worker-1","why":"not wanted"}]]');
INSERT INTO audit_blocks VALUES(12,'sqlite',1795135968319,'930e33f0908e69c6c1565e8423c7892b5331969c7af03bc4d58f0332248feb94','1051bae103ba9af935fdcc246683ec974c44745297363cba7dd361cc23a8e4bc','[[["0mwo9ltow000xdw40bn6","0mwo9ltow001xdw40bn6","0mwo9ltow002xdw40bn6","0mwo9lttr000xdw40bn6","0mwo9lttx000xdw40bn6","0mwo9ltu0000xdw40bn6"],2,"claim","ready","leased",1795135968319,1,1,1,[1,1,1,6,7,8],{"by":"worker-1-1cw4avh1mo22dc1","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}],
[["0mwo9ltpb000xdw40bn6","0mwo9lttc000xdw40bn6","0mwo9ltte000xdw40bn6","0mwo9lttg000xdw40bn6"],2,"claim","ready","leased",1795135968319,1,1,1,[2,3,4,5],{"by":"worker-1-1cw4avh1mo22dc1","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO audit_blocks VALUES(13,'sqlite',1795135968415,'1051bae103ba9af935fdcc246683ec974c44745297363cba7dd361cc23a8e4bc','2dd726b501d54a2d03f2e3cb27d4da3e8905840fdac2e013c46b586f74f324c2','[["gate:[\"reports\",\"\",\"\"]",0,"control",null,null,1795135968415,0,0,0,0,{"by":"worker:worker-1-1cw4avh1mo22dc1","act":"close","untilMs":1795139568418,"cut":false}],
[["0mwo9ltow000xdw40bn6","0mwo9ltow001xdw40bn6","0mwo9ltow002xdw40bn6"],3,"settle","leased","succeeded",1795135968415,2,1,1,12,{"by":"worker-1-1cw4avh1mo22dc1","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1}],
[["0mwo9ltpb000xdw40bn6","0mwo9lttc000xdw40bn6","0mwo9ltte000xdw40bn6","0mwo9lttg000xdw40bn6"],3,"settle","leased","scheduled",1795135968415,2,1,1,12,{"by":"worker-1-1cw4avh1mo22dc1","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795135968340,6.682,0,4,1,0,0,0,null,0.17517716774223924],[1,1795135968340,12.488,0,4,1,0,0,0,null,0.20995914502730917],[1,1795135968340,12.78,0,4,1,0,0,0,null,0.13746794516785976],[1,1795135968340,12.861,0,4,1,0,0,0,null,0.026009021920894382]]],
["0mwo9lttr000xdw40bn6",3,"settle","leased","dead",1795135968415,2,1,1,12,{"by":"worker-1-1cw4avh1mo22dc1","attempt":1,"startedAtMs":1795135968340,"durationMs":13.055,"delayBeforeMs":0,"error":{"type":"verdict:final","message":"unknown format"},"action":"give-up","reason":"final_error","entry":"failed","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":1,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"final","effect":"none"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.24202529380201843}}],
["0mwo9lttx000xdw40bn6",3,"settle","leased","scheduled",1795135968415,2,1,1,12,{"by":"worker-1-1cw4avh1mo22dc1","attempt":1,"startedAtMs":1795135968340,"durationMs":18.503,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"The handler asked for a later time"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":6,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":1,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":5},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.2458694854518363}}],
["0mwo9ltu0000xdw40bn6",3,"settle","leased","scheduled",1795135968415,2,1,1,12,{"by":"worker-1-1cw4avh1mo22dc1","attempt":1,"startedAtMs":1795135968341,"durationMs":25.458,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"The handler asked for a later time"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":3737538,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":1,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":3600000},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.3820474501760347}}]]');
INSERT INTO audit_blocks VALUES(14,'sqlite',1795135968437,'2dd726b501d54a2d03f2e3cb27d4da3e8905840fdac2e013c46b586f74f324c2','63a9e8dddbb2201284053aa60f293978df39bb2ef490b5ca5e9d5e7cd15ba2aa','[[["0mwo9ltpb000xdw40bn6","0mwo9ltte000xdw40bn6","0mwo9lttc000xdw40bn6","0mwo9lttg000xdw40bn6"],4,"claim","ready","leased",1795135968437,3,1,2,13,{"by":"worker-1-1cw4avh1mo22dc1","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}],
["0mwo9lttx000xdw40bn6",4,"claim","ready","leased",1795135968437,3,1,2,13,{"by":"worker-1-1cw4avh1mo22dc1","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}]]');
INSERT INTO audit_blocks VALUES(15,'sqlite',1795135968555,'63a9e8dddbb2201284053aa60f293978df39bb2ef490b5ca5e9d5e7cd15ba2aa','6ec445cfc74143b9d996b54daccdd17d3f3996003765d018943db97d4531f7c0','[["0mwo9ltpb000xdw40bn6",5,"settle","leased","succeeded",1795135968555,4,1,2,14,{"by":"worker-1-1cw4avh1mo22dc1","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}],
[["0mwo9ltte000xdw40bn6","0mwo9lttc000xdw40bn6","0mwo9lttg000xdw40bn6"],5,"settle","leased","scheduled",1795135968555,4,1,2,14,{"by":"worker-1-1cw4avh1mo22dc1","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[2,1795135968437,0.457,4,8,2,0,0,4,null,0.5820687869689142],[2,1795135968437,0.544,4,9,2,0,0,4,null,0.9555153033922972],[2,1795135968437,0.635,4,8,2,0,0,4,null,0.4333417257826201]]],
["0mwo9lttx000xdw40bn6",5,"settle","leased","succeeded",1795135968555,4,1,2,14,{"by":"worker-1-1cw4avh1mo22dc1","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1}]]');
INSERT INTO audit_blocks VALUES(16,'sqlite',1795135968563,'6ec445cfc74143b9d996b54daccdd17d3f3996003765d018943db97d4531f7c0','2351f459e701b95f2d1341529e87ec65c14c00f712a13edebaca715708a99233','[[["0mwo9ltte000xdw40bn6","0mwo9lttg000xdw40bn6"],6,"claim","ready","leased",1795135968563,5,1,3,15,{"by":"worker-1-1cw4avh1mo22dc1","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO audit_blocks VALUES(17,'sqlite',1795135968567,'2351f459e701b95f2d1341529e87ec65c14c00f712a13edebaca715708a99233','73d4e33b1366dc55d0e0c7185807c79bff426f3aa4cd748c7e5ede02b9324e31','[["0mwo9lttc000xdw40bn6",6,"claim","ready","leased",1795135968567,5,1,3,15,{"by":"worker-1-1cw4avh1mo22dc1","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}],
[["0mwo9ltte000xdw40bn6","0mwo9lttg000xdw40bn6"],7,"settle","leased","dead",1795135968567,6,1,3,16,{"by":"worker-1-1cw4avh1mo22dc1","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"give-up","reason":"max_attempts_exceeded","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[3,1795135968563,0.854,8,17,3,0,0,8,null,0.8355210290387596],[3,1795135968563,2.542,8,16,3,0,0,8,null,0.6506872069781219]]]]');
INSERT INTO audit_blocks VALUES(18,'sqlite',1795135968570,'73d4e33b1366dc55d0e0c7185807c79bff426f3aa4cd748c7e5ede02b9324e31','ba12ff21fcb828419da7172bbf879a407c82540466a1052fc9d75db9f79425b4','[["0mwo9lttc000xdw40bn6",7,"settle","leased","succeeded",1795135968570,6,1,3,17,{"by":"worker-1-1cw4avh1mo22dc1","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}]]');
INSERT INTO audit_blocks VALUES(19,'sqlite',1795135968574,'ba12ff21fcb828419da7172bbf879a407c82540466a1052fc9d75db9f79425b4','59591260f3587f572dab2467a9afbb95bd0b37201748f72ef1e164ef48edbb69','[["0mwo9ltte000xdw40bn6",8,"requeue","dead","ready",1795135968574,7,2,3,17,{"by":"app:worker-1","why":"the bank answers again"}]]');
INSERT INTO audit_blocks VALUES(20,'sqlite',1795135968576,'59591260f3587f572dab2467a9afbb95bd0b37201748f72ef1e164ef48edbb69','e04806dda43b0f7033f6eef5455b034a8eb1a7426f5b3c9c6ea8349231fd7f98','[["0mwo9ltte000xdw40bn6",9,"claim","ready","leased",1795135968576,8,2,4,19,{"by":"worker-1-1cw4avh1mo22dc1","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO audit_blocks VALUES(21,'sqlite',1795135968580,'e04806dda43b0f7033f6eef5455b034a8eb1a7426f5b3c9c6ea8349231fd7f98','8f1ebf0aed0435afb3378d3a35c6580a6b9b4815e128314c0e6b2c9d3634fc8d','[["0mwo9ltte000xdw40bn6",10,"settle","leased","succeeded",1795135968580,9,2,4,20,{"by":"worker-1-1cw4avh1mo22dc1","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}]]');
INSERT INTO audit_blocks VALUES(22,'sqlite',1795135968585,'8f1ebf0aed0435afb3378d3a35c6580a6b9b4815e128314c0e6b2c9d3634fc8d','a854e31ea3a40d10faf1a8dc4b890bf92f6e53ea4337f6cf21b6cc526a98e700','[["kill:pause:queue:slow",0,"control",null,null,1795135968585,0,0,0,0,{"by":"ann","why":"maintenance","act":"pause"}]]');
INSERT INTO audit_blocks VALUES(23,'sqlite',1795135968586,'a854e31ea3a40d10faf1a8dc4b890bf92f6e53ea4337f6cf21b6cc526a98e700','4085875ba4888a8843940fbff1603665d02e4ab2801b26f72818a19bfa577a0f','[["0mwo9lu8a000xdw40bn6",1,"enqueue",null,"ready",1795135968586,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"slow"}]]');
INSERT INTO policies VALUES('3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506','runs.default','{"enabled":true,"maxAttempts":8,"backoff":"exponential","baseDelayMs":60000,"maxDelayMs":3600000,"multiplier":2,"immediateFirstRetry":false,"jitter":"none","jitterAmount":1,"maxFreeWaits":100,"maxFreeWaitMs":86400000}');
INSERT INTO policies VALUES('b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd','default','{"enabled":true,"maxAttempts":3,"backoff":"exponential","baseDelayMs":4,"maxDelayMs":20,"multiplier":2,"immediateFirstRetry":false,"jitter":"proportional","jitterAmount":0.1,"maxFreeWaits":100,"maxFreeWaitMs":86400000}');
INSERT INTO audit_anchors VALUES(1,'0000000000000001','0000000000000011',11,'75efeb6b294079c44b54d807cf5479294549fa3e22d2b9a518d7403617764393','','7d438c3969238f3a1bb58cb22b1b754fb2c5f3247f7451a44dd0f0b426d93462',1795135968258);
INSERT INTO audit_anchors VALUES(2,'0000000000000012','0000000000000021',10,'60ba3d828e568474cf0f6e1d535c1f8a26fb01f8d31f72d803839bf76998a89a','7d438c3969238f3a1bb58cb22b1b754fb2c5f3247f7451a44dd0f0b426d93462','058893456fd8aa70e447369b33bb79628d2128bf8506bc63d1f091d3f3b97d7a',1795135968582);
INSERT INTO audit_anchors VALUES(3,'0000000000000022','0000000000000023',2,'2d0fd6cdfae0d1ce04f4ec0f99b833eb70db7b8fdb7cb67255545c7a12e0c583','058893456fd8aa70e447369b33bb79628d2128bf8506bc63d1f091d3f3b97d7a','0323fe7e80547f8854086687ebc4432f4c0b027c89ecc934cfd1fea916d3122b',1795135968587);
INSERT INTO dead_letters VALUES(1795135968415,'0mwo9lttr000xdw40bn6',8,3,'','fp1:f7bac0256cf639d7','final_error','final',NULL,NULL);
INSERT INTO dead_letters VALUES(1795135968567,'0mwo9lttg000xdw40bn6',7,2,'','fp1:68d2f39d12ce3be5','max_attempts_exceeded','retryable',NULL,NULL);
INSERT INTO dead_groups VALUES(1,'fp1:f7bac0256cf639d7','verdict:final: unknown format');
INSERT INTO dead_groups VALUES(2,'fp1:68d2f39d12ce3be5','Error: connection reset');
INSERT INTO controls VALUES('gate','["reports","",""]',1,'{"untilMs":1795139568418,"sinceMs":1795135968418,"cut":false,"dependency":"reports","credential":"","tenant":""}');
INSERT INTO controls VALUES('kill','pause:queue:slow',2,'{"sinceMs":1795135968585,"mode":"finish","by":"ann","why":"maintenance"}');
INSERT INTO control_revision VALUES(1,2);
INSERT INTO flows VALUES(6,0,'',1795135968586,'0mwo9lu8a000xdw40bn6',NULL);
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
CREATE INDEX batches_sealed ON batches (n) WHERE state = 'sealed';
CREATE INDEX batches_opened ON batches (opened_at, id);
CREATE INDEX jobs_batch ON jobs (batch, finished_as) WHERE batch IS NOT NULL;
CREATE INDEX rates_look ON rates (name, look_at) WHERE holds;
CREATE INDEX rates_idle ON rates (look_at);
