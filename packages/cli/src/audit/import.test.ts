import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FullStore } from '@redrive/durable';
import { recordsIn } from '@redrive/durable/store';
import { virtualClock } from '@redrive/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { jobStore, START } from '../testing/job-store.ts';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

/** A retry session of version 1.0.0, as programs have written it. */
const SESSION = {
  session_id: 'browser_state_timeout_1706534400000',
  policy_id: 'browser_state_timeout',
  operation: 'save_state',
  start_time: '2026-01-29T12:00:00.000Z',
  end_time: '2026-01-29T12:00:35.500Z',
  attempts: [
    {
      attempt_number: 1,
      timestamp: '2026-01-29T12:00:00.000Z',
      delay: 0.0,
      error: { type: 'TimeoutError', message: 'Operation timed out after 30 seconds' },
      success: false,
      duration: 30.5,
    },
    {
      attempt_number: 2,
      timestamp: '2026-01-29T12:00:32.000Z',
      delay: 1.5,
      success: true,
      duration: 3.5,
    },
  ],
  final_result: { state_id: 'abc123', saved: true },
  success: true,
  context: { state_id: 'abc123', user_id: 'user123' },
};

/** A retry event of version 1.0.0. */
const EVENT = {
  event_id: 'evt_1706534400000_abc123',
  event_type: 'retry_attempt',
  timestamp: '2026-01-29T12:00:32.000Z',
  correlation_id: 'corr_abc123',
  session_id: 'browser_state_timeout_1706534400000',
  policy_id: 'browser_state_timeout',
  operation: 'save_state',
  attempt: 2,
  max_attempts: 3,
  delay: 1.5,
  component: 'retry_manager',
  context: { state_id: 'abc123', last_error: 'TimeoutError: Operation timed out' },
};

function setUp(...lines: readonly (object | string)[]) {
  const { store, clock, jobs, work } = jobStore(virtualClock(START));
  const directory = scratchDirectory(onTestFinished);
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  writeFileSync(join(directory, 'old.jsonl'), `${text.join('\n')}\n`);
  const run = (args: string, on: FullStore = store, stdin = '') =>
    runMain(['audit', ...args.split(' ')], { store: on, clock, directory, stdin });
  const records = async () => {
    const blocks = await store.auditBlocks(0, 1_000);
    return blocks.flatMap((block) => recordsIn(block));
  };
  return { store, jobs, work, run, records };
}

test('sessions and events of version 1.0.0 are listed, replayed and verified', async () => {
  const { run, jobs, work, store } = setUp(SESSION, EVENT);
  await jobs.enqueue('mail', { failures: 1 });
  await work(70_000);
  expect(await run('import old.jsonl --reason migration')).toMatchObject({
    exitCode: 0,
    stdout: '1 session and 1 event: 2 records imported.\n',
    stderr: '',
  });
  await store.seal();

  const { stdout: list } = await run(`list --session ${SESSION.session_id}`);
  expect(list.replaceAll(/\s+/g, ' ')).toMatch(
    /session browser_state_timeout_1706534400000 by cli:.+, "migration", imported event: retry_attempt, save_state, attempt 2, 2026-01-29T12:00:32.000Z .*imported session: save_state, 2 attempts, succeeded, 2026-01-29T12:00:00.000Z/,
  );
  const { stdout: json } = await run('list --event session --correlation corr_abc123 --jsonl');
  expect(JSON.parse(json)).toMatchObject({
    id: SESSION.session_id,
    detail: { kind: 'imported_event', record: { ...EVENT } },
  });

  const replay = await run(`replay ${SESSION.session_id}`);
  expect(replay.exitCode).toBe(0);
  expect(replay.stdout).toContain('none to derive again: the records were imported');

  const verified = await run('verify --json');
  expect(verified.exitCode).toBe(0);
  expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true, decisions: 2, problems: [] });
});

