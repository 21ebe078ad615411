import type { CommandSpec } from '../command/command-spec.ts';
import { CONFIG_OPTION, STORE_OPTION, VERBOSE_OPTION } from '../command/common-options.ts';
import { NO_STORE } from '../status/status-command.ts';

/** `redrive start` */
export const START_COMMAND: CommandSpec = {
  name: 'start',
  summary: 'work: run jobs, retry them, take over from dead workers, delete what is old',
  options: [
    {
      flags: '--until-idle',
      summary: 'end when nothing is ready, scheduled, parked or leased any more',
    },
    { flags: '--concurrency <n>', summary: "jobs at once; else the configuration's, else 10" },
    { flags: '--queue <name>', summary: 'only this queue; may be repeated', repeats: true },
    { flags: '--grace <time>', summary: 'what runs may go on so long after a signal; default 30s' },
    {
      flags: '--health-port <port>',
      summary: 'of /livez and /readyz on 127.0.0.1; 0: any, off: none; default 9470',
    },
    {
      flags: '--log-level <level>',
      summary: 'default info',
      choices: ['debug', 'info', 'warn', 'error', 'silent'],
    },
    {
      flags: '--demo',
      summary: 'bring a small flaky workload of its own, in ./redrive-demo.db',
      conflicts: ['untilIdle', 'config', 'queue'],
    },
    STORE_OPTION,
    CONFIG_OPTION,
    { flags: '--json', summary: 'log as JSON lines on a terminal too' },
    VERBOSE_OPTION,
  ],
  streams: true,
  details:
    'Handlers are declared under jobs.handlers of redrive.yaml. Its log goes to stdout: one JSON object per line, or plain lines on a terminal. Policies, budgets and breakers are read again at SIGHUP and when the file changes; a bad file leaves the last good one in force. SIGTERM and Ctrl-C let running jobs end within the grace time, then give them back at no cost; a second signal does so at once. Several may work on one store. With --until-idle health is served only if a port is named. The demo ends by itself when it is not on a terminal.',
  examples: ['redrive start --until-idle', 'redrive start --demo'],
  json: [
    { path: 'level', type: 'text', meaning: 'debug, info, warn or error' },
    { path: 'time', type: 'time', meaning: 'ISO 8601' },
    { path: 'event', type: 'text', meaning: 'what happened: retry.scheduled, …' },
    { path: 'msg', type: 'text', meaning: 'the same for people' },
    { path: 'handler', type: 'text', meaning: 'about jobs only, like those that follow' },
    { path: 'job', type: 'text', meaning: 'its id' },
    { path: 'attempt', type: 'number', meaning: 'from 1' },
    { path: 'max_attempts', type: 'number', meaning: 'attempts that count, by the policy' },
    { path: 'delay_ms', type: 'number', meaning: 'the wait before or after the attempt' },
    { path: 'duration_ms', type: 'number', meaning: 'of the attempt' },
    { path: 'reason', type: 'text', meaning: 'a reason code' },
    { path: 'error', type: 'text', meaning: 'type and message, sanitised' },
  ],
  exits: {
    failed: 'the configuration, a handler or the port of --health-port cannot be used',
    partial: 'with --until-idle: something died; otherwise: a job did not end in time',
    unreachable: NO_STORE,
    interrupted: 'a second signal came, or a signal before it was idle',
  },
  load: async () => (await import('./start.ts')).runStart,
};
