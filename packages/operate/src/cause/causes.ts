import { MAX_TITLE } from '@redrive/core/stored';
import type { FullStore } from '@redrive/durable';
import {
  type CauseRule,
  type CauseRuleDocument,
  causeRulesOf,
  type RuleTrial,
  removeCauseRule,
  setCauseRule,
  tryCauseRule,
} from '@redrive/durable/dead-letters';
import { checkRule, isAnyoneWorking, regroupingNow } from '@redrive/durable/store';
import * as z from 'zod';
import { act, action } from '../action/action.ts';
import type { Context } from '../action/context.ts';
import { Refusal } from '../action/refusal.ts';
import { nameText, text, time } from '../action/scalars.ts';
import { findCause } from './find-cause.ts';
import { mergeRule, renameRule, splitRule } from './rule-of-wish.ts';
import { rulesForFile } from './rules-for-file.ts';

const RULE = z.object({
  name: z.string().describe('names the rule, to remove it'),
  title: z.string().nullable().describe('the cause as people read it; null: as it was'),
  fingerprints: z.array(z.string()).describe('causes that it changes; empty: any'),
  handlers: z.array(z.string()).describe('patterns of handlers; empty: any'),
  types: z.array(z.string()).describe('patterns of types of errors; empty: any'),
  codes: z.array(z.string()).describe('patterns of codes of errors; empty: any'),
  messages: z.array(z.string()).describe('patterns of messages; empty: any'),
  into: z.string().nullable().describe('the cause that the failures join; null: that of its name'),
  split_by: z
    .string()
    .nullable()
    .describe('message, type, code or handler: a cause for each value; null: none'),
  split_pattern: z
    .string()
    .nullable()
    .describe('failures with a message that matches are a cause apart; null: none'),
});

const COUNT = {
  count: z.number().describe('dead letters, counted up to 10,000'),
  bounded: z.boolean().describe('true: there are more'),
};

const CHANGE = {
  rule: RULE.describe('the rule'),
  letters: z.object(COUNT).describe('stored letters that move, or would'),
  from: z
    .array(
      z.object({
        fingerprint: z.string().describe('the cause that they leave'),
        letters: z.number().describe('letters that move'),
      }),
    )
    .describe('the largest first'),
  to: z
    .array(
      z.object({
        fingerprint: z.string().describe('the cause that they come to'),
        pattern: z.string().describe('the cause as people read it'),
        letters: z.number().describe('letters that arrive'),
        has: z.object(COUNT).describe('letters that it has already; 0: it is new'),
      }),
    )
    .describe('the largest first'),
  operation: z
    .string()
    .nullable()
    .describe('the bulk operation that moves them; null: none has to move'),
  has_worker: z.boolean().describe('false: they move when a worker runs'),
};

const cause = () =>
  nameText().describe('the cause: its fingerprint, the beginning of one, or its name');

const listCauseRules = action({
  at: 'GET /v1/causes/rules',
  summary: 'list the rules of causes in force, in the order in which they apply',
  details:
    'Rules of the configuration come first, then those that people set, the oldest first. `yaml` has the rules that people set, as they are written in redrive.yaml.',
  role: 'viewer',
  reads: 'metrics',
  input: z.strictObject({}),
  answer: z.object({
    rules: z
      .array(
        RULE.extend({
          from_file: z.boolean().describe('true: it is from the configuration of a worker'),
          by: z.string().describe('who set it'),
          why: z.string().nullable().describe('the reason that was given'),
          set_at: time().describe('when'),
        }),
      )
      .describe('empty: causes are as their messages say'),
    moving: z
      .string()
      .nullable()
      .describe('the bulk operation that moves letters by these rules; null: all have moved'),
    yaml: z.string().describe('the section `causes` for redrive.yaml'),
  }),
  run: async ({ store, asOf }) => {
    const [documents, { nowMs, operation }] = await Promise.all([
      causeRulesOf(store),
      regroupingNow(store),
    ]);
    asOf(nowMs);
    return {
      rules: documents.map(ruleDocument),
      moving: operation ?? null,
      yaml: rulesForFile(documents.filter(({ place }) => place === undefined)),
    };
  },
});

const mergeCauses = act({
  at: 'POST /v1/causes/merge',
  summary: 'join causes of dead letters in one',
  details:
    'New letters follow within a second; a bulk operation moves the others. Acknowledgements, snoozes and owners of their escalations go with them, and nobody is notified. Removing the rule undoes it.',
  role: 'operator',
  input: z.strictObject({
    causes: z
      .array(nameText())
      .min(1)
      .max(100)
      .describe('the causes: fingerprints, beginnings of them, or names'),
    into: nameText().describe(
      'the cause that they join: its fingerprint, or a name for a new one, such as card-refused',
    ),
    title: text(MAX_TITLE)
      .optional()
      .describe('the cause as people read it; default: that of --into'),
  }),
  answer: z.object(CHANGE),
  refusals: {
    no_match: 'no dead letter has one of the causes',
    refused: 'these are one cause already',
    conflict: 'the beginning of a fingerprint is not unique',
  },
  run: async (context, { causes, into, title, dry_run }) => {
    const { store } = context;
    const found = await Promise.all(causes.map((each) => findCause(store, each)));
    const rule = mergeRule(found, await targetOf(store, into), title);
    if (rule.fingerprints?.length === 0)
      throw new Refusal('refused', 'These are one cause already.');
    return change(context, rule, dry_run);
  },
});

