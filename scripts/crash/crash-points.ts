import { setTimeout as sleep } from 'node:timers/promises';
import type { FullStore } from '@redrive/durable';
import type { Command, ResultsOf } from '@redrive/durable/store';
import { withMethods } from './observed-store.ts';

/** What a worker or a client asks a store for, as far as it can die of it. */
export type Act = 'enqueue' | 'claim' | 'settle' | 'heartbeat' | 'rescue' | 'policies';

/** `during`: the store is at it, and nobody knows how far it has come. */
export type When = 'before' | 'during' | 'after';

/** Where a process kills itself. */
export type CrashPoint =
  | `${When} ${Act}`
  | 'before effect'
  | 'after effect'
  | 'after record'
  | DiskPoint;

/** In the middle of SQLite's own work on its files: see `disk-crash.ts`. */
export type DiskPoint = 'at a write' | 'at a sync';

const ACTS: readonly Act[] = ['enqueue', 'claim', 'settle', 'heartbeat', 'rescue', 'policies'];
const WHENS: readonly When[] = ['before', 'during', 'after'];

export const DISK_POINTS: readonly DiskPoint[] = ['at a write', 'at a sync'];
export const CRASH_POINTS: readonly CrashPoint[] = [
  ...ACTS.flatMap((act) => WHENS.map((when): CrashPoint => `${when} ${act}`)),
  'before effect',
  'after effect',
  'after record',
];

/** Dies as a crash does: no handler runs, nothing is flushed. */
export function crash(): Promise<never> {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
}

/**
 * A store whose user dies at a point: when it asks for an act for the nth time.
 *
 * @param duringMs how long the store has been at it, for `during`.
 */
export function crashingStore(
  store: FullStore,
  point: CrashPoint,
  nth: number,
  duringMs: number,
): FullStore {
  let times = 0;

  async function pass<T>(acts: readonly Act[], ask: () => Promise<T>): Promise<T> {
    const [when, act] = point.split(' ');
    if (!acts.some((each) => each === act)) return ask();
    times += 1;
    if (times !== nth) return ask();
    if (when === 'before') return crash();
    const answer = ask();
    await (when === 'during' ? sleep(duringMs) : answer);
    return crash();
  }

  return withMethods(store, {
    apply: <const Cs extends readonly Command[]>(commands: Cs): Promise<ResultsOf<Cs>> =>
      pass(commands.map(actOf), () => store.apply(commands)),
    heartbeat: (leases, leaseMs) => pass(['heartbeat'], () => store.heartbeat(leases, leaseMs)),
    registerPolicies: (policies) => pass(['policies'], () => store.registerPolicies(policies)),
  });
}

function actOf(command: Command): Act {
  if (command.kind === 'settle') return command.settlement.by === 'held' ? 'settle' : 'rescue';
  return command.kind === 'claim' ? 'claim' : 'enqueue';
}