test('an imported record that was changed afterwards is found', async () => {
  const { run, store } = setUp(SESSION, EVENT);
  await run('import old.jsonl');
  await store.seal();
  const changed = {
    ...store,
    readAudit: async () => {
      const reader = await store.readAudit();
      return {
        ...reader,
        blocks: async (after: string, limit: number) =>
          (await reader.blocks(after, limit)).map((block) => ({
            ...block,
            body: block.body.replace('save_state', 'load_state'),
          })),
      };
    },
  };
  const { exitCode, stdout } = await run('verify --json', changed);
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, problems: [{ kind: 'block_hash' }] });
});

test('each bad line is named with its problems, and nothing is half-imported', async () => {
  const { run, records } = setUp(
    SESSION,
    { ...EVENT, attempt: 4, event_type: 'retry' },
    '{"session_id":',
    '',
    { some: 'thing' },
    '[1]',
    {
      ...SESSION,
      session_id: 'x'.repeat(600),
    },
    { ...SESSION, attempts: [{ ...SESSION.attempts[0], duration: -1 }], total_attempts: 7 },
    `{"long":"${'x'.repeat(1_100_000)}"}`,
    EVENT,
  );
  const { exitCode, stdout, stderr } = await run('import old.jsonl');
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr.split('\n').map((line) => line.slice(0, 130))).toEqual([
    'line 2: event_type must be one of retry_attempt, retry_success, retry_failure, circuit_breaker_opened, circuit_breaker_closed, not',
    expect.stringMatching(/^line 3: it is not valid JSON: /),
    'line 5: it has none of attempts (a retry session), event_type (a retry event) and time_window_start (metrics)',
    'line 6: it has none of attempts (a retry session), event_type (a retry event) and time_window_start (metrics)',
    'line 7: session_id must have at most 512 characters, not 600',
    expect.stringMatching(
      /^line 8: total_attempts must be the length of attempts, not 7; attempts\[0\]/,
    ),
    'line 9: it has more than 1,048,576 bytes',
    'redrive: old.jsonl has 7 bad lines, so nothing was imported.',
    'Correct or remove these lines, and run it again.',
    '',
  ]);
  expect(stderr).toContain('max_attempts is 3, less than attempt, which is 4');
  expect(await records()).toEqual([]);
  const asJson = await run('import old.jsonl --json');
  expect(asJson.exitCode).toBe(1);
  const document = JSON.parse(asJson.stdout);
  expect(document).toMatchObject({ sessions: 1, events: 1, imported: 0, bad_lines: 7 });
  expect(document.problems.map(({ line }: { line: number }) => line)).toEqual([
    2, 3, 5, 6, 7, 8, 9,
  ]);
});

test('importing again imports nothing twice; what broke off is finished', async () => {
  const events = Array.from({ length: 1_200 }, (_, index) => ({
    ...EVENT,
    event_id: `evt_${index}`,
  }));
  const { run, records, store } = setUp(...events, SESSION, SESSION);
  let applied = 0;
  const broken: FullStore = {
    ...store,
    apply: (commands) => {
      applied += 1;
      return applied > 1 ? Promise.reject(new Error('cut')) : store.apply(commands);
    },
  };
  expect((await run('import old.jsonl', broken)).exitCode).toBe(1);
  expect(await records()).toHaveLength(500);
  expect(JSON.parse((await run('import old.jsonl --json')).stdout)).toEqual({
    sessions: 2,
    events: 1_200,
    metrics: 0,
    imported: 701,
    already_imported: 500,
    repeated: 1,
    dry_run: false,
    bad_lines: 0,
    problems: [],
  });
  expect((await run('import old.jsonl')).stdout).toBe(
    '2 sessions and 1,200 events: 0 records imported, 1,201 in the log already, 1 repeated in the file.\n',
  );
  expect(await records()).toHaveLength(1_201);
});

