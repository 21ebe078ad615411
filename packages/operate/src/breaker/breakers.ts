import { nearest } from '@redrive/core/fields';
import {
  type BreakerChange,
  forceBreaker,
  halfOpenBreaker,
  type NamedBreaker,
  resetBreaker,
} from '@redrive/durable/control';
import { type AttendedOverview, readOverview, unreportedBreaker } from '@redrive/durable/store';
import * as z from 'zod';
import { act, action } from '../action/action.ts';
import type { Context } from '../action/context.ts';
import { Refusal } from '../action/refusal.ts';
import { duration, moment, nameText } from '../action/scalars.ts';
import { atLeast } from '../action/who.ts';
import { BREAKER, breakerAnswer, breakerAnswers } from './breaker-answer.ts';

const DAY_MS = 86_400_000;
const NAMED = z.strictObject({
  dependency: nameText().describe('the dependency, as handlers and policies name it'),
});
const CHANGED = BREAKER.extend({
  exists: z.boolean().describe('false: the dependency has no breaker; it would be created'),
  changed: z.boolean().describe('false: it was so already, or a dry run'),
});
const NO_BREAKER = { no_match: 'there is no breaker of that name' };

export const BREAKERS = {
  list: action({
    at: 'GET /v1/breakers',
    summary: 'list the breakers, those that are not closed first',
    details:
      'A breaker is listed after its first failure, or after an operator has forced it: a dependency whose calls all succeed is not listed.',
    role: 'viewer',
    reads: 'metrics',
    polled: true,
    input: z.strictObject({}),
    answer: z.object({ breakers: z.array(BREAKER).describe('not closed first, then by name') }),
    run: async (context) => ({ breakers: breakerAnswers(await overviewOf(context)) }),
  }),

  show: action({
    at: 'GET /v1/breakers/:dependency',
    summary:
      'print one breaker: its state, since when, its failures, the last error, the next probe, parked jobs',
    role: 'viewer',
    reads: 'metrics',
    refusals: NO_BREAKER,
    input: NAMED,
    answer: BREAKER,
    run: async (context, { dependency }) => {
      const overview = await overviewOf(context);
      return breakerAnswer(knownBreaker(overview, dependency), overview);
    },
  }),

  force: act({
    at: 'POST /v1/breakers/:dependency/force',
    summary: 'force a breaker open or closed, for at most 24 hours; admins also without an end',
    details:
      'Open: its jobs are parked, and there is no probe. Closed: all its jobs run, even if they fail, and the parked jobs are released at a growing pace. A dependency without a breaker can be forced, too.',
    role: 'operator',
    input: NAMED.extend({
      state: z.enum(['open', 'closed']).describe('the state'),
      for_ms: duration.optional().describe('for how long, such as 30m; default: until it is reset'),
      until: moment.optional().describe('until this time, such as 2027-01-31T08:00:00Z'),
    }),
    answer: CHANGED,
    run: async (
      context,
      {
        dependency,
        state,
        for_ms: inMs,
        until = inMs === undefined ? undefined : { inMs },
        dry_run,
      },
    ) => {
      const overview = await overviewOf(context);
      const endsInMs =
        until === undefined ? Infinity : 'inMs' in until ? until.inMs : until.atMs - overview.nowMs;
      if (endsInMs > DAY_MS && !atLeast(context.who, 'admin')) {
        const message = 'Without an end, or for more than 24 hours, this needs the role admin.';
        throw new Refusal('not_allowed', message);
      }
      warnOfStrangeBreaker(context, overview, dependency);
      const { store, actor } = context;
      return changed(context, overview, dependency, () =>
        dry_run ? undefined : forceBreaker(store, { dependency, state, until, actor }),
      );
    },
  }),

  halfOpen: act({
    at: 'POST /v1/breakers/:dependency/half-open',
    summary: 'probe a dependency now: let one job run',
    details:
      'It ends a forced state. A closed breaker is opened by it: other jobs wait until the probe has succeeded.',
    role: 'operator',
    refusals: NO_BREAKER,
    input: NAMED,
    answer: CHANGED,
    run: (context, input) => changeKnown(context, input, halfOpenBreaker),
  }),

  reset: act({
    at: 'POST /v1/breakers/:dependency/reset',
    summary: 'close a breaker and set its count of failures to 0',
    details: 'It ends a forced state too. The parked jobs are released at a growing pace.',
    role: 'operator',
    refusals: NO_BREAKER,
    input: NAMED,
    answer: CHANGED,
    run: (context, input) => changeKnown(context, input, resetBreaker),
  }),
};

async function overviewOf({ store, asOf }: Context): Promise<AttendedOverview> {
  const overview = await readOverview(store);
  asOf(overview.nowMs);
  return overview;
}

async function changeKnown(
  context: Context,
  { dependency, dry_run }: { readonly dependency: string; readonly dry_run: boolean },
  carryOut: typeof resetBreaker,
) {
  const overview = await overviewOf(context);
  knownBreaker(overview, dependency);
  const { store, actor } = context;
  return changed(context, overview, dependency, () =>
    dry_run ? undefined : carryOut(store, { dependency, actor }),
  );
}

/** The breaker after the change. A breaker that was just created has no reports. */
async function changed(
  context: Context,
  before: AttendedOverview,
  dependency: string,
  change: () => Promise<BreakerChange> | undefined,
) {
  const made = await change();
  const overview = made === undefined ? before : await overviewOf(context);
  const found = overview.breakers.find((each) => each.dependency === dependency);
  const shown = found ?? unreportedBreaker(dependency, overview.nowMs);
  const answer = breakerAnswer(shown, overview);
  return { ...answer, exists: found !== undefined, changed: made?.changed ?? false };
}

/** Warns that a dependency has no breaker yet: it can be forced, but its name may be a slip. */
function warnOfStrangeBreaker(
  { warn }: Context,
  { breakers }: AttendedOverview,
  dependency: string,
): void {
  const names = breakers.map((each) => each.dependency);
  if (names.length === 0 || names.includes(dependency)) return;
  warn(`${dependency} has no breaker yet. ${hintFor(dependency, names)}`);
}

/** @throws Refusal `not_found`, with the names of breakers. */
function knownBreaker({ breakers }: AttendedOverview, dependency: string): NamedBreaker {
  const found = breakers.find((each) => each.dependency === dependency);
  if (found !== undefined) return found;
  const names = breakers.map((each) => each.dependency);
  const message = `The dependency ${dependency} has no breaker.`;
  throw new Refusal('not_found', message, hintFor(dependency, names));
}

/** A suggestion for a dependency that has no breaker. */
function hintFor(dependency: string, names: readonly string[]): string {
  const close = nearest(dependency, names);
  if (close !== undefined) return `Did you mean ${close}?`;
  return names.length === 0
    ? 'A breaker is created when a job with this dependency fails, or when an operator forces it.'
    : `Dependencies with a breaker: ${names.slice(0, 20).join(', ')}.`;
}
