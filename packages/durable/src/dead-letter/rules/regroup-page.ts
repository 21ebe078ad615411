import type { Job } from '../../job/job.ts';
import type { ActGroup } from '../../store/commands.ts';
import type { FullStore } from '../../store/full-store.ts';
import { failureOf } from '../dead-group.ts';
import type { DeadFilter } from '../dead-letter-store.ts';
import { type ErrorFingerprint, EXPIRED_GROUP } from '../fingerprint.ts';
import { type CauseRules, causeWithoutRules, type FailureFacts } from './cause-rules.ts';

/** Whole jobs are read in small numbers: their payloads may be large. */
const AT_ONCE = 100;

/** The letters of a page that have another cause by the rules. */
export interface RegroupPage {
  readonly jobs: readonly Regrouped[];
  /** Letters that were looked at. */
  readonly seen: number;
  readonly next?: string | undefined;
}

export interface Regrouped {
  readonly id: string;
  readonly generation: number;
  readonly group: ActGroup;
  /** The cause that it has. */
  readonly from: string;
}

/**
 * A page of dead letters, compared with the rules. With `causes`, it reads one cause after the other.
 *
 * Letters whose deadline passed before an attempt are a cause of their own, which no rule changes: no error tells them apart.
 */
export async function regroupPage(
  store: Pick<FullStore, 'deadLetters' | 'finished'>,
  target: { readonly filter: DeadFilter; readonly causes?: readonly string[] | undefined },
  rules: CauseRules,
  { limit, after = '0:' }: { readonly limit: number; readonly after?: string | undefined },
): Promise<RegroupPage> {
  const { filter, causes } = target;
  const at = Number.parseInt(after, 10);
  const fingerprint = causes === undefined ? filter.fingerprint : causes[at];
  if (causes !== undefined && fingerprint === undefined) return { jobs: [], seen: 0 };
  const place = after.slice(after.indexOf(':') + 1) || undefined;
  const asked = { limit, after: place, first: 'oldest' } as const;
  const { jobs, next } = await store.deadLetters({ ...filter, fingerprint }, asked);
  const ids = jobs.filter((job) => job.fingerprint !== EXPIRED_GROUP.fingerprint);
  const moved: Regrouped[] = [];
  const entered = new Set<string>();
  const without = withMemory();
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE).map(({ id }) => id);
    const letters = (await store.finished(some)).filter(({ state }) => state === 'dead');
    const byId = new Map(letters.map((job) => [job.id, job]));
    for (const id of some) {
      const job = byId.get(id);
      const change = job && changeOf(job, rules, without);
      if (change === undefined) continue;
      // A store keeps the pattern of a cause without letters for a while: the rules may have another one by now.
      const rename = !entered.has(change.group.fingerprint);
      entered.add(change.group.fingerprint);
      moved.push(rename ? { ...change, group: { ...change.group, rename } } : change);
    }
  }
  const isLast = causes === undefined || at + 1 >= causes.length;
  const following = next === undefined ? (isLast ? undefined : `${at + 1}:`) : `${at}:${next}`;
  return { jobs: moved, seen: jobs.length, next: following };
}

/** What rules see of a dead letter. */
export function factsOf({ handler, attempts, reason }: Job): FailureFacts {
  return failureOf(handler, attempts.kept, reason ?? 'final_error');
}

function changeOf(
  job: Job,
  rules: CauseRules,
  without: (facts: FailureFacts) => ErrorFingerprint,
): Regrouped | undefined {
  const facts = factsOf(job);
  const group = rules.apply(facts, without(facts));
  const { id, fingerprint: from = '', account } = job;
  if (group.fingerprint === from) return undefined;
  return { id, generation: account.generation, group, from };
}

/** Thousands of letters have the same message, and finding its pattern takes a while. */
function withMemory(): (facts: FailureFacts) => ErrorFingerprint {
  const known = new Map<string, ErrorFingerprint>();
  return (facts) => {
    const key = JSON.stringify([facts.handler, facts.type, facts.message, facts.cause]);
    const found = known.get(key) ?? causeWithoutRules(facts);
    known.set(key, found);
    return found;
  };
}
