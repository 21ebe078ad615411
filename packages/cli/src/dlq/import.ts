import { type Config, eventsSettings, type SourceSettings, sweepsSettings } from '@redrive/config';
import { type Clock, systemClock } from '@redrive/core';
import { commandText } from '@redrive/core/fields';
import type { FullStore } from '@redrive/durable';
import type { Bus, BusCheck, BusSource, Consumption, Delivery } from '@redrive/durable/events';
import { buriedByRules } from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { integerOption, textOption } from '../command/option-values.ts';
import { loadConfig } from '../config/load-config.ts';
import { actorOf, withStore } from '../store/with-store.ts';
import { CliError, EXIT } from '../terminal/exit-codes.ts';
import { note, printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { type ImportedFrom, importedLetter } from './imported-letter.ts';

const BATCH = 256;
/** The queue counts as empty when nothing arrives for this time: another consumer may have taken the rest. */
const IDLE_MS = 5_000;
/** JetStream delivers the messages of an import that was killed again after 30 s. */
const REDELIVERED_MS = 35_000;
/** Messages that a dry run looks at, one request each. */
const MAX_PEEKED = 10_000;

/** `redrive dlq import` */
export const runDlqImport: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const [name = '', queue = ''] = args;
  const limit = integerOption(options, 'limit', { min: 1, max: 1_000_000 }) ?? 1_000_000;
  const config = await loadConfig(invocation);
  const settings = eventsSettings(config);
  const url = addressOf(settings.buses, name);
  const source = sourceOf(url, queue, textOption(options, 'subject'));
  const bus = await io.openBus(url);
  const clock = io.clock ?? systemClock;
  const from = {
    bus: name,
    queue,
    to: textOption(options, 'to'),
    destinations: destinationsOn(name, settings.sources),
    failedEvents: failedEventsIn(name, config),
    actor: actorOf(options),
    nowMs: clock.now(),
  };
  try {
    const isDry = options.dryRun === true;
    const found = await look(bus, source, isDry);
    const { unacknowledged = 0 } = found;
    const waiting = (found.waiting ?? 0) + unacknowledged;
    const count = Math.min(waiting, limit);
    const idleMs = unacknowledged > 0 ? REDELIVERED_MS : IDLE_MS;
    if (!isDry && unacknowledged > 0) note(io, waits(unacknowledged));
    const done = isDry
      ? await plan({ bus, source, count, from })
      : await withStore(
          invocation,
          (store) => importAll({ bus, source, store, clock, count, idleMs, from }),
          { create: true, config },
        );
    if (options.json) printJson(io, { bus: bus.name, queue, dry_run: isDry, waiting, ...done });
    else printLines(io, textOf(queue, isDry, done).map(printable));
    if (!options.json && done.imported > 0 && !isDry) {
      note(io, `Look at them with: ${commandText`redrive dlq list --queue ${queue}`}`);
      if (source.stream !== undefined) note(io, STAYS);
    }
    return EXIT.ok;
  } finally {
    await bus.close();
  }
};

const STAYS = 'The messages stay in the stream. Its consumer remembers that they were imported.';

function waits(unacknowledged: number): string {
  const messages = unacknowledged === 1 ? '1 message is' : `${unacknowledged} messages are`;
  return `${messages} delivered and not acknowledged: another import was interrupted, or runs now. The broker delivers them again within 30 seconds.`;
}

interface Done {
  readonly imported: number;
  /** Messages that were imported before. */
  readonly duplicates: number;
  /** Messages of a dry run that do not say where they came from. `null`: not known. */
  readonly without_destination: number | null;
}

function textOf(queue: string, isDry: boolean, done: Done): string[] {
  const { imported, duplicates, without_destination: lost } = done;
  const letters = imported === 1 ? '1 dead letter' : `${imported} dead letters`;
  const verb = isDry ? 'would be imported' : imported === 1 ? 'was imported' : 'were imported';
  const known = duplicates === 0 ? '' : `, ${duplicates} imported before`;
  const text = `${letters} of ${queue} ${verb}${known}.`;
  if (!lost) return [text];
  const which = lost === 1 ? '1 message does' : `${lost} messages do`;
  return [text, `${which} not say which queue to go back to: name it with --to.`];
}

function addressOf(buses: ReadonlyMap<string, string>, name: string): string {
  const url = buses.get(name);
  if (url === undefined) {
    const known = [...buses.keys()].join(', ') || 'none';
    throw new CliError('no_match', `No bus is called ${name}.`, `Known are: ${known}.`);
  }
  if (url !== 'store:') return url;
  throw new CliError(
    'failed',
    `The bus ${name} is the store itself, so it has no queue of failed messages.`,
    'Its dead letters are in the store already: "redrive dlq list".',
  );
}

