import { endHold, holdPark, parkedCauses } from '@redrive/durable/control';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { actorOf } from '../store/actor.ts';
import { withStore } from '../store/with-store.ts';
import { note, printJson, printText } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { causeName, findCause } from './cause-name.ts';

/** `redrive park hold` */
export const runParkHold: RunCommand = (invocation) =>
  setHold(invocation, invocation.options.end === true);

/** `redrive park release --hold-only` */
export function endHoldOnly(invocation: Invocation): Promise<void> {
  return setHold(invocation, true);
}

async function setHold(invocation: Invocation, ends: boolean): Promise<void> {
  const { io, args, options } = invocation;
  const dry = options.dryRun === true;
  return withStore(invocation, async (store) => {
    const park = findCause(await parkedCauses(store), args[0] ?? '');
    const was = park.held !== undefined;
    const wish = { cause: park.cause, actor: actorOf(options) };
    const { changed } = dry ? { changed: false } : await (ends ? endHold : holdPark)(store, wish);
    const cause = causeName(park.cause);
    if (options.json) {
      printJson(io, { cause, held: dry ? was : !ends, changed, dry_run: dry });
      return;
    }
    const what = `Jobs parked under ${cause}`;
    const now = ends ? 'are no longer held' : 'are held';
    const would = ends ? 'would no longer be held' : 'would be held';
    const already = ends ? 'were not held' : `were held already, by ${park.held?.by ?? 'somebody'}`;
    printText(io, `${what} ${dry ? would : changed ? now : already}.`);
    if (!dry && !ends) {
      note(io, `To end the hold: redrive park release ${printable(cause)}`);
    }
  });
}
