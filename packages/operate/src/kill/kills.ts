import {
  type EngagedKill,
  engageKill,
  type KillTarget,
  killSwitches,
  releaseKill,
} from '@redrive/durable/control';
import { type Counts, readOverview, targetText } from '@redrive/durable/store';
import * as z from 'zod';
import { act, action } from '../action/action.ts';
import type { Context } from '../action/context.ts';
import { type InputProblem, Refusal } from '../action/refusal.ts';
import { choice, pace, text } from '../action/scalars.ts';
import { warnOfStranger } from '../queue/warn-of-stranger.ts';
import {
  CONCERNED,
  concernedBy,
  FORECAST,
  KILL,
  killAnswer,
  killForecast,
  TARGET,
} from './kill-answer.ts';
import { concernedText, targetWords } from './kill-text.ts';

/** Stores and answers call a handler an operation, and that word is accepted, too. */
const SCOPES = ['all', 'queue', 'handler', 'operation', 'tenant'] as const;

const scopeOf = (command: string) =>
  choice(
    SCOPES,
    (given) => `There is no kill switch for "${given}": use all, queue, handler or tenant.`,
    hintOf(command),
  ).describe('all, queue, handler or tenant');
const NAME = text().optional().describe('name of the queue, the handler or the tenant');

export const KILLS = {
  list: action({
    at: 'GET /v1/kill-switches',
    summary: 'list the kill switches that are engaged',
    role: 'viewer',
    reads: 'metrics',
    polled: true,
    input: z.strictObject({}),
    answer: z.object({
      engaged: z.array(KILL.extend(CONCERNED.shape)).describe('by name; empty: none is engaged'),
    }),
    run: async (context) => {
      const [engaged, { nowMs }] = await Promise.all([
        killSwitches(context.store),
        context.store.controls(),
      ]);
      context.asOf(nowMs);
      const counts = engaged.length === 0 ? undefined : await countsIfAny(context);
      return {
        engaged: engaged.map((kill) => ({ ...killAnswer(kill), ...concernedBy(kill, counts) })),
      };
    },
  }),

  forecast: action({
    at: 'GET /v1/kill-switches/forecast',
    summary: 'the jobs that a kill switch would stop, by handler; counts are bounded',
    role: 'viewer',
    reads: 'metrics',
    input: z.strictObject({
      scope: z
        .enum(SCOPES)
        .default('all')
        .describe('all, queue, handler or tenant; operation: a handler'),
      name: text().default('').describe('name of the queue, the handler or the tenant'),
    }),
    answer: FORECAST,
    run: async ({ store }, { scope, name }) =>
      killForecast(
        targetOf({ scope, name: scope === 'all' ? undefined : name }),
        await store.counts(),
      ),
  }),

  engage: act({
    at: 'POST /v1/kill-switches/engage',
    summary: 'engage a kill switch: no process starts a job until it is released',
    details:
      'It applies in every process within a second, also after a restart; a process that cannot read the switch starts no job. Jobs can still be enqueued, and wait. No attempt is charged. A call in process makes no further attempt if its program passes it killSwitchOf(store). If the switch is already engaged, only its mode changes.',
    role: 'admin',
    reason: true,
    refusals: { refused: 'it would stop everything, and --confirm=all is missing' },
    input: z.strictObject({
      scope: scopeOf('engage'),
      name: NAME,
      mode: z
        .enum(['finish', 'interrupt'])
        .default('finish')
        .describe(
          'finish: running jobs may finish; interrupt: they are interrupted and released; default finish',
        ),
      confirm: text()
        .optional()
        .describe('the confirmation for the scope all: --confirm=all, because it stops everything'),
    }),
    check: problemsOf('engage'),
    answer: KILL.extend({
      changed: z.boolean().describe('false: it was in that state already, or a dry run'),
      ...CONCERNED.shape,
    }),
    run: async (context, { scope, name, mode, confirm, dry_run }) => {
      const { store, actor, beforeChange } = context;
      const target = targetOf({ scope, name });
      if (scope === 'all' && confirm !== 'all' && !dry_run) {
        const concerned = concernedBy(target, await countsIfAny(context));
        const message = `Nothing was changed: this stops everything. ${concernedText(mode, concerned)}`;
        throw new Refusal('not_confirmed', message.trim(), 'Add --confirm=all to go ahead.');
      }
      if (!dry_run) await beforeChange?.();
      const { changed, engaged } = dry_run
        ? { changed: false, engaged: await wouldBe(context, target, mode) }
        : await engageKill(store, { ...target, mode, actor });
      context.asOf((await store.controls()).nowMs);
      // Only now: where jobs cannot be counted, it is most urgent to stop them.
      const counts = await countsIfAny(context);
      if (counts !== undefined && (target.scope === 'queue' || target.scope === 'operation')) {
        const of = target.scope === 'queue' ? 'queue' : 'handler';
        warnOfStranger(context, counts, of, target.name ?? '');
      }
      return { ...killAnswer(engaged), changed, ...concernedBy(target, counts) };
    },
  }),

  release: act({
    at: 'POST /v1/kill-switches/release',
    summary: 'release a kill switch: its jobs may start again',
    details:
      'A kill switch stays engaged until this command releases it. Without --pace all waiting jobs may start at once. With --pace, jobs that were submitted before the release start at a growing pace, and later ones start at once.',
    role: 'admin',
    reason: true,
    refusals: { no_match: 'this switch is not engaged; nothing was changed' },
    input: z.strictObject({
      scope: scopeOf('release'),
      name: NAME,
      pace: pace
        .optional()
        .describe(
          'release the jobs gradually: the first rate, such as 5/s; it grows, and falls again when jobs fail',
        ),
    }),
    check: problemsOf('release'),
    answer: TARGET.extend({
      changed: z.boolean().describe('false: a dry run'),
      released: KILL.describe('the switch as it was'),
      pace: z.number().nullable().describe('jobs per second at first; null: all at once'),
      still_engaged: z
        .array(TARGET)
        .describe('other kill switches: they may stop some of the same jobs'),
      has_worker: z
        .boolean()
        .describe('false: no live worker has the handlers of parked jobs, so they wait for one'),
    }),
    run: async ({ store, actor }, { scope, name, pace: perSecond, dry_run }) => {
      const target = targetOf({ scope, name });
      const pace = perSecond === undefined ? undefined : { perSecond };
      const released = dry_run
        ? (await killSwitches(store)).find((kill) => isSame(kill, target))
        : (await releaseKill(store, { ...target, pace, actor })).released;
      if (released === undefined) throw notEngaged(target, await killSwitches(store));
      const overview = await readOverview(store);
      const others = overview.killSwitches.filter((kill) => !isSame(kill, target));
      return {
        ...{ scope: target.scope, name: target.name ?? null, changed: !dry_run },
        ...{ released: killAnswer(released), pace: perSecond ?? null },
        still_engaged: others.map((kill) => ({ scope: kill.scope, name: kill.name ?? null })),
        has_worker: overview.hasWorker,
      };
    },
  }),
};

