import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { closeGate, parkJobs, withWorker } from '../testing/control-states.ts';
import { jobStore, START } from '../testing/job-store.ts';
import { runMain } from '../testing/run-main.ts';

function setUp({ isAttended = true } = {}) {
  const { store: bare, clock } = jobStore(virtualClock(START));
  const store = isAttended ? withWorker(bare) : bare;
  const run = (...args: string[]) => runMain(['gate', ...args], { store, clock });
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);
  return { store, clock, run, json };
}

test('list: who asked to be left alone, until when, and what waits', async () => {
  const { store, clock, run, json } = setUp();
  expect((await run('list')).stdout).toMatch(/^No gate is closed\. A gate closes when/);
  await closeGate(store);
  await closeGate(store, { dependency: 'bank', tenant: 'acme' });
  await parkJobs(store, 'gate:["search","",""]', 12);
  await clock.advance(5_000);
  expect((await run('list')).stdout.split('\n')).toEqual([
    'dependency  tenant  opens    closed   parked',
    'bank        acme    in 15 s  5 s ago       0',
    'search              in 15 s  5 s ago      12',
    '',
  ]);
  const { gates } = await json('list');
  expect(gates[1]).toEqual({
    dependency: 'search',
    credential: null,
    tenant: null,
    until: '2027-01-31T08:00:20.000Z',
    since: '2027-01-31T08:00:00.000Z',
    cut: false,
    parked: 12,
    bounded: false,
  });
});

test('release: the gates of a dependency, or that of one tenant', async () => {
  const { store, run, json } = setUp();
  await closeGate(store);
  await closeGate(store, { tenant: 'acme' });
  await parkJobs(store, 'gate:["search","","acme"]', 2);
  const dry = await run('release', 'search', '--tenant', 'acme', '--dry-run');
  expect(dry.stdout).toBe(
    'The gate of search for the tenant acme would be open: 2 jobs are released at a\ngrowing pace.\n',
  );
  expect((await json('list')).gates).toHaveLength(2);
  await run('release', 'search', '--tenant', 'acme', '--reason', 'limit was raised');
  expect((await json('list')).gates).toMatchObject([{ tenant: null }]);
  await closeGate(store, { credential: 'k1' });
  const { stdout } = await run('release', 'search');
  expect(stdout).toBe(
    [
      'The gate of search is open: no job waits for it.',
      'The gate of search for the credential k1 is open: no job waits for it.\n',
    ].join('\n'),
  );
  expect((await json('list')).gates).toEqual([]);
});

test('a gate that is not closed is answered with what is', async () => {
  const { store, run } = setUp();
  expect((await run('release', 'search')).stderr).toContain('No gate is closed.');
  await closeGate(store);
  const { exitCode, stderr } = await run('release', 'serach');
  expect(exitCode).toBe(3);
  expect(stderr).toBe('redrive: No such gate of serach is closed.\nDid you mean search?\n');
  const other = await run('release', 'search', '--tenant', 'acme');
  expect(other.stderr).toContain('It has closed gates for other credentials or tenants');
});
