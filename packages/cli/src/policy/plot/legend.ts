import type { Glyphs } from './glyphs.ts';
import { GAP } from './layout.ts';
import type { PlottedPolicy } from './panel.ts';
import type { Scale } from './scale.ts';

/** What the marks mean that were used. */
export function legend({ kind }: Scale, glyphs: Glyphs, lines: readonly string[]): string[] {
  const drawing = lines.join('');
  const marks = [
    [glyphs.solid.at(-1) ?? '', 'shortest wait'],
    [glyphs.band, 'added by jitter'],
    [glyphs.nominal, 'nominal'],
  ] as const;
  const used = marks.filter(
    ([mark]) => drawing.includes(mark.repeat(2)) || drawing.includes(` ${mark} `),
  );
  return [...used.map((mark) => mark.join(' ')), ...(kind === 'log' ? ['log scale'] : [])];
}

/** Which policies have more waits than there was room for. */
export function cutNotes(all: readonly PlottedPolicy[], shown: readonly PlottedPolicy[]): string[] {
  return all.flatMap(({ id, maxAttempts }, index) => {
    const last = shown[index]?.waits.at(-1)?.attempt ?? maxAttempts;
    return last < maxAttempts ? [`${id}: up to attempt ${last} of ${maxAttempts}`] : [];
  });
}

/** Texts one after the other, in as few lines as they need. */
export function flow(texts: readonly string[], columns: number): string[] {
  const lines: string[] = [];
  for (const text of texts) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + GAP + text.length <= columns)
      lines.splice(-1, 1, `${line}${' '.repeat(GAP)}${text}`);
    else lines.push(text);
  }
  return lines;
}
