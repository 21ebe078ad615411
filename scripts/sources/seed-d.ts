import { type SourceDocument, says, section, testsOf } from './statement.ts';

const program = testsOf('scripts/sources/seed-d.test.ts');
const golden = testsOf('packages/core/src/records/renderings.test.ts');
const metricsOf = testsOf('packages/durable/src/audit/retry-metrics.test.ts');
const imported = testsOf('packages/cli/src/audit/import.test.ts');
const migrated = testsOf('packages/config/src/migrate/migrate-config.test.ts');
const reloaded = testsOf('packages/config/src/reload/watch-config.test.ts');
const noted = testsOf('packages/cli/src/start/note-changes.test.ts');
const reads = testsOf('packages/cli/src/store/note-read.test.ts');
const ids = testsOf('packages/core/src/random/ids.test.ts');
const fileOf = testsOf('packages/config/src/parse-config.test.ts');
const wholeFile = testsOf('packages/config/src/rules/undefined-mappings.test.ts')(
  'the sample file of version 1.0.0 loads, with a warning for each mapping to a policy that it lacks',
);
const formats = testsOf('packages/cli/src/audit/formats.test.ts');
const stateOf = testsOf('packages/core/src/breaker/breaker-from-state.test.ts');

const required = program('must have the field %s');
const defaults = program('has a default for %s');
const wrong = program('with %s is refused, at its line');
const bounds = program(
  'may have bounds: 1 attempt, no delay, equal delays, amounts of 0 and 1, and a breaker that is off',
);
const breaker = program(
  'its breaker opens after the threshold, and lets a call through after the timeout',
);
const maps = program('maps operations of subsystems to policies');
const attempt = program(
  'each attempt has its number, time, delay before it, error, success and duration',
);
const session = program(
  'a session has id, policy, operation, start, end, attempts, success and context',
);
const failed = program('a session that failed has its last error and no result');
const events = program(
  'its events: a retry, the success after it, and the breaker that opened and closed',
);
const failure = program('a call that gives up is a retry_failure with its error');
const state = program(
  'has policy, state, failures, threshold, timeout and times, and follows the calls',
);
const metrics = metricsOf('the metrics are those of the seed, field for field');
const badSession = program('a session with %s is refused');
const badEvent = program('an event with %s is refused');
const sample = golden('%s holds a sample of the shape, and ours differs by what stands after it');
const sizes = program('documents are about as large as estimated');
const unique = ids('is unique over processes that start at the same time');
const oldRecords = imported(
  'sessions and events of version 1.0.0 are listed, replayed and verified',
);

