import { createHash } from 'node:crypto';
import { RedriveError } from '@redrive/core';
import { type FieldProblem, refuse, resolveOptions } from '@redrive/core/fields';
import type { DeadFilter } from '../dead-letter/dead-letter-store.ts';
import { checkDeadFilter } from '../dead-letter/dead-query.ts';
import type { Payload } from '../job/job.ts';
import { checkPayloadSize, DEFAULT_MAX_PAYLOAD_BYTES } from '../jobs/payload.ts';
import type { ActCommand, Actor, Moment } from '../store/commands.ts';
import { checkJobFilter } from '../store/page.ts';
import type { JobFilter } from '../store/store.ts';
import type { ActPage } from './act-pages.ts';
import type { Operation } from './operation.ts';

export const ACTS = ['requeue', 'reset', 'purge', 'restore', 'cancel', 'regroup'] as const;

/**
 * A requeue, purge or other act on many jobs, as a user asks for it. `regroup` moves dead letters to the causes that the
 * rules in force give them; `regroupLetters` submits it after a change of the rules.
 */
export interface ActWish {
  /** `cancel` is for jobs that have not ended: not for a filter of dead letters. */
  readonly act: (typeof ACTS)[number];
  readonly target: ActTarget;
  /** `requeue` only: the new payload of all jobs. */
  readonly payload?: Payload | undefined;
  /** The largest `payload`, as for `enqueue`. Default 1 MiB. */
  readonly maxPayloadBytes?: number | undefined;
  /** `requeue` only: the new generations'. */
  readonly deadline?: Moment | undefined;
  readonly actor: Actor;
  /** The tenant on whose behalf it is submitted. It is kept with the operation and chooses no jobs. Default: none. */
  readonly tenant?: string | undefined;
}

/** A wish under the id that its submitter chose. */
export interface NamedWish extends ActWish {
  /** Submitting the same wish under the same id again goes on where it stopped, and does nothing when it is finished. */
  readonly id: string;
}

export type ActTarget =
  /** At most `MAX_ACT_IDS`. With a generation, only a job that is still in it. */
  | { readonly ids: readonly ActTargetId[] }
  | {
      /** Of dead letters; for `restore`, of those that were purged (then without `text`). */
      readonly filter: DeadFilter;
      /** `regroup` only: letters of these causes, one after the other. Default: of all. */
      readonly causes?: readonly string[] | undefined;
      /**
       * Only letters that died (for `restore`: were purged) before this time, so that later deaths are left out.
       * Default: the store's now when the operation begins.
       */
      readonly cutOffMs?: number | undefined;
      /** How many are looked at, the oldest first. 1 to 100,000,000. */
      readonly limit: number;
    }
  | {
      /**
       * Of jobs, in those of the given states in which the act is possible. Absent: in all of these. Not for `restore`.
       */
      readonly jobs: JobFilter;
      /** Only jobs that were submitted before this time. Default: the store's now when the operation begins. */
      readonly cutOffMs?: number | undefined;
      /** How many are looked at, the newest first. 1 to 100,000,000. */
      readonly limit: number;
    };

export type ActTargetId = string | { readonly id: string; readonly generation: number };

/** The most ids in one wish: they are in memory at once. */
export const MAX_ACT_IDS = 1_000_000;
const MAX_LIMIT = 100_000_000;

/** @throws RedriveError `invalid_option` with every problem at once; `payload_too_large`. */
export function checkWish(wish: ActWish, batch = 1): void {
  const { act, target, payload, maxPayloadBytes = DEFAULT_MAX_PAYLOAD_BYTES } = wish;
  const problems: FieldProblem[] = [];
  if (!(Number.isInteger(batch) && batch >= 1 && batch <= 1_000)) {
    const message = `batch must be a whole number from 1 to 1000, not ${batch}`;
    problems.push({ field: 'batch', message });
  }
  checkTarget(target);
  if ('ids' in target) {
    if (act === 'regroup') {
      problems.push({ field: 'ids', message: 'dead letters are regrouped by a filter' });
    }
    if (target.ids.length > MAX_ACT_IDS) {
      const message = `ids may be at most ${MAX_ACT_IDS}, not ${target.ids.length}`;
      problems.push({ field: 'ids', message });
    }
  } else {
    const { limit } = target;
    if (!(Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT)) {
      const message = `limit must be a whole number from 1 to ${MAX_LIMIT}, not ${limit}`;
      problems.push({ field: 'limit', message });
    }
    problems.push(...notFinite('filter' in target ? target.filter : target.jobs));
    if (act === 'restore' && 'filter' in target && target.filter.text !== undefined) {
      problems.push({ field: 'text', message: 'text cannot be asked of what was purged' });
    }
    if (act === 'restore' && 'jobs' in target) {
      problems.push({ field: 'jobs', message: 'what is restored is named by ids or a filter' });
    }
    if (act === 'regroup' && 'jobs' in target) {
      problems.push({ field: 'jobs', message: 'dead letters are regrouped by a filter' });
    }
    if (act === 'cancel' && 'filter' in target) {
      problems.push({ field: 'filter', message: 'dead letters cannot be cancelled' });
    }
  }
  refuse('invalid_option', 'bulk operation', problems);
  if (payload !== undefined) checkPayloadSize(undefined, payload, maxPayloadBytes);
}

