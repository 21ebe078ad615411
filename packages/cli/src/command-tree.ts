import { MANIFEST } from '@redrive/operate/manifest';
import { AUDIT_COMMANDS } from './audit/audit-commands.ts';
import { BATCH_COMMANDS } from './batch/batch-commands.ts';
import { BREAKER_COMMANDS } from './breaker/breaker-commands.ts';
import type { CommandGroup, CommandSpec } from './command/command-spec.ts';
import { CONFIG_COMMANDS } from './config/config-commands.ts';
import { CONTEXTS_COMMANDS } from './context/context-commands.ts';
import { DLQ_COMMANDS } from './dlq/dlq-commands.ts';
import { ESCALATION_COMMANDS } from './escalation/escalation-commands.ts';
import { EVENTS_COMMANDS } from './events/events-commands.ts';
import { GATE_COMMANDS } from './gate/gate-commands.ts';
import { JOBS_COMMANDS } from './jobs/jobs-commands.ts';
import { KILL_COMMANDS } from './kill/kill-commands.ts';
import { LAB_COMMANDS } from './lab/lab-commands.ts';
import { LIMIT_COMMANDS } from './limit/limit-commands.ts';
import { METRICS_COMMANDS } from './metrics/metrics-commands.ts';
import { ALERTS_COMMANDS, DASHBOARDS_COMMANDS } from './monitoring/monitoring-commands.ts';
import { OPS_COMMANDS } from './ops/ops-commands.ts';
import { PARK_COMMANDS } from './park/park-commands.ts';
import { POLICY_COMMANDS } from './policy/policy-commands.ts';
import { QUEUE_COMMANDS } from './queue/queue-commands.ts';
import { SCHEDULE_COMMANDS } from './schedule/schedule-commands.ts';
import { CONSOLE_COMMANDS } from './serve/console-commands.ts';
import { SERVE_COMMAND } from './serve/serve-command.ts';
import { SIGN_INS_COMMANDS } from './sign-ins/sign-ins-commands.ts';
import { START_COMMAND } from './start/start-command.ts';
import { STATUS_COMMAND } from './status/status-command.ts';
import { DOCUMENTS_COMMANDS, STUCK_COMMANDS, SWEEP_COMMANDS } from './sweep/sweep-commands.ts';
import { TOKENS_COMMANDS } from './tokens/tokens-commands.ts';
import { WORKERS_COMMANDS } from './workers/workers-commands.ts';

const DOCTOR: CommandSpec = {
  name: 'doctor',
  summary:
    'check the store, its workers and the configuration, and print a remedy for each problem',
  options: ['--put-back | return rows that were set aside and can be read again'],
  uses: 'store',
  reads: 'metrics',
  verdict: true,
  details:
    'It checks the configuration (lints), whether the store can be opened, the version of its tables (schema), which confirmed commits a crash or a failover could lose (durability), free space (disk), the clock, rows that cannot be read, jobs that are due in the far future because the clock was wrong, an audit log that no worker seals, workers, schedules, buses, sweeps, and the port of health and metrics (ports). Checks run at once, each within 10 s (rows: 10 min): a check that fails or hangs hides no other. It reads every job once, and changes nothing without --put-back. To check the audit log itself, use "redrive audit verify".',
  examples: ['redrive doctor', 'redrive doctor --json'],
  json: MANIFEST['doctor.check'].json,
  exits: { failed: 'it found a problem' },
  onServer: 'The checks of a server are at GET /v1/doctor, and in its console.',
  load: async () => (await import('./doctor/doctor.ts')).runDoctor,
};

const STORE: CommandGroup = {
  name: 'store',
  summary: 'the tables of the store',
  commands: [
    {
      name: 'migrate',
      summary: 'create the tables of the store, or bring them up to date',
      options: ['-n, --dry-run | print the SQL for Postgres, and do nothing'],
      uses: 'store',
      details:
        'A worker does the same when it starts, unless store.migrate of redrive.yaml is false; so does "redrive kill engage". All other commands change no tables. On Postgres the role must own the schema, or be allowed to create it; --dry-run prints the SQL for psql, so that somebody else can run it. Older processes go on working: the schema says from which version on it works.',
      examples: ['redrive store migrate', 'redrive store migrate --dry-run'],
      json: `
        store | text | its name, without credentials
        from | number | version before; 0: it did not exist
        to | number | version afterwards
        changed | boolean | false: nothing to do, or --dry-run
        sql | text or null | with --dry-run on Postgres
        dry_run | boolean | nothing was done
      `,
      exits: {
        not_permitted: 'the role may not change tables',
      },
      load: async () => (await import('./store/migrate.ts')).runStoreMigrate,
    },
  ],
};

const COMPLETION: CommandSpec = {
  name: 'completion',
  summary: 'print a completion script for a shell',
  args: [{ name: '<shell>', summary: 'bash, zsh or fish', choices: ['bash', 'zsh', 'fish'] }],
  details:
    'The script completes commands, options and fixed values; it opens no store. For bash and zsh put the first line into ~/.bashrc or ~/.zshrc (zsh needs compinit before it); for fish write the output into ~/.config/fish/completions/redrive.fish.',
  examples: ['redrive completion bash', 'redrive completion fish'],
  load: async () => (await import('./completion/completion-script.ts')).completionOf(COMMAND_TREE),
};

/** Every command, in the order of the help. `docs/reference/command-line.md` is made from it. */
export const COMMAND_TREE: readonly (CommandGroup | CommandSpec)[] = [
  START_COMMAND,
  SERVE_COMMAND,
  STATUS_COMMAND,
  DOCTOR,
  WORKERS_COMMANDS,
  JOBS_COMMANDS,
  BATCH_COMMANDS,
  EVENTS_COMMANDS,
  QUEUE_COMMANDS,
  SCHEDULE_COMMANDS,
  SWEEP_COMMANDS,
  STUCK_COMMANDS,
  DOCUMENTS_COMMANDS,
  KILL_COMMANDS,
  BREAKER_COMMANDS,
  GATE_COMMANDS,
  LIMIT_COMMANDS,
  PARK_COMMANDS,
  DLQ_COMMANDS,
  ESCALATION_COMMANDS,
  OPS_COMMANDS,
  STORE,
  CONSOLE_COMMANDS,
  CONTEXTS_COMMANDS,
  TOKENS_COMMANDS,
  SIGN_INS_COMMANDS,
  AUDIT_COMMANDS,
  METRICS_COMMANDS,
  ALERTS_COMMANDS,
  DASHBOARDS_COMMANDS,
  CONFIG_COMMANDS,
  POLICY_COMMANDS,
  LAB_COMMANDS,
  COMPLETION,
];
