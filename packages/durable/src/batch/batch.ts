import { type FieldProblem, refuse } from '@redrive/core/fields';
import { MAX_NAME_LENGTH, textProblem } from '../jobs/text-problem.ts';
import type { Actor, EnqueueCommand } from '../store/commands.ts';
import { enqueueCommand } from '../store/enqueue-command.ts';
import { placeText } from '../store/page.ts';
import type { PageRequest } from '../store/store.ts';

/**
 * Jobs that belong together. The batch is a row of its own, which no settlement writes to: its jobs carry its id, and an
 * index counts them by state.
 *
 * ```
 * open ─seal─► sealed ─last job finished, found by the upkeep─► ended (`then` is enqueued in the same transaction)
 * ```
 */
export interface Batch {
  readonly id: string;
  /** Its jobs are of this tenant alone. `""`: none. */
  readonly tenant: string;
  /** `open`: takes further jobs. `ended`: all jobs were finished once; a retry of a job does not change it. */
  readonly state: 'open' | 'sealed' | 'ended';
  /** JSON of a `FollowingJob`. Absent: no job follows. */
  readonly then?: string | undefined;
  readonly by: string;
  readonly openedAtMs: number;
  readonly sealedAtMs?: number | undefined;
  readonly endedAtMs?: number | undefined;
}

/** The jobs of a batch, with those that retention has deleted. */
export interface BatchCounts {
  readonly total: number;
  /** Scheduled, ready or parked. */
  readonly waiting: number;
  readonly running: number;
  readonly succeeded: number;
  readonly dead: number;
  readonly cancelled: number;
  readonly purged: number;
}

export interface CountedBatch extends Batch {
  readonly counts: BatchCounts;
}

/** The job that follows a batch. */
export interface FollowingJob {
  readonly handler: string;
  readonly queue: string;
  readonly priority: number;
  /** See `JobSpec`. */
  readonly onDead?: string | undefined;
  /** `data` of its payload, as JSON. Absent: none. */
  readonly data?: string | undefined;
}

/** The payload of the job that follows a batch. */
export interface BatchEnd {
  readonly batch: string;
  /** The jobs when the batch ended: none was waiting or running. */
  readonly counts: Omit<BatchCounts, 'waiting' | 'running'>;
  /** `then.data` of `enqueueBatch`. */
  readonly data?: unknown;
}

export interface BatchStore {
  batch(id: string): Promise<CountedBatch | undefined>;
  /** The newest first, without counts. */
  batches(filter: BatchFilter, page: PageRequest): Promise<BatchPage>;
}

export interface BatchFilter {
  readonly tenant?: string | undefined;
  readonly state?: Batch['state'] | undefined;
}

export interface BatchPage {
  readonly batches: readonly Batch[];
  readonly next?: string | undefined;
}

/** Opens a batch, or seals it. */
export interface BatchCommand {
  readonly kind: 'batch';
  readonly act: 'open' | 'seal';
  readonly id: string;
  readonly tenant: string;
  /** `open` only. */
  readonly then?: string | undefined;
  readonly actor: Actor;
}

export type BatchResult =
  /** `existing`: it was open, or sealed, already. */
  | { readonly ok: true; readonly outcome: 'created' | 'existing' }
  /** `conflict`: another tenant has the id, or it was opened with another `then`. */
  | { readonly ok: false; readonly refusal: 'not_found' | 'conflict' };

/** Ends sealed batches without an unfinished job, at most `limit`, and enqueues the jobs that follow. */
export interface EndBatchesCommand {
  readonly kind: 'end_batches';
  /** 1 to 1,000. */
  readonly limit: number;
  readonly actor: Actor;
}

export interface EndBatchesResult {
  readonly ok: true;
  readonly ended: number;
}

/** A batch is kept for this time after its end, and as long as retention keeps one of its jobs. */
export const BATCH_KEPT_MS = 90 * 86_400_000;

