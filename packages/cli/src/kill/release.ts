import type { FullStore } from '@redrive/durable';
import {
  type EngagedKill,
  type KillTarget,
  killSwitches,
  releaseKill,
} from '@redrive/durable/control';
import { killDocument, readOverview, targetText } from '@redrive/durable/store';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { paceOption } from '../command/option-values.ts';
import { actorOf } from '../store/actor.ts';
import { withStore } from '../store/with-store.ts';
import { CliError } from '../terminal/cli-error.ts';
import { printJson, printText } from '../terminal/io.ts';
import { rateText } from '../terminal/parse-rate.ts';
import { printable } from '../terminal/printable.ts';
import { onceThereIsAWorker } from '../workers/read-overview.ts';
import { killTarget, targetWords } from './kill-target.ts';

export const runKillRelease: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const target = killTarget(invocation);
  const pace = paceOption(options);
  const dry = options.dryRun === true;
  return withStore(invocation, async (store) => {
    const released = dry
      ? await engagedAs(store, target)
      : (await releaseKill(store, { ...target, pace, actor: actorOf(options) })).released;
    if (released === undefined) throw notEngaged(target, await killSwitches(store));
    if (options.json)
      return printJson(io, {
        scope: target.scope,
        name: target.name ?? null,
        changed: !dry,
        released: killDocument(released),
        pace: pace?.perSecond ?? null,
        dry_run: dry,
      });
    const { hasWorker } = await readOverview(store);
    printText(io, releaseText(target, pace?.perSecond, dry, hasWorker));
    if (!dry) tellRest(invocation, await killSwitches(store));
  });
};

function notEngaged(target: KillTarget, engaged: readonly EngagedKill[]): CliError {
  const message = `No kill switch for ${targetText(target)} is engaged, so nothing was released.`;
  const hint =
    engaged.length === 0 ? 'No kill switch is engaged.' : `Engaged are: ${wordsOf(engaged)}.`;
  return new CliError('no_match', message, hint);
}

async function engagedAs(store: FullStore, target: KillTarget): Promise<EngagedKill | undefined> {
  const { scope, name } = target;
  return (await killSwitches(store)).find((kill) => kill.scope === scope && kill.name === name);
}

function releaseText(
  target: KillTarget,
  perSecond: number | undefined,
  dry: boolean,
  hasWorker: boolean,
): string {
  const what = targetText(target);
  const how =
    perSecond === undefined
      ? 'all its waiting jobs may start at once'
      : `its jobs are released at a growing pace, beginning with ${rateText(perSecond)}${onceThereIsAWorker(hasWorker)}`;
  return dry
    ? `The kill switch for ${what} would be released: ${how}.`
    : `The kill switch for ${what} is released: ${how}.`;
}

/** One switch may be released while another one still stops the same jobs. */
function tellRest({ io }: Invocation, rest: readonly EngagedKill[]): void {
  if (rest.length > 0) io.stderr(`${printable(`Still engaged: ${wordsOf(rest)}.`)}\n`);
}

function wordsOf(kills: readonly EngagedKill[]): string {
  return kills.map(targetWords).join(', ');
}
