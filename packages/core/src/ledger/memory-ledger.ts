import type { Clock } from '../clock/clock.ts';
import { systemClock } from '../clock/system-clock.ts';
import { RedriveError } from '../errors/redrive-error.ts';
import { type OptionTable, resolveOptions, shownValue } from '../fields/check-fields.ts';
import { aClock } from '../fields/rules.ts';
import type { LedgerEntry, OnceLedger } from './ledger.ts';
import { withOnce } from './once.ts';

export interface MemoryLedgerOptions {
  /** Leases and retention run on its monotonic time. Default: the system's. */
  readonly clock?: Clock;
  /** How many keys are kept at once. Default 10,000. */
  readonly maxEntries?: number;
  /** How long a finished key is kept. Default 24 hours; `Infinity` keeps it until room is needed. */
  readonly retentionMs?: number;
}

const OPTIONS: OptionTable<MemoryLedgerOptions> = {
  clock: [systemClock, aClock],
  maxEntries: [10_000, { kind: 'number', min: 1, max: Infinity }],
  retentionMs: [86_400_000, { kind: 'number', min: Number.MIN_VALUE, max: Infinity }],
};

interface Kept {
  readonly entry: LedgerEntry;
  /** In progress: end of the lease. Finished: when it is forgotten. */
  readonly untilMs: number;
}

/**
 * A ledger in this process's memory, for tests and for work that need not outlive the process. Values are kept as given,
 * not copied.
 *
 * A forgotten key can run again. When `maxEntries` is reached, the key that finished first is forgotten; when none has
 * finished, a reservation whose lease has expired; when all leases are live, `reserve` throws `ledger_full`.
 *
 * @throws RedriveError `invalid_option` with every problem at once.
 */
export function memoryLedger(options: MemoryLedgerOptions = {}): OnceLedger {
  const { clock, maxEntries, retentionMs } = resolveOptions('memory ledger', options, OPTIONS);
  const held = new Map<string, Kept>();
  // In the order in which they finished, which is also the order in which they are forgotten.
  const finished = new Map<string, Kept>();
  // One counter for all keys: tokens of a key rise also over clear and eviction, and nothing is kept for it.
  let lastToken = 0;

  function find(key: string, nowMs: number): Kept | undefined {
    for (const [oldest, { untilMs }] of finished) {
      if (untilMs > nowMs) break;
      finished.delete(oldest);
    }
    return held.get(key) ?? finished.get(key);
  }

  function makeRoom(nowMs: number): void {
    if (held.size + finished.size < maxEntries) return;
    for (const key of finished.keys()) {
      finished.delete(key);
      return;
    }
    for (const [key, { untilMs }] of held) {
      if (untilMs > nowMs) continue;
      held.delete(key);
      return;
    }
    throw new RedriveError(
      'ledger_full',
      `All ${maxEntries} keys of the memory ledger are in progress: raise maxEntries`,
      { maxEntries },
    );
  }

  function finish(key: string, token: number, outcome: Outcome): boolean {
    const entry = held.get(key)?.entry;
    if (entry?.token !== token) return false;
    held.delete(key);
    const { fingerprint } = entry;
    const untilMs = clock.monotonic() + retentionMs;
    finished.set(key, { entry: { token, fingerprint, ...outcome }, untilMs });
    return true;
  }

  return withOnce({
    async reserve(key, request) {
      const { fingerprint, leaseMs } = request ?? {}; // Plain JavaScript may leave it out.
      checkLease(leaseMs);
      const nowMs = clock.monotonic();
      const kept = find(key, nowMs);
      if (kept === undefined) makeRoom(nowMs);
      else {
        const { entry, untilMs } = kept;
        if (entry.fingerprint !== fingerprint) {
          return { state: 'conflict', recordedFingerprint: entry.fingerprint };
        }
        if (entry.state === 'done') return { state: 'done', value: entry.value };
        if (entry.state === 'in_progress' && untilMs > nowMs) {
          return { state: 'in_progress', leaseLeftMs: untilMs - nowMs };
        }
        finished.delete(key);
      }
      const token = ++lastToken;
      held.set(key, {
        entry: { state: 'in_progress', token, fingerprint },
        untilMs: nowMs + leaseMs,
      });
      return { state: 'reserved', token };
    },

    async renew(key, token, leaseMs) {
      checkLease(leaseMs);
      const entry = held.get(key)?.entry;
      if (entry?.token !== token) return false;
      held.set(key, { entry, untilMs: clock.monotonic() + leaseMs });
      return true;
    },

    complete: async (key, token, value, metadata) =>
      finish(key, token, { state: 'done', value, ...(metadata && { metadata }) }),

    fail: async (key, token, error) => finish(key, token, { state: 'failed', error }),

    look: async (key) => find(key, clock.monotonic())?.entry,

    async clear(key) {
      held.delete(key);
      finished.delete(key);
    },
  });
}

type Outcome =
  | Pick<Extract<LedgerEntry, { state: 'done' }>, 'state' | 'value' | 'metadata'>
  | Pick<Extract<LedgerEntry, { state: 'failed' }>, 'state' | 'error'>;

function checkLease(leaseMs: number): void {
  if (!(leaseMs > 0 && leaseMs < Infinity)) {
    throw new RedriveError(
      'invalid_option',
      `leaseMs must be a number above 0 and finite, not ${shownValue(leaseMs)}`,
      { leaseMs },
    );
  }
}
