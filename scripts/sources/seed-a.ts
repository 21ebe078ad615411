import { type SourceDocument, type Statement, says, section, testsOf } from './statement.ts';

const program = testsOf('scripts/sources/seed-a.test.ts');
const matrix = testsOf('packages/core/src/manager/categories.test.ts')('$name has its numbers');
const category = testsOf('packages/core/src/manager/categories.test.ts');
const manager = testsOf('packages/core/src/manager/retry-manager.test.ts');
const keys = testsOf('packages/core/src/ledger/idempotency-manager.test.ts');
const vectors = testsOf('packages/core/src/idempotency/idempotency-key.test.ts');
const golden = testsOf('packages/core/src/records/renderings.test.ts');
const log = testsOf('scripts/categories.test.ts');
const formats = testsOf('packages/cli/src/audit/formats.test.ts');
const contention = testsOf('packages/core/src/backoff/contention.test.ts')(
  'of $clients clients: $policy',
);
const jitter = testsOf('packages/core/src/backoff/jitter.test.ts');
const replayed = testsOf('packages/core/src/run/replay.test.ts');
const auditSink = testsOf('packages/durable/src/audit/audit-sink.test.ts');
const inNats = testsOf('packages/nats/src/kv-ledger.test.ts');
const inSqlite = testsOf('packages/sqlite/src/once-processes.test.ts');
const auditList = testsOf('packages/cli/src/audit/rendered-events.test.ts');

const exhausted = program(
  'ends after its attempts, with an audit event for each failure and one for the end',
);
const together = program(
  'without jitter callers that failed together retry together, with jitter they do not',
);
const exponential = program('is base * multiplier^(n-1), and at most the maximum');
const fourDelays = program(
  'the delays of attempts 1 to 4 are 1, 2, 4 and 8 s, each at most a tenth away',
);
const failFast = program('fails at once and unchanged: %s');
const hit = program('answers a second call with the stored result, without running, also of null');
const afterFailure = program('stores successful results only: after a failure it runs again');
const sha = program('is the SHA-256 of the canonical form of four members, in hex');
const sameKey = program('is the same for the same parameters in any order, and another for others');
const defaultOf = program('the default of %s');
const covered = program('every branch of %s is covered, or the run fails');
const theExample = log(
  'the example: one call of each category, the kill switch in KV, and their audit events in the log',
);
const theAdapters = log(
  'the adapters: connect, publish, subscribe, declare and KV calls leave the events of their categories',
);
const recordAndHit = manager('runs once per key, and tells of the record and the hit');
const sample = golden('%s holds a sample of the shape, and ours differs by what stands after it');
const decided = replayed('can be decided again from its records, through JSON');
const durableResults = inNats('results survive a kill of the server, and max_age is the retention');

/** Number for number: attempts, base and longest delay in seconds. */
function row(id: string, name: string, attempts: number, waits: string, use: string): Statement {
  const text = `\`${name}\`, for ${use}: attempts ${attempts}, ${waits}, ×2, ±10 %.`;
  return says(id, text, matrix);
}

