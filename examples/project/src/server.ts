// An order and its confirmation in one transaction: `DATABASE_URL=postgres://… node src/server.ts`
import { jobsOn } from '@redrive/durable';
import { enqueueIn, openStore } from '@redrive/postgres';
import { fastify } from 'fastify';
import { Pool } from 'pg';

interface Order {
  readonly id: string;
  readonly amount: number;
}

const pool = new Pool({ connectionString: process.env.DATABASE_URL });
await pool.query(
  `create table if not exists orders (
     id text primary key,
     amount integer not null check (amount > 0),
     confirmed boolean not null default false
   )`,
);

// The store copies the pool's settings and uses connections of its own.
const store = await openStore({ pool });
const jobs = jobsOn(store, {
  confirm: async (order: string) => {
    await pool.query('update orders set confirmed = true where id = $1', [order]);
    return `confirmed ${order}`;
  },
});

/** The job exists if and only if the order does. */
async function placeOrder({ id, amount }: Order): Promise<string> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const job = await enqueueIn(client, jobs.prepare('confirm', id));
    await client.query('insert into orders (id, amount) values ($1, $2)', [id, amount]);
    await client.query('commit');
    store.committed();
    return job.id;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

const app = fastify();
app.post<{ Body: Order }>('/orders', async ({ body }, reply) => {
  const job = await placeOrder(body);
  return reply.code(201).send({ job });
});
app.get<{ Params: { id: string } }>('/jobs/:id', async ({ params }) => ({
  result: await jobs.wait(params.id),
}));
app.get('/counts', async () => (await store.counts()).groups);
app.addHook('onClose', async () => {
  await jobs.stop();
  await store.close();
  await pool.end();
});
process.once('SIGTERM', () => app.close());

await jobs.start();
console.log(await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT ?? 3000) }));
