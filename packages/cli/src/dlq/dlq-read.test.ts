import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordsIn } from '@redrive/durable/store';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { jobStore, START } from '../testing/job-store.ts';
import { type RunOptions, runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

const SECRET = 'hunter2-of-the-payload';

/** Three dead imports, one of them back from a requeue, and a mail that ran out of attempts. */
async function withDead() {
  const all = jobStore(virtualClock(START));
  const { jobs, work, store, clock } = all;
  const imports: string[] = [];
  for (const tenant of ['acme', 'acme', 'zoo']) {
    const { id } = await jobs.enqueue('import', { password: SECRET } as object, {
      tenant,
      tags: [tenant],
    });
    imports.push(id);
    await work(1_000);
  }
  const mail = await jobs.enqueue('mail', { failures: 99 }, { policy: 'quick' });
  await work(3_600_000);
  const [back = ''] = imports;
  await store.apply([{ kind: 'act', act: 'requeue', id: back, actor: { name: 'test' } }]);
  await work(1_000);
  const run = (args: string, options: RunOptions = {}) =>
    runMain(['dlq', ...args.split(' ')], { store, clock, ...options });
  const json = async (args: string) => JSON.parse((await run(`${args} --json`)).stdout);
  return { ...all, run, json, imports, mail: mail.id, back };
}

describe('list', () => {
  test('the newest death first, with how many there are and which came back', async () => {
    const { run, back, imports, mail } = await withDead();
    const { exitCode, stdout, stderr } = await run('list');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(/^id +handler +died +tries +back +why$/);
    expect(lines[1]).toMatch(new RegExp(`^${back}  import +2s +1 +1x +final_error: the f`));
    expect(lines[2]).toContain(mail);
    expect(lines[2]).toContain('max_attempts_exceeded');
    expect(lines[3]).toContain(imports[2]);
    expect(lines.slice(5)).toEqual(['', '4 of 4 dead letters', '']);
  });

  test('--plain has no empty cell, ISO times, and the number of requeues', async () => {
    const { run, back } = await withDead();
    const { stdout } = await run('list --plain');
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    expect(rows[0]?.slice(0, 5)).toEqual([back, 'import', expect.any(String), '1', '1']);
    expect(rows.map((row) => row[4])).toEqual(['1', '0', '0', '0']);
    for (const row of rows) {
      expect(row).not.toContain('');
      expect(row[2]).toMatch(/^2027-01-31T\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
  });

  test.each([
    ['--tenant acme', 2],
    ['--tag zoo', 1],
    ['--handler mail', 1],
    ['--queue other', 0],
    ['--reason-code final_error', 3],
    ['--class retryable', 1],
    ['--text FILE', 3],
    ['--since 10s', 1],
    ['--until 10s', 3],
    ['--text nothing', 0],
  ])('%s finds %i', async (filter, count) => {
    const { json } = await withDead();
    const { letters, total } = await json(`list ${filter}`);
    expect(letters).toHaveLength(count);
    expect(total).toEqual({ count, bounded: false });
  });

  test('pages, and a group of one cause', async () => {
    const { json, back } = await withDead();
    const first = await json('list --limit 3');
    expect(first.letters[0]).toMatchObject({ id: back, came_back: true, generation: 2 });
    const second = await json(`list --limit 3 --after ${first.next}`);
    expect(second).toMatchObject({ letters: [{ came_back: false }], next: null });
    const group = await json(`list --group ${first.letters[0].fingerprint}`);
    expect(group.letters).toHaveLength(3);
  });

  test.each(['--limit 0', '--reason-code nonsense', '--since yesterday'])(
    '%s is wrong usage',
    async (args) => {
      const { run } = await withDead();
      expect((await run(`list ${args}`)).exitCode).toBe(2);
    },
  );
});

describe('show', () => {
  test('why it died, what to do next, how it went', async () => {
    const { run, back } = await withDead();
    const { exitCode, stdout } = await run(`show ${back}`);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`import ${back}  dead\n`);
    expect(stdout).toMatch(/final_error, trying again\s+cannot help\./);
    expect(stdout).toMatch(/It was requeued\s+once\s+before,\s+and\s+died\s+again\./);
    expect(stdout).toMatch(
      /The error is final, so a retry alone cannot help: remove\s+the\s+cause/,
    );
    expect(stdout).toContain(`redrive dlq requeue ${back}`);
    expect(stdout).toMatch(/redrive dlq list --group fp1:[0-9a-f]{16} +all 3 with this cause/);
    expect(stdout).toContain('cause       returned final: the file is not there');
    expect(stdout).toContain(' 2.1  ');
  });

  test('the payload is masked, unless it is asked for in full, which is on record', async () => {
    const { run, store, back } = await withDead();
    expect((await run(`show ${back}`)).stdout).not.toContain(SECRET);
    expect((await run(`show ${back} --payload none`)).stdout).not.toMatch(/^payload$/m);
    const full = await run(`show ${back} --payload full --reason incident-7`);
    expect(full.stdout).toContain(SECRET);
    const blocks = await store.auditBlocks(0, 1_000);
    const notes = blocks
      .flatMap((block) => recordsIn(block))
      .filter(({ event }) => event === 'read');
    expect(notes).toHaveLength(3);
    expect(notes[2]?.id).toBe(back);
    expect(notes[2]?.detail).toMatchObject({
      by: expect.stringMatching(/^cli:.+@/),
      from: 'local',
      why: 'incident-7',
      command: 'dlq show',
      reads: 'payloads',
      payload: 'full',
    });
  });

  test('as JSON: the envelope, and payloads that edits have replaced', async () => {
    const { json, store, work, back } = await withDead();
    const payload = { kind: 'json', text: '{"file":"other"}' } as const;
    const actor = { name: 'cli:ada@host' };
    await store.apply([{ kind: 'act', act: 'requeue', id: back, payload, actor }]);
    await work(1_000);
    const letter = await json(`show ${back}`);
    expect(letter).toMatchObject({
      original_event: { file: 'other' },
      abandoned_reason: 'non_retryable',
      redrive: { id: back, generation: 3, reason_code: 'final_error' },
      state: 'dead',
      came_back: true,
      same_cause: { count: 3, bounded: false },
      earlier_payloads: [{ generation: 2, by: 'cli:ada@host', payload: { password: '[masked]' } }],
    });
  });

  test('what is no dead letter ends with 3, and says what it is', async () => {
    const { run, jobs } = await withDead();
    const { id } = await jobs.enqueue('mail', {});
    const { exitCode, stderr } = await run(`show ${id}`);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 3,
      stderr: `redrive: ${id} is not a dead letter: its state is ready.\nLook at it with: redrive jobs show ${id}\n`,
    });
    expect((await run('show nobody')).exitCode).toBe(3);
  });
});

