import { schedulesSettings } from '@redrive/config';
import { isRedriveError } from '@redrive/core';
import {
  pauseWork,
  removeSchedule,
  resumeWork,
  runSchedule,
  schedules,
} from '@redrive/durable/control';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { loadConfig } from '../config/load-config.ts';
import { actorOf, withStore } from '../store/with-store.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { printJson, printText } from '../terminal/io.ts';
import { findSchedule } from './schedule-view.ts';

export const runScheduleRun: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const dry = options.dryRun === true;
  const name = args[0] ?? '';
  const job = await withStore(invocation, async (store) => {
    findSchedule((await schedules(store)).schedules, name);
    const clock = io.clock === undefined ? {} : { clock: io.clock };
    return dry ? null : runSchedule(store, { name, actor: actorOf(options), ...clock });
  }).catch((error: unknown) => {
    if (!isRedriveError(error, 'unique_conflict')) throw error;
    const hint = 'Wait for it ("redrive jobs wait <id>"), or cancel it.';
    throw new CliError('conflict', `${error.message}.`, hint, { cause: error });
  });
  if (options.json) printJson(io, { name, job, dry_run: dry });
  else printText(io, dry ? `A job of ${name} would be enqueued.` : `Job ${job} is enqueued.`);
};

export const runScheduleRemove: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const dry = options.dryRun === true;
  const name = args[0] ?? '';
  await refuseConfigured(invocation, name);
  await withStore(invocation, async (store) => {
    findSchedule((await schedules(store)).schedules, name);
    if (!dry) await removeSchedule(store, { name, actor: actorOf(options) });
  }).catch((error: unknown) => {
    if (!isRedriveError(error, 'control_conflict')) throw error;
    const hint = 'A worker that crashed counts as running for a minute.';
    throw new CliError('conflict', `${error.message}.`, hint, { cause: error });
  });
  if (options.json) printJson(io, { name, removed: !dry, dry_run: dry });
  else printText(io, `The schedule ${name} ${dry ? 'would be' : 'is'} removed.`);
};

/** The next worker that starts would create it again. */
async function refuseConfigured(invocation: Invocation, name: string): Promise<void> {
  const config = await loadConfig(invocation);
  if (!schedulesSettings(config).has(name)) return;
  const text = `The schedule ${name} is in ${config.file ?? 'the configuration'}.`;
  throw new CliError('conflict', text, 'Remove it there, and restart the workers.');
}

export const runSchedulePause: RunCommand = (invocation) => change(invocation, true);

export const runScheduleResume: RunCommand = (invocation) => change(invocation, false);

async function change(invocation: Invocation, paused: boolean): Promise<void> {
  const { io, args, options } = invocation;
  const dry = options.dryRun === true;
  const name = args[0] ?? '';
  const { was, changed } = await withStore(invocation, async (store) => {
    const { stopped } = findSchedule((await schedules(store)).schedules, name);
    const before = stopped?.key === `pause:schedule:${name}`;
    const act = paused ? pauseWork : resumeWork;
    const wish = { scope: 'schedule', name, actor: actorOf(options) } as const;
    return { was: before, changed: !dry && (await act(store, wish)).changed };
  });
  if (options.json)
    return printJson(io, { name, paused: dry ? was : paused, changed, dry_run: dry });
  const done = paused ? 'paused' : 'resumed';
  const would = was === paused ? 'would stay as it is' : `would be ${done}`;
  const is = changed ? `is ${done}` : paused ? 'was already paused' : 'was not paused';
  printText(io, `The schedule ${name} ${dry ? would : is}.`);
}
