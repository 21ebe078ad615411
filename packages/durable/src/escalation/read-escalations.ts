import { controlOverview } from '../control/control-overview.ts';
import type { Controls } from '../control/control-store.ts';
import { causeName } from '../control/parked-cause.ts';
import { documentsIn } from '../control/update-control.ts';
import {
  type BoundedCount,
  type DeadFilter,
  type DeadGroup,
  MAX_DEAD_COUNT,
} from '../dead-letter/dead-letter-store.ts';
import { DOCUMENT_QUEUE } from '../document/document-command.ts';
import { numbersIn, SWEEP_HANDLER } from '../document/sweep-numbers.ts';
import { failuresNow } from '../failing/failures-now.ts';
import type { FullStore } from '../store/full-store.ts';
import type { Counts } from '../store/store.ts';
import type { BusinessHours } from './business-hours.ts';
import { type EscalationDocument, isAnswered } from './next-step.ts';
import {
  deadlinesOf,
  type EscalationFacts,
  type EscalationTier,
  nextTierOf,
  tierOf,
} from './tiers.ts';

/** The queue of notifications. Failed notifications are dead letters, and no cause of an escalation. */
export const ESCALATION_QUEUE = 'escalation';

export interface EscalationRules {
  /** By tier, from 2 on. */
  readonly tiers: readonly EscalationTier[];
  readonly hours: BusinessHours;
  /** An escalation is resolved when nothing had tier 2 or above for this time. */
  readonly resolveAfterMs: number;
  /** Notifications of one look. If more tiers rise, new causes share one notification. Default 10. */
  readonly maxNotificationsPerLook?: number | undefined;
}

/** A collection or a cause that has a tier, or acts of people. */
export interface Escalation extends EscalationFacts {
  /** Name of the collection, or fingerprint of the cause. */
  readonly key: string;
  readonly of: 'collection' | 'cause';
  /** For people: the pattern of the errors, or the name of the collection. */
  readonly title: string;
  /** 0: nothing is wrong any more. */
  readonly tier: number;
  /** There are more than `failed` and `stuck` say. */
  readonly bounded: boolean;
  /** The person or team that was assigned, or that of the tier. */
  readonly owner: string;
  readonly document?: EscalationDocument | undefined;
  readonly respondByMs?: number | undefined;
  readonly resolveByMs?: number | undefined;
  /** The next tier and its time, if nothing but time changes. */
  readonly nextTier?: { readonly tier: number; readonly atMs: number } | undefined;
  /** A time of the tier that was notified has passed. */
  readonly overdue?: 'response' | 'resolution' | undefined;
}

export interface Escalations {
  readonly nowMs: number;
  /** The highest tier first, then the most items. */
  readonly escalations: readonly Escalation[];
  /** There are more causes than were read. */
  readonly more: boolean;
}

type Found = Pick<Escalation, 'key' | 'of' | 'title' | 'stuck' | 'failed' | 'bounded'> &
  Pick<Escalation, 'stuckSinceMs'>;

/** Causes that are read, those with the newest deaths first. */
const MAX_GROUPS = 1_000;
const PAGE = 100;
/** Queues whose own handlers bring no causes. */
const APART_QUEUES: ReadonlySet<string> = new Set([DOCUMENT_QUEUE, ESCALATION_QUEUE]);

/**
 * The escalations now, with tiers that are computed from the store: dead letters and failing jobs by cause, and the
 * documents that the last sweep counted, by collection. Every read is bounded.
 *
 * @throws RedriveError `store_unavailable`.
 */
export async function readEscalations(
  store: FullStore,
  rules: EscalationRules,
): Promise<Escalations> {
  const controls = await store.controls();
  const { nowMs } = controls;
  const documents = documentsIn(controls, 'escalation');
  const { found, more } = await causesIn(store, [...documents.keys()]);
  for (const collection of collectionsIn(controls)) found.set(collection.key, collection);
  for (const key of documents.keys()) if (!found.has(key)) found.set(key, nothing(key));
  const all = [...found.values()].map((one) =>
    escalationOf(one, documents.get(one.key), rules, nowMs),
  );
  const escalations = all.filter(({ tier, document }) => tier > 0 || document !== undefined);
  const items = ({ stuck, failed }: Escalation) => stuck + failed;
  escalations.sort((a, b) => b.tier - a.tier || items(b) - items(a) || (a.key < b.key ? -1 : 1));
  return { nowMs, escalations, more };
}

function nothing(key: string): Found {
  const of = key.includes(':') ? 'cause' : 'collection';
  return { key, of, title: causeName(key), stuck: 0, failed: 0, bounded: false };
}

function escalationOf(
  found: Found,
  document: EscalationDocument | undefined,
  { tiers, hours }: EscalationRules,
  nowMs: number,
): Escalation {
  const tier = tierOf(found, nowMs, tiers);
  const ofTier = (number: number) => tiers.find((one) => one.tier === number);
  const notified = document && ofTier(document.notifiedTier);
  const times = notified && deadlinesOf(notified, document.raisedAtMs ?? nowMs, hours);
  const owner = document?.owner?.name ?? ofTier(tier)?.owner ?? notified?.owner ?? 'automatic';
  const nextTier = nextTierOf(found, tier, tiers);
  const late = overdue(document, times, nowMs);
  return { ...found, tier, owner, document, ...times, nextTier, overdue: late };
}

