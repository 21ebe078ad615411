import { systemClock } from '@redrive/core';

/** No part of the week takes longer, on a busy machine either. */
const LIMIT_MS = 120_000;

/**
 * Asks until there is an answer.
 *
 * @param why there is none, for the error.
 * @throws Error after two minutes.
 */
export async function answerOf<T>(
  ask: () => Promise<T | undefined>,
  everyMs: number,
  why: () => string | Promise<string>,
): Promise<T> {
  const endMs = systemClock.monotonic() + LIMIT_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (systemClock.monotonic() >= endMs) throw new Error(await why());
    await new Promise<void>((resolve) => systemClock.setTimer(everyMs, resolve));
  }
}
