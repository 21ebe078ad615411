import { type EventSink, syncSink } from '@redrive/core';
import type { Notice } from '../worker/notice.ts';
import { logNotice } from './log-notice.ts';
import { logRecords } from './log-records.ts';
import type { WorkerLogger } from './worker-logger.ts';

export interface Listeners {
  readonly events?: EventSink | undefined;
  readonly onNotice?: ((notice: Notice) => void) | undefined;
}

export interface LoggedListeners extends Listeners {
  /** Whether anybody wants a record of every attempt; otherwise only dead jobs and breakers are reported. */
  readonly everyAttempt: boolean;
}

/** The listeners of an application, and its log beside them. */
export function withLog(given: Listeners, log: WorkerLogger | undefined): LoggedListeners {
  const { events, onNotice } = given;
  if (log === undefined) return { events, onNotice, everyAttempt: events !== undefined };
  const records = logRecords(log);
  return {
    events: syncSink((record) => {
      quietly(() => records.emit(record));
      events?.emit(record);
    }),
    onNotice: (notice) => {
      quietly(() => logNotice(log, notice));
      return onNotice?.(notice);
    },
    everyAttempt: events !== undefined || (log.isLevelEnabled?.('info') ?? true),
  };
}

/** A logger that throws harms neither the work nor the application's own listeners. */
function quietly(log: () => void): void {
  try {
    log();
  } catch {
    // There is nowhere to log it.
  }
}
