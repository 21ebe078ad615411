import { hash } from 'node:crypto';
import type { AttemptAccount } from '@redrive/core/stored';
import type { JobState } from '../job/job.ts';
import type { AuditEvent } from './audit-block.ts';

/** One transition on its way into a block: an `AuditRecord` by name, whose detail is still the JSON it came as. */
export interface AuditEntry {
  readonly id: string;
  readonly event: AuditEvent;
  readonly from: JobState | null;
  readonly to: JobState | null;
  readonly atMs: number;
  /** After the transition, as are the token and the account. */
  readonly revision: number;
  readonly token: number;
  readonly account: Pick<AttemptAccount, 'generation' | 'executions'>;
  readonly previousBlock: number;
  /** JSON object. */
  readonly detail: string;
}

/** The body of a block: a JSON array of `AuditRecord`s. */
export function encodeRecords(entries: readonly AuditEntry[]): string {
  return bodyOf(entries.map((entry) => encodeRecord(entry.id, recordTail(entry))));
}

/** The body of a block from its encoded records. */
export function bodyOf(records: readonly string[]): string {
  return `[${records.join(',\n')}]`;
}

/** One record from the id and what follows it. */
export function encodeRecord(id: string, tail: string): string {
  return `[${JSON.stringify(id)}${tail}`;
}

/**
 * The text after the id: the same for all jobs with the same change in one transaction. Details are spliced in as
 * they are, because most are long and none changes.
 */
export function recordTail(entry: Omit<AuditEntry, 'id'>): string {
  const from = stateText(entry.from);
  const to = stateText(entry.to);
  const { generation, executions } = entry.account;
  return (
    `,${entry.revision},"${entry.event}",${from},${to},` +
    `${entry.atMs},${entry.token},${generation},${executions},${entry.previousBlock},${entry.detail}]`
  );
}

function stateText(state: JobState | null): string {
  return state === null ? 'null' : `"${state}"`;
}

/** Hash of a block: SHA-256, in hex, over the hash of the writer's block before it (`""`: none) and the body. */
export function blockHash(prevHash: string, body: string): string {
  return hash('sha256', `${prevHash}\n${body}`);
}
