import type { DeadLetterEnvelope } from './envelope.ts';

export type ExportFormat = 'jsonl' | 'csv';

/** Columns of a CSV export, in their order, and where each comes from. */
const COLUMNS: Readonly<Record<string, (letter: DeadLetterEnvelope) => unknown>> = {
  id: ({ redrive }) => redrive.id,
  session_id: ({ redrive }) => redrive.session_id,
  correlation_id: ({ redrive }) => redrive.correlation_id,
  rung: ({ redrive }) => redrive.origin.rung,
  queue: ({ redrive }) => redrive.origin.queue,
  handler: ({ redrive }) => redrive.origin.handler,
  tenant: ({ redrive }) => redrive.origin.tenant,
  service_name: ({ service_name }) => service_name,
  idempotency_key: ({ idempotency_key }) => idempotency_key,
  attempt_count: ({ attempt_count }) => attempt_count,
  executions: ({ redrive }) => redrive.executions,
  generation: ({ redrive }) => redrive.generation,
  abandoned_reason: ({ abandoned_reason }) => abandoned_reason,
  reason_code: ({ redrive }) => redrive.reason_code,
  error_class: ({ redrive }) => redrive.error_class,
  error_type: ({ error_type }) => error_type,
  last_error: ({ last_error }) => last_error,
  fingerprint: ({ redrive }) => redrive.fingerprint,
  policy_id: ({ redrive }) => redrive.policy?.id,
  policy_hash: ({ redrive }) => redrive.policy?.hash,
  submitted_at: ({ redrive }) => redrive.submitted_at,
  first_failed_at: ({ redrive }) => redrive.first_failed_at,
  timestamp: ({ timestamp }) => timestamp,
  original_event: ({ original_event }) => original_event,
};

/** Writes dead letters as they come: one line each, the header of a CSV file first. */
export async function* exportDeadLetters(
  letters: AsyncIterable<DeadLetterEnvelope> | Iterable<DeadLetterEnvelope>,
  format: ExportFormat,
): AsyncGenerator<string> {
  if (format === 'csv') yield csvRow(Object.keys(COLUMNS));
  for await (const letter of letters) {
    yield format === 'csv'
      ? csvRow(Object.values(COLUMNS).map((read) => read(letter)))
      : `${jsonText(letter)}\n`;
  }
}

/** The name of a file for an export. It has only the time in it, so that no payload can choose a path. */
export function exportFileName(atMs: number, format: ExportFormat): string {
  const time = new Date(atMs).toISOString().replace(/[-:]|\.\d+/g, '');
  return `dead-letters-${time}.${format}`;
}

/** JSON that cannot move a terminal's cursor or hide text: characters that JSON does not escape are escaped as well. */
function jsonText(value: unknown): string {
  return (JSON.stringify(value) ?? 'null').replace(
    /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function csvRow(values: readonly unknown[]): string {
  return `${values.map(csvField).join(',')}\r\n`;
}

/**
 * A field in quotation marks, on one line. A text that a spreadsheet would take for a formula gets an apostrophe in front
 * (after spaces too, which some of them drop); line ends, tabs and other control characters are written as in JSON.
 */
function csvField(value: unknown): string {
  if (value === null || value === undefined) return '""';
  const text = typeof value === 'string' ? escaped(value) : jsonText(value);
  const safe = /^[\s'"]*[=+\-@|%＝＋－＠]/u.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

/** As inside a JSON string, but for the quotation marks, which CSV doubles. */
function escaped(text: string): string {
  return jsonText(text).slice(1, -1).replaceAll('\\"', '"');
}
