import {
  endHold,
  holdPark,
  type ParkedJobs,
  parkedCauses,
  releasePark,
} from '@redrive/durable/control';
import { causeName, readOverview } from '@redrive/durable/store';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { integerOption, paceOption } from '../command/option-values.ts';
import { actorOf } from '../store/actor.ts';
import { counted } from '../store/job-counts.ts';
import { withStore } from '../store/with-store.ts';
import { note, printJson, printText } from '../terminal/io.ts';
import { rateText } from '../terminal/parse-rate.ts';
import { printable } from '../terminal/printable.ts';
import { onceThereIsAWorker } from '../workers/read-overview.ts';
import { findCause } from './cause-name.ts';

export const runParkRelease: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const pace = paceOption(options);
  const count = integerOption(options, 'count', { min: 1, max: 1_000_000 });
  const dry = options.dryRun === true;
  if (options.holdOnly) return setHold(invocation, true);
  return withStore(invocation, async (store) => {
    const { parked, hasWorker } = await readOverview(store);
    const park = findCause(parked, args[0] ?? '');
    const wish = { cause: park.cause, count, pace, actor: actorOf(options) };
    const { released, more } = dry
      ? planned(park, count, pace !== undefined)
      : await releasePark(store, wish);
    const cause = causeName(park.cause);
    const perSecond = pace?.perSecond;
    if (options.json)
      return printJson(io, { cause, released, more, pace: perSecond ?? null, dry_run: dry });
    printText(io, releaseText({ cause, released, more, perSecond, dry, hasWorker }));
    const hint = stillThere(park);
    if (hint !== undefined) note(io, printable(hint));
  });
};

function planned({ count: all, bounded }: ParkedJobs, count = Infinity, isPaced: boolean) {
  const released = isPaced ? 0 : Math.min(all, count);
  return { released, more: bounded || released < all };
}

function releaseText(about: {
  readonly cause: string;
  readonly released: number;
  readonly more: boolean;
  readonly perSecond: number | undefined;
  readonly dry: boolean;
  readonly hasWorker: boolean;
}): string {
  const { cause, released, more, perSecond, dry, hasWorker } = about;
  if (perSecond !== undefined) {
    const verb = dry ? 'would be' : 'are';
    return `The jobs under ${cause} ${verb} released at a growing pace, beginning with ${rateText(perSecond)}${onceThereIsAWorker(hasWorker)}.`;
  }
  const verb = dry ? 'would be' : released === 1 ? 'is' : 'are';
  return `${counted(released, 'job')} under ${cause} ${verb} ready.${more ? ' There are more.' : ''}`;
}

/** Where the cause is still there, releasing alone does not help. */
function stillThere({ waitsFor }: ParkedJobs): string | undefined {
  switch (waitsFor.kind) {
    case 'breaker': {
      const { dependency } = waitsFor;
      return `The breaker of ${dependency} is still open and will park them again. To let them run: redrive breakers force-closed ${dependency} --for 10m`;
    }
    case 'gate': {
      const { dependency } = waitsFor;
      return `The gate of ${dependency} is still closed and will park them again. To let them run: redrive gates release ${dependency}`;
    }
    default:
      return undefined;
  }
}

export const runParkHold: RunCommand = (invocation) =>
  setHold(invocation, invocation.options.end === true);

async function setHold(invocation: Invocation, ends: boolean): Promise<void> {
  const { io, args, options } = invocation;
  const dry = options.dryRun === true;
  return withStore(invocation, async (store) => {
    const park = findCause(await parkedCauses(store), args[0] ?? '');
    const was = park.held !== undefined;
    const wish = { cause: park.cause, actor: actorOf(options) };
    const { changed } = dry ? { changed: false } : await (ends ? endHold : holdPark)(store, wish);
    const cause = causeName(park.cause);
    if (options.json)
      return printJson(io, { cause, held: dry ? was : !ends, changed, dry_run: dry });
    const what = `Jobs parked under ${cause}`;
    const now = ends ? 'are no longer held' : 'are held';
    const would = ends ? 'would no longer be held' : 'would be held';
    const already = ends ? 'were not held' : `were held already, by ${park.held?.by ?? 'somebody'}`;
    printText(io, `${what} ${dry ? would : changed ? now : already}.`);
    if (!dry && !ends) note(io, `To end the hold: redrive park release ${printable(cause)}`);
  });
}
