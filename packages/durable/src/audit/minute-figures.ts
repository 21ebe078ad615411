import type { AuditBlock } from './audit-block.ts';
import { sharedRecordsIn } from './read-body.ts';

const MINUTE_MS = 60_000;
const MINUTES = 24 * 60;
/** Jobs of which one of two records is known: the submission, or the success. */
const MAX_HALVES = 100_000;
/** Queues that have numbers of their own. */
const MAX_QUEUES = 50;
/** Minutes of the numbers by queue. */
const QUEUE_MINUTES = 30;
/** Steps of a doubling: a duration is known to 9 percent. */
const STEPS = 8;
/** Up to 2^32 ms: 49 days. */
const SIZES = 32 * STEPS + 1;
const LONGEST_MS = 2 ** 32;

/** Other records say nothing about results: most blocks need not be parsed. */
const INTERESTING = /"(?:enqueue|settle|lease_lost|expire)"/;

interface Minute {
  firstTry: number;
  recovered: number;
  dead: number;
  retries: number;
  /** Successes by time since submission. */
  times?: Uint32Array;
  queues?: Map<string, number>;
}

/** Jobs by result in the minutes of a window, and the time from submission to success. Durations are in seconds. */
export type Figures = Readonly<ReturnType<MinuteFigures['read']>>;

/** One of the two records of a job. */
type Half = { readonly atMs: number; readonly queue: string } | Success;
interface Success {
  readonly atMs: number;
  readonly isTimed: boolean;
}

/**
 * Figures of the last 24 hours in buckets of a minute, from blocks of the audit log in any order. Its memory is bounded,
 * whatever the log has.
 */
export class MinuteFigures {
  readonly #minutes = new Map<number, Minute>();
  readonly #halves = new Map<string, Half>();
  readonly #queues = new Set<string>();
  #sweptMinute = 0;

  /** Each block once. */
  take(blocks: readonly AuditBlock[], nowMs: number): void {
    const firstMs = (minuteOf(nowMs) - MINUTES) * MINUTE_MS;
    this.#sweep(nowMs, firstMs);
    for (const block of blocks) {
      if (!INTERESTING.test(block.body)) continue;
      for (const { id, revision, event, from, to, atMs, executions, detail } of sharedRecordsIn(
        block,
      )) {
        if (revision === 0 || atMs < firstMs) continue;
        if (event === 'enqueue') this.#submitted(id, atMs, String(detail.queue));
        if (detail.action === 'retry') this.#minute(atMs).retries += 1;
        if (to === 'dead' && from !== 'purged') {
          this.#minute(atMs).dead += 1;
          this.#halves.delete(id);
        }
        if (event === 'settle' && to === 'succeeded') this.#succeeded(id, atMs, executions);
      }
    }
  }

