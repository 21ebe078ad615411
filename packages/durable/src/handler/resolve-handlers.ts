import { type Clock, definePolicy, isRedriveError, type ResolvedPolicy } from '@redrive/core';
import { type FieldProblem, type OptionTable, refuse, resolveOptions } from '@redrive/core/fields';
import { type Rates, rateProblems } from '../control/rules/rate-options.ts';
import { MAX_NAME_LENGTH, textProblem } from '../jobs/text-problem.ts';
import type {
  Handler,
  HandlerDefinition,
  HandlerOptions,
  Handlers,
  ManyHandlerDefinition,
} from './handler.ts';
import { takeMany } from './take-many.ts';

/** A handler with all its options, checked. */
export interface ResolvedHandler {
  readonly name: string;
  readonly run: Handler<unknown, unknown>;
  /** The name of one, or one that was written out. */
  readonly policy: ResolvedPolicy | string;
  /** `undefined`: the policy's. */
  readonly dependency: string | undefined;
  readonly credential: HandlerDefinition<unknown, unknown>['credential'];
  readonly concurrency: number;
  readonly limitPerKey: number;
  readonly rate: Rates | undefined;
  /** `ask`: an unknown effect is for a person to decide about. */
  readonly onUnknown: 'retry' | 'ask';
  readonly probe: HandlerDefinition<unknown, unknown>['probe'];
  readonly stallAfterMs: number;
  readonly onStall: 'report' | 'interrupt';
  readonly onDead: string | undefined;
}

/** The policies that have a name. */
export interface KnownPolicies {
  get(id: string): ResolvedPolicy | undefined;
  /** The problem of the policy of this name, where `get` found none. */
  problemOf(id: string): string | undefined;
}

/** The policy of handlers that name none. */
export const DEFAULT_POLICY_ID = 'runs.default';

const MAX_CONCURRENCY = 10_000;
const MAX_WAIT_MS = 60_000;
const count = { kind: 'integer', min: 1, max: MAX_CONCURRENCY } as const;

/** Heartbeats per lease: two may fail before it runs out. */
export const BEATS_PER_LEASE = 3;

/** The process that runs the handlers. */
export interface HandlersProcess {
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly clock: Clock;
}

/**
 * Checks the handlers and fills in the defaults.
 *
 * @throws RedriveError `invalid_option` with every problem of every handler at once.
 */
export function resolveHandlers(
  handlers: Handlers,
  process: HandlersProcess,
  policies?: KnownPolicies,
): ReadonlyMap<string, ResolvedHandler> {
  const resolved = new Map<string, ResolvedHandler>();
  const problems: FieldProblem[] = [];
  if (typeof handlers !== 'object' || handlers === null) {
    problems.push({ field: 'handlers', message: 'handlers must be an object of handlers by name' });
  }
  for (const [name, given] of Object.entries(handlers ?? {})) {
    const misnamed = textProblem('name', name, MAX_NAME_LENGTH);
    if (misnamed !== undefined) problems.push(at(name, misnamed));
    try {
      const handler = resolveHandler(name, given, process);
      resolved.set(name, handler);
      problems.push(
        ...policyProblems(handler, policies),
        ...stallProblems(handler, process.leaseMs),
      );
    } catch (error) {
      problems.push(...problemsOf(error).map((problem) => at(name, problem)));
    }
  }
  problems.push(...hookProblems(resolved));
  refuse('invalid_option', 'handlers', problems);
  return resolved;
}

function resolveHandler(
  name: string,
  given: Handlers[string],
  process: HandlersProcess,
): ResolvedHandler {
  const definition = typeof given === 'function' ? { run: given } : given;
  const { run, options } = isMany(definition)
    ? resolveMany(name, definition, process)
    : resolveOne(definition, process);
  const { policy = DEFAULT_POLICY_ID, idempotent, onUnknown, probe } = options;
  return {
    name,
    run,
    policy: typeof policy === 'string' ? policy : definePolicy(policy),
    // The empty text names nothing, as in policies.
    dependency: options.dependency || undefined,
    credential: options.credential || undefined,
    concurrency: options.concurrency ?? process.concurrency,
    limitPerKey: options.limitPerKey ?? 1,
    rate: options.rate,
    onUnknown: onUnknown === 'dead_letter' && !idempotent && probe === undefined ? 'ask' : 'retry',
    probe,
    stallAfterMs: options.stallAfterMs ?? Infinity,
    onStall: options.onStall ?? 'report',
    onDead: options.onDead,
  };
}

/** Plain JavaScript may pass anything. */
function isMany(definition: unknown): definition is ManyHandlerDefinition<unknown, unknown> {
  return typeof definition === 'object' && definition !== null && 'runMany' in definition;
}

interface ResolvedOptions {
  readonly run: Handler<unknown, unknown>;
  readonly options: HandlerOptions;
}

