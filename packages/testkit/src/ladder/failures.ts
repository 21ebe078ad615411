import { RedriveError } from '@redrive/core';
import { type FieldProblem, type OptionTable, resolveOptions } from '@redrive/core/fields';
import { sessionRandom } from '@redrive/core/stored';

/**
 * A failure to inject. `at` names the step that fails: a handler, the `operation` of a call, or a call of a port by a
 * process, such as `store.apply`, `bus.publish` or `documents.claim`.
 */
export interface Failure {
  readonly at: string;
  /** Before the step, which is then not carried out, or after it: nobody gets its result. Default `before`. */
  readonly when?: 'before' | 'after' | undefined;
  /**
   * `retryable` is an HTTP error 503, `final` 400, `rate_limited` 429; a port is out of reach whatever the class. Or a
   * function that returns an error of your own. Default: none.
   */
  readonly error?: 'retryable' | 'final' | 'rate_limited' | (() => unknown) | undefined;
  /** The hint of the error: not before this time. Default: none. */
  readonly retryAfterMs?: number | undefined;
  /** The step takes this much longer. Default 0. */
  readonly slowMs?: number | undefined;
  /** The process ends here: nothing that it holds is returned or written. Default `false`. */
  readonly crash?: boolean | undefined;
  /** Share of the steps that fail, 0 to 1, drawn from the seed. Default 1. */
  readonly share?: number | undefined;
  /** Only from this time on, in milliseconds since `ladder()` was called. Default 0. */
  readonly fromMs?: number | undefined;
  /** Only before this time. Default `Infinity`. */
  readonly untilMs?: number | undefined;
  /** Only attempts up to this number, in each generation. Default: all. */
  readonly upToAttempt?: number | undefined;
  /** Fails so many steps, and then none. Default: no limit. */
  readonly times?: number | undefined;
}

/** One step, as failures are matched with it. */
export interface Step {
  readonly at: string;
  /** With `number`, it names the step in all runs with the same seed: the share is drawn from both. */
  readonly key: string;
  readonly number: number;
  /** Of a handler or a call. */
  readonly attempt?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const time = { kind: 'number', min: 0, max: Infinity } as const;
const TABLE: OptionTable<Failure> = {
  at: [null, { kind: 'string' }],
  when: ['before', { kind: 'choice', values: ['before', 'after'] }],
  error: [undefined],
  retryAfterMs: [undefined, { kind: 'number', min: 0, max: 2 ** 31 - 1 }],
  slowMs: [0, { kind: 'number', min: 0, max: 2 ** 31 - 1 }],
  crash: [false, { kind: 'boolean' }],
  share: [1, { kind: 'number', min: 0, max: 1 }],
  fromMs: [0, time],
  untilMs: [Infinity, time],
  upToAttempt: [Infinity, { kind: 'number', min: 1, max: Infinity }],
  times: [Infinity, { kind: 'number', min: 1, max: Infinity }],
};

const STATUS = { retryable: 503, final: 400, rate_limited: 429 } as const;
const PORT_ERRORS = {
  store: 'store_unavailable',
  ledger: 'store_unavailable',
  bus: 'bus_unavailable',
  documents: 'documents_unavailable',
} as const;

type Defaulted =
  | 'when'
  | 'slowMs'
  | 'crash'
  | 'share'
  | 'fromMs'
  | 'untilMs'
  | 'upToAttempt'
  | 'times';

/** A failure with its defaults. */
type ResolvedFailure = Failure & {
  readonly [K in Defaulted]-?: Exclude<Failure[K], undefined>;
};

interface Rule {
  readonly number: number;
  readonly failure: ResolvedFailure;
  left: number;
}

/** The failures in force, and which of them a step meets. */
export class Failures {
  readonly #seed: number;
  readonly #elapsedMs: () => number;
  readonly #rules = new Map<string, Rule[]>();
  #added = 0;

  constructor(seed: number, elapsedMs: () => number) {
    this.#seed = seed;
    this.#elapsedMs = elapsedMs;
  }

  /** @throws RedriveError `invalid_option` with every problem at once. */
  add(failure: Failure): () => void {
    const resolved = resolveOptions('failure', failure, TABLE, 'invalid_option', problemsOf);
    this.#added += 1;
    // The table has their defaults.
    const whole = resolved as ResolvedFailure;
    const rule = { number: this.#added, failure: whole, left: whole.times };
    const { at } = whole;
    this.#rules.set(at, [...(this.#rules.get(at) ?? []), rule]);
    return () => {
      const others = (this.#rules.get(at) ?? []).filter((other) => other !== rule);
      if (others.length > 0) this.#rules.set(at, others);
      else this.#rules.delete(at);
    };
  }

  clear(): void {
    this.#rules.clear();
  }

  concern(at: string): boolean {
    return this.#rules.has(at);
  }

  /** The first failure that this step meets now. */
  of(
    { at, key, number, attempt = 1 }: Step,
    when: 'before' | 'after',
  ): ResolvedFailure | undefined {
    const nowMs = this.#elapsedMs();
    const met = this.#rules.get(at)?.find(({ failure, left, number: rule }) => {
      const { fromMs, untilMs, share, upToAttempt } = failure;
      if (failure.when !== when || left <= 0 || attempt > upToAttempt) return false;
      if (nowMs < fromMs || nowMs >= untilMs) return false;
      return sessionRandom(`${this.#seed}/${rule}/${key}`, number) < share;
    });
    if (met !== undefined) met.left -= 1;
    return met?.failure;
  }
}

function problemsOf(given: Readonly<Record<string, unknown>>): FieldProblem[] {
  const { at, error, slowMs, crash } = given;
  const problems: FieldProblem[] = [];
  const isKnown = error === undefined || typeof error === 'function' || String(error) in STATUS;
  if (!isKnown) {
    const message = `error must be ${Object.keys(STATUS).join(', ')}, or a function that returns an error`;
    problems.push({ field: 'error', message });
  }
  if (error === undefined && crash !== true && !(Number(slowMs) > 0)) {
    const message = `The failure at ${String(at)} does nothing: set error, slowMs or crash`;
    problems.push({ field: 'error', message });
  }
  return problems;
}

/** The error of a failure. A classifier sees what an HTTP client or an adapter would throw. */
export function errorOf({ at, error, retryAfterMs }: Failure): unknown {
  if (typeof error === 'function') return error();
  const [port = ''] = at.split('.');
  if (at.includes('.') && Object.hasOwn(PORT_ERRORS, port)) {
    // The line above has checked it.
    const code = PORT_ERRORS[port as keyof typeof PORT_ERRORS];
    return new RedriveError(code, `${at} fails, as injected`);
  }
  const status = STATUS[error ?? 'retryable'];
  const headers = retryAfterMs === undefined ? {} : { 'retry-after-ms': String(retryAfterMs) };
  return Object.assign(new Error(`${at} fails with ${status}, as injected`), { status, headers });
}
