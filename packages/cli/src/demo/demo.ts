import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import {
  type Config,
  configuredBreakers,
  eventsSettings,
  jobsSettings,
  maskUrls,
  sweepsSettings,
} from '@redrive/config';
import { type Clock, type EventSink, syncSink, systemClock } from '@redrive/core';
import { commandText } from '@redrive/core/fields';
import { type FullStore, logRecords, type Store } from '@redrive/durable';
import { auditSink } from '@redrive/durable/audit';
import { documentsOn } from '@redrive/durable/documents';
import { storeBus } from '@redrive/durable/events';
import { countStates } from '@redrive/durable/store';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { type Log, workerLog } from '../log/worker-log.ts';
import { DEFAULT_PORT } from '../serve/serve-api.ts';
import { policyFinder } from '../start/live-config.ts';
import { handlerOptions, type LoadedHandlers } from '../start/load-handlers.ts';
import { runWorker } from '../start/run-worker.ts';
import { startMetrics } from '../start/start-metrics.ts';
import { type StartSettings, startSettings } from '../start/start-settings.ts';
import { CliError, EXIT } from '../terminal/exit-codes.ts';
import { type Io, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { DEMO_FILE, deleteDemoFiles, refuseDanglingLinks, SHOP_FILE } from './demo-files.ts';
import {
  followedLines,
  type Ladder,
  ladderLines,
  nextStepLines,
  summaryLines,
} from './ladder/ladder-lines.ts';
import { follower, readStored } from './ladder/read-ladder.ts';
import { Tally } from './ladder/tally.ts';
import { liveView, rowsOf } from './live-view.ts';
import { type OtherDemo, otherDemos } from './other-demos.ts';
import { recentLines } from './recent-lines.ts';
import { customers } from './shop/customers.ts';
import { type OrderRows, openOrderRows } from './shop/order-rows.ts';
import { paymentService } from './shop/payment-service.ts';
import { personOnCall } from './shop/people.ts';
import { openShop, type Shop } from './shop/shop.ts';
import { SHOP, shopConfig } from './shop/shop-config.ts';

/** Orders of a run that ends by itself. */
const FIRST_ORDERS = 12;
const LOOK_MS = 2_000;
const SUMMARY_MS = 60_000;
/** After this time a sign-in link is not good any more, so the picture shows the command that prints one. */
const LINK_MS = 600_000;

/**
 * `redrive start --demo`: a real worker on a real store, with a small shop whose work fails on every rung of the ladder.
 * On a terminal it draws the ladder; without one it prints a line per event. Either runs until it is stopped.
 */
export const runDemo: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const clock = io.clock ?? systemClock;
  const named = textOption(options, 'store');
  refuseDanglingLinks(io.directory, named === undefined ? [DEMO_FILE, SHOP_FILE] : [SHOP_FILE]);
  const url = named ?? `sqlite:./${DEMO_FILE}`;
  if (options.fresh) await beginAnew(io, named, url);
  const closing: (() => unknown)[] = [];
  try {
    return await playDemo(invocation, clock, url, (close) => void closing.unshift(close));
  } finally {
    for (const close of closing) await close();
  }
};

/** @throws CliError where a demo runs, or the store is one that the caller names. */
async function beginAnew(io: Io, named: string | undefined, url: string): Promise<void> {
  if (named !== undefined) {
    const message = '--fresh deletes the files of the demo, and --store names another store.';
    throw new CliError('usage', message, 'Leave out one of them.');
  }
  const running = await runningDemos(io, url);
  const [first] = running;
  if (first !== undefined) {
    const message = `A demo runs here, in the process ${first.pid}, so its files stay.`;
    throw new CliError('refused', message, 'Stop it first.');
  }
  deleteDemoFiles(io.directory);
}

/** None, where this version cannot read the store: that is a reason to begin anew. */
async function runningDemos(io: Io, url: string): Promise<readonly OtherDemo[]> {
  try {
    const store = await io.openStore(url, false);
    return await otherDemos(store).finally(() => store.close());
  } catch {
    return [];
  }
}

