/**
 * A limit on starts: at most `limit` in `perMs`, over all workers of the store. A job above the rate stays `ready`.
 *
 * In any 10 seconds at most `limit` × 10,000 / `perMs` + `burst` attempts start, and at least 95 % of that rate while
 * there is work. Rates count starts; `limitPerKey` counts jobs that run at once.
 */
export interface Rate<By extends string = RateBy> {
  /** 1 to 1,000,000. */
  readonly limit: number;
  /** 1 to 31 days. */
  readonly perMs: number;
  /**
   * What is counted apart: each tenant, each `rateKey` of a tenant, or (of a queue) each handler. Jobs without a `rateKey`
   * are not counted by key. Default: all jobs of the handler, or of the queue, together.
   */
  readonly by?: By | undefined;
  /** Starts that may come at once after a pause, 1 to 1,000,000. Default: `limit`. */
  readonly burst?: number | undefined;
}

export type RateBy = 'handler' | 'tenant' | 'key';

/** A rate as a claim names it. */
export interface ClaimRate {
  /** Such as `handler:mail/tenant/1000ms`. The store keeps what was used under it, so another process names it the same. */
  readonly name: string;
  /** Counts jobs of this handler. Absent: of any. */
  readonly handler?: string | undefined;
  /** Counts jobs of this queue. Absent: of any. */
  readonly queue?: string | undefined;
  /** `all`: all its jobs together. */
  readonly by: RateBy | 'all';
  /** Time from one start to the next, in microseconds, so that rates beyond 1,000 per second keep their precision. */
  readonly everyUs: number;
  readonly burst: number;
  readonly perMs: number;
}

/** What a store keeps of one counted value, such as one tenant. */
export interface UsedRate {
  /** When the whole burst is free again, in microseconds of the store's clock. */
  readonly fullUs: number;
  /** Since when jobs wait for it without a break, in milliseconds. Absent: none waits. */
  readonly sinceMs?: number | undefined;
}

/**
 * Starts are given out this much slower than the limit. A job starts a little after its claim, and not always by the same
 * time: so more jobs may start in 10 s than were claimed in 10 s. This part of 10 s is 250 ms. A worker gives a job back
 * that it could not start within `START_WITHIN_MS` and twice the time that the store takes to answer.
 */
const SLOWER = 40 / 39;
export const START_WITHIN_MS = 150;

/** Workers that wait for a fast rate come for the starts of so much time at once. */
const SLICE_US = 50_000;

/** The name of a rate of a handler or a queue, and what a claim says of it. */
export function claimRate(
  of: { readonly handler: string } | { readonly queue: string },
  { limit, perMs, by, burst = limit }: Rate,
): ClaimRate {
  const isAll = by === undefined || (by === 'handler' && 'handler' in of);
  const counted = isAll ? 'all' : by;
  const scope = 'handler' in of ? `handler:${of.handler}` : `queue:${of.queue}`;
  const everyUs = Math.ceil((perMs * 1_000 * SLOWER) / limit);
  return { name: `${scope}/${counted}/${perMs}ms`, ...of, by: counted, everyUs, burst, perMs };
}

/** What a rate counts of a job. */
export interface RatedJob {
  readonly handler: string;
  readonly queue: string;
  readonly tenant: string;
  readonly rateKey?: string | undefined;
}

/** The value that a job counts under. `undefined`: the rate does not count it. */
export function countedValue({ handler, queue, by }: NamedRate, job: RatedJob): string | undefined {
  if (handler !== undefined && handler !== job.handler) return undefined;
  if (queue !== undefined && queue !== job.queue) return undefined;
  if (by === 'all') return '';
  if (by === 'handler') return job.handler;
  if (by === 'tenant') return job.tenant;
  return job.rateKey === undefined ? undefined : `${job.tenant}\u0001${job.rateKey}`;
}

/** What a name says of its rate. */
export type NamedRate = Pick<ClaimRate, 'handler' | 'queue' | 'by' | 'perMs'>;

/** `undefined`: no rate has such a name. */
export function rateOfName(name: string): NamedRate | undefined {
  const [, scope, of = '', by, ms] = NAME.exec(name) ?? [];
  if (scope === undefined) return undefined;
  // The pattern allows no other ones.
  return { [scope]: of, by: by as ClaimRate['by'], perMs: Number(ms) };
}

const NAME = /^(handler|queue):(.+)\/(all|handler|tenant|key)\/(\d{1,10})ms$/su;

/** Whether all jobs of a lane (handler and queue) count as one: a used-up rate closes the lane, and holds no single job. */
export function countsLanes({ by }: Pick<ClaimRate, 'by'>): boolean {
  return by === 'all' || by === 'handler';
}

type Speed = Pick<ClaimRate, 'everyUs' | 'burst' | 'perMs'>;

/**
 * When the burst is free again, as far as it can be true. A time that is further away than the whole burst was written
 * before the clock was set back, or under a larger burst: then the next start is at most one step away, and no more than
 * `perMs`.
 */
export function believedUs(
  fullUs: number,
  { everyUs, burst, perMs }: Speed,
  nowUs: number,
): number {
  if (fullUs <= nowUs + burst * everyUs) return fullUs;
  return nowUs + (burst - 1) * everyUs + Math.min(everyUs, perMs * 1_000);
}

/** How many attempts may start now. */
export function rateRoom(fullUs: number, speed: Speed, nowUs: number): number {
  const usedUs = Math.max(0, believedUs(fullUs, speed, nowUs) - nowUs);
  return Math.max(0, speed.burst - Math.ceil(usedUs / speed.everyUs));
}

/** When the burst is free again after these starts. */
export function afterStarts(fullUs: number, speed: Speed, nowUs: number, starts: number): number {
  return Math.max(believedUs(fullUs, speed, nowUs), nowUs) + starts * speed.everyUs;
}

/**
 * Milliseconds until it is worth to claim again: until one attempt may start, at a fast rate some more, so that a claim
 * brings more than one job. Never more than `perMs`.
 */
export function nextSliceMs(fullUs: number, speed: Speed, nowUs: number): number {
  const { everyUs, burst, perMs } = speed;
  const slice = Math.max(1, Math.min(Math.ceil(burst / 2), Math.floor(SLICE_US / everyUs)));
  const freeUs = believedUs(fullUs, speed, nowUs) - (burst - slice) * everyUs;
  return Math.min(Math.max(0, Math.ceil((freeUs - nowUs) / 1_000)), perMs);
}
