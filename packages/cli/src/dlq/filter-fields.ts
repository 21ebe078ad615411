import type { ReasonCode } from '@redrive/core';
import type { OptionEntry } from '../command/command-spec.ts';

/** The reasons for which a job becomes a dead letter. */
const REASONS = [
  'final_error',
  'max_attempts_exceeded',
  'ttl_exceeded',
  'effect_unknown',
  'effect_applied',
  'lease_lost',
  'inner_gave_up',
  'allowance_exhausted',
  'beyond_horizon',
  'budget_exhausted',
  'breaker_open',
  'invalid_message',
  'message_too_large',
  'idempotency_conflict',
  'policy_disabled',
  'kill_switch',
] as const satisfies readonly ReasonCode[];

/** A filter that "redrive dlq restore" does not have. */
export const TEXT_FILTER = '--text <text> | only letters whose cause contains this text';

/** Which dead letters are meant, in every command that has more than one in view. */
export const DEAD_FILTERS: readonly OptionEntry[] = [
  '--handler <name> | only letters of this handler',
  '--queue <name> | only letters of this queue',
  '--tenant <name> | only letters of this tenant',
  '--tag <text> | only letters with this tag',
  '--session <id> | only letters of this session',
  '--group <fingerprint> | only letters with this cause: see "redrive dlq groups"',
  {
    flags: '--reason-code <code>',
    summary: 'only letters with this reason code, such as max_attempts_exceeded',
    choices: REASONS,
  },
  '--class <class> | only letters with an error of this class [one of final, retryable, rate_limited]',
  TEXT_FILTER,
  '--since <time> | died at this time or later; 2h: within the last 2 hours',
  '--until <time> | died before this time; 10m: more than 10 minutes ago',
];

/** The same of commands that are made from an action. */
export const DEAD_OPTIONS: readonly string[] = [
  '--handler <name>',
  '--queue <name>',
  '--tenant <name>',
  '--tag <text>',
  '--session <id>',
  '--group <fingerprint>',
  '--reason-code <code>',
  '--class <class>',
  '--text <text>',
  '--since <time>',
  '--until <time>',
];
