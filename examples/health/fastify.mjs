// A worker inside a Fastify application: probes, and a stop that loses nothing. `node fastify.mjs`
import { jobsOn, stopOn } from '@redrive/durable';
import { openStore } from '@redrive/sqlite';
import Fastify from 'fastify';

const store = await openStore('fastify.db');
await store.migrate();
const jobs = jobsOn(store, { mail: async (to) => `sent to ${to}` });

const app = Fastify();
app.get('/livez', () => 'ok');
app.get('/readyz', async (_, reply) => {
  const health = await jobs.health();
  return reply.code(health.ready ? 200 : 503).send(health);
});
app.post('/mails/:to', async ({ params }, reply) => {
  const job = await jobs.enqueue('mail', params.to);
  return reply.send(JSON.stringify(await jobs.wait(job)));
});
// Only for the test: the worker starts when it is asked to, so that both answers are seen.
app.post('/start', async () => {
  await jobs.start();
  return 'started';
});

console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
stopOn(process, { sources: [app], jobs: [jobs], stores: [store] });