/** Stores find the id in the JSON of a job's spec, where it needs no escapes. */
export function batchIdProblem(field: string, id: unknown): FieldProblem | undefined {
  const message = `${field} must not have quotes or backslashes`;
  return (
    textProblem(field, id, MAX_NAME_LENGTH) ??
    (typeof id === 'string' && /["\\]/.test(id) ? { field, message } : undefined)
  );
}

/** The beginning of the spec of a job that has a batch: see `encodeSpec`. */
export const BATCH_IN_SPEC = '{"batch":"';

/** How a batch begins. @throws RedriveError `invalid_option`. */
export function newBatch({ id, tenant, then, actor }: BatchCommand, nowMs: number): Batch {
  const problem = batchIdProblem('id', id);
  refuse('invalid_option', 'batch', problem === undefined ? [] : [problem]);
  return { id, tenant, state: 'open', then, by: actor.name, openedAtMs: nowMs };
}

/** The answer to `open` or `seal`, by the batch with the id. */
export function batchAnswer(found: Batch | undefined, command: BatchCommand): BatchResult {
  const isOwn = found?.tenant === command.tenant;
  if (command.act === 'seal') {
    if (found === undefined || !isOwn) return { ok: false, refusal: 'not_found' };
    return { ok: true, outcome: found.state === 'open' ? 'created' : 'existing' };
  }
  if (found === undefined) return { ok: true, outcome: 'created' };
  return isOwn && found.then === command.then
    ? { ok: true, outcome: 'existing' }
    : { ok: false, refusal: 'conflict' };
}

/** The subject of its notes in the audit log. */
export function batchSubject(id: string): string {
  return `batch:${id}`;
}

/** The note of an act on a batch: `open`, `seal` or `end`. Never the data of the job that follows. */
export function batchDetail(
  act: BatchCommand['act'] | 'end',
  { tenant, then }: Pick<Batch, 'tenant' | 'then'>,
  { name }: Actor,
  counts?: BatchCounts,
): string {
  const follows = then === undefined || act === 'seal' ? undefined : followingJob(then).handler;
  const own = tenant === '' ? undefined : tenant;
  return JSON.stringify({ by: name, act, tenant: own, then: follows, counts });
}

export function followingJob(then: string): FollowingJob {
  // Written by enqueueBatch.
  return JSON.parse(then) as FollowingJob;
}

/** The enqueue of the job that follows a batch. Absent: none does. */
export function thenCommand(
  { id, tenant, then }: Batch,
  counts: BatchCounts,
  actor: Actor,
): EnqueueCommand | undefined {
  if (then === undefined) return undefined;
  const { data, ...job } = followingJob(then);
  const { waiting: _none, running: _neither, ...ended } = counts;
  const payload = JSON.stringify({ batch: id, counts: ended } satisfies BatchEnd);
  // The data stays as it was written: numbers beyond 2^53 keep their digits.
  const text = data === undefined ? payload : `${payload.slice(0, -1)},"data":${data}}`;
  const whole = { ...job, tenant, id: thenIdOf(id), payload: { kind: 'json', text } } as const;
  return enqueueCommand(whole, actor);
}

/** The id of the job that follows a batch. */
export function thenIdOf(batch: string): string {
  return `batch:${batch}:then`;
}

/** Counts by state; `unfinished` contains the running ones. */
export function batchCounts(
  count: (state: 'succeeded' | 'dead' | 'cancelled' | 'purged') => number,
  unfinished: number,
  running: number,
): BatchCounts {
  const [succeeded, dead] = [count('succeeded'), count('dead')];
  const [cancelled, purged] = [count('cancelled'), count('purged')];
  const total = unfinished + succeeded + dead + cancelled + purged;
  // Two indexes, so two looks: a job may have been leased between them.
  const waiting = Math.max(0, unfinished - running);
  return { total, waiting, running, succeeded, dead, cancelled, purged };
}

/** One row more than the limit: there are more. */
export function batchPage(found: readonly Batch[], limit: number): BatchPage {
  const batches = found.slice(0, limit);
  const last = batches.at(-1);
  if (last === undefined || found.length <= limit) return { batches };
  return { batches, next: placeText({ atMs: last.openedAtMs, id: last.id }) };
}
