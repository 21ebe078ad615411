import { settleAttempt } from '@redrive/core/stored';
import { virtualClock } from '@redrive/testkit';
import { recordsIn } from '../audit/read-body.ts';
import { type ClosedGate, causes, gateKey, type KillSwitch } from '../control/rules/documents.ts';
import { closedBreaker } from '../control/rules/shared-breaker.ts';
import { updateControl } from '../control/update-control.ts';
import { jobsOn } from '../jobs/jobs-on.ts';
import { memoryStore } from '../memory/memory-store.ts';
import type { FullStore } from '../store/full-store.ts';
import { START_MS } from './work-bench.ts';

export const EVE = { name: 'cli:eve', why: 'INC-7' };
export const BOB = { name: 'cli:bob' };
export const BANK = causes.breaker('bank');

/** An empty store on virtual time. */
export function controlBench() {
  const clock = virtualClock({ startMs: START_MS });
  return { clock, store: memoryStore({ clock }) };
}

/** The audit log's notes about controls: subject and detail. */
export async function notes(store: FullStore) {
  const blocks = await store.auditBlocks(0, 1_000);
  return blocks
    .flatMap((block) => recordsIn(block))
    .filter((record) => record.event === 'control')
    .map((record) => [record.id, record.detail] as const);
}

export async function openBreaker(store: FullStore, dependency = 'bank') {
  const probes = { failed: 2, nextAtMs: START_MS + 3_000 };
  await updateControl(store, {
    of: 'breaker',
    key: dependency,
    next: (_current, nowMs) => ({
      ...closedBreaker({ threshold: 3, timeoutMs: 10_000 }, nowMs),
      state: 'open',
      failures: 5,
      lastFailureAtMs: nowMs,
      probes,
    }),
  });
}

export async function closeGate(store: FullStore, given: Partial<ClosedGate> = {}) {
  const whole = { dependency: 'search', credential: '', tenant: '', cut: false, ...given };
  await updateControl(store, {
    of: 'gate',
    key: gateKey(whole),
    next: (_current, nowMs) => ({ untilMs: nowMs + 5_000, sinceMs: nowMs, ...whole }),
  });
}

/** Engages a kill switch. */
export async function engage(
  store: FullStore,
  key: string,
  mode: KillSwitch['mode'] = 'finish',
): Promise<void> {
  const next = (_: unknown, sinceMs: number): KillSwitch => ({ mode, sinceMs, by: 'ann' });
  await updateControl(store, { of: 'kill', key, next });
}

/** Takes it away, without a pace. */
export async function disengage(store: FullStore, key: string): Promise<void> {
  await updateControl(store, { of: 'kill', key, next: () => null });
}

/** Jobs that are parked under a cause, without a worker that would do anything about it. Answers with their ids. */
export async function parkJobs(store: FullStore, cause: string, count: number): Promise<string[]> {
  const jobs = jobsOn(store, { mail: async (_n: number) => {} });
  const all = await jobs.enqueueMany('mail', [...Array(count).keys()]);
  const lane = { handler: 'mail', limit: count, policyHash: 'p', limitPerKey: 1 };
  for (let parked = 0; parked < count; ) {
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
    parked += ends.length;
  }
  return all.map(({ id }) => id);
}
