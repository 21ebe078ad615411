import { type EngagedKill, engageKill, type KillTarget, killSwitches } from '@redrive/durable';
import type { FullStore } from '@redrive/durable/store';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { actorOf } from '../store/actor.ts';
import { countText } from '../store/job-counts.ts';
import { withStore } from '../store/with-store.ts';
import { CliError } from '../terminal/cli-error.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printJson, printText } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { formatAge } from '../terminal/times.ts';
import { killDocument } from './kill-document.ts';
import {
  type Concerned,
  concernedBy,
  killTarget,
  targetText,
  targetWords,
  tellStrangeTarget,
} from './kill-target.ts';

type Mode = EngagedKill['mode'];

/** `redrive kill engage` */
export const runKillEngage: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const target = killTarget(invocation);
  // The command line takes no others.
  const mode = (textOption(options, 'mode') ?? 'finish') as Mode;
  return withStore(invocation, async (store) => {
    const counts = await store.counts();
    const concerned = concernedBy(target, counts);
    checkConsent(invocation, target, mode, concerned);
    const dry = options.dryRun === true;
    const { changed, engaged } = dry
      ? { changed: false, engaged: await wouldBe(store, target, mode, invocation) }
      : await engageKill(store, { ...target, mode, actor: actorOf(options) });
    if (options.json) {
      printJson(io, { ...killDocument(engaged), changed, ...concerned, dry_run: dry });
    } else {
      printText(io, engageText(engaged, { changed, dry, concerned, nowMs: counts.nowMs }));
    }
    await tellStrangeTarget(invocation, store, target);
    if (!dry && !options.json) {
      io.stderr(`To let it go on: redrive kill release ${printable(targetWords(target))}\n`);
    }
    return EXIT.ok;
  });
};

/** @throws CliError `refused` for what stops everything, unless somebody has said so twice. */
function checkConsent(
  { options }: Invocation,
  { scope }: KillTarget,
  mode: Mode,
  concerned: Concerned,
): void {
  if (scope !== 'all' || options.dryRun || textOption(options, 'confirm') === 'all') return;
  const message = `Nothing was done: this stops everything. ${concernedText(mode, concerned)}`;
  throw new CliError('refused', message.trim(), 'Add --confirm=all to go ahead.');
}

/** The switch as it would be. */
async function wouldBe(
  store: FullStore,
  target: KillTarget,
  mode: Mode,
  { options }: Invocation,
): Promise<EngagedKill> {
  const { name: by, why } = actorOf(options);
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
    readonly changed: boolean;
    readonly dry: boolean;
    readonly concerned: Concerned;
    readonly nowMs: number;
  },
): string {
  const { changed, dry, concerned, nowMs } = about;
  const what = targetText(engaged);
  const text = concernedText(engaged.mode, concerned);
  if (dry) return `It would stop ${what}. ${text}`;
  if (changed) return `Stopped: ${what}, in every process within a second. ${text}`;
  const since = `${formatAge(engaged.sinceMs, nowMs)} by ${engaged.by}`;
  return `The kill switch for ${what} was engaged already: ${since}.`;
}

/** `3 jobs run and may finish; 1,204 wait.` */
function concernedText(mode: Mode, { running, waiting, bounded }: Concerned): string {
  if (running === null || waiting === null) return '';
  if (running === 0 && waiting === 0) return 'Nothing of it runs or waits.';
  const wait = `${countText(waiting, bounded)} ${waiting === 1 ? 'waits' : 'wait'}.`;
  if (running === 0) return `Nothing of it runs; ${wait}`;
  const one = running === 1;
  const end = mode === 'finish' ? 'may finish' : one ? 'is interrupted' : 'are interrupted';
  return `${countText(running, bounded)} ${one ? 'job runs' : 'jobs run'} and ${end}; ${wait}`;
}
