import type { CommandSpec } from '../command/command-spec.ts';
import { REASON_OPTION, STORE_COMMAND_OPTIONS } from '../command/common-options.ts';
import { NO_STORE } from '../status/status-command.ts';

/** `redrive doctor` */
export const DOCTOR_COMMAND: CommandSpec = {
  name: 'doctor',
  summary: 'check the store for problems, and print a remedy for each',
  options: [
    {
      flags: '--put-back',
      summary: 'return rows that were set aside and can be read again',
    },
    REASON_OPTION,
    ...STORE_COMMAND_OPTIONS,
  ],
  reads: 'metrics',
  verdict: true,
  details:
    'It looks for rows that cannot be read, for jobs that are due in the far future because the clock was wrong, for an audit log that no worker seals, and for files that other users can read. It reads every job once, and changes nothing without --put-back. To check the audit log itself, use "redrive audit verify".',
  examples: ['redrive doctor', 'redrive doctor --json'],
  json: [
    { path: 'store', type: 'text', meaning: 'the store, without credentials' },
    { path: 'ok', type: 'boolean', meaning: 'there is no problem; there may be warnings' },
    { path: 'jobs_read', type: 'number', meaning: 'rows of jobs that were read' },
    { path: 'put_back', type: 'list', meaning: 'ids of jobs that were put back' },
    { path: 'findings', type: 'list', meaning: 'problems and warnings' },
    {
      path: 'findings[].check',
      type: 'text',
      meaning: 'unreadable_row, set_aside, future_due, unsealed or store',
    },
    {
      path: 'findings[].level',
      type: '"problem" or "warning"',
      meaning: 'a problem makes the exit code 1',
    },
    { path: 'findings[].message', type: 'text', meaning: 'what is wrong' },
    { path: 'findings[].remedy', type: 'text', meaning: 'what to do: mostly a command' },
    { path: 'findings[].jobs', type: 'list', meaning: 'ids of the jobs concerned' },
  ],
  exits: { failed: 'it found a problem', unreachable: NO_STORE },
  load: async () => (await import('./doctor.ts')).runDoctor,
};
