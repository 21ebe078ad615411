import { type FieldProblem, type OptionTable, resolveOptions } from '@redrive/core/fields';
import { ownIdsProblem } from '../job/caller-id.ts';
import type { JobOrigin } from '../job/job.ts';
import { MAX_NAME_LENGTH, textProblem } from '../jobs/text-problem.ts';
import type { BusSource } from './bus.ts';

/** A source of events: where they come from, and the handler that gets each one. */
export interface EventSource extends BusSource {
  /** Name of the bus: `bus` of the events' origin. */
  readonly bus: string;
  /** One of the handlers of `jobsOn`. */
  readonly handler: string;
  /**
   * Paths of the ids in the body that identify an event, such as `data.message_ids`. All ids together, behind the source's
   * name, are the idempotency key. Default: the message id, else its position in the stream.
   */
  readonly key?: readonly string[] | undefined;
  /** Headers of messages that are kept with the events. Default: none. */
  readonly headers?: readonly string[] | undefined;
  /** Messages that are taken and not acknowledged: 1 to 10,000. Default 256. */
  readonly prefetch?: number | undefined;
  /** With this many ready events in the store the source takes no more. Default 10,000. */
  readonly maxWaiting?: number | undefined;
  /**
   * Runs a message in this process as soon as it is delivered for the first time, and stores it only when it fails. Faster,
   * but the source recognises no duplicates: the handler must bear a second run of the same event. Default `false`.
   */
  readonly direct?: boolean | undefined;
  /**
   * Paths of the ids of documents in the body, by the collection of sweeps that has its events from this source: a sweep
   * sends the newest event of a document again. Default: none.
   */
  readonly documents?: Readonly<Record<string, readonly string[]>> | undefined;
  /**
   * Gets the originals of messages above 1 MiB. Default: such a message stops the source. Dead letters go to a broker by
   * `deadLetterHandler` and `deadLetterSchedule`.
   */
  readonly publishTo?: string | undefined;
}

/** A source with all its defaults. */
export interface ResolvedSource extends EventSource {
  readonly key: readonly string[];
  readonly headers: readonly string[];
  readonly prefetch: number;
  readonly maxWaiting: number;
  readonly direct: boolean;
  /** One object for all events of the source: jobs of a source stay alike. */
  readonly origin: JobOrigin;
}

const texts = { kind: 'list', of: ['string'] } as const;

const OPTIONS: OptionTable<EventSource> = {
  name: [null],
  stream: [undefined],
  subject: [undefined],
  queue: [undefined],
  bus: [null],
  handler: [null],
  key: [[], texts],
  headers: [[], texts],
  prefetch: [256, { kind: 'integer', min: 1, max: 10_000 }],
  maxWaiting: [10_000, { kind: 'integer', min: 1, max: 10_000_000 }],
  direct: [false, { kind: 'boolean' }],
  documents: [undefined],
  publishTo: [undefined],
};

/** @throws RedriveError `invalid_option` with every problem at once. */
export function resolveSource(given: EventSource): ResolvedSource {
  const what = `event source ${given.name}`;
  const options = resolveOptions(what, given, OPTIONS, 'invalid_option', namesOf);
  const origin = { rung: 'event', bus: given.bus, source: given.name } as const;
  // The defaults of the table are not undefined.
  return { ...(options as Omit<ResolvedSource, 'origin'>), origin };
}

function namesOf(values: Readonly<Record<string, unknown>>): FieldProblem[] {
  const named = ['name', 'bus', 'handler', 'key', 'headers'].flatMap((field) =>
    [values[field]].flat().map((value) => textProblem(field, value, MAX_NAME_LENGTH)),
  );
  return [...named, ownIdsProblem(values.name)].filter((problem) => problem !== undefined);
}
