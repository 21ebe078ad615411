import pg from 'pg';
import { type Library, savepointBy, type Transaction } from './library.ts';

export function open(url: string): Library {
  const pool = new pg.Pool({ connectionString: url });
  return {
    outside: pool,
    async transaction(work) {
      const client = await pool.connect();
      const tx: Transaction = {
        // recipe
        sql: client,
        // end
        run: (statement) => client.query(statement),
        savepoint: (inner) => savepointBy(tx, inner),
      };
      try {
        await client.query('begin');
        await work(tx);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw error;
      } finally {
        client.release();
      }
    },
    close: () => pool.end(),
  };
}
