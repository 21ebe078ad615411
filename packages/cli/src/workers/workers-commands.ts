import { actionCommand } from '../action/action-command.ts';
import type { CommandGroup } from '../command/command-spec.ts';

export const WORKERS_COMMANDS: CommandGroup = {
  name: 'workers',
  aliases: ['worker'],
  summary: 'list the processes that work on the jobs of a store',
  commands: [
    actionCommand({
      name: 'list',
      action: 'workers.list',
      emergency: true,
      options: ['--all'],
      pages: true,
      rows: 'name, state, running, since, last seen, host, pid, version, handlers, queues',
      examples: ['redrive workers list', 'redrive workers list --all --json'],
      render: async () => (await import('./worker-view.ts')).WORKER_LIST,
    }),
  ],
};
