import { escalationSettings } from '@redrive/config';
import { isRedriveError } from '@redrive/core';
import {
  actOnEscalation,
  type Escalation,
  type Escalations,
  type EscalationWish,
  readEscalations,
} from '@redrive/durable/escalation';
import { causeName, iso } from '@redrive/durable/store';
import * as z from 'zod';
import { act, action } from '../action/action.ts';
import type { Context } from '../action/context.ts';
import { invalidInput } from '../action/parse-input.ts';
import { Refusal } from '../action/refusal.ts';
import { duration, nameText, pastMs, pastTime, text, time } from '../action/scalars.ts';
import {
  DECISIONS,
  decisionCommand,
  ESCALATION,
  escalationAnswer,
  escalationLog,
  LOG_ENTRY,
  resolvedEscalation,
} from './escalation-answer.ts';

const KEYED = z.strictObject({
  key: nameText().describe(
    'name of a collection or fingerprint of a cause, or the beginning of one',
  ),
});
const NO_ESCALATION = { no_match: 'there is no such escalation' };
const DEFAULT_SNOOZE_MS = 4 * 3_600_000;
const LOG_MS = 30 * 86_400_000;

export const ESCALATIONS = {
  list: action({
    at: 'GET /v1/escalations',
    summary: 'list causes and collections that fail, the highest tier first',
    details:
      'The tier follows from age and state: 1 is retried automatically, 2 is stuck for 24 hours or many are, 3 has used up its retries, 4 is for the engineering lead. Tiers, owners and times come from escalation of redrive.yaml. Collections are listed as the last sweep counted them.',
    role: 'viewer',
    reads: 'metrics',
    polled: true,
    input: z.strictObject({}),
    answer: z.object({
      escalations: z.array(ESCALATION).describe('the highest tier first'),
      more: z.boolean().describe('true: there are more causes than were read'),
    }),
    run: async (context) => {
      const { escalations, more } = await escalationsNow(context);
      return { escalations: escalations.map(escalationAnswer), more };
    },
  }),

  show: action({
    at: 'GET /v1/escalations/:key',
    summary: 'show an escalation with its log: notifications and acts, the newest first',
    details:
      'The log is read from the audit log, so it can be shown after the escalation was resolved, too.',
    role: 'viewer',
    reads: 'sessions',
    refusals: NO_ESCALATION,
    input: KEYED.extend({
      since: pastTime.optional().describe('records since then; default 30 days ago'),
    }),
    answer: ESCALATION.extend({
      resolved: z.boolean().describe('true: it is over, and only its log is left'),
      log: z.array(LOG_ENTRY).describe('the newest first, at most 200'),
    }),
    run: async (context, { key: given, since }) => {
      const read = await escalationsNow(context);
      const open = read.escalations.some((each) => beginsWith(each, given))
        ? findEscalation(read, given)
        : undefined;
      const key = open?.key ?? given;
      const nowMs = context.clock.now();
      const log = await escalationLog(context.store, key, pastMs(since, nowMs) ?? nowMs - LOG_MS);
      if (open === undefined && log.length === 0) throw noSuch(key);
      const shown = escalationAnswer(open ?? resolvedEscalation(key));
      return { ...shown, resolved: open === undefined, log };
    },
  }),

  ack: act({
    at: 'POST /v1/escalations/:key/ack',
    summary: 'acknowledge an escalation: you look at it',
    details: 'It answers its tier. A higher tier is notified, and wants an answer again.',
    role: 'operator',
    refusals: NO_ESCALATION,
    input: KEYED,
    answer: ESCALATION,
    run: (context, input) => actOn(context, input, () => ({ act: 'acknowledge' })),
  }),

  snooze: act({
    at: 'POST /v1/escalations/:key/snooze',
    summary: 'send no notification of its tier or a lower one for a while',
    details:
      'A higher tier is notified all the same. If the tier still holds afterwards, it is notified again.',
    role: 'operator',
    refusals: NO_ESCALATION,
    input: KEYED.extend({
      for_ms: duration
        .default(DEFAULT_SNOOZE_MS)
        .describe('how long: 30m, 4h, 2d; at most 30d; default 4h'),
    }),
    answer: ESCALATION.extend({
      until: time().describe('when the snooze ends, or would end'),
    }),
    run: async (context, input) => {
      let untilMs = 0;
      const made = await actOn(context, input, (nowMs) => {
        untilMs = nowMs + input.for_ms;
        return { act: 'snooze', untilMs };
      });
      return { ...made, until: iso(untilMs) };
    },
  }),

  assign: act({
    at: 'POST /v1/escalations/:key/assign',
    summary: 'assign an escalation to a person or a team',
    role: 'operator',
    refusals: NO_ESCALATION,
    input: KEYED.extend({ owner: text(200).min(1).describe('name of the person or team') }),
    answer: ESCALATION,
    run: (context, input) => actOn(context, input, () => ({ act: 'assign', owner: input.owner })),
  }),

  decide: act({
    at: 'POST /v1/escalations/:key/decide',
    summary: 'record the decision about an escalation, and print the command that carries it out',
    details: 'It changes no job and no document: the printed command does, with its own options.',
    role: 'operator',
    reason: true,
    refusals: NO_ESCALATION,
    input: KEYED.extend({
      decision: z
        .enum(DECISIONS)
        .describe(
          'requeue: the cause is corrected; purge: the data is wrong for good; leave: nothing for now',
        ),
    }),
    answer: ESCALATION.extend({
      next: z
        .string()
        .nullable()
        .describe('the command that carries the decision out; null: none is needed'),
    }),
    run: async (context, input) => {
      if (context.actor.why === undefined) {
        throw invalidInput([{ field: 'reason', message: 'is missing: a decision needs one.' }]);
      }
      const { decision } = input;
      const made = await actOn(context, input, () => ({ act: 'decide', decision }));
      return { ...made, next: decisionCommand({ key: made.key, of: made.kind }, decision) };
    },
  }),
};