interface Wish {
  readonly scope: (typeof SCOPES)[number];
  readonly name?: string | undefined;
}

function targetOf({ scope, name }: Wish): KillTarget {
  return { scope: scope === 'handler' ? 'operation' : scope, name };
}

const isSame = (one: KillTarget, other: KillTarget) =>
  one.scope === other.scope && one.name === other.name;

function problemsOf(command: string): (wish: Wish) => readonly InputProblem[] {
  return ({ scope, name }) => {
    if ((scope === 'all') === (name === undefined)) return [];
    const message =
      scope === 'all'
        ? 'A kill switch for all has no name.'
        : `The name of the ${scope === 'operation' ? 'handler' : scope} is missing.`;
    return [{ field: 'name', message, hint: hintOf(command) }];
  };
}

function hintOf(act: string): string {
  return `Write "redrive kill ${act} all", or a scope and its name: "redrive kill ${act} queue mail".`;
}

/** The counts are for display only: a store that cannot count its jobs can still stop them. */
async function countsIfAny({ store, warn }: Context): Promise<Counts | undefined> {
  try {
    return await store.counts();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    warn(`The jobs that it stops could not be counted: ${why}`);
    return undefined;
  }
}

/** The switch as it would be. */
async function wouldBe(
  { store, actor }: Context,
  target: KillTarget,
  mode: EngagedKill['mode'],
): Promise<EngagedKill> {
  const { nowMs } = await store.controls();
  const before = (await killSwitches(store)).find((kill) => isSame(kill, target));
  const { name: by, why } = actor;
  return before?.mode === mode
    ? before
    : { ...target, mode, sinceMs: before?.sinceMs ?? nowMs, by, why };
}

function notEngaged(target: KillTarget, engaged: readonly EngagedKill[]): Refusal {
  const message = `No kill switch for ${targetText(target)} is engaged, so nothing was released.`;
  const hint =
    engaged.length === 0
      ? 'No kill switch is engaged.'
      : `Kill switches engaged: ${engaged.map(targetWords).join(', ')}.`;
  return new Refusal('not_found', message, hint);
}
