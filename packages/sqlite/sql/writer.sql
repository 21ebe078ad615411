-- audit/compressor.ts

SELECT seq, to_position FROM audit_packs ORDER BY seq DESC LIMIT 1;

INSERT INTO audit_packs (seq, from_position, to_position, min_seq, max_seq, blocks, data, hash)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?);

DELETE FROM audit_blocks WHERE seq BETWEEN ? AND ?;

-- audit/sealer.ts

SELECT coalesce((SELECT max(seq) FROM audit_blocks), 0) > coalesce(
  (SELECT CAST(to_position AS INTEGER) FROM audit_anchors ORDER BY seq DESC LIMIT 1), 0);

SELECT CASE WHEN seq BETWEEN -9007199254740991 AND 9007199254740991 THEN seq ELSE CAST(seq AS REAL) END, from_position, to_position, CASE WHEN blocks BETWEEN -9007199254740991 AND 9007199254740991 THEN blocks ELSE CAST(blocks AS REAL) END, root, prev_hash,
  hash, CASE WHEN at BETWEEN -9007199254740991 AND 9007199254740991 THEN at ELSE CAST(at AS REAL) END FROM audit_anchors ORDER BY seq DESC LIMIT 1;

SELECT CASE WHEN seq BETWEEN -9007199254740991 AND 9007199254740991 THEN seq ELSE CAST(seq AS REAL) END, writer, CASE WHEN at BETWEEN -9007199254740991 AND 9007199254740991 THEN at ELSE CAST(at AS REAL) END, prev_hash, hash, printf('%016d', seq), CASE WHEN instr(body, '"dead","') > 0 THEN body ELSE '' END
  FROM audit_blocks WHERE seq > ? ORDER BY seq LIMIT ?;

INSERT INTO audit_anchors (seq, from_position, to_position, blocks, root, prev_hash, hash, at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?);

-- batch/batches.ts

SELECT id, tenant, state, follows, opened_by, opened_at, sealed_at, ended_at FROM batches WHERE id = ?;

SELECT n FROM batches WHERE id = ? AND tenant = ? AND state = 'open';

SELECT id, tenant, state, follows, opened_by, opened_at, sealed_at, ended_at FROM batches b INDEXED BY batches_sealed WHERE b.state = 'sealed' AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.batch = b.n AND j.finished_as IS NULL) LIMIT ?;

INSERT INTO batches (id, tenant, state, follows, opened_by, opened_at, sealed_at, ended_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
  SET state = excluded.state, sealed_at = excluded.sealed_at, ended_at = excluded.ended_at;

INSERT INTO pruned_in_batches SELECT batch, state, 1 FROM jobs WHERE n = ? AND batch IS NOT NULL
  ON CONFLICT DO UPDATE SET count = count + 1;

DELETE FROM batches WHERE ended_at <= ? AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.batch = batches.n);

DELETE FROM pruned_in_batches WHERE NOT EXISTS (SELECT 1 FROM batches b WHERE b.n = batch);

-- control/controls.ts

SELECT revision FROM controls WHERE kind = ? AND key = ?;

SELECT count(*) FROM controls;

SELECT count(*) FROM controls WHERE kind = ?;

INSERT INTO controls (kind, key, revision, document) VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET revision = excluded.revision, document = excluded.document;

DELETE FROM controls WHERE kind = ? AND key = ?;

-- control/parked-jobs.ts

SELECT id FROM jobs INDEXED BY jobs_parked WHERE cause = ? AND release_at IS NOT NULL
  ORDER BY priority DESC, release_at, id LIMIT ?;

WITH RECURSIVE priorities (priority) AS (
    SELECT (SELECT priority FROM jobs INDEXED BY jobs_parked WHERE cause = ?1 ORDER BY priority DESC LIMIT 1)
    UNION ALL
    SELECT (SELECT j.priority FROM jobs j INDEXED BY jobs_parked
      WHERE j.cause = ?1 AND j.priority < priorities.priority ORDER BY j.priority DESC LIMIT 1)
    FROM priorities WHERE priority IS NOT NULL
  )
  SELECT j.id FROM priorities CROSS JOIN jobs j
  WHERE j.id IN (
    SELECT f.id FROM jobs f INDEXED BY jobs_parked WHERE f.cause = ?1 AND f.priority = priorities.priority
    ORDER BY f.release_at, f.id LIMIT ?2)
  ORDER BY j.release_at, j.id LIMIT ?2;

