import { describe, expect, test } from 'vitest';
import { Draws } from '../chance/draws.ts';
import { Attempts } from '../recording/attempts.ts';
import type { Recorded } from '../recording/recorded.ts';
import { FINDING_RULES, type FindingCode } from './finding-rules.ts';
import { review } from './review.ts';

const ATTEMPT: Recorded = {
  dependency: 'd',
  handler: 'mail.send',
  policy: 'p',
  policyHash: 'x',
  rung: 'job',
  session: 's',
  generation: 1,
  attempt: 1,
  endMs: 0,
  outcome: 'succeeded',
  action: 'succeed',
  reason: 'succeeded',
};
const FAILED = {
  outcome: 'failed',
  errorClass: 'retryable',
  errorType: 'TimeoutError',
  action: 'retry',
  reason: 'retryable_error',
} as const;
const GIVEN_UP = { ...FAILED, action: 'give-up', reason: 'max_attempts_exceeded' } as const;

function table(lines: readonly Recorded[]): Attempts {
  const attempts = new Attempts();
  for (const one of lines.toSorted((a, b) => a.endMs - b.endMs)) attempts.add(one);
  return attempts;
}

/** Successes of others, four a second, so that the dependency is seen to be up. */
const others = (seconds: number): Recorded[] =>
  Array.from({ length: seconds * 4 }, (_, at) => ({
    ...ATTEMPT,
    session: `other-${at}`,
    endMs: at * 250 + 7,
  }));

/** Sessions that each fail at these seconds after their beginning, and are then given up. */
const failing = (count: number, seconds: readonly number[], more: Partial<Recorded> = {}) =>
  Array.from({ length: count }, (_, at) =>
    seconds.map(
      (second, retry): Recorded => ({
        ...ATTEMPT,
        ...(retry === seconds.length - 1 ? GIVEN_UP : FAILED),
        session: `failing-${at}`,
        attempt: retry + 1,
        endMs: (at + 1 + second) * 1_000 + 100,
        ...more,
      }),
    ),
  ).flat();

const codes = (lines: readonly Recorded[], policies: readonly string[] = []) =>
  review(table(lines), policies).findings.map(({ code }) => code);

describe('each of six planted findings is found', () => {
  test('never_recovers, and attempts at a type that never recovered are wasted', () => {
    const { findings } = review(table([...others(200), ...failing(60, [0, 2.6, 6.2])]));
    expect(findings.map(({ code }) => code)).toEqual(['never_recovers', 'wasted_attempts']);
    expect(findings[0]).toMatchObject({
      policy: 'p',
      figure: 'attempts after number 1 recovered 0 of 60 sessions: 4.9 % at most',
      sessions: 60,
      examples: ['failing-0', 'failing-1', 'failing-2'],
      next: 'redrive policies backtest p new.yaml:p --since 7d',
    });
    expect(findings[1]?.figure).toBe(
      '120 retries after TimeoutError recovered none of 60 sessions',
    );
  });

  test('wasted_attempts at a dependency that was down for all', () => {
    const down = failing(60, [0, 1, 2, 3, 4, 5, 6, 7]).map((one) => ({
      ...one,
      endMs: one.endMs + 100_000,
    }));
    expect(codes([...others(100), ...down])).toContain('wasted_attempts');
  });

  test('gives_up_early: up again within one more wait, or well at once when requeued', () => {
    const soon = failing(60, [0]).map((one) => ({
      ...one,
      endMs: 100_000 + one.endMs,
      delayMs: 120_000,
    }));
    const back = { ...ATTEMPT, session: 'back', attempt: 2, endMs: 165_000 };
    const before = { ...ATTEMPT, ...FAILED, session: 'back', endMs: 130_000 };
    expect(codes([...others(100), ...soon, before, back])).toEqual(['gives_up_early']);
    const requeued = Array.from({ length: 60 }, (_, at) => ({
      ...ATTEMPT,
      session: `failing-${at}`,
      generation: 2,
      attempt: 2,
      endMs: 150_000 + at,
    }));
    expect(codes([...others(200), ...failing(60, [0]), ...requeued])).toEqual(['gives_up_early']);
  });

  test('hint_ignored: an attempt while a hint to another session ran, or a rate limit without a hint', () => {
    const limited = {
      ...FAILED,
      errorClass: 'rate_limited',
      session: 'limited',
      endMs: 1_000,
    } as const;
    const hint = { ...ATTEMPT, ...limited, hintMs: 60_000 };
    const started = (beforeMs: number) =>
      others(50).map((one) => ({ ...one, startMs: one.endMs - beforeMs }));
    expect(codes([...started(5), hint])).toEqual(['hint_ignored']);
    // They ended while the hint ran, and began before it was given.
    expect(codes([...started(49_500), hint])).toEqual([]);
    // The log has the end of a job's success alone.
    expect(codes([...others(50), hint])).toEqual([]);
    const bare = Array.from({ length: 60 }, (_, at) => ({
      ...ATTEMPT,
      ...limited,
      session: `b-${at}`,
      endMs: at * 1_000,
    }));
    expect(codes([...others(100), ...bare])).toEqual(['hint_ignored']);
  });

  test('synchronised_retries', () => {
    const herd = Array.from({ length: 60 }, (_, at) =>
      [1, 2].map((attempt) => ({
        ...ATTEMPT,
        ...(attempt === 1 ? FAILED : {}),
        session: `herd-${at}`,
        attempt,
        endMs: attempt * 10_000 + at,
      })),
    ).flat();
    const alone = [1, 2, 3].map((at) => ({
      ...ATTEMPT,
      session: 'alone',
      attempt: 2,
      endMs: at * 30_000,
    }));
    expect(codes([...others(100), ...herd, ...alone])).toEqual(['synchronised_retries']);
  });

  test('unused_policy', () => {
    expect(codes(others(10), ['p', 'q'])).toEqual(['unused_policy']);
  });
});

