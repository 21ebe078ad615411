import type { FullStore } from '@redrive/durable/store';
import { formatDuration } from '../terminal/duration.ts';
import type { Finding } from './finding.ts';

/** A running worker seals about once a second. */
const LAG_MS = 60_000;

/** An audit log that nobody seals: records that are not sealed can be changed by whoever can change hashes too. */
export async function findUnsealed(
  store: Pick<FullStore, 'pulse' | 'readAudit'>,
): Promise<readonly Finding[]> {
  const { unsealed, nowMs } = await store.pulse([]);
  if (!unsealed) return [];
  const reader = await store.readAudit();
  try {
    const head = await reader.head();
    const [first] = await reader.blocks(head?.to ?? '', 1);
    const lagMs = first === undefined ? 0 : nowMs - first.atMs;
    if (lagMs < LAG_MS) return [];
    return [
      {
        check: 'unsealed',
        level: 'warning',
        message: `The audit log has records that have not been sealed for ${formatDuration(lagMs)}.`,
        remedy: 'redrive start: a running worker seals about once a second',
        jobs: [],
      },
    ];
  } finally {
    await reader.close();
  }
}
