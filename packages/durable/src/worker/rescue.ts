import type { RulesInView } from '../dead-letter/rules/rule-documents.ts';
import { type PolicyInForce, sessionFacts } from '../documents/session-facts.ts';
import type { ResolvedHandler } from '../handler/resolve-handlers.ts';
import type { LeasedJob } from '../job/job.ts';
import type { Settlement } from '../job/settlement.ts';
import { lossesOf } from '../job/suspects.ts';
import type { SettleCommand } from '../store/commands.ts';
import type { Store, StoredPolicy } from '../store/store.ts';
import { lostLease } from './attempt-result.ts';
import {
  type Decided,
  decideNextStep,
  type FinishedAttempt,
  settlementOf,
} from './decide-next-step.ts';
import { type Guards, NO_GUARDS } from './guards.ts';
import type { Interruptions } from './interruptions.ts';
import { type PolicyVersions, storedPolicy } from './policy-versions.ts';
import type { Reporter } from './reporter.ts';

/** Leases that are looked at in one step. */
const BATCH = 100;

/** A worker without the handler does not know what an unknown effect of it means: workers that have it come first. */
const PATIENCE_MS = 60_000;

export interface RescueParts {
  readonly store: Store;
  readonly handlers: ReadonlyMap<string, ResolvedHandler>;
  readonly policies: PolicyVersions;
  readonly guards: Guards;
  readonly rules: RulesInView;
  readonly reporter: Reporter;
  /** The worker that rescues. */
  readonly worker: string;
  /** The lease may be one of this very process. */
  readonly interruptions: Interruptions;
}

interface Rescued {
  readonly job: LeasedJob;
  readonly settlement: Settlement;
  readonly decided: Decided;
  readonly policy: PolicyInForce;
  readonly dependency: string;
}

/** Decides about jobs whose lease has run out. Returns whether there may be more. Rejects when the store does not answer. */
export async function rescueExpired(parts: RescueParts, nowMs: number): Promise<boolean> {
  const { store, policies, handlers } = parts;
  // Two lists: leases of other handlers, which must wait, do not hold up those of ours.
  const known = [...handlers.keys()];
  const lists = await Promise.all([
    store.expiredLeases(BATCH, { handlers: known }),
    store.expiredLeases(BATCH, { otherThan: known, forMs: PATIENCE_MS }),
  ]);
  const jobs = lists.flat();
  const rescued = (await Promise.all(jobs.map((job) => decideAbout(job, parts, nowMs)))).filter(
    (each) => each !== undefined,
  );
  if (rescued.length === 0) return false;
  if (!policies.isRegistered) await policies.register();
  const results = await store.apply(
    rescued.map(({ settlement }): SettleCommand => ({ kind: 'settle', settlement })),
  );
  // A refusal means that the holder settled or extended in time, or that another worker was first.
  const done = rescued.filter((_, index) => results[index]?.ok);
  for (const each of done) report(each, parts);
  // Where all were refused, the next look may find the same: it is left to the next sweep.
  return done.length > 0 && lists.some(({ length }) => length === BATCH);
}

async function decideAbout(
  job: LeasedJob,
  { handlers, policies, guards, rules: { rules }, store, worker }: RescueParts,
  nowMs: number,
): Promise<Rescued | undefined> {
  const handler = handlers.get(job.handler);
  const deadlineMs = job.deadlineMs ?? Infinity;
  if (handler === undefined) {
    const stored = await store.policy(job.lease.policyHash);
    if (stored === undefined) return undefined;
    const timeLeftMs = deadlineMs - nowMs;
    const onUnknown = 'retry';
    const shared = { guards: NO_GUARDS, rules, by: worker };
    const own = hasOwnPolicy(job) ? storedPolicy(policies.ofUnknownHandler(job, stored)) : stored;
    return rescue(job, own, { ...shared, nowMs, timeLeftMs, onUnknown });
  }
  const version = policies.ofJob(job, handler);
  const { policy, hash } = version;
  return rescue(
    job,
    { hash, id: policy.id, policy },
    {
      nowMs,
      timeLeftMs: Math.min(deadlineMs, job.generationAtMs + policy.ttlMs) - nowMs,
      guards: guards.of(handler, version),
      rules,
      onUnknown: handler.onUnknown,
      by: worker,
    },
  );
}

function hasOwnPolicy({ ownPolicy, maxAttempts }: LeasedJob): boolean {
  return (ownPolicy ?? maxAttempts) !== undefined;
}

type Circumstances = Pick<
  FinishedAttempt,
  'nowMs' | 'timeLeftMs' | 'guards' | 'rules' | 'onUnknown' | 'by'
>;

function rescue(
  job: LeasedJob,
  { hash, id, policy }: StoredPolicy,
  circumstances: Circumstances,
): Rescued {
  const { lease } = job;
  const maxAttempts = policy.enabled ? policy.maxAttempts : 1;
  const attempt: FinishedAttempt = {
    ...circumstances,
    job,
    result: lostLease(job, {
      type: 'LeaseLost',
      message: `Worker ${lease.worker} went silent, and the lease ran out`,
    }),
    startedAtMs: lease.sinceMs,
    durationMs: lease.untilMs - lease.sinceMs,
    worker: lease.worker,
    lease: 'expired',
    policy,
    policyId: id,
    policyHash: hash,
    maxAttempts,
    probe: false,
  };
  const decided = decideNextStep(attempt);
  const settlement = settlementOf(attempt, decided);
  const { dependency } = attempt.guards;
  return { job, settlement, decided, policy: { id, hash, maxAttempts }, dependency };
}

function report(rescued: Rescued, { reporter, interruptions }: RescueParts): void {
  const { job, settlement, decided, policy, dependency } = rescued;
  const { id, handler, lease, account } = job;
  interruptions.rescued(job);
  const { worker, alone } = lease;
  const losses = lossesOf(account) + 1;
  reporter.notify({ kind: 'rescued', jobId: id, handler, worker, losses, alone });
  reporter.outcome({ job, settlement, decided, ran: true }, () =>
    sessionFacts(job, policy, {
      generation: account.generation,
      dependency: dependency || undefined,
    }),
  );
}
