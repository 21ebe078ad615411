import type { CommandGroup, CommandSpec } from '../command/command-spec.ts';
import { PACE_OPTION } from '../command/common-options.ts';
import { under } from '../command/json-fields.ts';

const ARGS: CommandSpec['args'] = [
  { name: '<cause>', summary: 'as "redrive park list" names it, such as breaker:bank' },
];
const NO_CAUSE = 'no job is parked for that cause';

/** The fields of the jobs that are parked under one cause, under `at`. */
const PARK_FIELDS = `
  cause | text | its short name, for commands
  key | text | the full name, as it is stored with the jobs
  count | number | jobs, counted up to 10,000
  bounded | boolean | true: there are more
  since | time or null | null: not known
  waits_for | "breaker", "gate", "kill", "time" or "nothing" | time: each job has its own due time; nothing: the cause is gone, and the jobs are being released
  until | time or null | when a gate opens
  next_probe_at | time or null | when one of the jobs probes; null: there is no probe, or no live worker has their handler
  held_by | text or null | the operator who holds them
  held_why | text or null | the reason that was given
  pace | number or null | jobs per second that are released now; null: none, or no live worker has their handler
`;

export const PARK_COMMANDS: CommandGroup = {
  name: 'park',
  summary: 'list jobs that wait together for one cause, hold them, or release them',
  commands: [
    {
      name: 'list',
      summary: 'list the causes that jobs are parked for: since when, how many jobs, next probe',
      uses: 'store',
      reads: 'metrics',
      rows: 'cause, since, jobs, next probe, waits for',
      details:
        'A cause is an open breaker, a closed gate, or a kill switch that was released with --pace. When the cause is gone, its jobs are released automatically, at a growing pace.',
      examples: ['redrive park list', 'redrive park list --json'],
      json: `
        causes | list | by name; empty: no job is parked
        ${under('causes[].', PARK_FIELDS)}
      `,
      load: async () => (await import('./parked.ts')).runParkList,
    },
    {
      name: 'release',
      summary: 'make parked jobs of a cause ready: all, some, or at a pace',
      args: ARGS,
      options: [
        '--count <n> | at most this many, the longest parked first',
        { ...PACE_OPTION, conflicts: ['count'] },
        '--hold-only | end the hold only: the jobs are released when the cause is gone [not with count, pace]',
      ],
      acts: true,
      uses: 'store',
      details:
        'It ends a hold, unless --count is given. If the cause still exists, the jobs are parked again when they are claimed: first force the breaker closed, or open the gate. With --pace the jobs are released when the cause is gone.',
      examples: [
        'redrive park release breaker:bank --count 1',
        'redrive park release breaker:bank --pace 20/s --reason fixed',
        'redrive park release breaker:bank --hold-only',
      ],
      json: `
        cause | text | its short name
        released | number | jobs that are ready now, or would be
        more | boolean | true: the cause has more parked jobs
        pace | number or null | jobs per second at first; null: without --pace
      `,
      exits: { no_match: NO_CAUSE },
      load: async () => (await import('./parked.ts')).runParkRelease,
    },
    {
      name: 'hold',
      summary: 'hold the jobs of a cause: they stay parked even when the cause is gone',
      args: ARGS,
      options: ['--end | the same as "redrive park release <cause> --hold-only"'],
      acts: true,
      uses: 'store',
      details:
        'The hold applies to the jobs that are parked for the cause now and later. A new job runs normally if the cause is gone. Each job is held for a day at most; to stop jobs for longer, pause their queue or handler.',
      examples: ["redrive park hold breaker:bank --reason 'wrong amounts'"],
      json: `
        cause | text | its short name
        held | boolean | whether it is held now
        changed | boolean | false: it was in that state already, or --dry-run
      `,
      exits: { no_match: NO_CAUSE },
      load: async () => (await import('./parked.ts')).runParkHold,
    },
  ],
};
