import { CURRENT_VERSION } from '../content/file-content.ts';
import { record } from '../content/record.ts';
import type { Tree } from '../document/read-tree.ts';
import { finding } from '../problem/findings.ts';
import type { Problem } from '../problem/problem.ts';

const REQUIRED = ['policies', 'subsystem_mappings'] as const;

/** Version 1.0.0 requires both maps, though they may be empty; 1.1.0 has presets, so a file may go without. */
export function checkRequiredSections(value: unknown, { places }: Tree): Problem[] {
  const root = record(value);
  const { version } = root;
  if (typeof version !== 'string' || !version.startsWith('1.0.')) return [];
  return REQUIRED.filter((key) => root[key] === undefined).map((key) =>
    finding(
      'missing_field',
      places.value([key]),
      `${key} is missing: version ${version} requires it`,
      `add ${key}: {}, or write version: "${CURRENT_VERSION}", which may leave it out`,
    ),
  );
}
