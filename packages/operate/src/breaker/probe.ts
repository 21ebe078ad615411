import type { NamedBreaker } from '@redrive/durable/control';
import * as z from 'zod';

/** The next probe of a breaker. */
export const PROBE = z
  .enum(['none', 'planned', 'running', 'no_worker'])
  .describe(
    'the next probe: planned, for next_probe_at; running; no_worker: no live worker has a handler for it; none: the breaker is closed or forced',
  );

/** Without a worker there is no probe, even if a time is set. */
export function probeOf(
  { state, nextProbeAtMs }: Pick<NamedBreaker, 'state' | 'nextProbeAtMs'>,
  hasWorker: boolean,
): z.output<typeof PROBE> {
  // A forced breaker has no next probe.
  if (nextProbeAtMs === undefined && state !== 'half_open') return 'none';
  if (!hasWorker) return 'no_worker';
  return nextProbeAtMs === undefined ? 'running' : 'planned';
}