-- control/stops.ts

SELECT revision FROM control_revision;

UPDATE control_revision SET revision = revision + 1 RETURNING revision;

SELECT key FROM controls WHERE kind = 'kill';

-- dead-letter/dead-letters.ts

INSERT INTO dead_letters (died_at, id, n, lane, tenant, fingerprint, reason, error_class, session_id, tags)
  SELECT finished_at, id, n, lane, tenant, life ->> '$.fingerprint', life ->> '$.reason',
    life ->> '$.errorClass', spec ->> '$.sessionId', spec -> '$.tags' FROM jobs WHERE n IN (?);

DELETE FROM dead_letters WHERE died_at = ? AND id = ?;

UPDATE dead_letters SET fingerprint = ? WHERE died_at = ? AND id = ?;

UPDATE dead_groups SET pattern = ? WHERE fingerprint = ?;

INSERT INTO purged_jobs (purged_at, n, fingerprint) VALUES (?, ?, ?);

DELETE FROM purged_jobs WHERE purged_at = ? AND n = ?;

INSERT INTO dead_groups (fingerprint, pattern) VALUES (?, ?) ON CONFLICT DO NOTHING;

SELECT g FROM dead_groups WHERE g > ? ORDER BY g LIMIT ?;

DELETE FROM dead_groups AS d WHERE g > ? AND g <= ?
  AND NOT EXISTS (SELECT 1 FROM dead_letters WHERE fingerprint = d.fingerprint)
  AND NOT EXISTS (SELECT 1 FROM purged_jobs WHERE fingerprint = d.fingerprint);

-- event/event-documents.ts

SELECT n FROM jobs WHERE id = ?;

INSERT INTO event_documents (collection, document, n, bytes) VALUES (?, ?, ?, ?)
  ON CONFLICT (collection, document) DO UPDATE SET n = excluded.n, bytes = excluded.bytes
  WHERE n < excluded.n;

DELETE FROM event_documents WHERE n = ?;

-- job/payloads.ts

INSERT INTO payloads (n, payload) SELECT n, ?2 FROM jobs WHERE id = ?1;

DELETE FROM payloads WHERE n = ?;

UPDATE jobs SET body = ? WHERE n = ?;

-- ledger/ledger-table.ts

SELECT token, state, fingerprint, lease_until, value, metadata FROM ledger
  WHERE key = ? AND (gone_at IS NULL OR gone_at > ?);

INSERT OR REPLACE INTO ledger (key, state, fingerprint, lease_until, gone_at)
  VALUES (?, 0, ?, ?, ?);

INSERT OR REPLACE INTO ledger (key, state, fingerprint, lease_until, gone_at)
  VALUES (?, 1, '', ?, ?);

INSERT OR REPLACE INTO ledger (key, state, fingerprint, lease_until, gone_at, value)
  VALUES (?, 1, '', ?, ?, ?);

UPDATE ledger SET lease_until = ?, gone_at = ? WHERE token = ? AND key = ? AND state = 0 AND (gone_at IS NULL OR gone_at > ?);

UPDATE ledger SET state = ?, value = ?, metadata = ?, gone_at = ? WHERE token = ? AND key = ? AND state = 0 AND (gone_at IS NULL OR gone_at > ?);

DELETE FROM ledger WHERE key = ?;

DELETE FROM ledger WHERE token IN (
  SELECT token FROM ledger WHERE gone_at <= ? ORDER BY gone_at LIMIT ?);

-- live-workers/worker-table.ts

UPDATE workers SET seen_at = ?, running = ?, stopping = ? WHERE name = ?;

UPDATE workers SET facts = ?1 WHERE name = ?2 AND facts <> ?1;

INSERT INTO workers (name, since, seen_at, running, stopping, facts) VALUES (?, ?, ?, ?, ?, ?);

DELETE FROM workers WHERE name = ?;

DELETE FROM workers WHERE name IN (
  SELECT name FROM workers WHERE seen_at < ? LIMIT 1000);

-- operation/operations.ts

SELECT id, revision, request, state, cursor, acted, refused, begun_by, why, started_at, updated_at FROM operations WHERE id = ?;

