import type { ErrorClass } from '@redrive/core';
import type { Recorded } from './recorded.ts';
import { SessionIndex } from './session-index.ts';

/**
 * Attempts of one recording that are kept, and sessions among them with an attempt that did not succeed. With both, a
 * back-test and a review need less than 256 MiB. Later attempts are counted, and left out.
 */
export const MAX_ATTEMPTS = 1_000_000;
export const MAX_FAILED_SESSIONS = 200_000;

/** The fields that attempts share. */
export type Group = Pick<
  Recorded,
  'dependency' | 'handler' | 'category' | 'policy' | 'policyHash' | 'rung'
>;

/** An attempt of a table. */
export interface Attempt extends Omit<Recorded, keyof Group | 'session'> {
  readonly group: number;
  /** Number of its session, from 0. */
  readonly session: number;
}

const OUTCOMES = ['succeeded', 'failed', 'lost', 'not_run'] as const;
const CLASSES: readonly (ErrorClass | undefined)[] = [
  undefined,
  'final',
  'retryable',
  'rate_limited',
  'ignored',
];

/** A recording in memory, in columns, in the order of the ends of attempts. */
export class Attempts {
  readonly groups: Group[] = [];
  /** Attempts that were left out, because there are more than are kept. */
  omitted = 0;
  readonly #sessions = new SessionIndex();
  readonly #groupNumbers = new Map<string, number>();
  readonly #texts: (string | undefined)[] = [undefined];
  readonly #textNumbers = new Map<string, number>();
  readonly #names = new Map<number, string>();
  readonly #limit: number;
  readonly #failedLimit: number;
  #size = 0;
  /** startMs, endMs, hintMs, delayMs: NaN where absent. */
  #times = new Float64Array(4 << 10);
  /** group, session, generation, attempt, type, action and reason. */
  #numbers = new Uint32Array(7 << 10);
  /** outcome, class and probe. */
  #kinds = new Uint8Array(1 << 10);

  constructor(limit = MAX_ATTEMPTS, failedLimit = MAX_FAILED_SESSIONS) {
    this.#limit = limit;
    this.#failedLimit = failedLimit;
  }

  get size(): number {
    return this.#size;
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  add(one: Recorded): void {
    if (this.#size >= this.#limit || this.#names.size >= this.#failedLimit) {
      this.omitted += 1;
      return;
    }
    const at = this.#size;
    if (at === this.#kinds.length) this.#grow();
    const session = this.#sessions.numberOf(one.session);
    // A name costs as much as an attempt, and only sessions with a failure are ever named.
    if (one.outcome !== 'succeeded') this.#names.set(session, one.session);
    const { startMs = Number.NaN, endMs, hintMs = Number.NaN, delayMs = Number.NaN } = one;
    this.#times.set([startMs, endMs, hintMs, delayMs], at * 4);
    const numbers = [
      this.#groupOf(one),
      session,
      one.generation,
      one.attempt,
      this.#textOf(one.errorType),
      this.#textOf(one.action),
      this.#textOf(one.reason),
    ];
    this.#numbers.set(numbers, at * 7);
    this.#kinds[at] =
      OUTCOMES.indexOf(one.outcome) +
      4 * CLASSES.indexOf(one.errorClass) +
      (one.probe === true ? 64 : 0);
    this.#size += 1;
  }

  sessionOf(at: number): number {
    return this.#numbers[at * 7 + 1] ?? 0;
  }

  groupOf(at: number): Group {
    const group = this.groups[this.#numbers[at * 7] ?? 0];
    if (group === undefined) throw new RangeError(`no attempt ${at}`);
    return group;
  }

  at(at: number): Attempt {
    const [start = Number.NaN, endMs = 0, hint = Number.NaN, delay = Number.NaN] =
      this.#times.subarray(at * 4, at * 4 + 4);
    const [group = 0, session = 0, generation = 1, attempt = 1, type = 0, action = 0, reason = 0] =
      this.#numbers.subarray(at * 7, at * 7 + 7);
    const kinds = this.#kinds[at] ?? 0;
    return {
      group,
      session,
      generation,
      attempt,
      startMs: known(start),
      endMs,
      outcome: OUTCOMES[kinds & 3] ?? 'not_run',
      errorClass: CLASSES[(kinds >> 2) & 15],
      errorType: this.#texts[type],
      hintMs: known(hint),
      probe: kinds >= 64,
      action: this.#texts[action] ?? '',
      reason: this.#texts[reason] ?? '',
      delayMs: known(delay),
    };
  }

  /** The number of a session. One that is not in the recording gets the next. */
  numberOf(name: string): number {
    return this.#sessions.numberOf(name);
  }

  /** The name of a session with an attempt that did not succeed. */
  nameOf(session: number): string {
    return this.#names.get(session) ?? '';
  }

  #groupOf({ dependency, handler, category, policy, policyHash, rung }: Recorded): number {
    const key = JSON.stringify([dependency, handler, category, policy, policyHash, rung]);
    const found = this.#groupNumbers.get(key);
    if (found !== undefined) return found;
    this.#groupNumbers.set(key, this.groups.length);
    return this.groups.push({ dependency, handler, category, policy, policyHash, rung }) - 1;
  }

  #textOf(text: string | undefined): number {
    if (text === undefined) return 0;
    const found = this.#textNumbers.get(text);
    if (found !== undefined) return found;
    // Types of errors may be made up at every failure.
    if (this.#texts.length >= MAX_TEXTS) return this.#textOf('other');
    this.#textNumbers.set(text, this.#texts.length);
    return this.#texts.push(text) - 1;
  }

  #grow(): void {
    const [times, numbers, kinds] = [this.#times, this.#numbers, this.#kinds];
    const size = Math.min(this.#limit, kinds.length * 2);
    this.#times = new Float64Array(size * 4);
    this.#times.set(times);
    this.#numbers = new Uint32Array(size * 7);
    this.#numbers.set(numbers);
    this.#kinds = new Uint8Array(size);
    this.#kinds.set(kinds);
  }
}

const MAX_TEXTS = 50_000;

function known(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}
