import { virtualClock } from '@redrive/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { brokenStore, jobStore, START, START_MS } from '../testing/job-store.ts';
import { type RunOptions, runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

const CONFIG = `version: "1.1.0"
jobs:
  handlers:
    resize: { command: ["./resize.sh"], idempotent: true }
`;

function setUp(files: Record<string, string> = {}) {
  const all = jobStore(virtualClock(START));
  const directory = scratchDirectory(onTestFinished, { 'redrive.yaml': CONFIG, ...files });
  const run = (args: readonly string[], options: RunOptions = {}) =>
    runMain(['jobs', 'enqueue', ...args], {
      store: all.store,
      clock: all.clock,
      directory,
      ...options,
    });
  return { ...all, run };
}

describe('one job', () => {
  test('prints its id; as JSON also what became of it', async () => {
    const { run, store } = setUp();
    const { exitCode, stdout, stderr } = await run(['resize', '--payload', '{"image":7}']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const job = await store.job(stdout.trim());
    expect(job).toMatchObject({
      handler: 'resize',
      state: 'ready',
      queue: 'default',
      payload: { kind: 'json', text: '{"image":7}' },
    });
    const json = JSON.parse((await run(['resize', '--payload', '1', '--json'])).stdout);
    expect(json).toEqual({
      id: expect.any(String),
      handler: 'resize',
      queue: 'default',
      outcome: 'created',
      dry_run: false,
    });
  });

  test('with a deadline that has passed is refused', async () => {
    const { run, store } = setUp();
    for (const deadline of ['2020-01-01T00:00:00Z', '+0s']) {
      const { exitCode, stderr } = await run(['resize', '--payload', '{}', '--deadline', deadline]);
      expect(exitCode).toBe(2);
      expect(stderr).toContain('--deadline has passed');
    }
    expect((await store.counts()).groups).toEqual([]);
  });

  test('has everything that the options say', async () => {
    const { run, store } = setUp();
    const { stdout } = await run([
      ...['resize', '--payload', '{}', '--queue', 'images', '--tenant', 'acme', '--priority', '-5'],
      ...['--run-at', '2027-02-01T08:00:00Z', '--deadline', '+48h', '--policy', 'KV_GET'],
      ...['--max-attempts', '4'],
      ...['--unique-key', 'image-7', '--limit-key', 'gpu', '--correlation-id', 'order-1'],
      ...['--idempotency-key', 'order-1/7', '--trace-id', '4bf92f3577b34da6'],
      ...['--tag', 'a', '--tag', 'b', '--header', 'trace=1=2', '--reason', 'test'],
    ]);
    expect(await store.job(stdout.trim())).toMatchObject({
      state: 'scheduled',
      queue: 'images',
      tenant: 'acme',
      priority: -5,
      dueAtMs: START_MS + 86_400_000,
      deadlineMs: START_MS + 2 * 86_400_000,
      policyId: 'KV_GET',
      maxAttempts: 4,
      uniqueKey: 'image-7',
      limitKey: 'gpu',
      correlationId: 'order-1',
      idempotencyKey: 'order-1/7',
      traceId: '4bf92f3577b34da6',
      tags: ['a', 'b'],
      headers: { trace: '1=2' },
    });
    const [block] = await store.auditBlocks(0, 1);
    expect(block?.body).toMatch(/"cli:[^"]+@[^"]+"/);
    expect(block?.body).toContain('test');
  });

  test('a unique key answers with the job that has it, or refuses', async () => {
    const { run } = setUp();
    const args = ['resize', '--payload', '{}', '--unique-key', 'one'];
    const { stdout: first } = await run(args);
    expect(JSON.parse((await run([...args, '--queue', 'other', '--json'])).stdout)).toEqual({
      id: first.trim(),
      handler: 'resize',
      queue: 'default',
      outcome: 'existing',
      dry_run: false,
    });
    const refused = await run([...args, '--on-conflict', 'refuse']);
    expect(refused).toMatchObject({ exitCode: 7, stdout: '' });
    expect(refused.stderr).toContain(
      `The unfinished job ${first.trim()} already has the unique key one`,
    );
  });

  test('an id is never run again, and belongs to one piece of work', async () => {
    const { run, store } = setUp();
    const args = ['resize', '--id', 'image-7', '--tenant', 'acme'];
    const { stdout: first } = await run([...args, '--payload', '{"a":1,"b":2}']);
    expect(first).toBe('id:acme:image-7\n');
    await store.apply([
      { kind: 'act', act: 'cancel', id: first.trim(), actor: { name: 'somebody' } },
    ]);
    const again = await run([...args, '--payload', '{"b":2,"a":1}', '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({ id: first.trim(), outcome: 'existing' });
    const other = await run([...args, '--payload', '{}']);
    expect(other).toMatchObject({ exitCode: 7, stdout: '' });
    expect(other.stderr).toContain(
      'The job id:acme:image-7 was enqueued with another handler or payload.',
    );
    expect((await store.counts()).groups).toMatchObject([{ state: 'cancelled', count: 1 }]);
  });

  test('a unique key counts for a time, also after the job', async () => {
    const { run, store } = setUp();
    const args = ['resize', '--payload', '{}', '--unique-key', 'slot', '--unique-for', '1h'];
    const id = (await run(args)).stdout.trim();
    await store.apply([{ kind: 'act', act: 'cancel', id, actor: { name: 'somebody' } }]);
    expect((await run(args)).stdout.trim()).toBe(id);
    const refused = await run([...args, '--on-conflict', 'refuse']);
    expect(refused.exitCode).toBe(7);
    expect(refused.stderr).toContain(`The job ${id} already has the unique key slot.`);
    const keyless = await run(['resize', '--payload', '{}', '--unique-for', '1h']);
    expect(keyless.exitCode).toBe(2);
    expect(keyless.stderr).toContain('--unique-for needs a key.');
    const long = await run([...args, '--unique-for', '400d']);
    expect(long.exitCode).not.toBe(0);
    expect(long.stderr).toContain('unique.forMs must be a number from 1 to 31622400000');
  });

  test('--dry-run stores nothing', async () => {
    const { run, store } = setUp();
    const { exitCode, stdout } = await run(['resize', '--payload', '{}', '--dry-run', '--json']);
    expect(exitCode).toBe(0);
    const planned = { id: null, outcome: 'would_be_created', dry_run: true };
    expect(JSON.parse(stdout)).toMatchObject(planned);
    expect((await store.counts()).groups).toEqual([]);
  });
});

describe('is refused', () => {
  test.each<[string, string[], number, RegExp]>([
    ['without a payload', ['resize'], 2, /The payload is missing\.\nWrite --payload/],
    [
      'a payload that is no JSON',
      ['resize', '--payload', '{a:1}'],
      2,
      /--payload is not valid JSON: .*\nCheck the quotes/,
    ],
    [
      'a number that loses digits',
      ['resize', '--payload', '[12345678901234567890]'],
      2,
      /would lose digits/,
    ],
    [
      'a number that would become null',
      ['resize', '--payload', '{"items":[0,{"price":-1e400}]}'],
      2,
      /the number at payload\.items\[1\]\.price is too large: it would become null/,
    ],
    ['both sources', ['resize', '--payload', '1', '--from', 'x'], 2, /cannot be used with option/],
    [
      'a handler that is nearly known',
      ['reszie', '--payload', '1'],
      3,
      /There is no handler "reszie"\.\nDid you mean "resize"\?.*--runs-elsewhere/,
    ],
    ['a handler that nobody knows', ['x', '--payload', '1'], 3, /Declare it under jobs\.handlers/],
    [
      'a policy that is nearly known',
      ['resize', '--payload', '1', '--policy', 'runs.defualt'],
      3,
      /There is no policy "runs\.defualt"\.\nDid you mean "runs\.default"\?/,
    ],
    [
      'a path that is not mapped',
      ['resize', '--payload', '1', '--policy', 'a.b'],
      3,
      /There is no policy "a\.b"/,
    ],
    [
      'a priority out of range',
      ['resize', '--payload', '1', '--priority', '5000'],
      2,
      /--priority must be/,
    ],
    [
      'a time without a zone',
      ['resize', '--payload', '1', '--run-at', '2027-02-01T08:00:00'],
      2,
      /--run-at is not a time/,
    ],
    [
      'a header that is none',
      ['resize', '--payload', '1', '--header', 'x'],
      2,
      /--header is not name=value: x/,
    ],
    ['a queue without a name', ['resize', '--payload', '1', '--queue', ''], 2, /queue/],
    [
      'a payload that is too large',
      ['resize', '--payload', `"${'x'.repeat(1024 * 1024)}"`],
      4,
      /bytes/,
    ],
  ])('%s', async (_, args, code, message) => {
    const { run, store } = setUp();
    const { exitCode, stdout, stderr } = await run(args);
    expect({ exitCode, stdout }, stderr).toEqual({ exitCode: code, stdout: '' });
    expect(stderr).toMatch(message);
    expect((await store.counts()).groups).toEqual([]);
  });

  test('what an application registers is known by its jobs, or taken on request', async () => {
    const { run, jobs } = setUp();
    expect((await run(['mail', '--payload', '{}'])).exitCode).toBe(3);
    expect((await run(['mail', '--payload', '{}', '--runs-elsewhere'])).exitCode).toBe(0);
    await jobs.enqueue('import', {});
    expect((await run(['import', '--payload', '{}'])).exitCode).toBe(0);
  });

  test('by a store that is away: 8', async () => {
    const { run, store } = setUp();
    const { exitCode, stderr } = await run(['resize', '--payload', '{}'], {
      store: brokenStore(store),
    });
    expect(exitCode).toBe(8);
    expect(stderr).toContain('The store is away');
  });
});

describe('a file of lines', () => {
  test('every payload is a job, in the order of the file', async () => {
    const lines = Array.from({ length: 1_200 }, (_, n) => `{"n":${n}}`);
    const { run, store } = setUp({ 'jobs.jsonl': `${lines.join('\n')}\n` });
    const { exitCode, stdout, stderr } = await run(['resize', '--from', 'jobs.jsonl', '--json']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '1,200 jobs enqueued.\n' });
    const printed = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(printed).toHaveLength(1_200);
    expect(printed[700]).toEqual({
      id: expect.any(String),
      handler: 'resize',
      queue: 'default',
      outcome: 'created',
      dry_run: false,
      line: 701,
    });
    const job = await store.job(printed[700].id);
    expect(job?.payload).toEqual({ kind: 'json', text: '{"n":700}' });
    // 500 each: three commits.
    expect(await store.auditBlocks(0, 10)).toHaveLength(3);
  });

  test('a line that is no payload is reported and left out; the rest is enqueued', async () => {
    const { run, store } = setUp();
    const stdin = `{"n":1}\n{"n":2\n\n"${'x'.repeat(1024 * 1024)}"\n{"n":3}`;
    const { exitCode, stdout, stderr } = await run(['resize', '--from', '-'], { stdin });
    expect(exitCode).toBe(5);
    expect(stdout.trim().split('\n')).toHaveLength(2);
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(/^line 2 is left out: .*JSON at position \d+$/),
      expect.stringMatching(/^line 4 is left out: .*bytes/),
      '2 jobs enqueued, 2 lines left out.',
      '',
    ]);
    expect((await store.counts()).groups).toMatchObject([{ state: 'ready', count: 2 }]);
  });

  test('of which no line is a payload ends with 1, and a file that is not there too', async () => {
    const { run } = setUp();
    expect((await run(['resize', '--from', '-'], { stdin: 'no\nnever\n' })).exitCode).toBe(1);
    const { exitCode, stderr } = await run(['resize', '--from', 'gone.jsonl']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Cannot read gone.jsonl: there is no such file');
    expect(stderr).not.toContain('config');
  });

  test('--dry-run checks every line and stores nothing', async () => {
    const { run, store } = setUp();
    const options = { stdin: '1\n2\nno\n' };
    const { exitCode, stderr } = await run(['resize', '--from', '-', '--dry-run'], options);
    expect(exitCode).toBe(5);
    expect(stderr).toContain('2 jobs would be enqueued, 1 line left out.');
    expect((await store.counts()).groups).toEqual([]);
  });

  test('when the store goes away in between, it says what is in and where to go on', async () => {
    const { run, store } = setUp();
    let commits = 0;
    const failing: typeof store = {
      ...store,
      apply: (commands) =>
        ++commits > 2 ? brokenStore(store).apply(commands) : store.apply(commands),
    };
    const stdin = Array.from({ length: 1_700 }, (_, n) => n).join('\n');
    const { exitCode, stderr } = await run(['resize', '--from', '-'], { stdin, store: failing });
    expect(exitCode).toBe(5);
    expect(stderr).toContain('The store is away');
    expect(stderr).toContain(
      'The lines up to 1000 are enqueued (1000 jobs). Lines 1001 to 1500 may be in or not.',
    );
    expect(stderr).toContain('tail -n +1001 <file> | redrive jobs enqueue <handler> --from -');
    expect((await store.counts()).groups).toMatchObject([{ count: 1_000 }]);
  });
});