type OnEnd = (close: () => unknown) => void;

async function playDemo(invocation: Invocation, clock: Clock, url: string, onEnd: OnEnd) {
  const { io, options } = invocation;
  const untilIdle = options.untilIdle === true;
  const isLive = io.screen.isTerminal && !options.json && !untilIdle;
  const payments = await paymentService(clock);
  onEnd(() => payments.close());
  const shopFile = join(io.directory, SHOP_FILE);
  const config = shopConfig({ file: shopFile, pager: `${payments.url}/pager` });
  const current = () => config;
  const recent = recentLines();
  const log = workerLog(io, {
    level: textOption(options, 'logLevel'),
    plain: !isLive && !options.json,
    write: isLive ? recent.add : options.json ? io.stdout : withoutNoise(io.stdout),
  });
  const store = await io.openStore(url, true);
  onEnd(() => store.close());
  await store.migrate();
  const [other] = await otherDemos(store);
  const rows = openOrderRows(shopFile);
  onEnd(() => rows.close());

  const { serveConsole } = await import('../serve/start-console.ts');
  const parts = { config: current, store, url, clock, log };
  const console = await serveConsole(invocation, parts, 0);
  onEnd(() => console.close());
  // The jobs of the demo are not worth protecting.
  const link = isLive ? console.signInLink?.('always') : undefined;
  const command = linkCommand(url, console.url);
  if (!isLive && !options.json && console.url !== undefined) {
    printLines(io, [console.url, `Sign in with the address that this prints: ${command}`]);
  }

  const own = other === undefined ? options : { ...options, healthPort: 'off' };
  const settings = startSettings(jobsSettings(config), { ...own, untilIdle }, io.directory);
  const tally = new Tally();
  const { events, metrics } = startMetrics({ settings, config, store, clock, log });
  const worker = tee(events, tally.sink);
  const audit = auditSink(store, { clock });
  onEnd(() => audit.close());
  const calls = recorded(tee(audit, logRecords(log), tally.sink), audit);
  const demoShop = { io, store, clock, config, rows, log, tally, calls };
  const shop = await openDemoShop(demoShop, payments.url);
  onEnd(() => shop.close());
  log.info({ event: 'demo.started' }, await welcome(store, untilIdle));
  if (other !== undefined) log.info({ event: 'demo.second' }, secondText(other));

  const handlers = withSettings(shop.handlers, settings);
  const work = { settings, handlers, store, events: worker, metrics };
  const breakers = configuredBreakers(current, { events: worker, clock });
  const run = () => runWorker({ io, current, log, ...work, breakers, untilIdle });
  const follow = follower(store, rows, () => clock.now());
  const ladder = async (): Promise<Ladder> => {
    const [stored, followed] = await Promise.all([readStored(store, config), follow()]);
    return { stored, tally, followed };
  };
  if (untilIdle) {
    for (let n = 0; n < FIRST_ORDERS; n += 1) await shop.placeOrder();
    const code = await run();
    if (!options.json) await printEnd(io, await ladder(), store, url);
    // Its dead jobs are part of the show.
    return code === EXIT.partial ? EXIT.ok : code;
  }
  const stopLoad = keepLoad({ store, clock, config, rows, shop, tally, log });
  const startedMs = clock.monotonic();
  const stopShowing = isLive
    ? liveView({ screen: io.screen, clock, write: io.stdout }, async (room, isRunning) => {
        const isGood = clock.monotonic() - startedMs < LINK_MS;
        const address = isGood ? link : `${console.url}  (${command})`;
        return pictureOf(io, await ladder(), {
          ...{ room, isRunning, recent, url, other, address, deadId: await deadImport(store) },
        });
      })
    : everyMinute(clock, async () => {
        if (options.json) return;
        printLines(io, ['', ...summaryLines(await ladder()), '']);
      });
  try {
    return await run();
  } finally {
    await stopLoad();
    await stopShowing();
  }
}

interface DemoShop {
  readonly io: Io;
  readonly store: FullStore;
  readonly clock: Clock;
  readonly config: Config;
  readonly rows: OrderRows;
  readonly log: Log;
  readonly tally: Tally;
  readonly calls: EventSink;
}

