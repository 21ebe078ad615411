import type { Clock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import type { Log } from '../log/worker-log.ts';
import type { Io } from '../terminal/io.ts';

interface Parts {
  readonly store: FullStore;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Pushes the metrics of all sweeps to a Pushgateway, where the environment names one. A push that fails is a warning: the
 * numbers are in the store, and the next push has them.
 */
export async function pushMetrics({ env }: Pick<Io, 'env'>, parts: Parts): Promise<void> {
  if (env.METRICS_BACKEND !== 'prometheus_pushgateway') return;
  const { store, clock, log } = parts;
  const { PUSHGATEWAY_URL: url, PUSHGATEWAY_JOB: job } = env;
  const { pushSweeps } = await import('@redrive/telemetry');
  const problem = url ? await pushSweeps(store, { url, job, clock }) : 'PUSHGATEWAY_URL is not set';
  if (problem === undefined) return;
  const text = `The metrics of the sweep were not pushed: ${problem}`;
  log.warn({ event: 'metrics.push_failed', error: problem }, text);
}
