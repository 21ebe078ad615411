import type { ResolvedPolicy } from '@redrive/core';
import type { DecisionPolicy } from '@redrive/core/stored';
import type { RecordedAttempt } from '@redrive/durable/audit';
import {
  answerText,
  type RecordedAnswer,
  type RecordedDecision,
  rederive,
} from '@redrive/durable/store';
import type { Divergence } from '@redrive/lab';

/** The answer of the other policy. `run`: it has no breaker, so it would have made the attempt. */
export type OtherAnswer = RecordedAnswer | { readonly action: 'run' };

/** A divergence with both answers. */
export interface Difference extends Divergence {
  readonly recorded: RecordedAnswer;
  readonly other: OtherAnswer;
}

/** A decision that does not follow from its record. */
export interface Underived {
  readonly session: string;
  readonly attempt: number;
  readonly endedAtMs: number;
  readonly problem: string;
}

const MAX_POLICIES = 10_000;
/** Decisions that are named; the others are counted. */
const MAX_NAMED = 10;

/** Derives the decision of every attempt: by its recorded policy, and by the other one of that id. */
export class DerivedAttempts {
  decisions = 0;
  underived = 0;
  readonly named: Underived[] = [];
  readonly #differences = new Map<string, Difference>();
  readonly #policies = new Map<string, DecisionPolicy | undefined>();
  readonly #policyOf: (hash: string) => Promise<DecisionPolicy | undefined>;
  readonly #others: ReadonlyMap<string, ResolvedPolicy>;

  constructor(
    policyOf: (hash: string) => Promise<DecisionPolicy | undefined>,
    others: ReadonlyMap<string, ResolvedPolicy>,
  ) {
    this.#policyOf = policyOf;
    this.#others = others;
  }

  /** The first one of each session. */
  get differences(): Iterable<Difference> {
    return this.#differences.values();
  }

  async take(attempt: RecordedAttempt): Promise<void> {
    const { decided } = attempt;
    if (decided === undefined) {
      if (attempt.action === 'succeed') this.decisions += 1;
      return;
    }
    this.decisions += 1;
    const problem = decided === 'missing' ? 'its input is missing' : await this.#check(decided);
    if (problem !== undefined) {
      this.underived += 1;
      const { session, endedAtMs } = attempt;
      if (this.named.length < MAX_NAMED)
        this.named.push({ session, attempt: attempt.attempt, endedAtMs, problem });
    }
    const policy = this.#others.get(attempt.policyId);
    if (policy !== undefined && decided !== 'missing') this.#compare(attempt, decided, policy);
  }

  async #check(decided: RecordedDecision): Promise<string | undefined> {
    const policy = await this.#know(decided.policy);
    if (policy === undefined)
      return `its policy ${decided.policy.slice(0, 12)} is not in the store`;
    const derived = rederive(decided, policy);
    if (derived === undefined) return `version ${decided.version} of decide cannot answer it`;
    const [now, then] = [answerText(derived), answerText(decided.answer)];
    return now === then ? undefined : `recorded ${then}, derived ${now}`;
  }

  #compare(attempt: RecordedAttempt, decided: RecordedDecision, policy: ResolvedPolicy): void {
    const other = otherAnswer(decided, policy);
    if (other === undefined || isSame(decided.answer, other)) return;
    const { session, generation, endedAtMs: endMs } = attempt;
    const key = generation === 1 ? session : `${generation} ${session}`;
    const known = this.#differences.get(key);
    // Blocks may stand in another order than their transactions.
    if (known !== undefined && known.attempt <= attempt.attempt) return;
    const { answer: recorded, input } = decided;
    const { action } = other;
    const how = other.action === 'run' ? { entry: recorded.entry } : other;
    const { delayMs, entry } = { delayMs: undefined, ...how };
    const { account } = input;
    const place = { session, generation, attempt: attempt.attempt, endMs };
    this.#differences.set(key, {
      ...place,
      policy,
      action,
      delayMs,
      entry,
      account,
      recorded,
      other,
    });
  }

  async #know(hash: string): Promise<DecisionPolicy | undefined> {
    if (!this.#policies.has(hash)) {
      if (this.#policies.size >= MAX_POLICIES) this.#policies.clear();
      this.#policies.set(hash, await this.#policyOf(hash));
    }
    return this.#policies.get(hash);
  }
}

/** The other policy's answer to the recorded input. Without a breaker no job is parked, and no attempt is a probe. */
function otherAnswer(decided: RecordedDecision, policy: ResolvedPolicy): OtherAnswer | undefined {
  if (policy.enableCircuitBreaker) return rederive(decided, policy);
  const { outcome } = decided.input;
  if (outcome.kind === 'blocked' && outcome.cause === 'breaker_open') return { action: 'run' };
  return rederive(
    { ...decided, input: { ...decided.input, probe: false, breakerOpenMs: 0 } },
    policy,
  );
}

/** A session that is given up waits no longer, so the wait that it would have had makes no difference. */
function isSame(recorded: RecordedAnswer, other: OtherAnswer): boolean {
  if (other.action === 'run') return false;
  const both = [recorded, other].map((answer) =>
    answerText(answer.action === 'give-up' ? { ...answer, delayMs: undefined } : answer),
  );
  return both[0] === both[1];
}
