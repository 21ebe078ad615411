import { type FieldProblem, type OptionTable, resolveOptions } from '@redrive/core/fields';
import { MAX_CONTROL_BYTES } from '../control/control-store.ts';
import type { BulkProgress } from '../control/rules/bulk-progress.ts';
import { NO_RESULTS, RAMP } from '../control/rules/ramp.ts';
import { openPace } from '../control/rules/release-pace.ts';
import { textBytes } from '../jobs/payload.ts';
import { anActor, keptWhy } from '../store/commands.ts';
import { ACTS, type ActTargetId, checkWish, type NamedWish } from './act-wish.ts';
import type { Operation } from './operation.ts';

/** A bulk operation and its options. */
export interface OperationRequest extends NamedWish {
  /** Acts per second at most, 1 to 100,000. Default: no limit. */
  readonly ratePerSecond?: number | undefined;
  /**
   * `requeue` only: the sizes of its stages, each at least 1, at most ten of them and 1,000 items together; after the last
   * one all other items follow. A stage begins when all jobs of the one before have made an attempt and enough of these
   * succeeded. Default 1, 10, 100. `false`: all at once.
   */
  readonly ramp?: readonly number[] | false | undefined;
  /** The ramp stops when more than this share of a stage failed again, 0 to 1. Default 0.2. */
  readonly stopShare?: number | undefined;
  /**
   * `requeue` only: jobs that were sent and have made no attempt since, at most, 1 to 2,000. Default 1,000 with a ramp;
   * without one, any number.
   */
  readonly maxInFlight?: number | undefined;
}

/** The most items that fit into the document. */
const MAX_UNDER_WAY = 2_000;
const MAX_STORED_IDS_BYTES = MAX_CONTROL_BYTES / 2;
const DEFAULT_IN_FLIGHT = 1_000;
const MAX_NAMED_IDS = 1_000;
const MAX_STAGES = 10;
const MAX_STAGE_ITEMS = 1_000;

const isObject = (value: unknown): value is object => Object(value) === value;

const OPTIONS: OptionTable<OperationRequest> = {
  id: [null, { kind: 'string' }],
  act: [null, { kind: 'choice', values: ACTS }],
  target: [null, { kind: 'check', must: 'an object', obeys: isObject }],
  payload: [undefined],
  maxPayloadBytes: [undefined],
  deadline: [undefined],
  actor: [null, anActor],
  tenant: [undefined],
  ramp: [undefined],
  ratePerSecond: [undefined, { kind: 'number', min: 1, max: 100_000 }],
  stopShare: [RAMP.stopShare, { kind: 'number', min: 0, max: 1 }],
  maxInFlight: [undefined, { kind: 'integer', min: 1, max: MAX_UNDER_WAY }],
};

/**
 * `atOnce`: the process that submits it carries it out.
 *
 * @throws RedriveError `invalid_option` with every problem at once.
 */
export function checkRequest(request: OperationRequest, atOnce = false): void {
  resolveOptions('operation', request, OPTIONS, 'invalid_option', ({ target, actor }) =>
    isObject(target) && isObject(actor) ? problemsOf(request, atOnce) : [],
  );
  checkWish(request);
}

function problemsOf(request: OperationRequest, atOnce: boolean): FieldProblem[] {
  const { act, ramp, maxInFlight } = request;
  const problems: FieldProblem[] = [];
  if (act !== 'requeue' && (ramp || maxInFlight !== undefined)) {
    const message = `${act} starts nothing: a ramp and a maximum in flight are for requeue`;
    problems.push({ field: ramp ? 'ramp' : 'maxInFlight', message });
  }
  if (ramp && !isRamp(ramp)) {
    const message = `ramp must be at most ${MAX_STAGES} whole numbers from 1 up, together at most ${MAX_STAGE_ITEMS}`;
    problems.push({ field: 'ramp', message });
  }
  if (!atOnce && isBySubmitter(request)) {
    const isLong = request.payload === undefined;
    const message = isLong
      ? `workers can carry out at most ${MAX_NAMED_IDS} ids, and at most ${MAX_STORED_IDS_BYTES} bytes of them`
      : 'workers cannot carry it out with a payload, because it is not stored';
    problems.push({ field: isLong ? 'ids' : 'payload', message });
  }
  if (!hasRoom(request)) {
    const message = `the actor's name makes a document of more than ${MAX_CONTROL_BYTES} bytes`;
    problems.push({ field: 'actor', message });
  }
  return problems;
}

/** Checked before it begins: without its document no process carries it out. */
function hasRoom(request: OperationRequest): boolean {
  const most = Number.MAX_SAFE_INTEGER;
  const longest = newProgress(request, { revision: most }, { count: most, bounded: false }, most);
  return textBytes(JSON.stringify(longest), MAX_CONTROL_BYTES) <= MAX_CONTROL_BYTES;
}

function isRamp(stages: readonly number[]): boolean {
  return (
    stages.length >= 1 &&
    stages.length <= MAX_STAGES &&
    stages.every((size) => Number.isInteger(size) && size >= 1) &&
    stages.reduce((sum, size) => sum + size, 0) <= MAX_STAGE_ITEMS
  );
}

/** No job is in flight, and none has a result. */
export const EMPTY_PROGRESS = Object.freeze({ underWay: [], succeeded: 0, cameBack: 0 });

/** The progress at the beginning. `runner`: the process that submits it and carries it out at once. */
export function newProgress(
  request: OperationRequest,
  { revision }: Pick<Operation, 'revision'>,
  total: BulkProgress['total'],
  nowMs: number,
  runner?: BulkProgress['runner'],
): BulkProgress {
  const { act, actor, target, ratePerSecond, stopShare = RAMP.stopShare } = request;
  const stages = act === 'requeue' ? (request.ramp ?? RAMP.stages) : false;
  const bySubmitter = isBySubmitter(request) || undefined;
  return {
    state: 'running',
    changes: [{ to: 'running', atMs: nowMs, by: actor.name, why: keptWhy(actor.why) }],
    pace: ratePerSecond === undefined ? undefined : openPace(nowMs, ratePerSecond),
    maxInFlight: request.maxInFlight ?? (stages ? DEFAULT_IN_FLIGHT : undefined),
    ramp: stages ? { plan: { stages, stopShare }, at: NO_RESULTS } : undefined,
    ...EMPTY_PROGRESS,
    sentAt: revision,
    total,
    ids: 'ids' in target && !bySubmitter ? target.ids.map(named) : undefined,
    bySubmitter,
    runner,
  };
}

/** A payload and a long list of ids are not stored. */
function isBySubmitter({ payload, target }: OperationRequest): boolean {
  if (payload !== undefined) return true;
  if (!('ids' in target)) return false;
  const { ids } = target;
  if (ids.length > MAX_NAMED_IDS) return true;
  return textBytes(JSON.stringify(ids.map(named)), MAX_STORED_IDS_BYTES) > MAX_STORED_IDS_BYTES;
}

/** Other fields of the object are not stored. */
function named(given: ActTargetId): ActTargetId {
  return typeof given === 'string' ? given : { id: given.id, generation: given.generation };
}
