import type { EnqueueCommand, EnqueueResult } from './commands.ts';

// The jobs that a settlement stores with itself: those that its handler has enqueued, or the hook of a death. They are
// stored if and only if the settlement is; where one of them is refused, nothing is written.

/** The refusal of a settlement because of a job that it was to store. */
export interface FollowRefused {
  readonly ok: false;
  readonly refusal: 'follow_refused';
  /** Its place among the settlement's jobs. */
  readonly at: number;
  readonly because: Extract<EnqueueResult, { readonly ok: false }>;
}

/** A job that has a unique key. */
export interface Holder {
  readonly id: string;
  readonly handler: string;
  readonly tenant: string;
}

/** What the store knows before the settlement. */
export interface KnownBefore {
  /** The digest of the job with this id; null: it has none. `undefined`: there is no such job. */
  digestOf(id: string): string | null | undefined;
  /** The unfinished job with this unique key, other than the one that the settlement ends. */
  holderOf(uniqueKey: string): Holder | undefined;
  /** The job that has this unique key for a time, which is not over. */
  windowOf(uniqueKey: string): Holder | undefined;
  /** Whether the job's batch takes none. */
  isClosed(job: Pick<FollowUp['job'], 'batch' | 'tenant'>): boolean;
}

/** The part of a command that decides whether it is refused. */
export interface FollowUp extends Pick<EnqueueCommand, 'onConflict' | 'uniqueForMs'> {
  readonly job: Pick<
    EnqueueCommand['job'],
    'id' | 'handler' | 'tenant' | 'uniqueKey' | 'digest' | 'batch'
  >;
}

/** Looks before anything is written: one writer at a time may rely on it. `undefined`: the store accepts all of them. */
export function followRefusal(
  follow: readonly FollowUp[],
  known: KnownBefore,
): FollowRefused | undefined {
  const ids = new Map<string, string | null>();
  const keys = new Map<string, Holder>();
  for (const [at, command] of follow.entries()) {
    const { job, onConflict, uniqueForMs } = command;
    const { id, handler, tenant, uniqueKey: key } = job;
    const refused = (refusal: FollowRefused['because']['refusal'], by: string): FollowRefused => ({
      ...{ ok: false, refusal: 'follow_refused', at },
      because: { ok: false, refusal, id: by },
    });
    const digest = ids.has(id) ? ids.get(id) : known.digestOf(id);
    if (digest !== undefined) {
      if (job.digest === undefined) return refused('duplicate_id', id);
      if (job.digest !== digest) return refused('idempotency_conflict', id);
      continue;
    }
    if (known.isClosed(job)) return refused('batch_closed', id);
    if (key !== undefined) {
      const holder =
        keys.get(key) ??
        known.holderOf(key) ??
        (uniqueForMs === undefined ? undefined : known.windowOf(key));
      if (holder !== undefined) {
        const isOther = holder.handler !== handler || holder.tenant !== tenant;
        if (onConflict === 'refuse' || (onConflict === 'replace' && isOther)) {
          return refused('unique_conflict', holder.id);
        }
        continue;
      }
      keys.set(key, { id, handler, tenant });
    }
    ids.set(id, job.digest ?? null);
  }
  return undefined;
}
