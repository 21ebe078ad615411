import { settleAttempt } from '@redrive/core/stored';
import { type FullStore, jobsOn } from '@redrive/durable';
import { closedBreaker, gateKey } from '@redrive/durable/control/rules';

/** Writes a document as it stands in a store, with nobody who does anything about it. */
async function put(
  store: FullStore,
  of: 'breaker' | 'gate' | 'schedule',
  key: string,
  document: object,
): Promise<void> {
  const text = JSON.stringify(document);
  await store.apply([{ kind: 'control', of, key, expect: 0, document: text }]);
}

/** An open breaker whose next probe is due in half of its timeout. */
export async function openBreaker(
  store: FullStore,
  dependency = 'bank',
  timeoutMs = 60_000,
): Promise<void> {
  const { nowMs } = await store.controls();
  await put(store, 'breaker', dependency, {
    ...closedBreaker({ threshold: 5, timeoutMs }, nowMs),
    state: 'open',
    failures: 7,
    lastFailureAtMs: nowMs,
    lastError: { type: 'Error', message: 'connect ECONNREFUSED 10.0.0.7:443' },
    probes: { failed: 2, nextAtMs: nowMs + timeoutMs / 2 },
  });
}

/** A schedule with a tick behind it. */
export async function declareSchedule(store: FullStore, name = 'nightly'): Promise<void> {
  const { nowMs } = await store.controls();
  await put(store, 'schedule', name, {
    plan: { cron: '30 2 * * *', timeZone: 'Europe/Berlin' },
    ...{ overlap: 'skip', missed: 'last' },
    job: { handler: 'resize', queue: 'default', tenant: '', priority: 0, payload: '' },
    ...{ holder: 'w1', untilMs: nowMs + 86_400_000, cursorMs: nowMs },
    last: { tickMs: nowMs, result: 'enqueued', jobId: `${name}@2027-01-31T01:30:00Z` },
    totals: { enqueued: 3, skipped: 1, missed: 0 },
  });
}

/** A breaker whose probe runs. */
export async function probeBreaker(store: FullStore, dependency = 'bank'): Promise<void> {
  const { nowMs } = await store.controls();
  await put(store, 'breaker', dependency, {
    ...closedBreaker({ threshold: 5, timeoutMs: 60_000 }, nowMs),
    state: 'half_open',
    failures: 7,
    probes: { failed: 2, nextAtMs: nowMs },
    probe: 3,
    probeSinceMs: nowMs,
    probeUntilMs: nowMs + 30_000,
  });
}

/** A gate that opens in 20 s. */
export async function closeGate(
  store: FullStore,
  { dependency = 'search', credential = '', tenant = '' } = {},
): Promise<void> {
  const { nowMs } = await store.controls();
  const whose = { dependency, credential, tenant };
  const gate = { untilMs: nowMs + 20_000, sinceMs: nowMs, cut: false };
  await put(store, 'gate', gateKey(whose), { ...gate, ...whose });
}

/** Jobs that are parked under a cause. Answers with their ids. */
export async function parkJobs(store: FullStore, cause: string, count = 1): Promise<string[]> {
  const handler = 'parked';
  const jobs = jobsOn(store, { [handler]: async (_n: number) => {} });
  const all = await jobs.enqueueMany(handler, [...Array(count).keys()]);
  const lane = { handler, limit: count, policyHash: 'p', limitPerKey: 1 };
  const [claimed] = await store.apply([
    { kind: 'claim', worker: 'w', leaseMs: 30_000, lanes: [lane], limit: count, ahead: 0 },
  ]);
  const ends = claimed.jobs.map(({ id, token, account: held, retryCount, attempts }) => {
    const account = settleAttempt(held, 'blocked', undefined);
    const life = { account, retryCount, attempts, reason: 'breaker_open', detail: '{}' } as const;
    const parks = { by: 'held', to: 'parked', dueInMs: 86_400_000, cause } as const;
    return { kind: 'settle', settlement: { id, token, ...parks, ...life } } as const;
  });
  await store.apply(ends);
  if (ends.length < count) throw new Error('Not all of them could be claimed');
  return all.map(({ id }) => id);
}

/** The same store, with a worker that is always alive and has every handler. */
export function withWorker(store: FullStore): FullStore {
  const names = { handlers: [], moreHandlers: 1, moreQueues: 0, stalled: [], moreStalled: 0 };
  const process = { name: 'w1', host: 'web-1', pid: 4711, version: '0.1.0' };
  const work = { concurrency: 10, running: 0, state: 'working', sinceMs: 0, seenAtMs: 0 } as const;
  const workers = async () => ({ nowMs: 0, workers: [{ ...process, ...names, ...work }] });
  return { ...store, workers };
}

/** A sealed batch with a dead job and one that waits for an hour. */
export async function makeBatch(store: FullStore, id = 'import-7'): Promise<void> {
  const jobs = jobsOn(store, { imports: () => {} }, { log: 'off' });
  const options = { id, delayMs: 3_600_000, then: { handler: 'imports' } } as const;
  await jobs.enqueueBatch('imports', [1], { ...options, seal: false });
  const lost = jobs.prepare('imports', 2, { id: 'lost', batch: id });
  await store.apply([{ ...lost, dead: { reason: 'final_error' } }]);
  await jobs.sealBatch(id);
}

/** A rate as a worker declares it, which an operator has changed. */
export async function declareRate(
  store: FullStore,
  name = 'handler:mail/all/1000ms',
): Promise<void> {
  const set = { limit: 5, burst: 5, by: 'ann', why: 'asked for', atMs: 1_801_382_400_000 };
  const document = JSON.stringify({ limit: 10, burst: 10, set });
  await store.apply([{ kind: 'control', of: 'rate', key: name, expect: 0, document }]);
}

/** Jobs that wait for it. */
export const WAITING_RATE = {
  name: 'handler:mail/all/1000ms',
  ...{ value: '', sinceMs: 1_801_382_400_000, count: 12, bounded: false },
};
