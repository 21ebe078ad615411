import { SessionRecorder } from '../run/session-recorder.ts';
import { hashPolicy } from './policy-hash.ts';
import type { EventSink, RetryRecord } from './record.ts';
import { sanitiseContext } from './sanitise-context.ts';
import { type SanitiseOptions, sanitiseError } from './sanitise-error.ts';

/**
 * A sink that hands each record to `emit` at once, inside the call. `emit` must be quick, and must not wait; for
 * anything that does I/O take `eventSink`.
 */
export function syncSink(
  emit: (record: RetryRecord) => void,
  options: SanitiseOptions = {},
): EventSink {
  const sink: EventSink = {
    emit,
    describe: (error) => sanitiseError(error, options),
    // A copy of a record is a record, or a text where the record cannot be read.
    describeContext: (context) => Object(sanitiseContext(context)),
    hashPolicy,
    open: (session) => new SessionRecorder(session, sink),
  };
  return sink;
}
