import { createHash } from 'node:crypto';

export const QUARTER_MS = 900_000;

/** They choose a page of a view. */
const PAGE_OPTIONS = new Set(['after', 'limit']);

/**
 * The key of a look at a view. Two looks have the same key, and leave one record, if they are of the same person from the
 * same place, for the same reason, at the same command with the same filters, in the same quarter of an hour of the clock.
 *
 * @param detail of the record: who looks, from where, why, and at what.
 */
export function viewKey(detail: Readonly<Record<string, unknown>>, nowMs: number): string {
  const view = Object.entries(detail)
    .filter(([name]) => !PAGE_OPTIONS.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const digest = createHash('sha256').update(JSON.stringify(view)).digest('hex');
  return `read:${Math.floor(nowMs / QUARTER_MS)}:${digest}`;
}
