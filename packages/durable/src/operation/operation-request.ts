import type { FieldProblem } from '@redrive/core';
import { type OptionTable, resolveOptions } from '@redrive/core/fields';
import { MAX_CONTROL_BYTES } from '../control/control-store.ts';
import { type OperationCourse, openPace, RAMP } from '../control/rules/index.ts';
import { textBytes } from '../jobs/payload.ts';
import { keptWhy } from '../store/kept-why.ts';
import { type ActTargetId, checkWish } from './act-wish.ts';
import type { NamedWish } from './begin-acts.ts';
import type { Operation } from './operation.ts';

/** An act on many that a worker carries out in the background, and how it is to go on. */
export interface OperationRequest extends Omit<NamedWish, 'payload' | 'maxPayloadBytes'> {
  /** Acts per second at most, 1 to 100,000. Default: as fast as it goes. */
  readonly ratePerSecond?: number | undefined;
  /**
   * `requeue` only: the sizes of its stages, each at least 1, at most ten of them and 1,000 items together; after the last
   * one come all the rest. Each stage begins when enough of the one before went well. Default 1, 10, 100. `false`: all at
   * once.
   */
  readonly ramp?: readonly number[] | false | undefined;
  /** The ramp stops when more than this share of a stage came back, 0 to 1. Default 0.2. */
  readonly stopShare?: number | undefined;
  /**
   * `requeue` only: jobs that were sent and have not ended, at most, 1 to 2,000. Default 1,000 with a ramp; without one,
   * any number.
   */
  readonly maxInFlight?: number | undefined;
}

/** What the document of a course has room for. */
const MAX_UNDER_WAY = 2_000;
const DEFAULT_IN_FLIGHT = 1_000;
const MAX_NAMED_IDS = 1_000;
const MAX_STAGES = 10;
const MAX_STAGE_ITEMS = 1_000;

type Terms = Pick<OperationRequest, 'ratePerSecond' | 'stopShare' | 'maxInFlight'>;

const TERMS: OptionTable<Terms> = {
  ratePerSecond: [undefined, { kind: 'number', min: 1, max: 100_000 }],
  stopShare: [RAMP.stopShare, { kind: 'number', min: 0, max: 1 }],
  maxInFlight: [undefined, { kind: 'integer', min: 1, max: MAX_UNDER_WAY }],
};

/** @throws RedriveError `invalid_option` with every problem at once. */
export function checkRequest(request: OperationRequest): void {
  const { ratePerSecond, stopShare, maxInFlight } = request;
  const terms = { ratePerSecond, stopShare, maxInFlight };
  resolveOptions('operation', terms, TERMS, 'invalid_option', () => problemsOf(request));
  checkWish(request);
}

function problemsOf(request: OperationRequest): FieldProblem[] {
  const { act, target, ramp, maxInFlight } = request;
  const problems: FieldProblem[] = [];
  if (act !== 'requeue' && (ramp || maxInFlight !== undefined)) {
    const message = `${act} starts nothing: a ramp and a maximum in flight are for requeue`;
    problems.push({ field: ramp ? 'ramp' : 'maxInFlight', message });
  }
  if (ramp && !isRamp(ramp)) {
    const message = `ramp must be at most ${MAX_STAGES} whole numbers from 1 up, together at most ${MAX_STAGE_ITEMS}`;
    problems.push({ field: 'ramp', message });
  }
  if ('ids' in target && target.ids.length > MAX_NAMED_IDS) {
    const message = `ids may be at most ${MAX_NAMED_IDS} in the background, not ${target.ids.length}`;
    problems.push({ field: 'ids', message });
  } else if (!hasRoom(request)) {
    const message = `the ids and the actor's name make a document of more than ${MAX_CONTROL_BYTES} bytes`;
    problems.push({ field: 'ids' in target ? 'ids' : 'actor', message });
  }
  return problems;
}

/** Asked before it begins: one that has begun and has no course is carried out by nobody. */
function hasRoom(request: OperationRequest): boolean {
  const most = Number.MAX_SAFE_INTEGER;
  const longest = newCourse(request, { revision: most }, { count: most, bounded: false }, most);
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

/** Nothing is under way, and nothing has ended. */
export const EMPTY_COURSE = Object.freeze({
  underWay: [],
  held: [],
  again: [],
  succeeded: 0,
  cameBack: 0,
});

/** How it begins. */
export function newCourse(
  request: OperationRequest,
  { revision }: Pick<Operation, 'revision'>,
  total: OperationCourse['total'],
  nowMs: number,
): OperationCourse {
  const { act, actor, target, ratePerSecond, stopShare = RAMP.stopShare } = request;
  const stages = act === 'requeue' ? (request.ramp ?? RAMP.stages) : false;
  return {
    state: 'running',
    sinceMs: nowMs,
    by: actor.name,
    why: keptWhy(actor.why),
    pace: ratePerSecond === undefined ? undefined : openPace(nowMs, ratePerSecond),
    maxInFlight: request.maxInFlight ?? (stages ? DEFAULT_IN_FLIGHT : undefined),
    ramp: stages
      ? { plan: { stages, stopShare }, at: { stage: 0, sent: 0, succeeded: 0, cameBack: 0 } }
      : undefined,
    ...EMPTY_COURSE,
    sentAt: revision,
    total,
    ids: 'ids' in target ? target.ids.map(named) : undefined,
  };
}

/** Whatever else an object has is not kept. */
function named(given: ActTargetId): ActTargetId {
  return typeof given === 'string' ? given : { id: given.id, generation: given.generation };
}
