-- A store of an earlier version (schema 9, audit records without groups): jobs that succeed, fail and succeed, are
-- rate-limited, die, are requeued, cancelled, not due; a pause. That version ran them; then "sqlite3 store.db .dump".
PRAGMA application_id = 1380209238;
PRAGMA user_version = 9;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES('store_id','store_1794851406957_1ea8atv0ur9x091');
INSERT INTO meta VALUES('works_from','8');
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
INSERT INTO lanes VALUES(1,'default','mail',1,0,0,0,3,0,1,0);
INSERT INTO lanes VALUES(2,'default','charge',0,0,0,0,4,2,0,0);
INSERT INTO lanes VALUES(3,'default','import',0,0,0,0,0,1,0,0);
INSERT INTO lanes VALUES(4,'default','search',0,0,0,0,1,0,0,0);
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
    -- TEXT: JSON. BLOB: bytes.
    payload ANY NOT NULL,
    -- JSON of the attempts that are kept.
    attempts TEXT,
    result TEXT
  ) STRICT;
INSERT INTO jobs VALUES(1,'0mwjk6p3y00035d2d2yi',1,'',0,1794851407014,4,3,2,12,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1794851407347,NULL,NULL,NULL,NULL,NULL,1794851407357,4,'{"tags":["welcome"]}','{"account":[1,1,1,0,0,0,1],"retryCount":0,"reason":"succeeded"}','{"to":"ada@example.org"}','[0,[1,1,1794851407347,1.869,0,"succeeded","succeed","succeeded","worker-1-0sv1fty07hmikh1",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]','{"delivered":true}');
INSERT INTO jobs VALUES(2,'0mwjk6p3y00135d2d2yi',1,'',0,1794851407014,4,3,2,12,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1794851407347,NULL,NULL,NULL,NULL,NULL,1794851407357,4,'{"tags":["welcome"]}','{"account":[1,1,1,0,0,0,1],"retryCount":0,"reason":"succeeded"}','{"to":"bob@example.org"}','[0,[1,1,1794851407348,2.852,0,"succeeded","succeed","succeeded","worker-1-0sv1fty07hmikh1",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]','{"delivered":true}');
INSERT INTO jobs VALUES(3,'0mwjk6p3y00235d2d2yi',1,'',0,1794851407014,4,3,2,12,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1794851407347,NULL,NULL,NULL,NULL,NULL,1794851407357,4,'{"tags":["welcome"]}','{"account":[1,1,1,0,0,0,1],"retryCount":0,"reason":"succeeded"}','{"to":"cy@example.org"}','[0,[1,1,1794851407348,2.992,0,"succeeded","succeed","succeeded","worker-1-0sv1fty07hmikh1",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]','{"delivered":true}');
INSERT INTO jobs VALUES(4,'0mwjk6p4f00035d2d2yi',2,'acme',0,1794851407025,4,7,6,20,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1794851407347,NULL,NULL,NULL,NULL,NULL,1794851407390,4,NULL,'{"account":[1,3,3,0,0,0,1,2],"retryCount":0,"reason":"succeeded"}','{"failures":2}','[0,[1,1,1794851407347,2.373,0,"failed","retry","retryable_error","worker-1-0sv1fty07hmikh1",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3,0,"retryable",{"type":"Error","message":"the bank is down"},[1,0,0,0,0.09626505519136397,{"kind":"failure","errorClass":"retryable","effect":"unknown"}],3],[1,2,1794851407357,2.253,0,"failed","retry","retryable_error","worker-1-0sv1fty07hmikh1",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3,7,"retryable",{"type":"Error","message":"the bank is down"},[2,0,0,0,0.8670774084682639,{"kind":"failure","errorClass":"retryable","effect":"unknown"}],3],[1,3,1794851407380,0.874,7,"succeeded","succeed","succeeded","worker-1-0sv1fty07hmikh1",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3]]','"paid"');
INSERT INTO jobs VALUES(5,'0mwjk6p4f00135d2d2yi',2,'acme',0,1794851407025,4,7,6,18,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1794851407347,NULL,NULL,NULL,NULL,NULL,1794851407380,4,NULL,'{"account":[1,3,3,0,0,0,1,2],"retryCount":0,"reason":"succeeded"}','{"failures":2}','[0,[1,1,1794851407348,2.911,0,"failed","retry","retryable_error","worker-1-0sv1fty07hmikh1",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3,1,"retryable",{"type":"Error","message":"the bank is down"},[1,0,0,0,0.24725376928714338,{"kind":"failure","errorClass":"retryable","effect":"unknown"}],3],[1,2,1794851407366,0.379,1,"failed","retry","retryable_error","worker-1-0sv1fty07hmikh1",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3,1,"retryable",{"type":"Error","message":"the bank is down"},[2,0,0,1,0.07046984588906713,{"kind":"failure","errorClass":"retryable","effect":"unknown"}],3],[1,3,1794851407374,0.41,1,"succeeded","succeed","succeeded","worker-1-0sv1fty07hmikh1",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3]]','"paid"');
INSERT INTO jobs VALUES(6,'0mwjk6p4f00235d2d2yi',2,'acme',0,1794851407025,4,5,4,15,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1794851407347,NULL,NULL,NULL,NULL,NULL,1794851407373,4,NULL,'{"account":[1,2,2,0,0,0,1,1],"retryCount":0,"reason":"succeeded"}','{"failures":1}','[0,[1,1,1794851407348,3.007,0,"failed","retry","retryable_error","worker-1-0sv1fty07hmikh1",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3,2,"retryable",{"type":"Error","message":"the bank is down"},[1,0,0,0,0.5871786423048779,{"kind":"failure","errorClass":"retryable","effect":"unknown"}],3],[1,2,1794851407366,0.462,2,"succeeded","succeed","succeeded","worker-1-0sv1fty07hmikh1",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3]]','"paid"');
INSERT INTO jobs VALUES(7,'0mwjk6p4p00035d2d2yi',2,'',0,1794851407034,5,7,6,20,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1794851407347,NULL,NULL,NULL,NULL,NULL,1794851407390,5,NULL,'{"account":[1,3,3,0,0,0,0,3],"retryCount":2,"errorClass":"retryable","reason":"max_attempts_exceeded","fingerprint":"fp1:235b4a9ff80d57f7"}','{"failures":9}','[0,[1,1,1794851407348,3.071,0,"failed","retry","retryable_error","worker-1-0sv1fty07hmikh1",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3,2,"retryable",{"type":"Error","message":"the bank is down"},[1,0,0,0,0.5459857383229196,{"kind":"failure","errorClass":"retryable","effect":"unknown"}],3],[1,2,1794851407366,0.435,2,"failed","retry","retryable_error","worker-1-0sv1fty07hmikh1",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3,6,"retryable",{"type":"Error","message":"the bank is down"},[2,0,0,2,0.7943106673423765,{"kind":"failure","errorClass":"retryable","effect":"unknown"}],3],[1,3,1794851407380,0.751,6,"failed","give-up","max_attempts_exceeded","worker-1-0sv1fty07hmikh1",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3,null,"retryable",{"type":"Error","message":"the bank is down"},[3,0,0,6,0.390266913980851,{"kind":"failure","errorClass":"retryable","effect":"unknown"}],3]]',NULL);
INSERT INTO jobs VALUES(8,'0mwjk6p4p00135d2d2yi',2,'',0,1794851407034,5,7,6,19,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1794851407347,NULL,NULL,NULL,NULL,NULL,1794851407383,5,NULL,'{"account":[1,3,3,0,0,0,0,3],"retryCount":2,"errorClass":"retryable","reason":"max_attempts_exceeded","fingerprint":"fp1:235b4a9ff80d57f7"}','{"failures":9}','[0,[1,1,1794851407348,3.122,0,"failed","retry","retryable_error","worker-1-0sv1fty07hmikh1",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3,4,"retryable",{"type":"Error","message":"the bank is down"},[1,0,0,0,0.9247164586623707,{"kind":"failure","errorClass":"retryable","effect":"unknown"}],3],[1,2,1794851407366,0.5,4,"failed","retry","retryable_error","worker-1-0sv1fty07hmikh1",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3,2,"retryable",{"type":"Error","message":"the bank is down"},[2,0,0,4,0.2717139278356089,{"kind":"failure","errorClass":"retryable","effect":"unknown"}],3],[1,3,1794851407377,0.586,2,"failed","give-up","max_attempts_exceeded","worker-1-0sv1fty07hmikh1",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3,null,"retryable",{"type":"Error","message":"the bank is down"},[3,0,0,2,0.22821483031554246,{"kind":"failure","errorClass":"retryable","effect":"unknown"}],3]]',NULL);
INSERT INTO jobs VALUES(9,'0mwjk6p4v00035d2d2yi',2,'',0,1794851407040,4,10,9,23,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1794851407430,NULL,NULL,NULL,NULL,NULL,1794851407433,4,'{"correlationId":"order-7"}','{"account":[2,1,4,0,0,0,1],"retryCount":0,"reason":"succeeded"}','{"failures":9}','[0,[1,1,1794851407348,3.16,0,"failed","retry","retryable_error","worker-1-0sv1fty07hmikh1",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3,2,"retryable",{"type":"Error","message":"the bank is down"},[1,0,0,0,0.46385956177772036,{"kind":"failure","errorClass":"retryable","effect":"unknown"}],3],[1,2,1794851407366,0.714,2,"failed","retry","retryable_error","worker-1-0sv1fty07hmikh1",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3,1,"retryable",{"type":"Error","message":"the bank is down"},[2,0,0,2,0.1353439721162334,{"kind":"failure","errorClass":"retryable","effect":"unknown"}],3],[1,3,1794851407374,0.191,1,"failed","give-up","max_attempts_exceeded","worker-1-0sv1fty07hmikh1",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3,null,"retryable",{"type":"Error","message":"the bank is down"},[3,0,0,1,0.5500740467049832,{"kind":"failure","errorClass":"retryable","effect":"unknown"}],3],[2,1,1794851407430,0.128,0,"succeeded","succeed","succeeded","worker-1-0sv1fty07hmikh2",["18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","default"],3]]','"paid"');
INSERT INTO jobs VALUES(10,'0mwjk6p4x00035d2d2yi',3,'',0,1794851407041,5,3,2,12,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1794851407347,NULL,NULL,NULL,NULL,NULL,1794851407357,5,NULL,'{"account":[1,1,1,0,0,0,0,1],"retryCount":0,"errorClass":"final","reason":"final_error","fingerprint":"fp1:ecd16adb3b345527"}','{"file":"a.csv"}','[0,[1,1,1794851407348,3.274,0,"failed","give-up","final_error","worker-1-0sv1fty07hmikh1",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,null,"final",{"type":"verdict:final","message":"the file is missing"},[1,0,0,0,0.06467640014035247,{"kind":"failure","errorClass":"final","effect":"none"}],3]]',NULL);
INSERT INTO jobs VALUES(11,'0mwjk6p4z00035d2d2yi',4,'',0,1794851407043,4,5,4,19,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1794851407357,NULL,NULL,NULL,NULL,NULL,1794851407383,4,NULL,'{"account":[1,2,2,1,6,0,1,0,1],"retryCount":0,"reason":"succeeded"}','{"q":"x"}','[0,[1,1,1794851407357,2.31,0,"rate_limited","retry","rate_limited","worker-1-0sv1fty07hmikh1",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8,6,"rate_limited",{"type":"verdict:retry_after","message":"429 Too Many Requests"},[1,0,0,0,0.8522601112399943,{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":5}],3],[1,2,1794851407377,0.751,6,"succeeded","succeed","succeeded","worker-1-0sv1fty07hmikh1",["3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","runs.default"],8]]','"found"');
INSERT INTO jobs VALUES(12,'0mwjk6p5000035d2d2yi',1,'',0,1794851407044,6,2,0,9,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,1794851407044,NULL,NULL,NULL,NULL,NULL,1794851407047,6,NULL,'{"account":[1],"retryCount":0,"reason":"cancelled"}','{"to":"dan@example.org"}',NULL,NULL);
INSERT INTO jobs VALUES(13,'0mwjk6p5100035d2d2yi',1,'',0,1794851407045,0,1,0,8,NULL,1794937807045,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{"to":"eve@example.org"}',NULL,NULL);
CREATE TABLE held_keys (
    held_key TEXT PRIMARY KEY,
    handler TEXT NOT NULL,
    held_under INTEGER NOT NULL,
    -- The tenant whose turn was last.
    turn TEXT NOT NULL DEFAULT ''
  ) STRICT, WITHOUT ROWID;
CREATE TABLE pauses (
    scope TEXT NOT NULL,
    name TEXT NOT NULL,
    since INTEGER NOT NULL,
    paused_by TEXT NOT NULL,
    why TEXT,
    PRIMARY KEY (scope, name)
  ) STRICT;
CREATE TABLE audit_blocks (
    seq INTEGER PRIMARY KEY,
    writer TEXT NOT NULL,
    at INTEGER NOT NULL,
    prev_hash TEXT NOT NULL,
    hash TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
INSERT INTO audit_blocks VALUES(1,'sqlite',1794851407014,'','9ea1193f606c858f1fb74f70ac216a60f9c9a533bf23b293c2f471df05dce67f',replace('[["0mwjk6p3y00035d2d2yi",1,"enqueue",null,"ready",1794851407014,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}],\n["0mwjk6p3y00135d2d2yi",1,"enqueue",null,"ready",1794851407014,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}],\n["0mwjk6p3y00235d2d2yi",1,"enqueue",null,"ready",1794851407014,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default"}]]','\n',char(10)));
INSERT INTO audit_blocks VALUES(2,'sqlite',1794851407025,'9ea1193f606c858f1fb74f70ac216a60f9c9a533bf23b293c2f471df05dce67f','2f6b3ca0d584cd4b0d51ed16ac4c261c3a7084d74e9865645103383e2f8a2b4b',replace('[["0mwjk6p4f00035d2d2yi",1,"enqueue",null,"ready",1794851407025,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}],\n["0mwjk6p4f00135d2d2yi",1,"enqueue",null,"ready",1794851407025,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}],\n["0mwjk6p4f00235d2d2yi",1,"enqueue",null,"ready",1794851407025,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","tenant":"acme"}]]','\n',char(10)));
INSERT INTO audit_blocks VALUES(3,'sqlite',1794851407034,'2f6b3ca0d584cd4b0d51ed16ac4c261c3a7084d74e9865645103383e2f8a2b4b','95e3abf6f95bddbddc8c6a48fd3180feb2299bfeb06dc1c6904150c6aeac8aef',replace('[["0mwjk6p4p00035d2d2yi",1,"enqueue",null,"ready",1794851407034,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default"}],\n["0mwjk6p4p00135d2d2yi",1,"enqueue",null,"ready",1794851407034,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default"}]]','\n',char(10)));
INSERT INTO audit_blocks VALUES(4,'sqlite',1794851407040,'95e3abf6f95bddbddc8c6a48fd3180feb2299bfeb06dc1c6904150c6aeac8aef','b0d85ee16e804274dc5109a957cb7ef32f455a0a60aee1db0c067e0285e87034','[["0mwjk6p4v00035d2d2yi",1,"enqueue",null,"ready",1794851407040,0,1,0,0,{"by":"app:worker-1","handler":"charge","queue":"default","correlation":"order-7"}]]');
INSERT INTO audit_blocks VALUES(5,'sqlite',1794851407041,'b0d85ee16e804274dc5109a957cb7ef32f455a0a60aee1db0c067e0285e87034','ac3a4ad650b20fb0dd9d8cc57772421ea70f3eb2a9e38d052653a69b07b003fd','[["0mwjk6p4x00035d2d2yi",1,"enqueue",null,"ready",1794851407041,0,1,0,0,{"by":"app:worker-1","handler":"import","queue":"default"}]]');
INSERT INTO audit_blocks VALUES(6,'sqlite',1794851407043,'ac3a4ad650b20fb0dd9d8cc57772421ea70f3eb2a9e38d052653a69b07b003fd','99272cfef4dbd3457158a52bbcbbab437dfb06669e923b5a8994a318f440e7ea','[["0mwjk6p4z00035d2d2yi",1,"enqueue",null,"ready",1794851407043,0,1,0,0,{"by":"app:worker-1","handler":"search","queue":"default"}]]');
INSERT INTO audit_blocks VALUES(7,'sqlite',1794851407044,'99272cfef4dbd3457158a52bbcbbab437dfb06669e923b5a8994a318f440e7ea','d539805385b4ebefeb3dc2736dc00369b9e82477fd084df0d0584d07742d126c','[["0mwjk6p5000035d2d2yi",1,"enqueue",null,"scheduled",1794851407044,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default","due":{"inMs":86400000}}]]');
INSERT INTO audit_blocks VALUES(8,'sqlite',1794851407045,'d539805385b4ebefeb3dc2736dc00369b9e82477fd084df0d0584d07742d126c','ecdfedcf444af9f8cecf4a13752106c2879fbbd73289e229de4bdcf15bf60ab2','[["0mwjk6p5100035d2d2yi",1,"enqueue",null,"scheduled",1794851407045,0,1,0,0,{"by":"app:worker-1","handler":"mail","queue":"default","due":{"inMs":86400000}}]]');
INSERT INTO audit_blocks VALUES(9,'sqlite',1794851407047,'ecdfedcf444af9f8cecf4a13752106c2879fbbd73289e229de4bdcf15bf60ab2','fc21f0a1ed60f69f2c055ca244252aa982cf121619b440766ac1d5dd07f269a4','[["0mwjk6p5000035d2d2yi",2,"cancel","scheduled","cancelled",1794851407047,0,1,0,7,{"by":"app:worker-1","why":"not needed"}]]');
INSERT INTO audit_blocks VALUES(10,'sqlite',1794851407051,'fc21f0a1ed60f69f2c055ca244252aa982cf121619b440766ac1d5dd07f269a4','1bab75df5d89d85923fe2bc7457da2fd7f2e03c89c94020ef49b43d08e71b92d','[["queue:reports",0,"pause",null,null,1794851407051,0,0,0,0,{"by":"ada","why":"a rehearsal"}]]');
INSERT INTO audit_blocks VALUES(11,'sqlite',1794851407347,'1bab75df5d89d85923fe2bc7457da2fd7f2e03c89c94020ef49b43d08e71b92d','7f10781934d4131b2cda7c8694583e6c881e43d4fec1b0676195dffd2fcb3adc',replace('[["0mwjk6p3y00035d2d2yi",2,"claim","ready","leased",1794851407347,1,1,1,1,{"by":"worker-1-0sv1fty07hmikh1","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}],\n["0mwjk6p4f00035d2d2yi",2,"claim","ready","leased",1794851407347,1,1,1,2,{"by":"worker-1-0sv1fty07hmikh1","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}],\n["0mwjk6p3y00135d2d2yi",2,"claim","ready","leased",1794851407347,1,1,1,1,{"by":"worker-1-0sv1fty07hmikh1","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}],\n["0mwjk6p4f00135d2d2yi",2,"claim","ready","leased",1794851407347,1,1,1,2,{"by":"worker-1-0sv1fty07hmikh1","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}],\n["0mwjk6p3y00235d2d2yi",2,"claim","ready","leased",1794851407347,1,1,1,1,{"by":"worker-1-0sv1fty07hmikh1","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}],\n["0mwjk6p4f00235d2d2yi",2,"claim","ready","leased",1794851407347,1,1,1,2,{"by":"worker-1-0sv1fty07hmikh1","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}],\n["0mwjk6p4p00035d2d2yi",2,"claim","ready","leased",1794851407347,1,1,1,3,{"by":"worker-1-0sv1fty07hmikh1","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}],\n["0mwjk6p4p00135d2d2yi",2,"claim","ready","leased",1794851407347,1,1,1,3,{"by":"worker-1-0sv1fty07hmikh1","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}],\n["0mwjk6p4v00035d2d2yi",2,"claim","ready","leased",1794851407347,1,1,1,4,{"by":"worker-1-0sv1fty07hmikh1","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}],\n["0mwjk6p4x00035d2d2yi",2,"claim","ready","leased",1794851407347,1,1,1,5,{"by":"worker-1-0sv1fty07hmikh1","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}]]','\n',char(10)));
INSERT INTO audit_blocks VALUES(12,'sqlite',1794851407357,'7f10781934d4131b2cda7c8694583e6c881e43d4fec1b0676195dffd2fcb3adc','02ecc78db331a6419879269b4176440fee5f6e820b3a5132d4bcb6732cf8b913',replace('[["0mwjk6p3y00035d2d2yi",3,"settle","leased","succeeded",1794851407357,2,1,1,11,{"by":"worker-1-0sv1fty07hmikh1","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":3}],\n["0mwjk6p4f00035d2d2yi",3,"settle","leased","ready",1794851407357,2,1,1,11,{"by":"worker-1-0sv1fty07hmikh1","attempt":1,"startedAtMs":1794851407347,"durationMs":2.373,"delayBeforeMs":0,"error":{"type":"Error","message":"the bank is down"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":0,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3,"input":{"account":{"charged":1,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.09626505519136397}}],\n["0mwjk6p3y00135d2d2yi",3,"settle","leased","succeeded",1794851407357,2,1,1,11,{"by":"worker-1-0sv1fty07hmikh1","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":3}],\n["0mwjk6p4f00135d2d2yi",3,"settle","leased","scheduled",1794851407357,2,1,1,11,{"by":"worker-1-0sv1fty07hmikh1","attempt":1,"startedAtMs":1794851407348,"durationMs":2.911,"delayBeforeMs":0,"error":{"type":"Error","message":"the bank is down"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":1,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3,"input":{"account":{"charged":1,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.24725376928714338}}],\n["0mwjk6p3y00235d2d2yi",3,"settle","leased","succeeded",1794851407357,2,1,1,11,{"by":"worker-1-0sv1fty07hmikh1","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":3}],\n["0mwjk6p4f00235d2d2yi",3,"settle","leased","scheduled",1794851407357,2,1,1,11,{"by":"worker-1-0sv1fty07hmikh1","attempt":1,"startedAtMs":1794851407348,"durationMs":3.007,"delayBeforeMs":0,"error":{"type":"Error","message":"the bank is down"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":2,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3,"input":{"account":{"charged":1,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.5871786423048779}}],\n["0mwjk6p4p00035d2d2yi",3,"settle","leased","scheduled",1794851407357,2,1,1,11,{"by":"worker-1-0sv1fty07hmikh1","attempt":1,"startedAtMs":1794851407348,"durationMs":3.071,"delayBeforeMs":0,"error":{"type":"Error","message":"the bank is down"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":2,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3,"input":{"account":{"charged":1,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.5459857383229196}}],\n["0mwjk6p4p00135d2d2yi",3,"settle","leased","scheduled",1794851407357,2,1,1,11,{"by":"worker-1-0sv1fty07hmikh1","attempt":1,"startedAtMs":1794851407348,"durationMs":3.122,"delayBeforeMs":0,"error":{"type":"Error","message":"the bank is down"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":4,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3,"input":{"account":{"charged":1,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.9247164586623707}}],\n["0mwjk6p4v00035d2d2yi",3,"settle","leased","scheduled",1794851407357,2,1,1,11,{"by":"worker-1-0sv1fty07hmikh1","attempt":1,"startedAtMs":1794851407348,"durationMs":3.16,"delayBeforeMs":0,"error":{"type":"Error","message":"the bank is down"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":2,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3,"input":{"account":{"charged":1,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.46385956177772036}}],\n["0mwjk6p4x00035d2d2yi",3,"settle","leased","dead",1794851407357,2,1,1,11,{"by":"worker-1-0sv1fty07hmikh1","attempt":1,"startedAtMs":1794851407348,"durationMs":3.274,"delayBeforeMs":0,"error":{"type":"verdict:final","message":"the file is missing"},"action":"give-up","reason":"final_error","entry":"failed","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":3,"input":{"account":{"charged":1,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"final","effect":"none"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.06467640014035247}}],\n["0mwjk6p4f00035d2d2yi",4,"claim","ready","leased",1794851407357,3,1,2,12,{"by":"worker-1-0sv1fty07hmikh1","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}],\n["0mwjk6p4z00035d2d2yi",2,"claim","ready","leased",1794851407357,1,1,1,6,{"by":"worker-1-0sv1fty07hmikh1","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}]]','\n',char(10)));
INSERT INTO audit_blocks VALUES(13,'sqlite',1794851407366,'02ecc78db331a6419879269b4176440fee5f6e820b3a5132d4bcb6732cf8b913','0c788527b7eecad0797f5117060d25c2fa3137af7231526b9cd9e7aa38bace91',replace('[["0mwjk6p4f00135d2d2yi",4,"claim","ready","leased",1794851407366,3,1,2,12,{"by":"worker-1-0sv1fty07hmikh1","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}],\n["0mwjk6p4p00035d2d2yi",4,"claim","ready","leased",1794851407366,3,1,2,12,{"by":"worker-1-0sv1fty07hmikh1","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}],\n["0mwjk6p4f00235d2d2yi",4,"claim","ready","leased",1794851407366,3,1,2,12,{"by":"worker-1-0sv1fty07hmikh1","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}],\n["0mwjk6p4p00135d2d2yi",4,"claim","ready","leased",1794851407366,3,1,2,12,{"by":"worker-1-0sv1fty07hmikh1","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}],\n["0mwjk6p4v00035d2d2yi",4,"claim","ready","leased",1794851407366,3,1,2,12,{"by":"worker-1-0sv1fty07hmikh1","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}]]','\n',char(10)));
INSERT INTO audit_blocks VALUES(14,'sqlite',1794851407371,'0c788527b7eecad0797f5117060d25c2fa3137af7231526b9cd9e7aa38bace91','7ef4fe4836fab27d642933da3384b686e33aa3f371431a09b969536e2b7acb13',replace('[["0mwjk6p4f00035d2d2yi",5,"settle","leased","scheduled",1794851407371,4,1,2,12,{"by":"worker-1-0sv1fty07hmikh1","attempt":2,"startedAtMs":1794851407357,"durationMs":2.253,"delayBeforeMs":0,"error":{"type":"Error","message":"the bank is down"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":7,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3,"input":{"account":{"charged":2,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.8670774084682639}}],\n["0mwjk6p4z00035d2d2yi",3,"settle","leased","scheduled",1794851407371,2,1,1,12,{"by":"worker-1-0sv1fty07hmikh1","attempt":1,"startedAtMs":1794851407357,"durationMs":2.31,"delayBeforeMs":0,"error":{"type":"verdict:retry_after","message":"429 Too Many Requests"},"action":"retry","reason":"rate_limited","entry":"rate_limited","delayMs":6,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":3,"input":{"account":{"charged":1,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":0},"outcome":{"kind":"failure","errorClass":"rate_limited","effect":"none","retryAfterMs":5},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.8522601112399943}}]]','\n',char(10)));
INSERT INTO audit_blocks VALUES(15,'sqlite',1794851407373,'7ef4fe4836fab27d642933da3384b686e33aa3f371431a09b969536e2b7acb13','cc6cbae99dbc2dc1e5db709826644c2db34e56fb7aaad771e522dcfec1189581',replace('[["0mwjk6p4f00135d2d2yi",5,"settle","leased","scheduled",1794851407373,4,1,2,13,{"by":"worker-1-0sv1fty07hmikh1","attempt":2,"startedAtMs":1794851407366,"durationMs":0.379,"delayBeforeMs":1,"error":{"type":"Error","message":"the bank is down"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":1,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3,"input":{"account":{"charged":2,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":1},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.07046984588906713}}],\n["0mwjk6p4p00035d2d2yi",5,"settle","leased","scheduled",1794851407373,4,1,2,13,{"by":"worker-1-0sv1fty07hmikh1","attempt":2,"startedAtMs":1794851407366,"durationMs":0.435,"delayBeforeMs":2,"error":{"type":"Error","message":"the bank is down"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":6,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3,"input":{"account":{"charged":2,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":2},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.7943106673423765}}],\n["0mwjk6p4f00235d2d2yi",5,"settle","leased","succeeded",1794851407373,4,1,2,13,{"by":"worker-1-0sv1fty07hmikh1","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3}],\n["0mwjk6p4p00135d2d2yi",5,"settle","leased","scheduled",1794851407373,4,1,2,13,{"by":"worker-1-0sv1fty07hmikh1","attempt":2,"startedAtMs":1794851407366,"durationMs":0.5,"delayBeforeMs":4,"error":{"type":"Error","message":"the bank is down"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":2,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3,"input":{"account":{"charged":2,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":4},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.2717139278356089}}],\n["0mwjk6p4v00035d2d2yi",5,"settle","leased","scheduled",1794851407373,4,1,2,13,{"by":"worker-1-0sv1fty07hmikh1","attempt":2,"startedAtMs":1794851407366,"durationMs":0.714,"delayBeforeMs":2,"error":{"type":"Error","message":"the bank is down"},"action":"retry","reason":"retryable_error","entry":"failed","delayMs":1,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3,"input":{"account":{"charged":2,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":2},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.1353439721162334}}]]','\n',char(10)));
INSERT INTO audit_blocks VALUES(16,'sqlite',1794851407374,'cc6cbae99dbc2dc1e5db709826644c2db34e56fb7aaad771e522dcfec1189581','35ff8f1bc0401b7d5f0047fe799a225fc27e79dcd83d6646be3818b5c621c7b3',replace('[["0mwjk6p4f00135d2d2yi",6,"claim","ready","leased",1794851407374,5,1,3,15,{"by":"worker-1-0sv1fty07hmikh1","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}],\n["0mwjk6p4v00035d2d2yi",6,"claim","ready","leased",1794851407374,5,1,3,15,{"by":"worker-1-0sv1fty07hmikh1","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}]]','\n',char(10)));
INSERT INTO audit_blocks VALUES(17,'sqlite',1794851407377,'35ff8f1bc0401b7d5f0047fe799a225fc27e79dcd83d6646be3818b5c621c7b3','fde3dc7e0b1319f6bfb719f93180535732075e686c5dde1348b902982d8a4a48',replace('[["0mwjk6p4p00135d2d2yi",6,"claim","ready","leased",1794851407377,5,1,3,15,{"by":"worker-1-0sv1fty07hmikh1","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}],\n["0mwjk6p4z00035d2d2yi",4,"claim","ready","leased",1794851407377,3,1,2,14,{"by":"worker-1-0sv1fty07hmikh1","leaseMs":30000,"policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506"}]]','\n',char(10)));
INSERT INTO audit_blocks VALUES(18,'sqlite',1794851407380,'fde3dc7e0b1319f6bfb719f93180535732075e686c5dde1348b902982d8a4a48','4bb5dc903c704bd5604a441173d576c9a0bd8deec9478b4bc0afed33eab2e314',replace('[["0mwjk6p4v00035d2d2yi",7,"settle","leased","dead",1794851407380,6,1,3,16,{"by":"worker-1-0sv1fty07hmikh1","attempt":3,"startedAtMs":1794851407374,"durationMs":0.191,"delayBeforeMs":1,"error":{"type":"Error","message":"the bank is down"},"action":"give-up","reason":"max_attempts_exceeded","entry":"failed","delayMs":9,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3,"input":{"account":{"charged":3,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":1},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.5500740467049832}}],\n["0mwjk6p4f00135d2d2yi",7,"settle","leased","succeeded",1794851407380,6,1,3,16,{"by":"worker-1-0sv1fty07hmikh1","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3}],\n["0mwjk6p4f00035d2d2yi",6,"claim","ready","leased",1794851407380,5,1,3,14,{"by":"worker-1-0sv1fty07hmikh1","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}],\n["0mwjk6p4p00035d2d2yi",6,"claim","ready","leased",1794851407380,5,1,3,15,{"by":"worker-1-0sv1fty07hmikh1","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}]]','\n',char(10)));
INSERT INTO audit_blocks VALUES(19,'sqlite',1794851407383,'4bb5dc903c704bd5604a441173d576c9a0bd8deec9478b4bc0afed33eab2e314','430feb9077908a506c8251f039a567c2b1060598a49bddaabedcccb7d1cfc3ad',replace('[["0mwjk6p4p00135d2d2yi",7,"settle","leased","dead",1794851407383,6,1,3,17,{"by":"worker-1-0sv1fty07hmikh1","attempt":3,"startedAtMs":1794851407377,"durationMs":0.586,"delayBeforeMs":2,"error":{"type":"Error","message":"the bank is down"},"action":"give-up","reason":"max_attempts_exceeded","entry":"failed","delayMs":4,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3,"input":{"account":{"charged":3,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":2},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.22821483031554246}}],\n["0mwjk6p4z00035d2d2yi",5,"settle","leased","succeeded",1794851407383,4,1,2,17,{"by":"worker-1-0sv1fty07hmikh1","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506","decide":3}]]','\n',char(10)));
INSERT INTO audit_blocks VALUES(20,'sqlite',1794851407390,'430feb9077908a506c8251f039a567c2b1060598a49bddaabedcccb7d1cfc3ad','db7fa506810e84ea41eb42557dbf357aa95786e34e4b982b0819ed03568629a9',replace('[["0mwjk6p4p00035d2d2yi",7,"settle","leased","dead",1794851407390,6,1,3,18,{"by":"worker-1-0sv1fty07hmikh1","attempt":3,"startedAtMs":1794851407380,"durationMs":0.751,"delayBeforeMs":6,"error":{"type":"Error","message":"the bank is down"},"action":"give-up","reason":"max_attempts_exceeded","entry":"failed","delayMs":6,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3,"input":{"account":{"charged":3,"freeWaits":0,"freeWaitMs":0,"lastDelayMs":6},"outcome":{"kind":"failure","errorClass":"retryable","effect":"unknown"},"rung":"job","horizonMs":null,"canHandOver":false,"timeLeftMs":null,"allowance":null,"budgetAllows":true,"breakerOpenMs":0,"onUnknown":"retry","random":0.390266913980851}}],\n["0mwjk6p4f00035d2d2yi",7,"settle","leased","succeeded",1794851407390,6,1,3,18,{"by":"worker-1-0sv1fty07hmikh1","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3}]]','\n',char(10)));
INSERT INTO audit_blocks VALUES(21,'sqlite',1794851407410,'db7fa506810e84ea41eb42557dbf357aa95786e34e4b982b0819ed03568629a9','3ce8762c4e049056a39c298805926315f590a72e704ef2bcf019c1663c4afe5a','[["0mwjk6p4v00035d2d2yi",8,"requeue","dead","ready",1794851407410,7,2,3,18,{"by":"app:worker-1","why":"the bank is back"}]]');
INSERT INTO audit_blocks VALUES(22,'sqlite',1794851407430,'3ce8762c4e049056a39c298805926315f590a72e704ef2bcf019c1663c4afe5a','36653668d6a80389e405e9fb6c37afb6249cb17e394bdea2299bdae9d16a4f27','[["0mwjk6p4v00035d2d2yi",9,"claim","ready","leased",1794851407430,8,2,4,21,{"by":"worker-1-0sv1fty07hmikh2","leaseMs":30000,"policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3"}]]');
INSERT INTO audit_blocks VALUES(23,'sqlite',1794851407433,'36653668d6a80389e405e9fb6c37afb6249cb17e394bdea2299bdae9d16a4f27','71f819432a903b5cb000b49b421d09b203bcac23ed0583d79a5c9ce9e233dca1','[["0mwjk6p4v00035d2d2yi",10,"settle","leased","succeeded",1794851407433,9,2,4,22,{"by":"worker-1-0sv1fty07hmikh2","action":"succeed","reason":"succeeded","entry":"succeeded","policy":"18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3","decide":3}]]');
INSERT INTO audit_blocks VALUES(24,'sqlite',1794851407436,'71f819432a903b5cb000b49b421d09b203bcac23ed0583d79a5c9ce9e233dca1','4bf9b658231672c95642637884351adcbb222d9335c4e914296d3420ae8b3b07','[["queue:reports",0,"resume",null,null,1794851407436,0,0,0,0,{"by":"ada","why":"a rehearsal"}]]');
CREATE TABLE policies (
    hash TEXT PRIMARY KEY,
    id TEXT NOT NULL,
    -- JSON.
    policy TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
INSERT INTO policies VALUES('18631a05425dfaa5f71156ca3fb296a79b648d4fb0d520fe510523f556dd82a3','default','{"enabled":true,"maxAttempts":3,"backoff":"exponential","baseDelayMs":4,"maxDelayMs":20,"multiplier":2,"immediateFirstRetry":false,"jitter":"full","jitterAmount":1,"maxFreeWaits":100,"maxFreeWaitMs":86400000}');
INSERT INTO policies VALUES('3e7cc0f32bd0dc02f9a22154ea46ff83e51218e785974caa98cf50c35c08a506','runs.default','{"enabled":true,"maxAttempts":8,"backoff":"exponential","baseDelayMs":60000,"maxDelayMs":3600000,"multiplier":2,"immediateFirstRetry":false,"jitter":"none","jitterAmount":1,"maxFreeWaits":100,"maxFreeWaitMs":86400000}');
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
INSERT INTO audit_anchors VALUES(1,'0000000000000001','0000000000000010',10,'43d7f27cae9f7ce485bb835f50b468fbaa27c6ec3c0f3b7e5e54ce815e77d57a','','58458aac9f0ffaf1c7d7b5f47827799480fbbcccb4a6f8c015ca291bdb809a9f',1794851407343);
INSERT INTO audit_anchors VALUES(2,'0000000000000011','0000000000000020',10,'040f9e8de1eea83fd7141d6d7fd2d5366ea2c8b98983ddf9bf053a2021c212d3','58458aac9f0ffaf1c7d7b5f47827799480fbbcccb4a6f8c015ca291bdb809a9f','3fd0b259bf39d5fe1836915bf61799eca8e9745d4927a41161b6d3531c112077',1794851407402);
INSERT INTO audit_anchors VALUES(3,'0000000000000021','0000000000000022',2,'76aaac0cc8ee541859776964e09ddf875fa567599f018e99bad78e9abc85ff70','3fd0b259bf39d5fe1836915bf61799eca8e9745d4927a41161b6d3531c112077','81f489f39424676adc571013eb1592f282313fe81904e494e707ccfe57511818',1794851407432);
INSERT INTO audit_anchors VALUES(4,'0000000000000023','0000000000000024',2,'3efdaf0e627e2cc1ac6d8b1c9d09a7887f35591d63c49b0860fba35cb5094688','81f489f39424676adc571013eb1592f282313fe81904e494e707ccfe57511818','5eb26765a4e9873ed2e9060c8819c1c445f1186f6623fafa4174a415e1e3e24a',1794851407437);
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
INSERT INTO dead_letters VALUES(1794851407357,'0mwjk6p4x00035d2d2yi',10,3,'','fp1:ecd16adb3b345527','final_error','final',NULL,NULL);
INSERT INTO dead_letters VALUES(1794851407383,'0mwjk6p4p00135d2d2yi',8,2,'','fp1:235b4a9ff80d57f7','max_attempts_exceeded','retryable',NULL,NULL);
INSERT INTO dead_letters VALUES(1794851407390,'0mwjk6p4p00035d2d2yi',7,2,'','fp1:235b4a9ff80d57f7','max_attempts_exceeded','retryable',NULL,NULL);
CREATE TABLE dead_groups (
    g INTEGER PRIMARY KEY,
    fingerprint TEXT NOT NULL UNIQUE,
    pattern TEXT NOT NULL
  ) STRICT;
INSERT INTO dead_groups VALUES(1,'fp1:ecd16adb3b345527','verdict:final: the file is missing');
INSERT INTO dead_groups VALUES(2,'fp1:235b4a9ff80d57f7','Error: the bank is down');
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
    value TEXT
  , metadata TEXT) STRICT;
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
INSERT INTO control_revision VALUES(1,2);
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
    PRIMARY KEY (lane, priority, tenant)
  ) STRICT, WITHOUT ROWID;
DELETE FROM sqlite_sequence;
CREATE INDEX jobs_submitted ON jobs (submitted_at);
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
CREATE INDEX dead_letters_group ON dead_letters (fingerprint, died_at, id)
    WHERE fingerprint IS NOT NULL;
CREATE INDEX dead_letters_lane ON dead_letters (lane, died_at, id);
CREATE INDEX dead_letters_tenant ON dead_letters (tenant, died_at, id);
CREATE INDEX purged_jobs_group ON purged_jobs (fingerprint) WHERE fingerprint IS NOT NULL;
CREATE INDEX ledger_gone ON ledger (gone_at) WHERE gone_at IS NOT NULL;
CREATE INDEX jobs_parked ON jobs (cause, priority DESC, release_at, id)
    WHERE cause IS NOT NULL;
CREATE INDEX audit_packs_to ON audit_packs (to_position);
CREATE INDEX audit_anchors_at ON audit_anchors (at);
CREATE INDEX flows_line ON flows (priority DESC, tenant, first_at, first_id);
CREATE TRIGGER jobs_flow AFTER UPDATE OF ready_lane ON jobs WHEN NEW.ready_lane IS NOT NULL BEGIN
    INSERT INTO flows (lane, priority, tenant, first_at, first_id)
      VALUES (NEW.ready_lane, NEW.priority, NEW.tenant, NEW.submitted_at, NEW.id)
      ON CONFLICT DO UPDATE SET first_at = excluded.first_at, first_id = excluded.first_id
        WHERE (excluded.first_at, excluded.first_id) < (first_at, first_id);
  END;
CREATE INDEX jobs_ready ON jobs (priority DESC, tenant, ready_lane, submitted_at, id)
    WHERE ready_lane IS NOT NULL;
COMMIT;
