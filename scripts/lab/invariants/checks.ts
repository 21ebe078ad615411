import { chargedAttempts } from '@redrive/core/stored';
import type { FullStore, JobSummary } from '@redrive/durable';
import { verifyAudit } from '@redrive/durable/audit';
import { isFinal } from '@redrive/durable/store';
import {
  type TrailRecord,
  trailsOf,
} from '../../../packages/testkit/src/conformance/store/audit-trail.ts';
import {
  allJobs,
  checkInvariants,
} from '../../../packages/testkit/src/conformance/store/invariants.ts';
import { checkCounters, checkRetryMetrics } from '../../crash/check-counters.ts';
import { checkNeverEarly } from '../../crash/check-times.ts';
import type { Scrape } from '../../crash/evidence.ts';
import { Findings } from '../../crash/report.ts';
import type { Invariant, Looks } from './looks.ts';
import type { Plan } from './plan.ts';

type Trails = ReadonlyMap<string, readonly TrailRecord[]>;

/** What must hold at every look. */
export async function lookAt(store: FullStore, { policies }: Plan, looks: Looks): Promise<void> {
  const jobs = await allJobs(store);
  for (const { id, handler, account } of jobs) {
    const policy = Object.entries(policies).find(([name]) => name === handler)?.[1];
    const [charged, max] = [chargedAttempts(account), policy?.maxAttempts ?? Infinity];
    looks.hold(1, charged <= max, () => `${id}: ${charged} attempts charged of ${max}`);
  }
  try {
    await checkInvariants(store);
    for (const invariant of [1, 3, 5, 8] as const) looks.hold(invariant, true, String);
  } catch (error) {
    const [text = ''] = String(error).split('\n', 1);
    looks.hold(invariantOf(text), false, () => text);
    return;
  }
  const trails = await trailsOf(store);
  for (const job of jobs) checkAccount(job, trails.get(job.id) ?? [], looks);
  checkTimes(trails, looks);
}

/** What `checkInvariants` says, by invariant. */
function invariantOf(text: string): Invariant {
  if (/claims are|executions|runs while/.test(text)) return 1;
  if (/counts|group per queue/.test(text)) return 8;
  return /: token$/.test(text) ? 3 : 5;
}

/** The account has exactly what the log says of this generation: a refund that is not made shows here. */
function checkAccount(
  { id, account }: JobSummary,
  trail: readonly TrailRecord[],
  looks: Looks,
): void {
  // A dead document begins with the attempts that its database has counted.
  const { account: first }: { account?: typeof account } = Object(trail[0]?.detail);
  const isFirst = first?.generation === account.generation;
  const recorded: Record<string, number> = { ...(isFirst && first?.entries) };
  for (const { generation, detail } of trail) {
    if (generation !== account.generation || detail.entry === undefined) continue;
    const entry = String(detail.entry);
    recorded[entry] = (recorded[entry] ?? 0) + 1;
  }
  for (const [entry, count] of Object.entries(account.entries)) {
    const text = () =>
      `${id}: ${count} ${entry} in the account, ${recorded[entry] ?? 0} in the log`;
    looks.hold(1, count === (recorded[entry] ?? 0), text);
  }
}

function checkTimes(trails: Trails, looks: Looks): void {
  const findings = new Findings();
  checkNeverEarly(trails, () => undefined, findings);
  looks.none(6, findings.violations);
  for (const [id, trail] of trails) {
    for (const [at, { atMs, detail }] of trail.entries()) {
      const hintMs = hintOf(detail);
      const next = trail[at + 1];
      if (hintMs === undefined || next?.event !== 'claim') continue;
      const early = () => `${id} started ${atMs + hintMs - next.atMs} ms before its hint`;
      looks.hold(6, next.atMs >= atMs + hintMs, early);
    }
  }
}

/** The hint of a failed attempt. */
function hintOf({ input }: TrailRecord['detail']): number | undefined {
  const { outcome }: { outcome?: { kind?: unknown; retryAfterMs?: unknown } } = Object(input);
  if (outcome?.kind !== 'failure' || typeof outcome.retryAfterMs !== 'number') return undefined;
  return outcome.retryAfterMs;
}

/** What must hold when all is over. */
export async function checkEnd(
  store: FullStore,
  accepted: readonly string[],
  scrapes: readonly Scrape[],
  looks: Looks,
): Promise<void> {
  const states = new Map((await allJobs(store)).map(({ id, state }) => [id, state]));
  for (const id of accepted) {
    const state = states.get(id);
    looks.hold(2, state !== undefined && isFinal(state), () => `${id} is ${state ?? 'lost'}`);
  }
  while ((await store.seal()) !== undefined);
  const reader = await store.readAudit();
  const { problems, records, sealed } = await verifyAudit(reader);
  await reader.close();
  looks.none(
    5,
    problems.map((problem) => JSON.stringify(problem)),
  );
  looks.hold(5, records === sealed, () => `${records - sealed} records are not sealed`);
  let trails: Trails;
  try {
    trails = await trailsOf(store);
  } catch (error) {
    looks.hold(5, false, () => String(error));
    return;
  }
  const findings = new Findings();
  checkCounters(trails, scrapes, findings);
  await checkRetryMetrics(store, trails, findings);
  looks.none(8, findings.violations);
}
