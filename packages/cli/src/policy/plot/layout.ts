import { MAX_SLOT, MIN_SLOT, type PlottedPolicy, panelWidth } from './panel.ts';

/** Columns between panels. */
export const GAP = 3;

/** The widest slot with which the policies need no more rows of panels than they must. */
export function slotFor(policies: readonly PlottedPolicy[], room: number): number {
  const rowsWith = (slot: number) =>
    intoRows(policies, (each) => panelWidth(each, slot), room).length;
  const longest = Math.max(1, ...policies.map(({ waits }) => waits.length));
  const widest = Math.min(MAX_SLOT, Math.floor(room / longest));
  const fewest = rowsWith(Math.min(MIN_SLOT, widest));
  for (let slot = widest; slot > MIN_SLOT; slot--) if (rowsWith(slot) === fewest) return slot;
  return Math.max(1, Math.min(MIN_SLOT, widest));
}

/** As many in a row as fit into the room; one at least. */
export function intoRows<T>(
  items: readonly T[],
  widthOf: (item: T) => number,
  room: number,
): T[][] {
  const rows: T[][] = [];
  let left = 0;
  for (const item of items) {
    const width = widthOf(item);
    const row = rows.at(-1);
    if (row !== undefined && left >= width + GAP) {
      row.push(item);
      left -= width + GAP;
    } else {
      rows.push([item]);
      left = room - width;
    }
  }
  return rows;
}
