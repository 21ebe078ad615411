import type { NamedBreaker } from '@redrive/durable/control';
import { breakerDocument, causes } from '@redrive/durable/control/rules';
import { type AttendedOverview, iso, isoTime } from '@redrive/durable/store';
import * as z from 'zod';
import { time } from '../action/scalars.ts';
import { parkedUnder } from '../park/parked-under.ts';
import { PROBE, probeOf } from './probe.ts';

export const ERROR = z.object({
  type: z.string().describe('its type, as the handler named it'),
  message: z.string().describe('its message'),
});

/** The state document of a breaker, and facts for operators. */
export const BREAKER = z.object({
  policy_id: z.string().describe('the dependency: jobs that name it share the breaker'),
  state: z.enum(['closed', 'open', 'half_open']).describe('the state in force'),
  failure_count: z.number().describe('failures in a row'),
  last_failure_time: time()
    .optional()
    .describe('time of the newest failure; absent: there was none'),
  last_error: ERROR.nullable().describe('the newest failure; null: none is known'),
  threshold: z.number().describe('failures in a row that open it'),
  timeout: z.number().describe('seconds between two probes, and up to a tenth more'),
  last_state_change: time().describe('when its state changed last'),
  redrive: z
    .object({
      schema_version: z.number().describe('version of this part'),
      calls: z.number().describe('0: stored breakers count failures in a row'),
      isolated: z.boolean().describe('whether it is forced open'),
    })
    .optional()
    .describe('additions to the shape of the state'),
  next_probe_at: time()
    .nullable()
    .describe(
      'time of the next probe; null: the breaker is closed or forced, a probe is running, or no live worker has a handler for it',
    ),
  probe: PROBE,
  failed_probes: z.number().describe('probes in a row that failed'),
  forced: z
    .object({
      state: z.enum(['open', 'closed']).describe('the forced state'),
      until: time().nullable().describe('when it ends; null: until it is reset'),
      since: time().describe('since when'),
      by: z.string().describe('who forced it'),
      why: z.string().nullable().describe('the reason that was given'),
    })
    .nullable()
    .describe('set by an operator; null: the breaker is not forced'),
  parked: z.number().describe('jobs that wait for it, counted up to 10,000'),
  bounded: z.boolean().describe('true: more jobs wait for it'),
});
type BreakerAnswer = z.output<typeof BREAKER>;

type Overview = Pick<AttendedOverview, 'parked' | 'hasWorker' | 'nowMs'>;

export function breakerAnswer(named: NamedBreaker, overview: Overview): BreakerAnswer {
  const { dependency, breaker, forced, nextProbeAtMs } = named;
  const { parked, hasWorker, nowMs } = overview;
  return {
    ...breakerDocument(dependency, breaker, nowMs),
    last_error: breaker.lastError ?? null,
    next_probe_at: isoTime(hasWorker ? nextProbeAtMs : undefined),
    probe: probeOf(named, hasWorker),
    failed_probes: breaker.probes?.failed ?? 0,
    forced:
      forced === undefined
        ? null
        : {
            state: forced.state,
            until: isoTime(forced.untilMs),
            since: iso(forced.sinceMs),
            by: forced.by,
            why: forced.why ?? null,
          },
    ...parkedUnder(causes.breaker(dependency), parked),
  };
}

/** Those that are not closed first, then by name. */
export function breakerAnswers(
  overview: Overview & Pick<AttendedOverview, 'breakers'>,
): BreakerAnswer[] {
  return overview.breakers
    .map((breaker) => breakerAnswer(breaker, overview))
    .sort((a, b) => Number(a.state === 'closed') - Number(b.state === 'closed'));
}
