import type { ConfiguredPolicy } from '@redrive/config';
import { isPreset, listedPolicies, policyJson } from '@redrive/config/documents';
import { nominalDelayMs } from '@redrive/core';
import type { RunCommand } from '../command/command-spec.ts';
import { loadConfig } from '../config/load-config.ts';
import { columns, printList } from '../terminal/table.ts';
import { shortDuration } from '../terminal/times.ts';
import { jitterText } from './find-policy.ts';

const COLUMNS = columns(
  'id:cyan | attempts:right | back-off | first:right | cap:right | jitter | from:dim',
);

export const runList: RunCommand = async (invocation) => {
  const config = await loadConfig(invocation);
  return printList(invocation, {
    name: 'policies',
    items: listedPolicies(config),
    document: policyJson,
    columns: COLUMNS,
    row: (policy) => policyRow(policy, invocation.io.screen.unicode),
    none: 'There are no policies.',
    beside: { file: config.file ?? null },
  });
};

function policyRow(configured: ConfiguredPolicy, unicode: boolean): string[] {
  const { id, policy, preset } = configured;
  const origin = isPreset(configured) ? 'preset' : 'file';
  return [
    id,
    policy.enabled ? String(policy.maxAttempts) : 'disabled',
    policy.backoff,
    shortDuration(nominalDelayMs(policy, 1)),
    shortDuration(policy.maxDelayMs),
    jitterText(policy, unicode),
    preset === undefined || preset === id ? origin : `${origin}, extends ${preset}`,
  ];
}