  /** @param windowMs at most 24 hours. */
  read(windowMs: number, nowMs: number) {
    const last = minuteOf(nowMs);
    const first = last - Math.min(MINUTES, Math.ceil(windowMs / MINUTE_MS)) + 1;
    const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at);
    const minutes = numbers.map((minute) => this.#minutes.get(minute));
    const column = (name: 'firstTry' | 'recovered' | 'dead' | 'retries') =>
      minutes.map((minute) => minute?.[name] ?? 0);
    const [firstTry, recovered] = [column('firstTry'), column('recovered')];
    const [dead, retries] = [column('dead'), column('retries')];
    const total = {
      first_try: sum(firstTry),
      recovered: sum(recovered),
      dead: sum(dead),
      retries: sum(retries),
    };
    const ended = total.first_try + total.recovered + total.dead;
    const times = new Uint32Array(SIZES);
    for (const minute of minutes) {
      minute?.times?.forEach((count, size) => {
        times[size] = (times[size] ?? 0) + count;
      });
    }
    const recent = minutes.slice(-QUEUE_MINUTES);
    return {
      /** Start of the first minute. The last minute is not over yet. */
      from: new Date(first * MINUTE_MS).toISOString(),
      /** Jobs per minute that succeeded with their first attempt. */
      first_try: firstTry,
      /** Jobs per minute that succeeded after retries. */
      recovered,
      /** New dead letters per minute. */
      dead,
      /** Attempts per minute that failed and are followed by another one. */
      retries,
      /** Median time to success of each minute; `null`: no job succeeded. */
      p50: minutes.map((minute) => (minute?.times ? quantile(minute.times, 0.5) : null)),
      /** `retry_ratio`: retries per finished job; `null`: no job finished. */
      total: { ...total, retry_ratio: ended === 0 ? null : total.retries / ended },
      time_to_success: {
        samples: sum([...times]),
        p50: quantile(times, 0.5),
        p95: quantile(times, 0.95),
        p99: quantile(times, 0.99),
      },
      /** Successes in each of the last 30 minutes, of at most 50 queues, where the submission of the job is known. */
      queues: [...this.#queues].sort().map((queue) => ({
        queue,
        succeeded: recent.map((minute) => minute?.queues?.get(queue) ?? 0),
      })),
    };
  }

  #submitted(id: string, atMs: number, queue: string): void {
    const success = this.#halves.get(id);
    if (success === undefined) this.#keep(id, { atMs, queue });
    else if ('isTimed' in success) this.#join(id, { atMs, queue }, success);
  }

  #succeeded(id: string, atMs: number, executions: number): void {
    const minute = this.#minute(atMs);
    if (executions <= 1) minute.firstTry += 1;
    else minute.recovered += 1;
    const submission = this.#halves.get(id);
    const made = timeIn(id);
    const isTimed = made !== undefined && this.#time(atMs, made);
    if (submission === undefined) this.#keep(id, { atMs, isTimed });
    else if ('queue' in submission) this.#join(id, submission, { atMs, isTimed });
  }

  #join(id: string, { atMs, queue }: Extract<Half, { queue: string }>, success: Success): void {
    this.#halves.delete(id);
    if (!success.isTimed) this.#time(success.atMs, atMs);
    if (this.#queues.size >= MAX_QUEUES && !this.#queues.has(queue)) return;
    this.#queues.add(queue);
    const minute = this.#minute(success.atMs);
    minute.queues ??= new Map();
    minute.queues.set(queue, (minute.queues.get(queue) ?? 0) + 1);
  }

  /** `false`: the difference is not a time that a job may take. */
  #time(atMs: number, submittedAtMs: number): boolean {
    const tookMs = atMs - submittedAtMs;
    if (tookMs < 0 || tookMs >= LONGEST_MS) return false;
    const minute = this.#minute(atMs);
    minute.times ??= new Uint32Array(SIZES);
    const size = Math.round(Math.log2(tookMs + 1) * STEPS);
    minute.times[size] = (minute.times[size] ?? 0) + 1;
    return true;
  }

  #keep(id: string, half: Half): void {
    if (this.#halves.size < MAX_HALVES) this.#halves.set(id, half);
  }

  #minute(atMs: number): Minute {
    const at = minuteOf(atMs);
    const known = this.#minutes.get(at) ?? { firstTry: 0, recovered: 0, dead: 0, retries: 0 };
    this.#minutes.set(at, known);
    return known;
  }

  /** Once a minute: forgets minutes and jobs of more than a day ago. */
  #sweep(nowMs: number, firstMs: number): void {
    if (minuteOf(nowMs) === this.#sweptMinute) return;
    this.#sweptMinute = minuteOf(nowMs);
    for (const at of this.#minutes.keys()) if (at * MINUTE_MS < firstMs) this.#minutes.delete(at);
    for (const [id, { atMs }] of this.#halves) if (atMs < firstMs) this.#halves.delete(id);
  }
}

function minuteOf(atMs: number): number {
  return Math.floor(atMs / MINUTE_MS);
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

/** In seconds. `null`: there is no value. */
function quantile(times: Uint32Array, share: number): number | null {
  const wanted = sum([...times]) * share;
  if (wanted === 0) return null;
  let seen = 0;
  const size = times.findIndex((count) => {
    seen += count;
    return seen >= wanted;
  });
  return Math.round(2 ** (size / STEPS) - 1) / 1_000;
}

/** The time in an id that `newSortableId` made. Jobs that were submitted before the window are known by it alone. */
function timeIn(id: string): number | undefined {
  return /^0[0-9a-z]{19}$/.test(id) ? Number.parseInt(id.slice(0, 9), 36) : undefined;
}
