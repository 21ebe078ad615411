import {
  type AttemptContext,
  type Clock,
  definePolicy,
  type EventSink,
  type HandedOverWork,
  type HandOver,
  isRedriveError,
  isRetryError,
  type Policy,
  type ReasonCode,
  type ResolvedPolicy,
  type RetryOptions,
  type RetryRecord,
  retry,
  syncSink,
  systemClock,
} from '@redrive/core';
import { classifyStored } from '@redrive/core/stored';
import { EVENTS_DEFAULT } from '../handler/runs-default.ts';
import type { EventWork } from '../jobs/hand-over.ts';
import { logRecords } from '../log/log-records.ts';
import type { WorkerLogger } from '../log/worker-log.ts';
import { chargedBefore, deadlineMsOf, sessionOf } from './event-headers.ts';
import { conflictId } from './event-id.ts';
import { thrownBy, withStrayAborts } from './stray-abort.ts';

/** Longer waits do not block the consumer: the event goes on as a job. */
const IN_PLACE_MS = 1_000;
type FailedAttempt = HandedOverWork['attempts'][number];

/** `handled`, or stored: as a job that goes on, or as a dead letter. Acknowledge the message after any. */
export type EventOutcome = 'handled' | 'handed_over' | 'dead_lettered';

export interface HandleEventOptions
  extends Pick<
    RetryOptions,
    'breaker' | 'budget' | 'bulkhead' | 'killSwitch' | 'signal' | 'events' | 'tenantId' | 'traceId'
  > {
  /** Of `jobsOn`: stores events that wait longer than a second, that are blocked, and dead letters. */
  readonly jobs: { readonly handOver: HandOver };
  /** The handler of `jobs` that runs stored events: it does the same as the function. */
  readonly handler: string;
  /** Name of the service: queue of its stored events, and `service_name` of its dead letters. */
  readonly source: string;
  /** Name of the bus. Default: none. */
  readonly bus?: string | undefined;
  /** The same for each delivery of the event: also the id of its job. */
  readonly idempotencyKey: string;
  /** Headers of the message: those of `eventHeaders` lower attempts and time. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Known to `jobs` by its id, or the stored event goes on with that of the handler. Default: `events.default`. */
  readonly policy?: Policy | undefined;
  /** Gets the log lines of events. Default: none. */
  readonly log?: WorkerLogger | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * Handles an event of a consumer of your own, with the attempts, waits and dead letters of events. Waits of up to a second
 * happen here. A longer wait, a breaker, a budget or a kill switch makes a job of the event, which goes on with the same
 * account and the same time: 8 attempts in all. Recognises no duplicates by itself.
 *
 * ```ts
 * const store = memoryStore();
 * const chunk = async (event: { ids: string[] }) => console.log(event.ids.join());
 * const jobs = jobsOn(store, { chunk });
 * const about = { jobs, handler: 'chunk', source: 'chunking', idempotencyKey: 'chunking-1-2' };
 * console.log(await handleEventWithRetry({ ids: ['1', '2'] }, chunk, about)); // prints: 1,2 handled
 * await store.close();
 * ```
 *
 * @throws the reason of the signal; RedriveError where the event could not be stored: do not acknowledge it then. An
 * event that could never be stored (its key, its handler, its size) is refused before it runs.
 */
export async function handleEventWithRetry<E>(
  event: E,
  handler: (event: E, context: AttemptContext) => unknown,
  options: HandleEventOptions,
): Promise<EventOutcome> {
  const { jobs, source, bus, headers = {}, log, clock = systemClock } = options;
  const key = options.idempotencyKey;
  const { own, inPlace } = policiesOf(options.policy ?? EVENTS_DEFAULT);
  const before = chargedBefore(headers);
  const startMs = clock.now();
  const deadlineMs = deadlineMsOf(headers) ?? Infinity;
  const isLowered = before > 0 || deadlineMs < Infinity;
  const untilMs = Math.min(startMs + own.ttlMs, deadlineMs);
  const failed: FailedAttempt[] = [];
  let started = 0;
  let lastStartMs = startMs;
  let delayMs = 0;
  const fail = (error: unknown, rest: Pick<FailedAttempt, 'delayMs' | 'errorClass' | 'reason'>) =>
    failed.push({
      attempt: before + failed.length + 1,
      startedAtMs: lastStartMs,
      durationMs: clock.now() - lastStartMs,
      delayBeforeMs: failed.at(-1)?.delayMs ?? 0,
      effect: 'unknown',
      error,
      ...rest,
    });
  const lines = log && logRecords(log);
  const { traceparent: traceParent } = headers;
  /** The attempts belong to the trace of the message, as those of its job would. */
  const report = (record: RetryRecord): void => {
    lines?.emit(record);
    // A copy of a record is one of its kind.
    const traced = { ...record, session: { ...record.session, traceParent } } as RetryRecord;
    options.events?.emit(traceParent === undefined ? record : traced);
  };
  let ended: Extract<RetryRecord, { kind: 'session_ended' }> | undefined;
  const sink = syncSink((record) => {
    if (record.kind === 'session_ended' && !record.success) ended = record;
    else report(record);
  });
  const workOf = (error?: unknown, dead?: ReasonCode): EventWork => ({
    sessionId: key,
    operation: options.handler,
    policyId: own.id,
    handler: options.handler,
    payload: event,
    delayMs: dead ? 0 : delayMs,
    timeLeftMs: Math.max(0, untilMs - clock.now()),
    rung: 'event',
    origin: { rung: 'event', bus, source },
    dead,
    policy: own,
    attempts: failed,
    totalAttempts: before + failed.length,
    tenantId: options.tenantId,
    correlationId: sessionOf(headers),
    traceId: options.traceId,
    idempotencyKey: key,
    lastError: error,
  });
  /** Stores the event, and then reports the outcome of its session. */
  const store = async (error: unknown, reason: ReasonCode | undefined): Promise<EventOutcome> => {
    const dead = await storeWork(jobs.handOver, workOf(error, reason), source);
    if (ended) report({ ...ended, totalAttempts: started, reason: dead ?? 'handed_over' });
    return dead ? 'dead_lettered' : 'handed_over';
  };
  const { hashPolicy } = options.events ?? sink;
  const passed = { describeContext, hashPolicy };
  // An event that cannot be stored would be delivered again without end: with no effects, then.
  jobs.handOver.check?.(workOf());
  const { breaker, budget, bulkhead, killSwitch, signal, tenantId, traceId } = options;
  const to: HandOver = {
    // It is stored below, with dead letters.
    async handOver(work) {
      delayMs = work.delayMs;
    },
  };
  try {
    await retry(
      (context) => {
        started += 1;
        lastStartMs = clock.now();
        return withStrayAborts(context, () => handler(event, context));
      },
      inPlace,
      {
        ...{ breaker, budget, bulkhead, killSwitch, signal, tenantId, traceId, clock },
        operation: options.handler,
        sessionId: key,
        idempotencyKey: key,
        handOver: { to, handler: options.handler, payload: event },
        parent: isLowered
          ? { sessionId: key, retries: { count: before }, timeLeftMs: () => untilMs - clock.now() }
          : undefined,
        onRetry: ({ error, ...retried }) => fail(thrownBy(error), retried),
        // At least once, as in the job that it may become.
        onUnknown: 'retry',
        events: log || options.events ? Object.assign(sink, passed) : undefined,
        context: { rung: 'event', job_id: key, source, queue: source, ttl_ms: own.ttlMs },
      },
    );
    return 'handled';
  } catch (error) {
    if (signal?.aborted) throw error;
    const gaveUp = isRetryError(error) ? error : undefined;
    const isOwn = gaveUp?.sessionId === key;
    const reason = gaveUp === undefined ? 'final_error' : isOwn ? gaveUp.reason : 'inner_gave_up';
    const last = thrownBy(isOwn ? gaveUp.cause : error);
    const about = { attempt: before + failed.length + 1, nowMs: clock.now() };
    // A stored event is parked under a block, of its own or of a call inside: it never makes a dead letter.
    const block = isOwn ? classifyStored(error, {}, about).blockedBy : undefined;
    const { meaning, blockedBy } = classifyStored(last, inPlace, about);
    const isLive = about.nowMs < untilMs && meaning.errorClass !== 'final';
    const inner = isLive ? blockedBy : undefined;
    const goesOn = block || inner || reason === 'handed_over';
    delayMs = Math.max(delayMs, block?.retryAfterMs ?? 0, inner?.retryAfterMs ?? 0);
    // A breaker or the deadline may have refused the last attempt. A refused call inside costs nothing, as in a job.
    const errorClass = isOwn ? (gaveUp.errorClass ?? 'retryable') : 'final';
    if (started > failed.length && !inner) fail(last, { delayMs, errorClass, reason });
    return store(last, goesOn ? undefined : reason);
  }
}

/**
 * Stores an event. Where another event has its key, it is a dead letter beside that one. Answers the reason of a dead
 * letter.
 */
async function storeWork(
  to: HandOver,
  work: EventWork,
  source: string,
): Promise<ReasonCode | undefined> {
  try {
    await to.handOver(work);
    return work.dead;
  } catch (error) {
    // Without a handler the other job is gone by now: the next delivery finds the key free.
    if (!isRedriveError(error, 'unique_conflict') || error.details.handler === undefined)
      throw error;
    const { sessionId: key, payload } = work;
    const body =
      payload instanceof Uint8Array ? payload : Buffer.from(JSON.stringify(payload) ?? '');
    const named = key.startsWith(`${source}-`) ? key : `${source}-${key}`;
    const id = conflictId(source, named, body);
    const dead = 'idempotency_conflict';
    const letter: EventWork = { ...work, sessionId: id, idempotencyKey: id, delayMs: 0, dead };
    await to.handOver(letter);
    return dead;
  }
}

/** The names and the key below, as records of stored events have them: masked, a hashed key could not be found again. */
const describeContext: EventSink['describeContext'] = (context) => context;

type EventPolicies = Readonly<Record<'own' | 'inPlace', ResolvedPolicy>>;

const known = /* @__PURE__ */ new WeakMap<Policy, EventPolicies>();

/** The policy, and the same with waits of a second at most. */
function policiesOf(policy: Policy): EventPolicies {
  const found = known.get(policy);
  if (found !== undefined) return found;
  const own = definePolicy(policy);
  const horizonMs = Math.min(own.horizonMs, IN_PLACE_MS);
  const made = { own, inPlace: definePolicy({ ...own, horizonMs }) };
  known.set(policy, made);
  return made;
}
