import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { RedriveError } from '@redrive/core';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { deadLetters } from '../testing/dead-letters.ts';
import { START } from '../testing/job-store.ts';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

const dead = (count: number) => deadLetters(virtualClock(START), count);

describe('by id', () => {
  test('a letter is sent back, with who, why and the operation on record', async () => {
    const { run, ids, states, records } = await dead(1);
    const { exitCode, stdout, stderr } = await run(`requeue ${ids[0]} --reason fixed`);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(
      /^Bulk operation op_\w+\nThey wait: no live worker has import\. To let them start: redrive start\n/,
    );
    expect(stdout).toContain('1 dead letter was requeued.');
    expect(await states()).toEqual(['ready']);
    const [record] = await records('requeue');
    const operation = /op_\w+/.exec(stderr)?.[0];
    expect(record?.detail).toMatchObject({
      by: expect.stringMatching(/^cli:.+@/),
      why: 'fixed',
      operation,
    });
  });

  test('submitted twice with one operation id, it acts once', async () => {
    const { json, ids, records } = await dead(1);
    const once = await json(`requeue ${ids[0]} --operation incident-7`);
    expect(once).toMatchObject({ exitCode: 0, done: 1, already_done: false, finished: true });
    const twice = await json(`requeue ${ids[0]} --operation incident-7`);
    expect(twice).toMatchObject({ exitCode: 0, done: 1, already_done: true });
    expect(await records('requeue')).toHaveLength(1);
  });

  test('the id of another act is a conflict', async () => {
    const { run, ids } = await dead(2);
    await run(`requeue ${ids[0]} --operation incident-7`);
    expect((await run(`requeue ${ids[1]} --operation incident-7`)).exitCode).toBe(7);
    expect((await run(`purge ${ids[1]} --operation incident-7`)).exitCode).toBe(7);
  });

  test('some done is 5, none there is 3, none possible is 7', async () => {
    const { json, ids } = await dead(1);
    const some = await json(`requeue ${ids[0]} nobody`);
    expect(some).toMatchObject({
      exitCode: 5,
      done: 1,
      refused: 1,
      refusals: [{ id: 'nobody', refusal: 'not_found', note: 'there is no such job' }],
    });
    expect((await json('requeue nobody')).exitCode).toBe(3);
    expect(await json(`requeue ${ids[0]}`)).toMatchObject({
      exitCode: 7,
      refusals: [{ refusal: 'illegal', note: 'it is ready' }],
    });
  });

  test('--dry-run says what would be done, and does nothing', async () => {
    const { run, json, ids, states, store } = await dead(2);
    const blocks = (await store.auditBlocks(0, 1_000)).length;
    const { exitCode, stdout } = await run(`requeue ${ids[0]} nobody --dry-run`);
    expect(exitCode).toBe(5);
    expect(stdout).toContain(`1 dead letter would be requeued.`);
    expect(stdout).toContain(`1 would not be:\n  nobody there is no such job\n`);
    expect(await json(`purge ${ids[1]} --dry-run`)).toMatchObject({ dry_run: true, done: 1 });
    expect(await states()).toEqual(['dead', 'dead']);
    expect(await store.auditBlocks(0, 1_000)).toHaveLength(blocks);
  });

  test.each([
    ['purge', 'succeeded'],
    ['requeue', 'cancelled'],
    ['reset', 'ready'],
  ])('%s leaves alone what is %s: it is no dead letter', async (act, state) => {
    const { run, jobs, work, store } = await dead(0);
    const { id } = await jobs.enqueue('mail', {});
    if (state === 'cancelled') await jobs.cancel(id);
    if (state === 'succeeded') await work(1_000);
    const { exitCode, stderr } = await run(`${act} ${id}`);
    expect(exitCode).toBe(7);
    expect(stderr).toContain(`is not a dead letter: its state is ${state}`);
    expect((await store.job(id))?.state).toBe(state);
  });

  test('reset gives fresh attempts to a letter that stays one', async () => {
    const { run, ids, store } = await dead(1);
    expect((await run(`reset ${ids[0]}`)).stdout).toContain('1 dead letter was reset.');
    expect(await store.job(ids[0] ?? '')).toMatchObject({
      state: 'dead',
      account: { generation: 2, claims: 0 },
    });
  });
});

