import pc from 'picocolors';

export type Colour = 'bold' | 'dim' | 'green' | 'red' | 'yellow' | 'cyan' | 'magenta' | 'blue';

/** The properties of the terminal, file or pipe behind stdout or stderr. */
export interface Screen {
  /** Nothing moves, and nobody is asked, where this is `false`. */
  readonly isTerminal: boolean;
  /** Columns that a line may have. */
  readonly columns: number;
  /** Lines that are seen at once. */
  readonly rows: number;
  /** Whether characters beyond ASCII can be shown. */
  readonly unicode: boolean;
  /** The text in this colour, or as it is where there are no colours. */
  paint(colour: Colour, text: string): string;
}

/** The properties of `process.stdout` that a screen uses. */
export interface ScreenStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  hasColors?(): boolean;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const NO_TERMINAL_COLUMNS = 80;
const NO_TERMINAL_ROWS = 24;
/** A terminal that claims to be narrower is asked for this much all the same: nothing fits into less. */
const MIN_COLUMNS = 40;

/**
 * Reads what the stream and the environment say: no colours with `NO_COLOR`, without a terminal or on one that has
 * none, unless `FORCE_COLOR` asks for them; 80 columns without a terminal, unless `COLUMNS` says otherwise.
 */
export function screenOf(stream: ScreenStream, env: Environment): Screen {
  const isTerminal = stream.isTTY === true;
  const colours = hasColours(stream, env);
  return {
    isTerminal,
    // Asked anew each time, because a window may change its size.
    get columns() {
      const columns = (isTerminal && stream.columns) || Number(env.COLUMNS) || NO_TERMINAL_COLUMNS;
      return Math.max(MIN_COLUMNS, Math.trunc(columns));
    },
    get rows() {
      return (isTerminal && stream.rows) || NO_TERMINAL_ROWS;
    },
    unicode: speaksUnicode(env),
    // Not picocolors' own guess, which looks at process.stdout, whatever this stream is.
    paint: (colour, text) => pc.createColors(colours)[colour](text),
  };
}

/** The same screen without colours. It asks the other one for its size, because a window may change it. */
export function withoutColours(screen: Screen): Screen {
  return {
    isTerminal: screen.isTerminal,
    unicode: screen.unicode,
    get columns() {
      return screen.columns;
    },
    get rows() {
      return screen.rows;
    },
    paint: (_, text) => text,
  };
}

function hasColours(stream: ScreenStream, env: Environment): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0';
  return stream.isTTY === true && stream.hasColors?.() === true;
}

/** A locale that is named and is not UTF-8 (`C` is one) wants ASCII; where none is named, terminals speak UTF-8. */
function speaksUnicode({ LC_ALL, LC_CTYPE, LANG }: Environment): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG;
  return !locale || /utf-?8/i.test(locale);
}