test('groups: each cause with its count, its handlers, its first and last death, and the next command', async () => {
  const { run, json, back } = await withDead();
  const { stdout } = await run('groups');
  expect(stdout.split('\n').slice(0, 3)).toEqual([
    '3  returned final: the file is not there',
    expect.stringMatching(/^ {3}import: last died 2 s ago, first 1 h ago, fp1:[0-9a-f]{16}$/),
    `   redrive dlq show ${back}`,
  ]);
  const { groups, next } = await json('groups --limit 1');
  expect(groups).toMatchObject([
    { count: 3, newest_id: back, handlers: ['import'], next: `redrive dlq show ${back}` },
  ]);
  expect((await json(`groups --after ${next}`)).groups).toMatchObject([{ count: 1 }]);
});

test('stats: how many, why, of what, when', async () => {
  const { run, json } = await withDead();
  const { stdout } = await run('stats');
  expect(stdout).toContain(
    '4 dead letters\nThe last died 2 s ago, the oldest 1 h ago. 1 died again',
  );
  expect(stdout).toMatch(/per hour, last 24 h {2}·{22}█▃ {2}4/);
  expect(stdout).toMatch(/ {4}3 {2}final_error\n {4}1 {2}max_attempts_exceeded/);
  const stats = await json('stats');
  expect(stats).toMatchObject({ tallied: 4, came_back: 1, total: { count: 4, bounded: false } });
  expect(stats.per_hour).toHaveLength(24);
  expect(stats.per_day.at(-1)).toEqual({
    from: '2027-01-31T00:00:00.000Z',
    count: 4,
    bounded: false,
  });
  expect((await json('stats --since 10s')).total.count).toBe(1);
  expect((await run('stats --handler none')).stdout).toBe('No dead letter matches.\n');
});

