import { join } from 'node:path';
import type { FullStore } from '@redrive/durable';
import { schedules } from '@redrive/durable/control';
import type { Bus } from '@redrive/durable/events';
import { mongodbDocuments } from '@redrive/mongodb';
import { rabbitmqBus } from '@redrive/rabbitmq';
import { openStore } from '@redrive/sqlite';
import { main } from '../../packages/cli/src/main.ts';
import { type Io, processIo } from '../../packages/cli/src/terminal/io.ts';
import type { JumpingClock } from './clock.ts';
import { answerOf } from './wait.ts';

/** `redrive start` in this process, on a clock that can jump; and other commands beside it, on the same clock. */
export interface Worker {
  readonly store: FullStore;
  /** Of the services. */
  readonly bus: Bus;
  /** Of its health port. */
  readonly metricsUrl: string;
  /** The log of the worker, as JSON lines. */
  readonly log: readonly string[];
  /** Runs a command. @throws Error where it fails. */
  redrive(...args: string[]): Promise<string>;
  /** Asks the HTTP API, as the console does. */
  api(path: string): Promise<unknown>;
  /** Resolves when nothing is left to do at this time, with the time at which the next job or schedule is due. */
  quiet(): Promise<number>;
  /** Whether jobs wait for a retry. */
  hasRetries(): Promise<boolean>;
  stop(): Promise<void>;
}

const HANDLERS = [
  'parsing.archive_ingested',
  'chunking.json_parsed',
  'embedding.chunks_prepared',
  'summarization.requested',
];
const DOCUMENTS = [
  'documents.archives',
  'documents.messages',
  'documents.chunks',
  'documents.threads',
];
const ALL = [
  ...HANDLERS,
  ...DOCUMENTS,
  'sweeps.run',
  'events.publish',
  'escalation.look',
  'escalation.notify',
];

export async function startWorker({
  clock,
  directory,
  port,
}: {
  readonly clock: JumpingClock;
  readonly directory: string;
  readonly port: number;
}): Promise<Worker> {
  const store = await openStore(join(directory, 'redrive.db'), { clock });
  const { RABBITMQ_HOST: host, RABBITMQ_PORT: amqp } = process.env;
  const traffic = { published: 0, taken: 0 };
  const counted = () => countTraffic(rabbitmqBus(`amqp://guest:guest@${host}:${amqp}`), traffic);
  const bus = counted();
  const log: string[] = [];
  let signal: Parameters<Io['takeSignals']>[0] | undefined;
  const io = (stdout: (text: string) => void, stderr: (text: string) => void): Io => ({
    ...processIo(),
    ...{ clock, stdout, stderr },
    flushed: async () => {},
    openStore: async () =>
      new Proxy(store, {
        get: (of, name) => (name === 'close' ? async () => {} : bound(of, name)),
      }),
    openBus: async () => counted(),
    openDocuments: async (url) => mongodbDocuments(url, { clock }),
    takeSignals: (listener) => {
      // That of the worker, which takes its signals first.
      signal ??= listener;
      return () => {};
    },
  });
  const redrive = async (...args: string[]) => {
    let text = '';
    let problem = '';
    const code = await main(
      args,
      io(
        (piece) => {
          text += piece;
        },
        (piece) => {
          problem += piece;
        },
      ),
    );
    if (code !== 0)
      throw new Error(`redrive ${args.join(' ')} ended with ${code}: ${problem}${text}`);
    return text;
  };
  const access = ['--access-file', join(directory, 'access.json')];
  await redrive('store', 'migrate');
  const token = (
    await redrive('tokens', 'create', '--role', 'viewer', '--name', 'figures', '--quiet', ...access)
  ).trim();
  await redrive('events', 'init');
  await redrive('sweep', 'init');
  signal = undefined;
  const started = main(
    ['start', '--json', '--health-port', String(port), '--console', '0', ...access],
    io(
      (text) => void log.push(...text.trimEnd().split('\n')),
      (text) => void log.push(text),
    ),
  );
  const metricsUrl = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${metricsUrl}/readyz`).then(
      ({ ok }) => ok || undefined,
      () => undefined,
    );
  await answerOf(isReady, 50, () => `The worker is not ready: ${log.at(-1)}`);
  // In this order: a tick makes a job, a due job becomes ready, a job publishes messages, a message becomes a job.
  const quietUntil = async (): Promise<number | undefined> => {
    const { published, taken } = traffic;
    const { schedules: all, nowMs } = await schedules(store);
    const isBehind = ({ plan, cursorMs }: (typeof all)[number]) =>
      'everyMs' in plan && Math.floor(nowMs / plan.everyMs) > Math.floor(cursorMs / plan.everyMs);
    if (all.some(isBehind)) return undefined;
    const pulse = await store.pulse(ALL);
    const { nextDueInMs = Infinity, expiredLeases } = pulse;
    if (nextDueInMs <= 0 || expiredLeases) return undefined;
    const { groups } = await store.counts();
    if (groups.some(({ state }) => state === 'leased' || state === 'ready')) return undefined;
    if (published !== taken || published !== traffic.published) return undefined;
    const ticks = all.map(({ nextTickMs = Infinity }) => nextTickMs);
    return Math.min(pulse.nowMs + nextDueInMs, ...ticks);
  };
  const consoleUrl =
    log.flatMap((line) => /"console.listening","url":"([^"]+)"/.exec(line)?.[1] ?? [])[0] ?? '';
  return {
    ...{ store, bus, metricsUrl, log, redrive },
    async api(path) {
      const answer = await fetch(`${consoleUrl}${path}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      if (!answer.ok) throw new Error(`GET ${path}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    },
    quiet: () =>
      answerOf(quietUntil, 5, async () => {
        const { groups } = await store.counts();
        return `The work does not end: ${JSON.stringify({ traffic, groups })}`;
      }),
    async hasRetries() {
      const { groups } = await store.counts();
      return groups.some(({ state, handler }) => state === 'scheduled' && ALL.includes(handler));
    },
    async stop() {
      signal?.('SIGTERM');
      await started;
      await bus.close();
      await store.close();
    },
  };
}

function bound<T extends object>(of: T, name: string | symbol): unknown {
  // A name of the proxy is a name of its target.
  const value = of[name as keyof T];
  return typeof value === 'function' ? value.bind(of) : value;
}

/** Counts messages that were confirmed, and messages that were taken and acknowledged. */
function countTraffic(bus: Bus, traffic: { published: number; taken: number }): Bus {
  return new Proxy(bus, {
    get(of, name) {
      if (name === 'publish') {
        const publish: Bus['publish'] = async (messages) => {
          const results = await of.publish(messages);
          traffic.published += results.filter(({ published }) => published).length;
          return results;
        };
        return publish;
      }
      if (name === 'consume') {
        const consume: Bus['consume'] = (source, options, take) =>
          of.consume(source, options, async (deliveries) => {
            await take(deliveries);
            traffic.taken += deliveries.length;
          });
        return consume;
      }
      return bound(of, name);
    },
  });
}
