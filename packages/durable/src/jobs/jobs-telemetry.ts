import type { EventSink, HandOver } from '@redrive/core';
import type { Listeners } from '../log/worker-log.ts';

/** Jobs that one call enqueues. */
export interface EnqueuedWork {
  readonly handler: string;
  readonly count: number;
}

/** Observes jobs: `openTelemetry()` of `@redrive/telemetry` makes one. */
export interface JobsTelemetry extends Listeners {
  /** Gets a record of every attempt and session, beside the option `events`. */
  readonly events: EventSink;
  /** Runs an attempt inside its span. */
  attempt<T>(jobId: string, run: () => T): T;
  /** Runs an enqueue inside its span. The headers go into the jobs, unless the caller gave a header of that name. */
  enqueue<T>(work: EnqueuedWork, run: (headers: Readonly<Record<string, string>>) => T): T;
  /** The headers of a job that the caller enqueues in its own transaction. */
  headers(): Readonly<Record<string, string>>;
  /** The next rung of calls, where their trace continues. */
  handOver(to: HandOver): HandOver;
}

/** The listeners of an application, and its telemetry before them. */
export function withTelemetry(
  { events, onNotice }: Listeners,
  telemetry: JobsTelemetry | undefined,
): Listeners {
  if (telemetry === undefined) return { events, onNotice };
  const { events: own, onNotice: notify } = telemetry;
  return {
    events: events === undefined ? own : bothSinks(own, events),
    onNotice: (notice) => {
      notify?.(notice);
      return onNotice?.(notice);
    },
  };
}

/** A worker emits records itself: it opens no sessions. */
function bothSinks(one: EventSink, other: EventSink): EventSink {
  const wants = (
    { wants: asked }: EventSink,
    kind: Parameters<NonNullable<EventSink['wants']>>[0],
  ) => asked?.(kind) ?? true;
  return {
    ...other,
    emit(record) {
      one.emit(record);
      other.emit(record);
    },
    wants: (kind) => wants(one, kind) || wants(other, kind),
  };
}
