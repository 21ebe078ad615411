import { endHold, holdPark, parkedCauses } from '@redrive/durable';
import type { RunCommand } from '../command/command-spec.ts';
import { actorOf } from '../store/actor.ts';
import { withStore } from '../store/with-store.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printJson, printText } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { causeName } from './cause-name.ts';
import { findCause } from './find-cause.ts';

/** `redrive park hold` */
export const runParkHold: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const dry = options.dryRun === true;
  const ends = options.end === true;
  return withStore(invocation, async (store) => {
    const park = findCause(await parkedCauses(store), args[0] ?? '');
    const was = park.held !== undefined;
    const wish = { cause: park.cause, actor: actorOf(options) };
    const { changed } = dry ? { changed: false } : await (ends ? endHold : holdPark)(store, wish);
    const cause = causeName(park.cause);
    if (options.json) {
      printJson(io, { cause, held: dry ? was : !ends, changed, dry_run: dry });
      return EXIT.ok;
    }
    const what = `What is parked under ${cause}`;
    const now = ends ? 'is no longer held' : 'is held';
    const would = ends ? 'would no longer be held' : 'would be held';
    const already = ends ? 'was not held' : `was held already, by ${park.held?.by ?? 'somebody'}`;
    printText(io, `${what} ${dry ? would : changed ? now : already}.`);
    if (!dry && !ends) {
      io.stderr(`To end it: redrive park hold ${printable(cause)} --end\n`);
    }
    return EXIT.ok;
  });
};