const SELECTED = { cutOffMs: [undefined], limit: [undefined] } as const;
const TARGETS = {
  ids: { ids: [undefined] },
  filter: { filter: [undefined], causes: [undefined], ...SELECTED },
  jobs: { jobs: [undefined], ...SELECTED },
} as const;

/** An unknown name is refused: without it the act would be on other jobs than its caller means. */
function checkTarget(target: ActTarget): void {
  const kind = (['ids', 'filter', 'jobs'] as const).find((name) => name in target);
  if (kind === undefined) {
    const message = 'target must have ids, filter or jobs';
    throw new RedriveError('invalid_option', `bulk operation: ${message}`, {
      problems: [{ field: 'target', message }],
    });
  }
  resolveOptions<object>('target', target, TARGETS[kind]);
  if ('filter' in target) checkDeadFilter(target.filter);
  if ('jobs' in target) checkJobFilter(target.jobs);
}

/** As JSON, such a number would be none. */
function notFinite(filter: DeadFilter | JobFilter): FieldProblem[] {
  return Object.entries(filter)
    .filter(([, value]) => typeof value === 'number' && !Number.isFinite(value))
    .map(([field, value]) => ({
      field,
      message: `${field} must be a finite number, not ${value}`,
    }));
}

/** The wish as text, which two submissions of one operation must have in common. It has no payload and no list of ids. */
export function requestOf(wish: ActWish, cutOffMs: number | undefined): string {
  const { act, target, payload, deadline, tenant } = wish;
  return JSON.stringify({
    act,
    ...aimOf(target, cutOffMs),
    deadline,
    payload: payload && payloadHash(payload),
    tenant,
  });
}

function aimOf(target: ActTarget, cutOffMs: number | undefined): object {
  if ('ids' in target) {
    return { ids: { count: target.ids.length, sha256: sha256(JSON.stringify(target.ids)) } };
  }
  const { limit } = target;
  if ('jobs' in target) return { jobs: sorted(target.jobs), cutOffMs, limit };
  return { filter: sorted(target.filter), causes: target.causes, cutOffMs, limit };
}

/**
 * The wish that a request was written from, for the process that carries it out in the background. `ids`: where it
 * named them. `undefined`: the request does not say all of it, because it has a payload or ids that are not given.
 */
export function wishOf(
  { request, by, why }: Pick<Operation, 'request' | 'by' | 'why'>,
  ids: readonly ActTargetId[] | undefined,
): ActWish | undefined {
  // Written by `requestOf`; where somebody else wrote it, its fields are missing.
  const { act, filter, causes, jobs, limit, cutOffMs, deadline, payload } = Object(
    JSON.parse(request),
  ) as Partial<RequestText>;
  if (act === undefined || payload !== undefined) return undefined;
  const rest = { act, deadline, actor: { name: by, why } };
  if (ids !== undefined) return { ...rest, target: { ids } };
  if (limit === undefined) return undefined;
  if (jobs !== undefined) return { ...rest, target: { jobs, cutOffMs, limit } };
  return filter && { ...rest, target: { filter, causes, cutOffMs, limit } };
}

interface RequestText {
  readonly act: ActWish['act'];
  readonly filter: DeadFilter;
  readonly causes: readonly string[];
  readonly jobs: JobFilter;
  readonly limit: number;
  readonly cutOffMs: number;
  readonly deadline: Moment;
  readonly payload: unknown;
}

/** The cut-off of an operation that has begun. */
export function cutOffOf(request: string): number | undefined {
  // Written by `requestOf`, or by somebody whose operation this is not: then the requests differ anyway.
  const { cutOffMs } = Object(JSON.parse(request)) as { cutOffMs?: unknown };
  return typeof cutOffMs === 'number' ? cutOffMs : undefined;
}

/** The act on one job. */
export function actOn(
  { act, payload, deadline, actor }: ActWish,
  { id, generation, group }: ActPage['jobs'][number],
  operation: string | undefined,
): ActCommand {
  return { kind: 'act', act, id, generation, payload, deadline, actor, operation, group };
}

function sorted(filter: DeadFilter | JobFilter): object {
  return Object.fromEntries(Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function payloadHash(payload: Payload): { sha256: string } {
  return { sha256: sha256(payload.kind === 'json' ? payload.text : payload.bytes) };
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
