import type { AttemptEnded } from '@redrive/core';
import type { Store } from '../store/store.ts';
import { blocksBack } from './blocks-back.ts';
import { placedRecordsIn } from './read-body.ts';
import { isObject, numberOf } from './record-detail.ts';
import type { FoundRecord } from './record-filter.ts';

/** Blocks that are looked through for the attempts of one call. */
const MAX_BLOCKS = 10_000;

/**
 * The attempts of a call, by the record of its end: nothing points to them, but they are not older than the call. The
 * search ends when all have been found.
 */
export async function callAttempts(
  store: Pick<Store, 'auditBlocks'>,
  { record, block, index }: FoundRecord,
): Promise<{ readonly attempts: readonly AttemptEnded[]; readonly omitted: number }> {
  const { id, detail } = record;
  const total = numberOf(detail.totalAttempts) ?? 0;
  const mention = JSON.stringify(id);
  const attempts: AttemptEnded[] = [];
  let read = 0;
  for await (const window of blocksBack(store, block, numberOf(detail.startedAtMs))) {
    for (const each of window) {
      if (!each.body.includes(mention)) continue;
      const own = placedRecordsIn(each)
        .filter((placed) => each.seq < block || placed.index < index)
        .filter(({ record }) => record.id === id && record.event === 'session')
        .flatMap(({ record }) => (isAttempt(record.detail) ? [record.detail] : []));
      attempts.unshift(...own);
    }
    read += window.length;
    if (attempts.length >= total || read >= MAX_BLOCKS) break;
  }
  const newest = attempts.slice(-total || attempts.length);
  return { attempts: newest, omitted: Math.max(0, total - newest.length) };
}

/** The sink wrote the whole record. */
function isAttempt(detail: object): detail is AttemptEnded {
  return (
    'kind' in detail &&
    detail.kind === 'attempt_ended' &&
    'session' in detail &&
    isObject(detail.session)
  );
}