async function escalationsNow({ store, config, asOf }: Context): Promise<Escalations> {
  const { tiers, hours, resolveAfterMs } = escalationSettings(await config());
  const read = await readEscalations(store, { tiers, hours, resolveAfterMs });
  asOf(read.nowMs);
  return read;
}

interface Wish {
  readonly key: string;
  readonly dry_run: boolean;
}

async function actOn(
  context: Context,
  { key: given, dry_run }: Wish,
  wishOf: (nowMs: number) => EscalationWish,
): Promise<z.output<typeof ESCALATION>> {
  const read = await escalationsNow(context);
  const seen = findEscalation(read, given);
  const { key, tier, document: before } = seen;
  const request = { ...wishOf(read.nowMs), key, tier, actor: context.actor };
  const document = dry_run
    ? before
    : await actOnEscalation(context.store, request).catch(isInvalid);
  const owner = document?.owner?.name ?? seen.owner;
  return escalationAnswer({ ...seen, owner, document });
}

function isInvalid(error: unknown): never {
  if (!isRedriveError(error, 'invalid_option')) throw error;
  throw new Refusal('invalid_input', `${error.message}.`);
}

/** A key for people: that of a gate is a list of three texts, and its name is `gate:search`. */
const isNamed = ({ key }: Escalation, given: string) => key === given || causeName(key) === given;
const beginsWith = ({ key }: Escalation, given: string) =>
  key.startsWith(given) || causeName(key).startsWith(given);

/** By its key or its name, or the only one that begins so. @throws Refusal `not_found`. */
function findEscalation({ escalations }: Escalations, key: string): Escalation {
  const exact = escalations.find((one) => isNamed(one, key));
  const close = escalations.filter((one) => beginsWith(one, key));
  const found = exact ?? (close.length === 1 ? close[0] : undefined);
  if (found !== undefined) return found;
  throw close.length > 1
    ? noSuch(key, `${close.length} escalations begin with ${key}.`)
    : noSuch(key);
}

function noSuch(key: string, message = `There is no escalation ${key}.`): Refusal {
  return new Refusal('not_found', message, '"redrive escalations list" lists them.');
}
