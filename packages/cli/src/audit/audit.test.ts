import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FullStore, jobsOn, memoryStore } from '@redrive/durable';
import type { AuditReader } from '@redrive/durable/audit';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { jobStore, START } from '../testing/job-store.ts';
import { type RunOptions, runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

/** One job of each end, by two tenants. */
async function withHistory() {
  const all = jobStore(virtualClock(START));
  const { jobs, work, store, clock } = all;
  const dead = await jobs.enqueue('import', {}, { tenant: 'acme', traceId: TRACE });
  const retried = await jobs.enqueue(
    'mail',
    { failures: 1 },
    { tenant: 'zoo', correlationId: 'order-7' },
  );
  await work(70_000);
  await store.seal();
  const run = (args: string, options: RunOptions = {}) =>
    runMain(['audit', ...args.split(' ')], { store, clock, ...options });
  return { ...all, run, dead: dead.id, retried: retried.id };
}

test('the delay of a parked job is a limit, and a look says what was looked at', async () => {
  const clock = virtualClock(START);
  const store = memoryStore({ clock });
  const policy = { maxAttempts: 3, enableCircuitBreaker: true, circuitBreakerThreshold: 1 };
  const run = () => Promise.reject(new Error('the bank is down'));
  const handlers = { charge: { run, policy, dependency: 'bank' } };
  const jobs = jobsOn(store, handlers, { clock, log: 'off' });
  await jobs.start();
  const { id } = await jobs.enqueue('charge', 7);
  await clock.advance(10_000);
  const stopped = jobs.stop();
  await clock.advance(1_000);
  await stopped;
  const options: RunOptions = { store, clock, env: { COLUMNS: '200' } };
  const { stdout: replayed } = await runMain(['audit', 'replay', id], options);
  expect(replayed).toContain('leased → parked, attempt 2 breaker_open, waits at most 1 d');
  expect(replayed).toContain('park for at most 1 d: breaker_open');
  const { stdout: listed } = await runMain(['audit', 'list', '--session', id], options);
  expect(listed).toContain('looked at sessions with "audit replay"');
});

function jsonLines(text: string) {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('list', () => {
  test('the newest record first, for people and as JSON lines', async () => {
    const { run, dead } = await withHistory();
    const { exitCode, stdout, stderr } = await run(`list --session ${dead} --reason looking`);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain(
      `2027-01-31 08:00:00Z settle   ${dead} leased → dead, attempt 1\n    final_error: the file is not there, by worker-1-`,
    );
    const { stdout: json } = await run(
      `list --session ${dead} --event settle --event claim --jsonl`,
    );
    const records = jsonLines(json);
    expect(records.map(({ event }) => event)).toEqual(['settle', 'claim']);
    expect(records[0]).toMatchObject({
      time: '2027-01-31T08:00:00.000Z',
      id: dead,
      from: 'leased',
      to: 'dead',
      by: expect.stringMatching(/^worker-1-/),
      detail: { reason: 'final_error' },
    });
  });

  test.each([
    ['--tenant acme', 'dead', 3],
    ['--tenant zoo', 'retried', 5],
    ['--correlation order-7', 'retried', 5],
    [`--trace ${TRACE}`, 'dead', 3],
    ['--operation import', 'dead', 3],
    ['--event settle --tenant zoo', 'retried', 2],
    ['--by worker-1 --tenant zoo', 'retried', 5],
    ['--since 30s --tenant zoo', 'retried', 2],
    ['--until 30s --tenant zoo', 'retried', 3],
  ] as const)('%s', async (filter, which, count) => {
    const all = await withHistory();
    const records = jsonLines((await all.run(`list ${filter} --jsonl`)).stdout);
    expect(records.map(({ id }) => id)).toEqual(Array(count).fill(all[which]));
  });

  test('a tenant is known of jobs that were deleted long ago', async () => {
    const { run, store, dead } = await withHistory();
    const actor = { name: 'test' };
    const after = { succeededAfterMs: 0, cancelledAfterMs: 0, deadAfterMs: 0, purgedAfterMs: 0 };
    await store.apply([{ kind: 'prune', ...after, limit: 100, actor }]);
    expect(await store.job(dead)).toBeUndefined();
    const records = jsonLines((await run('list --tenant acme --jsonl')).stdout);
    expect(records.map(({ event }) => event)).toEqual(['prune', 'settle', 'claim', 'enqueue']);
    // Here the record that knows it is not among those that were asked for.
    const ends = jsonLines((await run('list --tenant acme --event prune --jsonl')).stdout);
    expect(ends.map(({ id }) => id)).toEqual([dead]);
  });

  test('pages hold every record once', async () => {
    const { run } = await withHistory();
    const all = jsonLines((await run('list --jsonl --until 0s')).stdout);
    const paged: unknown[] = [];
    let after = '';
    for (let page = 0; page < 20; page++) {
      const { stdout, stderr } = await run(`list --json --limit 3 --until 1ms${after}`);
      const { records, next } = JSON.parse(stdout);
      expect(stderr).toBe('');
      paged.push(...records);
      if (next === null) break;
      after = ` --after ${next}`;
    }
    expect(paged).toEqual(all);
    expect(paged.length).toBeGreaterThan(6);
  });

  test('a cursor that is none is wrong usage', async () => {
    const { run } = await withHistory();
    expect((await run('list --after x')).exitCode).toBe(2);
  });

  test.each([
    '{',
    '[["x",0,"act",null,null,9000000000000000,0,0,0,0,{}]]',
    '[["x",0,7,null,null,0,0,0,0,0,{}]]',
    '[["x",0,"\\u001b[2J",null,null,0,0,0,0,0,{}]]',
    '[["x",1,"settle","\\u001b[2J",{},0,0,0,0,0,{}]]',
    '[["x",1,"settle","leased","dead",0,0,0,0,0]]',
  ])('a damaged block is passed over, verify is there for it: %s', async (body) => {
    const { store, clock } = await withHistory();
    const broken = {
      ...store,
      auditBlocks: async (after: number, limit: number) =>
        (await store.auditBlocks(after, limit)).map((block) =>
          block.seq === 2 ? { ...block, body } : block,
        ),
    };
    const options = { store: broken, clock };
    const { exitCode, stdout } = await runMain(['audit', 'list', '--jsonl'], options);
    expect(exitCode).toBe(0);
    expect(jsonLines(stdout).some(({ block }) => block === 2)).toBe(false);
    for (const args of [['list'], ['tail', '--for', '0s']]) {
      const ran = await runMain(['audit', ...args], options);
      expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
      expect(ran.stdout).not.toContain('\x1b');
    }
  });
});

describe('tail', () => {
  test('prints the newest, then what comes, until a signal', async () => {
    const { jobs, store } = await withHistory();
    let printed = '';
    let stop = () => {};
    let tell = () => {};
    const lines = (count: number) =>
      new Promise<void>((resolve) => {
        tell = () => printed.split('\n').length > count && resolve();
        tell();
      });
    const tail = runMain('audit tail --limit 2 --event enqueue --json'.split(' '), {
      store,
      onStdout: (text) => {
        printed += text;
        tell();
      },
      onSignals: (send) => {
        stop = () => send('SIGINT');
      },
    });
    await lines(2);
    const { id } = await jobs.enqueue('mail', {});
    await lines(3);
    expect(jsonLines(printed).map((record) => record.id)[2]).toBe(id);
    stop();
    expect((await tail).exitCode).toBe(0);
    expect(jsonLines(printed)).toHaveLength(3);
  });

  test('--for ends it', async () => {
    const { store } = await withHistory();
    const { exitCode, stdout } = await runMain(['audit', 'tail', '--for', '10ms'], { store });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/sessions\s+with\s+"audit tail"/);
  });
});

describe('export', () => {
  test('a file of our own name that only its owner can read', async () => {
    const { run } = await withHistory();
    const directory = scratchDirectory(onTestFinished);
    const { exitCode, stdout } = await run('export --event settle --json', { directory });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ file: 'audit-20270131T080111Z.jsonl', records: 3 });
    expect(readdirSync(directory)).toEqual(['audit-20270131T080111Z.jsonl']);
    const path = join(directory, 'audit-20270131T080111Z.jsonl');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const records = jsonLines(readFileSync(path, 'utf8'));
    expect(records.map(({ to }) => to).sort()).toEqual(['dead', 'scheduled', 'succeeded']);
    // The name of the file was taken within the same second.
    expect((await run('export', { directory })).exitCode).toBe(4);
  });

  test('to stdout, and nothing else there', async () => {
    const { run } = await withHistory();
    const { stdout } = await run('export --to - --tenant acme');
    expect(jsonLines(stdout).map(({ event }) => event)).toEqual(['enqueue', 'claim', 'settle']);
  });

  test('a directory that is not there: exit code 1, nothing left behind', async () => {
    const { run } = await withHistory();
    const directory = scratchDirectory(onTestFinished);
    expect((await run('export --to nowhere', { directory })).exitCode).toBe(1);
    expect(readdirSync(directory)).toEqual([]);
  });
});

