import type { ConfiguredPolicy } from '@redrive/config';
import type { RunCommand } from '../command/command-spec.ts';
import { loadConfig } from '../config/load-config.ts';
import { type Column, printList } from '../terminal/table.ts';
import { shortDuration } from '../terminal/times.ts';
import { jitterText } from './find-policy.ts';

const COLUMNS: readonly Column[] = [
  { title: 'id', colour: 'cyan' },
  { title: 'attempts', align: 'right' },
  { title: 'back-off' },
  { title: 'first', align: 'right' },
  { title: 'cap', align: 'right' },
  { title: 'jitter' },
  { title: 'from', colour: 'dim' },
];

export const runList: RunCommand = async (invocation) => {
  const config = await loadConfig(invocation);
  const all = [...config.policies.values()];
  const policies = [...all.filter((one) => !isPreset(one)), ...all.filter(isPreset)];
  return printList(invocation, {
    name: 'policies',
    items: policies,
    document: policyJson,
    columns: COLUMNS,
    row: (policy) => policyRow(policy, invocation.io.screen.unicode),
    none: 'There are no policies.',
    beside: { file: config.file ?? null },
  });
};

/** A policy that is a preset's own, whether or not the file or the environment changed values of it. */
const isPreset = ({ id, preset }: ConfiguredPolicy) => id === preset;

function policyJson({ id, preset, policy }: ConfiguredPolicy) {
  return {
    id,
    name: policy.name,
    preset: preset ?? null,
    enabled: policy.enabled,
    max_attempts: policy.maxAttempts,
    backoff_type: policy.backoff,
    base_delay_ms: policy.baseDelayMs,
    max_delay_ms: policy.maxDelayMs,
    jitter_type: policy.jitter,
    ttl_ms: Number.isFinite(policy.ttlMs) ? policy.ttlMs : null,
  };
}

function policyRow(configured: ConfiguredPolicy, unicode: boolean): string[] {
  const { id, policy, preset } = configured;
  const origin = isPreset(configured) ? 'preset' : 'file';
  return [
    id,
    policy.enabled ? String(policy.maxAttempts) : 'disabled',
    policy.backoff,
    shortDuration(policy.immediateFirstRetry ? 0 : policy.baseDelayMs),
    shortDuration(policy.maxDelayMs),
    jitterText(policy, unicode),
    preset === undefined || preset === id ? origin : `${origin}, extends ${preset}`,
  ];
}
