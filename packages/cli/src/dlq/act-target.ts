import type { FullStore } from '@redrive/durable';
import type { ActTarget } from '@redrive/durable/control';
import type { DeadFilter } from '@redrive/durable/dead-letters';
import { MAX_ACT_IDS, type Operation, recordsIn, seqAt } from '@redrive/durable/store';
import type { Invocation, Options } from '../command/command-spec.ts';
import { integerOption, textOption } from '../command/option-values.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { deadFilter, isFiltering } from './dead-filter.ts';

const DEFAULT_LIMIT = 1_000;
const MAX_LIMIT = 100_000_000;

/** Which letters an act is about. */
export interface Aim {
  readonly target: ActTarget;
  /** Letters that a filter selects are changed only after somebody has confirmed the plan. */
  readonly needsConsent: boolean;
}

/**
 * The letters that the command line means: by id, by filter, or those of the operation that it goes on with.
 *
 * @throws CliError with the exit code 2 where it says nothing or too much.
 */
export async function actTarget(
  { args, options }: Invocation,
  store: FullStore,
  nowMs: number,
): Promise<Aim> {
  const filter = deadFilter(options, nowMs);
  const limit = integerOption(options, 'limit', { min: 1, max: MAX_LIMIT });
  const purge = textOption(options, 'purge');
  const id = textOption(options, 'operation');
  const isAll = options.all === true || isFiltering(filter);
  const ways = [args.length > 0, isAll, purge !== undefined].filter(Boolean);
  if (ways.length > 1) {
    throw new CliError('usage', 'Select dead letters by ids or by a filter, not by both.');
  }
  const begun = id === undefined ? undefined : await store.operation(id);
  if (isAll) {
    // Somebody agreed to what was begun already.
    const needsConsent = begun === undefined;
    const most = options.all === true ? MAX_LIMIT : DEFAULT_LIMIT;
    return { target: { filter, limit: limit ?? most }, needsConsent };
  }
  if (args.length > 0 || purge !== undefined || begun !== undefined) refuseFilterOptions(options);
  if (args.length > 0) return { target: { ids: [...new Set(args)] }, needsConsent: false };
  if (purge !== undefined) return { target: await purgedBy(store, purge), needsConsent: false };
  if (begun !== undefined) return { target: targetOf(begun), needsConsent: false };
  const hint =
    'Give ids, or a filter such as --group or --handler; --all selects all dead letters.';
  throw new CliError('usage', 'No dead letters were selected.', hint);
}

/** Refuses options that would have no effect: a caller who writes `--limit` expects fewer letters to be changed. */
function refuseFilterOptions({ limit, confirm }: Options): void {
  if (limit === undefined && confirm === undefined) return;
  const name = limit === undefined ? '--confirm' : '--limit';
  const hint = 'Leave it out: ids, --purge and --operation select the letters already.';
  throw new CliError('usage', `${name} needs a filter, and there is none.`, hint);
}

/** The target of an operation that was begun, from what is kept of it. */
function targetOf({ id, request }: Operation): ActTarget {
  // Written by durable; what it lacks is checked below.
  const kept = JSON.parse(request) as {
    readonly filter?: DeadFilter;
    readonly cutOffMs?: number;
    readonly limit?: number;
  };
  if (kept.filter !== undefined && kept.limit !== undefined) {
    return { filter: kept.filter, cutOffMs: kept.cutOffMs, limit: kept.limit };
  }
  const hint = 'Run the same command again, with the same ids and this --operation.';
  throw new CliError(
    'usage',
    `Bulk operation ${id} was started with ids, and ids are not stored with it.`,
    hint,
  );
}

const PAGE = 100;
const SLACK_MS = 600_000;

/**
 * The letters that an operation purged, from the audit log.
 *
 * @throws CliError `no_match` where there is no such operation, `refused` where it was more than one act may name.
 */
async function purgedBy(store: FullStore, operation: string): Promise<ActTarget> {
  const { startedAtMs, updatedAtMs } = (await store.operation(operation)) ?? missing(operation);
  const ids = new Set<string>();
  let after = Math.max(0, (await seqAt(store, startedAtMs - SLACK_MS)) - 1);
  for (;;) {
    const blocks = await store.auditBlocks(after, PAGE);
    const last = blocks.at(-1);
    if (last === undefined) break;
    after = last.seq;
    for (const block of blocks) {
      for (const [id, , event, , , , , , , , detail] of recordsIn(block)) {
        if (event === 'purge' && detail.operation === operation) ids.add(id);
      }
    }
    if (last.atMs > updatedAtMs + SLACK_MS) break;
  }
  if (ids.size === 0) {
    throw new CliError('no_match', `Bulk operation ${operation} has purged no letters.`);
  }
  if (ids.size > MAX_ACT_IDS) {
    const most = MAX_ACT_IDS.toLocaleString('en');
    const hint = 'Restore them with the filter of the purge and --all.';
    throw new CliError(
      'refused',
      `Bulk operation ${operation} purged more than ${most} letters.`,
      hint,
    );
  }
  return { ids: [...ids] };
}

function missing(operation: string): never {
  throw new CliError('no_match', `There is no bulk operation ${operation}.`);
}
