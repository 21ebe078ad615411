import { maskSecrets } from '@redrive/core/records';

const MAX_WHY = 500;

/** What somebody gave as a reason, as it is kept: its secrets masked, at most 500 characters. */
export function keptWhy(why: string | undefined): string | undefined {
  return why === undefined ? undefined : maskSecrets(why, MAX_WHY);
}
