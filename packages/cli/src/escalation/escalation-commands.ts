import type { CommandGroup, CommandSpec } from '../command/command-spec.ts';
import { under } from '../command/json-fields.ts';

const KEY = {
  name: '<key>',
  summary: 'name of a collection or fingerprint of a cause, or the beginning of one',
};

const FIELDS = `
  key | text | the name of a collection, or the fingerprint of a cause
  kind | "collection" or "cause" | which of the two
  title | text | the pattern of the errors, or the name of the collection
  tier | number | 1 to 4; 0: nothing is wrong any more
  stuck | number | items that are retried or parked
  failed | number | items whose retries are used up
  bounded | boolean | true: there are more than were counted
  stuck_since | time or null | the first failure of the stuck items; null: not known, or none is stuck
  owner | text | who was assigned, or the owner of the tier
  next_tier | number or null | the next tier, if nothing but time changes; null: none
  next_tier_at | time or null | when it has that tier
  since | time or null | since when it has acts or notifications; null: none
  notified_tier | number | the tier of the last notification; 0: none
  notified | time or null | when that tier was reached
  respond_by | time or null | the time for a response; null: none is due
  resolve_by | time or null | the time until all must be resolved; null: no limit
  overdue | "response", "resolution" or null | which of the two has passed
  acknowledged_by | text or null | who acknowledged it
  acknowledged_tier | number or null | the tier that was acknowledged
  snoozed_until | time or null | no notification until then
  decision | "requeue", "purge", "leave" or null | the decision
  decided_by | text or null | who decided
  decision_why | text or null | the reason of the decision
`;

const ACT: Partial<CommandSpec> = {
  acts: true,
  uses: 'store',
  json: `
    ${FIELDS}
  `,
  exits: { no_match: 'there is no such escalation' },
};

export const ESCALATION_COMMANDS: CommandGroup = {
  name: 'escalations',
  aliases: ['escalation'],
  summary: 'failing work that needs people, by tier: list, acknowledge, snooze, assign, decide',
  commands: [
    {
      name: 'list',
      summary: 'list causes and collections that fail, the highest tier first',
      uses: 'store',
      reads: 'metrics',
      rows: 'tier, key, failed, stuck, owner, state, title',
      details:
        'The tier follows from age and state: 1 is retried automatically, 2 is stuck for 24 hours or many are, 3 has used up its retries, 4 is for the engineering lead. Tiers, owners and times come from escalation of redrive.yaml. Collections are listed as the last sweep counted them.',
      examples: ['redrive escalations list', 'redrive escalations list --json'],
      json: `
        escalations | list | the highest tier first
        ${under('escalations[].', FIELDS)}
        more | boolean | true: there are more causes than were read
      `,
      load: async () => (await import('./escalations.ts')).runEscalationList,
    },
    {
      name: 'show',
      summary: 'show an escalation with its log: notifications and acts, the newest first',
      args: [KEY],
      options: ['--since <time> | records since then; default 30 days ago'],
      uses: 'store',
      reads: 'sessions',
      details:
        'The log is read from the audit log, so it is there after the escalation was resolved, too.',
      examples: ['redrive escalations show archives', 'redrive escalations show fp1:9c1e'],
      json: `
        ${FIELDS}
        log | list | the newest first, at most 200
        log[].at | time | when
        log[].act | text | raise, resolve, acknowledge, snooze, assign or decide
        log[].by | text | who
        log[].why | text or null | the reason that was given
        log[].detail | object | tier, counts, owner, time or decision
      `,
      exits: { no_match: 'there is no such escalation' },
      load: async () => (await import('./escalations.ts')).runEscalationShow,
    },
    {
      ...ACT,
      name: 'ack',
      summary: 'acknowledge an escalation: you look at it',
      args: [KEY],
      details: 'It answers its tier. A higher tier is notified, and wants an answer again.',
      examples: ["redrive escalations ack archives --reason 'looking at the parser'"],
      load: async () => (await import('./escalations.ts')).runEscalationAck,
    },
    {
      ...ACT,
      name: 'snooze',
      summary: 'send no notification of its tier or a lower one for a while',
      args: [KEY],
      options: ['--for <time> | how long: 30m, 4h, 2d; at most 30d; default 4h'],
      details:
        'A higher tier is notified all the same. If the tier still holds afterwards, it is notified again.',
      examples: ["redrive escalations snooze fp1:9c1e --for 4h --reason 'fix is on its way'"],
      load: async () => (await import('./escalations.ts')).runEscalationSnooze,
    },
    {
      ...ACT,
      name: 'assign',
      summary: 'assign an escalation to a person or a team',
      args: [KEY, { name: '<owner>', summary: 'name of the person or team' }],
      examples: ['redrive escalations assign archives parsing-team'],
      load: async () => (await import('./escalations.ts')).runEscalationAssign,
    },
    {
      ...ACT,
      name: 'decide',
      summary: 'record the decision about an escalation, and print the command that carries it out',
      args: [KEY],
      options: [
        '--decision <decision> | requeue: the cause is corrected; purge: the data is wrong for good; leave: nothing for now [one of requeue, purge, leave]',
      ],
      details: 'It changes no job and no document: the printed command does, with its own options.',
      examples: [
        "redrive escalations decide fp1:9c1e --decision requeue --reason 'fixed in 4.2.1'",
        "redrive escalations decide archives --decision purge --reason 'corrupt files'",
      ],
      json: `
        ${FIELDS}
        next | text or null | the command that carries the decision out; null: none is needed
      `,
      exits: { no_match: 'there is no such escalation' },
      load: async () => (await import('./escalations.ts')).runEscalationDecide,
    },
  ],
};