describe('by filter', () => {
  test('without consent it shows the plan and does nothing', async () => {
    const { run, states } = await dead(3);
    const { exitCode, stdout, stderr } = await run('requeue --handler import');
    expect(exitCode).toBe(4);
    expect(stdout).toBe('');
    expect(stderr).toContain('3 dead letters would be requeued.');
    expect(stderr).toMatch(/Add --confirm=3 to go ahead/);
    expect(await states()).toEqual(['dead', 'dead', 'dead']);
  });

  test('with the number of the plan it goes ahead, with another one it does not', async () => {
    const { run, json, states } = await dead(3);
    expect((await run('purge --handler import --confirm=2')).exitCode).toBe(4);
    expect(await states()).toEqual(['dead', 'dead', 'dead']);
    expect(await json('purge --handler import --confirm=3')).toMatchObject({ done: 3 });
    expect(await states()).toEqual(['purged', 'purged', 'purged']);
  });

  test('the limit takes the oldest', async () => {
    const { json, states } = await dead(3);
    const planned = await json('requeue --all --limit 2 --dry-run');
    expect(planned).toMatchObject({ exitCode: 0, done: 2, more: true });
    expect(await json('requeue --all --limit 2 --yes')).toMatchObject({ done: 2 });
    expect(await states()).toEqual(['ready', 'ready', 'dead']);
  });

  test('submitted again it goes on, or does nothing, also by its id alone', async () => {
    const { json, jobs, clock, work, records } = await dead(2);
    await json('requeue --handler import --yes --operation op-1');
    await work(1_000);
    await jobs.enqueue('import', {});
    await work(1_000);
    await clock.advance(10);
    // Two came back and one is new: none of them is part of it.
    for (const args of ['--operation op-1', '--handler import --yes --operation op-1']) {
      expect(await json(`requeue ${args}`)).toMatchObject({ done: 2, already_done: true });
    }
    expect(await records('requeue')).toHaveLength(2);
  });

  test('submitted again when nothing is left, it says what it did', async () => {
    const { json } = await dead(2);
    const args = 'requeue --handler import --yes --operation op-1';
    await json(args);
    expect(await json(args)).toMatchObject({ exitCode: 0, done: 2, already_done: true });
  });

  test('Ctrl-C stops between two batches, and says how to go on', async () => {
    const { store, clock, states } = await dead(3);
    const slow = {
      ...store,
      stepOperation: (step: Parameters<typeof store.stepOperation>[0]) => {
        send('SIGINT');
        return store.stepOperation({ ...step, finished: false, cursor: step.cursor ?? '0' });
      },
    };
    let send: (signal: 'SIGINT') => void = () => {};
    const args = ['dlq', 'requeue', '--all', '--yes', '--operation', 'op-1'];
    const { exitCode, stderr } = await runMain(args, {
      store: slow,
      clock,
      onSignals: (sender) => {
        send = sender;
      },
    });
    expect(exitCode).toBe(130);
    expect(stderr).toContain('To continue here: redrive dlq requeue --operation op-1\n');
    expect(await states()).toEqual(['ready', 'ready', 'ready']);
  });

  test('a store that goes away: the operation id is there to go on with', async () => {
    const { store, clock, ids } = await dead(1);
    const away = async () => {
      throw new RedriveError('store_unavailable', 'The store is away', { store: 'test' });
    };
    const args = ['dlq', 'requeue', '--all', '--yes', '--operation', 'op-1', '--deadline', '+2h'];
    const broken = { ...store, stepOperation: away };
    const { exitCode, stderr } = await runMain(args, { store: broken, clock });
    expect(exitCode).toBe(8);
    expect(stderr).toContain(
      'continue it with: redrive dlq requeue --operation op-1 --deadline +2h\n',
    );
    const line = ['dlq', 'requeue', '--operation', 'op-1', '--deadline', '+2h'];
    expect((await runMain(line, { store, clock })).exitCode).toBe(0);
    const byId = ['dlq', 'requeue', ids[0] ?? '', '--operation', 'op-2'];
    const { stderr: again } = await runMain(byId, { store: broken, clock });
    expect(again).toContain('continue it with: the same command with --operation op-2\n');
  });

  test.each([
    ['requeue', 2, 'No dead letters were selected'],
    ['requeue 1 --all', 2, 'by ids or by a filter'],
    ['requeue --handler none --yes', 3, ''],
    ['requeue --all --yes --limit 0', 2, '--limit must be'],
  ])('%s ends with %i', async (args, code, text) => {
    const { run } = await dead(1);
    const { exitCode, stderr } = await run(args);
    expect(exitCode).toBe(code);
    expect(stderr).toContain(text);
  });
});

describe('purge and restore', () => {
  test('it says until when, and the purge can be undone as a whole', async () => {
    const { run, json, states, ids, clock } = await dead(3);
    const directory = scratchDirectory(onTestFinished, {
      'redrive.yaml': 'version: "1.1.0"\njobs: { retention: { purged: 3600 } }\n',
    });
    await run(`purge ${ids[2]} --operation other`);
    const { stdout } = await run('purge --all --yes --operation gone', { directory });
    expect(stdout).toMatch(
      /2 dead letters were purged\. They can be restored until 2027-01-31 09:00:\d\dZ/,
    );
    expect(stdout).toMatch(/redrive\s+dlq\s+restore\s+--purge\s+gone/);
    expect(await states()).toEqual(['purged', 'purged', 'purged']);
    expect(await json('restore --purge gone')).toMatchObject({ exitCode: 0, done: 2 });
    expect(await states()).toEqual(['dead', 'dead', 'purged']);
    await clock.advance(10);
    expect(await json('restore --handler import --yes')).toMatchObject({ done: 1 });
    expect((await run('restore --purge nothing')).exitCode).toBe(3);
  });

  test('a purged letter can be looked at, and shows how to take it back', async () => {
    const { run, ids } = await dead(1);
    await run(`purge ${ids[0]}`);
    const { stdout } = await run(`show ${ids[0]}`);
    expect(stdout).toContain('It was purged, and can');
    expect(stdout).toContain(`redrive dlq restore ${ids[0]}`);
    expect((await run('list')).stdout).toBe('No dead letter matches.\n');
  });
});

