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
INSERT INTO meta VALUES('store_id','store_1795134352746_1fv1lrn0dvwpya1');
INSERT INTO meta VALUES('works_from','1');
INSERT INTO lanes VALUES(1,'default','mail',1,0,0,0,3,0,1,0);
INSERT INTO lanes VALUES(2,'default','charge',0,0,0,0,3,1,0,0);
INSERT INTO lanes VALUES(3,'default','import',0,0,0,0,0,1,0,0);
INSERT INTO lanes VALUES(4,'default','search',0,0,0,0,1,0,0,0);
INSERT INTO lanes VALUES(5,'default','report',1,0,0,0,0,0,0,0);
INSERT INTO lanes VALUES(6,'slow','mail',0,1,0,0,0,0,0,0);
INSERT INTO jobs VALUES(1,'0mwo8n7g5000cg2oyie1',1,'',0,1795134352760,4,3,2,13,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795134352791,NULL,NULL,NULL,NULL,NULL,1795134352813,4,'{"tags":["welcome"]}','{"account":[1,1,1,0,0,0,1],"retryCount":0,"reason":"succeeded"}','{"to":"ada@example.org"}','[0,[1,1,1795134352791,1.056,0,"succeeded","succeed","succeeded","worker-1-0tyqntv1709njx1",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]','{"sent":true}');
INSERT INTO jobs VALUES(2,'0mwo8n7g5001cg2oyie1',1,'',0,1795134352760,4,3,2,13,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795134352791,NULL,NULL,NULL,NULL,NULL,1795134352813,4,'{"tags":["welcome"]}','{"account":[1,1,1,0,0,0,1],"retryCount":0,"reason":"succeeded"}','{"to":"bob@example.org"}','[0,[1,1,1795134352792,3.847,0,"succeeded","succeed","succeeded","worker-1-0tyqntv1709njx1",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]','{"sent":true}');
INSERT INTO jobs VALUES(3,'0mwo8n7g5002cg2oyie1',1,'',0,1795134352760,4,3,2,13,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795134352791,NULL,NULL,NULL,NULL,NULL,1795134352813,4,'{"tags":["welcome"]}','{"account":[1,1,1,0,0,0,1],"retryCount":0,"reason":"succeeded"}','{"to":"cy@example.org"}','[0,[1,1,1795134352792,4.352,0,"succeeded","succeed","succeeded","worker-1-0tyqntv1709njx1",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]','{"sent":true}');
INSERT INTO jobs VALUES(4,'0mwo8n7gb000cg2oyie1',2,'acme',0,1795134352763,4,5,4,15,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795134352791,NULL,NULL,NULL,NULL,NULL,1795134352824,4,'{"uniqueKey":"order-1"}','{"account":[1,2,2,0,0,0,1,1],"retryCount":0,"reason":"succeeded"}','{"failures":1}','[0,[1,1,1795134352791,2.599,0,"failed","retry","retryable_error","worker-1-0tyqntv1709njx1",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.8338313698888771,{"kind":"failure","effect":"unknown"}],1],[1,2,1795134352819,0.32,4,"succeeded","succeed","succeeded","","",3]]','{"charged":true}');
INSERT INTO jobs VALUES(5,'0mwo8n7gc000cg2oyie1',2,'acme',0,1795134352764,4,7,6,18,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795134352791,NULL,NULL,NULL,NULL,NULL,1795134352838,4,'{"uniqueKey":"order-2"}','{"account":[1,3,3,0,0,0,1,2],"retryCount":0,"reason":"succeeded"}','{"failures":2}','[0,[1,1,1795134352792,4.226,0,"failed","retry","retryable_error","worker-1-0tyqntv1709njx1",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.5917117157167172,{"kind":"failure","effect":"unknown"}],1],[1,2,1795134352819,0.792,4,"failed","retry","retryable_error","","",3,7,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.18010762899308375,{"kind":"failure","effect":"unknown"}],1],[1,3,1795134352832,0.168,7,"succeeded","succeed","succeeded","","",3]]','{"charged":true}');
INSERT INTO jobs VALUES(6,'0mwo8n7gd000cg2oyie1',2,'',0,1795134352765,4,10,9,22,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795134352846,NULL,NULL,NULL,NULL,NULL,1795134352848,4,'{"correlationId":"order-7"}','{"account":[2,1,4,0,0,0,1],"retryCount":0,"reason":"succeeded"}','{"failures":9}','[0,[1,1,1795134352792,4.407,0,"failed","retry","retryable_error","worker-1-0tyqntv1709njx1",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.7479805943353233,{"kind":"failure","effect":"unknown"}],1],[1,2,1795134352819,0.6,4,"failed","retry","retryable_error","","",3,9,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.9739946448549737,{"kind":"failure","effect":"unknown"}],1],[1,3,1795134352834,0.349,9,"failed","give-up","max_attempts_exceeded","","",3,null,"retryable",{"type":"Error","message":"connection reset"},[3,0,0,9,0.8753240836087587,{"kind":"failure","effect":"unknown"}],1],[2,1,1795134352846,0.087,0,"succeeded","succeed","succeeded","","",3]]','{"charged":true}');
INSERT INTO jobs VALUES(7,'0mwo8n7gd001cg2oyie1',2,'',0,1795134352766,5,7,6,19,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795134352791,NULL,NULL,NULL,NULL,NULL,1795134352840,5,NULL,'{"account":[1,3,3,0,0,0,0,3],"retryCount":2,"errorClass":"retryable","reason":"max_attempts_exceeded","fingerprint":"fp1:68d2f39d12ce3be5"}',0.0,'[0,[1,1,1795134352792,4.482,0,"failed","retry","retryable_error","worker-1-0tyqntv1709njx1",["b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","default"],3,4,"retryable",{"type":"Error","message":"connection reset"},[1,0,0,0,0.5116481409730994,{"kind":"failure","effect":"unknown"}],1],[1,2,1795134352819,0.918,4,"failed","retry","retryable_error","","",3,9,"retryable",{"type":"Error","message":"connection reset"},[2,0,0,4,0.98728419316036,{"kind":"failure","effect":"unknown"}],1],[1,3,1795134352834,1.712,9,"failed","give-up","max_attempts_exceeded","","",3,null,"retryable",{"type":"Error","message":"connection reset"},[3,0,0,9,0.1968918042074146,{"kind":"failure","effect":"unknown"}],1]]',NULL);
INSERT INTO jobs VALUES(8,'0mwo8n7ge000cg2oyie1',3,'',0,1795134352766,5,3,2,13,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795134352791,NULL,NULL,'["import","files"]',NULL,NULL,1795134352813,5,'{"limitKey":"files"}','{"account":[1,1,1,0,0,0,0,1],"retryCount":0,"errorClass":"final","reason":"final_error","fingerprint":"fp1:f7bac0256cf639d7"}','{"file":"a.csv"}','[0,[1,1,1795134352792,4.641,0,"failed","give-up","final_error","worker-1-0tyqntv1709njx1",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,null,"final",{"type":"verdict:final","message":"unknown format"},[1,0,0,0,0.6602695741331398,{"kind":"failure","effect":"none"}],1]]',NULL);
INSERT INTO jobs VALUES(9,'0mwo8n7gf000cg2oyie1',4,'',0,1795134352767,4,5,4,15,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795134352791,NULL,NULL,NULL,NULL,NULL,1795134352824,4,NULL,'{"account":[1,2,2,1,6,0,1,0,1],"retryCount":0,"reason":"succeeded"}','{"q":"x"}','[0,[1,1,1795134352792,10.056,0,"rate_limited","retry","rate_limited","worker-1-0tyqntv1709njx1",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,6,"rate_limited",{"type":"verdict:retry_after","message":"The handler asked for a later time"},[1,0,0,0,0.6455080762618618,{"kind":"failure","effect":"none","retryAfterMs":5}],1],[1,2,1795134352819,1.015,6,"succeeded","succeed","succeeded","","",8]]','"found"');
INSERT INTO jobs VALUES(10,'0mwo8n7gg000cg2oyie1',5,'',0,1795134352768,0,3,2,13,NULL,1795138123605,NULL,NULL,NULL,NULL,0,NULL,1795134352791,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{"account":[1,1,1,1,3770792,3770792,0,0,1],"retryCount":0,"errorClass":"rate_limited","reason":"rate_limited"}','{"of":"May"}','[0,[1,1,1795134352792,15.056,0,"rate_limited","retry","rate_limited","worker-1-0tyqntv1709njx1",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,3770792,"rate_limited",{"type":"verdict:retry_after","message":"The handler asked for a later time"},[1,0,0,0,0.4744219634697924,{"kind":"failure","effect":"none","retryAfterMs":3600000}],1]]',NULL);
INSERT INTO jobs VALUES(11,'0mwo8n7gh000cg2oyie1',1,'',0,1795134352769,0,1,0,9,NULL,1795220752769,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{"to":"eve@example.org"}',NULL,NULL);
INSERT INTO jobs VALUES(12,'0mwo8n7gh001cg2oyie1',1,'',0,1795134352769,6,2,0,11,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1795134352769,NULL,NULL,NULL,NULL,NULL,1795134352771,6,NULL,'{"account":[1],"retryCount":0,"reason":"cancelled"}','{"to":"dan@example.org"}',NULL,NULL);
INSERT INTO jobs VALUES(13,'0mwo8n7iu000cg2oyie1',6,'',0,1795134352854,1,1,0,24,6,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{"to":"fay@example.org"}',NULL,NULL);
INSERT INTO audit_blocks VALUES(1,'sqlite',1795134352760,'','8f5059c36473026dfe0c25b79361bed8eb4e1774e9f8139d56d08be692a15035','[[["0mwo8n7g5000cg2oyie1","0mwo8n7g5001cg2oyie1","0mwo8n7g5002cg2oyie1"],1,"enqueue",null,"ready",1795134352760,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO audit_blocks VALUES(2,'sqlite',1795134352763,'8f5059c36473026dfe0c25b79361bed8eb4e1774e9f8139d56d08be692a15035','727b0ca028da4937955348e908b010fbdbeb6c4fec295242e8193ba4daf61dde','[["0mwo8n7gb000cg2oyie1",1,"enqueue",null,"ready",1795134352763,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO audit_blocks VALUES(3,'sqlite',1795134352764,'727b0ca028da4937955348e908b010fbdbeb6c4fec295242e8193ba4daf61dde','ad78703fabeb23da45de02671e500db85a889722b4f8c3c77b8e19970db3719f','[["0mwo8n7gc000cg2oyie1",1,"enqueue",null,"ready",1795134352764,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]');
INSERT INTO audit_blocks VALUES(4,'sqlite',1795134352765,'ad78703fabeb23da45de02671e500db85a889722b4f8c3c77b8e19970db3719f','f9650752e241bd9142959ff5b6a8f53757044a7278708538d119b01eb79da135','[["0mwo8n7gd000cg2oyie1",1,"enqueue",null,"ready",1795134352765,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","correlation":"order-7"}]]');
INSERT INTO audit_blocks VALUES(5,'sqlite',1795134352766,'f9650752e241bd9142959ff5b6a8f53757044a7278708538d119b01eb79da135','cbbcc5d840e0c66c76145664895c8df1ad6448ce887669f0ca3436340d28ad89','[["0mwo8n7gd001cg2oyie1",1,"enqueue",null,"ready",1795134352766,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default"}]]');
INSERT INTO audit_blocks VALUES(6,'sqlite',1795134352766,'cbbcc5d840e0c66c76145664895c8df1ad6448ce887669f0ca3436340d28ad89','4924622fb4e3e8ab6118b8333844150e69de445bc3bfc72c9001ea2cff5558d8','[["0mwo8n7ge000cg2oyie1",1,"enqueue",null,"ready",1795134352766,0,1,0,0,{"by":"app:worker-1","handler":"import","queue":"default"}]]');
INSERT INTO audit_blocks VALUES(7,'sqlite',1795134352767,'4924622fb4e3e8ab6118b8333844150e69de445bc3bfc72c9001ea2cff5558d8','c776a25da6dc1d8b5717238587dc7640d543d1a16657cc45dcbbfacf679eaea9','[["0mwo8n7gf000cg2oyie1",1,"enqueue",null,"ready",1795134352767,0,1,0,0,{"by":"app:worker-1","handler":"search","queue":"default"}]]');
INSERT INTO audit_blocks VALUES(8,'sqlite',1795134352768,'c776a25da6dc1d8b5717238587dc7640d543d1a16657cc45dcbbfacf679eaea9','599515ee0bbedbd86be5d1e45efc535a8c929bcd4bf5b6c5b7f11946614cef61','[["0mwo8n7gg000cg2oyie1",1,"enqueue",null,"ready",1795134352768,0,1,0,0,{"by":"app:worker-1","handler":"report","queue":"default"}]]');
INSERT INTO audit_blocks VALUES(9,'sqlite',1795134352769,'599515ee0bbedbd86be5d1e45efc535a8c929bcd4bf5b6c5b7f11946614cef61','e174f60de8f9e8f7bf8e2af442eb2a0caa12d15756025d2412691aafc8b927aa','[["0mwo8n7gh000cg2oyie1",1,"enqueue",null,"scheduled",1795134352769,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default","due":{"inMs":86400000}}]]');
INSERT INTO audit_blocks VALUES(10,'sqlite',1795134352769,'e174f60de8f9e8f7bf8e2af442eb2a0caa12d15756025d2412691aafc8b927aa','b0eb7c8885ba89c2a297631541cc1116f465adb1ee538649b156024add14af5d','[["0mwo8n7gh001cg2oyie1",1,"enqueue",null,"ready",1795134352769,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]');
INSERT INTO audit_blocks VALUES(11,'sqlite',1795134352771,'b0eb7c8885ba89c2a297631541cc1116f465adb1ee538649b156024add14af5d','a5f4933dd7e868f6ec186da5083d03333f049226fc416b964ce5d50ee1234f24','[["0mwo8n7gh001cg2oyie1",2,"cancel","ready","cancelled",1795134352771,0,1,0,10,{"by":"app:worker-1","why":"not wanted"}]]');
INSERT INTO audit_blocks VALUES(12,'sqlite',1795134352791,'a5f4933dd7e868f6ec186da5083d03333f049226fc416b964ce5d50ee1234f24','223bd81965f2c8f378bc66ce0beba429b98e4d9c0b76a8b2e5371784f4f9bf37','[[["0mwo8n7g5000cg2oyie1","0mwo8n7g5001cg2oyie1","0mwo8n7g5002cg2oyie1","0mwo8n7ge000cg2oyie1","0mwo8n7gf000cg2oyie1","0mwo8n7gg000cg2oyie1"],2,"claim","ready","leased",1795134352791,1,1,1,[1,1,1,6,7,8],{"by":"worker-1-0tyqntv1709njx1","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}],
[["0mwo8n7gb000cg2oyie1","0mwo8n7gc000cg2oyie1","0mwo8n7gd000cg2oyie1","0mwo8n7gd001cg2oyie1"],2,"claim","ready","leased",1795134352791,1,1,1,[2,3,4,5],{"by":"worker-1-0tyqntv1709njx1","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO audit_blocks VALUES(13,'sqlite',1795134352813,'223bd81965f2c8f378bc66ce0beba429b98e4d9c0b76a8b2e5371784f4f9bf37','34815ee8b6ee123dceba426b28214535a1e0c3b6ccd30cdb84517b266109303c','[["gate:[\"reports\",\"\",\"\"]",0,"control",null,null,1795134352813,0,0,0,0,{"by":"worker:worker-1-0tyqntv1709njx1","act":"close","untilMs":1795137952812,"cut":false}],
[["0mwo8n7g5000cg2oyie1","0mwo8n7g5001cg2oyie1","0mwo8n7g5002cg2oyie1"],3,"settle","leased","succeeded",1795134352813,2,1,1,12,{"by":"worker-1-0tyqntv1709njx1","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1}],
[["0mwo8n7gb000cg2oyie1","0mwo8n7gc000cg2oyie1","0mwo8n7gd000cg2oyie1","0mwo8n7gd001cg2oyie1"],3,"settle","leased","scheduled",1795134352813,2,1,1,12,{"by":"worker-1-0tyqntv1709njx1","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[1,1795134352791,2.599,0,4,1,0,0,0,null,0.8338313698888771],[1,1795134352792,4.226,0,4,1,0,0,0,null,0.5917117157167172],[1,1795134352792,4.407,0,4,1,0,0,0,null,0.7479805943353233],[1,1795134352792,4.482,0,4,1,0,0,0,null,0.5116481409730994]]],
["0mwo8n7ge000cg2oyie1",3,"settle","leased","dead",1795134352813,2,1,1,12,{"by":"worker-1-0tyqntv1709njx1","attempt":1,"startedAtMs":1795134352792,"durationMs":4.641,"delayBeforeMs":0,"error":{"type":"verdict:final","message":"unknown format"},"action":"give-up","reason":"final_error","entry":"failed","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":1,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"final","effect":"none"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.6602695741331398}}],
["0mwo8n7gf000cg2oyie1",3,"settle","leased","scheduled",1795134352813,2,1,1,12,{"by":"worker-1-0tyqntv1709njx1","attempt":1,"startedAtMs":1795134352792,"durationMs":10.056,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"The handler asked for a later time"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":6,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":1,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":5},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.6455080762618618}}],
["0mwo8n7gg000cg2oyie1",3,"settle","leased","scheduled",1795134352813,2,1,1,12,{"by":"worker-1-0tyqntv1709njx1","attempt":1,"startedAtMs":1795134352792,"durationMs":15.056,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"The handler asked for a later time"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":3770792,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1,"input":{"account":{"charged":1,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":3600000},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.4744219634697924}}]]');
INSERT INTO audit_blocks VALUES(14,'sqlite',1795134352819,'34815ee8b6ee123dceba426b28214535a1e0c3b6ccd30cdb84517b266109303c','006e6e4bcf54a5ac639ef8b372b8c15db328b47739e94c0c89f3827c085e4b4b','[[["0mwo8n7gb000cg2oyie1","0mwo8n7gd000cg2oyie1","0mwo8n7gc000cg2oyie1","0mwo8n7gd001cg2oyie1"],4,"claim","ready","leased",1795134352819,3,1,2,13,{"by":"worker-1-0tyqntv1709njx1","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}],
["0mwo8n7gf000cg2oyie1",4,"claim","ready","leased",1795134352819,3,1,2,13,{"by":"worker-1-0tyqntv1709njx1","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}]]');
INSERT INTO audit_blocks VALUES(15,'sqlite',1795134352824,'006e6e4bcf54a5ac639ef8b372b8c15db328b47739e94c0c89f3827c085e4b4b','e6c385ffb1a1da3c0240e9ffb5a84b9419abf3be7665d9d921bcfeb6a14cf5eb','[["0mwo8n7gb000cg2oyie1",5,"settle","leased","succeeded",1795134352824,4,1,2,14,{"by":"worker-1-0tyqntv1709njx1","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}],
[["0mwo8n7gd000cg2oyie1","0mwo8n7gc000cg2oyie1","0mwo8n7gd001cg2oyie1"],5,"settle","leased","scheduled",1795134352824,4,1,2,14,{"by":"worker-1-0tyqntv1709njx1","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[2,1795134352819,0.6,4,9,2,0,0,4,null,0.9739946448549737],[2,1795134352819,0.792,4,7,2,0,0,4,null,0.18010762899308375],[2,1795134352819,0.918,4,9,2,0,0,4,null,0.98728419316036]]],
["0mwo8n7gf000cg2oyie1",5,"settle","leased","succeeded",1795134352824,4,1,2,14,{"by":"worker-1-0tyqntv1709njx1","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":1}]]');
INSERT INTO audit_blocks VALUES(16,'sqlite',1795134352832,'e6c385ffb1a1da3c0240e9ffb5a84b9419abf3be7665d9d921bcfeb6a14cf5eb','193af7b7696f72acb2d3cfadf88d00ffa6476660fccb80f509c26841b180d8c5','[["0mwo8n7gc000cg2oyie1",6,"claim","ready","leased",1795134352832,5,1,3,15,{"by":"worker-1-0tyqntv1709njx1","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO audit_blocks VALUES(17,'sqlite',1795134352834,'193af7b7696f72acb2d3cfadf88d00ffa6476660fccb80f509c26841b180d8c5','ab74764f7de55d9825bf5177c350ac73ac4277ca9c86af7ed258aa3cfc9cccfb','[[["0mwo8n7gd000cg2oyie1","0mwo8n7gd001cg2oyie1"],6,"claim","ready","leased",1795134352834,5,1,3,15,{"by":"worker-1-0tyqntv1709njx1","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO audit_blocks VALUES(18,'sqlite',1795134352838,'ab74764f7de55d9825bf5177c350ac73ac4277ca9c86af7ed258aa3cfc9cccfb','9c5958b457b60cf5abb96861557315208a9ee0686af68fa9e1ec88e1958c8793','[["0mwo8n7gc000cg2oyie1",7,"settle","leased","succeeded",1795134352838,6,1,3,16,{"by":"worker-1-0tyqntv1709njx1","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}]]');
INSERT INTO audit_blocks VALUES(19,'sqlite',1795134352840,'9c5958b457b60cf5abb96861557315208a9ee0686af68fa9e1ec88e1958c8793','e2893fb73ac5ec980af1b11721a16d7cef2fd1eaec5b56352f8fe4100cff512a','[[["0mwo8n7gd000cg2oyie1","0mwo8n7gd001cg2oyie1"],7,"settle","leased","dead",1795134352840,6,1,3,17,{"by":"worker-1-0tyqntv1709njx1","attempt":0,"startedAtMs":0,"durationMs":0,"delayBeforeMs":0,"error":{"type":"Error","message":"connection reset"},"action":"give-up","reason":"max_attempts_exceeded","entry":"failed","delayMs":0,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1,"input":{"account":{"charged":0,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":0,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0},"own":["attempt","startedAtMs","durationMs","delayBeforeMs","delayMs","input.account.charged","input.account.freeWaits","input.account.freeWaitMs","input.account.lastDelayMs","input.timeLeftMs","input.random"]},[[3,1795134352834,0.349,9,17,3,0,0,9,null,0.8753240836087587],[3,1795134352834,1.712,9,15,3,0,0,9,null,0.1968918042074146]]]]');
INSERT INTO audit_blocks VALUES(20,'sqlite',1795134352845,'e2893fb73ac5ec980af1b11721a16d7cef2fd1eaec5b56352f8fe4100cff512a','4e9ac31584f90abd0db3570232aaa2fc982e719f7a81221f9d897f8beb3e644f','[["0mwo8n7gd000cg2oyie1",8,"requeue","dead","ready",1795134352845,7,2,3,19,{"by":"app:worker-1","why":"the bank answers again"}]]');
INSERT INTO audit_blocks VALUES(21,'sqlite',1795134352846,'4e9ac31584f90abd0db3570232aaa2fc982e719f7a81221f9d897f8beb3e644f','20ba7bcd9798fbff497b5137b42d48b4359eb4f013f690a36ab34853f38e8444','[["0mwo8n7gd000cg2oyie1",9,"claim","ready","leased",1795134352846,8,2,4,20,{"by":"worker-1-0tyqntv1709njx1","leaseMs":30000,"policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd"}]]');
INSERT INTO audit_blocks VALUES(22,'sqlite',1795134352848,'20ba7bcd9798fbff497b5137b42d48b4359eb4f013f690a36ab34853f38e8444','21d2785e8acf7f1c2db9a6366e53d87f7bc72c7bd1c7555dd2e826c1c8ecb003','[["0mwo8n7gd000cg2oyie1",10,"settle","leased","succeeded",1795134352848,9,2,4,21,{"by":"worker-1-0tyqntv1709njx1","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd","decide":1}]]');
INSERT INTO audit_blocks VALUES(23,'sqlite',1795134352853,'21d2785e8acf7f1c2db9a6366e53d87f7bc72c7bd1c7555dd2e826c1c8ecb003','c1070db04f7d9ec9088006f3cf5400bb31b674c112a4387c6324f779d04d8f62','[["kill:pause:queue:slow",0,"control",null,null,1795134352853,0,0,0,0,{"by":"ann","why":"maintenance","act":"pause"}]]');
INSERT INTO audit_blocks VALUES(24,'sqlite',1795134352854,'c1070db04f7d9ec9088006f3cf5400bb31b674c112a4387c6324f779d04d8f62','8a704d813a1f2893d8699b75a60bc33a2cebb816473b1aec6aed56d5a5acbc60','[["0mwo8n7iu000cg2oyie1",1,"enqueue",null,"ready",1795134352854,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"slow"}]]');
INSERT INTO policies VALUES('3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506','runs.default','{"enabled":true,"maxAttempts":8,"backoff":"exponential","baseDelayMs":60000,"maxDelayMs":3600000,"multiplier":2,"immediateFirstRetry":false,"jitter":"none","jitterAmount":1,"maxFreeWaits":100,"maxFreeWaitMs":86400000}');
INSERT INTO policies VALUES('b534774deef09fd7e7d47934029a4889d6641efe6c5fd92d834aa749f5fcdbcd','default','{"enabled":true,"maxAttempts":3,"backoff":"exponential","baseDelayMs":4,"maxDelayMs":20,"multiplier":2,"immediateFirstRetry":false,"jitter":"proportional","jitterAmount":0.1,"maxFreeWaits":100,"maxFreeWaitMs":86400000}');
INSERT INTO audit_anchors VALUES(1,'0000000000000001','0000000000000011',11,'438a3e1fd0fb835f8cceb78b1ed4201ea12c0f76215d97d82aaa4ee3e34a1cdd','','9bf7bd937dcdc319d666187e2db407d874de02c0fc15f19782fb2bcb1fcee434',1795134352788);
INSERT INTO audit_anchors VALUES(2,'0000000000000012','0000000000000022',11,'f5bd0676bc96b85eccdcb74738edb2a6f086bf36c5acd77dcd221c804da2d80a','9bf7bd937dcdc319d666187e2db407d874de02c0fc15f19782fb2bcb1fcee434','0e89724f9857fbe8a58497f6453b35047e6be8fc16f85d9e2bb7423960c42cf5',1795134352850);
INSERT INTO audit_anchors VALUES(3,'0000000000000023','0000000000000024',2,'74c6d896df517efc79c611b2b745b5ec642e293c887f316dcf28b8c333f7465e','0e89724f9857fbe8a58497f6453b35047e6be8fc16f85d9e2bb7423960c42cf5','84b8d5820abeddfe10465debd5bc129e595c6e655a085c559310ab29a2601f2e',1795134352855);
INSERT INTO dead_letters VALUES(1795134352813,'0mwo8n7ge000cg2oyie1',8,3,'','fp1:f7bac0256cf639d7','final_error','final',NULL,NULL);
INSERT INTO dead_letters VALUES(1795134352840,'0mwo8n7gd001cg2oyie1',7,2,'','fp1:68d2f39d12ce3be5','max_attempts_exceeded','retryable',NULL,NULL);
INSERT INTO dead_groups VALUES(1,'fp1:f7bac0256cf639d7','verdict:final: unknown format');
INSERT INTO dead_groups VALUES(2,'fp1:68d2f39d12ce3be5','Error: connection reset');
INSERT INTO controls VALUES('gate','["reports","",""]',1,'{"untilMs":1795137952812,"sinceMs":1795134352812,"cut":false,"dependency":"reports","credential":"","tenant":""}');
INSERT INTO controls VALUES('kill','pause:queue:slow',2,'{"sinceMs":1795134352853,"mode":"finish","by":"ann","why":"maintenance"}');
INSERT INTO control_revision VALUES(1,2);
INSERT INTO flows VALUES(6,0,'',1795134352854,'0mwo8n7iu000cg2oyie1',NULL);
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
