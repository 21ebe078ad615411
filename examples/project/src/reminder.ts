import { type Clock, retry } from '@redrive/core';

/** Sends a reminder; a mail server that is down gets a minute, then two, then four. */
export function sendReminder(send: () => Promise<string>, clock?: Clock): Promise<string> {
  const policy = {
    maxAttempts: 4,
    baseDelayMs: 60_000,
    maxDelayMs: 600_000,
    jitter: 'none',
  } as const;
  return retry(send, policy, { clock });
}