describe('edit', () => {
  test('sends it back with another payload, keeps the old one, and records neither', async () => {
    const { run, ids, store, records } = await dead(1);
    const [id = ''] = ids;
    const args = ['dlq', 'edit', id, '--payload', '{"n": 2, "pin": "sekret"}'];
    const { exitCode, stdout } = await runMain(args, { store });
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringContaining('1 dead letter was requeued'),
    });
    expect(await store.job(id)).toMatchObject({
      state: 'ready',
      payload: { text: '{"n":2,"pin":"sekret"}' },
    });
    expect(await store.earlierPayloads(id)).toMatchObject([{ generation: 1 }]);
    // Nothing was shown.
    expect(await records('read')).toEqual([]);
    const log = JSON.stringify(await store.auditBlocks(0, 1_000));
    expect(log).not.toContain('sekret');
    expect(log).not.toContain('hunter-0');
    expect((await run(`edit ${id} --payload {}`)).exitCode).toBe(3);
  });

  test('submitted twice with one operation id, it acts once', async () => {
    const { json, ids, records } = await dead(1);
    const args = `edit ${ids[0]} --payload {} --operation edit-1`;
    expect(await json(args)).toMatchObject({ done: 1, already_done: false });
    expect(await json(args)).toMatchObject({ done: 1, already_done: true });
    expect(await records('requeue')).toHaveLength(1);
  });

  test('a payload that no enqueue would take changes nothing', async () => {
    const { ids, store, states } = await dead(1);
    const text = JSON.stringify('x'.repeat(1024 * 1024));
    const directory = scratchDirectory(onTestFinished, { 'large.json': text });
    const args = ['dlq', 'edit', ids[0] ?? '', '--payload-file', 'large.json'];
    const { exitCode, stderr } = await runMain(args, { store, directory });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 4,
      stderr: expect.stringContaining('more than the 1048576 that are allowed'),
    });
    expect(await states()).toEqual(['dead']);
  });

  test('in an editor, which shows the payload, so the look is recorded', async () => {
    const { run, ids, store, records } = await dead(1);
    const env = { EDITOR: 'vi' };
    let seen = '';
    const left = await run(`edit ${ids[0]}`, { env, onEdit: (text) => text });
    expect(left.exitCode).toBe(4);
    const onEdit = (text: string) => {
      seen = text;
      return text.replace('0', '7');
    };
    expect((await run(`edit ${ids[0]}`, { env, onEdit })).exitCode).toBe(0);
    expect(await records('read')).toHaveLength(2);
    expect(seen).toBe('{\n  "n": 0,\n  "password": "hunter-0"\n}\n');
    expect(await store.job(ids[0] ?? '')).toMatchObject({
      payload: { text: '{"n":7,"password":"hunter-0"}' },
    });
  });

  test('what is no JSON is refused, and what was written is kept', async () => {
    const { run, ids, states } = await dead(1);
    const onEdit = () => '{"n": }';
    const { exitCode, stderr } = await run(`edit ${ids[0]}`, { env: { EDITOR: 'vi' }, onEdit });
    expect(exitCode).toBe(2);
    const [, file] = /It is saved in (\S+):/.exec(stderr) ?? [];
    // Without a file, dirname would be the working directory, and the cleanup would delete that.
    if (file === undefined) throw new Error(`The message names no file: ${stderr}`);
    onTestFinished(() => rmSync(dirname(file), { recursive: true }));
    expect(existsSync(file)).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe('{"n": }');
    expect(await states()).toEqual(['dead']);
    expect((await run(`edit ${ids[0]}`)).stderr).toContain('No editor is set.');
    expect((await run(`edit ${ids[0]} --payload {`)).exitCode).toBe(2);
  });

  test('from a file', async () => {
    const { run, ids } = await dead(1);
    const directory = scratchDirectory(onTestFinished);
    writeFileSync(join(directory, 'new.json'), '[1]');
    const planned = await run(`edit ${ids[0]} --payload-file new.json --dry-run`, { directory });
    expect(planned.stdout).toContain('1 dead letter would be requeued');
    expect((await run(`edit ${ids[0]} --payload-file new.json`, { directory })).exitCode).toBe(0);
    expect((await run(`edit ${ids[0]} --payload-file no.json`, { directory })).exitCode).toBe(1);
  });

  test('whoever is second finds that somebody was faster', async () => {
    const { run, ids, store } = await dead(1);
    const [id = ''] = ids;
    const onEdit = () => {
      void store.apply([{ kind: 'act', act: 'reset', id, actor: { name: 'other' } }]);
      return '{}';
    };
    const { exitCode, stdout } = await run(`edit ${id}`, { env: { VISUAL: 'vi' }, onEdit });
    expect(exitCode).toBe(7);
    expect(stdout).toContain('it was changed in the meantime');
  });
});