/** Sessions of a dependency over an hour: which fail is asked at each attempt. Three attempts, waits of 20 and 40 s. */
function recorded(fails: (session: number, atMs: number) => boolean): Recorded[] {
  const draws = new Draws(7, 5);
  const lines: Recorded[] = [];
  for (let session = 0, atMs = 0; atMs < 3_600_000; session += 1) {
    atMs += draws.next() * 2_500;
    for (let attempt = 1, endMs = atMs; attempt <= 3; attempt += 1) {
      const isFailed = fails(session, endMs);
      const failure = attempt === 3 ? { ...GIVEN_UP, delayMs: 80_000 } : FAILED;
      const own = { session: `${session}`, attempt, endMs };
      lines.push({ ...ATTEMPT, ...own, ...(isFailed ? failure : {}) });
      if (!isFailed) break;
      endMs += 20_000 * 2 ** (attempt - 1);
    }
  }
  return lines;
}

/** The dead letters of a recording, counted from its lines alone. */
const deadIn = (lines: readonly Recorded[]) => lines.filter(({ action }) => action === 'give-up');

describe('one more wait is judged only by outages that ended', () => {
  test('sessions that always fail would not have succeeded with one more wait', () => {
    const lines = recorded((session) => session % 3 === 0);
    const { findings, undecided } = review(table(lines));
    expect(deadIn(lines).length).toBeGreaterThan(900);
    expect(findings.find(({ code }) => code === 'never_recovers')?.figure).toContain(
      `recovered 0 of ${deadIn(lines).length} sessions`,
    );
    expect(findings.map(({ code }) => code)).not.toContain('gives_up_early');
    expect(undecided).toEqual([]);
  });

  test('the figure of an outage is the number of dead letters whose next attempt would have come after its end', () => {
    const [fromMs, toMs] = [1_000_000, 1_300_000];
    const lines = recorded((_, atMs) => atMs >= fromMs && atMs < toMs);
    const wouldSucceed = deadIn(lines).filter(({ endMs }) => endMs + 80_000 >= toMs).length;
    const [found] = review(table(lines)).findings.filter(({ code }) => code === 'gives_up_early');
    expect(found?.figure).toBe(
      `${wouldSucceed} of ${deadIn(lines).length} dead letters would have succeeded with one more wait, or did when requeued`,
    );
    expect(wouldSucceed).toBeGreaterThan(50);
  });

  test('of an outage that has not ended, or that no session survived, it cannot be told', () => {
    const text = (count: number) =>
      `cannot tell whether ${count} of ${count} dead letters would have succeeded with one more wait: no session that failed at the same time has tried again and succeeded`;
    const lasting = recorded((_, atMs) => atMs >= 3_000_000);
    const ended = [...failing(60, [0]), { ...ATTEMPT, session: 'new', endMs: 62_000 }];
    for (const lines of [lasting, ended]) {
      const { findings, undecided } = review(table(lines));
      const sessions = deadIn(lines).length;
      expect(findings.map(({ code }) => code)).not.toContain('gives_up_early');
      expect(undecided).toEqual([
        { code: 'gives_up_early', policy: 'p', figure: text(sessions), sessions },
      ]);
    }
  });
});

