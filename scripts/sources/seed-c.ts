import { type SourceDocument, says, section, testsOf } from './statement.ts';

const program = testsOf('scripts/sources/seed-c.test.ts');
const workflow = testsOf('packages/durable/src/worker/retry-workflow.test.ts');
const order = testsOf('packages/testkit/src/conformance/store/claim-order.ts');
const flow = testsOf('packages/testkit/src/conformance/store/run-flow.ts');
const restart = testsOf('packages/testkit/src/conformance/store/persistence.ts');

const start = program('at the start: no retry, no time of one, no class');
const failed = program(
  'after a failure: one retry more with each attempt, its time, and the class',
);
const classes = program('the class %s is stored');
const dead = program('a failure for good keeps its class and has no time of a retry');
const defaults = program('the defaults: 8 attempts; 60 s, doubling, up to 3600 s');
const results = program('passed, needs review and failed are results of a run that succeeded');
const example = program(
  'the order of the example: the oldest submission first, whether new or due again',
);
const hint = workflow('rate-limited scheduling: a hint is waited for and costs no attempt');
const noHint = program('a rate limit without a hint waits as long as any failure');
const permanent = workflow('permanent failure after max attempts');
const finalError = workflow('a final error is dead at once');
const clears = workflow('successful retry clears retry fields');
const starting = workflow('starting an attempt clears the next retry’s time and keeps the count');
const endToEnd = workflow('retry workflow end to end');
const picksUp = workflow(
  'processor picks up retry runs when they are due, although nothing new arrives',
);
const oldest = order('ordering of new and retry-eligible jobs: the oldest submission first');
const log = program(
  'tells the first attempt from retries, and has the attempt and the delay of each retry',
);
const filter = program('a filter holds for new runs and for retries');

