import { maskUrls } from '@redrive/config';
import { isRedriveError, systemClock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import {
  type EngagedKill,
  engageKill,
  type KillTarget,
  killSwitches,
} from '@redrive/durable/control';
import {
  type Concerned,
  type Counts,
  concernedBy,
  countText,
  killDocument,
  targetText,
} from '@redrive/durable/store';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { findStore } from '../config/configured-store.ts';
import { actorOf } from '../store/with-store.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { type Io, note, printJson, printText } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { formatAge, formatTime } from '../terminal/times.ts';
import { killTarget, releaseCommand, tellStrangeTarget } from './kill-switches.ts';

type Mode = EngagedKill['mode'];

export const runKillEngage: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const target = killTarget(invocation);
  // The command line takes no others.
  const mode = (textOption(options, 'mode') ?? 'finish') as Mode;
  const dry = options.dryRun === true;
  const url = await findStore(invocation);
  const created = await isStoreMissing(io, url);
  // Nothing is opened: that would leave a store behind.
  const store =
    created && (dry || !isConfirmed(invocation, target))
      ? undefined
      : await io.openStore(url, !dry);
  try {
    await checkConsent(invocation, target, mode, created ? undefined : store);
    // Also where there is no store yet: the switch holds before the first worker comes.
    if (!dry) await store?.migrate();
    const { changed, engaged } =
      dry || store === undefined
        ? { changed: false, engaged: await wouldBe(store, target, mode, invocation) }
        : await engageKill(store, { ...target, mode, actor: actorOf(options) });
    // Only now: where jobs cannot be counted, it is most urgent to stop them.
    const counts = store && (await countsIfAny(store, io));
    const concerned = store === undefined ? NONE : concernedIn(target, counts);
    const name = maskUrls(url);
    if (options.json) {
      const about = { store: name, created, dry_run: dry };
      printJson(io, { ...killDocument(engaged), changed, ...concerned, ...about });
    } else {
      const about = { store: name, created, changed, dry, concerned, nowMs: counts?.nowMs };
      printText(io, engageText(engaged, about));
    }
    if (counts !== undefined) {
      await tellStrangeTarget(invocation, { counts: async () => counts }, target);
    }
    if (!dry && !options.json) {
      note(io, `To release it: ${releaseCommand(target)}`);
    }
    return;
  } finally {
    await store?.close();
  }
};

/** No job is in a store that does not exist. */
const NONE: Concerned = { running: 0, waiting: 0, bounded: false };

/** The counts are for display only: a store that cannot count its jobs can still stop them. */
async function countsIfAny(store: FullStore, io: Io): Promise<Counts | undefined> {
  try {
    return await store.counts();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    io.stderr(`The jobs that it stops could not be counted: ${printable(why)}\n`);
    return undefined;
  }
}

function concernedIn(target: KillTarget, counts: Counts | undefined): Concerned {
  if (counts === undefined) return { running: null, waiting: null, bounded: false };
  return concernedBy(target, counts);
}

function isConfirmed({ options }: Invocation, { scope }: KillTarget): boolean {
  return scope !== 'all' || options.dryRun === true || textOption(options, 'confirm') === 'all';
}

/** @throws CliError `refused` for what stops everything, unless somebody has said so twice. */
async function checkConsent(
  invocation: Invocation,
  target: KillTarget,
  mode: Mode,
  store: FullStore | undefined,
): Promise<void> {
  if (isConfirmed(invocation, target)) return;
  const counts = store && (await countsIfAny(store, invocation.io));
  const concerned = concernedIn(target, counts);
  const message = `Nothing was changed: this stops everything. ${concernedText(mode, concerned)}`;
  throw new CliError('refused', message.trim(), 'Add --confirm=all to go ahead.');
}

/** The switch as it would be. */
async function wouldBe(
  store: FullStore | undefined,
  target: KillTarget,
  mode: Mode,
  { io, options }: Invocation,
): Promise<EngagedKill> {
  const { name: by, why } = actorOf(options);
  if (store === undefined) {
    return { ...target, mode, sinceMs: (io.clock ?? systemClock).now(), by, why };
  }
  const { nowMs } = await store.controls();
  const before = (await killSwitches(store)).find(
    ({ scope, name }) => scope === target.scope && name === target.name,
  );
  return before?.mode === mode
    ? before
    : { ...target, mode, sinceMs: before?.sinceMs ?? nowMs, by, why };
}

function engageText(
  engaged: EngagedKill,
  about: {
    readonly store: string;
    readonly created: boolean;
    readonly changed: boolean;
    readonly dry: boolean;
    readonly concerned: Concerned;
    readonly nowMs: number | undefined;
  },
): string {
  const { store, created, changed, dry, concerned, nowMs } = about;
  const what = targetText(engaged);
  if (created && dry)
    return `The store ${store} does not exist. It would be created, and would stop ${what}.`;
  const text = created
    ? 'This store is new: no worker is known to use it.'
    : concernedText(engaged.mode, concerned);
  if (dry) return `It would stop ${what} in ${store}. ${text}`.trim();
  if (changed)
    return `Stopped: ${what} in ${store}, in every process within a second. ${text}`.trim();
  const since = `${nowMs === undefined ? formatTime(engaged.sinceMs) : formatAge(engaged.sinceMs, nowMs)} by ${engaged.by}`;
  return `The kill switch for ${what} in ${store} was already engaged: ${since}.`;
}

/** `3 jobs run and may finish; 1,204 wait.` */
function concernedText(mode: Mode, { running, waiting, bounded }: Concerned): string {
  if (running === null || waiting === null) return '';
  if (running === 0 && waiting === 0)
    return 'No unfinished job is affected now; new jobs wait until the switch is released.';
  const wait = `${countText(waiting, bounded)} ${waiting === 1 ? 'waits' : 'wait'}.`;
  if (running === 0) return `No job runs; ${wait}`;
  const one = running === 1;
  const end = mode === 'finish' ? 'may finish' : one ? 'is interrupted' : 'are interrupted';
  return `${countText(running, bounded)} ${one ? 'job runs' : 'jobs run'} and ${end}; ${wait}`;
}

/**
 * Whether there is no store at this URL. Makes none. A store that cannot answer counts as there: this must not stop a
 * command that creates stores.
 */
async function isStoreMissing({ openStore }: Pick<Io, 'openStore'>, url: string) {
  try {
    const store = await openStore(url, false);
    try {
      await store.controlRevision();
    } finally {
      await store.close();
    }
    return false;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    return isRedriveError(error, 'store_not_found') || isRedriveError(cause, 'store_not_found');
  }
}
