import { payloadSql } from './large-payloads.ts';

/**
 * The columns of a claimed job, in order. `sql`: how it is read, where that is not the column itself. `nullFor`: a
 * claim answers with null where it has this value, which is most columns of most jobs; reading them takes the claiming
 * process longer than anything else.
 */
export const CLAIMED_COLUMNS = [
  { name: 'id', type: 'text' },
  { name: 'payload', type: 'text' },
  { name: 'submitted_at', type: 'bigint' },
  { name: 'tid', type: 'tid', sql: 'j.ctid' },
  { name: 'handler', type: 'text', nullFor: 'l_handler[1]' },
  { name: 'queue', type: 'text', nullFor: "'default'" },
  { name: 'tenant', type: 'text', nullFor: "''" },
  { name: 'priority', type: 'integer', nullFor: '0' },
  { name: 'revision', type: 'integer', nullFor: '2' },
  { name: 'token', type: 'bigint', nullFor: '1' },
  { name: 'generation', type: 'integer', nullFor: '1' },
  { name: 'claims', type: 'integer', nullFor: '1' },
  { name: 'executions', type: 'integer', nullFor: 'j.claims' },
  { name: 'failed', type: 'integer', nullFor: '0' },
  { name: 'lease_lost', type: 'integer', nullFor: '0' },
  { name: 'retry_count', type: 'integer', nullFor: '0' },
  { name: 'generation_at', type: 'bigint', nullFor: 'j.lease_since' },
  { name: 'lease_since', type: 'bigint', nullFor: 'v_first_now' },
  { name: 'deadline', type: 'bigint' },
  { name: 'attempts', type: 'text' },
  { name: 'reason', type: 'text' },
  { name: 'error_class', type: 'text' },
  { name: 'account', type: 'text' },
  { name: 'unique_key', type: 'text' },
  { name: 'limit_key', type: 'text' },
  { name: 'session_id', type: 'text' },
  { name: 'headers', type: 'text' },
  { name: 'spec', type: 'text' },
  { name: 'tags', type: 'text', sql: 'array_to_json(j.tags)::text' },
  { name: 'payload_bytes', type: 'bytea' },
] as const satisfies readonly ClaimedColumn[];

interface ClaimedColumn {
  readonly name: string;
  readonly type: string;
  readonly sql?: string;
  readonly nullFor?: string;
}

export type ClaimedColumnName = (typeof CLAIMED_COLUMNS)[number]['name'];

/** The expression that reads a column. `s`: with large payloads, which stand in another table. */
export function columnSql(column: ClaimedColumn, s?: string): string {
  const { name, sql = `j.${name}` } = column;
  const isPayload = name === 'payload' || name === 'payload_bytes';
  return s !== undefined && isPayload ? payloadSql(s, name) : sql;
}

/** The same, for a claim. */
export function claimedSql(column: ClaimedColumn, s: string): string {
  const sql = columnSql(column, s);
  return column.nullFor === undefined ? sql : `nullif(${sql}, ${column.nullFor})`;
}

/** The statement that adds a row to an answer that is not a job. */
export function answerSql(s: string, kind: string, meta: string): string {
  return `return next row('${kind}', ${meta}${', null'.repeat(CLAIMED_COLUMNS.length)})::${s}.answer;`;
}
