import { JOB_STATES, type JobState } from '../job/job.ts';
import type { AuditBlock, AuditEvent, AuditRecord } from './audit-block.ts';
import type { AuditProblems } from './audit-problem.ts';

/** The records of a block. What is no record is a problem, and left out. */
export function readBody(
  { seq, body }: Pick<AuditBlock, 'seq' | 'body'>,
  problems: AuditProblems,
): readonly AuditRecord[] {
  const where = { block: seq };
  let values: unknown;
  try {
    values = JSON.parse(body);
  } catch {
    values = undefined;
  }
  if (!Array.isArray(values)) {
    problems.add('body', where, 'a JSON array of records', body.slice(0, 100));
    return [];
  }
  return values.filter((value) => {
    if (isRecord(value)) return true;
    problems.add('body', where, 'a record of eleven fields', value);
    return false;
  });
}

/** A date can hold no more, on either side of 1970. */
const MOST_MS = 8_640_000_000_000_000;

/** Whether a date can say it. */
export function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && Math.abs(Number(value)) <= MOST_MS;
}

/** Whether it has the fields of a record. Nothing is said about what its detail holds. */
export function isRecord(value: unknown): value is AuditRecord {
  if (!Array.isArray(value) || value.length !== 11) return false;
  const [id, revision, event, from, to, ...rest] = value;
  const numbers = [revision, ...rest.slice(0, 5)];
  const detail = rest[5];
  return (
    typeof id === 'string' &&
    numbers.every((number) => Number.isSafeInteger(number)) &&
    isTime(rest[0]) &&
    EVENTS.has(event) &&
    STATES.has(from) &&
    STATES.has(to) &&
    typeof detail === 'object' &&
    detail !== null
  );
}

const STATES: ReadonlySet<JobState | null> = new Set<JobState | null>([null, ...JOB_STATES]);

/** Every event, and whether it is a note: no transition of a job. */
const IS_NOTE: Readonly<Record<AuditEvent, boolean>> = {
  enqueue: false,
  replace: false,
  claim: false,
  settle: false,
  lease_lost: false,
  unpark: false,
  run_now: false,
  cancel: false,
  expire: false,
  requeue: false,
  reset: false,
  purge: false,
  restore: false,
  prune: false,
  pause: true,
  control: true,
  resume: true,
  session: true,
  config: true,
  read: true,
  act: true,
  set_aside: true,
  put_back: true,
};

const EVENTS: ReadonlySet<string> = new Set(Object.keys(IS_NOTE));

export function isNote(event: AuditEvent): boolean {
  return IS_NOTE[event];
}
