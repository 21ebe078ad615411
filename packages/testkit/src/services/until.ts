import { setTimeout as sleep } from 'node:timers/promises';

export interface UntilOptions {
  /** How long to go on asking. */
  readonly timeoutMs: number;
  /** Pause between two questions. Default 20. */
  readonly everyMs?: number;
}

/**
 * Asks again and again until `isTrue` says yes. For things outside this process, which cannot be awaited.
 *
 * @returns false when the time is up.
 */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  { timeoutMs, everyMs = 20 }: UntilOptions,
): Promise<boolean> {
  const endMs = performance.now() + timeoutMs;
  while (performance.now() < endMs) {
    if (await isTrue()) return true;
    await sleep(everyMs);
  }
  return false;
}