INSERT OR REPLACE INTO operations (id, revision, request, state, cursor, acted, refused, begun_by, why,
  started_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

DELETE FROM operations WHERE state = 'finished' AND updated_at <= ?;

-- writer/act.ts

INSERT INTO earlier_payloads (id, generation, replaced_at, replaced_by, payload)
  VALUES (?, ?, ?, ?, ?);

DELETE FROM earlier_payloads WHERE id = ?1 AND generation NOT IN (
  SELECT generation FROM earlier_payloads WHERE id = ?1 ORDER BY generation DESC LIMIT ?2);

DELETE FROM earlier_payloads WHERE id = ?;

SELECT id FROM jobs WHERE unique_key = ?;

-- writer/claim.ts

UPDATE jobs SET state = 3, revision = revision + 1, audit_block = ?1, token = token + 1, generation_at = case when ?5 then ?2 else generation_at end, lease_until = ?2 + ?3, lease = ?4, ready_lane = null WHERE n IN (?);

UPDATE jobs SET state = 3, revision = revision + 1, audit_block = ?1, token = token + 1, generation_at = case when ?5 then ?2 else generation_at end, lease_until = ?2 + ?3, lease = ?4, leased_key = limit_key, ready_lane = null, expires_at = null WHERE n IN (?);

SELECT due_at FROM jobs WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1;

-- writer/clock-steps.ts

SELECT n, submitted_at FROM jobs ORDER BY n DESC LIMIT 1;

INSERT INTO clock_steps (n) VALUES (?) ON CONFLICT DO NOTHING;

-- writer/enqueue.ts

INSERT INTO jobs (lane, tenant, priority, submitted_at, state, audit_block, ready_lane, due_at, expires_at, deadline_at,
  unique_key, limit_key, spec, life, attempts, batch, revision, token, id, body)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, 1, 0, ?, ?) ON CONFLICT (id) DO NOTHING;

SELECT id FROM jobs WHERE n > ? AND n <= ?;

SELECT iif(json_valid(spec), spec ->> '$.digest', NULL) FROM jobs WHERE id = ?;

SELECT id, handler, tenant, queue FROM jobs JOIN lanes USING (lane) WHERE unique_key = ?;

-- writer/flows.ts

INSERT INTO flows (lane, priority, tenant, first_at, first_id) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET late_from = NULL,
    first_at = iif((excluded.first_at, excluded.first_id) < (first_at, first_id), excluded.first_at, first_at),
    first_id = iif((excluded.first_at, excluded.first_id) < (first_at, first_id), excluded.first_id, first_id)
  WHERE (excluded.first_at, excluded.first_id) < (first_at, first_id) OR late_from IS NOT NULL;

UPDATE flows SET first_at = ?, first_id = ? WHERE lane = ? AND priority = ? AND tenant = ?;

DELETE FROM flows WHERE lane = ? AND priority = ? AND tenant = ?;

UPDATE flows SET late_from = ? WHERE lane = ? AND priority = ? AND tenant = ?;

SELECT submitted_at, id FROM jobs WHERE ready_lane = ? AND priority = ? AND tenant = ?
  ORDER BY submitted_at, id LIMIT 1;

SELECT priority FROM flows WHERE priority < ? ORDER BY priority DESC LIMIT 1;

SELECT lane, tenant, first_at, first_id FROM flows WHERE (late_from IS NULL OR late_from > ?) AND priority = ? AND tenant >= ? ORDER BY tenant, first_at, first_id, lane LIMIT (SELECT ?);

SELECT lane, tenant, first_at, first_id FROM flows WHERE (late_from IS NULL OR late_from > ?) AND priority = ? AND tenant = ? AND (first_at, first_id, lane) > (?, ?, ?)
  ORDER BY first_at, first_id, lane;

SELECT lane, tenant, first_at, first_id FROM flows WHERE (late_from IS NULL OR late_from > ?) AND priority = ? AND lane = ? AND tenant >= ? ORDER BY tenant LIMIT (SELECT ?);

-- writer/job-changes.ts

SELECT j.n, j.id, l.queue, l.handler, j.tenant, j.priority, j.submitted_at, j.state, j.revision,
  j.token, j.audit_block, coalesce(j.due_at, j.release_at), j.deadline_at, j.generation_at, j.cause, j.lease_until,
  j.lease, j.cancel_requested, j.finished_at, j.spec, j.life, iif(j.body = 0, (SELECT payload FROM payloads p WHERE p.n = j.n), j.body), j.attempts, j.result, j.lane, j.limit_key
       FROM jobs j JOIN lanes l USING (lane) WHERE j.id = ?;

UPDATE jobs SET finished_at = ?, finished_as = state WHERE id = ? RETURNING n;

