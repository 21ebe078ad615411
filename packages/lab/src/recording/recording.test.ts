import { expect, test } from 'vitest';
import { Attempts } from './attempts.ts';
import { headLine, type Recorded, recordedLine } from './recorded.ts';
import { RecordingReader, SORTED_WITHIN } from './recording-reader.ts';
import { SessionIndex } from './session-index.ts';

const HEAD = headLine(0, 1_000).trimEnd();

function recorded(given: Partial<Recorded> = {}): Recorded {
  return {
    dependency: 'mail',
    handler: 'send',
    policy: 'p',
    policyHash: 'abc',
    rung: 'job',
    session: 's',
    generation: 1,
    attempt: 1,
    endMs: 5,
    outcome: 'succeeded',
    action: 'succeed',
    reason: 'succeeded',
    ...given,
  };
}

const lineOf = (given?: Partial<Recorded>) => recordedLine(recorded(given)).trimEnd();

function read(lines: readonly string[], attempts?: Attempts) {
  const reader = new RecordingReader(attempts);
  for (const line of lines) reader.take(line);
  const problem = reader.end();
  return {
    reader,
    problem,
    all: Array.from({ length: reader.attempts.size }, (_, at) => reader.attempts.at(at)),
  };
}

test('an attempt is read as it was written', () => {
  const failed: Partial<Recorded> = {
    attempt: 3,
    generation: 2,
    startMs: 1,
    endMs: 4,
    outcome: 'failed',
    errorClass: 'rate_limited',
    errorType: 'TimeoutError',
    hintMs: 70,
    probe: true,
    action: 'retry',
    reason: 'rate_limited',
    delayMs: 80,
  };
  const { reader, problem, all } = read([HEAD, lineOf(failed), lineOf()]);
  expect(problem).toBeUndefined();
  expect(all).toMatchObject([
    { ...failed, session: 0, group: 0 },
    { attempt: 1, startMs: undefined, hintMs: undefined, probe: false, session: 0 },
  ]);
  expect(reader.attempts.groups).toEqual([
    { dependency: 'mail', handler: 'send', policy: 'p', policyHash: 'abc', rung: 'job' },
  ]);
  expect(reader.attempts.nameOf(0)).toBe('s');
});

test.each(['\u0001', 'é', '語', '😀', 'h', '"'])(
  'names of many %j are cut, so that a line has at most 4 KiB',
  (character) => {
    const name = character.repeat(9_000);
    const names = {
      dependency: name,
      handler: name,
      policy: name,
      policyHash: name,
      session: name,
    };
    const line = lineOf({ ...names, rung: name, reason: name, errorType: name });
    expect(Buffer.byteLength(line)).toBeLessThan(4_096);
    expect(read([HEAD, line]).reader.malformed).toBe(0);
  },
);

test('a line has at most 4 KiB in bytes, not in characters', () => {
  const line = lineOf().replace('"send"', `"${'語'.repeat(1_400)}"`);
  expect(line.length).toBeLessThan(4_096);
  expect(read([HEAD, line]).reader.named).toEqual([
    { line: 2, reason: 'it is longer than 4096 bytes' },
  ]);
});

test('text is taken in pieces of any length, and a line without an end is not kept', () => {
  const reader = new RecordingReader();
  const text = `${HEAD}\r\n${lineOf({ endMs: 1 })}\n${lineOf({ endMs: 2 })}`;
  for (const character of text) reader.takeText(character);
  expect(reader.end()).toBeUndefined();
  expect([reader.attempts.size, reader.malformed]).toEqual([2, 0]);
  const endless = new RecordingReader();
  endless.takeText(`${HEAD}\n`);
  const piece = 'x'.repeat(65_536);
  // More than the longest string of any engine.
  for (let n = 0; n < 10_000; n += 1) endless.takeText(piece);
  expect(endless.end()).toContain('1 of 1 lines are malformed');
  expect(endless.named).toEqual([{ line: 2, reason: 'it is longer than 4096 bytes' }]);
});

