import { memoryStore } from '@redrive/durable';
import { recordsIn } from '@redrive/durable/store';
import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { jobStore, START } from '../testing/job-store.ts';
import { type RunOptions, runMain } from '../testing/run-main.ts';

/** Mails of a tenant that die and of others that arrive; and imports, which all die. */
async function withCauses(imports = 6) {
  const all = jobStore(virtualClock(START));
  const { jobs, work, store, clock } = all;
  for (let n = 0; n < 40; n++)
    await jobs.enqueue('mail', {}, { tenant: `t${n % 4}`, policy: 'quick' });
  for (let n = 0; n < 12; n++)
    await jobs.enqueue('mail', { failures: 99 }, { tenant: 'acme', policy: 'quick' });
  for (let n = 0; n < imports; n++) await jobs.enqueue('import', {}, { tenant: `t${n % 4}` });
  await work(60_000);
  const run = (args: string, options: RunOptions = {}) =>
    runMain(['dlq', 'causes', ...args.split(' ').filter(Boolean)], { store, clock, ...options });
  return { ...all, run };
}

test('each group with the dimension that sets it apart, its counts on both sides, and a suggestion', async () => {
  const { run } = await withCauses();
  const { exitCode, stdout, stderr } = await run('');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const text = stdout.replaceAll(/\s+/g, ' ');
  expect(text).toContain(
    'Looked at 18 dead letters and 40 jobs that succeeded, submitted between 2027-01-31 08:00:00Z and 2027-01-31 09:00:00Z.',
  );
  expect(text).toMatch(
    /12 Error: connection reset.* tenant acme: 12 of 12 dead letters \(100%\), 0 of 40 succeeded jobs \(0%\), G 56\.2 Look at the data and settings of this tenant\. redrive dlq list --group fp1:/,
  );
  expect(text).toMatch(
    / 6 returned final: the file is not there handler import: 6 of 6 dead letters \(100%\), 0 of 40/,
  );
});

test('as JSON, with the table', async () => {
  const { run } = await withCauses();
  const { groups, looked_at, window } = JSON.parse((await run('--json')).stdout);
  expect(looked_at).toEqual({
    letters: { count: 18, bounded: false },
    succeeded: { count: 40, bounded: false },
  });
  expect(window).toEqual({ from: '2027-01-31T08:00:00.000Z', to: '2027-01-31T09:00:00.000Z' });
  expect(groups).toHaveLength(2);
  expect(groups[0]).toMatchObject({
    count: 12,
    compared: 12,
    causes: [
      {
        values: [{ dimension: 'tenant', value: 'acme' }],
        letters: { with: 12, without: 0 },
        succeeded: { with: 0, without: 40 },
        g: 56.18,
        score: 56.18,
      },
    ],
    suggestion: 'Look at the data and settings of this tenant.',
    next: `redrive dlq list --group ${groups[0].fingerprint}`,
  });
});

test('a group that nothing sets apart says so, and so do too few letters and no successes', async () => {
  const { run, jobs, work } = await withCauses(3);
  expect((await run('--handler import')).stdout.replaceAll(/\s+/g, ' ')).toContain(
    'No job succeeded in this time: there is nothing to compare with.',
  );
  expect((await run('')).stdout).toContain('Too few dead letters to compare');
  for (let n = 0; n < 80; n++) {
    const options = { tenant: `t${n % 4}`, policy: 'quick', tags: ['noise'] };
    await jobs.enqueue('mail', n < 40 ? {} : { failures: 99 }, options);
  }
  await work(60_000);
  const { stdout } = await run('--tag noise');
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'Nothing sets these dead letters apart from the jobs that succeeded.',
  );
  const { groups } = JSON.parse((await run('--tag noise --json')).stdout);
  expect(groups).toMatchObject([{ count: 40, causes: [], suggestion: null }]);
});

test('without dead letters; --limit; wrong usage', async () => {
  const { run } = await withCauses();
  const empty = { store: memoryStore() };
  expect((await run('', empty)).stdout).toBe('No dead letter matches.\n');
  const none = JSON.parse((await run('--json --since 1h', empty)).stdout);
  expect(none).toMatchObject({ groups: [], window: { from: null, to: null } });
  expect((await run('--limit 1')).stdout).toContain('\nand 1 smaller group; --limit shows more\n');
  expect((await run('--limit 0')).exitCode).toBe(2);
});

test('the read is on record', async () => {
  const { run, store } = await withCauses();
  await run('');
  const records = (await store.auditBlocks(0, 1_000)).flatMap((block) => recordsIn(block));
  const [note] = records.filter(({ event }) => event === 'read');
  expect(note?.detail).toMatchObject({ command: 'dlq causes', reads: 'sessions' });
});

test.each([60, 80, 110])(
  'lines fit into a terminal of %s columns, without control characters',
  async (columns) => {
    const { run } = await withCauses();
    const { stdout } = await run('', { stream: { isTTY: true, columns } });
    for (const line of stdout.split('\n'))
      expect([...line].length, line).toBeLessThanOrEqual(columns);
    expect((await run('')).stdout).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
  },
);
