import { type FieldProblem, refuse } from '@redrive/core/fields';
import type { Job } from '../job/job.ts';
import { MAX_NAME_LENGTH, textProblem } from '../jobs/text-problem.ts';

/** The target of a kill switch as it is stored: everything, or one queue, handler (`operation`) or tenant. */
export type KillScope = (typeof KILL_SCOPES)[number];

export const KILL_SCOPES = ['all', 'queue', 'operation', 'tenant'] as const;

export interface KillTarget {
  readonly scope: KillScope;
  /** Name of the queue, the handler or the tenant. Absent for `all`, and for `all` only. */
  readonly name?: string | undefined;
}

/** The target of a kill switch as callers name it. */
export interface KillWish {
  /** `all`, `queue`, `handler` or `tenant`. `operation` is the stored word for `handler`, and means the same. */
  readonly scope: KillScope | 'handler';
  /** Name of the queue, the handler or the tenant. Absent for `all`, and for `all` only. */
  readonly name?: string | undefined;
}

/** The target of a pause: one queue, handler or schedule. */
export interface PauseTarget {
  readonly scope: 'queue' | 'handler' | 'schedule';
  readonly name: string;
}

/** The words of callers for the target of each verb. */
const SCOPES = {
  'kill switch': ['all', 'queue', 'handler', 'tenant', 'operation'],
  pause: ['queue', 'handler', 'schedule'],
};

/** @throws RedriveError `invalid_option`. */
export function storedTarget(
  { scope, name }: KillWish,
  verb: keyof typeof SCOPES = 'kill switch',
): KillTarget {
  const problems: FieldProblem[] = [];
  const scopes = SCOPES[verb];
  if (!scopes.includes(scope)) {
    const message = `scope must be one of ${scopes.join(', ')}, not ${String(scope)}`;
    problems.push({ field: 'scope', message });
  } else if ((scope === 'all') !== (name === undefined)) {
    const word = scope === 'operation' ? 'handler' : scope;
    const message = scope === 'all' ? 'all has no name' : `the name of the ${word} is missing`;
    problems.push({ field: 'name', message });
  }
  // The name of no tenant is empty.
  const misnamed = textProblem('name', name, MAX_NAME_LENGTH, { empty: scope === 'tenant' });
  if (misnamed !== undefined) problems.push(misnamed);
  refuse('invalid_option', verb, problems);
  return { scope: scope === 'handler' ? 'operation' : scope, name };
}

/** The key of its document. */
export function killKey({ scope, name }: KillTarget): string {
  return scope === 'all' ? 'all' : `${scope}:${name}`;
}

/** The target that a document's key names. `undefined`: it names none. */
export function killTargetOf(key: string): KillTarget | undefined {
  if (key === 'all') return { scope: 'all' };
  const scope = KILL_SCOPES.find((each) => each !== 'all' && key.startsWith(`${each}:`));
  return scope && { scope, name: key.slice(scope.length + 1) };
}

const PAUSE = 'pause:';
const SCHEDULE = 'schedule:';

/** The key of a pause: the verb, then the key of the kill switch with the same target. */
export function pauseKey({ scope, name }: PauseTarget): string {
  // No job has this key: the pause of a schedule stops its ticks, not its jobs. The rules of its name are those of a queue.
  if (scope === 'schedule')
    return `${PAUSE}${SCHEDULE}${storedTarget({ scope: 'queue', name }, 'pause').name}`;
  return `${PAUSE}${killKey(storedTarget({ scope, name }, 'pause'))}`;
}

/** The target of the pause that a document's key names. `undefined`: it names none. */
export function pauseTargetOf(key: string): PauseTarget | undefined {
  if (!key.startsWith(PAUSE)) return undefined;
  if (key.startsWith(PAUSE + SCHEDULE)) {
    return { scope: 'schedule', name: key.slice(PAUSE.length + SCHEDULE.length) };
  }
  const { scope, name = '' } = killTargetOf(key.slice(PAUSE.length)) ?? {};
  if (scope === 'queue') return { scope, name };
  return scope === 'operation' ? { scope: 'handler', name } : undefined;
}

/** The fields of a job that kill switches and pauses match. */
export type Stoppable = Pick<Job, 'queue' | 'handler' | 'tenant'>;

/** The keys of the kill switches and pauses that cover a job. */
export function killKeysOf({ queue, handler, tenant }: Stoppable): readonly string[] {
  const [ofQueue, ofHandler] = [`queue:${queue}`, `operation:${handler}`];
  return ['all', ofQueue, ofHandler, `tenant:${tenant}`, PAUSE + ofQueue, PAUSE + ofHandler];
}
