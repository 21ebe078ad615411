import { JOB_STATES, type JobState } from '../job/job.ts';
import { type AuditBlock, type AuditEvent, type AuditRecord, NOTE_EVENTS } from './audit-block.ts';
import type { AuditProblems } from './audit-problem.ts';
import { MOVES } from './moves.ts';
import { withOwn } from './record-detail.ts';

/** The records of a block. An item that is not a record is reported as a problem and left out. */
export function readBody(
  { seq, body }: Pick<AuditBlock, 'seq' | 'body'>,
  problems: AuditProblems,
): readonly AuditRecord[] {
  const where = { block: seq };
  const items = parseBody(body);
  if (items === undefined) {
    problems.add('body', where, 'a JSON array of records', body.slice(0, 100));
    return [];
  }
  return items.flatMap((item) => {
    const record = recordOf(item);
    if (record === undefined) problems.add('body', where, 'a record of eleven fields', item);
    return record ?? [];
  });
}

/** The records of a body, in their order. Items that are not records are left out: `audit verify` reports them. */
export function recordsIn({ body }: Pick<AuditBlock, 'body'>): readonly AuditRecord[] {
  return (parseBody(body) ?? []).flatMap((item) => recordOf(item) ?? []);
}

/**
 * The same, without the values that records of a group do not share: their details have 0 in these places. Several times
 * as quick, for readers that need no such value.
 */
export function sharedRecordsIn({ body }: Pick<AuditBlock, 'body'>): readonly AuditRecord[] {
  return (parseBody(body, false) ?? []).flatMap((item) => recordOf(item) ?? []);
}

/** A record and its place in its body, from 0. */
export interface PlacedRecord {
  readonly index: number;
  readonly record: AuditRecord;
}

/** The same with their places. An item that is not a record keeps its place, so that `recordAt` finds the same ones. */
export function placedRecordsIn({ body }: Pick<AuditBlock, 'body'>): readonly PlacedRecord[] {
  return (parseBody(body) ?? []).flatMap((item, index) => {
    const record = recordOf(item);
    return record === undefined ? [] : [{ index, record }];
  });
}

/** The number of records by event. Groups are counted and not taken apart: the cost is that of reading JSON. */
export function eventCountsIn({ body }: Pick<AuditBlock, 'body'>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (event: unknown, count: number) => {
    if (typeof event === 'string' && EVENTS.has(event))
      counts.set(event, (counts.get(event) ?? 0) + count);
  };
  for (const item of itemsOf(body) ?? []) {
    const [ids, , event] = Array.isArray(item) ? item : [];
    if (Array.isArray(event)) for (const each of event) add(each, 1);
    else add(event, Array.isArray(ids) ? ids.length : 1);
  }
  return counts;
}

/** The record at a place of a body, from 0. `undefined`: none is there. */
export function recordAt(body: string, index: number): AuditRecord | undefined {
  return recordOf(parseBody(body)?.[index]);
}

/** The items of a body, groups taken apart into their records; nothing is checked. `undefined`: not a JSON array. */
function parseBody(body: string, whole = true): readonly unknown[] | undefined {
  return itemsOf(body)?.flatMap((item) => recordsOf(item, whole));
}

function itemsOf(body: string): readonly unknown[] | undefined {
  try {
    const items: unknown = JSON.parse(body);
    return Array.isArray(items) ? items : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A group is a record with a list of ids in the place of the id. Each other field is the value that all records share, or
 * a list with a value per record. A list behind the detail has the values that the records do not share: see `withOwn`.
 * An item that is neither a record nor a group stays as it is: `readBody` reports it.
 */
function recordsOf(item: unknown, whole: boolean): readonly unknown[] {
  if (!Array.isArray(item) || !Array.isArray(item[0])) return [item];
  const ids: readonly unknown[] = item[0];
  const isFitting = (field: unknown): boolean =>
    !Array.isArray(field) || field.length === ids.length;
  if (ids.length === 0 || item.length < 11 || item.length > 12 || !item.every(isFitting)) {
    return [item];
  }
  return ids.map((_, at) => {
    const fields = item.map((field) => (Array.isArray(field) ? field[at] : field));
    if (fields.length === 11) return fields;
    return [...fields.slice(0, 10), whole ? withOwn(fields[10], fields[11]) : fields[10]];
  });
}

/** The range of a `Date`, on either side of 1970. */
const MOST_MS = 8_640_000_000_000_000;

/** Whether a `Date` can have this time. */
export function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && Math.abs(Number(value)) <= MOST_MS;
}

/** A record by the names of its fields. Its detail is not checked. `undefined`: it lacks a field of a record. */
function recordOf(fields: unknown): AuditRecord | undefined {
  if (!Array.isArray(fields) || fields.length !== 11) return undefined;
  const [id, revision, event, from, to, atMs, ...rest] = fields;
  const [token, generation, executions, previousBlock, detail] = rest;
  const isComplete =
    typeof id === 'string' &&
    Number.isSafeInteger(revision) &&
    EVENTS.has(event) &&
    STATES.has(from) &&
    STATES.has(to) &&
    isTime(atMs) &&
    Number.isSafeInteger(token) &&
    Number.isSafeInteger(generation) &&
    Number.isSafeInteger(executions) &&
    Number.isSafeInteger(previousBlock) &&
    typeof detail === 'object' &&
    detail !== null;
  if (!isComplete) return undefined;
  const counts = { token, generation, executions, previousBlock };
  return { id, revision, event, from, to, atMs, ...counts, detail };
}

const STATES: ReadonlySet<JobState | null> = new Set<JobState | null>([null, ...JOB_STATES]);

const EVENTS: ReadonlySet<string> = new Set([...Object.keys(MOVES), ...NOTE_EVENTS]);

/** Whether an event is not a transition of a job. */
export function isNote(event: AuditEvent): boolean {
  return !Object.hasOwn(MOVES, event);
}
