import { Composer, type CST, type Document, type LineCounter, Parser, YAMLParseError } from 'yaml';

/** Where the parser stumbled. */
export interface SyntaxFault {
  readonly message: string;
  readonly offset: number;
}

/** The parser's result. */
export interface ParsedYaml {
  /** Absent where it gave up on the text. */
  readonly document?: Document;
  readonly faults: readonly SyntaxFault[];
}

/** The composer's report of an error: at an offset, a range, or a token. */
type OnError = (
  source: number | readonly number[] | { readonly offset: number },
  code: string,
  message: string,
  warning?: boolean,
) => void;

class Hopeless extends Error {}

/**
 * Parses a text. A file that is not YAML at all can have an error at each character, so it gives up when there are more
 * than are reported. Most of an error's cost is its stack, which nobody looks at: there are none while it runs. It is
 * synchronous, so nobody else notices.
 */
export function parseYaml(text: string, lines: LineCounter): ParsedYaml {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const early: SyntaxFault[] = [];
  try {
    const document = compose(text, lines, early);
    return {
      document,
      faults: document.errors.map(({ message, pos: [offset] }) => ({ message, offset })),
    };
  } catch (error) {
    if (error instanceof Hopeless) return { faults: early };
    throw error;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function compose(text: string, lines: LineCounter, early: SyntaxFault[]): Document {
  // Comparing each key with each other takes too long in large maps; the tree finds doubles itself.
  const composer = new Composer({ uniqueKeys: false });
  giveUpAfterMany(composer, early);
  const parser = new Parser(lines.addNewLine);
  const [document, second] = composer.compose(untilHopeless(parser.parse(text)), true, text.length);
  if (document === undefined) throw new Error('it has no document');
  if (second !== undefined) {
    const [start, end] = second.range;
    const message = 'The file has more than one document';
    document.errors.push(new YAMLParseError([start, end], 'MULTIPLE_DOCS', message));
  }
  return document;
}

/** Errors that the parser itself found come as tokens. */
function* untilHopeless(tokens: Iterable<CST.Token>): Generator<CST.Token> {
  let errors = 0;
  for (const token of tokens) {
    if (token.type === 'error' && ++errors > MAX_PROBLEMS + 1) return;
    yield token;
  }
}

/** The composer has no limit of its own, and its handler is not public: where it is named otherwise, nothing is limited. */
function giveUpAfterMany(composer: Composer, early: SyntaxFault[]): void {
  const handler = composer as unknown as { onError?: OnError }; // Private in its types, not in fact.
  const { onError } = handler;
  if (onError === undefined) return;
  handler.onError = (source, code, message, warning) => {
    early.push({ message, offset: offsetOf(source) });
    if (early.length > MAX_PROBLEMS) throw new Hopeless();
    onError(source, code, message, warning);
  };
}

function offsetOf(source: Parameters<OnError>[0]): number {
  if (typeof source === 'number') return source;
  return 'offset' in source ? source.offset : (source[0] ?? 0);
}

/** The largest file that is read. */
export const MAX_BYTES = 256 * 1024;

/** Colons, commas, brackets, line ends and pairs of quotes: about half of the tokens, but counting them takes no time. */
export const MAX_MARKS = 50_000;

/**
 * The most tokens of a text. A handwritten file of 256 KiB has about 60,000, and the time of reading grows with them.
 */
export const MAX_TOKENS = 65_536;

/** Maps and lists in each other. The file's own format needs 10. */
export const MAX_DEPTH = 32;

/** `*alias`es in a file. */
export const MAX_ALIASES = 100;

/** Values that aliases put into the file, so that aliases of aliases cannot multiply. */
export const MAX_ALIASED_VALUES = 5_000;

/** Problems that are reported; a file with more is not a configuration. */
export const MAX_PROBLEMS = 100;

/** Characters of a name. */
export const MAX_NAME_LENGTH = 200;
