import type { ReasonCode } from '@redrive/core';
import type { OptionSpec } from '../command/command-spec.ts';

/** What something can be given up for. */
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
  'policy_disabled',
  'kill_switch',
] as const satisfies readonly ReasonCode[];

/** Which dead letters are meant, in every command that has more than one in view. */
export const DEAD_FILTERS: readonly OptionSpec[] = [
  { flags: '--handler <name>', summary: 'only letters of this handler' },
  { flags: '--queue <name>', summary: 'only letters of this queue' },
  { flags: '--tenant <name>', summary: 'only letters of this tenant' },
  { flags: '--tag <text>', summary: 'only letters with this tag' },
  { flags: '--session <id>', summary: 'only letters of this session' },
  {
    flags: '--group <fingerprint>',
    summary: 'only letters with this cause: see "redrive dlq groups"',
  },
  {
    flags: '--reason-code <code>',
    summary: 'only letters with this reason code, such as max_attempts_exceeded',
    choices: REASONS,
  },
  {
    flags: '--class <class>',
    summary: 'only letters with an error of this class',
    choices: ['final', 'retryable', 'rate_limited'],
  },
  { flags: '--text <text>', summary: 'only letters whose cause contains this text' },
  { flags: '--since <time>', summary: 'died at this time or later; 2h: within the last 2 hours' },
  { flags: '--until <time>', summary: 'died before this time; 10m: more than 10 minutes ago' },
];
