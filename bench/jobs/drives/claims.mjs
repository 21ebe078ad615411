// Single claims on Redrive's store, timed one by one, with whatever else is in its tables.
import { definePolicy } from '../../../packages/core/dist/index.js';
import { final, jobsOn } from '../../../packages/durable/dist/index.js';
import { payloads } from './payload.mjs';
import { untilFinished } from './until-finished.mjs';

const batch = 2000;
const perClaim = 16;
const leaseMs = 3_600_000;
const actor = { name: 'bench' };

export async function drive(queue, { fill, claims, ticks }) {
  if (fill) return fillWith(queue, fill);
  if (claims) return { ms: await timedClaims(queue, claims) };
  const tick = { kind: 'tick', limit: 1000, actor };
  return { ms: await timed(ticks, () => queue.store.apply([tick])) };
}

/** `kind`: `notDue`, `due` or `finished`, the last one half succeeded and half dead. */
async function fillWith(queue, { kind, jobs }) {
  const enqueuer = jobsOn(queue.store, { job: async () => {} });
  const delays = { notDue: 3_600_000, due: 1, finished: 0 };
  const handler = async ({ index }) => (index % 2 === 0 ? null : final('Half of them die'));
  const stop = kind === 'finished' ? await queue.work({ concurrency: 16, handler }) : () => {};
  for (let brought = 0; brought < jobs; brought += batch) {
    // Not all at the same time, as in real life.
    const delayMs = delays[kind] === 0 ? undefined : delays[kind] + (brought % 1000);
    await enqueuer.enqueueMany('job', payloads(batch), delayMs === undefined ? {} : { delayMs });
    if (kind === 'finished') await untilFinished(queue);
  }
  await stop();
  return {};
}

async function timedClaims(queue, claims) {
  const { store } = queue;
  const policy = definePolicy({ id: 'bench' });
  const lane = {
    handler: 'job',
    limit: perClaim,
    policyHash: 'bench',
    maxAttempts: 3,
    limitPerKey: 1,
  };
  await store.registerPolicies([{ hash: 'bench', id: 'bench', policy: plain(policy) }]);
  const command = {
    kind: 'claim',
    worker: 'bench',
    leaseMs,
    lanes: [lane],
    limit: perClaim,
    ahead: 0,
  };
  await queue.fill(payloads(claims * perClaim));
  let claimed = 0;
  const ms = await timed(claims, async () => {
    const [{ jobs }] = await store.apply([command]);
    claimed += jobs.length;
  });
  if (claimed !== claims * perClaim) throw new Error(`${claimed} jobs were claimed`);
  return ms;
}

async function timed(times, fn) {
  const ms = [];
  for (let i = 0; i < times; i++) {
    const startedAt = performance.now();
    await fn();
    ms.push(performance.now() - startedAt);
  }
  return ms;
}

const plain = (policy) => JSON.parse(JSON.stringify(policy));
