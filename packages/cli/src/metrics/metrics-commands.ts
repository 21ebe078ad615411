import type { CommandGroup } from '../command/command-spec.ts';

const SHARE = '`sessions`, `total_attempts`, `success_rate` (0 to 1) and `average_attempts`';

export const METRICS_COMMANDS: CommandGroup = {
  name: 'metrics',
  summary: 'retry metrics of a time window, computed from the audit log',
  commands: [
    {
      name: 'show',
      summary:
        'sessions, success rate, attempts and durations, by category, policy, subsystem, operation or tenant',
      options: [
        '--since <time> | sessions that ended at this time or later; 2h: within the last 2 hours; default 24h',
        '--until <time> | sessions that ended before this time; default now',
        '--by <what> | print a table of these; default policy [one of category, policy, subsystem, operation, tenant]',
      ],
      uses: 'store',
      reads: 'metrics',
      details:
        'It reads the whole audit log: jobs, and calls in process with an audit sink. Cancelled sessions, and messages that never ran, are left out. A session that was requeued and ended again counts twice. Imported sessions count at their own times; imported metrics count if their whole window is inside and no other session ended in it, without category, operation and tenant. A policy without an id has its hash. A dimension has 1,000 names at most, and `_other` for the rest. Live metrics are at /metrics of a worker.',
      examples: [
        'redrive metrics show --by category',
        'redrive metrics show --since 7d --by subsystem',
      ],
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
        by_subsystem | any | of each subsystem of \`subsystem_mappings\`, or the part of the operation's name before a dot: ${SHARE}
        by_category | any | of each category, without sessions too (rates are \`null\` then): ${SHARE}; \`""\`: sessions without a category
        by_operation | any | of each operation or handler: ${SHARE}
        by_tenant | any | of each tenant: ${SHARE}; \`""\`: sessions without a tenant
        imported | any | what is imported: \`sessions\`, \`windows\` of metrics with their \`window_sessions\`, and \`windows_left_out\`
      `,
      load: async () => (await import('./show.ts')).runMetricsShow,
    },
  ],
};
