import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pauseWork } from '@redrive/durable/control';
import type { AuditBlock } from '@redrive/durable/store';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { jobStore, START } from '../testing/job-store.ts';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

/** A job that is dead, one that succeeded, all sealed. */
async function withHistory() {
  const all = jobStore(virtualClock(START));
  const { jobs, work, store, clock } = all;
  const directory = scratchDirectory(onTestFinished);
  const { id: dead } = await jobs.enqueue('import', {});
  await jobs.enqueue('mail', {});
  await work(70_000);
  await store.seal();
  const run = (args: string, on = store) =>
    runMain(['audit', ...args.split(' ')], { store: on, clock, directory });
  /** Without a store: it would be found out. */
  const check = (args: string) =>
    runMain(['audit', 'check-proof', ...args.split(' ')], {
      directory,
      store: { ...store, apply: () => expect.fail('it asked the store') },
    });
  async function prove(record: string): Promise<string> {
    const { stdout, exitCode, stderr } = await run(`prove ${record} --to -`);
    expect(exitCode, stderr).toBe(0);
    writeFileSync(join(directory, 'proof.json'), stdout);
    return stdout;
  }
  async function head(): Promise<string> {
    const json = (await run('verify --json')).stdout;
    writeFileSync(join(directory, 'head.json'), json);
    const { seq, hash } = JSON.parse(json).head;
    return `${seq}:${hash}`;
  }
  return { ...all, run, check, prove, head, dead, directory };
}

describe('prove', () => {
  test('a job’s newest record, one by its revision, and one by its place', async () => {
    const { prove, dead, run, store } = await withHistory();
    const newest = JSON.parse(await prove(dead));
    expect(newest.record).toMatchObject({ id: dead, revision: 3, event: 'settle' });
    expect(JSON.parse(await prove(`${dead}@1`)).record).toMatchObject({
      id: dead,
      revision: 1,
      event: 'enqueue',
    });
    const listed = (await run(`list --session ${dead} --event claim --jsonl`)).stdout;
    const { record } = JSON.parse(listed);
    expect(record).toMatch(/^\d+\.\d+$/);
    expect(JSON.parse(await prove(record)).record).toMatchObject({
      id: dead,
      revision: 2,
      event: 'claim',
    });
    // What a note is about, too.
    await run('list --reason because');
    await store.seal();
    const actor = { name: 'test' };
    await pauseWork(store, { scope: 'queue', name: 'default', actor });
    await store.seal();
    expect(JSON.parse(await prove('kill:pause:queue:default')).record.event).toBe('control');
  });

  test('of a damaged block: list and prove name the same record, whatever stands before it', async () => {
    const { run, dead, store } = await withHistory();
    const damaged = async <B extends AuditBlock>(blocks: Promise<readonly B[]>) =>
      (await blocks).map((block) => ({ ...block, body: block.body.replace('[', '["damaged",') }));
    const reader = await store.readAudit();
    const of: typeof store = {
      ...store,
      auditBlocks: (after, limit) => damaged(store.auditBlocks(after, limit)),
      readAudit: async () => ({
        ...reader,
        block: async (seq) => (await damaged(reader.blocks('', 100))).find((b) => b.seq === seq),
        blocks: (after, limit) => damaged(reader.blocks(after, limit)),
      }),
    };
    const listing = `list --session ${dead} --event claim --jsonl`;
    const [block, index] = JSON.parse((await run(listing)).stdout).record.split('.');
    const { record } = JSON.parse((await run(listing, of)).stdout);
    expect(record).toBe(`${block}.${Number(index) + 1}`);
    // Exit code 3 would say that there is no such record.
    const { exitCode, stderr } = await run(`prove ${dead} --to -`, of);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringMatching(/verify/) });
  });

  test('of a job that retention has deleted', async () => {
    const { prove, dead, store } = await withHistory();
    const after = { succeededAfterMs: 0, cancelledAfterMs: 0, deadAfterMs: 0, purgedAfterMs: 0 };
    await store.apply([{ kind: 'prune', ...after, limit: 100, actor: { name: 'test' } }]);
    await store.seal();
    expect(await store.job(dead)).toBeUndefined();
    expect(JSON.parse(await prove(dead)).record).toMatchObject({
      id: dead,
      revision: 4,
      event: 'prune',
    });
    expect(JSON.parse(await prove(`${dead}@3`)).record).toMatchObject({
      id: dead,
      revision: 3,
      event: 'settle',
    });
  });

  test('a file that only its owner can read, and what else is in it', async () => {
    const { run, dead, directory, head } = await withHistory();
    const { stdout, exitCode } = await run(`prove ${dead}`);
    expect(exitCode).toBe(0);
    const [name = ''] = readdirSync(directory);
    expect(name).toMatch(/^proof-\d+-\d+-20270131T080111Z\.json$/);
    expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
    expect(stdout).toContain(`is in ${name}.`);
    expect(stdout).toMatch(/The proof also contains 1 other record of the same\s+transaction/);
    expect(stdout).toContain(`head ${await head()}`);
    const file = JSON.parse(readFileSync(join(directory, name), 'utf8'));
    expect(file).toMatchObject({ format: 'redrive/proof/1' });
    const { stderr } = await run(`prove ${dead} --to -`);
    expect(stderr).toMatch(/also contains 1 other record/);
  });

  test('what is not sealed yet has no proof, and is told when it will', async () => {
    const { run, jobs } = await withHistory();
    const { id } = await jobs.enqueue('mail', {});
    const { exitCode, stderr, stdout } = await run(`prove ${id} --to -`);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/is not sealed yet/);
    expect(stderr).toMatch(/about a second/);
  });

  test.each(['nobody', '99.0', '1.77', 'nobody@3'])('%s: no such record', async (record) => {
    const { run } = await withHistory();
    expect((await run(`prove ${record}`)).exitCode).toBe(3);
  });

  test('up to a head that was saved before', async () => {
    const { run, dead, jobs, store, head } = await withHistory();
    const before = await head();
    const { id } = await jobs.enqueue('mail', {});
    await store.seal();
    const proof = JSON.parse((await run(`prove ${dead} --to - --head ${before}`)).stdout);
    expect(`${proof.head.seq}:${proof.head.hash}`).toBe(before);
    // Not of what came later, and not of a head of somebody else.
    const later = await run(`prove ${id} --head-file head.json`);
    expect(later.exitCode).toBe(1);
    expect(later.stderr).toContain('saved later');
    const other = await run(`prove ${dead} --head 1:${'0'.repeat(64)}`);
    expect(other.exitCode).toBe(1);
    expect(other.stderr).toContain('from another store');
  });

  test('a damaged log gives no proof', async () => {
    const { run, dead, store } = await withHistory();
    const changed = {
      ...store,
      readAudit: async () => {
        const reader = await store.readAudit();
        const block = async (seq: number) => {
          const found = await reader.block(seq);
          return found && { ...found, body: found.body.replace('final_error', 'handed_over') };
        };
        return { ...reader, block };
      },
    };
    const { exitCode, stderr } = await run(`prove ${dead} --to -`, changed);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('audit verify');
  });
});

