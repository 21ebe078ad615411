/** The invariants of the architecture, in its order. */
export const INVARIANTS = [
  'charged attempts within the limit, accounts add up',
  'every accepted item ends in one final state',
  'one live lease, tokens rise, old tokens are refused',
  'one committed effect per key, other parameters are refused',
  'one audit record per transition, chains verify, all is sealed',
  'no attempt before its time or its hint',
  'enqueue in the caller’s transaction is visible if it commits',
  'counters agree with the audit log',
  'same seed, same trace',
] as const;

/** 1 to 9: the number of an invariant. */
export type Invariant = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

export interface Violation {
  readonly invariant: Invariant;
  readonly text: string;
}

/** How often each invariant was looked at and held, and what did not hold. */
export class Looks {
  readonly held: number[] = INVARIANTS.map(() => 0);
  readonly violations: Violation[] = [];

  hold(invariant: Invariant, holds: boolean, text: () => string): void {
    if (holds) this.held[invariant - 1] = (this.held[invariant - 1] ?? 0) + 1;
    else this.violations.push({ invariant, text: text() });
  }

  /** A check that lists the cases that do not hold. */
  none(invariant: Invariant, cases: readonly string[]): void {
    if (cases.length === 0) this.hold(invariant, true, String);
    for (const each of cases) this.hold(invariant, false, () => each);
  }

  add({ held, violations }: Looks): void {
    for (const [at, count] of held.entries()) this.held[at] = (this.held[at] ?? 0) + count;
    this.violations.push(...violations);
  }
}
