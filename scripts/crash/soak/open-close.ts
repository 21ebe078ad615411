import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '@redrive/testkit';
import type { Place } from '../place.ts';
import { Findings, type Report, secondsSince } from '../report.ts';

/** How a process ends in the middle of its work. */
export type Ending = (typeof ENDINGS)[number];

const ENDINGS = ['exit', 'reallyExit', 'throw', 'SIGTERM'] as const;

/** The exit code or the signal that belongs to an ending. */
const EXPECTED: Readonly<Record<Ending, number | string>> = {
  exit: 0,
  reallyExit: 0,
  throw: 1,
  SIGTERM: 'SIGTERM',
};

/** The message of an error that ends a process. */
export const PLANTED = 'planted by the harness';

/** The settings of one process. */
export interface OpenCloseSettings {
  readonly file: string;
  readonly seed: number;
  /** So many times it opens and closes the store before it ends. */
  readonly cycles: number;
  readonly ending: Ending;
}

export interface OpenCloseOptions {
  readonly seed: number;
  /** Of all processes together. */
  readonly cycles: number;
  /** No process starts later than so. */
  readonly seconds: number;
  readonly processes: number;
  readonly print: (line: string) => void;
}

export const OPEN_CLOSE = {
  cycles: 20_000,
  processes: 3,
  print: (line: string) => console.log(line),
} as const;

const MAX_CYCLES_PER_PROCESS = 60;
const FLAGS = ['--disable-warning=ExperimentalWarning'];
const MAX_SAID = 2_000;
const PRINT_EVERY = 500;
/** A process that has not ended so long after it began to end is a finding. */
const END_WITHIN_MS = 20_000;
/** One cycle takes tenths of a second. */
const CYCLE_WITHIN_MS = 120_000;

/**
 * Processes open and close stores again and again, terminate threads that use a store, and end in the middle of their
 * work. None may crash or hang. A process that crashes leaves its core in the directory of the place.
 */
export async function openClose(place: Place, options: OpenCloseOptions): Promise<Report> {
  const { seed, cycles, seconds, processes, print } = options;
  const startedMs = performance.now();
  const random = seededRandom(seed);
  const findings = new Findings();
  const counts = new Map<Ending, number>();
  const wrong: string[] = [];
  let begun = 0;
  let done = 0;
  let slowestEndMs = 0;

  const lane = async (file: string): Promise<void> => {
    while (begun < cycles && secondsSince(startedMs) < seconds) {
      const wanted = Math.min(cycles - begun, 1 + Math.floor(random() * MAX_CYCLES_PER_PROCESS));
      begun += wanted;
      const ending = ENDINGS[Math.floor(random() * ENDINGS.length)] ?? 'exit';
      const settings = { file, seed: Math.floor(random() * 2 ** 31), cycles: wanted, ending };
      const onCycle = (): void => {
        done += 1;
        if (done % PRINT_EVERY === 0) print(`${done} cycles, ${secondsSince(startedMs)} s`);
      };
      const { how, endMs, said } = await runProcess(place.directory, settings, onCycle);
      counts.set(ending, (counts.get(ending) ?? 0) + 1);
      slowestEndMs = Math.max(slowestEndMs, endMs);
      const isPlanned = how === EXPECTED[ending] && (ending !== 'throw' || said.includes(PLANTED));
      if (!isPlanned) wrong.push(`${ending}: ${how}, ${JSON.stringify(settings)} ${said}`);
    }
  };
  // The first two processes share a file.
  const files = Array.from({ length: processes }, (_, n) => Math.max(0, n - 1));
  await Promise.all(files.map((n) => lane(join(place.directory, `open-close-${n}.db`))));

  findings.figures.cycles = done;
  for (const ending of ENDINGS) findings.figures[`ended by ${ending}`] = counts.get(ending) ?? 0;
  findings.none('processes that ended otherwise', wrong);
  findings.none('cycles that are missing', done === begun ? [] : [`${begun - done}`]);
  const cores = coresIn(place.directory);
  findings.none('core dumps', cores);
  findings.atMost('slowest end, ms', Math.round(slowestEndMs), END_WITHIN_MS);
  findings.figures.seconds = secondsSince(startedMs);
  const { figures, violations } = findings;
  return { fault: 'open-close', store: place.kind, seed, figures, violations };
}

interface End {
  readonly how: number | string;
  /** From the process's notice that it ends to its end. */
  readonly endMs: number;
  /** The end of its output of errors. */
  readonly said: string;
}

function runProcess(
  directory: string,
  settings: OpenCloseSettings,
  onCycle: () => void,
): Promise<End> {
  const cwd = join(directory, 'cores');
  mkdirSync(cwd, { recursive: true });
  const child = fork(
    join(import.meta.dirname, 'open-close-process.ts'),
    [JSON.stringify(settings)],
    {
      cwd,
      // Linux writes a core dump only where the limit of its size allows one.
      execPath: '/bin/sh',
      execArgv: ['-c', 'ulimit -c unlimited; exec "$0" "$@"', process.execPath, ...FLAGS],
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
      env: { ...process.env, NODE_OPTIONS: '' },
    },
  );
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      said = (said + text).slice(-MAX_SAID);
    });
    let endsAtMs = 0;
    let limit = killAfter(child, CYCLE_WITHIN_MS);
    child.on('message', (message) => {
      clearTimeout(limit);
      if (message === 'cycle') {
        onCycle();
        limit = killAfter(child, CYCLE_WITHIN_MS);
      } else {
        endsAtMs = performance.now();
        limit = killAfter(child, END_WITHIN_MS);
      }
    });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(limit);
      const endMs = endsAtMs === 0 ? 0 : performance.now() - endsAtMs;
      resolve({ how: signal ?? code ?? 0, endMs, said });
    });
  });
}

function killAfter(child: ChildProcess, ms: number): NodeJS.Timeout {
  return setTimeout(() => child.kill('SIGKILL'), ms);
}

function coresIn(directory: string): string[] {
  const cores = join(directory, 'cores');
  return existsSync(cores) ? readdirSync(cores) : [];
}
