import { RedriveError } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import { carryOutOperation, submitOperation } from '@redrive/durable/control';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { COMMAND_TREE } from '../command-tree.ts';
import { makeBatch, openBreaker } from '../testing/control-states.ts';
import { deadLetters } from '../testing/dead-letters.ts';
import { START } from '../testing/job-store.ts';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

const commands = COMMAND_TREE.flatMap((each) =>
  'commands' in each
    ? each.commands.map((spec) => ({ path: `${each.name} ${spec.name}`, spec }))
    : [{ path: each.name, spec: each }],
);
const reading = commands.flatMap(({ path, spec }) =>
  spec.reads === undefined ? [] : [{ path, reads: spec.reads }],
);

/** What a command needs besides. */
const ARGS: Readonly<Record<string, readonly string[]>> = {
  'audit tail': ['--for', '0s'],
  'audit export': ['--to', '-'],
  'dlq export': ['--to', '-', '--payload', 'full'],
  'policies backtest': ['KV_GET', 'KV_PUT'],
  'policies recommend': ['KV_GET'],
  'lab record': ['--to', 'recording'],
  'stuck explain': ['archives', 'a-17'],
  // Only its editor shows the payload.
  'dlq edit': [],
};

/** The command line, with the id of a dead letter where one is wanted. */
function lineOf(path: string, id: string): string[] {
  const wantsId =
    !/^(metrics show|lab replay)$/.test(path) && /show|wait|edit|replay|watch|prove/.test(path);
  return [...path.split(' '), ...(wantsId ? [id] : []), ...(ARGS[path] ?? [])];
}

/** A dead letter; and a breaker and an operation that is over, which have its id as their name, for who looks at one. */
async function somethingToSee(path: string) {
  const all = await deadLetters(virtualClock(START), 1);
  const [id = ''] = all.ids;
  if (path.startsWith('breaker')) await openBreaker(all.store, id);
  if (path.startsWith('batches')) await makeBatch(all.store, id);
  if (path.startsWith('ops')) {
    const actor = { name: 'test' };
    await submitOperation(all.store, { id, act: 'reset', target: { ids: [] }, actor });
    await carryOutOperation(all.store, id);
  }
  return { ...all, id };
}

test('whatever shows payloads, sessions or metrics says so', () => {
  expect(reading.map(({ path, reads }) => `${path}: ${reads}`)).toEqual([
    'status: metrics',
    'doctor: metrics',
    'workers list: metrics',
    'jobs list: sessions',
    'jobs show: payloads',
    'jobs wait: payloads',
    'jobs watch: sessions',
    'batches list: metrics',
    'batches show: metrics',
    'queues list: metrics',
    'schedules list: metrics',
    'schedules show: payloads',
    'sweep status: metrics',
    'stuck list: sessions',
    'stuck explain: sessions',
    'documents list: sessions',
    'kill list: metrics',
    'breakers list: metrics',
    'breakers show: metrics',
    'gates list: metrics',
    'limits list: metrics',
    'park list: metrics',
    'dlq list: sessions',
    'dlq show: payloads',
    'dlq groups: sessions',
    'dlq causes: sessions',
    'dlq stats: metrics',
    'dlq export: payloads',
    'dlq edit: payloads',
    'dlq rules: metrics',
    'dlq export-rules: metrics',
    'escalations list: metrics',
    'escalations show: sessions',
    'ops list: metrics',
    'ops show: metrics',
    'ops watch: metrics',
    'audit list: sessions',
    'audit tail: sessions',
    'audit export: sessions',
    'audit replay: sessions',
    'audit prove: sessions',
    'metrics show: metrics',
    'policies backtest: sessions',
    'policies review: sessions',
    'policies recommend: sessions',
    'lab record: sessions',
    'lab replay: sessions',
  ]);
});

describe.each(reading)('$path', ({ path, reads }) => {
  test('leaves a record of who looked, from where and why', async () => {
    const { store, id, records } = await somethingToSee(path);
    const env = { SSH_CONNECTION: '203.0.113.7 50022 192.0.2.1 22', EDITOR: 'vi' };
    const why = 'INC-7, password=hunter2';
    const line = [...lineOf(path, id), '--reason', why];
    await runMain(line, { store, env, directory: scratchDirectory(onTestFinished) });
    const [note, ...others] = await records('read');
    expect(others).toEqual([]);
    expect(note?.detail).toMatchObject({
      by: expect.stringMatching(/^cli:.+@/),
      from: 'ssh:203.0.113.7',
      why: expect.stringContaining('INC-7'),
      command: path,
      reads,
    });
    expect(JSON.stringify(note)).not.toMatch(/hunter2|4711/);
  });

  test('shows nothing but numbers where it cannot be recorded', async () => {
    const { store, id } = await somethingToSee(path);
    const apply = () =>
      Promise.reject(new RedriveError('store_unavailable', 'the disk is full', { store: 'test' }));
    const readOnly: FullStore = { ...store, apply };
    const directory = scratchDirectory(onTestFinished);
    const { exitCode, stdout, stderr } = await runMain(lineOf(path, id), {
      store: readOnly,
      directory,
    });
    expect(stderr).toContain('the disk is full');
    if (reads === 'metrics') {
      // The clock of this store is not that of the machine, which is a problem for doctor.
      expect(exitCode).toBe(path === 'doctor' ? 1 : 0);
      expect(stderr).toContain('could not be recorded');
    } else {
      expect({ exitCode, stdout }).toEqual({ exitCode: 8, stdout: '' });
    }
  });
});

test('what is typed in the place of an id is masked as everything else', async () => {
  const { store, records } = await deadLetters(virtualClock(START), 1);
  await runMain(['dlq', 'show', 'password=hunter2'], { store });
  const notes = await records('read');
  expect(notes).toHaveLength(1);
  expect(JSON.stringify(notes)).not.toContain('hunter2');
});

test('reads of lists leave one audit record per person, view and quarter of an hour', async () => {
  const clock = virtualClock(START);
  const { store, records } = await deadLetters(clock, 1);
  const run = (line: string) => runMain(line.split(' '), { store, clock });
  for (let look = 0; look < 3; look++) await run('status');
  for (let look = 0; look < 3; look++) await run('jobs list');
  await run('jobs list --json --limit 5');
  await run('jobs list --tag urgent');
  await run('jobs list --reason INC-7');
  const commands = async () => (await records('read')).map((record) => record.detail.command);
  expect(await commands()).toEqual(['status', 'jobs list', 'jobs list', 'jobs list']);
  await clock.advance(900_000);
  await run('status');
  expect(await commands()).toHaveLength(5);
});

test('a payload that is opened, and an export, are on record each time', async () => {
  const clock = virtualClock(START);
  const { store, ids, records } = await deadLetters(clock, 1);
  const [id = ''] = ids;
  for (const line of [`dlq show ${id}`, `jobs show ${id}`, 'audit export --to -']) {
    await runMain(line.split(' '), { store, clock });
    await runMain(line.split(' '), { store, clock });
  }
  expect(await records('read')).toHaveLength(6);
});
