// A worker inside an Express application: probes, and a stop that loses nothing. `node express.mjs`
import { jobsOn, stopOn } from '@redrive/durable';
import { openStore } from '@redrive/sqlite';
import express from 'express';

const store = await openStore('express.db');
await store.migrate();
const jobs = jobsOn(store, { mail: async (to) => `sent to ${to}` });

const app = express();
app.get('/livez', (_, response) => response.send('ok'));
app.get('/readyz', async (_, response) => {
  const health = await jobs.health();
  response.status(health.ready ? 200 : 503).json(health);
});
app.post('/mails/:to', async (request, response) => {
  const job = await jobs.enqueue('mail', request.params.to);
  response.json(await jobs.wait(job));
});

const server = app.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
stopOn(process, { sources: [server], jobs: [jobs], stores: [store] });
// Only for the test: the worker starts when it is asked to, so that both answers are seen.
app.post('/start', async (_, response) => {
  await jobs.start();
  response.send('started');
});
