import { type DecisionPolicy, sessionRandom } from '@redrive/core/stored';
import type { AuditRecord } from './audit-block.ts';
import type { AuditPlace, AuditProblems } from './audit-problem.ts';
import type { AuditReader } from './audit-reader.ts';
import { answerText, decisionIn, type RecordedDecision, rederive } from './rederive.ts';

const MAX_POLICIES = 10_000;

/** A decision with the policy that it was made by, if that is known. */
export interface ReadDecision extends RecordedDecision {
  readonly known: DecisionPolicy | undefined;
}

/** Derives every recorded decision again. */
export class DecisionCheck {
  readonly #reader: Pick<AuditReader, 'policy'>;
  readonly #problems: AuditProblems;
  readonly #policies = new Map<string, DecisionPolicy | undefined>();
  #decisions = 0;

  constructor(reader: Pick<AuditReader, 'policy'>, problems: AuditProblems) {
    this.#reader = reader;
    this.#problems = problems;
  }

  /** Decisions so far. Successes are among them, which `decide` answers without looking at anything else. */
  get decisions(): number {
    return this.#decisions;
  }

  /** Looks at the records of one block. Those without a decision that can be derived again have none in the answer. */
  async take(
    records: readonly AuditRecord[],
    block: number,
  ): Promise<readonly (ReadDecision | undefined)[]> {
    const decided = records.map(decisionIn);
    for (const one of decided) if (typeof one === 'object') await this.#know(one.policy);
    return records.map((record, index) => this.#check(record, decided[index], block));
  }

  #check(
    record: AuditRecord,
    decided: ReturnType<typeof decisionIn>,
    block: number,
  ): ReadDecision | undefined {
    if (decided === undefined) return undefined;
    this.#decisions += 1;
    if (decided === 'success') return undefined;
    const { id, revision, event } = record;
    const where = { block, id, revision };
    if (decided === 'missing') {
      this.#problems.add('decision', where, 'what the decision rests on', 'nothing');
      return undefined;
    }
    const decision = { ...decided, known: this.#policies.get(decided.policy) };
    if (decision.known === undefined) {
      this.#problems.add('policy', where, 'a known policy', decided.policy);
    } else {
      compareAnswer(decision, decision.known, where, this.#problems);
    }
    if (event === 'session') {
      const { session, attempt } = record.detail;
      checkDraw(
        decision,
        String(Object(session).sessionId),
        Number(attempt),
        where,
        this.#problems,
      );
    }
    return decision;
  }

  async #know(hash: string): Promise<void> {
    if (this.#policies.has(hash)) return;
    if (this.#policies.size >= MAX_POLICIES) this.#policies.clear();
    this.#policies.set(hash, (await this.#reader.policy(hash))?.policy);
  }
}

function compareAnswer(
  decided: RecordedDecision,
  policy: DecisionPolicy,
  where: AuditPlace,
  problems: AuditProblems,
): void {
  const recorded = answerText(decided.answer);
  const derived = rederive(decided, policy);
  problems.compare('decision', where, derived && answerText(derived), recorded);
}

/**
 * The number that spreads waits follows from the session and the attempt: nobody can have picked another one. Where it
 * changes nothing (no jitter), its cost may have been saved.
 */
export function checkDraw(
  { input, version, known }: ReadDecision,
  session: string,
  execution: number,
  where: AuditPlace,
  problems: AuditProblems,
): void {
  const random = sessionRandom(session, execution);
  if (input.random === random || known === undefined) return;
  const given = rederive({ input, version }, known);
  const right = rederive({ input: { ...input, random }, version }, known);
  if (given !== undefined && right !== undefined && answerText(given) !== answerText(right)) {
    problems.add('input', where, `random ${random}`, `random ${input.random}`);
  }
}