/** The store with a log that somebody has changed behind its back. */
function tampered(store: FullStore, change: (reader: AuditReader) => AuditReader): FullStore {
  return { ...store, readAudit: async () => change(await store.readAudit()) };
}

describe('verify', () => {
  test('a sound log, with the head to save', async () => {
    const { run, store } = await withHistory();
    const { exitCode, stdout } = await run('verify');
    expect(exitCode).toBe(0);
    const head = /^head (\d+:[0-9a-f]{64})$/m.exec(stdout)?.[1] ?? '';
    expect(stdout).toContain('The audit log is sound.\nRead 8 records in 6 blocks, and derived 3');
    expect(stdout).toContain('All records are sealed.');
    // It leaves no record of its own, so it works where nobody may write.
    expect(await store.auditBlocks(6, 10)).toEqual([]);
    expect((await run(`verify --head ${head}`)).stdout).toContain(
      'contains the head that you saved',
    );
    const json = JSON.parse((await run('verify --json')).stdout);
    expect(json).toMatchObject({ ok: true, records: 8, decisions: 3, sealed: 8, problems: [] });
    expect(`${json.head.seq}:${json.head.hash}`).toBe(head);
  });

  test('one record that is not sealed yet is one', async () => {
    const { run, jobs } = await withHistory();
    await jobs.enqueue('mail', {});
    expect((await run('verify')).stdout).toMatch(
      /8 records are sealed; 1 is not sealed: no worker/,
    );
  });

  test('a changed record ends with 1, and says where', async () => {
    const { store, clock } = await withHistory();
    const changed = tampered(store, (reader) => ({
      ...reader,
      blocks: async (after, limit) =>
        (await reader.blocks(after, limit)).map((block) => ({
          ...block,
          body: block.body.replace('final_error', 'handed_over'),
        })),
    }));
    const options = { store: changed, clock };
    const { exitCode, stdout } = await runMain(['audit', 'verify'], options);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^The audit log has \d problems\.$/m);
    expect(stdout).toMatch(/^block_hash block \d\n {2}expected/m);
    const { stdout: json } = await runMain(['audit', 'verify', '--json'], options);
    expect(JSON.parse(json)).toMatchObject({ ok: false, problems_found: expect.any(Number) });
    expect(JSON.parse(json).problems[0]).toMatchObject({ kind: 'block_hash', where: {} });
  });

  test('an anchor with a time that is none is a problem, not an error', async () => {
    const { store, clock } = await withHistory();
    const changed = tampered(store, (reader) => ({
      ...reader,
      anchors: async (after, limit) =>
        (await reader.anchors(after, limit)).map((anchor) => ({ ...anchor, atMs: 9e15 })),
    }));
    const found = await runMain(['audit', 'verify'], { store: changed, clock });
    expect(found).toMatchObject({ exitCode: 1, stderr: '' });
    expect(found.stdout).toContain('sealed at no date');
    const json = await runMain(['audit', 'verify', '--json'], { store: changed, clock });
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, head: { time: null } });
  });

  test('a log that was cut is found by a head that was saved, as text or as JSON', async () => {
    const { run, store, clock, jobs } = await withHistory();
    const directory = scratchDirectory(onTestFinished);
    await jobs.enqueue('mail', {});
    await store.seal();
    const json = (await run('verify --json')).stdout;
    const { head } = JSON.parse(json);
    writeFileSync(join(directory, 'head.json'), json);
    writeFileSync(join(directory, 'head.txt'), `${head.seq}:${head.hash}\n`);
    const cut = tampered(store, (reader) => ({
      ...reader,
      head: async () => (await reader.anchors(undefined, 1))[0],
      anchors: async (after) => (after === undefined ? reader.anchors(undefined, 1) : []),
      blocks: async (after, limit) =>
        (await reader.blocks(after, limit)).filter(({ seq }) => seq <= 6),
      lookups: async (after, limit) =>
        (await reader.lookups(after, limit)).filter(({ auditBlock }) => auditBlock <= 6),
    }));
    for (const file of ['head.json', 'head.txt']) {
      const args = ['audit', 'verify', '--head-file', file];
      expect((await runMain(args, { store, clock, directory })).exitCode).toBe(0);
      const found = await runMain(args, { store: cut, clock, directory });
      expect(found.exitCode).toBe(1);
      expect(found.stdout).toContain('head');
    }
    expect((await runMain(['audit', 'verify'], { store: cut, clock })).exitCode).toBe(0);
  });

  test.each([
    ['--head x', 2, 'A head is a number'],
    ['--head 1:abc', 2, 'A head is a number'],
    ['--head-file none.txt', 1, 'Check the path. "redrive audit verify" prints the head'],
  ])('%s', async (args, code, hint) => {
    const { run } = await withHistory();
    const directory = scratchDirectory(onTestFinished);
    const { exitCode, stderr } = await run(`verify ${args}`, { directory });
    expect(exitCode).toBe(code);
    expect(stderr).toContain(hint);
  });
});