export const seedA: SourceDocument = {
  letter: 'A',
  title: 'Retry policies and idempotency',
  sections: [
    section(
      'Overview',
      says(
        'A.1',
        'Retries are finite, follow a policy, have jitter and leave an audit trail.',
        exhausted,
        together,
      ),
      says(
        'A.2',
        'Durable idempotency keys keep retries from repeating an effect.',
        durableResults,
        inSqlite('runs once for a hundred callers in two processes'),
        'A-7',
      ),
      says(
        'A.3',
        'Each failed attempt and each give-up is an audit event with a fixed category code.',
        theExample,
      ),
    ),
    section(
      'Categories',
      says(
        'A.4',
        'There are 17 categories: four of NATS, four of KV, three of execution, two each of approval, replay and API.',
        category('are all there, and no others'),
      ),
      says(
        'A.5',
        'A category has a short name (`KV_GET`) and a code (`RETRY_KV_GET`).',
        category('finds $name by its code and by its name'),
      ),
      says(
        'A.6',
        'The codes of replay are `REPLAY_REPLAY_PROCESSING` and `REPLAY_REPLAY_VALIDATION`.',
        'A-1',
        category('finds the old spelling %s'),
      ),
    ),
    section(
      'A policy and its defaults',
      says('A.7', '`max_attempts`: 3.', defaultOf, 'G-1'),
      says('A.8', '`base_delay`: 1 s.', defaultOf, 'G-2'),
      says('A.9', '`max_delay`: 30 s.', defaultOf),
      says('A.10', '`backoff_multiplier`: 2.', defaultOf),
      says('A.11', '`jitter_enabled`: yes, against thundering herds.', defaultOf),
      says('A.12', '`jitter_factor`: 0.1, which is ±10 %.', defaultOf, fourDelays),
      says(
        'A.13',
        '`retryable_exceptions`: all.',
        program('by default an error of any kind is retried: %o'),
        'G-7',
      ),
      says('A.14', '`non_retryable_exceptions`: none.', defaultOf),
    ),
    section(
      'The idempotency manager',
      says(
        'A.15',
        'It computes a key from operation, tenant, correlation id and further parameters.',
        sha,
      ),
      says(
        'A.16',
        'It looks a key up, and answers with the stored result if there is one.',
        keys('finds a recorded %j'),
      ),
      says(
        'A.17',
        'It stores a result under a key, with metadata.',
        keys('keeps recordResult’s metadata in the ledger’s entry, without a session, masked'),
      ),
      says(
        'A.18',
        'It forgets a key on request.',
        keys('forgets a cleared key'),
        program('runs again after its key was cleared'),
      ),
    ),
    section(
      'The retry manager',
      says(
        'A.19',
        'It answers with the policy of a category, which may be a member of the list or a text.',
        program('a category may be given as a member of the list or as a text'),
      ),
      says(
        'A.20',
        'It runs an operation under its category, and takes a policy of the caller instead.',
        manager('runs an operation under the policy of its category'),
        manager('takes a policy instead, under the same category'),
      ),
      says('A.21', 'A call may have an idempotency key.', recordAndHit),
      says(
        'A.22',
        'A call may have tenant, correlation id, trace id and further context, which its events carry.',
        manager('has the fields of `audit/v1`, in their order, and ours in one object at the end'),
        manager('carries the additional context in its records'),
      ),
    ),
    section(
      'The matrix',
      row('A.23', 'NATS_CONNECT', 5, '1 s to 30 s', 'connecting'),
      row('A.24', 'NATS_PUBLISH', 3, '0.5 s to 10 s', 'publishing messages'),
      row('A.25', 'NATS_SUBSCRIBE', 3, '0.5 s to 10 s', 'subscribing'),
      row('A.26', 'NATS_STREAM_CREATE', 2, '2 s to 60 s', 'creating streams'),
      row('A.27', 'KV_CREATE', 2, '1 s to 30 s', 'creating buckets'),
      row('A.28', 'KV_GET', 3, '0.5 s to 10 s', 'reading values'),
      row('A.29', 'KV_PUT', 3, '0.5 s to 10 s', 'storing values'),
      row('A.30', 'KV_DELETE', 2, '1 s to 30 s', 'deleting values'),
      row('A.31', 'EXECUTION_INTENT', 2, '2 s to 60 s', 'executing intents'),
      row('A.32', 'EXECUTION_CONTAINMENT', 2, '2 s to 60 s', 'containment'),
      row('A.33', 'EXECUTION_EXPIRATION', 1, '1 s to 30 s', 'batches'),
      row('A.34', 'APPROVAL_CHECK', 3, '1 s to 30 s', 'checking approvals'),
      row('A.35', 'APPROVAL_GRANT', 2, '2 s to 60 s', 'granting approvals'),
      row('A.36', 'REPLAY_PROCESSING', 1, '1 s to 30 s', 'large replays'),
      row('A.37', 'REPLAY_VALIDATION', 2, '1 s to 30 s', 'validating replays'),
      row('A.38', 'API_REQUEST', 3, '1 s to 30 s', 'calls of an API'),
      row('A.39', 'API_VALIDATION', 2, '0.5 s to 10 s', 'validating input'),
    ),
    section(
      'The flow of a call',
      says(
        'A.40',
        'The key is looked up first; a stored result is the answer, and nothing runs.',
        hit,
      ),
      says('A.41', 'A stored result counts if it is not nothing.', 'A-5', hit),
      says(
        'A.42',
        'Looking up and running are two steps.',
        'A-6',
        inSqlite('runs once for a hundred callers in two processes'),
      ),
      says('A.43', 'Attempts are counted from 1 to the maximum.', exhausted, 'G-1'),
      says(
        'A.44',
        'Each attempt awaits the operation.',
        'A-3',
        program('an operation is a function that is called again for each attempt'),
      ),
      says('A.45', 'A success is stored under the key, and is the answer.', recordAndHit),
      says('A.46', 'An error that is not retryable comes out as it is.', failFast),
      says('A.47', 'After a retryable failure the delay is computed and waited for.', exponential),
      says(
        'A.48',
        'When the attempts are used up, an audit event of exhaustion is emitted.',
        exhausted,
      ),
      says(
        'A.49',
        'Then an error with category, attempts and operation is raised.',
        program('ends with an error that has category, attempts and operation'),
      ),
    ),
    section(
      'Idempotency protection',
      says(
        'A.50',
        'The key covers operation, tenant, correlation id and parameters; what is absent counts as empty.',
        sha,
        program('takes an absent tenant, correlation id and parameters for empty ones'),
      ),
      says(
        'A.51',
        'It is a SHA-256 in hex of a sorted text of them.',
        sha,
        vectors('agrees with the vector: $name'),
        'A-4',
      ),
      says(
        'A.52',
        'Storage in memory is for tests and development.',
        manager('works with the machine’s clock, no sink and its own ledger'),
      ),
      says('A.53', 'Storage can be a durable KV bucket.', durableResults),
      says('A.54', 'Tests can clear a key by hand.', keys('forgets a cleared key')),
      says('A.55', 'A hit returns the stored result and runs nothing.', hit),
      says('A.56', 'Successful results are stored, failures are not.', afterFailure),
      says('A.57', 'Hits and stored results are `idempotency` audit events.', recordAndHit),
    ),
    section(
      'Back-off and jitter',
      says(
        'A.58',
        'The delay after failed attempt n is base × multiplier^(n-1).',
        exponential,
        'G-3',
      ),
      says('A.59', 'It is capped at the maximum.', exponential),
      says(
        'A.60',
        'Jitter adds a uniform number of ± delay × factor, after the cap.',
        program(
          'jitter fills its band evenly on both sides, also where it is as large as the delay',
        ),
        jitter('passes the cap for proportional jitter only, and then by its factor'),
        'G-4',
      ),
      says(
        'A.61',
        'A delay is never below 0.',
        program(
          'jitter fills its band evenly on both sides, also where it is as large as the delay',
        ),
      ),
      says('A.62', 'Jitter keeps callers that failed together from retrying together.', together),
      says('A.63', 'Jitter spreads the load over time.', contention),
      says('A.64', 'Jitter reduces storms: contending clients need fewer calls.', contention),
      says('A.65', 'Attempt 1: 1 s ± 0.1 s.', fourDelays),
      says('A.66', 'Attempt 2: 2 s ± 0.2 s.', fourDelays),
      says('A.67', 'Attempt 3: 4 s ± 0.4 s.', fourDelays),
      says('A.68', 'Attempt 4: 8 s ± 0.8 s.', fourDelays),
    ),
    section(
      'Classification',
      says(
        'A.69',
        'Without lists every error is retried.',
        program('by default an error of any kind is retried: %o'),
        'G-7',
      ),
      says('A.70', 'An error of the list of final errors fails fast.', failFast),
      says('A.71', 'The list of final errors is looked at first.', failFast),
      says('A.72', 'Then the list of retryable errors.', program('is retried: %s')),
      says('A.73', 'An error that neither list has is retried.', program('is retried: %s'), 'G-7'),
      says('A.74', 'An error in both lists is retried, according to an example.', 'A-2', failFast),
    ),
    section(
      'Audit events',
      says(
        'A.75',
        '`retry_attempt` has category, operation, attempt and maximum, delay in seconds, type and message of the error, tenant, correlation id, trace id and time.',
        sample,
        theExample,
        'G-8',
      ),
      says(
        'A.76',
        '`retry_exhausted` has the attempts in total and the last error.',
        sample,
        theExample,
      ),
      says(
        'A.77',
        '`idempotency` has the key and the action, `hit` or `record`.',
        sample,
        theExample,
      ),
    ),
    section(
      'Testing strategy',
      says(
        'A.78',
        'Unit: configuration of policies is validated.',
        program('a policy with a wrong value is refused before the first attempt'),
      ),
      says(
        'A.79',
        'Unit: operations of the idempotency manager.',
        keys('finds a recorded %j'),
        keys('forgets a cleared key'),
      ),
      says('A.80', 'Unit: the manager finds policies.', matrix),
      says(
        'A.81',
        'Unit: success without a retry.',
        testsOf('packages/core/src/run/retry.test.ts')(
          'answers with what the first attempt returns, and sets no timer',
        ),
      ),
      says('A.82', 'Unit: exhaustion, where all attempts fail.', exhausted),
      says('A.83', 'Unit: back-off and jitter.', exponential, fourDelays),
      says('A.84', 'Unit: classification.', failFast, program('is retried: %s')),
      says('A.85', 'Integration: NATS clients.', theAdapters),
      says(
        'A.86',
        'Integration: KV operations.',
        theAdapters,
        inNats('calls to the bucket run under their categories'),
      ),
      says('A.87', 'Integration: execution operations.', theExample),
      says('A.88', 'Integration: audit events are emitted.', theExample),
      says(
        'A.89',
        'Negative: exhaustion is an error that callers can handle.',
        program('ends with an error that has category, attempts and operation'),
      ),
      says('A.90', 'Negative: final errors.', failFast),
      says('A.91', 'Negative: hits and records of keys.', hit, afterFailure),
      says('A.92', 'Negative: the delay stops at its maximum.', exponential),
      says('A.93', 'Negative: jitter stays in its range.', fourDelays),
      says(
        'A.94',
        'Retry logic, keys, back-off, classification, audit and error handling are covered to 100 %.',
        covered,
        'A-11',
      ),
    ),
    section(
      'Properties',
      says('A.95', 'Attempts are bounded by the policy.', exhausted),
      says('A.96', 'Delays grow exponentially, against hammering.', exponential),
      says('A.97', 'Random delays keep retries apart.', together),
      says('A.98', 'Final errors fail at once.', failFast),
      says(
        'A.99',
        'Keys prevent double effects.',
        inSqlite('runs once for a hundred callers in two processes'),
        inSqlite('frees a key when the lease of a holder that was killed is over'),
      ),
      says(
        'A.100',
        'The same parameters give the same key.',
        sameKey,
        vectors('agrees with the vector: $name'),
      ),
      says(
        'A.101',
        'Stored results are answered consistently.',
        keys('keeps the first result'),
        testsOf('packages/core/src/ledger/once.test.ts')(
          'runs once for a hundred callers at once and answers all of them',
        ),
      ),
      says(
        'A.102',
        'All operations on keys are auditable.',
        keys('tells the sink of hits and stored results of a session'),
        theExample,
      ),
      says(
        'A.103',
        'No retry loop is endless.',
        exhausted,
        testsOf('scripts/lab/invariants/check-seeds.test.ts')(
          '200 random ladders keep all nine invariants',
        ),
      ),
      says(
        'A.104',
        'Back-off and jitter save resources.',
        contention,
        testsOf('packages/core/src/budget/overload.test.ts')(
          'a budget for the dependency keeps a dead minute below 1.1 times the plain load',
        ),
      ),
      says(
        'A.105',
        'All retries are logged and audited.',
        theExample,
        testsOf('packages/durable/src/audit/verify.test.ts')(
          'a log that nobody has touched is sound, and 10,000 decisions are what they were',
        ),
      ),
      says(
        'A.106',
        'Decisions are deterministic and can be replayed.',
        decided,
        auditSink('the decisions of sessions in process are in the log, and can be made again'),
      ),
    ),
    section(
      'Procedures',
      says(
        'A.107',
        'A critical operation can have a policy of 5 attempts, 2 s to 60 s, ×1.5, ±20 %.',
        program('a custom policy: 5 attempts, 2 s to 60 s, factor 1.5, ±20 %'),
      ),
      says(
        'A.108',
        'The process shares one manager.',
        testsOf('packages/core/src/manager/own-categories.test.ts')(
          'getRetryManager: one manager for the process, with the options of the first call',
        ),
      ),
      says('A.109', 'A key is computed from named parts, such as the name of a switch.', sha),
      says(
        'A.110',
        'The audit stream can be filtered by the type of event.',
        formats('audit list --format audit/v1 prints the audit events'),
        auditList('audit list --event retry_attempt: the names of the renderings are filters'),
        auditList('records of calls in process are found by the same names'),
      ),
      says(
        'A.111',
        'A high rate of retries per minute raises an alert.',
        testsOf('packages/cli/src/start/retry-rate-alert.long.test.ts')(
          '600 retries beside 600 jobs fire RedriveRetryRateHigh in a real Prometheus, above the threshold of redrive.yaml',
        ),
        testsOf('scripts/alerts.test.ts')(
          'every alert fires, stays silent and resolves: promtool test rules',
        ),
      ),
      says(
        'A.112',
        'Per category, the audit stream gives attempts in total, success rate and average attempts.',
        testsOf('packages/cli/src/metrics/by-dimension.test.ts')(
          "seed A's analysis of all 17 categories in one command: metrics show --by category",
        ),
      ),
    ),
    section(
      'Rules',
      says('A.113', 'R0: contracts of version 1 are immutable.', sample, 'G-8'),
      says(
        'A.114',
        'R1: every I/O operation has an explicit timeout.',
        testsOf('packages/postgres/src/stalled-network.test.ts')(
          'lets every call end in time, on connections that are open, and works again afterwards',
        ),
        testsOf('packages/nats/src/broken-connection.test.ts')(
          'a stalled connection does not hold up stop and close',
        ),
        testsOf('packages/rabbitmq/src/broken-connection.long.test.ts')(
          'a stalled connection does not hold up stop and close',
        ),
        testsOf('packages/sqlite/src/thread/thread.test.ts')(
          'that does not answer in time is not waited for, and its late answer goes nowhere',
        ),
        testsOf('packages/durable/src/http/safe-request.test.ts')(
          'fails at its time limit, whether the server or the name server is silent',
        ),
        testsOf('packages/telemetry/src/push/push-sweeps.test.ts')(
          'a Pushgateway or a store that does not answer is given up after the timeout',
        ),
        testsOf('packages/mongodb/src/mongodb-documents.long.test.ts')(
          'of a server that is away is documents_unavailable, within the limit',
        ),
        'A-10',
      ),
      says(
        'A.115',
        'R2: retries are finite, follow a policy, have jitter and are audited.',
        exhausted,
        together,
      ),
      says('A.116', 'R2: retries are idempotent, protected by durable keys.', durableResults),
      says(
        'A.117',
        'R3: nothing is dropped silently; a give-up is an event.',
        exhausted,
        auditSink('what the store does not take is counted, and noted when it is back'),
      ),
      says(
        'A.118',
        'R6: every retry has a fixed reason code.',
        theExample,
        auditSink('the decisions of sessions in process are in the log, and can be made again'),
      ),
      says(
        'A.119',
        'R7: classification is deterministic; chance stays out of the core.',
        testsOf('packages/core/src/decide/decide.property.test.ts')(
          'is pure: equal input, equal answer, and the input stays as it is',
        ),
        testsOf('packages/core/src/classify/classify.test.ts')('always means the same'),
      ),
    ),
    section(
      'Replay',
      says(
        'A.120',
        'Decisions are recorded in audit events.',
        auditSink('the decisions of sessions in process are in the log, and can be made again'),
        'A-9',
      ),
      says(
        'A.121',
        'Policies can be replayed.',
        testsOf('packages/cli/src/audit/audit.test.ts')(
          'every step: what was given, what decide answers, what was recorded',
        ),
        decided,
      ),
      says(
        'A.122',
        'Attempts are bounded and predictable.',
        testsOf('packages/core/src/run/determinism.test.ts')(
          'draws the waits that its id and the policy say',
        ),
      ),
      says('A.123', 'Keys can be computed again.', vectors('agrees with the vector: $name')),
      says('A.124', 'Stored results survive restarts.', durableResults, 'A-7'),
      says(
        'A.125',
        'Idempotency is the same in every execution.',
        testsOf('packages/nats/src/kv-ledger.test.ts')(
          'in 160 orders of crash, pause and late retry, an effect whose other side knows the key happens once',
        ),
      ),
      says('A.126', 'Every attempt is audited with its full context.', theExample),
      says('A.127', 'Exhaustion is recorded with the final state.', exhausted),
      says('A.128', 'Hits and records of keys are tracked.', recordAndHit),
    ),
    section(
      'Next steps',
      says(
        'A.129',
        'The other components retry by the framework: clients, the audit log, what executes work.',
        theAdapters,
        auditSink('what the store does not take is counted, and noted when it is back'),
        testsOf('packages/durable/src/worker/retry-workflow.test.ts')('retry workflow end to end'),
      ),
      says('A.130', 'Keys are kept in JetStream KV.', durableResults),
      says(
        'A.131',
        'Retries are monitored and alert.',
        testsOf('scripts/alerts.test.ts')(
          'every alert fires, stays silent and resolves: promtool test rules',
        ),
      ),
      says(
        'A.132',
        'Policies are tuned by operational figures.',
        testsOf('packages/cli/src/policy/recommend.test.ts')(
          'it prints a file with the policy, which is valid, then the effect and the tables behind it',
        ),
        testsOf('packages/cli/src/policy/backtest.test.ts')(
          'a planted worse policy is reported as worse, a better one as better, with the limits',
        ),
      ),
      says(
        'A.133',
        'Procedures are documented, and do what they say.',
        testsOf('scripts/try-a-policy-page.test.ts')(
          'the how-to does what it says: review, simulate, back-test, replay, a table, reload',
        ),
        testsOf('packages/cli/src/on-call.test.ts')('the how-to for on-call does what it says'),
      ),
      says('A.134', 'One of its operations reads the state of a kill switch.', 'A-8', theExample),
    ),
  ],
};
