import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Launcher } from './disk-fault.ts';
import type { Place } from './place.ts';

/** A look at `/readyz`. */
export interface Look {
  readonly atMs: number;
  /** Absent: it did not answer in time. */
  readonly ready?: boolean;
}

/** The command line. */
export const REDRIVE = join(import.meta.dirname, '../../packages/cli/bin/redrive.cjs');
const LOOK_EVERY_MS = 100;
const LOOK_TIMEOUT_MS = 3_000;
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 60_000;

const CONFIG = `version: "1.1.0"
policies:
  patient: { name: Patient, max_attempts: 1000, backoff_type: fixed, base_delay: 0.05, max_delay: 1, jitter_type: none }
jobs:
  lease_seconds: 10
  handlers:
    work: { module: ${join(import.meta.dirname, 'cli-handler.ts')}, policy: patient, idempotent: true }
`;

/** What the worker prints, in the directory of the evidence. */
export const WORKER_LOG = 'worker.log';

export interface CliWorkerOptions {
  readonly launcher?: Launcher | undefined;
  /** Default: one handler, which does what the harness's own workers do. */
  readonly config?: string;
}

/** A worker as people start it, under the eyes of somebody who asks all the time whether it is ready. */
export class CliWorker {
  readonly looks: Look[] = [];
  readonly #child: ChildProcess;
  readonly #port: number;
  #looking = true;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.#port = port;
  }

  static async start(
    { directory, target }: Place,
    { launcher, config = CONFIG }: CliWorkerOptions = {},
  ): Promise<CliWorker> {
    writeFileSync(join(directory, 'redrive.yaml'), config);
    const { execPath = process.execPath, execArgv = [] } = launcher ?? {};
    const args = [...execArgv, REDRIVE, 'start', '--health-port', '0'];
    const child = spawn(execPath, args, {
      cwd: directory,
      env: { ...process.env, NODE_OPTIONS: '', REDRIVE_STORE: target, CRASH_DIRECTORY: directory },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      return new CliWorker(child, await healthPort(child, join(directory, WORKER_LOG)));
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Looks until it is stopped. */
  async look(): Promise<void> {
    while (this.#looking) {
      const ready = await this.#isReady();
      this.looks.push({ atMs: Date.now(), ...(ready === undefined ? {} : { ready }) });
      await sleep(LOOK_EVERY_MS);
    }
  }

  async #isReady(): Promise<boolean | undefined> {
    try {
      const url = `http://127.0.0.1:${this.#port}/readyz`;
      return (await fetch(url, { signal: AbortSignal.timeout(LOOK_TIMEOUT_MS) })).ok;
    } catch {
      return undefined;
    }
  }

  /** Its exit code; null where a signal has ended it, at last ours when it does not stop in time. */
  async stop(): Promise<number | null> {
    this.#looking = false;
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null) return exitCode;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    const [code] = await ended;
    clearTimeout(timer);
    return code;
  }
}

/** Waits for the line that says where health is served; all lines go to a file. */
function healthPort({ stdout }: ChildProcess, logFile: string): Promise<number> {
  return new Promise((resolve, reject) => {
    if (stdout === null) throw new Error('The worker has no stdout');
    stdout.pipe(createWriteStream(logFile));
    createInterface({ input: stdout }).on('line', (line) => {
      const { event, port } = JSON.parse(line);
      if (event === 'health.listening') resolve(port);
    });
    stdout.once('end', () => reject(new Error('The worker ended before it served health')));
    AbortSignal.timeout(START_TIMEOUT_MS).addEventListener('abort', () =>
      reject(new Error(`The worker did not serve health within ${START_TIMEOUT_MS} ms`)),
    );
  });
}
