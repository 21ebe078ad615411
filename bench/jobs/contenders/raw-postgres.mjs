// What Postgres allows through `pg`, without a queue around it: one row and two indexes per job, prepared
// statements, no leases that expire, no retries, no audit.
import { openPool } from './open-pool.mjs';
import { postgresDurability } from './postgres-durability.mjs';
import { rawSchema } from './raw-postgres-schema.mjs';

const insert = `INSERT INTO raw_jobs (queue, priority, state, token, attempts, payload)
                VALUES ('default', 0, 'ready', 0, 0, $1)`;
const claim = `UPDATE raw_jobs
               SET state = 'leased', token = token + 1, attempts = attempts + 1,
                   lease_until = clock_timestamp() + interval '30 seconds'
               WHERE id = ANY (ARRAY(SELECT id FROM raw_jobs WHERE state = 'ready' AND queue = 'default'
                                     ORDER BY priority, id LIMIT $1 FOR UPDATE SKIP LOCKED))
               RETURNING id, token, payload`;
const complete = `DELETE FROM raw_jobs USING unnest($1::bigint[], $2::bigint[]) AS ended (id, token)
                  WHERE raw_jobs.id = ended.id AND raw_jobs.token = ended.token`;

/** `batch`: jobs per claim. `claimers`: how many claim at once. */
export async function open({
  postgres,
  poolSize = 32,
  batch = 100,
  claimers = 4,
  analyze = false,
}) {
  const pool = openPool(postgres, poolSize);
  await pool.query(rawSchema);
  const query = (name, text, values) => pool.query({ name, text, values });

  return {
    durability: () => postgresDurability(pool),
    async reset() {
      await pool.query('TRUNCATE raw_jobs');
      await pool.query('VACUUM ANALYZE raw_jobs');
    },
    enqueue: (payload) => query('insert', insert, [JSON.stringify(payload)]),
    async fill(payloads) {
      await pool.query(
        `INSERT INTO raw_jobs (queue, priority, state, token, attempts, payload)
         SELECT 'default', 0, 'ready', 0, 0, payload FROM unnest($1::jsonb[]) AS given (payload)`,
        [payloads.map((payload) => JSON.stringify(payload))],
      );
      if (analyze) await pool.query('ANALYZE raw_jobs');
    },
    unfinished: async () =>
      (await pool.query('SELECT count(*)::int AS count FROM raw_jobs')).rows[0].count,
    async work({ handler }) {
      const work = { isStopped: false };
      const loop = async () => {
        while (!work.isStopped) {
          const { rows } = await query('claim', claim, [batch]);
          if (rows.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
          await Promise.all(rows.map((job) => handler(job.payload)));
          const fence = [rows.map(({ id }) => id), rows.map(({ token }) => token)];
          const { rowCount } = await query('complete', complete, fence);
          if (rowCount !== rows.length) throw new Error('a completion was refused');
        }
      };
      const finished = Promise.all(Array.from({ length: claimers }, loop));
      return async () => {
        work.isStopped = true;
        await finished;
      };
    },
    close: () => pool.end(),
  };
}
