import { ignoreRejection } from '../classify/answer-of.ts';
import { fieldProblems, refuse } from '../fields/check-fields.ts';
import { hashPolicy } from './policy-hash.ts';
import type { EventSink, RetryRecord } from './record.ts';
import { sanitiseContext } from './sanitise-context.ts';
import { type SanitiseOptions, sanitiseError } from './sanitise-error.ts';
import { SessionRecorder } from './session-recorder.ts';

/**
 * A sink that hands each record to `emit` at once, inside the call. `emit` must be quick, and must not wait; for
 * anything that does I/O take `eventSink`. Its errors and rejections are ignored.
 */
export function syncSink(
  emit: (record: RetryRecord) => void,
  options: SanitiseOptions = {},
): EventSink {
  refuse('invalid_option', 'sink', fieldProblems({ emit }, { emit: { kind: 'function' } }));
  const sink: EventSink = {
    emit(record) {
      ignoreRejection(emit(record)); // An async function fits the type too.
    },
    describe: (error) => sanitiseError(error, options),
    // A copy of a record is a record, or a text where the record cannot be read.
    describeContext: (context) => Object(sanitiseContext(context)),
    hashPolicy,
    open: (session) => new SessionRecorder(session, sink),
  };
  return sink;
}
