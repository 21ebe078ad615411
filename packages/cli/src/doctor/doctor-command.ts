import type { CommandSpec } from '../command/command-spec.ts';
import { REASON_OPTION, STORE_COMMAND_OPTIONS } from '../command/common-options.ts';
import { NO_STORE } from '../status/status-command.ts';

/** `redrive doctor` */
export const DOCTOR_COMMAND: CommandSpec = {
  name: 'doctor',
  summary: 'look for what is wrong with the store, and say what to do about it',
  options: [
    {
      flags: '--put-back',
      summary: 'put rows back that were set aside and can be read again',
    },
    REASON_OPTION,
    ...STORE_COMMAND_OPTIONS,
  ],
  reads: 'metrics',
  verdict: true,
  details:
    'It looks for rows that cannot be read, for jobs that a clock which was set forward and back has left due in the far future, for an audit log that nobody seals, and for files that other users can read. It reads every job once; nothing is changed without --put-back. Whether the log is sound says "redrive audit verify".',
  examples: ['redrive doctor', 'redrive doctor --json'],
  json: [
    { path: 'store', type: 'text', meaning: 'the store, without credentials' },
    { path: 'ok', type: 'boolean', meaning: 'there is no problem; there may be warnings' },
    { path: 'jobs_read', type: 'number', meaning: 'rows of jobs that were looked at' },
    { path: 'put_back', type: 'list', meaning: 'ids of jobs that were put back' },
    { path: 'findings', type: 'list', meaning: 'what was found' },
    {
      path: 'findings[].check',
      type: 'text',
      meaning: 'unreadable_row, set_aside, future_due, unsealed or store',
    },
    { path: 'findings[].level', type: '"problem" or "warning"', meaning: 'how bad it is' },
    { path: 'findings[].message', type: 'text', meaning: 'what is wrong' },
    { path: 'findings[].remedy', type: 'text', meaning: 'what to do: mostly a command' },
    { path: 'findings[].jobs', type: 'list', meaning: 'ids of the jobs that it is about' },
  ],
  exits: { failed: 'it found a problem', unreachable: NO_STORE },
  load: async () => (await import('./doctor.ts')).runDoctor,
};
