import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ErrorCode, isRedriveError } from '@redrive/core';
import { type FullStore, type Job, jobsOn } from '@redrive/durable';
import { isFinal } from '@redrive/durable/store';
import { until } from '@redrive/testkit/services';
import { CliWorker, REDRIVE, WORKER_LOG } from '../cli-worker.ts';
import type { Excess, ExcessPayload } from '../excess-handler.ts';
import { openTarget } from '../open-target.ts';
import type { Place } from '../place.ts';
import { forgetPeak, memoryOf } from '../process-use.ts';
import { Findings, type Report, secondsSince } from '../report.ts';

export interface ExcessOptions {
  readonly seed: number;
  readonly bytes: number;
  readonly stackBytes: number;
  readonly depth: number;
  /** Times that everything is done. */
  readonly rounds: number;
  /** Jobs that are shown on a terminal, the last ones. */
  readonly pages: number;
}

const MIB = 1_024 * 1_024;

export const EXCESS: ExcessOptions = {
  seed: 1,
  bytes: 256 * MIB,
  stackBytes: 10_000_000,
  depth: 100_000,
  rounds: 5,
  pages: 10,
};

/** So much may the resident memory rise, beyond what a handler itself makes. */
const MEMORY_BYTES = 64 * MIB;
/** Most of what is kept of an error. */
const MAX_MESSAGE = 4_096;
const FINISH_TIMEOUT_MS = 60_000;
/** Would clear a screen, fake a line of a log, and turn a line around. */
const INJECTION = 'a\u001b[2J\u009b31m\r\n{"level":"fatal","event":"injected"}\u0007\u202eb';
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\p{Bidi_Control}]/u;

const configOf = ({ bytes }: ExcessOptions): string => `version: "1.1.0"
policies:
  once: { name: Once, max_attempts: 1, backoff_type: fixed, base_delay: 1, max_delay: 1 }
jobs:
  handlers:
    odd: { module: ${join(import.meta.dirname, '../excess-handler.ts')}, policy: once }
    small: { command: ['true'], policy: once }
    prints: { command: [sh, -c, "head -c ${bytes} /dev/zero | tr '\\\\0' x"], policy: once }
    complains: { command: [sh, -c, "head -c ${bytes} /dev/zero >&2; exit 3"], policy: once }
`;

/** What a job does, and what must come of it. */
interface Case {
  readonly name: string;
  readonly handler: 'odd' | 'small' | 'prints' | 'complains';
  readonly excess?: Excess;
  readonly ends: 'succeeded' | 'dead';
  /** What the handler itself holds. */
  readonly ownBytes: number;
  readonly isCut: (job: Job) => boolean;
}

/** Gives a worker of `redrive start` jobs that return, print and throw too much, and looks at its memory and its log. */
export async function excess(place: Place, options: ExcessOptions): Promise<Report> {
  const { seed, rounds } = options;
  const startedMs = performance.now();
  const findings = new Findings();
  const worker = await CliWorker.start(place, { config: configOf(options) });
  const store = await openTarget(place.target);
  try {
    await checkRefusals(store, options, findings);
    const run = new ExcessRun(store, worker.pid, options, findings);
    // The first job of each handler loads what it needs.
    await run.warmUp();
    for (let round = 0; round < rounds; round++) {
      for (const each of casesOf(options)) await run.carryOut(each);
    }
    findings.figures.cases = run.ids.length;
    checkTerminal(place, run.ids.slice(-options.pages), findings);
  } finally {
    const code = await worker.stop();
    await store.close();
    if (code !== 0) findings.violation('exit code of the worker', String(code));
  }
  checkLog(readFileSync(join(place.directory, WORKER_LOG), 'utf8'), findings);
  findings.figures.seconds = secondsSince(startedMs);
  const { figures, violations } = findings;
  return { fault: 'excess', store: place.kind, seed, figures, violations };
}

