import { type SourceDocument, says, section, testsOf } from './statement.ts';

const program = testsOf('scripts/sources/seed-e.test.ts');
const race = testsOf('packages/postgres/src/event-race.test.ts')(
  'a late document is handled after n attempts; one that never comes is a dead letter with exactly the seed payload, both with its log lines',
);
const inNats = testsOf('scripts/two-services/nats.long.test.ts');
const handled = testsOf('packages/durable/src/event/handle-event.test.ts');
const ids = testsOf('packages/durable/src/event/event-id.test.ts');
const environment = testsOf('packages/config/src/environment/precedence.test.ts');
const envFile = testsOf('packages/config/src/environment/env-file.test.ts');
const letters = testsOf('packages/cli/src/dlq/dlq-read.test.ts');

const late = program('a document that is not there yet is found at a later attempt');
const defaultOf = program('the default of %s');
const waits = program('the waits: 250 ms, doubling, each from 0 to that');
const fullJitter = program(
  'full jitter: the waits of many events fill the range from 0 to the nominal wait',
);
const final = program('is a dead letter at the first attempt: %s');
const given = program('is given up after 8 attempts, with the diagnostic payload');
const logged = program(
  'is logged: retries at INFO, the last attempt as a warning, the end as an error',
);
const counted = program('is counted: the dead letter with its reason, and the attempts');
const ttl = program('an event is abandoned when its TTL is over, with attempts left');
const successLogged = program('is logged with its attempts and its latency');
const successCounted = program('is counted by service and attempt, with its latency');
const once = program(
  'an event that arrives twice is handled once; its key is the same in every attempt',
);
const overNats = inNats(
  'with NATS an event that comes before its document is handled when the document is there',
);
const variables = environment(
  "of events reach the events, the file's own included, and nothing else",
);
const alerts = testsOf('scripts/alerts.test.ts')(
  'every alert fires, stays silent and resolves: promtool test rules',
);

