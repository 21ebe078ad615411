import type { Document } from 'yaml';
import type { Config } from './config.ts';
import type { FileContent } from './content/file-content.ts';
import { readContent } from './content/read-content.ts';
import { record } from './content/record.ts';
import { readDocument } from './document/read-document.ts';
import type { Tree } from './document/read-tree.ts';
import { lint } from './lints/lint.ts';
import { arrange } from './problem/findings.ts';
import { isValid, type Problem } from './problem/problem.ts';
import { assembleConfig } from './resolve/assemble-config.ts';
import { checkBreakerValues } from './rules/check-breaker-values.ts';
import { checkHandlers } from './rules/check-handlers.ts';
import { checkNames } from './rules/check-names.ts';
import { checkNewerFields } from './rules/check-newer-fields.ts';
import { checkPolicies } from './rules/check-policies.ts';
import { checkRequiredSections } from './rules/check-required-sections.ts';
import { checkStore } from './rules/check-store.ts';
import { checkVersion } from './rules/check-version.ts';
import { BUILT_IN_SECTIONS } from './sections/built-in.ts';
import type { Section } from './sections/section.ts';
import { checkShape, fillEmpty } from './shape/check-shape.ts';
import { fileShape } from './shape/file-shape.ts';
import type { ObjectShape } from './shape/shape.ts';
import { toZod } from './shape/to-zod.ts';

/** The configuration of a text, and its problems. */
export interface ParsedConfig {
  /** Whether there is no error; warnings do not count. */
  readonly valid: boolean;
  /** All problems, in the order of the file. */
  readonly problems: readonly Problem[];
  /** The configuration of the file and the presets. Absent if the text is not valid. */
  readonly config?: Config;
  /** The text as it was written, with comments and positions. Absent where it cannot be read at all. */
  readonly document?: Document;
  /** The values of the file, for `resolveConfig`. Absent if the text is not valid. */
  readonly content?: FileContent;
  /** The name that was given for the file. */
  readonly file?: string;
}

export interface ParseOptions {
  /** The name of the file in problems and sources. Default: `redrive.yaml`. */
  readonly file?: string;
  /** The sections that the file may have. Default: `BUILT_IN_SECTIONS`. */
  readonly sections?: readonly Section[];
}

/**
 * Reads YAML or JSON, as text or as bytes of UTF-8. Never throws: whatever is wrong is in `problems`, all of it at once.
 * Environment and flags are not in it; `resolveConfig` puts them on top.
 */
export function parseConfig(text: string | Uint8Array, options: ParseOptions = {}): ParsedConfig {
  const { file = 'redrive.yaml', sections = BUILT_IN_SECTIONS } = options;
  const { tree, document, problems: unreadable } = readDocument(text);
  const about = { file, ...(document === undefined ? {} : { document }) };
  if (tree === undefined) return { valid: false, problems: arrange(unreadable, file), ...about };
  const { content, problems } = check(tree, file, sections);
  const found = [...unreadable, ...problems];
  if (!isValid(found)) return { valid: false, problems: arrange(found, file), ...about };
  const config = assembleConfig({ content, file });
  const all = arrange([...found, ...lint({ config, content })], file);
  return { valid: true, problems: all, config, content, ...about };
}

function check(tree: Tree, file: string, sections: readonly Section[]) {
  const { shape, type } = validatorOf(sections);
  const value = fillEmpty(shape, tree.value);
  const wrong = checkShape(type, shape, value, tree.places);
  const { content, problems } = readContent({ value, tree, file, sections, problems: wrong });
  const all = [
    ...checkBreakerValues(wrong, content),
    ...problems,
    ...checkVersion(record(value).version, tree.places),
    ...checkRequiredSections(value, tree),
    ...checkNewerFields(value, shape, tree),
    ...checkPolicies(content),
    ...checkNames(content),
    ...checkHandlers(content),
    ...checkStore(content),
  ];
  return { content, problems: all };
}

const validators = new WeakMap<readonly Section[], Validator>();

interface Validator {
  readonly shape: ObjectShape;
  readonly type: ReturnType<typeof toZod>;
}

/** Kept, because making a validator takes several times as long as reading a file with it. */
function validatorOf(sections: readonly Section[]): Validator {
  const known = validators.get(sections);
  if (known !== undefined) return known;
  const shape = fileShape(sections);
  const made = { shape, type: toZod(shape) };
  validators.set(sections, made);
  return made;
}
