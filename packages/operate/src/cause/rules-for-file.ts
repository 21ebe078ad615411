import type { CauseRuleDocument } from '@redrive/durable/dead-letters';

/** Rules as the section `causes` of `redrive.yaml`, in their order. Pure. */
export function rulesForFile(documents: readonly Pick<CauseRuleDocument, 'rule'>[]): string {
  if (documents.length === 0) return 'causes: {}\n';
  return `causes:\n${documents.map(({ rule }) => ruleText(rule)).join('')}`;
}

function ruleText({ name, ...fields }: CauseRuleDocument['rule']): string {
  const lines = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : [`    ${inFile(key)}: ${scalar(value)}\n`],
  );
  return `  ${scalar(name)}:\n${lines.join('')}`;
}

function inFile(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** JSON is YAML, also for texts that YAML would read as something else. */
function scalar(value: unknown): string {
  return JSON.stringify(value);
}
