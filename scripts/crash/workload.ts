import type { EnqueueOptions, JobContext } from '@redrive/durable';
import { seededRandom } from '@redrive/testkit';
import type { Evidence } from './evidence.ts';

/** What a job of the harness does. */
export interface Work {
  /** Its attempt enqueues another job: see `enqueueNext`. */
  readonly hasNext?: boolean;
  readonly key: string;
  /** How long its handler takes. */
  readonly workMs: number;
  /** Its first attempt throws. */
  readonly failsFirst: boolean;
  /** What it does to its process. Default: nothing. */
  readonly harm?: Harm;
}

/**
 * `stall`: the first run keeps the event loop until somebody else has the job. The others end the process, at every
 * attempt.
 */
export type Harm = 'stall' | 'exit' | 'kill' | 'memory';

/**
 * `work` may crash a thousand times, but beside `poison`. `poison` gives up after `POISON_ATTEMPTS`. `call` talks to a dependency. `fragile` dies
 * until its cause is mended.
 */
export type HandlerName = 'work' | 'poison' | 'call' | 'fragile';

export interface SubmittedJob {
  readonly handler: HandlerName;
  readonly work: Work;
  readonly options: EnqueueOptions;
}

export interface WorkloadOptions {
  readonly seed: number;
  readonly leaseMs: number;
  /** Share of the jobs that take longer than a lease. */
  readonly longShare: number;
  /** Default: the mixed jobs. */
  readonly workload?: Workload;
}

/**
 * `waits`: short jobs of which most have to wait, before the first attempt or the second.
 * `stalls`: short ones, and every so often one that stalls.
 * `control`: short ones, of which a half talks to a dependency and an eighth dies at first.
 * `poison`: short ones, and from `firstPoison` on every `poisonEvery`th one that ends its process.
 */
export type Workload =
  /** `even`: jobs that take about so long each, of which some fail once. */
  | { readonly kind: 'even'; readonly workMs: number }
  /** The same, with the waits that jobs have by default. */
  | { readonly kind: 'storm'; readonly workMs: number }
  | { readonly kind: 'waits' }
  | { readonly kind: 'control' }
  | { readonly kind: 'stalls'; readonly every: number }
  | { readonly kind: 'poison'; readonly first: number; readonly every: number };

/** Longest work, as a share of the lease: longer than one, so that some jobs live by their heartbeats. */
const LONGEST = 1.5;

/** The nth job of a run: mostly short, some longer than a lease, some that fail once, wait, or share a limit. */
export function nthJob(options: WorkloadOptions, n: number): SubmittedJob {
  const { seed, workload } = options;
  if (workload === undefined) return nthMixedJob(options, n);
  const random = seededRandom(seed * 1_000_003 + n);
  const key = `k${n}`;
  const workMs = Math.round(2 + random() * 30);
  const plain = { key, workMs, failsFirst: false };
  const keyed = { idempotencyKey: key };
  switch (workload.kind) {
    case 'waits': {
      const delay = random() < 0.5 ? { delayMs: Math.round(random() * 1_000) } : {};
      const work = { ...plain, failsFirst: random() < 0.5 };
      return { handler: 'work', work, options: { ...keyed, ...delay } };
    }
    case 'even':
    case 'storm': {
      const evenMs = Math.round(workload.workMs * (0.5 + random()));
      const work = { ...plain, workMs: evenMs, failsFirst: random() < 0.1 };
      return { handler: 'work', work, options: { ...keyed, tenant: `t${n % 3}` } };
    }
    case 'control': {
      const handler = n % 8 === 1 ? 'fragile' : n % 2 === 0 ? 'call' : 'work';
      return { handler, work: plain, options: { ...keyed, tenant: `t${n % 3}` } };
    }
    case 'stalls':
      return n % workload.every === 0
        ? {
            handler: 'work',
            work: { ...plain, workMs: STALLED_WORK_MS, harm: 'stall' },
            options: keyed,
          }
        : { handler: 'work', work: plain, options: keyed };
    case 'poison': {
      const harm = harmOf(workload, n);
      return harm === undefined
        ? { handler: 'work', work: plain, options: keyed }
        : { handler: 'poison', work: { ...plain, harm }, options: keyed };
    }
  }
}

/** Long enough that who stalled comes back while the other one is at it. */
const STALLED_WORK_MS = 1_000;

const POISONS: readonly Harm[] = ['exit', 'kill', 'memory'];

function harmOf({ first, every }: Workload & { kind: 'poison' }, n: number): Harm | undefined {
  if (n < first || (n - first) % every !== 0) return undefined;
  return POISONS[((n - first) / every) % POISONS.length];
}

function nthMixedJob({ seed, leaseMs, longShare }: WorkloadOptions, n: number): SubmittedJob {
  const random = seededRandom(seed * 1_000_003 + n);
  const chance = (share: number): boolean => random() < share;
  const key = `k${n}`;
  const workMs = Math.round(chance(longShare) ? leaseMs * LONGEST : 2 + random() * 30);
  return {
    handler: 'work',
    work: { key, workMs, failsFirst: chance(0.1) },
    options: {
      idempotencyKey: key,
      tenant: `t${n % 3}`,
      priority: chance(0.1) ? 1 : 0,
      ...(chance(0.05) ? { delayMs: 200 } : {}),
      ...(chance(0.05) ? { limitKey: 'one at a time' } : {}),
      ...(chance(0.03) ? { uniqueKey: 'only one' } : {}),
    },
  };
}

/** How often a job may end its process while that holds nothing else. */
export const POISON_ATTEMPTS = 3;

/** For jobs that crash: attempts enough, and next to no wait. */
export const PATIENT_POLICY = {
  maxAttempts: 1_000,
  baseDelayMs: 5,
  maxDelayMs: 50,
  jitter: 'none',
} as const;

/** For jobs that end their process, and those that run beside them. */
export const MORTAL_POLICY = { ...PATIENT_POLICY, maxAttempts: POISON_ATTEMPTS } as const;

/** For healthy jobs in a storm of kills: attempts enough, and the waits of the default. */
export const STORM_POLICY = { maxAttempts: 1_000 } as const;

/** For jobs that talk to a dependency: its breaker opens soon, and tries again soon. */
export const CALL_POLICY = {
  ...PATIENT_POLICY,
  dependency: 'api',
  enableCircuitBreaker: true,
  circuitBreakerThreshold: 3,
  circuitBreakerTimeoutMs: 300,
} as const;

/** The key of a job that an attempt enqueues is that of its parent, and this. */
export const NEXT = '/next';

/** Enqueues a job with the attempt, if the work says so. */
export function enqueueNext(task: Work, context: JobContext, evidence: Evidence): void {
  if (!task.hasNext) return;
  const key = task.key + NEXT;
  evidence.attempted.write({ key, atMs: Date.now() });
  const options = { queue: context.queue, idempotencyKey: key };
  context.enqueue('work', { ...task, key, hasNext: false }, options);
}
