import { type Document, parseDocument } from 'yaml';
import type { Config } from './config.ts';
import { isValid, type Problem } from './problem/problem.ts';
import { type FileContent, NO_CONTENT } from './resolve/file-content.ts';
import { resolveConfig } from './resolve/resolve-config.ts';

/** What a text says, and what is wrong with it. */
export interface ParsedConfig {
  /** Whether there is no error; warnings do not count. */
  readonly valid: boolean;
  /** All of them, in the order of the file. */
  readonly problems: readonly Problem[];
  /** What the file and the presets say together. Only where it is valid. */
  readonly config?: Config;
  /** The text as it was written, with comments and positions. Absent where it cannot be read at all. */
  readonly document?: Document;
  /** What it says, for `resolveConfig`. Only where it is valid. */
  readonly content?: FileContent;
  /** The name that was given for the file. */
  readonly file?: string;
}

export interface ParseOptions {
  /** What to call the file in problems and sources. Default: `redrive.yaml`. */
  readonly file?: string;
}

/** Reads YAML or JSON. Never throws: whatever is wrong is in `problems`, all of it at once. */
export function parseConfig(text: string, options: ParseOptions = {}): ParsedConfig {
  const { file = 'redrive.yaml' } = options;
  const document = parseDocument(text);
  const problems: Problem[] = [];
  const content = NO_CONTENT;
  const valid = isValid(problems);
  const base: ParsedConfig = { valid, problems, document, content, file };
  const { config } = resolveConfig({ parsed: base });
  return config === undefined ? base : { ...base, config };
}
