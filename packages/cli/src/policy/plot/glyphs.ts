/** What a plot is drawn with. */
export interface Glyphs {
  /** A cell filled from below by 1/n, 2/n, … n/n. */
  readonly solid: readonly string[];
  readonly band: string;
  readonly nominal: string;
  readonly axis: {
    readonly line: string;
    readonly tick: string;
    readonly corner: string;
    readonly floor: string;
  };
  /** A wait that is too small to be seen on the scale, or none. */
  readonly trace: string;
}

export const UNICODE_GLYPHS: Glyphs = {
  solid: ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
  band: '░',
  nominal: '━',
  axis: { line: '│', tick: '┤', corner: '└', floor: '─' },
  trace: '▁',
};

export const ASCII_GLYPHS: Glyphs = {
  solid: ['#'],
  band: ':',
  nominal: '=',
  axis: { line: '|', tick: '+', corner: '+', floor: '-' },
  trace: '_',
};
