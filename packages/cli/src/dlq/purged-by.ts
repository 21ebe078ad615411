import { type ActTarget, MAX_ACT_IDS } from '@redrive/durable';
import type { FullStore } from '@redrive/durable/store';
import { recordsIn, seqAt } from '../audit/blocks-back.ts';
import { CliError } from '../terminal/cli-error.ts';

const PAGE = 100;
const SLACK_MS = 600_000;

/**
 * What an operation threw away, as the audit log tells it.
 *
 * @throws CliError `no_match` where there is no such operation, `refused` where it was more than one act may name.
 */
export async function purgedBy(store: FullStore, operation: string): Promise<ActTarget> {
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
