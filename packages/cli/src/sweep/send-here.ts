import { type Config, configuredBreakers } from '@redrive/config';
import type { Clock } from '@redrive/core';
import { type FullStore, jobsOn } from '@redrive/durable';
import { documentHandler, type Sweep } from '@redrive/durable/documents';
import { DOCUMENT_QUEUE, handlerOf, isFinal, unservedHandlers } from '@redrive/durable/store';
import { closeBuses, openBuses } from '../events/configured-sources.ts';
import { policyFinder } from '../start/live-config.ts';
import type { Io } from '../terminal/io.ts';

interface SendParts {
  readonly io: Io;
  readonly config: Config;
  readonly store: FullStore;
  readonly clock: Clock;
  readonly onSent: (collection: string) => void;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
}

/** The most ids of one query. */
const PAGE = 1_000;
const LOOK_EVERY_MS = 100;
/** Jobs that do not move for this time wait for their broker. */
const QUIET_MS = 2_000;

/**
 * Lets the jobs that send the events of documents run: here, where no live worker has their handler. Resolves with the
 * number of events that the broker has confirmed, when all jobs are finished or wait for their broker.
 */
export async function sendHere(
  parts: SendParts,
  sweep: Sweep,
  ids: readonly string[],
): Promise<number> {
  const { io, config, store, clock, onSent } = parts;
  const isServed = (await unservedHandlers(store, ids)).length === 0;
  if (isServed) return untilSent(parts, ids);
  const buses = await openBuses(io, config, async () => store, new Set([sweep.event.bus]));
  try {
    const bus = buses[sweep.event.bus];
    // The validator has checked that the bus is declared.
    if (bus === undefined) return 0;
    const handlers = { [handlerOf(sweep)]: documentHandler(sweep, bus, { clock, onSent, store }) };
    const current = () => config;
    const jobs = jobsOn(store, handlers, {
      queues: [DOCUMENT_QUEUE],
      policies: policyFinder(current),
      breakers: { for: configuredBreakers(current, { clock }).forJobs },
      ...{ clock, migrate: false, log: 'off' },
    });
    await jobs.start();
    try {
      return await untilSent(parts, ids);
    } finally {
      await jobs.stop();
    }
  } finally {
    await closeBuses(buses);
  }
}

/** Waits until the jobs are finished, or none of them has moved for a while. */
async function untilSent(
  { store, clock, signal }: SendParts,
  ids: readonly string[],
): Promise<number> {
  let open = ids;
  let sent = 0;
  let movedMs = clock.monotonic();
  for (;;) {
    let isMoving = false;
    const left: string[] = [];
    for (let at = 0; at < open.length; at += PAGE) {
      const some = open.slice(at, at + PAGE);
      const found = await store.states(some);
      for (const id of some) {
        const state = found.get(id);
        if (state === undefined || isFinal(state)) sent += state === 'succeeded' ? 1 : 0;
        else left.push(id);
        if (state === 'leased') isMoving = true;
      }
    }
    if (left.length < open.length || isMoving) movedMs = clock.monotonic();
    open = left;
    const isQuiet = clock.monotonic() - movedMs >= QUIET_MS;
    if (open.length === 0 || isQuiet || signal.aborted) return sent;
    await new Promise<void>((resolve) => clock.setTimer(LOOK_EVERY_MS, resolve));
  }
}
