import { maskSecrets } from '@redrive/core/stored';

const MAX_WHY = 500;

/** An operator's reason as it is stored: secrets masked, at most 500 characters. */
export function keptWhy(why: string | undefined): string | undefined {
  return why === undefined ? undefined : maskSecrets(why, MAX_WHY);
}
