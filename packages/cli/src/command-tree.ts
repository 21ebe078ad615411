import { AUDIT_COMMANDS } from './audit/audit-commands.ts';
import { BREAKER_COMMANDS } from './breaker/breaker-commands.ts';
import type { CommandGroup, CommandSpec } from './command/command-spec.ts';
import { CONFIG_COMMANDS } from './config/config-commands.ts';
import { DLQ_COMMANDS } from './dlq/dlq-commands.ts';
import { DOCTOR_COMMAND } from './doctor/doctor-command.ts';
import { EVENTS_COMMANDS } from './events/events-commands.ts';
import { GATE_COMMANDS } from './gate/gate-commands.ts';
import { JOBS_COMMANDS } from './jobs/jobs-commands.ts';
import { KILL_COMMANDS } from './kill/kill-commands.ts';
import { OPS_COMMANDS } from './ops/ops-commands.ts';
import { PARK_COMMANDS } from './park/park-commands.ts';
import { POLICY_COMMANDS } from './policy/policy-commands.ts';
import { QUEUE_COMMANDS } from './queue/queue-commands.ts';
import { SCHEDULE_COMMANDS } from './schedule/schedule-commands.ts';
import { START_COMMAND } from './start/start-command.ts';
import { STATUS_COMMAND } from './status/status-command.ts';
import { STORE_COMMANDS } from './store/store-commands.ts';
import { WORKERS_COMMANDS } from './workers/workers-commands.ts';

const DEMO: CommandSpec = {
  name: 'demo',
  summary: 'a tour of ten seconds: failing calls in process, and what Redrive does about them',
  load: async () => (await import('./demo/tour.ts')).runTour,
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
  STATUS_COMMAND,
  DOCTOR_COMMAND,
  WORKERS_COMMANDS,
  JOBS_COMMANDS,
  EVENTS_COMMANDS,
  QUEUE_COMMANDS,
  SCHEDULE_COMMANDS,
  KILL_COMMANDS,
  BREAKER_COMMANDS,
  GATE_COMMANDS,
  PARK_COMMANDS,
  DLQ_COMMANDS,
  OPS_COMMANDS,
  STORE_COMMANDS,
  AUDIT_COMMANDS,
  CONFIG_COMMANDS,
  POLICY_COMMANDS,
  DEMO,
  COMPLETION,
];
