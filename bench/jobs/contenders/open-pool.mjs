import pg from 'pg';

/** A pool that bears the end of the server: whoever is waiting for an answer is told anyway. */
export function openPool(connectionString, max) {
  const pool = new pg.Pool({ connectionString, max });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