test('first attempts after a blocked claim are no retries', () => {
  const herd = Array.from({ length: 60 }, (_, at) =>
    (['not_run', 'succeeded'] as const).map((outcome, before) => ({
      ...ATTEMPT,
      outcome,
      session: `blocked-${at}`,
      attempt: before + 1,
      endMs: (before + 1) * 10_000 + at,
    })),
  ).flat();
  const alone = [1, 2, 3].map((at) => ({
    ...ATTEMPT,
    session: 'alone',
    attempt: 2,
    endMs: at * 30_000,
  }));
  expect(codes([...others(100), ...herd, ...alone])).toEqual([]);
});

test('outages of two dependencies are two: sessions that each met the first one of theirs', () => {
  const lines = ['d', 'e'].flatMap((dependency) =>
    [...others(100), ...failing(30, [100, 102.6, 106.2])].map((one) => ({
      ...one,
      dependency,
      session: `${dependency}-${one.session}`,
    })),
  );
  expect(codes(lines)).toContain('never_recovers');
});

test('a recording with 150,000 sessions of one policy is reviewed', () => {
  const many = table(failing(150_000, [0]));
  expect(review(many).rows).toMatchObject([{ sessions: 150_000, attempts: 150_000 }]);
});

test('the table is seed A’s: sessions, attempts, success rate, average attempts, share at each number', () => {
  const again = { ...ATTEMPT, session: 'failing-0', attempt: 2, endMs: 9_000 };
  const first = { ...ATTEMPT, ...FAILED, session: 'failing-0', endMs: 8_000 };
  expect(review(table([...others(1), first, again])).rows).toEqual([
    {
      policy: 'p',
      category: null,
      sessions: 5,
      attempts: 6,
      success_rate: 1,
      average_attempts: 6 / 5,
      succeeded_at: [4 / 5, 1 / 5],
    },
  ]);
});

test('category is a dimension of its own: the text of the operation is none', () => {
  const ofCategory = (category: string | undefined, count: number): Recorded[] =>
    Array.from({ length: count }, (_, at) => ({
      ...ATTEMPT,
      ...(category === undefined ? {} : { category }),
      handler: 'Get kill switch status',
      session: `${category}-${at}`,
      endMs: at,
    }));
  const counts = [
    ['RETRY_KV_GET', 3],
    ['RETRY_KV_PUT', 2],
    [undefined, 1],
  ] as const;
  const { rows } = review(
    table(counts.flatMap(([category, count]) => ofCategory(category, count))),
  );
  const shown = rows.map(({ category, sessions }) => [category ?? undefined, sessions]);
  expect(shown.sort()).toEqual([...counts].sort());
});

/** An hour: 3 % of attempts fail by themselves, three short outages, 5 attempts with full jitter. */
function healthy(seed: number): Recorded[] {
  const draws = new Draws(seed, 5);
  const downs = [0, 1, 2].map(() => draws.next() * 3_500_000);
  const isDown = (atMs: number) => downs.some((from) => atMs >= from && atMs < from + 8_000);
  const lines: Recorded[] = [];
  for (let session = 0, atMs = 0; atMs < 3_600_000; session += 1) {
    atMs += draws.next() * 2_000;
    for (let attempt = 1, endMs = atMs; attempt <= 5; attempt += 1) {
      const fails = isDown(endMs) || draws.next() < 0.03;
      const failure = attempt === 5 ? { ...GIVEN_UP, delayMs: 16_000 } : FAILED;
      const own = { session: `${session}`, attempt, endMs };
      lines.push({ ...ATTEMPT, ...own, ...(fails ? failure : {}) });
      if (!fails) break;
      endMs += draws.next() * 1_000 * 2 ** (attempt - 1);
    }
  }
  return lines;
}

test('at most 5 of 100 healthy seeds have any finding', () => {
  const found = Array.from({ length: 100 }, (_, seed) => codes(healthy(seed + 1), ['p']));
  expect(found.filter(({ length }) => length > 0).length).toBeLessThanOrEqual(5);
}, 60_000);

test('the page is made from the rules; `npx vitest run -u` writes it anew', async () => {
  const rows = Object.entries(FINDING_RULES).map(
    ([code, { meaning, evidence, remedy, next }]) =>
      `| \`${code as FindingCode}\` | ${meaning} | ${evidence} | ${remedy} | \`${next}\` |`,
  );
  await expect(`# Findings of a review

<!-- Made from packages/lab/src/review/finding-rules.ts: see review.test.ts. -->

\`redrive policies review\` prints these findings about policies, each with its figure, the number of sessions that it rests on, three of them, and the next command. A recording has hashes for sessions; a store has ids, for \`redrive audit replay\`.

| code | meaning | evidence | remedy | next command |
|---|---|---|---|---|
${rows.join('\n')}
`).toMatchFileSnapshot('../../../../docs/reference/policy-findings.md');
});
