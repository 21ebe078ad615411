import type { CommandGroup } from '../command/command-spec.ts';

const SHARE = '`sessions`, `success_rate` (0 to 1) and `average_attempts`';

export const METRICS_COMMANDS: CommandGroup = {
  name: 'metrics',
  summary: 'retry metrics of a time window, computed from the audit log',
  commands: [
    {
      name: 'show',
      summary: 'sessions, success rate, attempts and durations, by policy or subsystem',
      options: [
        '--since <time> | sessions that ended at this time or later; 2h: within the last 2 hours; default 24h',
        '--until <time> | sessions that ended before this time; default now',
        '--by <what> | print a table of policies or of subsystems; default policy [one of policy, subsystem]',
      ],
      uses: 'store',
      reads: 'metrics',
      details:
        'It reads the whole audit log: jobs, and calls in process with an audit sink. Cancelled sessions, and messages that never ran, are left out. A session that was requeued and ended again counts twice. Live metrics are at /metrics of a worker.',
      examples: ['redrive metrics show', 'redrive metrics show --since 7d --by subsystem --json'],
      json: `
        time_window_start | time | ISO 8601
        time_window_end | time | ISO 8601
        total_sessions | number | sessions that ended in the window
        successful_sessions | number | sessions that succeeded
        failed_sessions | number | sessions that were given up
        total_attempts | number | attempts of these sessions, the first ones included
        average_attempts_per_session | number | attempts per session; 0: there are no sessions
        max_attempts_in_session | number | the most attempts of one session
        total_duration | number | seconds from the submission of each session to its end, added up
        average_duration_per_session | number | in seconds
        by_policy | any | of each policy, by its id: ${SHARE}
        by_subsystem | any | of each subsystem, the first part of its operations' names: ${SHARE}
      `,
      load: async () => (await import('./show.ts')).runMetricsShow,
    },
  ],
};