describe('check-proof', () => {
  test('holds for the head that was saved, and says what it proves', async () => {
    const { prove, check, head, dead } = await withHistory();
    await prove(dead);
    const saved = await head();
    for (const how of [`--head ${saved}`, '--head-file head.json']) {
      const { exitCode, stdout } = await check(`proof.json ${how}`);
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/^The proof holds/);
      expect(stdout).toContain(`settle   ${dead}`);
      expect(stdout).toMatch(/sealed by anchor \d+ at/);
    }
    const json = JSON.parse((await check(`proof.json --head ${saved} --json`)).stdout);
    expect(json).toMatchObject({ holds: true, problem: null, record: { id: dead } });
    // Without a head it does not say that it holds.
    const alone = await check('proof.json');
    expect(alone.exitCode).toBe(1);
    expect(alone.stdout).toMatch(/^The proof is consistent/);
    expect(alone.stdout).toContain(saved);
    const { stdout } = await check('proof.json --json');
    const said = JSON.parse(stdout);
    expect(said).toMatchObject({ holds: false, problem: 'no_head', record: { id: dead } });
    expect(`${said.head.seq}:${said.head.hash}`).toBe(saved);
  });

  test('does not hold for another head, and says why', async () => {
    const { prove, check, dead, store, jobs, head } = await withHistory();
    const old = await head();
    await prove(dead);
    const wrong = await check(`proof.json --head ${old.replace(/:.*/, `:${'0'.repeat(64)}`)}`);
    expect(wrong).toMatchObject({ exitCode: 1 });
    expect(wrong.stdout).toMatch(
      /^The proof does not hold\.\nAnchor \d+ of the proof differs from your head/,
    );
    const { id } = await jobs.enqueue('mail', {});
    await store.seal();
    const newer = await check(`proof.json --head ${await head()}`);
    expect(newer.exitCode).toBe(1);
    expect(newer.stdout).toMatch(/ask for a\s+proof up to\s+anchor 2/);
    await prove(id);
    const older = JSON.parse((await check(`proof.json --head ${old} --json`)).stdout);
    expect(older).toMatchObject({ holds: false, problem: 'head_too_old', record: null });
  });

  test('what somebody has changed is refused', async () => {
    const { prove, check, dead, head, directory } = await withHistory();
    const proof = await prove(dead);
    const saved = await head();
    for (const [what, text] of [
      ['record', proof.replace('"final_error"', '"handed_over"')],
      ['block_hash', proof.replaceAll('final_error', 'handed_over')],
      ['format', proof.replace('"leaf"', '"leave"')],
      ['format', '{'],
      ['format', ''],
    ] as const) {
      writeFileSync(join(directory, 'proof.json'), text);
      const { exitCode, stdout } = await check(`proof.json --head ${saved} --json`);
      expect(exitCode).toBe(1);
      expect(JSON.parse(stdout)).toMatchObject({ holds: false, problem: what });
    }
  });

  test('a file of 300 MB is not read', async () => {
    const { check, directory } = await withHistory();
    // A file with a hole: 300 MB to who reads it, and nothing on the disk.
    writeFileSync(join(directory, 'huge.json'), '');
    truncateSync(join(directory, 'huge.json'), 300_000_000);
    const before = process.memoryUsage.rss();
    const { exitCode, stderr, stdout } = await check('huge.json');
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'redrive: huge.json has more than 64 MiB: it was not read.\n',
    });
    expect(process.memoryUsage.rss() - before).toBeLessThan(100_000_000);
  });

  test('a file that is not there: exit code 1, and no word about configurations', async () => {
    const { check } = await withHistory();
    const { exitCode, stderr } = await check('nowhere.json');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Check the path');
  });

  test('nothing in a proof reaches the terminal as control characters', async () => {
    const { check, store, prove } = await withHistory();
    const evil = '\x1b[2J\u202E';
    const detail = JSON.stringify({ by: evil, why: evil });
    await store.apply([{ kind: 'note', event: 'act', subject: evil, detail }]);
    await store.seal();
    const proof = await prove(evil);
    for (const text of [proof, (await check('proof.json')).stdout]) {
      expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
    }
  });
});
