import { actionCommand } from '../action/action-command.ts';
import type { CommandGroup } from '../command/command-spec.ts';

export const METRICS_COMMANDS: CommandGroup = {
  name: 'metrics',
  summary: 'retry metrics of a time window, computed from the audit log',
  commands: [
    actionCommand({
      name: 'show',
      action: 'metrics.show',
      options: [
        '--since <time>',
        '--until <time>',
        '--by <what> | print a table of these; default policy [one of category, policy, subsystem, operation, tenant]',
      ],
      examples: [
        'redrive metrics show --by category',
        'redrive metrics show --since 7d --by subsystem',
      ],
      render: async () => (await import('./show.ts')).METRICS_SHOW,
    }),
  ],
};
