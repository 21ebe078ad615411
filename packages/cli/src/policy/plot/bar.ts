import type { Glyphs } from './glyphs.ts';
import type { Scale } from './scale.ts';

export interface Wait {
  readonly attempt: number;
  readonly nominal: number;
  readonly min: number;
  readonly max: number;
}

/**
 * One wait as a column of cells, the lowest first: solid up to the shortest wait, shaded up to the longest wait with
 * jitter, with a mark at the nominal wait where that is inside the shade.
 */
export function barCells(wait: Wait, scale: Scale, height: number, glyphs: Glyphs): string[] {
  const parts = glyphs.solid.length;
  const level = (delayMs: number) => Math.round(scale.fractionOf(delayMs) * height * parts);
  const top = level(wait.max);
  const solidTop = Math.min(level(wait.min), top);
  // The shade comes in whole cells. A cell that is mostly beyond it stays empty, unless nothing would be seen of a
  // shade of half a cell or more.
  const seenCells = top - solidTop >= parts / 2 ? Math.ceil(solidTop / parts) + 1 : 0;
  const shadedCells = Math.max(Math.round(top / parts), seenCells);
  if (solidTop === 0 && shadedCells === 0)
    return [glyphs.trace, ...Array<string>(height - 1).fill(' ')];
  const nominalCell = Math.max(1, Math.round(level(wait.nominal) / parts)) - 1;
  return Array.from({ length: height }, (_, cell) => {
    const filled = solidTop - cell * parts;
    if (filled >= parts) return glyphs.solid.at(-1) ?? '';
    if (filled > 0) return glyphs.solid[filled - 1] ?? '';
    if (cell >= shadedCells) return ' ';
    return cell === nominalCell ? glyphs.nominal : glyphs.band;
  });
}