UPDATE jobs SET priority = ?, state = ?, revision = ?, token = ?, audit_block = ?, ready_lane = ?, due_at = ?,
  release_at = ?, expires_at = ?, lease_until = ?, lease = ?, cancel_requested = ?, deadline_at = ?,
  generation_at = ?, cause = ?, unique_key = ?, leased_key = ?, held_key = NULL, finished_at = ?,
  finished_as = ?, spec = ?, life = ? WHERE n = ?;

-- writer/lanes.ts

SELECT lane FROM lanes WHERE queue = ? AND handler = ?;

INSERT INTO lanes (queue, handler) VALUES (?, ?) RETURNING lane;

SELECT lane, queue, handler FROM lanes WHERE lane > ? ORDER BY lane;

UPDATE lanes SET scheduled = scheduled + ?, ready = ready + ?, parked = parked + ?, leased = leased + ?, succeeded = succeeded + ?, dead = dead + ?, cancelled = cancelled + ?, purged = purged + ? WHERE lane = ?;

-- writer/leasing.ts

SELECT n, lease_until, cancel_requested FROM jobs WHERE id = ? AND token = ? AND state = 3;

UPDATE jobs SET lease_until = max(lease_until, ?1 + ?2) WHERE n = ?3;

UPDATE jobs SET lease = json_set(lease, '$[3]', coalesce(lease ->> '$[3]', 0), '$[4]', json(?1))
  WHERE n = ?2 AND json_valid(lease);

-- writer/limit-keys.ts

SELECT count(*) FROM jobs WHERE leased_key = ?;

UPDATE jobs SET ready_lane = NULL, held_key = limit_key WHERE n = ?;

INSERT INTO held_keys (held_key, handler, held_under) VALUES (?, ?, ?)
  ON CONFLICT DO UPDATE SET held_under = excluded.held_under;

DELETE FROM held_keys WHERE held_key = ?1
  AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.held_key = ?1);

SELECT held_key FROM held_keys WHERE handler = ? AND held_under < ?;

SELECT 1 FROM held_keys LIMIT 1;

SELECT held_key, held_under FROM held_keys;

SELECT turn FROM held_keys WHERE held_key = ?;

UPDATE held_keys SET turn = ? WHERE held_key = ?;

SELECT lane FROM jobs WHERE held_key = ? AND lane > ? ORDER BY lane LIMIT 1;

SELECT priority FROM jobs WHERE held_key = ? AND lane = ? AND priority < ?
  ORDER BY priority DESC LIMIT 1;

SELECT n, tenant FROM jobs INDEXED BY jobs_held_turn
  WHERE held_key = ? AND lane = ? AND priority = ?  ORDER BY tenant, submitted_at, id LIMIT 1;

SELECT n, tenant FROM jobs INDEXED BY jobs_held_turn
  WHERE held_key = ? AND lane = ? AND priority = ? AND tenant > ? ORDER BY tenant, submitted_at, id LIMIT 1;

SELECT n FROM jobs WHERE held_key = ? AND lane = ? AND tenant = ?
  ORDER BY priority DESC, submitted_at, id LIMIT 1;

UPDATE jobs SET ready_lane = lane, held_key = NULL WHERE n = ?;

-- writer/policy-table.ts

INSERT INTO policies (hash, id, policy) VALUES (?, ?, ?) ON CONFLICT DO NOTHING;

-- writer/prune.ts

SELECT n, id, lane, state, revision, token, audit_block, life, finished_at FROM (SELECT * FROM (SELECT n, id, lane, state, revision, token, audit_block, life, finished_at, finished_at AS over_at FROM jobs
    WHERE finished_as = 4 AND finished_at <= ? ORDER BY finished_at LIMIT ?) UNION ALL SELECT * FROM (SELECT n, id, lane, state, revision, token, audit_block, life, finished_at, finished_at AS over_at FROM jobs
    WHERE finished_as = 6 AND finished_at <= ? ORDER BY finished_at LIMIT ?) UNION ALL SELECT * FROM (SELECT n, id, lane, state, revision, token, audit_block, life, finished_at, finished_at AS over_at FROM jobs
    WHERE finished_as = 5 AND finished_at <= ? ORDER BY finished_at LIMIT ?) UNION ALL SELECT * FROM (SELECT n, id, lane, state, revision, token, audit_block, life, finished_at, purged_at AS over_at FROM purged_jobs JOIN jobs USING (n)
  WHERE purged_at <= ? AND finished_as IS NOT NULL ORDER BY purged_at LIMIT ?))
   ORDER BY over_at, n LIMIT ?;

