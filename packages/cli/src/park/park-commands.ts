import { actionCommand } from '../action/action-command.ts';
import type { Sugar } from '../action/sugar.ts';
import type { CommandGroup } from '../command/command-spec.ts';
import { PACE_OPTION } from '../command/common-options.ts';

const ARGS: Sugar['args'] = [
  { name: '<cause>', summary: 'as "redrive park list" names it, such as breaker:bank' },
];

export const PARK_COMMANDS: CommandGroup = {
  name: 'park',
  summary: 'list jobs that wait together for one cause, hold them, or release them',
  commands: [
    actionCommand({
      name: 'list',
      action: 'park.list',
      rows: 'cause, since, jobs, next probe, waits for',
      examples: ['redrive park list', 'redrive park list --json'],
      render: async () => (await import('./parked.ts')).PARK_LIST,
    }),
    actionCommand({
      name: 'release',
      action: 'park.release',
      instead: { holdOnly: 'park.endHold' },
      args: ARGS,
      options: [
        '--count <n>',
        { ...PACE_OPTION, conflicts: ['count'] },
        '--hold-only | end the hold only: the jobs are released when the cause is gone [not with count, pace]',
      ],
      examples: [
        'redrive park release breaker:bank --count 1',
        'redrive park release breaker:bank --pace 20/s --reason fixed',
        'redrive park release breaker:bank --hold-only',
      ],
      render: async () => (await import('./parked.ts')).PARK_RELEASE,
    }),
    actionCommand({
      name: 'hold',
      action: 'park.hold',
      instead: { end: 'park.endHold' },
      args: ARGS,
      options: ['--end | the same as "redrive park release <cause> --hold-only"'],
      examples: ["redrive park hold breaker:bank --reason 'wrong amounts'"],
      render: async () => (await import('./parked.ts')).PARK_HOLD,
    }),
  ],
};