function resolveOne(
  definition: HandlerDefinition<unknown, unknown>,
  { concurrency }: HandlersProcess,
): ResolvedOptions {
  const table: OptionTable<HandlerDefinition<unknown, unknown>> = {
    run: [null, { kind: 'function' }],
    ...optionsTable(concurrency),
  };
  const options = resolveOptions('handler', definition, table, 'invalid_option', furtherProblems);
  return { run: options.run, options };
}

function resolveMany(
  handler: string,
  definition: ManyHandlerDefinition<unknown, unknown>,
  { concurrency, clock }: HandlersProcess,
): ResolvedOptions {
  const table: OptionTable<ManyHandlerDefinition<unknown, unknown>> = {
    runMany: [null, { kind: 'function' }],
    upTo: [100, count],
    waitMs: [20, { kind: 'number', min: 0, max: MAX_WAIT_MS }],
    ...optionsTable(concurrency),
  };
  const options = resolveOptions('handler', definition, table, 'invalid_option', furtherProblems);
  const { runMany, waitMs = 0, upTo = 1 } = options;
  // More than run at once never come together: a call does not wait for them.
  const most = Math.min(upTo, concurrency, options.concurrency ?? concurrency);
  return { run: takeMany(runMany, { handler, upTo: most, waitMs, clock }), options };
}

function optionsTable(concurrency: number): OptionTable<HandlerOptions> {
  return {
    policy: [undefined],
    dependency: [undefined],
    credential: [undefined],
    concurrency: [concurrency, count],
    limitPerKey: [1, count],
    rate: [undefined],
    onUnknown: ['retry', { kind: 'choice', values: ['retry', 'dead_letter'] }],
    idempotent: [false, { kind: 'boolean' }],
    probe: [undefined, { kind: 'function' }],
    stallAfterMs: [Infinity, { kind: 'number', min: 1, max: Infinity }],
    onStall: ['report', { kind: 'choice', values: ['report', 'interrupt'] }],
    onDead: [undefined, { kind: 'string' }],
  };
}

/** Breakers and gates are stored under these names: under one that the store refuses, none could ever be written. */
function furtherProblems({ dependency, credential, rate }: Readonly<Record<string, unknown>>) {
  const texts = { dependency, credential: typeof credential === 'function' ? '' : credential };
  const misnamed = Object.entries(texts).flatMap(
    ([field, text]) => textProblem(field, text, MAX_NAME_LENGTH, { empty: true }) ?? [],
  );
  return [...misnamed, ...rateProblems('rate', rate)];
}

/** Checked at the start only: when a policy goes missing later, its last version stays in force. */
function policyProblems(
  { name, policy }: ResolvedHandler,
  policies: KnownPolicies | undefined,
): FieldProblem[] {
  if (policy === DEFAULT_POLICY_ID) return [];
  const found = typeof policy === 'string' ? policies?.get(policy) : policy;
  if (found === undefined) {
    const problem = typeof policy === 'string' ? policies?.problemOf(policy) : undefined;
    const message = problem ?? `there is no policy called ${policy}`;
    return [at(name, { field: 'policy', message })];
  }
  const empty = { empty: true };
  const misnamed = textProblem('policy.dependency', found.dependency, MAX_NAME_LENGTH, empty);
  return misnamed === undefined ? [] : [at(name, misnamed)];
}

/** A stall is looked for with each heartbeat, which also brings the progress. */
function stallProblems({ name, stallAfterMs }: ResolvedHandler, leaseMs: number): FieldProblem[] {
  const beatMs = Math.ceil(leaseMs / BEATS_PER_LEASE);
  if (stallAfterMs >= beatMs) return [];
  const message = `stallAfterMs must be at least ${beatMs}, the time between two heartbeats, and is ${stallAfterMs}`;
  return [at(name, { field: 'stallAfterMs', message })];
}

/** A hook is a handler like any other, and has no hook: a death of its job ends there. */
function hookProblems(handlers: ReadonlyMap<string, ResolvedHandler>): FieldProblem[] {
  return [...handlers.values()].flatMap(({ name, onDead }) => {
    if (onDead === undefined) return [];
    const wrong = (message: string) => [at(name, { field: 'onDead', message })];
    const hook = handlers.get(onDead);
    if (hook === undefined) {
      return wrong(
        `onDead names no handler: ${onDead}. If another process runs it, declare it with runsElsewhere()`,
      );
    }
    return hook.onDead === undefined
      ? []
      : wrong(`onDead names ${onDead}, which has onDead itself: a hook of a hook is not possible`);
  });
}

function at(name: string, { field, message }: FieldProblem): FieldProblem {
  return { field: `${name}.${field}`, message: `${name}: ${message}` };
}

/** Policies and options are refused with a list of problems. */
export function problemsOf(error: unknown): readonly FieldProblem[] {
  if (!isRedriveError(error)) throw error;
  return error.details.problems as readonly FieldProblem[]; // `refuse` writes it so.
}
