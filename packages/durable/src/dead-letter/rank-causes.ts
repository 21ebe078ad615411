/** Properties in which failed jobs are compared with succeeded ones. */
export const CAUSE_DIMENSIONS = [
  'handler',
  'queue',
  'tenant',
  'collection',
  'worker',
  'policy_version',
  'payload_kind',
  'hour',
] as const;

export type CauseDimension = (typeof CAUSE_DIMENSIONS)[number];

/** A job as it is compared. Absent: it has no value there. */
export type CauseSample = { readonly [dimension in CauseDimension]?: string | undefined };

/** A value, or a pair of them, that sets failed jobs apart. */
export interface RankedCause {
  readonly values: readonly { readonly dimension: CauseDimension; readonly value: string }[];
  /** The table that it rests on. `with`: jobs that have the value, or both. */
  readonly failed: { readonly with: number; readonly without: number };
  readonly succeeded: { readonly with: number; readonly without: number };
  /** The G statistic of the table. */
  readonly g: number;
  /** `g`, less 6 for a pair. A cause has a score above `2 * ln(tested / 0.01)`, and the best one comes first. */
  readonly score: number;
}

/** A pair fits a little better than its parts by chance: it must be better by more than this. */
const PAIR_PENALTY = 6;
/** Failed jobs with a value, below which G says nothing. */
const MIN_FAILED = 5;
/** A difference can be certain and too small to matter: the odds of failing must be this many times higher. */
const MIN_ODDS_RATIO = 2;
/** Chance of a claim about a group that nothing sets apart. */
const FALSE_CLAIMS = 0.01;
const MAX_CAUSES = 3;

/** The G statistic of the table `a b / c d`: 0 where rows and columns have nothing to do with each other. */
export function gStatistic(a: number, b: number, c: number, d: number): number {
  const part = (seen: number, row: number, column: number) =>
    seen === 0 ? 0 : 2 * seen * Math.log((seen * (a + b + c + d)) / (row * column));
  const failed = part(a, a + b, a + c) + part(b, a + b, b + d);
  return Math.max(0, failed + part(c, c + d, a + c) + part(d, c + d, b + d));
}

/**
 * Finds the values that set each group of failed jobs apart from the succeeded ones, the best first; none where nothing
 * does. The chance of a larger G by accident is below `exp(-G / 2)`. So with the threshold of `score` at most about one
 * in 100 groups that nothing sets apart gets a cause, however many values are tested.
 */
export function rankCauses(
  groups: readonly (readonly CauseSample[])[],
  succeeded: readonly CauseSample[],
): RankedCause[][] {
  const values: { dimension: CauseDimension; value: string }[] = [];
  const known = new Map(CAUSE_DIMENSIONS.map((name) => [name, new Map<string, number>()]));
  const idsOf = (sample: CauseSample): number[] => {
    const row: number[] = [];
    for (const [dimension, ids] of known) {
      const value = sample[dimension];
      if (value === undefined) continue;
      const id = ids.get(value) ?? values.push({ dimension, value }) - 1;
      ids.set(value, id);
      row.push(id);
    }
    return row;
  };
  const rows = groups.map((group) => group.map(idsOf));
  const succeededTally = tally(succeeded.map(idsOf), values.length);
  return rows.map((group) => {
    const tested = tally(group, values.length);
    const threshold = 2 * Math.log(tested.size / FALSE_CLAIMS);
    const causes = [...tested].flatMap(([key, a]): RankedCause[] => {
      const b = group.length - a;
      const c = succeededTally.get(key) ?? 0;
      const d = succeeded.length - c;
      if (a < MIN_FAILED || !((a * d) / (b * c) >= MIN_ODDS_RATIO)) return [];
      const ids = [...new Set([Math.floor(key / values.length), key % values.length])];
      const g = gStatistic(a, b, c, d);
      const score = ids.length === 1 ? g : g - PAIR_PENALTY;
      if (score <= threshold) return [];
      const table = { failed: { with: a, without: b }, succeeded: { with: c, without: d } };
      return [{ values: ids.flatMap((id) => values[id] ?? []), ...table, g, score }];
    });
    return best(causes);
  });
}

/** Counts values and pairs of them. The key of a value is that of its pair with itself. */
function tally(rows: readonly (readonly number[])[], span: number): Map<number, number> {
  const counts = new Map<number, number>();
  for (const row of rows) {
    row.forEach((id, at) => {
      for (let other = at; other < row.length; other++) {
        const key = id * span + (row[other] ?? id);
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    });
  }
  return counts;
}

/** Each dimension once: the parts of the best pair, and pairs with the best value, repeat it. */
function best(causes: readonly RankedCause[]): RankedCause[] {
  const [first] = causes.toSorted((a, b) => b.score - a.score);
  if (first === undefined) return [];
  const isOther = (name: CauseDimension) =>
    first.values.every(({ dimension }) => dimension !== name);
  const rest = causes.filter(({ values }) => values.every(({ dimension }) => isOther(dimension)));
  return [first, ...best(rest)].slice(0, MAX_CAUSES);
}

const UNREACHABLE = /ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|time-?d? ?out/i;
const REFUSED = /\b40[13]\b|unauthori[sz]ed|forbidden|denied|credential/i;

/** Dimension, text of the error, suggestion: the first rule that fits. */
const RULES: readonly (readonly [CauseDimension, RegExp, string])[] = [
  ['worker', UNREACHABLE, 'Check the network, DNS and proxy of this worker.'],
  ['worker', REFUSED, 'Check the credentials and environment variables of this worker.'],
  ['worker', /^/, 'Compare host, version and environment of this worker with the others.'],
  ['policy_version', /^/, 'Compare this version of the policy with the one before.'],
  ['tenant', REFUSED, 'Check the credentials and permissions of this tenant.'],
  ['tenant', /^/, 'Look at the data and settings of this tenant.'],
  ['payload_kind', /^/, 'Check that the handler accepts payloads of this kind.'],
  ['hour', /^/, 'Look for deployments and outages of dependencies in this hour.'],
  ['collection', /^/, 'Look at documents of this collection, and at the service behind it.'],
  ['handler', UNREACHABLE, 'Check the dependency that this handler calls.'],
  ['handler', /^/, 'Look at recent changes of this handler.'],
  ['queue', /^/, 'Look at the producers of this queue.'],
];

/** The first thing to check for a cause. */
export function suggestionFor({ values }: Pick<RankedCause, 'values'>, error: string): string {
  const fits = ([dimension, pattern]: (typeof RULES)[number]) =>
    pattern.test(error) && values.some((value) => value.dimension === dimension);
  return RULES.find(fits)?.[2] ?? '';
}
