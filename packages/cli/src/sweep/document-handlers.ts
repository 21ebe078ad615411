import type { Clock } from '@redrive/core';
import { type FullStore, logNotice } from '@redrive/durable';
import {
  CHANGE_FEED_HANDLER,
  changeFeedHandler,
  documentHandler,
  SWEEP_HANDLER,
  sweepHandler,
} from '@redrive/durable/documents';
import type { Bus } from '@redrive/durable/events';
import type { Log } from '../log/worker-log.ts';
import type { LoadedHandlers } from '../start/load-handlers.ts';
import type { Io } from '../terminal/io.ts';
import type { OpenSweeps } from './configured-sweeps.ts';

interface Parts {
  readonly io: Io;
  readonly store: FullStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Aborts when the worker stops. */
  readonly stop: AbortSignal;
  /** Called with the name of the collection when the broker has confirmed an event. */
  readonly onSent: (collection: string) => void;
}

/** The handlers of a worker that sweeps: of the sweep, of changes, and one per collection. None, where nothing is swept. */
export function documentHandlers(
  { sweeps, feeds, intervalMs }: OpenSweeps,
  buses: Readonly<Record<string, Bus>>,
  { io, store, clock, log, stop, onSent }: Parts,
): LoadedHandlers {
  if (sweeps.length === 0) return {};
  const actor = { name: 'worker:sweep' };
  const notify: Parameters<typeof sweepHandler>[0]['notify'] = (notice) => logNotice(log, notice);
  const handlers = sweeps.flatMap((sweep) => {
    const bus = buses[sweep.event.bus];
    // The validator has checked that the bus is declared.
    return bus === undefined
      ? []
      : [[`documents.${sweep.name}`, documentHandler(sweep, bus, { clock, onSent, store })]];
  });
  const handler = sweepHandler({ store, clock, sweeps, intervalMs, actor, notify });
  const run: typeof handler.run = async (payload, context) => {
    const report = await handler.run(payload, context);
    await pushMetrics(io, { store, clock, log });
    return report;
  };
  const sweeping = { ...handler, run };
  // A handler names its payload; a map of loaded handlers does not.
  return {
    ...Object.fromEntries(handlers),
    [SWEEP_HANDLER]: sweeping,
    ...(feeds.length > 0 && {
      [CHANGE_FEED_HANDLER]: changeFeedHandler({ store, feeds, actor, stop, clock }),
    }),
  } as LoadedHandlers;
}

interface PushParts {
  readonly store: FullStore;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Pushes the metrics of all sweeps to a Pushgateway, where the environment names one. A push that fails is a warning: the
 * numbers are in the store, and the next push has them.
 */
export async function pushMetrics({ env }: Pick<Io, 'env'>, parts: PushParts): Promise<void> {
  if (env.METRICS_BACKEND !== 'prometheus_pushgateway') return;
  const { store, clock, log } = parts;
  const { PUSHGATEWAY_URL: url, PUSHGATEWAY_JOB: job } = env;
  const { pushSweeps } = await import('@redrive/telemetry');
  const problem = url ? await pushSweeps(store, { url, job, clock }) : 'PUSHGATEWAY_URL is not set';
  if (problem === undefined) return;
  const text = `The metrics of the sweep were not pushed: ${problem}`;
  log.warn({ event: 'metrics.push_failed', error: problem }, text);
}
