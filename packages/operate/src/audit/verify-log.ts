import { type Clock, systemClock } from '@redrive/core';
import { type FullStore, liveWorkers } from '@redrive/durable';
import {
  type AuditHead,
  type AuditReader,
  type Verification,
  verifyAudit,
} from '@redrive/durable/audit';
import { isoTime, newestSeq } from '@redrive/durable/store';
import { within } from '../action/pause.ts';
import type { VerifyItem } from './proof-schema.ts';

const HALF_SECOND_MS = 500;

interface Verifying {
  readonly head?: AuditHead | undefined;
  readonly signal: AbortSignal;
  readonly clock?: Clock | undefined;
  /** Number of the newest block. Absent: the share that was read is not known. */
  readonly newest?: number | undefined;
  readonly hasWorker?: boolean | null;
}

/** Verifies the log of a store: an item of progress each half second, the last one is the verdict. */
export async function* verifyStore(
  store: FullStore,
  options: Omit<Verifying, 'newest' | 'hasWorker'>,
): AsyncGenerator<VerifyItem> {
  const reader = await store.readAudit();
  try {
    const newest = await newestSeq(store);
    // It is a hint only: the verdict does not depend on it.
    const live = await liveWorkers(store).catch(() => undefined);
    const hasWorker = live === undefined ? null : live.workers.length > 0;
    yield* verifyLog(reader, { ...options, newest, hasWorker });
  } finally {
    await reader.close();
  }
}

/** The same of a log alone, such as that of a file that cannot be written. */
export async function* verifyLog(
  reader: AuditReader,
  { head, signal, clock = systemClock, newest = 0, hasWorker = null }: Verifying,
): AsyncGenerator<VerifyItem> {
  let progress = { pass: 1, records: 0, seq: 0 };
  const onProgress = (now: typeof progress) => {
    progress = now;
  };
  const done = verifyAudit(reader, { head, signal, onProgress });
  // It rejects also when the caller no longer waits.
  done.catch(() => undefined);
  for (let found: Verification | undefined; found === undefined; ) {
    const { pass, records, seq } = progress;
    // More passes may follow, and their number is not known.
    yield {
      state: 'running',
      pass,
      records,
      share: pass === 1 && newest > 0 ? seq / newest : null,
    };
    found = await within(done, HALF_SECOND_MS, clock);
    if (found) yield verdict(found, hasWorker);
  }
}

function verdict(found: Verification, hasWorker: boolean | null): VerifyItem {
  const { problemsFound, head, problems, ...rest } = found;
  return {
    state: 'done',
    ...rest,
    has_worker: hasWorker,
    head: head ? { seq: head.seq, hash: head.hash, time: isoTime(head.atMs) } : null,
    problems: problems.map((each) => ({ ...each, where: { ...each.where } })),
    problems_found: problemsFound,
  };
}
