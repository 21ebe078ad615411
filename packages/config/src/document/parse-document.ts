import type { Problem } from '../problem/problem.ts';
import { readDocument } from './read-document.ts';

/** A text as plain data. */
export interface ParsedDocument {
  /** Absent where the text is not YAML, or too large. */
  readonly value?: unknown;
  readonly problems: readonly Problem[];
}

/**
 * Reads YAML or JSON with the limits of a configuration file: at most 256 KiB, few aliases, no deep nesting. For files
 * beside `redrive.yaml`, such as scenes of the lab. Never throws.
 */
export function parseDocument(text: string): ParsedDocument {
  const { tree, problems } = readDocument(text);
  return tree === undefined || problems.length > 0 ? { problems } : { value: tree.value, problems };
}
