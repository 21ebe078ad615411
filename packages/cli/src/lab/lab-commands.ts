import type { CommandGroup } from '../command/command-spec.ts';

export const LAB_COMMANDS: CommandGroup = {
  name: 'lab',
  summary: 'record the attempts of a time window from the audit log',
  commands: [
    {
      name: 'record',
      summary: 'write the attempts of a time window into a directory, as a recording',
      options: [
        '--since <time> | attempts that ended at this time or later; 7d: within the last 7 days; default 7d',
        '--until <time> | attempts that ended before this time; default now',
        '--dependency <name> | attempts at this dependency only',
        '--to <directory> | the directory; it must be empty, or not exist',
      ],
      uses: 'store',
      reads: 'sessions',
      details:
        "It reads the audit log once and writes recording/v1: a JSON line per attempt, with dependency, handler, policy, rung, attempt number, times, error class and type, hint and decision. A session is a salted hash; there is no payload and no message. The log has only the end of a job's successful attempt. Calls in process are in it if they use an audit sink. A handler without a dependency is its own. Only you can read the file. Ctrl-C keeps the attempts that were written.",
      examples: [
        'redrive lab record --since 7d --to recording',
        'redrive lab record --since 2027-01-31T08:00:00Z --until 2027-01-31T10:00:00Z --dependency mail --to incident',
      ],
      json: `
        file | text | the recording
        attempts | number | attempts in it
        since | time | ISO 8601
        until | time | ISO 8601
      `,
      exits: { refused: 'the directory is not empty' },
      load: async () => (await import('./record.ts')).runLabRecord,
    },
  ],
};