test('a dry run writes nothing; - is stdin', async () => {
  const { run, records } = setUp();
  const stdin = [SESSION, EVENT].map((line) => JSON.stringify(line)).join('\r\n');
  const dry = await run('import - --dry-run', undefined, stdin);
  expect(dry).toMatchObject({ exitCode: 0, stdout: '1 session and 1 event would be imported.\n' });
  expect(await records()).toEqual([]);
  expect(await run('import -', undefined, stdin)).toMatchObject({
    stdout: '1 session and 1 event: 2 records imported.\n',
  });
});

test('a line that is repeated in the file is not taken for one in the log, with --dry-run neither', async () => {
  const { run } = setUp(SESSION, EVENT, SESSION);
  expect((await run('import old.jsonl --dry-run')).stdout).toBe(
    '2 sessions and 1 event: 2 records would be imported, 1 repeated in the file.\n',
  );
  const dry = JSON.parse((await run('import old.jsonl --dry-run --json')).stdout);
  expect(dry).toMatchObject({ imported: 0, already_imported: 0, repeated: 1 });
  expect((await run('import old.jsonl')).stdout).toBe(
    '2 sessions and 1 event: 2 records imported, 1 repeated in the file.\n',
  );
});

test('a session that succeeded in one line and failed in another is refused', async () => {
  const { run, records } = setUp(SESSION, EVENT, { ...SESSION, success: false });
  const { exitCode, stderr } = await run('import old.jsonl');
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    'line 3: the session browser_state_timeout_1706534400000 failed here, but succeeded in line 1\n',
  );
  expect(await records()).toEqual([]);
});

test('a session that ends before it starts, and one without attempts, are refused in plain words', async () => {
  const { run, records } = setUp(
    { ...SESSION, end_time: '2026-01-29T11:59:59.000Z' },
    { ...SESSION, attempts: [] },
  );
  const { exitCode, stderr } = await run('import old.jsonl');
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    'line 1: end_time is before start_time: 2026-01-29T11:59:59.000Z, 2026-01-29T12:00:00.000Z\n',
  );
  expect(stderr).toContain('line 2: attempts is empty: a session has at least one attempt\n');
  expect(await records()).toEqual([]);
});

test('a store that does not exist is not made', async () => {
  const directory = scratchDirectory(onTestFinished);
  const { exitCode, stderr } = await runMain(
    ['audit', 'import', '-', '--store', 'sqlite:./typo.db'],
    { directory, stdin: JSON.stringify(SESSION) },
  );
  expect(exitCode).toBe(8);
  expect(stderr).toMatch(/The store \/\S+\/typo\.db does not exist\./);
  expect(readdirSync(directory)).toEqual([]);
});

test('secrets are masked, results and stack traces left out, null counts as absent', async () => {
  const secret = 'password=hunter2';
  const error = { type: 'Error', message: `login with ${secret}`, stack_trace: secret };
  const { run, records } = setUp({
    ...SESSION,
    attempts: [{ ...SESSION.attempts[0], error, context: null }],
    success: false,
    final_error: error,
    final_result: { secret: 'hunter2' },
    end_time: null,
    context: { token: 'hunter2', note: 'card 4111 1111 1111 1111' },
  });
  expect((await run('import old.jsonl')).exitCode).toBe(0);
  const text = JSON.stringify(await records());
  expect(text).not.toMatch(/hunter2|4111|stack_trace|final_result/);
  expect(text).toContain('login with password=[masked]');
});

test('a file that is not there', async () => {
  const { run } = setUp();
  expect(await run('import none.jsonl')).toMatchObject({
    exitCode: 1,
    stderr:
      'redrive: Cannot read none.jsonl: there is no such file.\nCheck the path; - is stdin.\n',
  });
});

/** Retry metrics of a time window, version 1.0.0. */
const METRICS = {
  time_window_start: '2026-01-28T00:00:00.000Z',
  time_window_end: '2026-01-28T23:59:59.999Z',
  total_sessions: 1000,
  successful_sessions: 950,
  failed_sessions: 50,
  total_attempts: 1200,
  average_attempts_per_session: 1.2,
  max_attempts_in_session: 3,
  total_duration: 3600,
  average_duration_per_session: 3.6,
  by_policy: { mine: { sessions: 500, success_rate: 0.95, average_attempts: 1.1 } },
  by_subsystem: { browser: { sessions: 600, success_rate: 0.96, average_attempts: 1.15 } },
};

