import { type SourceDocument, says, section, testsOf } from './statement.ts';

const program = testsOf('scripts/sources/seed-b.test.ts');
const onEveryDatabase = testsOf('packages/testkit/src/conformance/sweep.ts');
const inMongodb = testsOf('packages/mongodb/src/mongodb-documents.long.test.ts');
const service = testsOf('packages/durable/src/document/documents-on.test.ts');
const sweeps = testsOf('packages/durable/src/document/sweep-documents.test.ts');
const runs = testsOf('packages/durable/src/document/sweep-run.test.ts');
const pushed = testsOf('packages/cli/src/sweep/push-metrics.long.test.ts');
const command = testsOf('packages/cli/src/sweep/sweep.test.ts');
const tiers = testsOf('packages/durable/src/escalation/tiers.test.ts');
const escalated = testsOf('packages/cli/src/escalation/escalation.test.ts');
const deploy = testsOf('scripts/deploy-files.test.ts');
const stack = testsOf('scripts/stack/stack.long.test.ts');

const integration = onEveryDatabase('Integration Test');
const backoffTest = onEveryDatabase('Backoff Test');
const maxRetries = onEveryDatabase('Max Retries Test');
const attempts = program('the attempts of %s end at %i');
const stuck = program('a document that is %s');
const schedule = program('after %i attempts a document waits %i minutes');
const both = program('both must hold: the threshold and the back-off');
const eventOf = program('the event of %s is %s');
const untilProcessed = program('a document is stuck until it is processed, although it was sent');
const original = testsOf('packages/durable/src/document/original-event.test.ts');
const outage = testsOf('packages/durable/src/document/broker-outage.test.ts');
const once = program('a document is sent once, and its count rises by one');
const failed = program(
  'a document beyond its attempts is failed, logged at ERROR with all that is known, and counted',
);
const variable = program('%s has the default %i, and can be set');
const rule = program('%s has its threshold, time and severity');
const pattern = program('%s: the page has a program that does it twice, with one result');
const steps = program('the page of %s has the steps of its tier');
const begins = program('begin at no attempt and no time');
const optional = program('are optional: a document without them is sent, and has them then');
const metrics = testsOf('packages/telemetry/src/collect/sweeps.test.ts')(
  'the metrics of sweeps are those of the seed, from the first sweep on, and 0 when all is well',
);
const counted = testsOf('packages/telemetry/src/collect/sweeps.test.ts')(
  'sweeps are counted over all runs: requeued, beyond their attempts, failed runs',
);
const alertsFire = testsOf('scripts/alerts.test.ts')(
  'every alert fires, stays silent and resolves: promtool test rules',
);
const runbook = testsOf('scripts/alerts.test.ts')(
  'has a severity, a summary, a description and a runbook',
);
const panels = testsOf('scripts/dashboards.test.ts')(
  'Retry Policy Monitoring has the five panels, and stuck documents turn yellow at 50 and red at 200',
);
const returnsData = stack('%s, %s: %s returns data');
const atWebhook = stack(
  'a handler that dies and 60 stuck documents reach a webhook through Prometheus and Alertmanager',
);
const tier = tiers('the four tiers');
const response = tiers('the time for a response');
const acts = escalated('ack, snooze, assign and decide are in the log of show, by whom and why');
const procedures = testsOf('scripts/sweep-procedures-page.test.ts')(
  'every command of the procedures works: check, trigger, export, reset, purge',
);
const documents = command('documents: export, reset and requeue, archive, purge');
const kept = service(
  'fail keeps the sanitised error and publishes the failed event, and never touches the count',
);
const composeFile = deploy(
  'the compose file has every part, and names no service, volume or file that does not exist',
);
const byHand = deploy(
  '`docker compose run --rm retry-job` runs once and ends: the loop is a service of its own',
);
const composeVariables = deploy('retry-job has the variables of the retry policy');
const crash = testsOf('scripts/crash/sweep.long.test.ts')(
  'on %s, sweepers that are killed after each step or paused lose no document and send none twice',
);

