import { expect, test } from 'vitest';
import { COMMAND_TREE } from '../command-tree.ts';
import { runMain } from '../testing/run-main.ts';
import { storeWithAll } from '../testing/store-with-all.ts';
import { resolveWords } from './resolve-words.ts';

test('nouns are in the plural, and their singulars are the same', async () => {
  const store = await storeWithAll();
  for (const [one, many] of [
    ['queue list', 'queues list'],
    ['breaker list', 'breakers list'],
    ['gate list', 'gates list'],
    ['policy list', 'policies list'],
    ['job list', 'jobs list'],
    ['op list', 'ops list'],
    ['kill status', 'kill list'],
  ] as const) {
    expect(resolveWords(COMMAND_TREE, one.split(' ')).args).toEqual(many.split(' '));
    const ran = await runMain([...one.split(' '), '--plain'], { store });
    expect([one, ran.exitCode, ran.stderr]).toEqual([one, 0, '']);
    expect(ran.stdout.length).toBeGreaterThan(0);
  }
});

test('handler is the word of kill switches, and operation is accepted', async () => {
  const store = await storeWithAll();
  const run = (args: string) => runMain(args.split(' '), { store });
  const { stdout, stderr } = await run('kill engage handler resize');
  expect(stdout).toContain('Stopped: the handler resize');
  expect(stderr).toBe('To release it: redrive kill release handler resize\n');
  expect((await run('kill engage operation resize')).stdout).toMatch(/was already\s+engaged/);
  expect((await run('kill list')).stdout).toMatch(/^handler +resize +now/m);
  const { engaged } = JSON.parse((await run('kill list --json')).stdout);
  expect(engaged).toContainEqual(expect.objectContaining({ scope: 'operation', name: 'resize' }));
  expect((await run('kill release operation resize')).stdout).toContain('is released');
});

test.each([
  ['dlq retry', 'redrive dlq requeue'],
  ['dlq replay', 'redrive dlq requeue'],
  ['dlq delete', 'redrive dlq purge'],
  ['dlq ls', 'redrive dlq list'],
  ['dlq undo', 'redrive dlq restore'],
  ['jobs get', 'redrive jobs show'],
  ['jobs rm', 'redrive jobs cancel'],
  ['jobs requeue', 'redrive jobs retry'],
  ['job stop', 'redrive jobs cancel'],
  ['queue stop', 'redrive queues pause'],
  ['queues start', 'redrive queues resume'],
  ['kill stop', 'redrive kill engage'],
  ['ops stop', 'redrive ops pause, or redrive ops abort'],
  ['breakers open', 'redrive breakers force-open'],
  ['gates open', 'redrive gates release'],
  ['dead-letters', 'redrive dlq'],
  ['operations list', 'redrive ops'],
  ['requeue', 'redrive dlq requeue'],
  ['enqueue resize', 'redrive jobs enqueue'],
  ['run', 'redrive start'],
  ['stat', 'redrive status'],
  ['stop', 'redrive kill engage, or redrive queues pause'],
  ['kill all', 'redrive kill engage all'],
  ['version', 'redrive --version'],
  ['statsu', 'redrive status'],
])('%s suggests %s', async (line, meant) => {
  const { exitCode, stdout, stderr } = await runMain(line.split(' '));
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toMatch(/^error: unknown command '/);
  expect(stderr).toContain(`(Did you mean ${meant}?)\nRun "redrive `);
});

test('a word that means nothing here is answered with what is spelt alike', async () => {
  expect((await runMain(['jobs', 'shwo'])).stderr).toContain('(Did you mean redrive jobs show?)');
});

test('two policies that differ are not a policy that is not found', async () => {
  expect((await runMain(['policies', 'diff', 'KV_GET', 'NATS_CONNECT'])).exitCode).toBe(9);
  expect((await runMain(['policies', 'diff', 'KV_GET', 'KV_GTE'])).exitCode).toBe(3);
  expect((await runMain(['policies', 'diff', 'KV_GET', 'KV_GET'])).exitCode).toBe(0);
});

test('help <command> is <command> --help, by any of its names', async () => {
  const shown = await runMain(['queues', 'pause', '--help']);
  expect(shown.stdout).toContain('Usage: redrive queues pause');
  expect(await runMain(['help', 'queue', 'pause'])).toEqual(shown);
  expect(await runMain(['help', 'dlq'])).toEqual(await runMain(['dlq', '--help']));
  expect(await runMain(['help'])).toEqual(await runMain(['--help']));
  const { exitCode, stderr } = await runMain(['help', 'dlq', 'retry']);
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining('Did you mean redrive dlq requeue?'),
  ]);
  expect((await runMain(['help', 'nonsense'])).exitCode).toBe(2);
  expect((await runMain(['help', 'dlq', 'nonsense'])).exitCode).toBe(2);
});
