import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deadJob } from '../testing/dead-job.ts';
import { type DeadLetterEnvelope, deadLetterOf } from './envelope.ts';
import { type ExportFormat, exportDeadLetters, exportFileName } from './export.ts';

async function exported(letters: readonly DeadLetterEnvelope[], format: ExportFormat) {
  let text = '';
  for await (const line of exportDeadLetters(letters, format)) text += line;
  return text;
}

/** Fields of RFC 4180, all of them quoted. */
function fieldsOf(row: string): string[] {
  return [...row.matchAll(/"((?:[^"]|"")*)"(?:,|$)/g)].map(([, field = '']) =>
    field.replaceAll('""', '"'),
  );
}

/** The value of a column in a CSV export of one dead letter. */
async function csvField(letter: DeadLetterEnvelope, column: string): Promise<string> {
  const [header = '', row = ''] = (await exported([letter], 'csv')).split('\r\n');
  return fieldsOf(row)[fieldsOf(header).indexOf(column)] ?? 'no such column';
}

const withError = (last_error: string): DeadLetterEnvelope => ({
  ...deadLetterOf(deadJob()),
  last_error,
});

describe('JSON lines', () => {
  test('are the envelopes, one per line', async () => {
    const letters = [deadLetterOf(deadJob()), withError('a\nb\u2028c')];
    const text = await exported(letters, 'jsonl');
    expect(text.endsWith('\n')).toBe(true);
    const lines = text.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(letters);
  });

  test('hold nothing that a terminal would obey', async () => {
    const text = await exported(
      [withError('\u001b[2J \u009b31m \u202egnp.exe \u200b \ufeff \u007f')],
      'jsonl',
    );
    expect(text.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(text).toContain('\\u009b31m \\u202egnp');
  });
});

describe('CSV', () => {
  test('has a header and one row each, all with as many fields', async () => {
    const text = await exported([deadLetterOf(deadJob()), withError('a "quoted", text')], 'csv');
    const rows = text.split('\r\n');
    expect(rows.pop()).toBe('');
    expect(rows).toHaveLength(3);
    expect(new Set(rows.map((row) => fieldsOf(row).length))).toEqual(new Set([24]));
    expect(fieldsOf(rows[0] ?? '').slice(0, 3)).toEqual(['id', 'session_id', 'correlation_id']);
  });

  test('keeps texts, numbers, nothing, and payloads as JSON', async () => {
    const letter = deadLetterOf(deadJob({ tenant: '' }));
    expect(await csvField(letter, 'last_error')).toBe(letter.last_error);
    expect(await csvField(letter, 'attempt_count')).toBe('8');
    expect(await csvField(letter, 'tenant')).toBe('');
    expect(JSON.parse(await csvField(letter, 'original_event'))).toEqual(letter.original_event);
    const none = deadLetterOf(deadJob(), { payload: 'none' });
    expect(await csvField(none, 'original_event')).toBe('');
  });

  test.each([
    ['=cmd|"/c calc"!A1', `'=cmd|"/c calc"!A1`],
    ['+1+1', "'+1+1"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['  =1', "'  =1"],
    ['"=1', `'"=1`],
    ["'=1", "''=1"],
    ['＝1', "'＝1"],
    ['|x', "'|x"],
    ['a=1', 'a=1'],
    ['\t=1', '\\t=1'],
    ['a\nb\r\nc', 'a\\nb\\r\\nc'],
    ['back\\slash', 'back\\\\slash'],
    ['\u001b[31m', '\\u001b[31m'],
    ['null\0', 'null\\u0000'],
  ])('%j is written as %j', async (text, field) => {
    expect(await csvField(withError(text), 'last_error')).toBe(field);
  });

  test('any text stays in its field, on its line, and is no formula', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (text) => {
        const csv = await exported([withError(text)], 'csv');
        const rows = csv.split('\r\n');
        expect(rows).toHaveLength(3);
        expect(fieldsOf(rows[1] ?? '')).toHaveLength(24);
        expect(csv.replaceAll('\r\n', '')).not.toMatch(/\p{Cc}/u);
        expect(await csvField(withError(text), 'last_error')).not.toMatch(/^\s*[=+\-@]/);
      }),
    );
  });
});

test('the name of a file is made of the time only', () => {
  expect(exportFileName(Date.UTC(2026, 0, 29, 12, 30, 5, 123), 'csv')).toBe(
    'dead-letters-20260129T123005Z.csv',
  );
  expect(exportFileName(0, 'jsonl')).toBe('dead-letters-19700101T000000Z.jsonl');
});
