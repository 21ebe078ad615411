import { jobsOn, memoryStore } from '@redrive/durable';
import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';

const START = { startMs: Date.parse('2027-01-31T08:00:00Z') };

/** Letters only: numbers in a message do not make another cause. */
function word(n: number): string {
  return [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
}

test('510 dead letters of 510 causes that died in the same minute are not called older', async () => {
  const clock = virtualClock(START);
  const store = memoryStore({ clock });
  const run = async (name: string) => {
    throw Object.assign(new Error(`${name} refused`), { name: `${name}Error` });
  };
  const jobs = jobsOn(
    store,
    { import: { policy: { maxAttempts: 1 }, run } },
    { clock, log: 'off' },
  );
  await jobs.enqueueMany(
    'import',
    Array.from({ length: 510 }, (_, n) => word(n)),
  );
  await jobs.start();
  await clock.advance(30_000);
  const stopped = jobs.stop();
  await clock.advance(1_000);
  await stopped;
  // The independent count: every dead job, by its own row.
  const { jobs: dead } = await store.jobs({ states: ['dead'] }, { limit: 1_000 });
  expect(dead).toHaveLength(510);
  const { stdout } = await runMain(['status', '--json'], { store, clock });
  const { problems, failing, failing_more, dead: counted } = JSON.parse(stdout);
  expect(counted.count).toBe(dead.length);
  expect(failing).toHaveLength(50);
  expect(failing_more).toBe(true);
  const texts = problems.map(({ text }: { readonly text: string }) => text);
  expect(texts).toContain('and 47+ more causes of failures');
  expect(texts.at(-1)).toBe(`${dead.length - 50} other dead letters wait for a decision`);
  const shown = await runMain(['status'], { store, clock });
  expect(shown.stdout).toContain('and 40+ more causes; --json has 50');
  expect(shown.stdout).not.toContain('older');
});
