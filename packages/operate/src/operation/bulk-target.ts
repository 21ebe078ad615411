import type { ActWish } from '@redrive/durable/control';
import { MAX_ACT_IDS, type Operation, recordsIn, seqAt } from '@redrive/durable/store';
import type { Context } from '../action/context.ts';
import { checkOwn } from '../action/own-tenant.ts';
import { invalidInput } from '../action/parse-input.ts';
import { Refusal } from '../action/refusal.ts';
import { pastMs } from '../action/scalars.ts';
import { atLeast } from '../action/who.ts';
import { deadFilterOf } from '../dead-letter/dead-filter.ts';
import { hasFilter, MAX_LIMIT, NOTHING_SELECTED, ofJobs, type Wish } from './bulk-input.ts';
import { knownOperation } from './known-operation.ts';

const DEFAULT_LIMIT = 1_000;

/**
 * The wish of a caller for the store. `begun`: the operation of the same id, whose own target is meant if the caller names
 * none.
 *
 * @throws Refusal for a target that this caller may not change, or that does not exist.
 */
export async function wishOf(
  context: Context,
  wish: Wish,
  begun: Operation | undefined,
): Promise<ActWish> {
  const { store, who, actor, clock } = context;
  const { act, ids, purge, deadline, limit, all } = wish;
  if (act === 'purge' && !atLeast(who, 'admin')) {
    throw new Refusal('not_allowed', 'A purge needs the role admin.');
  }
  const own = { act, deadline, actor, tenant: who.tenant };
  const until = {
    cutOffMs: wish.cut_off === undefined ? undefined : Date.parse(wish.cut_off),
    limit: limit ?? (all ? MAX_LIMIT : DEFAULT_LIMIT),
  };
  if (ids.length > 0 || purge !== undefined) {
    const named = purge === undefined ? [...new Set(ids)] : await purgedBy(context, purge);
    await checkOwn(store, named, who);
    return { ...own, target: { ids: named } };
  }
  if (begun !== undefined && !hasFilter(wish))
    return { ...own, ...(await storedWish(context, begun)) };
  if (!hasFilter(wish)) throw invalidInput([NOTHING_SELECTED]);
  const filter = deadFilterOf(wish, who, clock.now());
  if (!ofJobs(wish)) return { ...own, target: { filter, ...until } };
  const { handler, queue, tenant, tag, sessionId } = filter;
  const jobs = {
    ...{ handler, queue, tenant, tag, sessionId },
    states: wish.state && [wish.state],
    submittedAfterMs: pastMs(wish.since, clock.now()),
    submittedBeforeMs: pastMs(wish.until, clock.now()),
  };
  return { ...own, target: { jobs, ...until } };
}

/** The target of an operation that was begun, from its stored request. */
async function storedWish(
  context: Context,
  { id, request }: Operation,
): Promise<Pick<ActWish, 'target' | 'tenant'>> {
  await knownOperation(context, id);
  // Written by durable; what it lacks is checked below.
  const { filter, jobs, cutOffMs, limit, tenant } = JSON.parse(request) as Partial<
    Record<string, never>
  >;
  if (limit !== undefined && filter !== undefined)
    return { target: { filter, cutOffMs, limit }, tenant };
  if (limit !== undefined && jobs !== undefined)
    return { target: { jobs, cutOffMs, limit }, tenant };
  const message = `Bulk operation ${id} was started with ids, and ids are not stored with it.`;
  const hint = 'Run the same command again, with the same ids and this --operation.';
  throw invalidInput([{ field: 'ids', message, hint }]);
}

const PAGE = 100;
const SLACK_MS = 600_000;

/** The letters that an operation purged, from the audit log. @throws Refusal */
async function purgedBy(context: Context, operation: string): Promise<readonly string[]> {
  const { store } = context;
  const { startedAtMs, updatedAtMs } = await knownOperation(context, operation);
  const ids = new Set<string>();
  let after = Math.max(0, (await seqAt(store, startedAtMs - SLACK_MS)) - 1);
  for (;;) {
    const blocks = await store.auditBlocks(after, PAGE);
    const last = blocks.at(-1);
    if (last === undefined) break;
    after = last.seq;
    for (const block of blocks) {
      for (const { id, event, detail } of recordsIn(block)) {
        if (event === 'purge' && detail.operation === operation) ids.add(id);
      }
    }
    if (last.atMs > updatedAtMs + SLACK_MS) break;
  }
  if (ids.size === 0) {
    throw new Refusal('not_found', `Bulk operation ${operation} has purged no letters.`);
  }
  if (ids.size <= MAX_ACT_IDS) return [...ids];
  const most = MAX_ACT_IDS.toLocaleString('en');
  throw new Refusal(
    'refused',
    `Bulk operation ${operation} purged more than ${most} letters.`,
    'Restore them with the filter of the purge and --all.',
  );
}
