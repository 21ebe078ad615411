import { eventsSettings } from '@redrive/config';
import { type Clock, systemClock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import type { Bus, Consumption, Delivery } from '@redrive/durable/events';
import type { RunCommand } from '../command/command-spec.ts';
import { integerOption, textOption } from '../command/option-values.ts';
import { loadConfig } from '../config/load-config.ts';
import { actorOf } from '../store/actor.ts';
import { withStore } from '../store/with-store.ts';
import { CliError } from '../terminal/cli-error.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { note, printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { type ImportedFrom, importedLetter } from './imported-letter.ts';

const BATCH = 256;
/** The queue counts as empty when nothing arrives for this time: another consumer may have taken the rest. */
const IDLE_MS = 5_000;

/** `redrive dlq import` */
export const runDlqImport: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const [name = '', queue = ''] = args;
  const limit = integerOption(options, 'limit', { min: 1, max: 1_000_000 }) ?? 1_000_000;
  const config = await loadConfig(invocation);
  const bus = await io.openBus(addressOf(eventsSettings(config).buses, name));
  const clock = io.clock ?? systemClock;
  const isDry = options.dryRun === true;
  try {
    const { problems, waiting = 0 } = await bus.check({ name: queue, queue });
    const [error] = problems.filter(({ severity }) => severity === 'error');
    if (error !== undefined) throw new CliError('failed', `${error.problem}.`, error.remedy);
    const count = Math.min(waiting, limit);
    const from = { bus: name, queue, to: textOption(options, 'to'), actor: actorOf(options) };
    const done = isDry
      ? { imported: count, duplicates: 0 }
      : await withStore(
          invocation,
          (store) => importAll({ bus, store, clock, count, from: { ...from, nowMs: clock.now() } }),
          { create: true, config },
        );
    if (options.json) printJson(io, { bus: bus.name, queue, dry_run: isDry, waiting, ...done });
    else printLines(io, [printable(textOf(queue, isDry, done))]);
    if (!options.json && done.imported > 0 && !isDry)
      note(io, `Look at them with: redrive dlq list --queue ${queue}`);
    return EXIT.ok;
  } finally {
    await bus.close();
  }
};

interface Done {
  readonly imported: number;
  /** Messages that were imported before. */
  readonly duplicates: number;
}

function textOf(queue: string, isDry: boolean, { imported, duplicates }: Done): string {
  const letters = imported === 1 ? '1 dead letter' : `${imported} dead letters`;
  const verb = isDry ? 'would be imported' : imported === 1 ? 'was imported' : 'were imported';
  const known = duplicates === 0 ? '' : `, ${duplicates} imported before`;
  return `${letters} of ${queue} ${verb}${known}.`;
}

function addressOf(buses: ReadonlyMap<string, string>, name: string): string {
  const url = buses.get(name);
  if (url === undefined) {
    const known = [...buses.keys()].join(', ') || 'none';
    throw new CliError('no_match', `No bus is called ${name}.`, `Known are: ${known}.`);
  }
  if (/^amqps?:/.test(url)) return url;
  throw new CliError(
    'failed',
    `${name} is not RabbitMQ, so it has no queue of failed messages.`,
    'Messages of JetStream can be looked at where they are: "redrive events tail". Dead letters of "store:" are in the store already.',
  );
}

interface Importing {
  readonly bus: Bus;
  readonly store: FullStore;
  readonly clock: Clock;
  readonly count: number;
  readonly from: ImportedFrom;
}

/** Stores each batch, then acknowledges it. Takes `count` messages at most, so that new ones do not keep it running. */
async function importAll({ bus, store, clock, count, from }: Importing): Promise<Done> {
  const source = { name: from.queue, queue: from.queue };
  let imported = 0;
  let taken = 0;
  while (taken < count) {
    const round = Promise.withResolvers<boolean>();
    // It may reject before `consume` resolves, when nothing waits for it yet.
    round.promise.catch(() => undefined);
    const prefetch = Math.min(BATCH, count - taken);
    let idle = clock.setTimer(IDLE_MS, () => round.resolve(false));
    const take = async (deliveries: readonly Delivery[]): Promise<void> => {
      idle.cancel();
      idle = clock.setTimer(IDLE_MS, () => round.resolve(false));
      if (taken + deliveries.length > count) {
        // They go back: the next round asks for as many as are left.
        round.resolve(true);
        throw new Error('The limit is reached');
      }
      try {
        imported += await storeAll(store, deliveries, from);
        taken += deliveries.length;
      } catch (error) {
        round.reject(error);
        throw error;
      }
      if (taken === count) round.resolve(true);
    };
    let consumption: Consumption | undefined;
    try {
      consumption = await bus.consume(source, { prefetch }, take);
      if (!(await round.promise)) break;
    } finally {
      idle.cancel();
      await consumption?.stop();
    }
  }
  return { imported, duplicates: taken - imported };
}

async function storeAll(
  store: FullStore,
  deliveries: readonly Delivery[],
  from: ImportedFrom,
): Promise<number> {
  const commands = deliveries.map((delivery) => importedLetter(delivery, from));
  const known = commands.filter((command) => command !== undefined);
  if (known.length < commands.length) {
    const hint = `Name the destination: --to <queue>. Messages of ${from.queue} stay where they are.`;
    throw new CliError('failed', 'A message does not say which queue it died in.', hint);
  }
  const results = await store.apply(known);
  return results.filter(({ ok }) => ok).length;
}
