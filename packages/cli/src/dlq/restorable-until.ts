import { jobsSettings } from '@redrive/config';
import type { Invocation } from '../command/command-spec.ts';
import { loadConfig } from '../config/load-config.ts';

/** Until when what was thrown away can be taken back, as the configuration says. Unknown where that is broken. */
export async function restorableUntil(
  invocation: Invocation,
  { updatedAtMs }: { readonly updatedAtMs: number },
): Promise<number | undefined> {
  try {
    const { retention } = jobsSettings(await loadConfig(invocation));
    return updatedAtMs + retention.purgedMs;
  } catch {
    return undefined;
  }
}
