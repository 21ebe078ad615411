import type { Document } from 'yaml';
import type { Config } from './config.ts';
import type { FileContent } from './content/file-content.ts';
import { readContent } from './content/read-content.ts';
import { readDocument } from './document/read-document.ts';
import type { Tree } from './document/read-tree.ts';
import { isValid, type Problem } from './problem/problem.ts';
import { resolveConfig } from './resolve/resolve-config.ts';
import { checkAlerts } from './rules/check-alerts.ts';
import { checkCauses } from './rules/check-causes.ts';
import { checkEscalation } from './rules/check-escalation.ts';
import { checkNames } from './rules/check-names.ts';
import { checkBreakerValues, checkPolicies } from './rules/check-policies.ts';
import { checkSchedules } from './rules/check-schedules.ts';
import { checkEvents, checkHandlers, checkStore } from './rules/check-sections.ts';
import { checkServer } from './rules/check-server.ts';
import { checkSweeps } from './rules/check-sweeps.ts';
import { checkVersion } from './rules/check-version.ts';
import { checkShape, fillEmpty } from './shape/check-shape.ts';
import { fileType } from './shape/file-shape.ts';

/** A configuration, and its problems. */
export interface ParsedConfig {
  /** Whether there is no error; warnings do not count. */
  readonly valid: boolean;
  /** All problems, in the order of the file. */
  readonly problems: readonly Problem[];
  /** The configuration of the file and the presets. Absent if there is an error. */
  readonly config?: Config;
}

export interface ParseOptions {
  /** The name of the file in problems and sources. Default: `redrive.yaml`. */
  readonly file?: string;
}

/**
 * Reads YAML or JSON, as text or as bytes of UTF-8. Never throws: whatever is wrong is in `problems`, all of it at once.
 * Environment and flags are not in it; `loadConfig` puts them on top.
 */
export function parseConfig(text: string | Uint8Array, options: ParseOptions = {}): ParsedConfig {
  return resolveConfig(checkFile(text, options.file));
}

/** A file that was read and checked by itself, before anything is put on top of it. */
export interface CheckedFile {
  /** As it was named. Absent: there is no file. */
  readonly file?: string;
  readonly problems: readonly Problem[];
  /** The text as it was written, with comments and positions. Absent where it cannot be read at all. */
  readonly document?: Document;
  /** Absent if there is an error. */
  readonly content?: FileContent;
}

/** Text ─► document ─► plain data with places ─► values of a file; every step says what is wrong. */
export function checkFile(text: string | Uint8Array, file = 'redrive.yaml'): CheckedFile {
  const { tree, document, problems: unreadable } = readDocument(text);
  const about = { file, ...(document === undefined ? {} : { document }) };
  if (tree === undefined) return { problems: unreadable, ...about };
  const { content, problems } = checkTree(tree, file);
  const all = [...unreadable, ...problems];
  return { problems: all, ...about, ...(isValid(all) ? { content } : {}) };
}

function checkTree(tree: Tree, file: string) {
  const { shape, type } = fileType();
  const value = fillEmpty(shape, tree.value);
  const wrong = checkShape(type, shape, value, tree.places);
  const { content, problems } = readContent({ value, tree, file, problems: wrong });
  const all = [
    ...checkBreakerValues(wrong, content),
    ...problems,
    ...checkVersion(value, shape, tree.places),
    ...checkPolicies(content),
    ...checkNames(content),
    ...checkHandlers(content),
    ...checkSchedules(content),
    ...checkStore(content),
    ...checkEvents(content),
    ...checkSweeps(content),
    ...checkCauses(content),
    ...checkEscalation(content),
    ...checkAlerts(content),
    ...checkServer(content),
  ];
  return { content, problems: all };
}
