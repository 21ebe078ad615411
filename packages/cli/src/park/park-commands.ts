import type { CommandGroup, CommandSpec, JsonField } from '../command/command-spec.ts';
import {
  DRY_RUN_OPTION,
  NEXT_FIELD,
  PACE_OPTION,
  REASON_OPTION,
  STORE_COMMAND_OPTIONS,
} from '../command/common-options.ts';
import { NO_STORE } from '../status/status-command.ts';

const ARGS: CommandSpec['args'] = [
  { name: '<cause>', summary: 'as "redrive park list" names it, such as breaker:bank' },
];
const NO_CAUSE = 'no job is parked for that cause';

/** What is parked under one cause, under `at`. */
export const parkFields = (at: string): JsonField[] => [
  { path: `${at}cause`, type: 'text', meaning: 'its short name, for commands' },
  { path: `${at}key`, type: 'text', meaning: 'the full name, as it is stored with the jobs' },
  { path: `${at}count`, type: 'number', meaning: 'jobs, counted up to 10,000' },
  { path: `${at}bounded`, type: 'boolean', meaning: 'true: there are more' },
  { path: `${at}since`, type: 'time or null', meaning: 'null: not known' },
  {
    path: `${at}waits_for`,
    type: '"breaker", "gate", "kill", "operation", "time" or "nothing"',
    meaning:
      'time: each job has its own due time; nothing: the cause is gone, and the jobs are being released',
  },
  { path: `${at}until`, type: 'time or null', meaning: 'when a gate opens' },
  {
    path: `${at}next_probe_at`,
    type: 'time or null',
    meaning:
      'when one of the jobs probes; null: there is no probe, or no live worker has their handler',
  },
  { path: `${at}held_by`, type: 'text or null', meaning: 'the operator who holds them' },
  { path: `${at}held_why`, type: 'text or null', meaning: 'the reason that was given' },
  {
    path: `${at}pace`,
    type: 'number or null',
    meaning:
      'jobs per second that are released now; null: none, or no live worker has their handler',
  },
];

/** `redrive park …` */
export const PARK_COMMANDS: CommandGroup = {
  name: 'park',
  summary: 'list jobs that wait together for one cause, hold them, or release them',
  commands: [
    {
      name: 'list',
      summary: 'list the causes that jobs are parked for: since when, how many jobs, next probe',
      options: [REASON_OPTION, ...STORE_COMMAND_OPTIONS],
      reads: 'metrics',
      rows: ['cause', 'since', 'jobs', 'next probe', 'waits for'],
      details:
        'A cause is an open breaker, a closed gate, a kill switch that was released with --pace, or a bulk operation that waits for the result of a ramp stage. When the cause is gone, its jobs are released automatically, at a growing pace.',
      examples: ['redrive park list', 'redrive park list --json'],
      json: [
        { path: 'causes', type: 'list', meaning: 'by name; empty: no job is parked' },
        ...parkFields('causes[].'),
        NEXT_FIELD,
      ],
      exits: { unreachable: NO_STORE },
      load: async () => (await import('./list.ts')).runParkList,
    },
    {
      name: 'release',
      summary: 'make parked jobs of a cause ready: all, some, or at a pace',
      args: ARGS,
      options: [
        { flags: '--count <n>', summary: 'at most this many, the longest parked first' },
        { ...PACE_OPTION, conflicts: ['count'] },
        {
          flags: '--hold-only',
          summary: 'end the hold only: the jobs are released when the cause is gone',
          conflicts: ['count', 'pace'],
        },
        REASON_OPTION,
        DRY_RUN_OPTION,
        ...STORE_COMMAND_OPTIONS,
      ],
      details:
        'It ends a hold, unless --count is given. If the cause still exists, the jobs are parked again when they are claimed: first force the breaker closed, or open the gate. With --pace the jobs are released when the cause is gone.',
      examples: [
        'redrive park release breaker:bank --count 1',
        'redrive park release breaker:bank --pace 20/s --reason fixed',
        'redrive park release breaker:bank --hold-only',
      ],
      json: [
        { path: 'cause', type: 'text', meaning: 'its short name' },
        { path: 'released', type: 'number', meaning: 'jobs that are ready now, or would be' },
        { path: 'more', type: 'boolean', meaning: 'true: the cause has more parked jobs' },
        {
          path: 'pace',
          type: 'number or null',
          meaning: 'jobs per second at first; null: without --pace',
        },
        { path: 'dry_run', type: 'boolean', meaning: 'true: nothing was changed' },
      ],
      exits: { no_match: NO_CAUSE, unreachable: NO_STORE },
      load: async () => (await import('./release.ts')).runParkRelease,
    },
    {
      name: 'hold',
      summary: 'hold the jobs of a cause: they stay parked even when the cause is gone',
      args: ARGS,
      options: [
        { flags: '--end', summary: 'the same as "redrive park release <cause> --hold-only"' },
        REASON_OPTION,
        DRY_RUN_OPTION,
        ...STORE_COMMAND_OPTIONS,
      ],
      details:
        'The hold applies to the jobs that are parked for the cause now and later. A new job runs normally if the cause is gone. Each job is held for a day at most; to stop jobs for longer, pause their queue or handler.',
      examples: ["redrive park hold breaker:bank --reason 'wrong amounts'"],
      json: [
        { path: 'cause', type: 'text', meaning: 'its short name' },
        { path: 'held', type: 'boolean', meaning: 'whether it is held now' },
        {
          path: 'changed',
          type: 'boolean',
          meaning: 'false: it was in that state already, or --dry-run',
        },
        { path: 'dry_run', type: 'boolean', meaning: 'true: nothing was changed' },
      ],
      exits: { no_match: NO_CAUSE, unreachable: NO_STORE },
      load: async () => (await import('./hold.ts')).runParkHold,
    },
  ],
};
