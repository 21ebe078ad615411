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
const NO_CAUSE = 'nothing is parked under that cause';

/** What is parked under one cause, under `at`. */
export const parkFields = (at: string): JsonField[] => [
  { path: `${at}cause`, type: 'text', meaning: 'its short name, for commands' },
  { path: `${at}key`, type: 'text', meaning: 'as it stands with the jobs' },
  { path: `${at}count`, type: 'number', meaning: 'jobs, counted up to 10,000' },
  { path: `${at}bounded`, type: 'boolean', meaning: 'true: there are more' },
  { path: `${at}since`, type: 'time or null', meaning: 'null: not known' },
  {
    path: `${at}waits_for`,
    type: '"breaker", "gate", "kill", "operation", "time" or "nothing"',
    meaning: 'time: each for its own; nothing: the cause is gone, and they come back',
  },
  { path: `${at}until`, type: 'time or null', meaning: 'when a gate opens' },
  {
    path: `${at}next_probe_at`,
    type: 'time or null',
    meaning: 'when one of them tries; null: none does, or no live worker has their handler',
  },
  { path: `${at}held_by`, type: 'text or null', meaning: 'who keeps them parked' },
  { path: `${at}held_why`, type: 'text or null', meaning: 'the reason that was given' },
  {
    path: `${at}pace`,
    type: 'number or null',
    meaning: 'jobs per second that come back now; null: none, or no live worker has their handler',
  },
];

/** `redrive park …` */
export const PARK_COMMANDS: CommandGroup = {
  name: 'park',
  summary: 'list jobs that wait together for one cause, hold them, or release them',
  commands: [
    {
      name: 'list',
      summary: 'list what jobs are parked under: cause, since when, how many, next probe',
      options: [REASON_OPTION, ...STORE_COMMAND_OPTIONS],
      reads: 'metrics',
      rows: ['cause', 'since', 'jobs', 'next probe', 'waits for'],
      details:
        'A cause is an open breaker, a closed gate, a kill switch that was released at a pace, or a bulk operation whose ramp is not decided. When it is gone, its jobs come back by themselves at a growing pace.',
      examples: ['redrive park list', 'redrive park list --json'],
      json: [
        { path: 'causes', type: 'list', meaning: 'by name; empty: nothing is parked' },
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
          summary: 'end the hold and make no job ready: they come back when the cause is gone',
          conflicts: ['count', 'pace'],
        },
        REASON_OPTION,
        DRY_RUN_OPTION,
        ...STORE_COMMAND_OPTIONS,
      ],
      details:
        'It ends a hold, unless --count is given. Where the cause is still there, they are parked again when their turn comes: force the breaker closed, or open the gate, first. With --pace they come when the cause is gone.',
      examples: [
        'redrive park release breaker:bank --count 1',
        'redrive park release breaker:bank --pace 20/s --reason fixed',
        'redrive park release breaker:bank --hold-only',
      ],
      json: [
        { path: 'cause', type: 'text', meaning: 'its short name' },
        { path: 'released', type: 'number', meaning: 'so many are ready now, or would be' },
        { path: 'more', type: 'boolean', meaning: 'there are more under the cause' },
        {
          path: 'pace',
          type: 'number or null',
          meaning: 'a second at first; null: none was asked for',
        },
        { path: 'dry_run', type: 'boolean', meaning: 'nothing was done' },
      ],
      exits: { no_match: NO_CAUSE, unreachable: NO_STORE },
      load: async () => (await import('./release.ts')).runParkRelease,
    },
    {
      name: 'hold',
      summary: 'keep the jobs of a cause parked, whatever becomes of it',
      args: ARGS,
      options: [
        { flags: '--end', summary: 'the same as "redrive park release <cause> --hold-only"' },
        REASON_OPTION,
        DRY_RUN_OPTION,
        ...STORE_COMMAND_OPTIONS,
      ],
      details:
        'It holds what is parked under the cause now and later. Jobs that come when the cause is gone run as ever. Each is held for a day at most: for longer, pause its queue or handler.',
      examples: ["redrive park hold breaker:bank --reason 'wrong amounts'"],
      json: [
        { path: 'cause', type: 'text', meaning: 'its short name' },
        { path: 'held', type: 'boolean', meaning: 'whether it is held now' },
        { path: 'changed', type: 'boolean', meaning: 'false: it was so already, or --dry-run' },
        { path: 'dry_run', type: 'boolean', meaning: 'nothing was done' },
      ],
      exits: { no_match: NO_CAUSE, unreachable: NO_STORE },
      load: async () => (await import('./hold.ts')).runParkHold,
    },
  ],
};
