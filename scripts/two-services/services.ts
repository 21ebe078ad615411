import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openStore } from '@redrive/postgres';
import { freePorts, type PostgresService, until } from '@redrive/testkit/services';
import { Client } from 'pg';
import { expect, onTestFinished } from 'vitest';
import { Model } from './model.ts';

const root = dirname(dirname(import.meta.dirname));
const launcher = join(root, 'packages/cli/bin/redrive.cjs');

export interface ServicesOptions {
  readonly server: PostgresService;
  /** Address of the broker. Default: the file as it is. */
  readonly bus?: string;
  readonly replicaUrl?: string;
}

/** The programs of examples/services in a directory and a database of their own, run as a user runs them. */
export async function openServices({ server, bus, replicaUrl }: ServicesOptions) {
  const directory = mkdtempSync(join(tmpdir(), 'redrive-services-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  cpSync(join(root, 'examples/services'), directory, { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  if (bus !== undefined) {
    const file = join(directory, 'redrive.yaml');
    const text = readFileSync(file, 'utf8');
    const changed = text.replace('url: "store:"', `url: "${bus}"`);
    const lines = changed.split('\n').filter((line, index) => line !== text.split('\n')[index]);
    expect(lines, 'one changed line').toHaveLength(1);
    writeFileSync(file, changed);
  }
  const [port = 0] = await freePorts(1);
  const model = new Model(port);
  onTestFinished(() => model.stop());
  const env = {
    ...process.env,
    REDRIVE_STORE: server.url,
    MODEL_URL: `http://127.0.0.1:${port}`,
    ...(replicaUrl && { REPLICA_URL: replicaUrl }),
  };

  /** Runs a program to its end, and answers what it printed. */
  function run(...args: readonly string[]): string {
    const { stdout, stderr, status } = spawnSync(process.execPath, [...args], {
      cwd: directory,
      env,
      encoding: 'utf8',
      timeout: 30_000,
    });
    expect(status, stdout + stderr).toBe(0);
    return stdout;
  }
  const redrive = (...args: readonly string[]) => run(launcher, ...args);

  /** `redrive start` for some queues: a process of one service. */
  function start(...queues: readonly string[]): RunningService {
    const args = ['start', ...queues.flatMap((queue) => ['--queue', queue])];
    const child = spawn(process.execPath, [launcher, ...args, '--health-port', 'off'], {
      cwd: directory,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const service = new RunningService(child);
    onTestFinished(() => service.kill());
    return service;
  }

  redrive('store', 'migrate');
  run('tables.ts');
  if (bus !== undefined) redrive('events', 'init');
  const store = await openStore(server.url);
  const client = new Client(server.url);
  await client.connect();
  onTestFinished(async () => {
    await store.close();
    await client.end();
  });

  /** Ids of all chunks that have an embedding, the same id as often as it has one. */
  async function embedded(): Promise<readonly string[]> {
    const { rows } = await client.query('select chunk_id from embeddings order by chunk_id');
    return rows.map(({ chunk_id }) => String(chunk_id));
  }

  /** The numbers of jobs of a handler, by state. */
  async function states(handler: string): Promise<Readonly<Record<string, number>>> {
    const { groups } = await store.counts();
    const own = groups.filter((group) => group.handler === handler);
    return Object.fromEntries(own.map(({ state, count }) => [state, count]));
  }

  return { directory, model, run, redrive, start, store, client, embedded, states };
}

class RunningService {
  readonly #child: ChildProcess;
  #printed = '';

  constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#printed += text;
    });
  }

  /** Its log so far: one JSON object per line. */
  get log(): string {
    return this.#printed;
  }

  /** As the system ends a process that must go: no handler runs, nothing is said to anybody. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** @returns its exit code. */
  async stop(): Promise<number | null> {
    return this.#end('SIGTERM');
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null) return exitCode;
    const ended = once(this.#child, 'exit');
    this.#child.kill(signal);
    const [code] = await ended;
    return code;
  }
}

/** Waits for something in another process. @throws where it does not come to pass. */
export async function eventually(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
): Promise<void> {
  if (!(await until(isTrue, { timeoutMs: 40_000, everyMs: 50 })))
    throw new Error(`${what}: it did not come to pass`);
}
