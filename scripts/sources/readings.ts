/** How the source documents are read where they are open, disagree, or speak of a program of their own. */
export const READINGS: Readonly<Record<string, string>> = {
  'G-1': '`max_attempts` counts the first attempt, everywhere.',
  'G-2':
    'Delays in configuration files and in records are seconds. In code they are milliseconds, and the name says so. The environment variables of document E keep their own units.',
  'G-3':
    'The wait after failed attempt n: exponential base × multiplier^(n-1), linear base × n, fixed base, immediate 0. `immediate_first_retry` makes the first wait 0 and leaves the others. Waits are whole milliseconds.',
  'G-4':
    'The cap comes first, then jitter, so that the cap does not undo the jitter. Proportional jitter (±) may therefore pass the cap by its factor.',
  'G-5':
    'With amount a from 0 to 1 and a capped delay d: `full` is uniform from d(1-a) to d, `equal` from d(1-a/2) to d, `proportional` from d(1-a) to d(1+a). `decorrelated` is uniform from the base to the smaller of the cap and three times the wait before, and has no amount.',
  'G-7':
    'Tables of errors (Node, HTTP, databases, brokers, AWS, gRPC) are in force everywhere. An error that no table and no list knows is retryable, except errors of the programmer, such as a ReferenceError. In event handlers it is final. A list of retryable errors, if given, is exclusive. `TimeoutError`, `ConnectionError` and `NetworkError` stand for groups of error codes.',
  'G-8':
    'The shapes of records are frozen by golden files. What we add stands beside, in one object, and never replaces a field.',
  'G-9':
    '`retry_attempt` means two things: in document A the attempt that just failed, with the delay after it; in document D the attempt that starts, with the delay before it. One record is rendered as both. D’s success and failure are per session, and a success at the first try has no event. A missing correlation id is the session id.',
  'G-10':
    'This describes the program of the document: its folders, language, people or tools. Redrive has its own.',
  'A-1':
    'The two codes that begin with `REPLAY_REPLAY_` are slips: the codes are `RETRY_REPLAY_PROCESSING` and `RETRY_REPLAY_VALIDATION`. The old spelling is still found.',
  'A-2':
    'An error in both lists is not retried: the numbered rule of the document counts, not its example.',
  'A-3':
    'An operation is a function that is called for each attempt. A promise that has failed stays failed however often it is awaited.',
  'A-4':
    'The sorted text is canonical JSON (RFC 8785), so that the order of nested members does not matter and every language gets the same key.',
  'A-5': 'A stored `null`, `undefined`, `0` or `""` is a hit like any other.',
  'A-6':
    'Looking up first and running then is a race. The ledger reserves the key, runs, then records; a second caller waits for the result or is refused, as it asked.',
  'A-7':
    'Results must survive restarts. The ledger in memory is for tests; those on SQLite, Postgres and NATS JetStream KV are durable.',
  'A-8': 'The document’s operations read and store a kill switch, so there is one.',
  'A-9':
    'Calls in process are audited too, so that a replay covers every rung: a sink writes them into the audit log.',
  'A-10':
    'The rule is about every I/O call that Redrive itself makes. The time limit of a user’s operation is the option `attempt_timeout`.',
  'A-11': 'Covered are branches, in the packages’ core folders, by the core’s own tests.',
  'B-1':
    'Formula, schedule and test of the document differ. A document with the stored count n is sent again without a delay for n up to 1, else after the smaller of base × 2^(n-1) and the maximum: 10, 20, 40, 60 minutes for n = 2, 3, 4, 5. It is due at equality. With five attempts the last delay is 40 minutes.',
  'B-2':
    'A document is stuck from the moment a sweep first finds it until it is processed, failed, reset or purged. Each sending sets the time of the last attempt, so gauge, lists and tiers go by the first time. A document that was never attempted counts from the second sweep that finds it.',
  'B-3':
    'At the defaults the threshold of 24 hours is longer than any back-off. The document’s own test of back-off therefore runs with a lower threshold.',
  'B-4':
    'The document lets both the job and the service raise the count. It is raised once per attempt: when the broker has confirmed the event of a sweep, and by the service where the event did not come from a sweep.',
  'B-5':
    'A query for documents below their limit never sees those at it. They are found by a query of their own, and failed only when their last attempt is older than the threshold, because it may still run.',
  'B-6':
    'The document is marked by a compare-and-set, its event is published and confirmed, and a second compare-and-set counts. A crash costs at most one event that comes twice, never a document or an attempt. A broker that is away costs no attempt.',
  'B-7':
    'The original event is that of a field of the document which the collection names, else the newest stored event of the document, else one made by a template.',
  'B-8': 'The collection is read page by page, never as a whole, and two sweepers may run at once.',
  'B-9':
    'Totals of one-shot runs are kept in the store, so that a push does not begin at 0. A counter above a number never goes back, so alerts ask for its increase. Gauges exist, and are 0 when all is well.',
  'B-10':
    'A tier belongs to one item and counts from its first failure; documents from the time they were first stuck. Alerts are about numbers of them.',
  'B-11': 'People do this. Alerts and notifications lead to pages that say how.',
  'B-12':
    'The effects are those of the user’s services. A page has each pattern as a program, which the tests run twice.',
  'B-13': 'Dynamic back-off is off unless a collection switches it on.',
  'B-14': 'Causes are found by statistics over what failed and what succeeded, not by a model.',
  'B-15':
    'The document’s procedure runs the service `retry-job` by hand, and expects one run. The loop is therefore a service of its own, `retry-job-loop`.',
  'C-1':
    'A rate limit with a hint waits for the hint and costs no attempt; without a hint it counts like any failure. A server that always answers so would be asked for ever, so free waits have a ceiling: 100 waits or 24 hours, after which they count.',
  'C-2':
    'The product has its own tables. Due jobs are found by an index on their time, and claims read ready jobs by another one.',
  'C-3':
    'Discovered is `ready`, processing `leased`, an error with a time `scheduled`, an error without one `dead`. Passed, needs review and failed are results of a job that `succeeded`.',
  'C-4': 'A run that a crash left in processing is recovered by its lease, not by a person.',
  'C-5':
    'Priority and tenants are ours; with one of each the order is the document’s. Its allowed categories are queues and handlers, which hold for new jobs and retries alike. `submitted_date` is another name of the submission time.',
  'C-6': 'This is how another program was deployed.',
  'D-1':
    'The id is the key of the policy in the file. A field `id` may repeat it; another one is an error.',
  'D-2':
    '`enabled` has a default, so a file may leave it out. A policy that is off makes one attempt, has no breaker, and gives up with the reason `policy_disabled`.',
  'D-3':
    'Full jitter of 0.1 hardly spreads callers. It is what the document says, so it loads, with a warning.',
  'D-4': 'The delay of 1.5 s fits no formula with a base of 1 s: the sample is an illustration.',
  'D-5':
    'A time alone does not make an id unique. Ids have the time and a part that is unique over processes.',
  'D-6':
    'A session’s `retry_count` is its attempts less one and is never cleared; that of a job is document C’s. `max_attempts` bounds the attempts that count: an event whose number has passed it by free waits leaves it out.',
  'D-7':
    'A breaker is shared by many sessions, so its events name the breaker: `breaker:<key>` stands for session and correlation id.',
  'D-8':
    'The subsystem of an operation is the one that maps it. The part of its name before the first dot counts only where no mapping names the operation.',
  'D-9':
    'Programs define errors of their own, so a name that is unknown is a warning, with a suggestion.',
  'D-10':
    'This is the plan of another program. Redrive was never released before, so nothing old is kept.',
  'D-11':
    'A mapping that leads to a policy that the file does not define is a warning in version 1.0.0, where the default policy serves, and an error from 1.1.0 on.',
  'D-12': 'The sizes are estimates. The page about records has what was measured.',
  'D-13':
    'The page about versions says what a release may change. The public names of each package are in a file, so a name that goes is seen in the change.',
  'E-1':
    'The variables are for events only. A process cannot change its own environment, so a file of variables is read again at a reload.',
  'E-2':
    'The wait after failed attempt n is uniform from 0 to base × factor^(n-1), capped. Eight attempts are eight calls with seven waits, 31.75 s at most: the payload says 8 attempts. An eighth wait belongs to a ninth call, which is not made.',
  'E-3':
    'The TTL counts from the start of the first attempt, over restarts. How old the event itself may be is another limit, the deadline.',
  'E-4':
    'Keys of the first three ids would collide. A key has all ids, and is hashed where it is long. It is never the label of a metric; duplicates are counted by source.',
  'E-5':
    'What Redrive knows besides stands in one object. The reasons of payload and metric belong together: `max_attempts_exceeded` and `max_attempts`, `ttl_exceeded`, `non_retryable`.',
};
