import { type Document, LineCounter } from 'yaml';
import { finding, type Problem, WHOLE_FILE } from '../problem/problem.ts';
import { MAX_BYTES, MAX_PROBLEMS, parseYaml } from './parse-yaml.ts';
import { readTree, type Tree } from './read-tree.ts';
import { scanTokens } from './scan-tokens.ts';

/** A text that was read, as far as it could be. */
export interface ReadDocument {
  readonly problems: readonly Problem[];
  /** Absent where the text is refused as a whole. */
  readonly document?: Document;
  /** Absent where it is not YAML. */
  readonly tree?: Tree;
}

/** Characters that are not allowed in a text file. Tabs, line ends and the byte order mark are. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\uFFFE\uFFFF]/;

/** Reads YAML or JSON into plain data with positions. Never throws, and refuses quickly what would take long. */
export function readDocument(source: string | Uint8Array): ReadDocument {
  const text = decode(source);
  if (typeof text !== 'string') return { problems: [text] };
  const refused = scanTokens(text);
  if (refused !== undefined) return { problems: [refused] };
  try {
    return parse(text);
  } catch (error) {
    // The parser is not ours: whatever it stumbles over is a file that cannot be read, never a crash.
    const reason = error instanceof Error ? error.message : String(error);
    return {
      problems: [finding('syntax_error', WHOLE_FILE, `The file cannot be read: ${reason}`)],
    };
  }
}

function decode(source: string | Uint8Array): string | Problem {
  const size = typeof source === 'string' ? source.length : source.byteLength;
  if (size > MAX_BYTES || (typeof source === 'string' && Buffer.byteLength(source) > MAX_BYTES)) {
    return finding('too_large', WHOLE_FILE, `The file has more than ${MAX_BYTES / 1024} KiB`);
  }
  let text: string;
  try {
    text =
      typeof source === 'string'
        ? source
        : new TextDecoder('utf-8', { fatal: true }).decode(source);
  } catch {
    return finding('not_utf8', WHOLE_FILE, 'The file is not UTF-8 text', 'save it as UTF-8');
  }
  const at = text.search(CONTROL);
  if (at === -1 && text.isWellFormed()) return text;
  const before = text.slice(0, Math.max(0, at)).split('\n');
  const place = { path: '', line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  return finding(
    'not_utf8',
    place,
    'The file contains control characters',
    'save it as UTF-8 text',
  );
}

function parse(text: string): ReadDocument {
  const lines = new LineCounter();
  const { document, faults } = parseYaml(text, lines);
  const problems = faults.slice(0, MAX_PROBLEMS + 1).map(({ message, offset }) => {
    const { line, col } = lines.linePos(offset);
    const place = { path: '', line: Math.max(1, line), column: Math.max(1, col) };
    const advice = /tab/i.test(message) ? 'indent with spaces' : undefined;
    return finding('syntax_error', place, message, advice);
  });
  if (document === undefined) return { problems };
  const { version, explicit } = document.directives?.yaml ?? {};
  if (explicit && version !== '1.2') {
    problems.push(
      finding(
        'syntax_error',
        WHOLE_FILE,
        `YAML ${version} is not supported`,
        'remove the %YAML line',
      ),
    );
  }
  if (problems.length > 0) return { problems, document };
  return { document, ...readTree(document, lines) };
}

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
