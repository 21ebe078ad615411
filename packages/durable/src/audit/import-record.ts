import { sha256 } from '@redrive/core/idempotency';
import { recordProblems } from '@redrive/core/records';
import { maskSecrets, sanitiseContext } from '@redrive/core/stored';
import { MAX_KEY_LENGTH, textProblem } from '../jobs/text-problem.ts';
import type { Actor, NoteCommand } from '../store/commands.ts';
import type { AuditRecord } from './audit-block.ts';
import { AuditProblems } from './audit-problem.ts';
import type { AuditReader } from './audit-reader.ts';
import {
  keptMetrics,
  MetricsWindows,
  metricsIn,
  metricsProblems,
  windowOf,
} from './imported-metrics.ts';
import { readLog } from './read-log.ts';

/** Retry sessions, retry events and retry metrics in the shapes of version 1.0.0. */
export type ImportedKind = 'session' | 'event' | 'metrics';

/** A record of version 1.0.0, ready for the audit log. */
export interface ImportedRecord {
  readonly kind: ImportedKind;
  /** The same record has the same one, so that a second import can leave it out. */
  readonly digest: string;
  readonly note: NoteCommand;
  /** Of a session: whether it succeeded. */
  readonly success?: boolean | undefined;
  /** Of metrics: start and end of their time window. */
  readonly window?: readonly [fromMs: number, toMs: number] | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Texts other than ids: operation, policy, component. */
const MAX_TEXT = 500;
/** Attempts of a session that are kept: the first and the newest. The others are counted. */
const MAX_ATTEMPTS = 200;
const CONTEXT = { maxValues: 200 } as const;

/**
 * A retry session, a retry event or the retry metrics of a time window, of version 1.0.0, as a note for the audit log:
 * checked by the rules of its shape, secrets masked, its result left out like every result. A member that is `null` counts as absent. If the record is
 * wrong, the answer has all its problems.
 */
export function importRecord(document: unknown, actor: Actor): ImportedRecord | readonly string[] {
  const given = withoutNulls(document);
  const kind = kindOf(given);
  if (kind === undefined) {
    return [
      'it has none of attempts (a retry session), event_type (a retry event) and time_window_start (metrics)',
    ];
  }
  const wrong = recordProblems(kind, given);
  const problems =
    wrong.length > 0
      ? wrong.map(({ field, message }) => plainProblem(field, given) ?? message)
      : [
          ...ID_FIELDS.flatMap(
            (field) => textProblem(field, given[field], MAX_KEY_LENGTH)?.message ?? [],
          ),
          ...orderProblem(given),
          ...(kind === 'metrics' ? metricsProblems(given) : []),
        ];
  if (problems.length > 0) return problems;
  const digest = sha256(JSON.stringify(document)).slice(0, 32);
  if (kind === 'metrics') return importedMetrics(given, digest, actor);
  // Its type was checked above.
  const subject = given.session_id as string;
  const { session_id, policy_id, operation, correlation_id } = given;
  const detail = {
    kind: `imported_${kind}`,
    by: actor.name,
    why: actor.why,
    digest,
    session: {
      sessionId: session_id,
      policyId: masked(policy_id),
      operation: masked(operation),
      correlationId: correlation_id,
    },
    record: kind === 'session' ? sessionOf(given) : eventOf(given),
  };
  const note = { kind: 'note', event: 'session', subject, detail: JSON.stringify(detail) } as const;
  // Its type was checked above. An event has none.
  const success = kind === 'session' ? (given.success as boolean) : undefined;
  return { kind, digest, note, success };
}

function importedMetrics(given: Fields, digest: string, { name, why }: Actor): ImportedRecord {
  const record = keptMetrics(given);
  const detail = JSON.stringify({ kind: 'imported_metrics', by: name, why, digest, record });
  const subject = `metrics:${given.time_window_start}`;
  const note = { kind: 'note', event: 'session', subject, detail } as const;
  return { kind: 'metrics', digest, note, window: windowOf(given) };
}

/** The problem in words that name both values, where the rule's own words leave one out. */
function plainProblem(field: string, { attempts, attempt, max_attempts: max }: Fields) {
  if (field === 'attempts' && Array.isArray(attempts))
    return 'attempts is empty: a session has at least one attempt';
  if (field === 'max_attempts' && Number.isInteger(max) && Number(max) >= 1)
    return `max_attempts is ${max}, less than attempt, which is ${attempt}`;
  return undefined;
}

function orderProblem({ start_time: start, end_time: end }: Fields): string[] {
  if (end === undefined || Date.parse(String(end)) >= Date.parse(String(start))) return [];
  return [`end_time is before start_time: ${end}, ${start}`];
}

const ID_FIELDS = ['session_id', 'event_id', 'correlation_id'] as const;

/** The kind of an imported record of the audit log. `undefined`: the record was not imported. */
export function importedKind({ event, detail }: AuditRecord): ImportedKind | undefined {
  if (event !== 'session') return undefined;
  if (detail.kind === 'imported_session') return 'session';
  if (detail.kind === 'imported_metrics') return 'metrics';
  return detail.kind === 'imported_event' ? 'event' : undefined;
}

/** What a log has been given by imports. */
export interface Imported {
  readonly digests: ReadonlySet<string>;
  readonly windows: MetricsWindows;
}

/** The digests of all imported records in a log, and the windows of metrics. Reads the whole log. */
export async function importedBefore(reader: AuditReader): Promise<Imported> {
  const digests = new Set<string>();
  const windows = new MetricsWindows();
  const importing: Pick<AuditReader, 'blocks'> = {
    async blocks(after, limit) {
      const page = await reader.blocks(after, limit);
      // Looking for a text is much faster than reading JSON.
      return page.map((block) =>
        block.body.includes('"imported_') ? block : { ...block, body: '[]' },
      );
    },
  };
  await readLog({ reader: importing, problems: new AuditProblems(0) }, async (_block, records) => {
    for (const record of records) {
      const { digest } = record.detail;
      if (importedKind(record) !== undefined && typeof digest === 'string') digests.add(digest);
      const metrics = metricsIn(record);
      if (metrics !== undefined) windows.add([metrics.fromMs, metrics.toMs]);
    }
    return true;
  });
  return { digests, windows };
}

function kindOf(given: Fields): ImportedKind | undefined {
  if (given.event_type !== undefined || given.event_id !== undefined) return 'event';
  if (given.time_window_start !== undefined) return 'metrics';
  return given.attempts === undefined ? undefined : 'session';
}

/** Some programs write every member, and `null` for an optional member without a value. */
function withoutNulls(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(
    members.map(([name, member]) => [
      name,
      name === 'attempts' && Array.isArray(member) ? member.map(attemptWithoutNulls) : member,
    ]),
  );
}

function attemptWithoutNulls(attempt: unknown): unknown {
  return typeof attempt === 'object' && attempt !== null && !Array.isArray(attempt)
    ? withoutNulls(attempt)
    : attempt;
}

function sessionOf(given: Fields) {
  // Checked above: at least one, each an object.
  const [first, ...others] = given.attempts as readonly Fields[];
  const newest = others.slice(-(MAX_ATTEMPTS - 1));
  return {
    session_id: given.session_id,
    policy_id: masked(given.policy_id),
    operation: masked(given.operation),
    start_time: given.start_time,
    end_time: given.end_time,
    attempts: [first as Fields, ...newest].map(attemptOf),
    final_error: errorOf(given.final_error),
    success: given.success,
    context: contextOf(given.context),
    total_attempts: others.length + 1,
    retry_count: others.length,
    omitted_attempts: others.length - newest.length,
  };
}

function attemptOf(given: Fields) {
  return {
    attempt_number: given.attempt_number,
    timestamp: given.timestamp,
    delay: given.delay,
    error: errorOf(given.error),
    success: given.success,
    duration: given.duration,
    context: contextOf(given.context),
  };
}

function eventOf(given: Fields) {
  return {
    event_id: given.event_id,
    event_type: given.event_type,
    timestamp: given.timestamp,
    correlation_id: given.correlation_id,
    session_id: given.session_id,
    policy_id: masked(given.policy_id),
    operation: masked(given.operation),
    attempt: given.attempt,
    max_attempts: given.max_attempts,
    delay: given.delay,
    error: errorOf(given.error),
    component: masked(given.component),
    context: contextOf(given.context),
  };
}

/** Stack traces are for debugging, and long: they stay in the file. */
function errorOf(error: unknown) {
  if (error === undefined) return undefined;
  const { type, message } = error as Fields; // Checked above.
  return { type: masked(type), message: masked(message) };
}

function contextOf(context: unknown): unknown {
  return context === undefined ? undefined : sanitiseContext(context, CONTEXT);
}

function masked(text: unknown): string {
  return maskSecrets(String(text), MAX_TEXT);
}
