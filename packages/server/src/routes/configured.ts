import { escalationSettings, schedulesSettings } from '@redrive/config';
import type { FullStore } from '@redrive/durable';
import { removeSchedule, runSchedule, schedules } from '@redrive/durable/control';
import {
  actOnEscalation,
  type Escalation,
  type Escalations,
  type EscalationWish,
  readEscalations,
} from '@redrive/durable/escalation';
import {
  decisionCommand,
  escalationJson,
  escalationLog,
  resolvedEscalation,
  scheduleJson,
} from '@redrive/durable/store';
import * as z from 'zod';
import { document } from '../inputs.ts';
import { notFound, Problem } from '../problem.ts';
import { type AnyRoute, type Ask, route } from '../route.ts';

const name = z.string().min(1).max(512);
const NOTHING = z.strictObject({});
const ESCALATION = document({ key: z.string(), tier: z.number(), owner: z.string() });
const MAX_SNOOZE_MS = 30 * 86_400_000;
const LOG_MS = 30 * 86_400_000;

/** Routes that need the configuration: schedules, escalations. */
export const CONFIGURED_ROUTES: readonly AnyRoute[] = [
  route({
    at: 'GET /v1/schedules/:name',
    summary: 'show a schedule',
    role: 'viewer',
    reads: 'payloads',
    input: z.strictObject({ name }),
    answer: document({ name: z.string(), state: z.string() }),
    handle: async ({ store, input }) => {
      const { nowMs, found } = await knownSchedule(store, input.name);
      return scheduleJson(found, nowMs);
    },
  }),
  route({
    at: 'POST /v1/schedules/:name/run',
    summary: 'enqueue the job of a schedule now',
    role: 'operator',
    input: z.strictObject({ name }),
    answer: document({ name: z.string(), job: z.string() }),
    handle: async ({ store, input, actor, clock }) => {
      await knownSchedule(store, input.name);
      return { name: input.name, job: await runSchedule(store, { ...input, actor, clock }) };
    },
  }),
  route({
    at: 'POST /v1/schedules/:name/remove',
    summary: 'remove a schedule that no process declares any more, with its totals and its pause',
    role: 'admin',
    input: z.strictObject({ name }),
    answer: document({ name: z.string(), removed: z.boolean() }),
    handle: async ({ store, input, actor, config }) => {
      await knownSchedule(store, input.name);
      if (schedulesSettings(config).has(input.name)) {
        const message = `The schedule ${input.name} is in the configuration. Remove it there, and restart the workers.`;
        throw new Problem(409, 'control_conflict', message);
      }
      await removeSchedule(store, { name: input.name, actor });
      return { name: input.name, removed: true };
    },
  }),
  route({
    at: 'GET /v1/escalations',
    summary: 'list causes and collections that fail, the highest tier first',
    role: 'viewer',
    reads: 'metrics',
    polled: true,
    input: NOTHING,
    answer: document({ escalations: z.array(ESCALATION), more: z.boolean() }),
    handle: async (ask) => {
      const { escalations, more } = await escalationsNow(ask);
      return { escalations: escalations.map(escalationJson), more };
    },
  }),
  route({
    at: 'GET /v1/escalations/:key',
    summary: 'show an escalation with its log, also after it was resolved',
    role: 'viewer',
    reads: 'sessions',
    input: z.strictObject({ key: name }),
    answer: ESCALATION,
    handle: async (ask) => {
      const { nowMs, escalations } = await escalationsNow(ask);
      const { key } = ask.input;
      const log = await escalationLog(ask.store, key, nowMs - LOG_MS);
      const seen = escalations.find((each) => each.key === key);
      if (seen === undefined && log.length === 0) throw notFound(`escalation ${key}`);
      return { ...escalationJson(seen ?? resolvedEscalation(key)), log };
    },
  }),
  route({
    at: 'POST /v1/escalations/:key/ack',
    summary: 'acknowledge an escalation: you look at it',
    role: 'operator',
    input: z.strictObject({ key: name }),
    answer: ESCALATION,
    handle: (ask) => act(ask, () => ({ act: 'acknowledge' })),
  }),
  route({
    at: 'POST /v1/escalations/:key/snooze',
    summary: 'send no notification of its tier or a lower one for a while, at most 30 days',
    role: 'operator',
    input: z.strictObject({
      key: name,
      for_ms: z.number().int().min(1_000).max(MAX_SNOOZE_MS).default(14_400_000),
    }),
    answer: ESCALATION,
    handle: (ask) => act(ask, (nowMs) => ({ act: 'snooze', untilMs: nowMs + ask.input.for_ms })),
  }),
  route({
    at: 'POST /v1/escalations/:key/assign',
    summary: 'assign an escalation to a person or a team',
    role: 'operator',
    input: z.strictObject({ key: name, owner: z.string().min(1).max(200) }),
    answer: ESCALATION,
    handle: (ask) => act(ask, () => ({ act: 'assign', owner: ask.input.owner })),
  }),
  route({
    at: 'POST /v1/escalations/:key/decide',
    summary:
      'record the decision about an escalation; it changes no job: `next` is the command that does',
    role: 'operator',
    reason: true,
    input: z.strictObject({ key: name, decision: z.enum(['requeue', 'purge', 'leave']) }),
    answer: ESCALATION,
    handle: async (ask) => {
      const { decision } = ask.input;
      const made = await act(ask, () => ({ act: 'decide', decision }));
      return { ...made, next: decisionCommand({ key: made.key, of: made.kind }, decision) };
    },
  }),
];

async function knownSchedule(store: FullStore, wanted: string) {
  const { nowMs, schedules: all } = await schedules(store);
  const found = all.find((each) => each.name === wanted);
  if (found === undefined) throw notFound(`schedule ${wanted}`);
  return { nowMs, found };
}

function escalationsNow({ store, config }: Ask<unknown>): Promise<Escalations> {
  const { tiers, hours, resolveAfterMs } = escalationSettings(config);
  return readEscalations(store, { tiers, hours, resolveAfterMs });
}

/** @throws Problem 404 */
async function escalation(
  ask: Ask<{ readonly key: string }>,
): Promise<{ readonly nowMs: number; readonly seen: Escalation }> {
  const { nowMs, escalations } = await escalationsNow(ask);
  const seen = escalations.find(({ key }) => key === ask.input.key);
  if (seen === undefined) throw notFound(`escalation ${ask.input.key}`);
  return { nowMs, seen };
}

async function act(
  ask: Ask<{ readonly key: string }>,
  wishOf: (nowMs: number) => EscalationWish,
): Promise<ReturnType<typeof escalationJson>> {
  const { nowMs, seen } = await escalation(ask);
  const { key, tier } = seen;
  const request = { ...wishOf(nowMs), key, tier, actor: ask.actor };
  const made = await actOnEscalation(ask.store, request);
  return escalationJson({ ...seen, owner: made.owner?.name ?? seen.owner, document: made });
}