SELECT n, id, lane, state, revision, token, audit_block, life, finished_at FROM jobs WHERE id = ? AND revision = ? AND finished_as IS NOT NULL;

DELETE FROM jobs WHERE n = ?;

DELETE FROM clock_steps WHERE n <= coalesce((SELECT min(n) FROM jobs), 9007199254740991);

-- writer/rates.ts

SELECT full_us, since, holds FROM rates WHERE key = ?;

INSERT INTO rates (key, name, handler, full_us, since, look_at, holds) VALUES (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET full_us = excluded.full_us, since = excluded.since,
    look_at = excluded.look_at, holds = excluded.holds;

INSERT INTO rates (key, name, handler, full_us, since, look_at, holds) VALUES (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET full_us = excluded.full_us, since = excluded.since,
    look_at = excluded.look_at, holds = excluded.holds;

INSERT INTO rates (key, name, handler, full_us, since, look_at, holds) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET full_us = excluded.full_us, since = excluded.since,
    look_at = excluded.look_at, holds = excluded.holds;

UPDATE jobs SET ready_lane = NULL, held_key = ? WHERE n = ?;

UPDATE rates SET look_at = ?, holds = ? WHERE key = ?;

DELETE FROM rates WHERE key = ?;

SELECT key, name, full_us, holds FROM rates WHERE holds AND name = ? AND look_at <= ? ORDER BY look_at LIMIT (SELECT ?);

SELECT key, name, full_us, holds FROM rates WHERE holds AND name = ? AND look_at > ? ORDER BY look_at LIMIT (SELECT ?);

SELECT key, name, full_us, holds FROM rates WHERE look_at < ? ORDER BY look_at LIMIT (SELECT ?);

SELECT look_at FROM rates WHERE holds AND name = ? ORDER BY look_at LIMIT (SELECT ?);

SELECT lane FROM jobs WHERE held_key = ? AND lane > ? ORDER BY lane LIMIT 1;

SELECT n FROM jobs INDEXED BY jobs_held_turn WHERE held_key = ? AND lane = ?
  ORDER BY priority DESC, tenant, submitted_at, id LIMIT (SELECT ?);

UPDATE jobs SET ready_lane = lane, held_key = NULL WHERE n = ?;

-- writer/set-aside.ts

SELECT n, spec, life, attempts, lease FROM jobs j WHERE id = ?;

SELECT n, spec, life, attempts, lease FROM jobs j WHERE id = ? AND CASE j.state
  WHEN 1 THEN j.ready_lane IS NULL AND j.held_key IS NULL
  WHEN 2 THEN j.release_at IS NULL
  WHEN 3 THEN j.lease_until IS NULL
  ELSE j.state >= 4 AND j.finished_as IS NULL END;

SELECT json_object('ready_lane', ready_lane, 'release_at', release_at, 'expires_at', expires_at, 'lease_until', lease_until, 'leased_key', leased_key, 'held_key', held_key, 'finished_as', finished_as) FROM jobs WHERE n = ?;

UPDATE jobs SET ready_lane = NULL, release_at = NULL, expires_at = NULL, lease_until = NULL, leased_key = NULL, held_key = NULL, finished_as = NULL WHERE n = ?;

UPDATE jobs SET
    ready_lane = CASE WHEN state = 1 THEN lane END,
    release_at = CASE WHEN state = 2 THEN ?1 END,
    expires_at = CASE WHEN state < 3 THEN deadline_at END,
    lease_until = CASE WHEN state = 3 THEN ?1 END,
    leased_key = CASE WHEN state = 3 THEN limit_key END,
    finished_as = CASE WHEN state >= 4 THEN state END
  WHERE n = ?2;

-- writer/settle.ts

SELECT n, lane, state, revision, token, audit_block, lease_until, cancel_requested, deadline_at, unique_key,
  limit_key FROM jobs WHERE id = ?;

UPDATE jobs SET state = ?1, revision = revision + 1, audit_block = ?2, token = token + 1, life = ?4, attempts = ?5, result = case when ?1 in (4) then ?6 end, lease_until = null, lease = null, leased_key = null, ready_lane = case when ?1 in (1) then lane end, due_at = case when ?1 in (0) then ?3 + ?7 end, release_at = case when ?1 in (2) then ?3 + ?7 end, cause = case when ?1 in (2) then ?8 end, expires_at = case when ?1 in (0, 1, 2) then deadline_at end, unique_key = case when ?1 in (0, 1, 2) then unique_key end, finished_at = case when ?1 in (4, 5, 6) then ?3 end, finished_as = case when ?1 in (4, 5, 6) then ?1 end WHERE n = ?9 AND audit_block = ?10;

-- writer/step.ts

INSERT INTO audit_blocks (seq, writer, at, prev_hash, hash, body) VALUES (?, ?, ?, ?, ?, ?);

SELECT max(seq) FROM audit_blocks;

SELECT hash FROM audit_blocks WHERE seq > ? AND writer <> 'leaf' ORDER BY seq DESC LIMIT 1;

-- writer/tenant-jobs.ts

SELECT n, id, tenant, priority, submitted_at, revision, token, audit_block, deadline_at, generation_at, spec,
  life, iif(j.body = 0, (SELECT payload FROM payloads p WHERE p.n = j.n), j.body), attempts, limit_key, unique_key FROM jobs j
       WHERE ready_lane = ? AND priority = ? AND tenant = ? AND (submitted_at, id) > (?, ?)
         AND (deadline_at IS NULL OR deadline_at > ? OR limit_key IS NOT NULL)
       ORDER BY submitted_at, id LIMIT (SELECT ?);

SELECT lane, held_key IS NOT NULL, n, id, tenant, priority, submitted_at, revision, token, audit_block, deadline_at, generation_at, spec,
  life, iif(j.body = 0, (SELECT payload FROM payloads p WHERE p.n = j.n), j.body), attempts, limit_key, unique_key FROM jobs j
       WHERE id = ? AND state = 1 AND (deadline_at IS NULL OR deadline_at > ?);

-- writer/uniform-settlements.ts

UPDATE jobs SET state = ?1, revision = revision + 1, audit_block = ?2, token = token + 1, life = ?4, attempts = settled.column3, result = case when ?1 in (4) then settled.column4 end, lease_until = null, lease = null, finished_at = ?3, finished_as = ?1 FROM (VALUES (?, ?, ?, ?)) AS settled
  WHERE jobs.n = settled.column1 AND jobs.audit_block = settled.column2;

UPDATE jobs SET state = 5, revision = revision + 1, audit_block = ?1, token = token + 1, life = settled.column3, attempts = settled.column4, result = null, lease_until = null, lease = null, finished_at = ?2, finished_as = 5 FROM (VALUES (?, ?, ?, ?)) AS settled
  WHERE jobs.n = settled.column1 AND jobs.audit_block = settled.column2;

UPDATE jobs SET state = settled.column3, revision = revision + 1, audit_block = ?1, token = token + 1, life = settled.column4, attempts = settled.column5, lease_until = null, lease = null, ready_lane = case when settled.column3 in (1) then lane end, due_at = case when settled.column3 in (0) then ?2 + settled.column6 end FROM (VALUES (?, ?, ?, ?, ?, ?)) AS settled
  WHERE jobs.n = settled.column1 AND jobs.audit_block = settled.column2;

UPDATE jobs SET state = settled.column3, revision = revision + 1, audit_block = ?1, token = token + 1, life = settled.column4, attempts = settled.column5, lease_until = null, lease = null, ready_lane = case when settled.column3 in (1) then lane end, due_at = case when settled.column3 in (0) then ?2 + settled.column6 end, expires_at = deadline_at FROM (VALUES (?, ?, ?, ?, ?, ?)) AS settled
  WHERE jobs.n = settled.column1 AND jobs.audit_block = settled.column2;

-- writer/upkeep.ts

SELECT n, lane FROM jobs WHERE due_at <= ? ORDER BY due_at, id LIMIT (SELECT ?);

UPDATE jobs SET state = 1, ready_lane = lane, due_at = null WHERE n = ?;

SELECT id FROM jobs WHERE release_at <= ? ORDER BY release_at, id LIMIT (SELECT ?);

SELECT j.id, l.handler, l.queue, iif(json_valid(j.spec), j.spec ->> '$.onDead', NULL) FROM jobs j CROSS JOIN lanes l ON l.lane = j.lane
  WHERE j.expires_at <= ? ORDER BY j.expires_at, j.id LIMIT (SELECT ?);

-- writer/write-lock.ts

PRAGMA busy_timeout;

BEGIN IMMEDIATE;

-- writer/writer.ts

COMMIT;

ROLLBACK;

PRAGMA data_version;