export const seedD: SourceDocument = {
  letter: 'D',
  title: 'One data model for all retries',
  sections: [
    section(
      'Retry policy',
      says(
        'D.1',
        '`id`, required, identifies the policy.',
        program('has its key as id; another id is refused'),
        'D-1',
      ),
      says(
        'D.2',
        '`name`, required, and `description`, optional, are for people.',
        required,
        program('has name and description for people'),
      ),
      says(
        'D.3',
        '`max_attempts`, required, includes the first attempt.',
        required,
        program('counts the first attempt in max_attempts'),
        'G-1',
      ),
      says(
        'D.4',
        '`backoff_type`, required: `exponential`, `linear`, `fixed` or `immediate`.',
        required,
        program('back-off %s waits %j seconds'),
        'G-3',
      ),
      says(
        'D.5',
        '`base_delay`, required: seconds before the first retry.',
        required,
        program('back-off %s waits %j seconds'),
        'G-2',
      ),
      says(
        'D.6',
        '`max_delay`, required: the longest delay in seconds; it caps the back-off.',
        required,
        program('back-off %s waits %j seconds'),
      ),
      says(
        'D.7',
        '`jitter_type`: `none` (the default), `full`, `decorrelated` or `equal`.',
        defaults,
        program('jitter %s of the amount %s draws a wait of 4 s from %j'),
      ),
      says(
        'D.8',
        '`jitter_amount`: from 0 to 1, by default 0.1.',
        defaults,
        program('jitter %s of the amount %s draws a wait of 4 s from %j'),
        'G-5',
      ),
      says('D.9', '`enable_circuit_breaker`: by default off.', defaults, breaker),
      says(
        'D.10',
        '`circuit_breaker_threshold`: failures that open the breaker, by default 5.',
        defaults,
        breaker,
      ),
      says(
        'D.11',
        '`circuit_breaker_timeout`: seconds until it may close, by default 60.',
        defaults,
        breaker,
      ),
      says(
        'D.12',
        '`retryable_exceptions`: names of errors that are retried; by default all transient ones.',
        defaults,
        program('retries the listed errors only'),
        program('without a list retries what may pass, and not what stays'),
        'G-7',
      ),
      says(
        'D.13',
        '`enabled`, required, by default on: whether the policy is active.',
        defaults,
        program('that is not enabled makes one attempt, without a breaker'),
        'D-2',
      ),
      says(
        'D.14',
        'The sample: a state operation that times out, 3 attempts, 1 s to 10 s, full jitter of 0.1.',
        fileOf('loads, with the one lint that its jitter deserves'),
        'D-3',
      ),
    ),
    section(
      'Retry configuration',
      says(
        'D.15',
        '`version`, `policies` and `subsystem_mappings` are required.',
        program('must have version, policies and mappings in version 1.0.0'),
      ),
      says('D.16', '`policies` maps ids to policies.', maps),
      says(
        'D.17',
        '`subsystem_mappings` leads from subsystem, group and operation to a policy.',
        maps,
      ),
      says(
        'D.18',
        '`global_defaults` are values for all policies.',
        program('has defaults for all policies, which a policy may replace'),
      ),
    ),
    section(
      'Retry attempt',
      says('D.19', '`attempt_number`, counted from 1.', attempt),
      says('D.20', '`timestamp`: when the attempt was made.', attempt),
      says('D.21', '`delay`: seconds before this attempt, 0 for the first.', attempt),
      says(
        'D.22',
        '`error`: type, message, and optionally the stack.',
        attempt,
        testsOf('packages/core/src/records/sanitise-error.test.ts')(
          'a stack is kept only when debugging, and only if it is a text',
        ),
      ),
      says('D.23', '`success`: whether it succeeded.', attempt),
      says('D.24', '`duration`: seconds of the attempt.', attempt),
      says('D.25', '`context`: more about the attempt.', attempt),
      says(
        'D.26',
        'The sample: attempt 2 after 1.5 s, which timed out after 30.5 s.',
        sample,
        'D-4',
      ),
    ),
    section(
      'Retry session',
      says('D.27', '`session_id` identifies the session.', session, unique, 'D-5'),
      says('D.28', '`policy_id` and `operation` say what was retried how.', session),
      says(
        'D.29',
        '`start_time`, and `end_time` when it has ended.',
        session,
        golden('a session that still runs has no end'),
      ),
      says(
        'D.30',
        '`attempts` has all attempts.',
        formats('audit export --format session/v1 writes each session with its attempts'),
        session,
      ),
      says(
        'D.31',
        '`final_result`, if it succeeded.',
        golden('a result is kept where it is given, also an empty one'),
      ),
      says('D.32', '`final_error`, if all attempts failed.', failed),
      says('D.33', '`success` and `context`.', session),
      says('D.34', '`total_attempts` is the number of attempts.', session),
      says('D.35', '`total_duration`: seconds of the session.', session),
      says('D.36', '`retry_count` is the attempts less one.', session, 'D-6'),
      says('D.37', 'The sample: a state that is saved at attempt 2.', sample),
    ),
    section(
      'Retry event',
      says(
        'D.38',
        '`event_id` identifies the event.',
        events,
        ids('is unique while the clock stands still'),
        'D-5',
      ),
      says(
        'D.39',
        '`event_type` `retry_attempt`: an attempt starts after a delay.',
        formats(
          'audit list --event retry_attempt --format event/v1 --jsonl prints the retry events, not internal records',
        ),
        events,
        'G-9',
      ),
      says('D.40', '`event_type` `retry_success`: the session succeeded.', events, 'G-9'),
      says('D.41', '`event_type` `retry_failure`: the session gave up, with its error.', failure),
      says(
        'D.42',
        '`event_type` `circuit_breaker_opened` and `circuit_breaker_closed`.',
        events,
        'D-7',
      ),
      says('D.43', '`timestamp`: when it happened.', events),
      says('D.44', '`correlation_id` is for tracing.', events, 'G-9'),
      says('D.45', '`session_id`, `policy_id` and `operation`.', events),
      says('D.46', '`attempt`, `max_attempts` and `delay`, of `retry_attempt`.', events),
      says(
        'D.47',
        '`component` names what made the event.',
        events,
        golden('an event carries the component that is asked for, and nothing that is not there'),
      ),
      says('D.48', '`context` has the last error.', events),
      says('D.49', 'The sample: attempt 2 of 3 after 1.5 s.', sample),
    ),
    section(
      'Circuit breaker state',
      says('D.50', '`policy_id` names the policy.', state),
      says('D.51', '`state`: `closed`, `open` or `half_open`.', state),
      says(
        'D.52',
        '`failure_count`: failures since the last reset.',
        state,
        program('a success resets the failures of a breaker, and so does its return'),
      ),
      says(
        'D.53',
        '`last_failure_time`, if there was a failure.',
        state,
        stateOf('without a failure there is no time of the last one'),
      ),
      says('D.54', '`threshold` and `timeout` in seconds.', state),
      says('D.55', '`last_state_change`: when the state changed.', state),
      says(
        'D.56',
        'The sample: closed, after 2 of 5 failures.',
        stateOf('a document with two failures goes on counting at two'),
      ),
    ),
    section(
      'Retry metrics',
      says('D.57', '`time_window_start` and `time_window_end`.', metrics),
      says('D.58', '`total_sessions`, `successful_sessions` and `failed_sessions`.', metrics),
      says(
        'D.59',
        '`total_attempts`, `average_attempts_per_session` and `max_attempts_in_session`.',
        metrics,
      ),
      says('D.60', '`total_duration` and `average_duration_per_session`, in seconds.', metrics),
      says(
        'D.61',
        '`by_policy`: sessions, success rate and average attempts of each policy.',
        metrics,
      ),
      says(
        'D.62',
        '`by_subsystem`: the same of each subsystem.',
        metrics,
        testsOf('packages/cli/src/metrics/by-dimension.test.ts')(
          'save_state is of the subsystem browser, by the subsystem_mappings of its policy',
        ),
        'D-8',
      ),
    ),
    section(
      'The file',
      says(
        'D.63',
        'One YAML file of version 1.0.0 has global defaults, policies and mappings.',
        wholeFile,
        fileOf('loads, with the one lint that its jitter deserves'),
        fileOf('knows where each came from'),
      ),
      says(
        'D.64',
        'Defaults of the file: full jitter of 0.1, no breaker.',
        fileOf('has its values in the units of code'),
        'D-3',
      ),
      says(
        'D.65',
        'Delays in the file are seconds.',
        fileOf('has its values in the units of code'),
        'G-2',
      ),
    ),
    section(
      'Relationships',
      says(
        'D.66',
        'A configuration has many policies.',
        testsOf('packages/config/src/testing/configuration-page.test.ts')(
          'have the sample map twelve operations of three subsystems, each to a policy that is there',
        ),
      ),
      says('D.67', 'A policy has many sessions.', metrics),
      says('D.68', 'A session has many attempts.', session),
      says('D.69', 'A session makes many events.', events),
      says(
        'D.70',
        'A policy has at most one breaker.',
        testsOf('packages/core/src/pipeline/pipeline.test.ts')(
          'is by policy id where no dependency is named',
        ),
      ),
      says('D.71', 'Metrics aggregate many sessions.', metrics),
      says(
        'D.72',
        'Many mappings may lead to one policy.',
        program('maps several operations to one policy'),
      ),
    ),
    section(
      'Validation of policies',
      says('D.73', '`max_attempts` is at least 1.', wrong, bounds),
      says('D.74', '`base_delay` is at least 0.', wrong, bounds),
      says('D.75', '`max_delay` is at least `base_delay`.', wrong, bounds),
      says('D.76', '`jitter_amount` is from 0 to 1.', wrong, bounds),
      says(
        'D.77',
        '`circuit_breaker_threshold` is at least 1, if the breaker is enabled.',
        wrong,
        bounds,
      ),
      says('D.78', '`circuit_breaker_timeout` is above 0, if the breaker is enabled.', wrong),
      says(
        'D.79',
        '`retryable_exceptions` are valid names.',
        wrong,
        testsOf('packages/config/src/rules/rules.test.ts')(
          'get a warning for what is not known, with a suggestion',
        ),
        'D-9',
      ),
      says('D.80', '`enabled` is a boolean.', wrong),
    ),
    section(
      'Validation of sessions',
      says('D.81', '`attempt_number` is at least 1.', badSession),
      says('D.82', '`delay` is at least 0.', badSession),
      says('D.83', '`duration` is at least 0.', badSession),
      says('D.84', '`success` is a boolean.', badSession),
      says('D.85', '`attempts` is not empty.', badSession),
      says('D.86', '`total_attempts` is the number of attempts.', badSession),
      says('D.87', '`retry_count` is `total_attempts` less one.', badSession),
    ),
    section(
      'Validation of events',
      says('D.88', '`event_type` is one of the types.', badEvent),
      says('D.89', '`timestamp` is ISO 8601.', badEvent),
      says('D.90', '`correlation_id` is not empty.', badEvent),
      says('D.91', '`attempt` is at least 1.', badEvent),
      says('D.92', '`max_attempts` is at least `attempt`.', badEvent, 'D-6'),
      says('D.93', '`delay` is at least 0.', badEvent),
    ),
    section(
      'Migration and compatibility',
      says(
        'D.94',
        'One file holds all configuration, is validated and loads.',
        testsOf('packages/cli/src/config/validate.test.ts')(
          'as JSON: six problems, each with its line, and 1',
        ),
        testsOf('packages/cli/src/config/validate.test.ts')('the sample is valid'),
      ),
      says(
        'D.95',
        'Existing configurations are mapped to the schema.',
        migrated('gives a valid file that means the same, and does it once'),
      ),
      says(
        'D.96',
        'One manager serves all subsystems, with the policies of the file.',
        testsOf('packages/cli/src/start/policy-finder.test.ts')(
          'by id, category and mapped path, and never a default that nobody asked for',
        ),
      ),
      says(
        'D.97',
        'Old implementations stay during the transition and are removed afterwards.',
        'D-10',
      ),
      says('D.98', 'Sessions and events are migrated to the format.', oldRecords),
      says(
        'D.99',
        'Metrics are migrated to the format.',
        imported(
          'sessions and metrics of January count in January: metrics show after audit import',
        ),
      ),
      says(
        'D.100',
        'The migrated data is checked.',
        imported('each bad line is named with its problems, and nothing is half-imported'),
        imported('an imported record that was changed afterwards is found'),
      ),
      says(
        'D.101',
        'Version 1.1.0 adds hot reload.',
        reloaded('puts the new configuration in force and records the change'),
        testsOf('packages/cli/src/start/worker-life.test.ts')(
          'a changed policy reaches what waits; a bad file leaves the last good one in force',
        ),
      ),
      says(
        'D.102',
        'Files of version 1.0.0 work in 1.1.0.',
        wholeFile,
        program('of version 1.0.0 means the same in version 1.1.0'),
        testsOf('packages/config/src/rules/rules.test.ts')(
          'what 1.1.0 has added gets a warning in a file of 1.0.0, and works',
        ),
        'D-11',
      ),
      says('D.103', 'Records of version 1.0.0 work in 1.1.0.', sample, oldRecords),
      says(
        'D.104',
        'A breaking change needs version 2.0.0.',
        fileOf('explain a version that is too new in one sentence'),
      ),
      says(
        'D.120',
        'Programs for the API of version 1.0.0 work in 1.1.0.',
        'D-13',
        testsOf('scripts/api-reference.test.ts')(
          'the list of %s has the names of every entry; `npx vitest run -u` writes it anew',
        ),
      ),
    ),
    section(
      'Sizes and speed',
      says(
        'D.105',
        'About 500 bytes per policy, 200 per attempt, 1 KB per session of two attempts, 300 per event.',
        sizes,
        'D-12',
      ),
      says(
        'D.106',
        'About 10 KB for 20 policies, 100 KB for 100 open sessions, 1 MB of event log per day, 5 KB of metrics per window.',
        testsOf('packages/durable/src/audit/pack.test.ts')(
          'gives back every column of every block, and takes a fraction of the room',
        ),
        'D-12',
      ),
      says(
        'D.107',
        'Policies are loaded when they are needed.',
        testsOf('packages/cli/src/start/policy-finder.test.ts')(
          'a reload is seen at the next look, and the same version is the same object',
        ),
      ),
      says(
        'D.108',
        'Policies in use are cached.',
        testsOf('packages/core/src/policy/recall-policy.test.ts')(
          'recognises a literal by its values',
        ),
      ),
      says(
        'D.109',
        'Events are logged in batches.',
        testsOf('packages/core/src/records/event-sink.test.ts')(
          'by default 100 records make a batch and 50 ms are the wait',
        ),
      ),
      says(
        'D.110',
        'Historical data is compressed.',
        testsOf('packages/durable/src/worker/retention.test.ts')(
          'compresses the audit log of a week ago, step by step, and reports it',
        ),
        testsOf('packages/durable/src/audit/pack.test.ts')(
          'gives back every column of every block, and takes a fraction of the room',
        ),
      ),
      says(
        'D.111',
        'Old sessions and events have a time to live.',
        testsOf('packages/durable/src/worker/retention.test.ts')(
          'keeps what succeeded or was cancelled for a week, and dead letters for 90 days',
        ),
      ),
    ),
    section(
      'Security',
      says(
        'D.112',
        'Sensitive data stays out of the context of retries.',
        testsOf('packages/core/src/records/sync-sink.test.ts')(
          'is told about a session from its start to its end, without secrets',
        ),
        testsOf('packages/cli/src/dlq/secrets.test.ts')(
          'of fifty planted secrets none is shown or exported, unless a payload is asked for in full',
        ),
      ),
      says(
        'D.113',
        'Messages of errors are sanitised before they are logged.',
        testsOf('packages/core/src/records/sanitise-error.test.ts')(
          'type, message and stack are masked and cut',
        ),
      ),
      says(
        'D.114',
        'Stacks are kept in debug mode only.',
        testsOf('packages/core/src/records/sanitise-error.test.ts')(
          'a stack is kept only when debugging, and only if it is a text',
        ),
        testsOf('packages/core/src/records/session-log.test.ts')(
          'describes errors, with their stack when debugging',
        ),
      ),
      says(
        'D.115',
        'Access to the configuration is restricted.',
        reloaded('warns of a file that everybody may write, and uses it'),
        testsOf('packages/server/src/routes/policies.test.ts')(
          'the configuration in force shows no password',
        ),
        testsOf('packages/server/src/roles.test.ts')(
          '%s: nobody, viewer, operator, admin, other tenant',
        ),
      ),
      says(
        'D.116',
        'All changes of the configuration are logged.',
        noted(
          'what is in force at the start, and every change, also from before the store was open',
        ),
      ),
      says(
        'D.117',
        'It is tracked who changed a policy, and when.',
        reloaded('puts the new configuration in force and records the change'),
        reloaded(
          'names who asked for it; of a file that another program wrote the user is unknown',
        ),
      ),
      says(
        'D.118',
        'Access to sessions is logged.',
        reads('leaves a record of who looked, from where and why'),
        reads('whatever shows payloads, sessions or metrics says so'),
      ),
      says(
        'D.119',
        'Access to metrics is logged.',
        reads('leaves a record of who looked, from where and why'),
        testsOf('packages/cli/src/start/scrape-notes.test.ts')(
          'a scrape is a read of metrics: recorded once an hour per scraper, with its count',
        ),
      ),
    ),
  ],
};