describe('export', () => {
  test('CSV into a file that only its owner can read', async () => {
    const { run } = await withDead();
    const directory = scratchDirectory(onTestFinished);
    const { stdout } = await run('export --format csv', { directory });
    const [file = '', ...others] = readdirSync(directory);
    expect(others).toEqual([]);
    expect(file).toMatch(/^dead-letters-\d{8}T\d{6}Z\.csv$/);
    expect(stdout).toBe(`4 dead letters are in ${file}.\n`);
    expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600);
    const text = readFileSync(join(directory, file), 'utf8');
    expect(text.split('\r\n')).toHaveLength(6);
    expect(text).not.toContain(SECRET);
  });

  test.each([
    ['', false],
    [' --payload none', false],
    [' --payload full', true],
  ])('JSON lines to stdout%s: the secret is there is %s', async (payload, isThere) => {
    const { run } = await withDead();
    const { stdout } = await run(`export --to - --tenant acme${payload}`);
    const letters = stdout.trim().split('\n');
    expect(letters).toHaveLength(2);
    expect(JSON.parse(letters[0] ?? '').redrive.origin.tenant).toBe('acme');
    expect(stdout.includes(SECRET)).toBe(isThere);
  });

  test('Ctrl-C leaves no half a file behind', async () => {
    const { store, clock } = await withDead();
    const directory = scratchDirectory(onTestFinished);
    const exits: number[] = [];
    let files: string[] = [];
    let interrupt = () => {};
    let reads = 0;
    const interrupted: typeof store = {
      ...store,
      deadLetters: (filter, page) => store.deadLetters(filter, { ...page, limit: 1 }),
      finished: async (ids: readonly string[]) => {
        reads += 1;
        // The file is made when the first letter has come.
        if (reads === 2) {
          files = readdirSync(directory);
          interrupt();
        }
        return store.finished(ids);
      },
    };
    await runMain(['dlq', 'export'], {
      store: interrupted,
      clock,
      directory,
      onSignals: (send) => {
        interrupt = () => {
          send('SIGINT');
          expect(readdirSync(directory)).toEqual([]);
        };
      },
      onExit: (code) => exits.push(code),
    });
    expect(files).toEqual([expect.stringMatching(/\.jsonl\.part$/)]);
    expect(exits).toEqual([130]);
  });

  test('--output names the file, which is replaced only with --force', async () => {
    const { run } = await withDead();
    const directory = scratchDirectory(onTestFinished, { 'dead.jsonl': 'mine\n' });
    const file = join(directory, 'dead.jsonl');
    const refused = await run('export --output dead.jsonl', { directory });
    expect({ ...refused }).toEqual({
      exitCode: 4,
      stdout: '',
      stderr: 'redrive: dead.jsonl exists already.\nAdd --force to replace it.\n',
    });
    expect(readFileSync(file, 'utf8')).toBe('mine\n');
    const forced = await run('export --output dead.jsonl --force', { directory });
    expect(forced.stdout).toBe('4 dead letters are in dead.jsonl.\n');
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(4);
    expect(readdirSync(directory)).toEqual(['dead.jsonl']);
    expect((await run('export --output - --limit 1')).stdout).toMatch(/^\{.*\}\n$/);
  });

  test('a file that appears meanwhile is not replaced, and nothing is left', async () => {
    const { store, clock } = await withDead();
    const directory = scratchDirectory(onTestFinished);
    const finished = async (ids: readonly string[]) => {
      writeFileSync(join(directory, 'dead.jsonl'), 'mine\n');
      return store.finished(ids);
    };
    const args = ['dlq', 'export', '--output', 'dead.jsonl'];
    const { exitCode } = await runMain(args, { store: { ...store, finished }, clock, directory });
    expect(exitCode).toBe(4);
    expect(readdirSync(directory)).toEqual(['dead.jsonl']);
    expect(readFileSync(join(directory, 'dead.jsonl'), 'utf8')).toBe('mine\n');
  });

  test('at most so many, over pages', async () => {
    const { run } = await withDead();
    const { stdout } = await run('export --to - --limit 3');
    expect(stdout.trim().split('\n')).toHaveLength(3);
  });
});

test.each([60, 80, 110])('lines fit into a terminal of %s columns', async (columns) => {
  const { run, back } = await withDead();
  for (const args of ['list', `show ${back}`, 'groups', 'stats']) {
    const { stdout } = await run(args, { stream: { isTTY: true, columns } });
    const longest = Math.max(...stdout.split('\n').map((line) => [...line].length));
    expect(longest, `${args}\n${stdout}`).toBeLessThanOrEqual(columns);
  }
});

test('nothing of a letter reaches the terminal as control characters', async () => {
  const { run, mail } = await withDead();
  for (const args of [
    'list',
    `show ${mail}`,
    `show ${mail} --json`,
    'groups',
    'stats',
    'export --to -',
  ]) {
    const { stdout } = await run(args);
    expect(stdout, args).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
  }
});
