import { actionCommand } from '../action/action-command.ts';
import type { CommandSpec } from '../command/command-spec.ts';

/** Corrections of causes by people. */
export const CAUSE_COMMANDS: readonly CommandSpec[] = [
  actionCommand({
    name: 'merge',
    action: 'causes.merge',
    args: [{ name: '<causes...>' }],
    options: ['--into <cause>', '--title <text>'],
    examples: [
      'redrive dlq merge fp1:2b87a8c4f0c3d1e5 fp1:9c1d --into card-refused --dry-run',
      "redrive dlq merge fp1:9c1d --into fp1:2b87 --title 'Card refused by the bank'",
    ],
    render: async () => (await import('./cause-texts.ts')).CAUSE_MERGE,
  }),
  actionCommand({
    name: 'split',
    action: 'causes.split',
    args: [{ name: '<cause>' }],
    options: ['--by <what>'],
    examples: [
      'redrive dlq split fp1:2b87 --by handler',
      "redrive dlq split card-refused --by 'bank 13' --dry-run",
    ],
    render: async () => (await import('./cause-texts.ts')).CAUSE_SPLIT,
  }),
  actionCommand({
    name: 'rename',
    action: 'causes.rename',
    args: [{ name: '<cause>' }, { name: '<title>' }],
    examples: ["redrive dlq rename fp1:2b87 'Card refused by the bank'"],
    render: async () => (await import('./cause-texts.ts')).CAUSE_RENAME,
  }),
  actionCommand({
    name: 'rules',
    action: 'causes.list',
    details:
      'Rules of the configuration come first, then those that people set, the oldest first. "redrive dlq export-rules" prints those that people set for redrive.yaml.',
    rows: 'name, rule, from file, set, by, why',
    examples: ['redrive dlq rules', 'redrive dlq rules --json'],
    render: async () => (await import('./cause-texts.ts')).CAUSE_RULES,
  }),
  actionCommand({
    name: 'export-rules',
    action: 'causes.list',
    summary: 'print the rules of causes that people set, for redrive.yaml',
    examples: ['redrive dlq export-rules > causes.yaml'],
    render: async () => (await import('./cause-texts.ts')).CAUSE_EXPORT,
  }),
  actionCommand({
    name: 'remove-rule',
    action: 'causes.removeRule',
    args: [{ name: '<name>', summary: 'as "redrive dlq rules" names it' }],
    examples: ['redrive dlq remove-rule card-refused'],
    render: async () => (await import('./cause-texts.ts')).CAUSE_REMOVE,
  }),
];
