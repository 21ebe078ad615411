import { claimRate } from '@redrive/durable/store';
import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { jobStore, START } from '../testing/job-store.ts';
import { runMain } from '../testing/run-main.ts';

const NAME = 'handler:mail/tenant/60000ms';

async function setUp() {
  const { store, clock, jobs } = jobStore(virtualClock(START));
  const run = (...args: string[]) => runMain(['limits', ...args], { store, clock });
  const document = JSON.stringify({ limit: 2, burst: 2 });
  await store.apply([{ kind: 'control', of: 'rate', key: NAME, expect: 0, document }]);
  for (const tenant of ['acme', 'acme', 'acme', 'other']) {
    await jobs.enqueue('mail', {}, { tenant });
  }
  return { store, clock, run };
}

/** A worker takes what the rate lets start. */
const claim = {
  kind: 'claim',
  ...{ worker: 'w', leaseMs: 60_000, limit: 10, ahead: 0 },
  lanes: [{ handler: 'mail', limit: 10, policyHash: 'p', limitPerKey: 1 }],
  rates: [claimRate({ handler: 'mail' }, { limit: 2, perMs: 60_000, by: 'tenant' })],
} as const;

test('list: which rate keeps how many jobs back, and since when', async () => {
  const { store, clock, run } = await setUp();
  await store.apply([claim]);
  await clock.advance(3_000);
  expect((await run('list')).stdout.split('\n')).toEqual([
    'rate                         limit  burst  waiting  since    values',
    `${NAME}      2      2        1  3 s ago       1`,
    '',
  ]);
  const { limits } = JSON.parse((await run('list', '--json')).stdout);
  expect(limits).toEqual([
    {
      ...{ name: NAME, handler: 'mail', queue: null, by: 'tenant', limit: 2, per_ms: 60_000 },
      ...{ burst: 2, declared: 2, set_by: null, set_at: null, why: null, jobs: 1, bounded: false },
      ...{ since: '2027-01-31T08:00:00.000Z', values: 1 },
      waiting: [
        { tenant: 'acme', key: null, handler: null, jobs: 1, since: '2027-01-31T08:00:00.000Z' },
      ],
    },
  ]);
});

test('set: at once, with a reason and a record, and back again', async () => {
  const { store, clock, run } = await setUp();
  const dry = await run('set', NAME, '--limit', '5', '--dry-run');
  expect(dry.stdout).toMatch(/ would be 5 starts in 60000 ms, at most 5 at\nonce\.\n$/);
  expect((await store.controls()).all[0]?.document).not.toContain('set');
  await run('set', NAME, '--limit', '5', '--burst', '1', '--reason', 'the provider asks');
  expect((await run('list')).stdout).toMatch(/ 5 +1 .*was 2: the provider asks/);
  const back = await run('set', NAME, '--reset', '--reason', 'back to normal');
  expect(back.stdout).toContain('is 2 starts in 60000 ms');
  const { stdout } = await runMain(['audit', 'list', '--json'], { store, clock });
  expect(stdout).toContain('the provider asks');
});

test('set: refuses names that no worker has, and a limit that is missing', async () => {
  const { run } = await setUp();
  const wrong = await run('set', 'handler:mail/tenant/6000ms', '--limit', '5');
  expect(wrong.exitCode).toBe(3);
  expect(wrong.stderr).toContain(`Did you mean ${NAME}?`);
  expect((await run('set', NAME)).exitCode).toBe(2);
  expect((await run('set', NAME, '--limit', '0')).exitCode).toBe(2);
});
