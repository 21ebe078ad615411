import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  freePorts,
  startAlertmanager,
  startMongodb,
  startNats,
  startPostgres,
  startPrometheus,
  startPushgateway,
  startRabbitmq,
  until,
} from '@redrive/testkit/services';
import { quicker } from './quicker.ts';
import { runRedrive, startRedrive } from './redrive-process.ts';
import { type Notification, startWebhook } from './webhook.ts';

const deploy = join(import.meta.dirname, '../../deploy');
const read = (path: string) => readFileSync(join(deploy, path), 'utf8');
const READY_TIMEOUT_MS = 60_000;

export interface StackOptions {
  /** Every `for:`, range and interval of the rules and routes is shorter by this factor. Default 1. */
  readonly speed?: number;
  readonly onNotification?: (notification: Notification) => void;
}

/** The topology of deploy/compose.yaml as processes on loopback, with private directories and free ports. */
export interface Stack {
  readonly addresses: Readonly<Record<string, string>>;
  /** Of the application, with the logs of its processes. */
  readonly directory: string;
  /** Runs a command of the command line in it. */
  redrive(...args: string[]): Promise<string>;
  /** Of `redrive start`. */
  readonly workerPid: number;
  /** Rejects when a process of Redrive ends by itself. */
  readonly failed: Promise<never>;
  /** Stops everything, whatever has crashed, and removes the directories. */
  stop(): Promise<void>;
}

type Stoppable = { stop(): Promise<unknown> };

