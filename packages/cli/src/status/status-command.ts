import { actionCommand } from '../action/action-command.ts';
import { BAD_CONFIG } from '../command/common-options.ts';

/** `redrive status` */
export const STATUS_COMMAND = actionCommand({
  name: 'status',
  action: 'status.show',
  emergency: true,
  watches: true,
  options: ['--watch | refresh every 2 s, until Ctrl-C; with --json one line per refresh'],
  examples: [
    'redrive status',
    'redrive status --watch',
    'redrive status --json --store sqlite:./redrive.db',
  ],
  exits: { failed: BAD_CONFIG },
  render: async () => (await import('./status.ts')).STATUS_SHOW,
});
