import { hash } from 'node:crypto';
import type { JobState } from '../job/job.ts';
import type { AuditEvent, AuditRecord } from './audit-block.ts';
import { type RecordDetail, wholeDetail } from './record-detail.ts';

/** One transition on its way into a block: its detail is still the JSON it came as. */
export interface AuditEntry extends Omit<AuditRecord, 'detail'>, RecordDetail {}

/** The fields of a note. */
export const NO_TRANSITION = {
  from: null,
  to: null,
  revision: 0,
  token: 0,
  generation: 0,
  executions: 0,
  previousBlock: 0,
} as const;

/** Groups that are searched for one that a record belongs to. */
const MAX_SEARCHED = 16;

/** Events that a job never has twice in a row: records of one block may be grouped without regard to their order. */
const ONCE: ReadonlySet<AuditEvent> = new Set<AuditEvent>(['enqueue', 'claim', 'settle']);

/**
 * The records of a block, in groups: event, states, time and detail of a group are written once. Building them for each
 * record cost a fifth of the time of a busy store.
 */
export class BlockRecords {
  readonly #groups: AuditEntry[][] = [];

  get isEmpty(): boolean {
    return this.#groups.length === 0;
  }

  add(entry: AuditEntry): void {
    const groups = this.#groups;
    const least = Math.max(0, groups.length - (ONCE.has(entry.event) ? MAX_SEARCHED : 1));
    for (let at = groups.length - 1; at >= least; at--) {
      const group = groups[at] as AuditEntry[]; // Within its bounds.
      const first = group[0] as AuditEntry; // No group is empty.
      if (first.event !== entry.event) break;
      if (isAlike(first, entry)) {
        group.push(entry);
        return;
      }
    }
    groups.push([entry]);
  }

  /** A JSON array of records and groups of records: see `AuditBlock`. */
  get body(): string {
    return `[${this.#groups.map(encodeGroup).join(',\n')}]`;
  }
}

function isAlike(a: AuditEntry, b: AuditEntry): boolean {
  return (
    a.detail === b.detail &&
    a.from === b.from &&
    a.to === b.to &&
    a.atMs === b.atMs &&
    (a.own === undefined) === (b.own === undefined)
  );
}

function encodeGroup(group: readonly AuditEntry[]): string {
  const first = group[0] as AuditEntry; // No group is empty.
  const { event, from, to, atMs, own } = first;
  const isSingle = group.length === 1;
  const ids = JSON.stringify(isSingle ? first.id : group.map(({ id }) => id));
  const change = `"${event}",${stateText(from)},${stateText(to)},${atMs}`;
  const account = `${column(group, 'generation')},${column(group, 'executions')}`;
  const life = `${column(group, 'token')},${account},${column(group, 'previousBlock')}`;
  const detail = isSingle ? wholeDetail(first) : first.detail;
  const values =
    isSingle || own === undefined ? '' : `,[${group.map((entry) => entry.own).join()}]`;
  return `[${ids},${column(group, 'revision')},${change},${life},${detail}${values}]`;
}

/** A number that all records of a group share, or their numbers. */
function column(
  group: readonly AuditEntry[],
  name: 'revision' | 'token' | 'generation' | 'executions' | 'previousBlock',
): string {
  const first = group[0]?.[name];
  return group.every((entry) => entry[name] === first)
    ? String(first)
    : `[${group.map((entry) => entry[name]).join()}]`;
}

function stateText(state: JobState | null): string {
  return state === null ? 'null' : `"${state}"`;
}

/** Hash of a block: SHA-256, in hex, over the hash of the writer's block before it (`""`: none) and the body. */
export function blockHash(prevHash: string, body: string): string {
  return hash('sha256', `${prevHash}\n${body}`);
}
