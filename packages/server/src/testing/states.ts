import { settleAttempt } from '@redrive/core/stored';
import { type FullStore, jobsOn } from '@redrive/durable';
import { engageKill, submitOperation } from '@redrive/durable/control';
import { closedBreaker, gateKey } from '@redrive/durable/control/rules';
import { setCauseRule } from '@redrive/durable/dead-letters';

/** Something for every route: a rule of causes, a bulk operation `op-1` and a batch `b-1` of the tenant acme, a breaker, a gate, a rate, a parked job, a kill switch. */
export async function withStates(store: FullStore): Promise<void> {
  const actor = { name: 'test' };
  const { nowMs } = await store.controls();
  const put = (of: 'breaker' | 'gate' | 'rate' | 'schedule', key: string, document: object) =>
    store.apply([{ kind: 'control', of, key, expect: 0, document: JSON.stringify(document) }]);
  await put('breaker', 'bank', {
    ...closedBreaker({ threshold: 5, timeoutMs: 60_000 }, nowMs),
    state: 'open',
    failures: 7,
    lastFailureAtMs: nowMs,
    probes: { failed: 2, nextAtMs: nowMs + 30_000 },
  });
  const whose = { dependency: 'search', credential: '', tenant: '' };
  const gate = { untilMs: nowMs + 20_000, sinceMs: nowMs, cut: false };
  await put('gate', gateKey(whose), { ...gate, ...whose });
  await put('rate', 'handler:mail/all/1000ms', { limit: 10, burst: 10 });
  await put('schedule', 'nightly', {
    plan: { cron: '30 2 * * *', timeZone: 'Europe/Berlin' },
    ...{ overlap: 'skip', missed: 'last' },
    job: { handler: 'resize', queue: 'default', tenant: '', priority: 0, payload: '' },
    ...{ holder: 'w1', untilMs: nowMs, cursorMs: nowMs },
    totals: { enqueued: 3, skipped: 1, missed: 0 },
  });
  await park(store);
  const into = 'fp1:0123456789abcdef';
  await setCauseRule(store, {
    rule: { name: 'pages', fingerprints: [into], into, title: 'No page' },
    actor,
  });
  await engageKill(store, { scope: 'queue', name: 'stopped', actor });
  const jobs = jobsOn(store, { pages: () => {} }, { log: 'off' });
  await jobs.enqueueBatch('pages', [1], { id: 'b-1', tenant: 'acme', delayMs: 3_600_000 });
  const target = { filter: { tenant: 'acme' }, limit: 10 };
  await submitOperation(store, { id: 'op-1', act: 'requeue', target, actor });
}

async function park(store: FullStore): Promise<void> {
  const jobs = jobsOn(store, { parked: async () => {} }, { log: 'off' });
  await jobs.enqueue('parked', null);
  const lane = { handler: 'parked', limit: 1, policyHash: 'p', limitPerKey: 1 };
  const [claimed] = await store.apply([
    { kind: 'claim', worker: 'w', leaseMs: 30_000, lanes: [lane], limit: 1, ahead: 0 },
  ]);
  const [job] = claimed.jobs;
  if (job === undefined) throw new Error('The job could not be claimed');
  const { id, token, retryCount, attempts } = job;
  const account = settleAttempt(job.account, 'blocked', undefined);
  const life = { account, retryCount, attempts, reason: 'breaker_open', detail: '{}' } as const;
  const parked = { by: 'held', to: 'parked', dueInMs: 86_400_000, cause: 'breaker:bank' } as const;
  await store.apply([{ kind: 'settle', settlement: { id, token, ...parked, ...life } }]);
}