test('sessions and metrics of January count in January: metrics show after audit import', async () => {
  const { run, store } = setUp(SESSION, METRICS, METRICS);
  expect(await run('import old.jsonl')).toMatchObject({
    exitCode: 0,
    stdout:
      '1 session and 0 events, and the metrics of 2 time windows: 2 records imported, 1 repeated in the file.\n',
  });
  const show = (...args: string[]) =>
    runMain(
      [
        'metrics',
        'show',
        '--since',
        '2026-01-28T00:00:00Z',
        '--until',
        '2026-01-30T00:00:00Z',
        ...args,
      ],
      { store },
    );
  const json = JSON.parse((await show('--json')).stdout);
  expect(json).toMatchObject({
    total_sessions: 1_001,
    successful_sessions: 951,
    failed_sessions: 50,
    total_attempts: 1_202,
    by_policy: {
      mine: { sessions: 500, success_rate: 0.95 },
      [SESSION.policy_id]: { sessions: 1 },
    },
    imported: { sessions: 1, windows: 1, window_sessions: 1_000, windows_left_out: 0 },
  });
  expect((await show()).stdout).toContain(
    '\n  imported   1 session, 1,000 sessions of 1 time window\n',
  );
  expect((await run('list')).stdout.replaceAll(/\s+/g, ' ')).toContain(
    'imported metrics: 1000 sessions, 2026-01-28T00:00:00.000Z to 2026-01-28T23:59:59.999Z',
  );
  await store.seal();
  expect(JSON.parse((await run('verify --json')).stdout)).toMatchObject({ ok: true });
  expect((await run('import old.jsonl')).stdout).toContain('0 records imported');
});

test('metrics show says that it leaves out imported metrics, also where no session ended', async () => {
  const { run, store } = setUp(SESSION, METRICS);
  await run('import old.jsonl');
  const show = async (since: string, until: string) => {
    const { stdout } = await runMain(['metrics', 'show', '--since', since, '--until', until], {
      store,
    });
    return stdout.split('\n');
  };
  const leftOut =
    '  left out   imported metrics of 1 time window, not wholly inside or with sessions of their own';
  const part = await show('2026-01-28T12:00:00Z', '2026-01-29T00:00:00Z');
  expect(part.slice(0, 2)).toEqual([
    'No sessions ended from 2026-01-28T12:00:00.000Z to 2026-01-29T00:00:00.000Z.',
    leftOut,
  ]);
  const more = await show('2026-01-28T12:00:00Z', '2026-01-30T00:00:00Z');
  expect(more[0]).toMatch(/^1 session from /);
  expect(more).toContain(leftOut);
});

test('metrics of a window that overlaps another one are refused, in the file and in the log', async () => {
  const overlapping = {
    ...METRICS,
    time_window_start: '2026-01-28T23:00:00.000Z',
    time_window_end: '2026-01-29T01:00:00.000Z',
  };
  const both = setUp(METRICS, overlapping);
  const { exitCode, stderr } = await both.run('import old.jsonl');
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    'line 2: its time window overlaps the metrics of 2026-01-28T00:00:00.000Z to 2026-01-28T23:59:59.999Z: sessions would count twice\n',
  );
  expect(await both.records()).toEqual([]);
  const { run, records } = setUp(METRICS);
  await run('import old.jsonl');
  const again = await run(
    'import -',
    undefined,
    `${JSON.stringify(SESSION)}\n${JSON.stringify(overlapping)}`,
  );
  expect(again.exitCode).toBe(1);
  expect(again.stderr).toContain('line 2 of -: its time window overlaps the metrics of');
  expect(await records()).toHaveLength(1);
});
