import type { EngagedKill } from '@redrive/durable';

/** A kill switch as JSON prints it. */
export function killDocument({ scope, name, mode, sinceMs, by, why }: EngagedKill) {
  return {
    scope,
    name: name ?? null,
    mode,
    since: new Date(sinceMs).toISOString(),
    by,
    why: why ?? null,
  };
}
