import {
  causeName,
  countStates,
  type Failure,
  handlersOf,
  hasWorkerForParked,
  iso,
  isoTime,
  missingWorkers,
  type Status,
} from '@redrive/durable/store';
import * as z from 'zod';
import { time } from '../action/scalars.ts';
import { BREAKER, breakerAnswers, ERROR } from '../breaker/breaker-answer.ts';
import { GATE, gateAnswers } from '../gate/gate-answer.ts';
import { CONCERNED, concernedBy, KILL, killAnswer } from '../kill/kill-answer.ts';
import { PARK, parkAnswer } from '../park/park-answer.ts';
import { BOUNDED_STATES, PAUSES, pauseAnswer, STATES } from '../queue/queue-answer.ts';
import { SOURCE, sourceAnswer } from '../source/source-answer.ts';
import { WORKER, workerAnswer } from '../worker/worker-answer.ts';
import { nextCommand } from './failure-text.ts';
import { PROBLEM, problemsOf, verdictOf } from './problems.ts';

const MAX_WORKERS = 1_000;

const FAILING = z.object({
  fingerprint: z.string().describe('the id of the cause, as in `redrive dlq groups`'),
  pattern: z
    .string()
    .describe(
      'its error text, without the parts that differ from case to case; empty: none of the parked jobs has failed itself',
    ),
  last_error: ERROR.nullable().describe(
    'the newest error; null: none of its jobs has failed itself',
  ),
  handlers: z.array(z.string()).describe('handlers of the jobs that were read'),
  dependency: z.string().nullable().describe('as its breaker or gate names it; null: not known'),
  causes: z.array(z.string()).describe('the causes that its parked jobs wait for'),
  since: time().describe('the first failure within a day'),
  first_seen: time().nullable().describe('the first death, where it is before `since`'),
  last: time().describe('the newest failure'),
  retrying: z.number().describe('jobs that will be tried again'),
  parked: z.number().describe('jobs that are parked because of it'),
  dead: z.number().describe('all its dead letters'),
  bounded: z.boolean().describe('true: there are more than the numbers say'),
  per_minute: z.number().describe('jobs that failed within the last ten minutes, per minute'),
  newest_job: z.string().nullable().describe('the unfinished job that failed last'),
  newest_dead_letter: z.string().nullable().describe('the job that died last'),
  next: z.string().describe('the next command to type'),
});

/** Everything that `status` shows. */
export const STATUS = z.object({
  store: z.string().describe('the store, without credentials'),
  time: time().nullable().describe("the store's clock; null: not known"),
  ok: z.boolean().describe('true: nothing is wrong'),
  verdict: z.string().describe('the first line: everything is fine, or the most urgent problem'),
  problems: z.array(PROBLEM).describe('the problems, the most urgent first'),
  failing: z
    .array(FAILING)
    .describe('causes of the failures now, the one with the most jobs first'),
  failing_sampled: z
    .boolean()
    .describe('true: only the 10,000 jobs of each state that are due first were read'),
  failing_more: z
    .boolean()
    .describe('true: dead letters of the last hour have more causes than the 50 that were read'),
  kill_switches: z.array(KILL.extend(CONCERNED.shape)).describe('engaged kill switches'),
  paused: PAUSES,
  breakers: z.array(BREAKER).describe('breakers that are not closed, or are forced'),
  gates: z.array(GATE).describe('closed gates'),
  parked: z.array(PARK).describe('causes that jobs are parked for'),
  workers: z.array(WORKER).describe('live workers, at most 1,000'),
  live_workers: z.number().describe('how many workers are alive'),
  live_workers_bounded: z.boolean().describe('true: counting stopped, and there are more'),
  without_worker: z
    .array(
      z.object({
        handler: z.string().describe('its name'),
        ready: z.number().describe('its ready jobs'),
        queues: z.array(z.string()).describe('the queues of these jobs'),
        scheduled: z.number().describe('its scheduled jobs'),
        parked: z.number().describe('its parked jobs'),
      }),
    )
    .describe('handlers whose jobs no worker takes, unless they are stopped'),
  sources: z
    .array(SOURCE)
    .describe('sources of events, as the process that takes them reported last'),
  dead: z
    .object({
      count: z.number().describe('how many there are'),
      bounded: z.boolean().describe('true: there are more'),
      newest_died_at: time().nullable().describe('the death of the newest; null: there is none'),
    })
    .describe('all dead letters'),
  states: STATES.describe('jobs in each state'),
  bounded: z.boolean().describe('true: counting stopped, and there are more'),
  oldest_ready_at: time()
    .nullable()
    .describe('when the oldest ready job was submitted; null: none is ready'),
  handlers: z
    .array(
      z.object({
        queue: z.string().describe('the queue'),
        handler: z.string().describe('the handler'),
        states: STATES.describe('jobs in each state'),
        bounded: BOUNDED_STATES,
      }),
    )
    .describe('the same for each queue and handler'),
});

export function statusAnswer(status: Status): z.output<typeof STATUS> {
  const { store, counts, failing, dead, live } = status;
  const hasWorker = hasWorkerForParked(counts, live);
  const control = { ...status.control, hasWorker };
  const problems = problemsOf(status);
  return {
    store,
    time: isoTime(counts.nowMs),
    ok: problems.length === 0,
    verdict: verdictOf(status, problems),
    problems: [...problems],
    failing: failing.failures.map(failureAnswer),
    failing_sampled: failing.sampled,
    failing_more: failing.more,
    kill_switches: control.killSwitches.map((each) => ({
      ...killAnswer(each),
      ...concernedBy(each, counts),
    })),
    paused: control.pauses.map(pauseAnswer),
    breakers: breakerAnswers(control).filter(
      ({ state, forced }) => state !== 'closed' || forced !== null,
    ),
    gates: gateAnswers(control),
    parked: control.parked.map((park) => parkAnswer(park, hasWorker)),
    workers: live.workers.slice(0, MAX_WORKERS).map(workerAnswer),
    live_workers: live.workers.length,
    live_workers_bounded: live.bounded,
    without_worker: missingWorkers(status).map(({ queues, ...rest }) => {
      return { ...rest, queues: [...queues] };
    }),
    sources: [...status.sources].map(sourceAnswer),
    dead: { count: dead.count, bounded: dead.bounded, newest_died_at: isoTime(dead.newestMs) },
    states: countStates(counts),
    bounded: counts.bounded,
    oldest_ready_at: isoTime(counts.oldestReadyAtMs),
    handlers: handlersOf(counts),
  };
}

function failureAnswer(failure: Failure): z.output<typeof FAILING> {
  return {
    fingerprint: failure.fingerprint,
    pattern: failure.pattern,
    last_error: failure.lastError ?? null,
    handlers: [...failure.handlers],
    dependency: failure.dependency ?? null,
    causes: failure.causes.map(causeName),
    since: iso(failure.sinceMs),
    first_seen: isoTime(failure.firstSeenMs),
    last: iso(failure.lastMs),
    retrying: failure.retrying,
    parked: failure.parked,
    dead: failure.dead,
    bounded: failure.bounded,
    per_minute: failure.perMinute,
    newest_job: failure.jobId ?? null,
    newest_dead_letter: failure.letterId ?? null,
    next: nextCommand(failure),
  };
}
