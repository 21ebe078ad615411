/** How a terminal looks. */
export interface Theme {
  readonly background: string;
  readonly frame: string;
  readonly text: string;
  readonly dim: string;
  /** By the number of the colour in an escape sequence: 31 is red. */
  readonly colours: Readonly<Record<string, string>>;
}

export const THEMES: Readonly<Record<'light' | 'dark', Theme>> = {
  light: {
    ...{ background: '#ffffff', frame: '#d0d7de', text: '#1f2328', dim: '#59636e' },
    colours: {
      31: '#c21c13',
      32: '#0f7b33',
      33: '#8a5a00',
      34: '#0550ae',
      35: '#8250df',
      36: '#0b6b78',
    },
  },
  dark: {
    ...{ background: '#0d1117', frame: '#30363d', text: '#e6edf3', dim: '#9198a1' },
    colours: {
      31: '#ff7b72',
      32: '#4ac26b',
      33: '#e3b341',
      34: '#79c0ff',
      35: '#d2a8ff',
      36: '#56d4dd',
    },
  },
};

/** A piece of a line in one style. */
interface Run {
  readonly text: string;
  readonly column: number;
  readonly colour?: string | undefined;
  readonly isBold: boolean;
  readonly isDim: boolean;
}

const CHARACTER = 8.4;
const LINE = 19;
const PADDING = 16;
const FONT = 14;

/** Text with escape sequences for colours, bold and dim, as a drawing of a terminal with so many columns. */
export function svgOf(text: string, columns: number, theme: Theme, title: string): string {
  const lines = text.replace(/\n+$/, '').split('\n').map(runsOf);
  const width = Math.round(columns * CHARACTER + 2 * PADDING);
  const height = lines.length * LINE + 2 * PADDING;
  const drawn = lines.flatMap((runs, row) => {
    const y = PADDING + row * LINE + FONT;
    return runs.flatMap(columnsOf).map((run) => runSvg(run, y, theme));
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="${theme.background}" stroke="${theme.frame}"/>`,
    `<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="${FONT}" fill="${theme.text}" xml:space="preserve">`,
    ...drawn,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** The parts of a run between two or more blanks: not every browser keeps these, whatever `xml:space` says. */
function columnsOf(run: Run): Run[] {
  return [...run.text.matchAll(/\S+(?: \S+)*/g)].map(({ 0: text, index }) => ({
    ...run,
    text,
    column: run.column + [...run.text.slice(0, index)].length,
  }));
}

/** Every run has its place and its width, so that columns stand under each other in any font. */
function runSvg({ text, column, colour, isBold, isDim }: Run, y: number, theme: Theme): string {
  const shown = text.trimEnd();
  const start = shown.length - shown.trimStart().length;
  const word = shown.slice(start);
  const round = (value: number) => Math.round(value * 10) / 10;
  const x = round(PADDING + (column + start) * CHARACTER);
  const fill = colour === undefined ? (isDim ? theme.dim : undefined) : theme.colours[colour];
  const style = `${fill === undefined ? '' : ` fill="${fill}"`}${isBold ? ' font-weight="bold"' : ''}`;
  const length = round([...word].length * CHARACTER);
  return `<text x="${x}" y="${y}" textLength="${length}"${style}>${escaped(word)}</text>`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one.
const SEQUENCE = /\x1b\[([\d;]*)m/;

/** Splits a line where its style changes. @throws Error for a sequence that is not about style. */
function runsOf(line: string): Run[] {
  const runs: Run[] = [];
  let style: { colour?: string; isBold: boolean; isDim: boolean } = { isBold: false, isDim: false };
  let column = 0;
  for (const [index, part] of line.split(SEQUENCE).entries()) {
    if (index % 2 === 1) style = styled(style, part);
    else if (part !== '') {
      if (part.includes('\x1b')) throw new Error(`no style: ${JSON.stringify(part)}`);
      runs.push({ text: part, column, ...style });
      column += [...part].length;
    }
  }
  return runs;
}

function styled(style: { colour?: string; isBold: boolean; isDim: boolean }, code: string) {
  if (code === '1') return { ...style, isBold: true };
  if (code === '2') return { ...style, isDim: true };
  if (code === '22') return { ...style, isBold: false, isDim: false };
  if (/^3[1-6]$/.test(code)) return { ...style, colour: code };
  const { colour: _, ...plain } = style;
  if (code === '39') return plain;
  if (code === '' || code === '0') return { isBold: false, isDim: false };
  throw new Error(`no style: ${code}`);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
