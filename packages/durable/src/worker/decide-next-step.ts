import { type Decision, type DecisionInput, decide } from '@redrive/core';
import {
  type AttemptAccount,
  type AttemptOutcome,
  type DecisionPolicy,
  sessionRandom,
  viewOf,
} from '@redrive/core/stored';
import { successInput } from '../documents/records-of.ts';
import type { ResolvedHandler } from '../handler/resolve-handlers.ts';
import { RUNS_DEFAULT } from '../handler/runs-default.ts';
import type { JobGuards } from './guards.ts';

/** A decision with what it was made from; the policy is named by its hash wherever the rest is kept. */
export interface Decided {
  readonly decision: Decision;
  /** Absent for a success, which needs none. */
  readonly input?: Omit<DecisionInput, 'policy'> | undefined;
}

/** The input of `decide` besides the outcome. */
export interface Circumstances {
  readonly policy: DecisionPolicy;
  readonly account: AttemptAccount;
  readonly sessionId: string;
  readonly rung: DecisionInput['rung'];
  /** The store's time. */
  readonly nowMs: number;
  readonly timeLeftMs: number;
  readonly guards: JobGuards;
  /** It tried for all that wait whether the dependency is back. */
  readonly probe?: boolean | undefined;
  readonly onUnknown: ResolvedHandler['onUnknown'];
}

/** Decides what follows an attempt of a job. Takes the budget's token, where the answer costs one. */
export function decideNextStep(outcome: AttemptOutcome, circumstances: Circumstances): Decided {
  const { policy, account, sessionId, guards } = circumstances;
  const failed = outcome.kind === 'failure';
  const input: Omit<DecisionInput, 'policy'> = {
    account: viewOf(account),
    outcome,
    rung: circumstances.rung,
    // A stored job can wait for as long as it takes: it is handed to no other rung.
    horizonMs: Infinity,
    canHandOver: false,
    timeLeftMs: circumstances.timeLeftMs,
    allowance: Infinity,
    budgetAllows: !failed || (guards.budget?.allows(outcome.errorClass) ?? true),
    breakerOpenMs: waitsForItself(outcome, circumstances) ? 0 : (guards.breaker?.openForMs() ?? 0),
    ...(circumstances.probe === true && { probe: true }),
    ...(account.unchargedSinceMs > 0 && {
      unchargedForMs: Math.max(0, circumstances.nowMs - account.unchargedSinceMs),
    }),
    onUnknown: circumstances.onUnknown,
    random: sessionRandom(sessionId, account.executions),
  };
  const decision = decide({ ...input, policy });
  if (failed && decision.charge.budget) guards.budget?.take(outcome.errorClass);
  return { decision, input };
}

/**
 * A failed attempt waits for its back-off or its hint, and looks at the shared breaker afterwards. Parked under it, it
 * could be released earlier by the success of another job, and die earlier than without a breaker. A probe is
 * parked again with the other jobs, unless the dependency said how long to wait.
 */
function waitsForItself(outcome: AttemptOutcome, { guards, probe }: Circumstances): boolean {
  if (guards.shared === undefined || outcome.kind !== 'failure') return false;
  const isHinted = outcome.errorClass === 'rate_limited' && (outcome.retryAfterMs ?? 0) > 0;
  return isHinted || probe !== true;
}

/** A success has one answer, whatever the circumstances: it is made once. */
export const SUCCEEDED: Decided = {
  decision: /* @__PURE__ */ decide({ ...successInput('job'), policy: RUNS_DEFAULT }),
};