function casesOf({ bytes, stackBytes, depth }: ExcessOptions): readonly Case[] {
  const odd = { handler: 'odd', ends: 'dead', ownBytes: 0 } as const;
  const isShort = ({ attempts }: Job): boolean =>
    (attempts.kept.at(-1)?.error?.message.length ?? Number.POSITIVE_INFINITY) <= MAX_MESSAGE;
  const isOmitted = ({ result, resultOmittedBytes = 0 }: Job): boolean =>
    result === undefined && resultOmittedBytes > MIB;
  const long = { handler: 'odd', ends: 'succeeded', isCut: isOmitted } as const;
  return [
    {
      name: 'a program prints',
      handler: 'prints',
      ends: 'succeeded',
      ownBytes: 0,
      isCut: ({ result = '' }) => result.length < 2 * MIB && result.includes('output_too_large'),
    },
    {
      name: 'a program complains',
      handler: 'complains',
      ends: 'dead',
      ownBytes: 0,
      isCut: isShort,
    },
    { name: 'a long text', excess: 'long text', ...long, ownBytes: bytes },
    { name: 'many long texts', excess: 'long texts', ...long, ownBytes: bytes },
    { name: 'a long stack', excess: 'long stack', ...odd, ownBytes: stackBytes, isCut: isShort },
    {
      name: 'a deep result',
      excess: 'deep result',
      ...odd,
      // JSON cannot hold it, but the work is done.
      ends: 'succeeded',
      ownBytes: depth * 100,
      isCut: ({ result }) => result === undefined,
    },
    { name: 'a deep error', excess: 'deep error', ...odd, ownBytes: depth * 100, isCut: isShort },
    {
      name: 'a long chain of causes',
      excess: 'long causes',
      ...odd,
      ownBytes: depth * 1_000,
      isCut: isShort,
    },
    {
      name: 'a prototype',
      excess: 'prototype',
      ...odd,
      ends: 'succeeded',
      isCut: ({ result = '' }) => !result.includes('"admin":true,"merged"'),
    },
    { name: 'control characters', excess: 'control characters', ...odd, isCut: isShort },
  ];
}

class ExcessRun {
  readonly ids: string[] = [];
  readonly #store: FullStore;
  readonly #pid: number;
  readonly #options: ExcessOptions;
  readonly #findings: Findings;
  readonly #enqueue: (handler: Case['handler'], payload: unknown) => Promise<{ id: string }>;

  constructor(store: FullStore, pid: number, options: ExcessOptions, findings: Findings) {
    this.#store = store;
    this.#pid = pid;
    this.#options = options;
    this.#findings = findings;
    const handler = (_: unknown): void => {};
    const jobs = jobsOn(store, {
      ...{ odd: handler, small: handler, prints: handler, complains: handler },
    });
    this.#enqueue = (name, payload) => jobs.enqueue(name, payload);
  }

  async warmUp(): Promise<void> {
    const payload = this.#payload('control characters');
    const { id } = await this.#enqueue('odd', { ...payload, text: 'nothing' });
    await this.#finished(id);
    await this.#finished((await this.#enqueue('small', null)).id);
  }

