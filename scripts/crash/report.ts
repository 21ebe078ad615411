/** What a run has shown. */
export interface Report {
  readonly fault: string;
  readonly store: string;
  readonly seed: number;
  /** What was counted and measured, by name. */
  readonly figures: Readonly<Record<string, number | string>>;
  readonly violations: readonly string[];
}

/** Most violations of one kind that are listed; the others are counted. */
const LISTED = 5;

/** Gathers what checks find. */
export class Findings {
  readonly figures: Record<string, number | string> = {};
  readonly #violations = new Map<string, string[]>();

  /** Something must not be, and is. `what` names the rule, `which` the case. */
  violation(what: string, which: string): void {
    const cases = this.#violations.get(what) ?? [];
    cases.push(which);
    this.#violations.set(what, cases);
  }

  /** A number that must not be above its bound. */
  atMost(what: string, value: number, bound: number): void {
    this.figures[what] = `${value} (at most ${bound})`;
    if (value > bound) this.violation(what, `${value} is more than ${bound}`);
  }

  /** Cases of what must not be: their number is a figure, and each one a violation. */
  none(what: string, cases: readonly string[]): void {
    this.figures[what] = cases.length;
    for (const each of cases) this.violation(what, each);
  }

  get violations(): readonly string[] {
    return [...this.#violations].flatMap(([what, cases]) => {
      const listed = cases.slice(0, LISTED).map((each) => `${what}: ${each}`);
      const others = cases.length - listed.length;
      return others === 0 ? listed : [...listed, `${what}: ${others} more`];
    });
  }
}

/** For a figure. */
export function secondsSince(startedMs: number): number {
  return Math.round((performance.now() - startedMs) / 100) / 10;
}

export function printReport({ fault, store, seed, figures, violations }: Report): void {
  console.log(`\n${fault} on ${store}, seed ${seed}`);
  const width = Math.max(...Object.keys(figures).map((name) => name.length));
  for (const [name, value] of Object.entries(figures)) {
    console.log(`  ${name.padEnd(width)}  ${value}`);
  }
  for (const violation of violations) console.log(`  VIOLATION ${violation}`);
  console.log(violations.length === 0 ? '  no violations' : `  ${violations.length} violations`);
}
