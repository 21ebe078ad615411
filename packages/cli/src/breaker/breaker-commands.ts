import { actionCommand } from '../action/action-command.ts';
import type { Sugar } from '../action/sugar.ts';
import type { CommandGroup } from '../command/command-spec.ts';

const ARGS: Sugar['args'] = [{ name: '<dependency>' }];

const FORCE: Pick<Sugar, 'action' | 'args' | 'fields' | 'options'> = {
  action: 'breakers.force',
  args: ARGS,
  options: ['--for <time>', '--until <time> [not with for]'],
  fields: { for: 'for_ms' },
};

const renderChange = async () => (await import('./breakers.ts')).BREAKER_CHANGE;

export const BREAKER_COMMANDS: CommandGroup = {
  name: 'breakers',
  aliases: ['breaker'],
  summary: 'look at the circuit breakers that all workers share, and set them by hand',
  commands: [
    actionCommand({
      name: 'list',
      action: 'breakers.list',
      rows: 'dependency, state, changed, failures, opens at, next probe, parked, ends',
      examples: ['redrive breakers list', 'redrive breakers list --json'],
      render: async () => (await import('./breakers.ts')).BREAKER_LIST,
    }),
    actionCommand({
      name: 'show',
      action: 'breakers.show',
      args: ARGS,
      examples: ['redrive breakers show bank', 'redrive breakers show bank --json'],
      render: async () => (await import('./breakers.ts')).BREAKER_SHOW,
    }),
    actionCommand({
      ...FORCE,
      name: 'force-open',
      fixed: { state: 'open' },
      emergency: true,
      summary: 'force a breaker open: no job of the dependency runs',
      details:
        'Its jobs are parked, and there is no probe. A dependency without a breaker can be forced open too.',
      examples: ["redrive breakers force-open bank --for 30m --reason 'maintenance window'"],
      render: renderChange,
    }),
    actionCommand({
      ...FORCE,
      name: 'force-closed',
      fixed: { state: 'closed' },
      summary: 'force a breaker closed: all jobs of the dependency run, even if they fail',
      details: 'The parked jobs are released at a growing pace.',
      examples: ['redrive breakers force-closed bank --for 10m'],
      render: renderChange,
    }),
    actionCommand({
      name: 'half-open',
      action: 'breakers.halfOpen',
      args: ARGS,
      examples: ['redrive breakers half-open bank'],
      render: renderChange,
    }),
    actionCommand({
      name: 'reset',
      action: 'breakers.reset',
      args: ARGS,
      examples: ['redrive breakers reset bank --reason fixed'],
      render: renderChange,
    }),
  ],
};