export const seedC: SourceDocument = {
  letter: 'C',
  title: 'Automatic retry of runs',
  sections: [
    section(
      'Overview and principles',
      says(
        'C.1',
        'Runs that fail with a retryable error are retried with exponential back-off.',
        defaults,
        endToEnd,
      ),
      says('C.2', 'The class of the error (final, retryable, rate-limited) decides.', classes),
      says('C.3', 'Back-off keeps failures from overwhelming the infrastructure.', defaults),
      says('C.4', 'Retries are bounded.', permanent),
      says(
        'C.5',
        'Waiting for a retry blocks no new work.',
        program('a wait blocks no new work'),
        flow('a poison job does not delay other jobs'),
      ),
      says(
        'C.6',
        'The state of retries is in the database.',
        failed,
        restart('persistence over a restart: jobs, pauses, policies and audit'),
      ),
    ),
    section(
      'Strategy',
      says('C.7', 'A final error is not retried: the run has failed for good.', finalError),
      says(
        'C.8',
        'A retryable error is retried with back-off, up to the maximum of attempts.',
        permanent,
      ),
      says('C.9', 'A rate limit waits for the hint of the service.', hint, 'C-1'),
      says('C.10', 'A rate limit without a hint backs off exponentially.', noHint),
    ),
    section(
      'Columns',
      says('C.11', '`retry_count`, at first 0: the retries so far.', start, failed),
      says(
        'C.12',
        '`next_retry_at`: when the run may be retried; null if nothing is scheduled.',
        start,
        failed,
      ),
      says('C.13', '`error_class`: `final`, `retryable` or `rate_limited`.', classes),
      says(
        'C.14',
        'A partial index finds due retries.',
        program('a partial index finds runs by the time of their retry'),
        'C-2',
      ),
    ),
    section(
      'States',
      says(
        'C.15',
        'A run goes from discovered to processing.',
        order('a claimed job has a lease of its own, a token and one attempt more'),
        'C-3',
      ),
      says('C.16', 'Passed, needs review and failed are successful ends.', results, 'C-3'),
      says('C.17', 'A final error stays an error.', finalError, 'C-3'),
      says('C.18', 'A retryable error stays an error with the time of its retry.', failed, 'C-3'),
      says(
        'C.19',
        'When the time has come, the processor picks the run up, and the count rises.',
        picksUp,
        failed,
      ),
      says(
        'C.20',
        'A run whose process died is recovered.',
        testsOf('packages/durable/src/worker/rescue.test.ts')(
          'sends the job again at once, within lease and sweep',
        ),
        testsOf('scripts/crash/kill-and-pause.long.test.ts')(
          'on %s, nothing is lost and nobody ends what is not theirs, whoever is killed or paused',
        ),
        'C-4',
      ),
    ),
    section(
      'Configuration',
      says('C.21', '`max_attempts`: 8.', defaults, 'G-1'),
      says('C.22', '`initial_backoff`: 60 s.', defaults),
      says('C.23', '`max_backoff`: 3600 s.', defaults),
      says('C.24', '`backoff_multiplier`: 2.', defaults),
      says(
        'C.25',
        'A hint is used as the wait, and the attempt does not count.',
        hint,
        flow('rate-limited scheduling: waits for the hint, and the attempt does not count'),
      ),
      says(
        'C.64',
        'They are part of the configuration of the program.',
        testsOf('packages/cli/src/start/worker-life.test.ts')(
          'a changed policy reaches what waits; a bad file leaves the last good one in force',
        ),
      ),
      says(
        'C.26',
        'Rate limits could go on for ever.',
        'C-1',
        workflow('free waits have a ceiling, after which they count'),
      ),
    ),
    section(
      'The next retry',
      says(
        'C.27',
        'It is computed from count, class and configuration.',
        defaults,
        testsOf('packages/core/src/decide/decide.test.ts')(
          'is the back-off of the attempts charged so far',
        ),
      ),
      says('C.28', 'There is none for a final error.', finalError),
      says('C.29', 'There is none when the attempts are used up.', dead),
      says(
        'C.30',
        'Otherwise it grows exponentially up to the maximum.',
        defaults,
        flow('back-off and max attempts: each wait is longer, and the last attempt is the last'),
      ),
      says('C.31', 'The class is stored as a text.', classes),
    ),
    section(
      'One queue',
      says('C.32', 'New runs and due retries are taken by one query.', oldest),
      says(
        'C.33',
        'The oldest submission is first.',
        oldest,
        workflow('new jobs and due retries compete by submission, oldest first'),
        'C-5',
      ),
      says(
        'C.34',
        'A run of three days ago is not passed over for one of five minutes ago.',
        example,
      ),
      says(
        'C.35',
        'New runs do not starve retries.',
        program('a stream of new runs does not starve a retry'),
      ),
      says(
        'C.36',
        'The example: of four runs the oldest, which is due, is first; two new ones follow; one is not due yet.',
        example,
      ),
      says(
        'C.37',
        'Taken are new runs, and errors whose retry is due.',
        oldest,
        order('does not take jobs that are leased, finished or not yet due'),
      ),
    ),
    section(
      'Operations',
      says('C.38', 'A run that failed for good has no time of a retry and stays an error.', dead),
      says('C.39', 'Scheduling a retry stores count, class and time.', failed),
      says(
        'C.40',
        'A success clears count, time and class.',
        clears,
        flow('clearing on success: retry count, next retry and error class'),
      ),
      says(
        'C.41',
        'A result schedules a retry or fails the run; a success clears the fields.',
        endToEnd,
        permanent,
        clears,
      ),
      says('C.42', 'New runs begin with empty fields.', start),
    ),
    section(
      'The processor',
      says('C.43', 'It takes new runs and retries in one way.', oldest, picksUp),
      says('C.44', 'It logs whether an attempt is the first or a retry.', log),
      says('C.45', 'Starting clears the time of the retry and keeps the count.', starting),
      says(
        'C.46',
        'It retries although nothing new arrives.',
        picksUp,
        workflow('wakes for a retry that is due before the next pulse'),
      ),
    ),
    section(
      'Tests',
      says('C.47', 'Unit: exponential back-off.', defaults),
      says('C.48', 'Unit: the maximum of attempts.', permanent),
      says('C.49', 'Unit: scheduling of rate limits.', hint, noHint),
      says('C.50', 'Unit: final errors.', finalError),
      says('C.51', 'Integration: the workflow end to end.', endToEnd),
      says('C.52', 'Integration: the processor picks up retries.', picksUp),
      says('C.53', 'Integration: failure for good after the last attempt.', permanent),
      says('C.54', 'Integration: a retry that succeeds clears the fields.', clears),
      says('C.55', 'Database: the order of new runs and retries.', oldest),
      says('C.56', 'Database: filters by category.', filter, 'C-5'),
      says(
        'C.57',
        'Database: the state of retries survives.',
        restart('persistence over a restart: retries come when they are due, leases end'),
      ),
    ),
    section(
      'Log',
      says(
        'C.58',
        'A scheduled retry is logged with attempt and delay.',
        log,
        testsOf('packages/cli/src/start/start.test.ts')(
          'says what happens: the first attempt and retries, waits, success after a retry',
        ),
      ),
      says(
        'C.59',
        'It is logged when the attempts are used up.',
        program('says when the attempts are used up'),
      ),
      says('C.60', 'A retry that succeeds is logged.', log),
      says('C.61', 'First attempts and retries can be told apart.', log),
    ),
    section(
      'Deployment',
      says(
        'C.62',
        'The schema is changed by a migration.',
        testsOf('packages/sqlite/src/database/version-1.test.ts')(
          'two processes migrate a file of version 1 at once: its jobs, letters and pause stay',
        ),
      ),
      says('C.63', 'The database is made anew, and the code deployed.', 'C-6'),
    ),
  ],
};
