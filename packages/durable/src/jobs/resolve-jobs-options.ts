import { hostname } from 'node:os';
import { type Clock, systemClock } from '@redrive/core';
import {
  aClock,
  aSink,
  type FieldProblem,
  type OptionTable,
  port,
  resolveOptions,
} from '@redrive/core/fields';
import { defaultBudgets, MAX_TIMER_MS } from '@redrive/core/stored';
import { GATE_CEILING_MS } from '../control/rules/documents.ts';
import { rateProblems } from '../control/rules/rate-options.ts';
import { embeddedLog, type LoggedListeners, type LogLevel, withLog } from '../log/worker-log.ts';
import type { JobsOptions, RetentionOptions } from './jobs.ts';
import { withTelemetry } from './jobs-telemetry.ts';
import { DEFAULT_MAX_PAYLOAD_BYTES } from './payload.ts';
import { MAX_NAME_LENGTH, textProblem } from './text-problem.ts';

const DAY_MS = 86_400_000;
const MIB = 1024 * 1024;
const MAX_BYTES = 256 * MIB;
const interval = { kind: 'number', min: 10, max: MAX_TIMER_MS } as const;
const bytes = { kind: 'integer', min: 0, max: MAX_BYTES } as const;
const registry = port('a registry with for()');
const age = { kind: 'number', min: 0, max: Infinity } as const;

const OPTIONS: OptionTable<JobsOptions> = {
  worker: [undefined],
  concurrency: [10, { kind: 'integer', min: 1, max: 10_000 }],
  migrate: [true, { kind: 'boolean' }],
  queues: [undefined],
  queueRates: [{}],
  leaseMs: [30_000, { kind: 'number', min: 100, max: DAY_MS }],
  pollMs: [1_000, interval],
  sweepMs: [5_000, interval],
  maxPayloadBytes: [DEFAULT_MAX_PAYLOAD_BYTES, bytes],
  maxResultBytes: [MIB, bytes],
  maxGateMs: [GATE_CEILING_MS, { kind: 'number', min: 0, max: DAY_MS }],
  policies: [undefined, { kind: 'function' }],
  breakers: [undefined, registry],
  budgets: [undefined, registry],
  retention: [{}],
  events: [undefined, aSink],
  telemetry: [undefined, port('telemetry with attempt(), enqueue(), headers() and handOver()')],
  log: [undefined],
  onNotice: [undefined, { kind: 'function' }],
  clock: [systemClock, aClock],
};

const RETENTION: OptionTable<RetentionOptions> = {
  succeededMs: [7 * DAY_MS, age],
  cancelledMs: [7 * DAY_MS, age],
  deadMs: [90 * DAY_MS, age],
  purgedMs: [7 * DAY_MS, age],
  uncompressedAuditMs: [7 * DAY_MS, age],
  archive: [undefined, { kind: 'function' }],
};

type Optional = 'policies' | 'breakers' | 'queues' | 'telemetry';
type Listening = 'events' | 'onNotice' | 'log';

/** The log is one of the listeners. */
export type ResolvedJobsOptions = Omit<Required<JobsOptions>, Optional | Listening | 'retention'> &
  Pick<JobsOptions, Optional> &
  LoggedListeners & { readonly retention: Required<RetentionOptions> };

/**
 * Checks the options of `jobsOn` and fills in the defaults.
 *
 * @throws RedriveError `invalid_option` with every problem at once.
 */
export function resolveJobsOptions(given: JobsOptions): ResolvedJobsOptions {
  const options = resolveOptions('jobs', given, OPTIONS, 'invalid_option', problemsOf);
  const { log, ...rest } = options;
  return {
    ...rest,
    ...withLog(withTelemetry(options, options.telemetry), loggerOf(options)),
    worker: options.worker ?? `${hostname()}-${process.pid}`.slice(-MAX_NAME_LENGTH),
    budgets: options.budgets ?? defaultBudgets(),
    retention: resolveOptions('retention', options.retention, RETENTION),
  };
}

/** An application that listens to notices logs them as it likes. */
function loggerOf({
  log,
  onNotice,
  clock,
}: Pick<JobsOptions, 'log' | 'onNotice'> & { clock: Clock }) {
  if (log !== undefined && typeof log !== 'string') return log;
  return embeddedLog(log ?? (onNotice === undefined ? 'warn' : 'off'), clock);
}

const LOG_LEVELS: readonly unknown[] = ['off', 'warn', 'info'] satisfies readonly LogLevel[];

function logProblem(log: unknown): FieldProblem | undefined {
  if (log === undefined || LOG_LEVELS.includes(log)) return undefined;
  const methods = Object(log) as Readonly<Record<string, unknown>>; // Checked next.
  if (['info', 'warn', 'error'].every((name) => typeof methods[name] === 'function')) {
    return undefined;
  }
  const message = 'log must be off, warn, info, or a logger with info, warn and error';
  return { field: 'log', message };
}

function problemsOf(given: Readonly<Record<string, unknown>>): FieldProblem[] {
  const { worker, queues, log, queueRates } = given;
  const problems = [
    textProblem('worker', worker, MAX_NAME_LENGTH),
    logProblem(log),
    ...queueRateProblems(queueRates),
  ];
  if (queues !== undefined && (!Array.isArray(queues) || queues.length === 0)) {
    problems.push({ field: 'queues', message: 'queues must be a list of at least one queue' });
  } else if (Array.isArray(queues)) {
    for (const [index, queue] of queues.entries()) {
      problems.push(textProblem(`queues[${index}]`, queue ?? null, MAX_NAME_LENGTH));
    }
  }
  return problems.filter((problem) => problem !== undefined);
}

function queueRateProblems(given: unknown): (FieldProblem | undefined)[] {
  if (typeof given === 'function') return [];
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return [{ field: 'queueRates', message: 'queueRates must be an object of rates by queue' }];
  }
  return Object.entries(given).flatMap(([queue, rate]) => [
    textProblem('queueRates', queue, MAX_NAME_LENGTH),
    ...rateProblems(`queueRates.${queue}`, rate),
  ]);
}
