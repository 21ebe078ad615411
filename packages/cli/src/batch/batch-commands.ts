import { actionCommand } from '../action/action-command.ts';
import type { CommandGroup } from '../command/command-spec.ts';

const ID = { name: '<id>', summary: 'id of the batch' };

export const BATCH_COMMANDS: CommandGroup = {
  name: 'batches',
  aliases: ['batch'],
  summary: 'list batches of jobs, show their progress, cancel and retry their jobs',
  commands: [
    actionCommand({
      name: 'list',
      action: 'batches.list',
      options: ['--state <state>', '--tenant <name>'],
      pages: true,
      rows: 'id, tenant, state, done, running, dead, opened, then',
      examples: ['redrive batches list', 'redrive batches list --state sealed --json'],
      render: async () => (await import('./batch-lines.ts')).BATCH_LIST,
    }),
    actionCommand({
      name: 'show',
      action: 'batches.show',
      args: [ID],
      examples: ['redrive batches show import-7', 'redrive batches show import-7 --json'],
      render: async () => (await import('./batch-lines.ts')).BATCH_SHOW,
    }),
    actionCommand({
      name: 'cancel',
      action: 'batches.cancel',
      args: [ID],
      examples: ["redrive batches cancel import-7 --reason 'wrong file'"],
      render: async () => (await import('./batch-lines.ts')).BATCH_ACT,
    }),
    actionCommand({
      name: 'retry',
      action: 'batches.retry',
      args: [ID],
      examples: ["redrive batches retry import-7 --reason 'the service is back'"],
      render: async () => (await import('./batch-lines.ts')).BATCH_ACT,
    }),
  ],
};