/** The shop, with its documents and its bus. */
async function openDemoShop(
  { io, store, clock, config, rows, log, tally, calls }: DemoShop,
  payments: string,
): Promise<Shop> {
  const [settings] = sweepsSettings(config, io.directory).collections;
  if (settings === undefined) throw new Error('The demo sweeps nothing');
  const { source, table, fields, pending, done, failed } = settings;
  const documents = await io.openDocuments(source);
  const collection = { name: table, fields, pending, done, failed };
  // As `redrive sweep init` does.
  await documents.prepare(collection, { dryRun: false });
  const shop = openShop({
    ...{ store, clock, rows, payments, events: calls, directory: io.directory },
    bus: storeBus(store, eventsSettings(config).sources, { clock }),
    orders: documentsOn(documents, collection),
    policies: policyFinder(() => config),
    onCrash(order, lost) {
      const others = lost.filter((id) => id !== order);
      const text = `the packing service crashed at ${order} and forgot ${[order, ...others].join(', ')}`;
      log.warn({ event: 'shop.crashed', lost }, text);
      tally.tell('document', clock.now(), text);
    },
  });
  return {
    ...shop,
    close() {
      shop.close();
      return documents.close();
    },
  };
}

interface LoadParts {
  readonly store: FullStore;
  readonly clock: Clock;
  readonly config: Config;
  readonly rows: OrderRows;
  readonly shop: Shop;
  readonly tally: Tally;
  readonly log: Log;
}

/**
 * Customers and a person on call, in one process at a time: the one that has worked for the longest time. When it ends,
 * the next one begins.
 */
function keepLoad({
  store,
  clock,
  config,
  rows,
  shop,
  tally,
  log,
}: LoadParts): () => Promise<void> {
  const startedMs = clock.now();
  const stops: (() => Promise<void>)[] = [];
  let stopped = false;
  let timer = clock.setTimer(0, next);
  let looking = Promise.resolve();
  const onError = (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    log.warn({ event: 'shop.order_failed', error: message }, printable(message));
  };
  const tell = (text: string) => {
    log.info({ event: 'shop.person' }, text);
    tally.tell('people', clock.now(), text);
  };

  function next(): void {
    looking = look()
      .catch(onError)
      .then(() => {
        if (!stopped && stops.length === 0) timer = clock.setTimer(LOOK_MS, next);
      });
  }

  async function look(): Promise<void> {
    const older = (await otherDemos(store)).filter(({ sinceMs }) => sinceMs < startedMs);
    if (older.length > 0 || stopped) return;
    stops.push(
      customers(clock, shop, onError),
      personOnCall({ store, clock, config, rows, tell, onError }),
    );
  }

  return async () => {
    stopped = true;
    timer.cancel();
    await looking;
    await Promise.all(stops.map((stop) => stop()));
  };
}

function everyMinute(clock: Clock, print: () => Promise<void>): () => Promise<void> {
  let stopped = false;
  let timer = clock.setTimer(SUMMARY_MS, next);
  let printing = Promise.resolve();

  function next(): void {
    // The worker reports a store that does not answer.
    printing = print()
      .catch(() => undefined)
      .then(() => {
        if (!stopped) timer = clock.setTimer(SUMMARY_MS, next);
      });
  }

  return async () => {
    stopped = true;
    timer.cancel();
    await printing;
  };
}

interface PictureParts {
  /** Rows that there are. */
  readonly room: number;
  readonly isRunning: boolean;
  readonly recent: ReturnType<typeof recentLines>;
  readonly url: string;
  readonly other: OtherDemo | undefined;
  /** Of the console. */
  readonly address: string | undefined;
  readonly deadId: string | undefined;
}

