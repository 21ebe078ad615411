import { systemClock } from '@redrive/core';
import { planRelease, sendDocument, whyNotSent } from '@redrive/durable/store';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { momentOption } from '../command/option-values.ts';
import { actorOf } from '../store/actor.ts';
import { counted } from '../store/job-counts.ts';
import { withStore } from '../store/with-store.ts';
import { CliError } from '../terminal/cli-error.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printJson, printLines, printText } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { documentOf, withSweep } from './configured-sweeps.ts';

export const runSweepSchedule: RunCommand = (invocation) => {
  const { io, args, options } = invocation;
  const at = momentOption(options, 'at');
  const dry = options.dryRun === true;
  return withSweep(invocation, async (sweep, { config }) => {
    const id = args[1] ?? '';
    const { document, nowMs } = await documentOf(sweep, id);
    const why = whyNotSent(sweep, document);
    if (why !== undefined)
      throw new CliError('conflict', `Document ${id} of ${sweep.name} ${why}.`);
    const job = dry
      ? null
      : await withStore(
          invocation,
          (store) => sendDocument(store, sweep, { document, nowMs, ...by(invocation), due: at }),
          { config },
        );
    if (options.json)
      return printJson(io, { collection: sweep.name, document: id, job, dry_run: dry });
    const when = at === undefined ? 'now' : 'inMs' in at ? 'then' : new Date(at.atMs).toISOString();
    const text = dry
      ? `The event of document ${id} of ${sweep.name} would be sent.`
      : `Job ${job} sends the event of document ${id} of ${sweep.name}${when === 'now' ? '' : `, not before its time`}.`;
    printText(io, text);
  });
};

export const runStuckRelease: RunCommand = (invocation) => {
  const { io, args, options } = invocation;
  const dry = options.dryRun === true;
  return withSweep(invocation, async (sweep, { config }) => {
    const [, ...ids] = args;
    const { due, refused, nowMs } = await planRelease(sweep, ids);
    if (!dry && due.length > 0) {
      await withStore(
        invocation,
        async (store) => {
          for (const document of due)
            await sendDocument(store, sweep, { document, nowMs, ...by(invocation) });
        },
        { config },
      );
    }
    const { name: collection } = sweep;
    if (options.json) printJson(io, { collection, released: due.length, refused, dry_run: dry });
    else {
      const are = dry ? 'would be sent' : due.length === 1 ? 'is a job now' : 'are jobs now';
      printLines(io, [
        printable(`${counted(due.length, 'event')} of ${collection} ${are}.`),
        ...refused.map(({ id, why }) => printable(`Document ${id} ${why}.`)),
      ]);
    }
    return refused.length > 0 ? EXIT.partial : EXIT.ok;
  });
};

function by({ io, options }: Invocation) {
  return { actor: actorOf(options), clock: io.clock ?? systemClock };
}
