import { actionCommand } from '../action/action-command.ts';
import type { Sugar } from '../action/sugar.ts';
import type { CommandGroup } from '../command/command-spec.ts';

const KEY: NonNullable<Sugar['args']>[number] = { name: '<key>' };

const renderAct = async () => (await import('./escalations.ts')).ESCALATION_ACT;

export const ESCALATION_COMMANDS: CommandGroup = {
  name: 'escalations',
  aliases: ['escalation'],
  summary: 'failing work that needs people, by tier: list, acknowledge, snooze, assign, decide',
  commands: [
    actionCommand({
      name: 'list',
      action: 'escalations.list',
      rows: 'tier, key, failed, stuck, owner, state, title',
      examples: ['redrive escalations list', 'redrive escalations list --json'],
      render: async () => (await import('./escalations.ts')).ESCALATION_LIST,
    }),
    actionCommand({
      name: 'show',
      action: 'escalations.show',
      args: [KEY],
      options: ['--since <time>'],
      examples: ['redrive escalations show archives', 'redrive escalations show fp1:9c1e'],
      render: async () => (await import('./escalations.ts')).ESCALATION_SHOW,
    }),
    actionCommand({
      name: 'ack',
      action: 'escalations.ack',
      args: [KEY],
      examples: ["redrive escalations ack archives --reason 'looking at the parser'"],
      render: renderAct,
    }),
    actionCommand({
      name: 'snooze',
      action: 'escalations.snooze',
      args: [KEY],
      options: ['--for <time>'],
      fields: { for: 'for_ms' },
      examples: ["redrive escalations snooze fp1:9c1e --for 4h --reason 'fix is on its way'"],
      render: renderAct,
    }),
    actionCommand({
      name: 'assign',
      action: 'escalations.assign',
      args: [KEY, { name: '<owner>' }],
      examples: ['redrive escalations assign archives parsing-team'],
      render: renderAct,
    }),
    actionCommand({
      name: 'decide',
      action: 'escalations.decide',
      args: [KEY],
      options: ['--decision <decision>'],
      examples: [
        "redrive escalations decide fp1:9c1e --decision requeue --reason 'fixed in 4.2.1'",
        "redrive escalations decide archives --decision purge --reason 'corrupt files'",
      ],
      render: renderAct,
    }),
  ],
};