export const seedE: SourceDocument = {
  letter: 'E',
  title: 'Retry of events that race their documents',
  sections: [
    section(
      'Overview',
      says(
        'E.1',
        'An event can arrive before its document can be read; retries bridge the gap.',
        late,
        overNats,
      ),
      says(
        'E.2',
        'It is a shared library that any service can use.',
        late,
        handled('answers handled, and stores nothing'),
      ),
      says(
        'E.3',
        'It has a configuration, a policy of exponential back-off with jitter, a wrapper for handlers, and an error that asks for a retry.',
        handled(
          'makes 8 attempts in all, not 8 here and 8 there, then one dead letter with the seed payload',
        ),
      ),
      says(
        'E.4',
        'The chunking service wraps its handler of parsed messages, and retries until they are found.',
        race,
        overNats,
      ),
      says(
        'E.5',
        'The embedding service wraps its handler of prepared chunks, and retries until they are found.',
        overNats,
      ),
      says('E.6', 'It lives in a folder of adapters.', 'G-10'),
    ),
    section(
      'Configuration',
      says(
        'E.7',
        'Behaviour is configured by environment variables, without redeployment.',
        variables,
        envFile('is read again with the file that names it, from where that is'),
        'E-1',
      ),
      says('E.8', '`RETRY_MAX_ATTEMPTS`: 8.', defaultOf, variables, 'G-1'),
      says(
        'E.9',
        '`RETRY_BASE_DELAY_MS`: 250, the delay before the first retry.',
        defaultOf,
        variables,
      ),
      says(
        'E.10',
        '`RETRY_BACKOFF_FACTOR`: 2.',
        defaultOf,
        testsOf('packages/config/src/environment/read-environment.test.ts')(
          'has variables for events and for documents, with their units',
        ),
      ),
      says(
        'E.11',
        '`RETRY_MAX_DELAY_SECONDS`: 60.',
        defaultOf,
        testsOf('packages/config/src/environment/read-environment.test.ts')(
          'has variables for events and for documents, with their units',
        ),
      ),
      says('E.12', '`RETRY_TTL_MINUTES`: 30, after which an event is abandoned.', defaultOf, ttl),
    ),
    section(
      'Schedule',
      says('E.13', 'The waits are about 250 ms, 500 ms, 1 s, 2 s, 4 s, 8 s and 16 s.', waits),
      says('E.14', 'An eighth wait of 32 s follows.', 'E-2', given),
      says(
        'E.15',
        'The waits are about a minute in all.',
        'E-2',
        program('waits about half a minute in all, at most'),
      ),
    ),
    section(
      'Strategy',
      says(
        'E.16',
        'Full jitter lowers contention, spreads retries and prevents thundering herds.',
        fullJitter,
        testsOf('packages/core/src/backoff/contention.test.ts')('of $clients clients: $policy'),
      ),
      says(
        'E.17',
        'The wait is uniform from 0 to the smaller of base × factor^attempt and the maximum.',
        fullJitter,
        waits,
        'E-2',
      ),
      says('E.18', 'The error that a document was not found is retried.', late),
      says('E.19', 'Validation errors go to the dead letters at once.', final),
      says('E.20', 'Errors of data integrity go to the dead letters at once.', final),
      says('E.21', 'Errors of the programmer go to the dead letters at once.', final),
      says('E.22', 'Retries end at the maximum of attempts.', given),
      says('E.23', 'Retries end when the TTL is over.', ttl, 'E-3'),
    ),
    section(
      'Idempotency',
      says(
        'E.24',
        'Each event has a key, against double processing.',
        once,
        testsOf('packages/durable/src/event/event-consumer.test.ts')(
          'runs an event once that was sent five times, and counts the duplicates',
        ),
      ),
      says(
        'E.25',
        'The key of chunking is `chunking-` and the ids of messages.',
        ids('is the source and all ids that key names'),
        given,
        'E-4',
      ),
      says(
        'E.26',
        'The key of embedding is `embedding-` and the ids of chunks.',
        ids('has the ids of several paths, of objects in lists, and whole numbers'),
      ),
      says('E.27', 'The key stays the same over retries.', once),
      says('E.28', 'The dead letter has the key.', given),
      says(
        'E.29',
        'Metrics show duplicates.',
        testsOf('packages/telemetry/src/collect/store-collectors.test.ts')(
          'a source shows its counts, dead letters that never ran too',
        ),
        'E-4',
      ),
    ),
    section(
      'Dead letters',
      says('E.30', 'An event goes there when its attempts are used up.', given),
      says('E.31', 'An event goes there when its TTL is over.', ttl),
      says('E.32', 'An event goes there after an error that is not retryable.', final),
      says(
        'E.33',
        'The payload has original event, key, attempts, last error and its type, reason, service and time.',
        given,
        testsOf('packages/durable/src/dead-letter/envelope.test.ts')(
          'is the golden file, letter by letter',
        ),
        'E-5',
      ),
      says(
        'E.34',
        'The sample: 8 attempts, no messages found, `max_attempts_exceeded`, service `chunking`.',
        given,
        testsOf('packages/durable/src/dead-letter/envelope.test.ts')(
          'has the values of the event that found no messages eight times',
        ),
      ),
    ),
    section(
      'Metrics',
      says('E.35', '`event_retry_success_total`, by service and attempt.', successCounted),
      says(
        'E.36',
        '`event_retry_latency_seconds`, by service: the time of all attempts.',
        successCounted,
        handled('the latency of an event that was handed over counts from its first attempt'),
      ),
      says(
        'E.37',
        '`event_retry_dlq_total`, by service and reason: `max_attempts`, `ttl_exceeded`.',
        counted,
        testsOf('packages/telemetry/src/telemetry.test.ts')(
          'reasons of dead letters are those of their envelopes',
        ),
        'E-5',
      ),
      says('E.38', '`event_retry_attempt_count`, by service: attempts per event.', counted),
    ),
    section(
      'Log',
      says('E.39', 'INFO: retries, and success after a retry.', logged, successLogged),
      says(
        'E.40',
        'WARNING: the last attempt is near, the TTL is near.',
        logged,
        handled('warns at 80 % of the TTL, once'),
      ),
      says('E.41', 'ERROR: a dead letter, an error that is not retryable.', logged, final),
      says(
        'E.42',
        'The lines of the sample: a retry with its number and key, a success with attempts and latency, a dead letter with attempts and reason.',
        logged,
        successLogged,
      ),
    ),
    section(
      'Testing',
      says('E.43', 'The library has unit tests of its own, in a folder of their own.', 'G-10'),
      says('E.44', 'Tested: the calculation of waits, back-off and jitter.', waits, fullJitter),
      says('E.45', 'Tested: the TTL.', ttl),
      says(
        'E.46',
        'Tested: keys.',
        once,
        ids('is hashed beyond 200 characters, and differs with every id'),
      ),
      says('E.47', 'Tested: dead letters.', given, final),
      says('E.48', 'Tested: metrics.', counted, successCounted),
      says(
        'E.49',
        'Integration: retries with a real message queue.',
        overNats,
        inNats('with NATS both services go through a kill and an outage'),
      ),
      says('E.50', 'Integration: the document can be read in the end.', race, overNats),
      says(
        'E.51',
        'Integration: metrics are emitted.',
        testsOf('scripts/stack/stack.long.test.ts')('%s, %s: %s returns data'),
        successCounted,
      ),
      says(
        'E.52',
        'Integration: the dead-letter queue gets abandoned events.',
        testsOf('scripts/crash/dead-letters-at-broker.long.test.ts')(
          'kill -9 between publish and cursor: every letter arrives, and a second publish has the same id',
        ),
      ),
    ),
    section(
      'For developers',
      says(
        'E.53',
        'Raise the error of a missing document when one is expected and not found.',
        late,
      ),
      says('E.54', 'Let other errors propagate.', final),
      says(
        'E.55',
        'Build keys from stable ids of documents.',
        ids('is the source and all ids that key names'),
      ),
      says(
        'E.56',
        'Watch the metrics of dead letters: a high rate means a systemic problem.',
        counted,
        alerts,
      ),
    ),
    section(
      'For operations',
      says('E.57', 'Raise `max_attempts` if documents take longer to become readable.', variables),
      says(
        'E.58',
        'Raise `ttl_minutes` for slower databases.',
        envFile('is beaten by the process, and both by flags, at every reload'),
      ),
      says('E.59', 'Fit `base_delay_ms` to the usual latency.', variables),
      says('E.60', 'Alert on the rate of dead letters.', alerts),
      says(
        'E.65',
        'A high rate may come from a slow database, and dead letters all the time from a wrong configuration.',
        program(
          'the page of the alert says what a high rate and dead letters all the time suggest',
        ),
      ),
      says(
        'E.61',
        'Review dead letters for patterns.',
        letters(
          'groups: each cause with its count, its handlers, its first and last death, and the next command',
        ),
        testsOf('packages/cli/src/dlq/causes.test.ts')(
          'each group with the dimension that sets it apart, its counts on both sides, and a suggestion',
        ),
      ),
    ),
    section(
      'Alternatives',
      says(
        'E.62',
        'A transactional outbox: document and event are written together, and the event is published after the commit.',
        testsOf('packages/postgres/src/event-race.test.ts')(
          'the outbox: an event that is enqueued with its row never precedes it, and is not sent where the row is rolled back',
        ),
      ),
      says(
        'E.63',
        'A change feed: the event comes from the database, when the document can be read.',
        testsOf('scripts/change-feed.long.test.ts')(
          'redrive start: killed again and again, each inserted document has one event, and none is lost',
        ),
      ),
      says(
        'E.64',
        'Read your writes: the event carries a token from writer to reader.',
        inNats('a replica that is behind: the read token of the event makes the reader wait'),
        testsOf('packages/mongodb/src/change-feed.long.test.ts')(
          'waitUntilReadable: a secondary shows writes before the token, and is not waited for longer than the limit',
        ),
      ),
    ),
  ],
};