/** JetStream: a consumer of its own, so that no other consumer of the stream misses a message. */
function sourceOf(url: string, queue: string, subject: string | undefined): BusSource {
  const isJetStream = /^(?:nats|tls):/.test(url);
  if (!isJetStream && subject !== undefined) {
    throw new CliError('usage', '--subject is for streams of JetStream.', 'Leave it out.');
  }
  if (!isJetStream) return { name: queue, queue };
  const name = subject === undefined ? 'redrive-import' : `redrive-import-${subject}`;
  return { name, stream: queue, subject: subject ?? '>' };
}

/** A requeued event goes to the queue or subject of the source that gave it up. */
function destinationsOn(
  bus: string,
  sources: readonly SourceSettings[],
): ReadonlyMap<string, string> {
  const on = sources.filter((source) => source.bus === bus);
  const places = on.map(({ name, queue, subject }) => [name, queue ?? subject ?? name] as const);
  return new Map(places.filter(([, destination]) => !/[*>]/.test(destination)));
}

/** The events of the collections on this bus whose services report failed attempts. */
function failedEventsIn(bus: string, config: Config): ImportedFrom['failedEvents'] {
  const { collections } = sweepsSettings(config);
  return new Map(
    collections.flatMap(({ event, failedEvent }) =>
      failedEvent !== undefined && event.bus === bus ? [[failedEvent.type, event]] : [],
    ),
  );
}

/** Whether the queue can be taken. Creates the consumer of an import from JetStream, never a stream or a queue. */
async function look(bus: Bus, source: BusSource, isDry: boolean): Promise<BusCheck> {
  let found = await bus.check(source);
  const exists = found.waiting !== undefined;
  // A dry run looks into the stream itself.
  if (isDry && exists && bus.peek !== undefined) return found;
  if (exists && source.stream !== undefined && (await bus.declare(source)).length > 0) {
    found = await bus.check(source);
  }
  const error = found.problems.find(({ severity }) => severity === 'error');
  if (error !== undefined) throw new CliError('failed', `${error.problem}.`, error.remedy);
  return found;
}

interface Planning {
  readonly bus: Bus;
  readonly source: BusSource;
  readonly count: number;
  readonly from: ImportedFrom;
}

/** A dry run. RabbitMQ cannot be looked into without disturbing it: there it only counts. */
async function plan({ bus, source, count, from }: Planning): Promise<Done> {
  if (bus.peek === undefined) return { imported: count, duplicates: 0, without_destination: null };
  const found = await bus.peek(source, Math.min(count, MAX_PEEKED));
  const lost = found.filter((delivery) => importedLetter(delivery, from) === undefined).length;
  // With more than it looks at, the number of the broker is better.
  const imported = found.length === MAX_PEEKED ? count : found.length;
  return { imported, duplicates: 0, without_destination: lost };
}

interface Importing extends Planning {
  readonly store: FullStore;
  readonly clock: Clock;
  readonly idleMs: number;
}

/** Stores each batch, then acknowledges it. Takes `count` messages at most, so that new ones do not keep it running. */
async function importAll(importing: Importing): Promise<Done> {
  const { bus, source, store, clock, count, idleMs, from } = importing;
  let imported = 0;
  let taken = 0;
  while (taken < count) {
    const round = Promise.withResolvers<boolean>();
    // It may reject before `consume` resolves, when nothing waits for it yet.
    round.promise.catch(() => undefined);
    const prefetch = Math.min(BATCH, count - taken);
    let idle = clock.setTimer(idleMs, () => round.resolve(false));
    const take = async (deliveries: readonly Delivery[]): Promise<void> => {
      idle.cancel();
      idle = clock.setTimer(idleMs, () => round.resolve(false));
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
  return { imported, duplicates: taken - imported, without_destination: null };
}

async function storeAll(
  store: FullStore,
  deliveries: readonly Delivery[],
  from: ImportedFrom,
): Promise<number> {
  const commands = deliveries.map((delivery) => importedLetter(delivery, from));
  const known = commands.filter((command) => command !== undefined);
  if (known.length < commands.length) {
    const hint = `Name the destination: --to <destination>. Messages of ${from.queue} stay where they are.`;
    throw new CliError('failed', 'A message does not say which queue it died in.', hint);
  }
  const results = await store.apply(await buriedByRules(store, known));
  return results.filter(({ ok }) => ok).length;
}