test('malformed lines are counted, and the first ten are named', () => {
  const good = Array.from({ length: 5_000 }, () => lineOf());
  const bad = [
    '{',
    '[]',
    'null',
    lineOf({ attempt: 0 }),
    lineOf({ endMs: -1 }),
    `{"x":"${'y'.repeat(5_000)}"}`,
  ];
  const { reader, problem } = read([HEAD, ...good, ...bad, ...bad]);
  expect(problem).toBeUndefined();
  expect(reader.malformed).toBe(12);
  expect(reader.named).toHaveLength(10);
  expect(reader.named.slice(0, 6)).toEqual([
    { line: 5_002, reason: 'it is not a JSON object' },
    { line: 5_003, reason: 'it is not a JSON object' },
    { line: 5_004, reason: 'it is not a JSON object' },
    { line: 5_005, reason: expect.stringContaining('attempt must be a whole number from 1') },
    { line: 5_006, reason: expect.stringContaining('end_ms must be a number from 0') },
    { line: 5_007, reason: 'it is longer than 4096 bytes' },
  ]);
});

test('more than 1 % of malformed lines is fatal', () => {
  const lines = [HEAD, ...Array.from({ length: 99 }, () => lineOf()), '{'];
  expect(read(lines).problem).toBeUndefined();
  expect(read([...lines, '{']).problem).toBe(
    '2 of 101 lines are malformed, which is more than 1 %',
  );
});

test('an unknown version is refused, and so is a file without a head', () => {
  expect(read(['{"recording":"recording/v2"}', lineOf()]).problem).toBe(
    'its version is recording/v2; this program reads recording/v1',
  );
  expect(read([lineOf()]).problem).toBe('its first line does not name recording/v1');
  expect(read([]).problem).toBe('it is empty');
});

test('lines out of order are sorted within 10,000; a line that is further off is malformed', () => {
  const times = Array.from({ length: 40_000 }, (_, at) => at + 1);
  const near = times.toSpliced(0, 1).toSpliced(SORTED_WITHIN - 2, 0, 1);
  const { all, reader } = read([HEAD, ...near.map((endMs) => lineOf({ endMs }))]);
  expect(reader.malformed).toBe(0);
  expect(all.map(({ endMs }) => endMs)).toEqual(times);
  const far = times.toSpliced(0, 1).toSpliced(30_000, 0, 1);
  const late = read([HEAD, ...far.map((endMs) => lineOf({ endMs }))]);
  expect(late.reader.named).toEqual([
    { line: 30_002, reason: 'it is more than 10000 lines out of order' },
  ]);
});

test('a recording above the limit is cut, and the rest is counted', () => {
  const lines = Array.from({ length: 30 }, (_, endMs) => lineOf({ endMs }));
  const { reader } = read([HEAD, ...lines], new Attempts(20));
  expect([reader.attempts.size, reader.attempts.omitted]).toEqual([20, 10]);
});

test('a recording with too many sessions that failed is cut, too', () => {
  const failed = { outcome: 'failed', action: 'retry', reason: 'retryable_error' } as const;
  const lines = Array.from({ length: 30 }, (_, endMs) =>
    lineOf({ endMs, session: `${endMs}`, ...(endMs % 2 === 0 ? failed : {}) }),
  );
  const { reader } = read([HEAD, ...lines], new Attempts(100, 5));
  expect([reader.attempts.size, reader.attempts.omitted]).toEqual([9, 21]);
});

test('sessions are numbered in the order of their first attempt, and none is mixed up', () => {
  const index = new SessionIndex();
  const name = (n: number) => `session-${(n * 7919) % 100_003}`;
  for (let n = 0; n < 100_003; n += 1) expect(index.numberOf(name(n))).toBe(n);
  for (let n = 0; n < 100_003; n += 997) expect(index.numberOf(name(n))).toBe(n);
  expect(index.size).toBe(100_003);
});