describe('replay', () => {
  test('every step: what was given, what decide answers, what was recorded', async () => {
    const { run, retried } = await withHistory();
    const { exitCode, stdout } = await run(`replay ${retried}`);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`${retried}  6 steps\ndecisions: 1 derived again, all with the same`);
    expect(stdout).toMatch(/3\. 2027-01-31 08:00:00Z settle: leased → scheduled, attempt 1/);
    expect(stdout).toContain('input     account.charged 1');
    expect(stdout).toMatch(/wait {6}back-off 1 min; jitter draws from/);
    expect(stdout).toMatch(/decide\/1 {2}retry after 1 min: retryable_error, entered as failed/);
    expect(stdout).toMatch(/recorded {2}retry after 1 min: retryable_error, entered as failed/);
    const json = JSON.parse((await run(`replay ${retried} --json`)).stdout);
    expect(json).toMatchObject({ session: retried, same: true, omitted: 0 });
    expect(json.steps[2].decision).toMatchObject({ same: true, recorded: { delay_ms: 60_000 } });
  });

  test('another answer than was recorded ends with 1', async () => {
    const { store, clock, retried } = await withHistory();
    const changed = tampered(store, (reader) => ({
      ...reader,
      blocks: async (after, limit) =>
        (await reader.blocks(after, limit)).map((block) => ({
          ...block,
          body: block.body.replace('"delayMs":60000', '"delayMs":1'),
        })),
    }));
    const options = { store: changed, clock };
    const { exitCode, stdout } = await runMain(['audit', 'replay', retried], options);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('NOT the same');
  });

  test('a session that nobody knows ends with 3', async () => {
    const { run } = await withHistory();
    expect((await run('replay nobody')).exitCode).toBe(3);
  });
});

test.each([60, 80, 110])('lines fit into a terminal of %s columns', async (columns) => {
  const { run, retried } = await withHistory();
  // A head is copied as a whole, and an id is never broken.
  for (const args of ['list', `replay ${retried}`]) {
    const { stdout } = await run(args, { stream: { isTTY: true, columns } });
    const longest = Math.max(...stdout.split('\n').map((line) => [...line].length));
    expect(longest, `${args}\n${stdout}`).toBeLessThanOrEqual(columns);
  }
});

test('nothing in the log reaches the terminal as control characters', async () => {
  const { run, store, retried: id } = await withHistory();
  const evil = '\x1b[2J\u202E';
  const detail = JSON.stringify({ by: evil, why: evil, command: evil });
  await store.apply([{ kind: 'note', event: 'read', subject: evil, detail }]);
  for (const args of [
    'list',
    'list --jsonl',
    `list --by ${evil}`,
    `replay ${id}`,
    `replay ${evil}`,
    'export --to -',
  ]) {
    const { stdout, stderr } = await run(args, { env: { COLUMNS: '60' } });
    expect(stdout + stderr, args).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
  }
});
