import { RedriveError } from '@redrive/core';
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
  /** Gets the originals of messages above 1 MiB. Default: such a message stops the source. */
  readonly publishTo?: string | undefined;
}

/** A source with all its defaults. */
export interface ResolvedSource extends EventSource {
  readonly key: readonly string[];
  readonly headers: readonly string[];
  readonly prefetch: number;
  readonly maxWaiting: number;
  /** One object for all events of the source: jobs of a source stay alike. */
  readonly origin: JobOrigin;
}

/** @throws RedriveError `invalid_option` with every problem at once. */
export function resolveSource(given: EventSource): ResolvedSource {
  const { key = [], headers = [], prefetch = 256, maxWaiting = 10_000 } = given;
  const whole = (field: string, value: unknown, max: number) =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= max
      ? undefined
      : { message: `${field} must be a whole number from 1 to ${max}, not ${String(value)}` };
  const texts = (field: string, values: readonly string[]) =>
    Array.isArray(values)
      ? values.map((value) => textProblem(field, value, MAX_NAME_LENGTH))
      : [{ message: `${field} must be a list of texts` }];
  const problems = [
    textProblem('name', given.name ?? '', MAX_NAME_LENGTH),
    textProblem('bus', given.bus ?? '', MAX_NAME_LENGTH),
    textProblem('handler', given.handler ?? '', MAX_NAME_LENGTH),
    ...texts('key', key),
    ...texts('headers', headers),
    whole('prefetch', prefetch, 10_000),
    whole('maxWaiting', maxWaiting, 10_000_000),
  ].flatMap((problem) => problem?.message ?? []);
  if (problems.length > 0) {
    throw new RedriveError(
      'invalid_option',
      `The event source ${given.name} is not valid: ${problems.join('; ')}`,
      { problems },
    );
  }
  const origin = { rung: 'event', bus: given.bus, source: given.name } as const;
  return { ...given, key, headers, prefetch, maxWaiting, origin };
}
