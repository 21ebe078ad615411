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
  { flags: '--handler <name>', summary: 'only of this handler' },
  { flags: '--queue <name>', summary: 'only of this queue' },
  { flags: '--tenant <name>', summary: 'only of this tenant' },
  { flags: '--tag <text>', summary: 'only with this tag' },
  { flags: '--session <id>', summary: 'only of this session' },
  { flags: '--group <fingerprint>', summary: 'only of this cause: see "redrive dlq groups"' },
  {
    flags: '--reason-code <code>',
    summary: 'only given up for this reason, such as max_attempts_exceeded',
    choices: REASONS,
  },
  {
    flags: '--class <class>',
    summary: 'only with an error of this class',
    choices: ['final', 'retryable', 'rate_limited'],
  },
  { flags: '--text <text>', summary: 'only where the cause contains this' },
  { flags: '--since <time>', summary: 'died at this time or later, or at most so long ago: 2h' },
  { flags: '--until <time>', summary: 'died before this time, or at least so long ago: 10m' },
];
