import { killKeysOf, pauseKey } from '../control/kill-target.ts';
import type { Actor, EnqueueCommand } from '../store/commands.ts';
import { enqueueCommand } from '../store/enqueue-command.ts';
import type { Schedule, ScheduledJob } from './schedule.ts';

/** The keys of the kill switches and pauses that stop a schedule: those over its jobs, and its own pause. */
export function stopKeysOf(name: string, job: ScheduledJob): readonly string[] {
  return [...killKeysOf(job), pauseKey({ scope: 'schedule', name })];
}

/** `nightly@2026-11-16T03:00:00Z`: each tick has one job, however many processes enqueue it. */
export function tickId(name: string, tickMs: number): string {
  return `${name}@${new Date(tickMs).toISOString().replace('.000Z', 'Z')}`;
}

/** The enqueue of a schedule's job, at a tick or now. */
export function scheduledJob(
  name: string,
  { overlap, job }: Schedule,
  { id, tickMs, actor }: { readonly id: string; readonly tickMs: number; readonly actor: Actor },
): EnqueueCommand {
  const { payload, ...spec } = job;
  const key = `schedule:${name}`;
  return enqueueCommand(
    {
      ...spec,
      id,
      headers: { 'redrive-schedule': name, 'redrive-tick': new Date(tickMs).toISOString() },
      payload: { kind: 'json', text: payload },
      ...(overlap === 'skip' ? { uniqueKey: key } : { limitKey: key }),
    },
    actor,
  );
}
