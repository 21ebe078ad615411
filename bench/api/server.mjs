// A process with a store, the HTTP API over it, and a bare Fastify route beside it. It does what its parent asks for.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { jobsOn } from '../../packages/durable/dist/index.js';
import { AccessFile, startServer } from '../../packages/server/dist/index.js';
import { openStore } from '../../packages/sqlite/dist/index.js';

const { default: fastify } = createRequire(
  import.meta.resolve('../../packages/server/dist/app.js'),
)('fastify');
const [folder, file] = process.argv.slice(2);
const store = await openStore(join(folder, file));
await store.migrate();
const access = new AccessFile(join(folder, `${file}.access.json`));
const token = await access.createToken({ name: 'bench', role: 'admin', rate: 1_000_000_000 });
const api = await startServer({ store, access, port: 0 });
const bare = fastify();
bare.post('/v1/jobs', async () => ({ ok: true }));
const bareUrl = await bare.listen({ port: 0, host: '127.0.0.1' });

let ran = 0;
const resize = async () => {
  ran += 1;
};
const jobs = jobsOn(store, { resize }, { log: 'off', concurrency: 64 });
const perSecond = (count, startedMs) => count / ((performance.now() - startedMs) / 1000);

/** What an application does in its own process: `batches` of 100 jobs, 64 at once. */
async function enqueue({ batches, size, atOnce }) {
  const startedMs = performance.now();
  let left = batches;
  const client = async () => {
    while (left-- > 0) {
      const commands = Array.from({ length: size }, (_, image) =>
        jobs.prepare('resize', { image }),
      );
      await store.apply(commands);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  return perSecond(batches * size, startedMs);
}

/** Runs so many jobs, and answers their rate. */
async function work({ count }) {
  for (let at = 0; at < count; at += 1_000)
    await store.apply(
      Array.from({ length: 1_000 }, (_, n) => jobs.prepare('resize', { image: at + n })),
    );
  ran = 0;
  const startedMs = performance.now();
  await jobs.start();
  while (ran < count) await new Promise((resolve) => setTimeout(resolve, 5));
  const rate = perSecond(count, startedMs);
  await jobs.stop();
  return rate;
}

/** The same read by the store alone: times in milliseconds. */
async function read({ limit, count }) {
  const times = [];
  let after;
  for (let n = 0; n < count; n++) {
    const startedMs = performance.now();
    const [page] = await Promise.all([
      store.deadLetters({}, { limit, after }),
      store.countDead({}, 10_000),
    ]);
    times.push(performance.now() - startedMs);
    after = page.next;
  }
  return times;
}

const acts = { enqueue, work, read };
process.on('message', async ({ act, ...given }) => {
  if (act === 'close') {
    await Promise.all([api.close(), bare.close()]);
    await store.close();
    process.exit(0);
  }
  process.send({ answer: await acts[act](given) });
});
process.send({ answer: { url: api.url, bareUrl, token } });
