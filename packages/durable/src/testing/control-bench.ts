import { virtualClock } from '@redrive/testkit';
import { recordsIn } from '../audit/read-body.ts';
import { type ClosedGate, causes, gateKey } from '../control/rules/documents.ts';
import { closedBreaker } from '../control/rules/shared-breaker.ts';
import { updateControl } from '../control/update-control.ts';
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
    .filter((record) => record[2] === 'control')
    .map((record) => [record[0], record[10]] as const);
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