function overdue(
  document: EscalationDocument | undefined,
  times: ReturnType<typeof deadlinesOf> | undefined,
  nowMs: number,
): Escalation['overdue'] {
  if (document === undefined || document.lowerSinceMs !== undefined) return undefined;
  if (nowMs > (times?.resolveByMs ?? Infinity)) return 'resolution';
  return nowMs > (times?.respondByMs ?? Infinity) && !isAnswered(document) ? 'response' : undefined;
}

/** The collections that the last sweep counted. A sweep that does not run any more leaves its numbers. */
function collectionsIn(controls: Controls): Found[] {
  const { totals = {} } = documentsIn(controls, 'schedule').get(SWEEP_HANDLER) ?? {};
  const numbers = numbersIn(totals);
  const stuck = Object(numbers.retry_job_stuck_documents);
  const failed = Object(numbers.retry_job_failed_documents);
  return Object.keys({ ...stuck, ...failed }).map((key) => {
    const seconds = totals[`redrive_oldest_stuck_document_timestamp_seconds{${key}}`];
    return {
      ...{ key, of: 'collection', title: key, bounded: false },
      ...{ stuck: Number(stuck[key] ?? 0), failed: Number(failed[key] ?? 0) },
      stuckSinceMs: seconds === undefined ? undefined : seconds * 1_000,
    };
  });
}

/** @param known keys of escalations: their causes are read even if they are not among the newest. */
async function causesIn(store: FullStore, known: readonly string[]) {
  const { groups, more } = await deadGroups(store, {});
  const seen = new Set(groups.map(({ fingerprint }) => fingerprint));
  const missing = more ? known.filter((key) => key.includes(':') && !seen.has(key)) : [];
  for (const fingerprint of missing)
    groups.push(...(await store.deadGroups({ fingerprint }, { limit: 1 })).groups);
  const found = new Map<string, Found>();
  for (const group of await withoutApart(store, groups)) {
    const { fingerprint: key, pattern: title, count: failed, bounded } = group;
    if (failed > 0) found.set(key, { key, of: 'cause', title, stuck: 0, failed, bounded });
  }
  const { failures } = await failuresNow(store, await controlOverview(store));
  for (const failure of failures) {
    const { fingerprint: key, pattern, retrying, parked, handlers, sinceMs } = failure;
    const stuck = retrying + parked;
    if (stuck === 0 || handlers.every((handler) => handler.startsWith(`${ESCALATION_QUEUE}.`)))
      continue;
    const { failed = 0, bounded = false } = found.get(key) ?? {};
    found.set(key, {
      ...{ key, of: 'cause', title: pattern || causeName(key), stuck, failed },
      ...{ bounded: bounded || failure.bounded, stuckSinceMs: sinceMs },
    });
  }
  return { found, more };
}

/**
 * The groups without dead letters of documents, which are counted by collection, and of notifications, because nobody can
 * be notified that notifications fail. They are read by handler: a store has no index by queue.
 */
async function withoutApart(store: FullStore, groups: readonly DeadGroup[]): Promise<DeadGroup[]> {
  const lanes = (await store.counts()).groups.filter(({ state }) => state === 'dead');
  const isApart = ({ queue, handler }: Lane) =>
    APART_QUEUES.has(queue) && handler.startsWith(`${queue}.`);
  const countIn = async (some: readonly Lane[], fingerprint: string) => {
    const filters = some.map(({ queue, handler }) => ({ queue, handler, fingerprint }));
    const counts = filters.map((filter) => store.countDead(filter, MAX_DEAD_COUNT));
    return (await Promise.all(counts)).reduce(sumOf, NO_LETTERS);
  };
  const apart = new Map<string, BoundedCount>();
  for (const lane of lanes.filter(isApart)) {
    const { queue, handler } = lane;
    const read = await deadGroups(store, { queue, handler });
    const isCut = read.more || read.groups.some(({ bounded }) => bounded);
    for (const { fingerprint, ...rest } of isCut ? groups : read.groups) {
      const count = isCut ? await countIn([lane], fingerprint) : rest;
      apart.set(fingerprint, sumOf(apart.get(fingerprint) ?? NO_LETTERS, count));
    }
  }
  const own = groups.map(async (group): Promise<DeadGroup> => {
    const others = apart.get(group.fingerprint) ?? NO_LETTERS;
    if (others.count === 0 && !others.bounded) return group;
    if (!group.bounded && !others.bounded) return { ...group, count: group.count - others.count };
    // The difference of two counts that stopped says nothing.
    const rest = lanes.filter((lane) => !isApart(lane));
    return { ...group, ...(await countIn(rest, group.fingerprint)) };
  });
  return Promise.all(own);
}

type Lane = Pick<Counts['groups'][number], 'queue' | 'handler'>;

const NO_LETTERS: BoundedCount = { count: 0, bounded: false };

function sumOf(a: BoundedCount, b: BoundedCount): BoundedCount {
  return { count: a.count + b.count, bounded: a.bounded || b.bounded };
}

async function deadGroups(store: FullStore, filter: DeadFilter) {
  const groups: DeadGroup[] = [];
  let after: string | undefined;
  do {
    const page = await store.deadGroups(filter, { limit: PAGE, after });
    groups.push(...page.groups);
    after = page.next;
  } while (after !== undefined && groups.length < MAX_GROUPS);
  return { groups, more: after !== undefined };
}
