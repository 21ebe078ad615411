import type { CommandSpec } from '../command/command-spec.ts';

/** `redrive doctor` */
export const DOCTOR_COMMAND: CommandSpec = {
  name: 'doctor',
  summary: 'check the store for problems, and print a remedy for each',
  options: ['--put-back | return rows that were set aside and can be read again'],
  uses: 'store',
  reads: 'metrics',
  verdict: true,
  details:
    'It looks for rows that cannot be read, for jobs that are due in the far future because the clock was wrong, for an audit log that no worker seals, and for files that other users can read. It reads every job once, and changes nothing without --put-back. To check the audit log itself, use "redrive audit verify".',
  examples: ['redrive doctor', 'redrive doctor --json'],
  json: `
    store | text | the store, without credentials
    ok | boolean | there is no problem; there may be warnings
    jobs_read | number | rows of jobs that were read
    put_back | list | ids of jobs that were put back
    findings | list | problems and warnings
    findings[].check | text | unreadable_row, set_aside, future_due, unsealed or store
    findings[].level | "problem" or "warning" | a problem makes the exit code 1
    findings[].message | text | what is wrong
    findings[].remedy | text | what to do: mostly a command
    findings[].jobs | list | ids of the jobs concerned
  `,
  exits: { failed: 'it found a problem' },
  load: async () => (await import('./doctor.ts')).runDoctor,
};
