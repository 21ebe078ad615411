import { type EngagedKill, type KillTarget, killSwitches, releaseKill } from '@redrive/durable';
import type { FullStore } from '@redrive/durable/store';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { actorOf } from '../store/actor.ts';
import { withStore } from '../store/with-store.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printJson, printText } from '../terminal/io.ts';
import { paceOption } from '../terminal/pace-option.ts';
import { rateText } from '../terminal/parse-rate.ts';
import { printable } from '../terminal/printable.ts';
import { onceThereIsAWorker, readOverview } from '../workers/read-overview.ts';
import { killDocument } from './kill-document.ts';
import { killTarget, targetText, targetWords } from './kill-target.ts';

/** `redrive kill release` */
export const runKillRelease: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const target = killTarget(invocation);
  const pace = paceOption(options);
  const dry = options.dryRun === true;
  return withStore(invocation, async (store) => {
    const released = dry
      ? await engagedAs(store, target)
      : (await releaseKill(store, { ...target, pace, actor: actorOf(options) })).released;
    if (options.json) {
      printJson(io, {
        scope: target.scope,
        name: target.name ?? null,
        changed: !dry && released !== undefined,
        released: released === undefined ? null : killDocument(released),
        pace: pace?.perSecond ?? null,
        dry_run: dry,
      });
      return EXIT.ok;
    }
    const { hasWorker } = await readOverview(store);
    printText(io, releaseText(target, released, pace?.perSecond, dry, hasWorker));
    if (!dry) tellRest(invocation, await killSwitches(store), released);
    return EXIT.ok;
  });
};

async function engagedAs(store: FullStore, target: KillTarget): Promise<EngagedKill | undefined> {
  const { scope, name } = target;
  return (await killSwitches(store)).find((kill) => kill.scope === scope && kill.name === name);
}

function releaseText(
  target: KillTarget,
  released: EngagedKill | undefined,
  perSecond: number | undefined,
  dry: boolean,
  hasWorker: boolean,
): string {
  const what = targetText(target);
  if (released === undefined) return `No kill switch for ${what} is engaged.`;
  const how =
    perSecond === undefined
      ? 'all its waiting jobs may start at once'
      : `its jobs are released at a growing pace, beginning with ${rateText(perSecond)}${onceThereIsAWorker(hasWorker)}`;
  return dry
    ? `The kill switch for ${what} would be released: ${how}.`
    : `The kill switch for ${what} is released: ${how}.`;
}

/** One switch may be released while another one still stops the same jobs. */
function tellRest(
  { io }: Invocation,
  rest: readonly EngagedKill[],
  released: EngagedKill | undefined,
): void {
  if (rest.length === 0) return;
  const words = rest.map(targetWords).join(', ');
  const still = released === undefined ? 'Engaged' : 'Still engaged';
  io.stderr(`${printable(`${still}: ${words}.`)}\n`);
}