function pictureOf(io: Io, ladder: Ladder, parts: PictureParts): readonly string[] {
  const { screen } = io;
  const { paint, columns } = screen;
  const { room, isRunning, recent, url, other, address, deadId } = parts;
  const state = isRunning
    ? 'Ctrl-C stops it; the next start goes on; --fresh begins anew'
    : 'stopped';
  const about =
    other === undefined ? 'a shop; thresholds in seconds, not hours' : secondText(other);
  const head = [
    `${paint('bold', 'Redrive demo')}: ${about}`,
    ...(address === undefined || !isRunning ? [] : [paint('cyan', address)]),
    '',
    ...ladderLines(screen, ladder),
    ...followedLines(screen, ladder.followed),
  ];
  const foot = paint('dim', state);
  const left = room - rowsOf([...head, foot], columns);
  const shown = { url, deadId, followed: ladder.followed };
  const steps = isRunning ? nextStepLines(screen, shown, Math.min(8, left - 1)) : [];
  const lines = recent.lines(screen, Math.max(0, left - steps.length - 2));
  const log = lines.length < 3 || !isRunning ? [] : ['', ...lines];
  return [...head, ...(steps.length === 0 ? [] : ['', ...steps]), ...log, foot];
}

function secondText({ pid }: OtherDemo): string {
  return `a second worker beside the process ${pid}; it adds no load`;
}

async function welcome(store: Store, untilIdle: boolean): Promise<string> {
  const left = unfinished(countStates(await store.counts()));
  const end = untilIdle ? 'until all jobs are done' : 'until it is stopped';
  return left === 0
    ? `The demo begins with an empty queue and runs ${end}. Its thresholds are seconds, not hours`
    : `The demo continues with ${countedJobs(left)} from before and runs ${end}`;
}

function unfinished(states: ReturnType<typeof countStates>): number {
  const { scheduled, ready, parked, leased } = states;
  return scheduled + ready + parked + leased;
}

function countedJobs(count: number): string {
  return `${count} ${count === 1 ? 'job' : 'jobs'}`;
}

async function printEnd(io: Io, ladder: Ladder, store: Store, url: string): Promise<void> {
  const deadId = await deadImport(store);
  const steps = nextStepLines(io.screen, { url, deadId }, 8);
  printLines(io, ['', ...summaryLines(ladder), '', ...steps]);
}

/** A job that a newcomer can bring back to life. */
async function deadImport(store: Store): Promise<string | undefined> {
  const filter = { states: ['dead'], handler: SHOP.import } as const;
  const { jobs } = await store.jobs(filter, { limit: 1 });
  return jobs[0]?.id;
}

/** The command that prints a sign-in link for the console of this demo. */
function linkCommand(url: string, address = ''): string {
  const port = new URL(address || 'http://127.0.0.1').port;
  const where = port === '' || port === String(DEFAULT_PORT) ? '' : commandText` --url ${address}`;
  return commandText`npx redrive console link --store ${maskUrls(url)}` + where;
}

/** Handlers of code with the settings of the configuration. */
function withSettings(handlers: LoadedHandlers, { handlers: all }: StartSettings): LoadedHandlers {
  const made = Object.entries(handlers).map(([name, run]) => {
    const own = all.get(name);
    return [name, { run, ...(own === undefined ? {} : handlerOptions(own)) }];
  });
  return Object.fromEntries(made);
}

/** A sink that gives each record to all of these. */
function tee(...sinks: readonly Pick<EventSink, 'emit'>[]): EventSink {
  return syncSink((record) => {
    for (const sink of sinks) sink.emit(record);
  });
}

/** The sink, where the audit log learns the policy of each call. */
function recorded(sink: EventSink, audit: Pick<EventSink, 'hashPolicy'>): EventSink {
  return {
    ...sink,
    open(session) {
      audit.hashPolicy(session.policy);
      return sink.open(session);
    },
  };
}

/** Lines that say nothing about the shop: an attempt that starts, and Redrive's own recurring jobs. */
const HIDDEN = / (?:Initial attempt|Retry) started| (?:sweeps\.run|escalation\.look) \S+ Succeeded/;

function withoutNoise(write: (line: string) => void): (line: string) => void {
  return (line) => {
    if (!HIDDEN.test(stripVTControlCharacters(line))) write(line);
  };
}
