import { RedriveError } from '@redrive/core';
import { type Alias, isAlias, isMap, isScalar, type Scalar } from 'yaml';
import { CURRENT_VERSION } from '../content/file-content.ts';
import { type CheckedFile, checkFile, type ParsedConfig } from '../parse-config.ts';
import { findPresetPolicy } from '../presets/presets.ts';
import { errorList } from '../problem/problem.ts';
import { resolveConfig } from '../resolve/resolve-config.ts';

export interface MigratedConfig {
  readonly text: string;
  /** The changes, one sentence each, in the order of the file. Empty: none were needed. */
  readonly changes: readonly string[];
}

/** A value of the text and what stands there from now on. */
interface Edit {
  readonly node: Scalar | Alias;
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Rewrites a file of version 1.0.0 to 1.1.0, in YAML or JSON. Only the values that change are touched, in place, so that
 * comments, order, quotes and indentation stay as they are; printing the parsed document again would re-wrap lines and
 * re-indent lists. What the file means stays the same, which is checked before the text is given out. A file that is up to
 * date is returned as it is.
 *
 * Besides the version, the two misspelt codes of categories (`REPLAY_REPLAY_PROCESSING`, `REPLAY_REPLAY_VALIDATION`)
 * become what they stand for.
 *
 * @throws RedriveError `invalid_config` with `details.problems` if the text is not a valid configuration.
 */
export function migrateConfig(text: string): MigratedConfig {
  const parsed = parseValid(text, 'it is not valid');
  const edits = [...versionEdit(parsed), ...spellingEdits(parsed)].sort(
    (a, b) => startOf(a) - startOf(b),
  );
  const migrated = edits.reduceRight(apply, text);
  const invalid = `in version ${CURRENT_VERSION} it would not be valid`;
  const { config, problems } = parseValid(migrated, invalid);
  if (config.hash !== parsed.config.hash) {
    throw refusal('the migrated text would have another meaning', problems);
  }
  const changes = edits.map(({ path, before, after }) => `${path}: ${before} → ${after}`);
  return { text: migrated, changes };
}

type Valid = Required<Pick<ParsedConfig & CheckedFile, 'config' | 'document' | 'problems'>>;

function parseValid(text: string, invalid: string): Valid {
  const checked = checkFile(text);
  const { document, file } = checked;
  const { config, problems } = resolveConfig(checked);
  if (config !== undefined && document !== undefined) return { config, document, problems };
  throw refusal(`${invalid}: ${errorList(problems, file)}`, problems);
}

function refusal(reason: string, problems: ParsedConfig['problems']): RedriveError {
  const message = `The configuration cannot be migrated: ${reason}.`;
  return new RedriveError('invalid_config', message, { problems });
}

function versionEdit({ config, document }: Valid): Edit[] {
  const node = document.get('version', true);
  const { version: before } = config;
  if (!before.startsWith('1.0.') || !(isScalar(node) || isAlias(node))) return [];
  return [{ node, path: 'version', before, after: CURRENT_VERSION }];
}

/** Where files name policies: the leaves of the mappings, and `extends`. */
function spellingEdits({ document }: Valid): Edit[] {
  const edits: Edit[] = [];
  const walk = (node: unknown, path: string, names: (path: string) => boolean): void => {
    if (isMap(node)) {
      for (const { key, value } of node.items) walk(value, `${path}.${key}`, names);
    } else if (isScalar(node) && typeof node.value === 'string' && names(path)) {
      const before = node.value;
      const after = before.includes('REPLAY_REPLAY_') ? findPresetPolicy(before) : undefined;
      if (after !== undefined) edits.push({ node, path, before, after });
    }
  };
  walk(document.get('subsystem_mappings', true), 'subsystem_mappings', () => true);
  walk(document.get('policies', true), 'policies', (path) => path.endsWith('.extends'));
  return edits;
}

const startOf = ({ node }: Edit) => node.range?.[0] ?? 0;

/** Replaces the value and leaves its quotes. An alias, or a value in escapes, is written out. */
function apply(text: string, { node, before, after }: Edit): string {
  const [start, end] = node.range ?? [0, 0];
  const written = text.slice(start, end);
  const rewritten = written.includes(before)
    ? written.replace(before, after)
    : JSON.stringify(after);
  return text.slice(0, start) + rewritten + text.slice(end);
}
