import { type Document, type LineCounter, parseDocument } from 'yaml';

/**
 * Parses a text. A file that is not YAML at all can have an error at each character, and most of an error's cost is its
 * stack, which nobody looks at: so there are none while it runs. It is synchronous, so nobody else notices.
 */
export function parseYaml(text: string, lineCounter: LineCounter): Document {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return parseDocument(text, {
      lineCounter,
      // Comparing each key with each other takes too long in large maps; the tree finds doubles itself.
      uniqueKeys: false,
      prettyErrors: false,
      // With `silent` a second document in the file would be dropped without a word.
      logLevel: 'error',
    });
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
