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
  readonly dot: string;
}

export const UNICODE_GLYPHS: Glyphs = {
  solid: ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
  band: '░',
  nominal: '━',
  axis: { line: '│', tick: '┤', corner: '└', floor: '─' },
  dot: '·',
};

export const ASCII_GLYPHS: Glyphs = {
  solid: ['#'],
  band: ':',
  nominal: '=',
  axis: { line: '|', tick: '+', corner: '+', floor: '-' },
  dot: ',',
};