/** A cause that exists, or a name for a new one. */
async function targetOf(store: FullStore, into: string) {
  try {
    return await findCause(store, into);
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'not_found' && !into.includes(':'))
      return { name: into };
    throw error;
  }
}

const splitCause = act({
  at: 'POST /v1/causes/split',
  summary: 'split a cause of dead letters',
  details:
    'By message, type, code or handler it makes a cause for each value. By any other text, letters with a message that has this text are a cause apart; * stands for any text.',
  role: 'operator',
  input: z.strictObject({
    cause: cause(),
    by: text(200).min(1).describe('message, type, code, handler, or a text of messages'),
  }),
  answer: z.object(CHANGE),
  refusals: {
    no_match: 'no dead letter has the cause, or none has the text',
    conflict: 'the beginning of a fingerprint is not unique',
  },
  run: async (context, { cause: given, by, dry_run }) => {
    const { store } = context;
    const found = await findCause(store, given);
    const rule = splitRule(found, by);
    const { letters } = await tryCauseRule(store, { set: rule });
    if (letters.count === 0 && !letters.bounded) {
      const without = rule.splitBy === undefined ? `has the text ${by}` : `has a ${by}`;
      const hint = 'A part of a message, or a pattern with *, selects the letters to split off.';
      throw new Refusal('not_found', `No letter of ${found.fingerprint} ${without}.`, hint);
    }
    return change(context, rule, dry_run);
  },
});

const renameCause = act({
  at: 'POST /v1/causes/rename',
  summary: 'give a cause of dead letters another title',
  details: 'No letter moves. Fingerprint and escalation stay as they are.',
  role: 'operator',
  input: z.strictObject({
    cause: cause(),
    title: text(MAX_TITLE).min(1).describe('the cause as people read it'),
  }),
  answer: z.object({
    rule: RULE.describe('the rule'),
    fingerprint: z.string().describe('the cause'),
    was: z.string().describe('its title before'),
  }),
  refusals: {
    no_match: 'no dead letter has the cause',
    conflict: 'the beginning of a fingerprint is not unique',
  },
  run: async ({ store, actor }, { cause: given, title, dry_run }) => {
    const { fingerprint, pattern: was } = await findCause(store, given);
    const rule = renameRule({ fingerprint }, title);
    if (dry_run) checkRule(rule);
    else await setCauseRule(store, { rule, actor });
    return { rule: ruleAnswer(rule), fingerprint, was };
  },
});

const removeRule = act({
  at: 'POST /v1/causes/remove-rule',
  summary: 'remove a rule of causes: its letters go back to the causes that they have without it',
  details:
    'A rule of the configuration comes back with the next worker that starts with it: remove it there, too.',
  role: 'operator',
  input: z.strictObject({ name: nameText().describe('the name of the rule') }),
  answer: z.object(CHANGE),
  refusals: { no_match: 'there is no rule of that name' },
  run: async (context, { name, dry_run }) => {
    const { store, actor, warn } = context;
    const documents = await causeRulesOf(store);
    const document = documents.find(({ rule }) => rule.name === name);
    if (document === undefined) {
      const names = documents.slice(0, 20).map(({ rule }) => rule.name);
      const hint = names.length === 0 ? 'There are no rules.' : `Rules: ${names.join(', ')}.`;
      throw new Refusal('not_found', `There is no rule of causes ${name}.`, hint);
    }
    const trial = await tryCauseRule(store, { remove: name });
    if (document.place !== undefined)
      warn(`${name} is from a configuration: remove it there, or it comes back.`);
    const { operation } = dry_run ? {} : await removeCauseRule(store, { name, actor });
    return changeAnswer(context, document.rule, trial, operation);
  },
});

/** Rules of causes, and corrections by people, which set them. */
export const CAUSES = {
  list: listCauseRules,
  merge: mergeCauses,
  split: splitCause,
  rename: renameCause,
  removeRule,
} as const;

async function change(context: Context, rule: CauseRule, isDry: boolean) {
  const { store, actor } = context;
  const trial = await tryCauseRule(store, { set: rule });
  const { operation } = isDry ? {} : await setCauseRule(store, { rule, actor });
  return changeAnswer(context, rule, trial, operation);
}

async function changeAnswer(
  { store }: Context,
  rule: CauseRule,
  { letters, from, to }: RuleTrial,
  operation: string | undefined,
) {
  return {
    rule: ruleAnswer(rule),
    letters,
    from: [...from],
    to: to.map(({ fingerprint, pattern, letters: count, has = { count: 0, bounded: false } }) => ({
      fingerprint,
      pattern,
      letters: count,
      has,
    })),
    operation: operation ?? null,
    has_worker: await isAnyoneWorking(store),
  };
}

function ruleDocument({ rule, place, by, why, atMs }: CauseRuleDocument) {
  return {
    ...ruleAnswer(rule),
    from_file: place !== undefined,
    ...{ by, why: why ?? null, set_at: new Date(atMs).toISOString() },
  };
}

function ruleAnswer(rule: CauseRule) {
  return {
    name: rule.name,
    title: rule.title ?? null,
    fingerprints: [...(rule.fingerprints ?? [])],
    handlers: [...(rule.handlers ?? [])],
    types: [...(rule.types ?? [])],
    codes: [...(rule.codes ?? [])],
    messages: [...(rule.messages ?? [])],
    into: rule.into ?? null,
    split_by: rule.splitBy ?? null,
    split_pattern: rule.splitPattern ?? null,
  };
}