  async carryOut({ name, handler, excess, ends, ownBytes, isCut }: Case): Promise<void> {
    const before = memoryOf(this.#pid).bytes;
    forgetPeak(this.#pid);
    const payload = excess === undefined ? null : this.#payload(excess);
    const { id } = await this.#enqueue(handler, payload);
    this.ids.push(id);
    const job = await this.#finished(id);
    const extra = Math.max(0, memoryOf(this.#pid).peakBytes - before - ownBytes);
    const figure = `${name}: memory, MiB`;
    const highest = Math.max(
      Math.ceil(extra / MIB),
      Number.parseInt(String(this.#findings.figures[figure] ?? 0), 10),
    );
    this.#findings.atMost(figure, highest, MEMORY_BYTES / MIB);
    if (job === undefined) return this.#findings.violation('not finished', name);
    if (job.state !== ends) this.#findings.violation('another end', `${name}: ${job.state}`);
    if (!isCut(job)) this.#findings.violation('not cut', `${name}: ${describe(job)}`);
  }

  #payload(excess: Excess): ExcessPayload {
    const { bytes, stackBytes, depth } = this.#options;
    const payload = {
      excess,
      bytes: excess === 'long stack' ? stackBytes : bytes,
      depth,
      text: INJECTION,
    };
    if (excess !== 'prototype') return payload;
    // Only a parser makes this a property of its own.
    const text = `{"__proto__":{"admin":true},${JSON.stringify(payload).slice(1)}`;
    return JSON.parse(text);
  }

  async #finished(id: string): Promise<Job | undefined> {
    let job: Job | undefined;
    await until(
      async () => {
        job = await this.#store.job(id);
        return job !== undefined && isFinal(job.state);
      },
      { timeoutMs: FINISH_TIMEOUT_MS, everyMs: 50 },
    );
    return job;
  }
}

function describe({ result, resultOmittedBytes, attempts }: Job): string {
  const { error } = attempts.kept.at(-1) ?? {};
  return JSON.stringify({
    result: result?.slice(0, 100),
    resultOmittedBytes,
    error: error?.message.slice(0, 100),
  });
}

/** What is not taken at all. */
async function checkRefusals(
  store: FullStore,
  { bytes, depth }: ExcessOptions,
  findings: Findings,
): Promise<void> {
  const jobs = jobsOn(store, { odd: (_: unknown): void => {} });
  let deep: object = {};
  for (let level = 0; level < depth; level++) deep = { deep };
  const before = memoryOf(process.pid).bytes;
  forgetPeak(process.pid);
  const attempts: readonly (readonly [
    what: string,
    code: ErrorCode,
    ask: () => Promise<unknown>,
  ])[] = [
    ['a deep payload', 'invalid_job', () => jobs.enqueue('odd', deep)],
    ['a long payload', 'payload_too_large', () => jobs.enqueue('odd', 'x'.repeat(bytes))],
    ['a long queue', 'invalid_job', () => jobs.enqueue('odd', 1, { queue: 'q'.repeat(10_000) })],
    ['a queue to clear screens', 'invalid_job', () => jobs.enqueue('odd', 1, { queue: INJECTION })],
    ['a tag to clear screens', 'invalid_job', () => jobs.enqueue('odd', 1, { tags: [INJECTION] })],
  ];
  for (const [what, code, ask] of attempts) {
    try {
      await ask();
      findings.violation('not refused', what);
    } catch (error) {
      if (!isRedriveError(error, code))
        findings.violation('refused otherwise', `${what}: ${error}`);
    }
  }
  const extra = Math.max(0, memoryOf(process.pid).peakBytes - before - bytes);
  findings.atMost('refused payloads: memory, MiB', Math.ceil(extra / MIB), MEMORY_BYTES / MIB);
}

/** Every line is an object of the worker's own, and nothing in it is obeyed by a terminal. */
function checkLog(log: string, findings: Findings): void {
  const lines = log.split('\n').filter((line) => line !== '');
  findings.figures['lines of the log'] = lines.length;
  findings.none(
    'injected lines',
    lines.filter((line) => {
      try {
        return OBEYED.test(line) || JSON.parse(line).event === 'injected';
      } catch {
        return true;
      }
    }),
  );
}

/** What people see of these jobs. */
function checkTerminal(place: Place, ids: readonly string[], findings: Findings): void {
  const show = (...args: readonly string[]): string =>
    execFileSync(process.execPath, [REDRIVE, ...args, '--store', place.target], {
      cwd: place.directory,
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1' },
      maxBuffer: 64 * MIB,
    });
  const pages = [show('jobs', 'list'), ...ids.map((id) => show('jobs', 'show', id))];
  findings.figures['pages shown'] = pages.length;
  findings.none(
    'injected into a terminal',
    pages.filter((page) => OBEYED.test(page)).map((page) => JSON.stringify(page.slice(0, 200))),
  );
}
