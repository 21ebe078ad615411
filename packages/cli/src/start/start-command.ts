import type { CommandSpec } from '../command/command-spec.ts';
import {
  ACCESS_FILE_OPTION,
  CONFIG_OPTION,
  NO_STORE,
  STORE_OPTION,
  VERBOSE_OPTION,
} from '../command/common-options.ts';

export const START_COMMAND: CommandSpec = {
  name: 'start',
  summary:
    'start a worker: run jobs, retry them, take over jobs of crashed workers, delete old records',
  options: [
    '--until-idle | exit when no job is ready, scheduled, parked or leased, or only jobs that a kill switch or a pause stops, and the dead letters of sources with publish_to are published',
    "--concurrency <n> | jobs at once; else the configuration's, else 10",
    { flags: '--queue <name>', summary: 'only this queue; may be repeated', repeats: true },
    '--grace <time> | how long running jobs may go on after a signal; default 30s',
    '--health-port <port> | port of /livez and /readyz on 127.0.0.1; 0: any free port, off: none; default 9470',
    '--console [port] | serve the console and the HTTP API on 127.0.0.1; 0: any free port; default 9480',
    ACCESS_FILE_OPTION,
    '--log-level <level> | default info [one of debug, info, warn, error, silent]',
    '--log-format <format> | names of the fields of JSON lines: our own, of the Elastic Common Schema, or of the OpenTelemetry log data model; default redrive [one of redrive, ecs, otel]',
    '--demo | run a small shop whose work fails on every rung, in ./redrive-demo.db and ./redrive-demo-shop.db [not with config, queue]',
    '--fresh | with --demo: begin anew, without what earlier demos left',
    STORE_OPTION,
    CONFIG_OPTION,
    '--json | log as JSON lines on a terminal too',
    VERBOSE_OPTION,
  ],
  streams: true,
  details:
    'Handlers are declared under jobs.handlers of redrive.yaml. Its log goes to stdout: one JSON object per line, or plain lines on a terminal. Policies, budgets and breakers are read again at SIGHUP and when the file changes; if the file is not valid, the last valid one stays in force. After SIGTERM or Ctrl-C running jobs may finish within the grace time; then they are released without being charged for the attempt. A second signal releases them at once. Several workers can share one store. With --console the first line on stderr is the address to open, if stderr is a terminal; otherwise "redrive console link" prints it. If the console cannot be served, for example because the port is in use, the worker warns and goes on without it. With --until-idle it does not wait for bulk operations, which the next worker continues, nor for messages that wait at a broker, and the health port is opened only if --health-port is given. The demo serves the console too, on another port if 9480 is in use. It runs until it is stopped: on a terminal it draws the ladder, otherwise the first line is the address of the console, the second has the command that prints a sign-in link, and then follow a line per event and a summary every minute. With --until-idle it places a dozen orders and exits when they are done. A second demo in the same directory is a second worker and adds no load.',
  examples: ['redrive start --until-idle', 'redrive start --demo'],
  json: `
    level | text | debug, info, warn or error
    time | time | ISO 8601
    event | text | what happened: retry.scheduled, …
    msg | text | the same as a sentence
    handler | text | handler of the job; this field and those below: only in lines about jobs
    job | text | its id
    attempt | number | from 1
    max_attempts | number | the limit of the policy
    delay_ms | number | the wait before or after the attempt
    duration_ms | number | of the attempt
    reason | text | a reason code
    error | text | type and message, sanitised
  `,
  exits: {
    failed: 'the configuration or a handler is not valid, or the port of --health-port is in use',
    partial:
      'with --until-idle: a job died, or jobs are left that a kill switch or a pause stops; otherwise: a job did not finish within the grace time',
    unreachable: NO_STORE,
    interrupted:
      'a second signal arrived; with --until-idle also a first signal before the worker was idle',
  },
  load: async () => (await import('./start.ts')).runStart,
};