export const seedB: SourceDocument = {
  letter: 'B',
  title: 'Retry of stuck documents',
  sections: [
    section(
      'Goals',
      says(
        'B.1',
        'Documents of transient failures recover without an operator.',
        outage('after an outage, attempts of one document are a window apart'),
        integration,
        once,
      ),
      says('B.2', 'Retries are bounded; none goes on for ever.', attempts, maxRetries),
      says('B.3', 'Retries are spaced exponentially.', schedule),
      says('B.4', 'Metrics and alerts show stuck and failed documents.', metrics, atWebhook),
      says('B.5', 'Retries are safe and give consistent results.', crash, pattern),
      says('B.6', 'There is a path of escalation beyond the limits.', tier, acts),
    ),
    section(
      'Tracking fields',
      says(
        'B.7',
        'Archives, messages, chunks and threads have tracking fields.',
        eventOf,
        attempts,
      ),
      says('B.8', '`attemptCount`: the attempts so far, 0 if never attempted.', begins, once),
      says('B.9', '`lastAttemptTime`: when the last attempt was, or null.', begins, optional),
      says('B.10', 'The fields are optional, for documents that exist already.', optional),
      says(
        'B.11',
        'They begin at 0 and null.',
        begins,
        service('initialise: pending, no attempt, no time, beside the fields of the document'),
      ),
      says(
        'B.12',
        'Services update them before each attempt.',
        service(
          'begin raises the count and sets the time, and a sweep finds the document a day later',
        ),
        'B-4',
      ),
      says(
        'B.13',
        'They are indexed.',
        inMongodb('is read by an index, without a sort, in both directions and behind a cursor'),
        runs('a collection above 10,000 documents is refused without its indexes'),
      ),
    ),
    section(
      'Limits',
      says('B.14', 'Archives have 3 attempts: corrupt files stay corrupt.', attempts),
      says('B.15', 'Messages have 3 attempts.', attempts),
      says('B.16', 'Chunks have 5 attempts: models and networks come back.', attempts),
      says('B.17', 'Threads have 5 attempts.', attempts),
      says('B.18', 'Stuck is what is pending or processing.', stuck),
      says(
        'B.19',
        'Stuck is what was last attempted more than 24 hours ago.',
        untilProcessed,
        stuck,
        'B-2',
      ),
      says('B.20', 'Stuck is what has attempts left.', attempts, 'B-5'),
      says(
        'B.21',
        'A document is sent only if it is stuck and its back-off has passed.',
        both,
        'B-3',
      ),
    ),
    section(
      'Back-off',
      says('B.22', 'The delay is base × 2^(count-1), at most the maximum.', schedule, 'B-1'),
      says('B.23', 'The base is 5 minutes, the maximum 60 minutes.', variable, schedule),
      says('B.24', 'The first retry is immediate.', schedule, 'B-1'),
      says('B.25', 'Attempt 2 follows after 10 minutes.', schedule, 'B-1'),
      says('B.26', 'Attempt 3 follows after 20 minutes.', schedule),
      says('B.27', 'Attempt 4 follows after 40 minutes.', schedule),
      says('B.28', 'Attempt 5 follows after 60 minutes, the cap.', schedule, 'B-1'),
      says(
        'B.29',
        'Before sending, the time of the last attempt plus the delay is compared with now.',
        schedule,
        sweeps('waits for the back-off: 10 minutes after the second attempt, due at equality'),
      ),
    ),
    section(
      'The retry job',
      says('B.30', 'It is the service `retry-job` of a compose file.', composeFile, byHand, 'B-15'),
      says(
        'B.31',
        'It needs clients of MongoDB and RabbitMQ.',
        testsOf('scripts/sweep-mongodb-rabbitmq.long.test.ts')(
          'sweeps of MongoDB, with RabbitMQ as bus',
        ),
        'G-10',
      ),
      says(
        'B.32',
        'It runs every 15 minutes, which is configurable.',
        variable,
        runs('runs as a schedule, one run at a time'),
      ),
      says('B.33', 'It depends on the database and the broker.', composeFile),
      says(
        'B.34',
        'It queries documents that are pending or processing, below their attempts, and never attempted or attempted before the threshold.',
        stuck,
        attempts,
      ),
      says('B.35', 'It skips documents whose next attempt is not due.', schedule, backoffTest),
      says(
        'B.36',
        'It raises the count and sets the time of the attempt.',
        integration,
        once,
        'B-6',
      ),
      says(
        'B.37',
        'It publishes the original event.',
        original(
          'the event in the field of the document: original data, a new id, and retry_sweep',
        ),
        original(
          'the newest stored event, once for all of its documents: each of them is counted by it',
        ),
        original('the template, where the document has neither: lists and nested objects'),
        eventOf,
        'B-7',
      ),
      says('B.38', 'The event of archives is `ArchiveIngested`.', eventOf),
      says('B.39', 'The event of messages is `JSONParsed`.', eventOf),
      says('B.40', 'The event of chunks is `ChunksPrepared`.', eventOf),
      says('B.41', 'The event of threads is `SummarizationRequested`.', eventOf),
      says(
        'B.42',
        'It counts what it sent by collection, and observes its duration.',
        testsOf('packages/cli/src/sweep/sent-events.test.ts')(
          'redrive start counts the events of documents that the broker has confirmed',
        ),
        integration,
        counted,
      ),
      says(
        'B.43',
        'Documents beyond their attempts get the status `failed_max_retries`.',
        failed,
        maxRetries,
        'B-5',
      ),
      says(
        'B.44',
        'They are logged at ERROR with id, type, last attempt, count and error.',
        failed,
      ),
      says('B.45', 'They are counted by collection.', failed, counted),
      says('B.46', 'More than 10 in an hour raise an alert.', rule, alertsFire),
      says(
        'B.47',
        'Counting and sending are two steps, between which it can crash.',
        outage('a broker outage of 40 s alone uses up no attempt, and fails no document'),
        'B-6',
        crash,
      ),
      says(
        'B.48',
        'Several retry jobs may run.',
        'B-8',
        sweeps('two sweepers send each document once'),
      ),
    ),
    section(
      'Metrics',
      says(
        'B.49',
        'The job pushes its metrics to a Pushgateway.',
        pushed(
          'sweep run --once pushes at its end; totals go on over runs, and nothing of an earlier push is left',
        ),
        stack('the Pushgateway has the numbers of the sweeps, under the same names as the worker'),
        'B-9',
      ),
      says('B.50', '`retry_job_documents_requeued_total`, by collection.', metrics, counted),
      says(
        'B.51',
        '`retry_job_documents_skipped_backoff_total`, by collection.',
        metrics,
        backoffTest,
      ),
      says(
        'B.52',
        '`retry_job_documents_max_retries_exceeded_total`, by collection.',
        metrics,
        counted,
      ),
      says('B.53', '`retry_job_runs_total`, by status `success` or `failure`.', metrics, counted),
      says('B.54', '`retry_job_errors_total`, by type of error.', metrics, counted),
      says(
        'B.55',
        '`retry_job_stuck_documents`, by collection: the stuck documents now.',
        untilProcessed,
        metrics,
        atWebhook,
        'B-2',
      ),
      says(
        'B.56',
        '`retry_job_failed_documents`, by collection: the failed documents now.',
        metrics,
        failed,
      ),
      says('B.57', '`retry_job_duration_seconds`, a histogram without labels.', metrics),
    ),
    section(
      'Alerts',
      says(
        'B.58',
        'The rules are a file of Prometheus.',
        testsOf('scripts/alerts.test.ts')('promtool finds no fault in the rules'),
      ),
      says(
        'B.59',
        '`StuckDocumentsWarning`: more than 50 for an hour, warning.',
        rule,
        alertsFire,
        atWebhook,
      ),
      says(
        'B.60',
        '`MaxRetriesExceededCritical`: more than 10 per hour for 15 minutes, critical.',
        rule,
        alertsFire,
        'B-9',
      ),
      says(
        'B.61',
        '`RetryJobFailed`: a failed run, for 5 minutes, warning.',
        rule,
        alertsFire,
        'B-9',
      ),
      says(
        'B.62',
        'Alerts have a summary and a description with collection and number.',
        runbook,
        program('the description of %s has the collection and the number'),
      ),
    ),
    section(
      'Dashboard',
      says('B.63', 'The dashboard is called `Retry Policy Monitoring`.', panels),
      says(
        'B.64',
        'Stuck documents: a gauge by collection, warning at 50, critical at 200.',
        panels,
        returnsData,
      ),
      says('B.65', 'Retry rate: a graph by collection.', panels, returnsData),
      says(
        'B.66',
        'Max retries exceeded: a counter, with an alert when it rises.',
        panels,
        returnsData,
        rule,
      ),
      says('B.67', 'Backoff skipped: a graph.', panels, returnsData),
      says('B.68', 'Job duration: a histogram.', panels, returnsData),
    ),
    section(
      'Escalation',
      says(
        'B.69',
        'Tier 1, 0 to 24 hours: the job retries by itself; nobody has to respond.',
        tier,
        'B-10',
      ),
      says('B.70', 'Tier 2: stuck for more than 24 hours, or more than 50 stuck.', tier, 'B-10'),
      says(
        'B.71',
        'Tier 2 is investigated by the platform team within 4 business hours.',
        response,
        testsOf('packages/config/src/settings/escalation-settings.test.ts')(
          'the four tiers are data, and can be changed in the file',
        ),
      ),
      says(
        'B.72',
        'Tier 2: look at health and deployments, look for patterns, escalate.',
        steps,
        'B-11',
      ),
      says('B.73', 'Tier 3: documents have used up their attempts.', tier),
      says('B.74', 'Tier 3 is answered by the service team within an hour.', response),
      says(
        'B.75',
        'Tier 3: find the cause, mend it, decide to requeue or purge, and note the decision.',
        steps,
        acts,
        escalated('the command that decide prints for %s runs'),
      ),
      says(
        'B.76',
        'Tier 4: more than 1000 failed, or stuck for more than 7 days.',
        tier,
        rule,
        testsOf('packages/cli/src/escalation/escalation.test.ts')(
          'the tiers of the file are those of the library',
        ),
      ),
      says(
        'B.77',
        'Tier 4 is answered by the engineering lead at once, and resolved within 24 hours.',
        response,
        testsOf('packages/durable/src/escalation/look-at-escalations.test.ts')(
          'tier 4 is overdue when it is not resolved in time, and an answer ends the wait for a response',
        ),
      ),
      says(
        'B.78',
        'Tier 4: declare an incident, assemble a team, find the cause, mend, and learn from it.',
        steps,
        'B-11',
      ),
      says(
        'B.79',
        'A tier is notified.',
        testsOf('packages/cli/src/escalation/start-notifies.long.test.ts')(
          'redrive start looks and notifies a webhook when escalation is configured',
        ),
        testsOf('scripts/alerts-routes.test.ts')('every alert goes to the receiver of its tier'),
      ),
    ),
    section(
      'Procedures',
      says(
        'B.80',
        'Stuck documents can be counted in the database.',
        command('stuck list and explain say what the next sweep does, and why nothing is sent'),
        procedures,
        'B-2',
      ),
      says('B.81', 'Stuck documents can be seen in Grafana.', returnsData),
      says(
        'B.82',
        'Stuck documents can be queried in Prometheus by collection.',
        atWebhook,
        returnsData,
      ),
      says(
        'B.83',
        'The job can be run by hand, once.',
        byHand,
        procedures,
        command('sweep run --once: sends, prints a table and the numbers'),
      ),
      says(
        'B.84',
        'A failed queue can be requeued.',
        testsOf('scripts/failed-queue-page.long.test.ts')(
          'the how-to about failed queues does what it says',
        ),
      ),
      says('B.85', 'Failed documents can be exported into a file.', procedures, documents),
      says(
        'B.86',
        'Corrupt documents are purged, repaired ones requeued, others left alone.',
        acts,
        documents,
      ),
      says(
        'B.87',
        'A reset makes failed documents pending, with no attempt and no time.',
        procedures,
        documents,
      ),
      says('B.88', 'A purge deletes failed documents.', procedures, documents),
    ),
    section(
      'Tests',
      says(
        'B.89',
        'Integration: a new document is counted, its time set, its event published, the metric raised.',
        integration,
      ),
      says(
        'B.90',
        'Back-off: with 2 attempts, 5 minutes ago, it is skipped; 10 minutes later it is sent.',
        backoffTest,
        'B-3',
      ),
      says(
        'B.91',
        'Limit: with 3 attempts an archive is failed, alerts and is counted.',
        maxRetries,
        alertsFire,
      ),
    ),
    section(
      'Services',
      says(
        'B.92',
        'A service inserts documents as pending, with no attempt and no time.',
        service('initialise: pending, no attempt, no time, beside the fields of the document'),
      ),
      says(
        'B.93',
        'It raises the count and sets the time before it processes.',
        service(
          'begin raises the count and sets the time, and a sweep finds the document a day later',
        ),
        service('begin does not raise the count where the event says that a sweep sent it'),
        'B-4',
      ),
      says(
        'B.94',
        'On success it sets the status `processed`.',
        service('succeed: done, without its error, and only once; a status of the owner stays'),
      ),
      says('B.95', 'On failure it leaves the count alone, and publishes its failed event.', kept),
      says(
        'B.96',
        'Services in any language keep the fields the same way.',
        testsOf('scripts/document-protocol.test.ts')(
          'the statements of the protocol do what documentsOn does, in every status',
        ),
      ),
    ),
    section(
      'Idempotency',
      says('B.97', 'Parsing skips what is parsed.', pattern, 'B-12'),
      says('B.98', 'Chunking ignores duplicate keys.', pattern, 'B-12'),
      says('B.99', 'Embedding upserts.', pattern, 'B-12'),
      says('B.100', 'Summarization looks for a summary before it makes one.', pattern, 'B-12'),
    ),
    section(
      'Environment',
      says('B.101', '`RETRY_JOB_INTERVAL_SECONDS`: 900.', variable),
      says('B.102', '`RETRY_JOB_BASE_DELAY_SECONDS`: 300.', variable),
      says('B.103', '`RETRY_JOB_MAX_DELAY_SECONDS`: 3600.', variable),
      says('B.104', '`RETRY_JOB_STUCK_THRESHOLD_HOURS`: 24.', variable),
      says('B.105', '`RETRY_JOB_MAX_ATTEMPTS_ARCHIVES` and `_MESSAGES`: 3.', variable),
      says('B.106', '`RETRY_JOB_MAX_ATTEMPTS_CHUNKS` and `_THREADS`: 5.', variable),
      says(
        'B.107',
        'The variables are for documents only.',
        testsOf('packages/config/src/environment/precedence.test.ts')(
          'of documents reach the documents and their sweeps, and nothing else',
        ),
      ),
    ),
    section(
      'Compose file',
      says(
        'B.108',
        'The service waits for database, broker and Pushgateway.',
        program(
          'the loop of retry jobs in the compose file restarts unless it is stopped, and waits for its servers',
        ),
      ),
      says(
        'B.109',
        'Host, port, database, user and password of MongoDB are variables.',
        composeVariables,
        testsOf('packages/config/src/environment/read-servers.test.ts')(
          'names the database and the broker of collections that name none',
        ),
      ),
      says(
        'B.110',
        'Host, port, user and password of RabbitMQ are variables.',
        composeVariables,
        testsOf('packages/config/src/environment/read-servers.test.ts')(
          'names the database and the broker of collections that name none',
        ),
      ),
      says(
        'B.111',
        '`METRICS_BACKEND` and `PUSHGATEWAY_URL` choose where metrics go.',
        composeVariables,
        pushed(
          'sweep run --once pushes at its end; totals go on over runs, and nothing of an earlier push is left',
        ),
      ),
      says(
        'B.112',
        'It restarts unless it is stopped.',
        program(
          'the loop of retry jobs in the compose file restarts unless it is stopped, and waits for its servers',
        ),
      ),
    ),
    section(
      'Enhancements',
      says('B.113', 'The last error is kept in the document.', kept),
      says(
        'B.114',
        'Critical documents, such as recent ones, come first.',
        sweeps('gives newer documents a higher priority, whatever their database keeps times as'),
        sweeps('gives documents with a higher number a higher priority'),
      ),
      says(
        'B.115',
        'Back-off follows the health of dependencies.',
        runs(
          'dynamic back-off: backs off longer while less than half of the documents of the last sweep are done',
        ),
        'B-13',
      ),
      says(
        'B.116',
        'Operators schedule retries of documents.',
        command('sweep schedule and stuck release send a document whatever its back-off is'),
      ),
      says('B.117', 'Failed documents move into an archive.', documents),
      says(
        'B.118',
        'Patterns of failures are found, and mends suggested.',
        testsOf('packages/cli/src/dlq/causes.test.ts')(
          'each group with the dimension that sets it apart, its counts on both sides, and a suggestion',
        ),
        'B-14',
      ),
    ),
  ],
};
