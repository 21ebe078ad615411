import { CURRENT_VERSION } from '../content/file-content.ts';
import { SECTIONS } from '../sections/built-in.ts';
import { policyFileFields } from '../shape/policy-shape.ts';
import { SAMPLE_MAPPINGS, SAMPLE_POLICIES, type SamplePolicy } from './sample-policies.ts';

/**
 * A complete file to start from: mappings of three subsystems with every policy that they name, and an example of each
 * section that has one. The comments are the field table's own words.
 */
export function sampleConfig(): string {
  return [
    `# Retry policies, in one place. Check it with: redrive config validate`,
    `# Every key is explained in docs/reference/configuration.md; times are seconds.`,
    `version: "${CURRENT_VERSION}"`,
    '',
    '# Values for every policy that does not set them itself.',
    'global_defaults:',
    ...explained('jitter_type', 'full', 2),
    ...explained('jitter_amount', '1.0', 2),
    ...explained('enable_circuit_breaker', 'false', 2),
    '',
    '# Policies by id. The presets (RETRY_…, documents.…, runs.default, events.default) exist without being listed here.',
    '# A policy may build on a preset, or on another policy of this file, with `extends`.',
    'policies:',
    ...SAMPLE_POLICIES.flatMap((policy, index) => policyLines(policy, index === 0)),
    '# The policy of each operation; `default` applies to every other path of its group.',
    'subsystem_mappings:',
    ...mappingLines(SAMPLE_MAPPINGS, 2),
    ...SECTIONS.flatMap(({ shape, sample }) =>
      sample === undefined ? [] : ['', `# ${plain(shape.meaning)}`, sample.trimEnd()],
    ),
    '',
  ].join('\n');
}

/** The first policy explains its keys; the others would only repeat it. */
function policyLines({ id, ...values }: SamplePolicy, isExplained: boolean): string[] {
  const lines = Object.entries(values).flatMap(([name, value]) =>
    isExplained ? explained(name, yaml(value), 4) : [`    ${name}: ${yaml(value)}`],
  );
  return [`  ${id}:`, ...lines, ''];
}

function explained(name: string, value: string, indent: number): string[] {
  const space = ' '.repeat(indent);
  const meaning = policyFileFields().get(name)?.shape.meaning;
  return [
    ...(meaning === undefined ? [] : [`${space}# ${plain(meaning)}`]),
    `${space}${name}: ${value}`,
  ];
}

/** Markdown's links and marks are of no use in a comment. */
const plain = (text: string) =>
  text.replaceAll(/\s*\(?\[([^\]]*)\]\([^)]*\)\)?/g, '').replaceAll('`', '');

function mappingLines(groups: Readonly<Record<string, unknown>>, indent: number): string[] {
  return Object.entries(groups).flatMap(([name, value]) =>
    typeof value === 'string'
      ? [`${' '.repeat(indent)}${name}: ${value}`]
      : // The literal below it has maps and texts only.
        [
          `${' '.repeat(indent)}${name}:`,
          ...mappingLines(value as Record<string, unknown>, indent + 2),
        ],
  );
}

function yaml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.join(', ')}]`;
  if (typeof value === 'number' && !Number.isInteger(value)) return String(value);
  return typeof value === 'string' && /[^\w.]/.test(value) ? JSON.stringify(value) : String(value);
}
