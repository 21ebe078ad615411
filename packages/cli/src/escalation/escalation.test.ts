import { escalationSettings, presetConfig } from '@redrive/config';
import { final, jobsOn } from '@redrive/durable';
import { DEFAULT_TIERS, lookAtEscalations } from '@redrive/durable/escalation';
import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { closeGate, parkJobs } from '../testing/control-states.ts';
import { jobStore, START } from '../testing/job-store.ts';
import { runMain } from '../testing/run-main.ts';
import { rulesOf } from './escalations.ts';

async function setUp() {
  const { store, clock } = jobStore(virtualClock(START));
  const handlers = { pay: () => final('card 4711 refused') };
  const jobs = jobsOn(store, handlers, { clock, worker: 'w1', log: 'off' });
  await jobs.start();
  await jobs.enqueue('pay', {} as never);
  await clock.advance(1_000);
  const stopped = jobs.stop();
  await clock.advance(5_000);
  await stopped;
  await lookAtEscalations(store, rulesOf(presetConfig()));
  const run = (...args: string[]) => runMain(['escalation', ...args], { store, clock });
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);
  const { escalations } = await json('list');
  const key: string = escalations[0].key;
  return { store, clock, run, json, key };
}

test('the tiers of the file are those of the library', () => {
  const { tiers } = escalationSettings(presetConfig());
  expect(JSON.parse(JSON.stringify(tiers))).toEqual(JSON.parse(JSON.stringify(DEFAULT_TIERS)));
});

test('list: tier, counts, owner, state', async () => {
  const { run, key } = await setUp();
  const lines = (await run('list')).stdout.split('\n');
  expect(lines[0]).toMatch(/^tier +key +failed +stuck +owner +state +title$/);
  expect(lines[1]).toContain(key);
  expect(lines[1]).toMatch(/3 +fp1:\w+ +1 +0 +Service team +notified/);
});

test('the cause of parked jobs has its name of "redrive park list", in the list and as an argument', async () => {
  const clock = virtualClock(START);
  const { store } = jobStore(clock);
  await closeGate(store, { dependency: 'shop' });
  await parkJobs(store, 'gate:["shop","",""]');
  await clock.advance(10_000);
  const run = (...args: string[]) => runMain(['escalation', ...args], { store, clock });
  expect((await run('list')).stdout).toMatch(/^ +\d +gate:shop +0 +1 /m);
  expect((await run('show', 'gate:shop')).stdout).toMatch(/^gate:shop\n/);
});

test('ack, snooze, assign and decide are in the log of show, by whom and why', async () => {
  const { run, json, key, clock } = await setUp();
  const short = key.slice(0, 8);
  expect((await run('ack', short, '--reason', 'INC-7')).stdout).toBe(
    `The escalation ${key} is acknowledged.\n`,
  );
  await clock.advance(1_000);
  expect(await json('snooze', key, '--for', '2h')).toMatchObject({
    snoozed_until: '2027-01-31T10:00:07.000Z',
    dry_run: false,
  });
  await clock.advance(1_000);
  expect(await json('assign', key, 'payments')).toMatchObject({ owner: 'payments' });
  await clock.advance(1_000);
  expect((await run('decide', key, '--decision', 'requeue', '--reason', 'fixed')).stdout).toBe(
    `The escalation ${key} is decided: requeue.\nTo carry it out: redrive dlq requeue --group ${key}\n`,
  );
  const { log, ...shown } = await json('show', key);
  expect(shown).toMatchObject({ tier: 3, owner: 'payments', decision: 'requeue' });
  expect(log.map(({ act, why }: { act: string; why: string }) => [act, why])).toEqual([
    ['decide', 'fixed'],
    ['assign', null],
    ['snooze', null],
    ['acknowledge', 'INC-7'],
    ['raise', null],
  ]);
  const text = (await run('show', key)).stdout;
  expect(text).toContain('Log, the newest first');
  expect(text).toMatch(/raise \(tier 3, stuck 0, failed 1\) by escalation.look/);
});

test.each(['requeue', 'purge'])('the command that decide prints for %s runs', async (decision) => {
  const { store, clock, json, key } = await setUp();
  const { next } = await json('decide', key, '--decision', decision, '--reason', 'fixed');
  const [program, ...line] = next.split(' ');
  expect(program).toBe('redrive');
  const done = await runMain([...line, '--dry-run', '--json'], { store, clock });
  expect([done.exitCode, done.stderr]).toEqual([0, '']);
  expect(JSON.parse(done.stdout)).toMatchObject({ done: 1, refused: 0 });
});

test('a decision needs a reason, a snooze at most 30 days, a key that exists', async () => {
  const { run, key } = await setUp();
  expect((await run('decide', key, '--decision', 'leave')).exitCode).toBe(2);
  expect((await run('decide', key, '--reason', 'x')).exitCode).toBe(2);
  expect((await run('snooze', key, '--for', '31d')).exitCode).toBe(2);
  expect((await run('show', 'fp1:none')).exitCode).toBe(3);
  expect((await run('ack', 'nothing')).exitCode).toBe(3);
  const dry = await run('ack', key, '--dry-run');
  expect(dry.stdout).toBe(`The escalation ${key} would be acknowledged.\n`);
});