/** @throws the first error, after everything that had started was stopped. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const started: Stoppable[] = [];
  const stop = async () => {
    // Those that were started last use the others.
    for (const one of started.splice(0).reverse()) await one.stop().catch(console.error);
  };
  try {
    return await startAll(options, stop, async (starting) => {
      const one = await starting;
      started.push(one);
      return one;
    });
  } catch (error) {
    await stop();
    throw error;
  }
}

type Keep = <T extends Stoppable>(starting: T | Promise<T>) => Promise<T>;

async function startAll(
  { speed = 1, onNotification = () => undefined }: StackOptions,
  stop: () => Promise<void>,
  keep: Keep,
): Promise<Stack> {
  const directory = mkdtempSync(join(tmpdir(), 'redrive-stack-'));
  await keep({ stop: async () => rmSync(directory, { recursive: true, force: true }) });
  const [postgres, nats, rabbitmq, mongodb, pushgateway, webhook] = await allOf(
    keep(startPostgres()),
    keep(startNats()),
    keep(startRabbitmq()),
    keep(startMongodb()),
    keep(startPushgateway()),
    keep(startWebhook(onNotification)),
  );
  const documents = mongodb.url.replace('/?', '/copilot?');
  cpSync(join(deploy, 'app'), directory, { recursive: true });
  const config = replaced(read('app/redrive.yaml'), {
    'amqp://guest:guest@messagebus:5672': rabbitmq.url,
    'nats://nats:4222': nats.url,
  });
  writeFileSync(join(directory, 'redrive.yaml'), config);
  const { port: mongodbPort } = new URL(documents);
  const env = {
    ...{ MONGODB_HOST: '127.0.0.1', MONGODB_PORT: mongodbPort, MONGODB_DATABASE: 'copilot' },
    ...{ RABBITMQ_HOST: rabbitmq.host, RABBITMQ_PORT: String(rabbitmq.port) },
    ...{ RABBITMQ_USERNAME: 'guest', RABBITMQ_PASSWORD: 'guest' },
    ...{ PATH: process.env.PATH, HOME: directory, REDRIVE_STORE: postgres.url },
    ...{ METRICS_BACKEND: 'prometheus_pushgateway', PUSHGATEWAY_URL: pushgateway.url },
    // A sweep every two seconds finds documents that are stuck for 36 seconds.
    ...{ RETRY_JOB_INTERVAL_SECONDS: '2', RETRY_JOB_STUCK_THRESHOLD_HOURS: '0.01' },
  };
  const place = { directory, env };
  const redrive = (...args: string[]) => runRedrive(place, args);
  await redrive('store', 'migrate');
  await redrive('events', 'init');
  await redrive('sweep', 'init');
  const [port] = await freePorts(1);
  const health = ['start', '--health-port', String(port)];
  const worker = await keep(startRedrive(place, 'redrive', health));
  const sweeper = await keep(startRedrive(place, 'retry-job', ['sweep', 'run', '--json']));
  const failed = Promise.race([
    worker.exited.then((code) => endedWith('redrive', code, directory)),
    sweeper.exited.then((code) => endedWith('retry-job', code, directory)),
  ]);
  // Its error may come after nobody waits any more: at the stop.
  failed.catch(() => undefined);
  const url = `http://127.0.0.1:${port}`;
  await Promise.race([ready(`${url}/readyz`), failed]);
  const routes = replaced(read('alertmanager/alertmanager.yml'), {
    'http://localhost:9095': webhook.url,
  });
  const alertmanager = await keep(startAlertmanager({ config: quicker(routes, speed) }));
  const prometheus = await keep(
    startPrometheus({
      config: replaced(read('prometheus/prometheus.yml'), {
        '15s': '1s',
        'alerts/*.yml': 'retry_policy.yml',
        '127.0.0.1:9470': `127.0.0.1:${port}`,
        'alertmanager:9093': `127.0.0.1:${alertmanager.port}`,
        'pushgateway:9091': `127.0.0.1:${pushgateway.port}`,
      }),
      files: {
        'retry_policy.yml': quicker(read('prometheus/alerts/retry_policy.yml'), speed),
      },
    }),
  );
  // A counter that has risen before the first scrape has not risen for Prometheus.
  const isScraped = async () => (await query(prometheus.url, 'sum(up)'))[0] === 2;
  if (!(await until(isScraped, { timeoutMs: READY_TIMEOUT_MS, everyMs: 100 })))
    throw new Error(`Prometheus at ${prometheus.url} does not scrape the worker and the gateway`);
  const addresses = {
    ...{ redrive: url, postgres: postgres.url, nats: nats.url, rabbitmq: rabbitmq.url },
    ...{ mongodb: documents, prometheus: prometheus.url, pushgateway: pushgateway.url },
    ...{ alertmanager: alertmanager.url, webhook: webhook.url },
  };
  return { addresses, directory, redrive, workerPid: worker.pid, failed, stop };
}

/** The values that an expression has in Prometheus now. */
export async function query(prometheus: string, expression: string): Promise<readonly number[]> {
  const answer = await fetch(`${prometheus}/api/v1/query?query=${encodeURIComponent(expression)}`);
  const { data }: { data: { result: readonly { value: [number, string] }[] } } =
    await answer.json();
  return data.result.map(({ value: [, text] }) => Number(text));
}

/** Waits for all, also after one has failed: each has then been kept and can be stopped. */
async function allOf<T extends readonly Promise<unknown>[]>(...starting: T) {
  await Promise.allSettled(starting);
  return Promise.all(starting);
}

function replaced(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((before, [from, to]) => {
    if (!before.includes(from)) throw new Error(`${from} is not in the file any more`);
    return before.replaceAll(from, () => to);
  }, text);
}

function endedWith(name: string, code: string, directory: string): never {
  const log = readFileSync(join(directory, `${name}.log`), 'utf8')
    .trimEnd()
    .split('\n');
  throw new Error(`${name} ended with ${code}\n${log.slice(-10).join('\n')}`);
}

async function ready(url: string): Promise<void> {
  const isReady = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  if (!(await until(isReady, { timeoutMs: READY_TIMEOUT_MS, everyMs: 100 })))
    throw new Error(`${url} was not ready within ${READY_TIMEOUT_MS} ms`);
}
