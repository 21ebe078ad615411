import type { Clock } from '@redrive/core';
import { formatDuration } from '../terminal/times.ts';
import { type Check, type Finding, messageOf, problem, type Subject } from './check.ts';
import { checkBuses, checkConfiguration, checkPorts, checkSweeps } from './config-checks.ts';
import {
  findFutureDue,
  findManyPolicies,
  findUnreadable,
  findUnsealed,
  setAsideFinding,
} from './findings.ts';
import {
  checkClock,
  checkDisk,
  checkDurability,
  checkSchedules,
  checkSchema,
  checkStore,
  checkWorkers,
} from './store-checks.ts';

/** How one check ended. `skipped`: a part that it needs does not exist, which another check reports. */
export interface CheckResult {
  readonly name: string;
  readonly result: 'ok' | 'warning' | 'problem' | 'skipped';
  readonly findings: readonly Finding[];
  /** It is still running: its answer came too late. */
  readonly isHanging: boolean;
}

const LIMIT_MS = 10_000;
const LATE = Symbol('late');

/** Runs all checks at once, each within its limit: one that fails or hangs hides no other. */
export function runChecks(
  checks: readonly Check[],
  subject: Subject,
): Promise<readonly CheckResult[]> {
  return Promise.all(checks.map((check) => runCheck(check, subject)));
}

async function runCheck(check: Check, subject: Subject): Promise<CheckResult> {
  const { name, needs, limitMs = LIMIT_MS } = check;
  const parts = Promise.all(needs.map((part) => hasPart(part, subject)));
  const has = await within(parts, limitMs, subject.clock);
  // The check of that part reports it.
  if (has === LATE || has.includes(false)) {
    return { name, result: 'skipped', findings: [], isHanging: false };
  }
  const findings = await within(check.run(subject).catch(failure(name)), limitMs, subject.clock);
  if (findings === LATE) {
    const message = `The check ${name} did not end within ${formatDuration(limitMs)}.`;
    const remedy = 'Check whether what it asks (the store, a broker, a database) answers others.';
    return { name, result: 'problem', findings: [problem(name, message, remedy)], isHanging: true };
  }
  const levels = findings.map(({ level }) => level);
  const result = levels.includes('problem') ? 'problem' : (levels[0] ?? 'ok');
  return { name, result, findings, isHanging: false };
}

async function hasPart(part: 'store' | 'config', subject: Subject): Promise<boolean> {
  try {
    if (part === 'store') return (await subject.store) !== undefined;
    return (await subject.config).config !== undefined;
  } catch {
    return false;
  }
}

const failure = (name: string) => (error: unknown) => [
  problem(
    name,
    `The check ${name} failed: ${messageOf(error)}`,
    'Correct the cause, and run "redrive doctor" again.',
  ),
];

function within<T>(promise: Promise<T>, limitMs: number, clock: Clock): Promise<T | typeof LATE> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimer(limitMs, () => resolve(LATE));
    promise.then(resolve, reject).finally(() => timer.cancel());
  });
}

/** It reads every job of the store. */
const ALL_ROWS_MS = 600_000;

/** Everything that doctor looks at, in the order of its report. */
export const CHECKS: readonly Check[] = [
  { name: 'lints', needs: [], run: checkConfiguration },
  { name: 'store', needs: [], limitMs: 15_000, run: checkStore },
  { name: 'schema', needs: ['store'], run: checkSchema },
  { name: 'durability', needs: ['store'], run: checkDurability },
  { name: 'disk', needs: ['store'], run: checkDisk },
  { name: 'clock', needs: ['store'], run: checkClock },
  { name: 'rows', needs: ['store'], limitMs: ALL_ROWS_MS, run: checkRows },
  { name: 'future_due', needs: ['store'], run: async ({ store }) => findFutureDue(await store) },
  { name: 'unsealed', needs: ['store'], run: async ({ store }) => findUnsealed(await store) },
  { name: 'policies', needs: ['store'], run: async ({ store }) => findManyPolicies(await store) },
  { name: 'workers', needs: ['store'], run: checkWorkers },
  { name: 'schedules', needs: ['store'], run: checkSchedules },
  { name: 'buses', needs: ['config'], run: checkBuses },
  { name: 'sweeps', needs: ['config'], run: checkSweeps },
  { name: 'ports', needs: ['config'], run: checkPorts },
];

async function checkRows({ store, invocation, rows }: Subject) {
  const opened = await store;
  const { findings, looked, mended } = await findUnreadable(opened);
  rows.read = looked;
  rows.putBack = invocation.options.putBack ? await opened.putBack(mended) : [];
  const left = mended.filter((id) => !rows.putBack.includes(id));
  return [...findings, ...setAsideFinding(left)];
}
