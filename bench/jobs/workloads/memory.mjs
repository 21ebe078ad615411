import { changed, redrivePostgres, redriveSqlite } from '../lane-specs.mjs';
import { closeLanes, openLanes } from '../measure/lanes.mjs';
import { count } from '../measure/rates.mjs';

const flat = 1.1;

export const title = 'Memory';
export const about = `Jobs are brought and worked off by one process, 16 at once, all the time. After each quarter
everything is collected, in all its threads, and what the process still holds is read: the heap with its buffers, and
its resident memory.
Flat is a last quarter within a tenth of the first.`;

export async function measure({ services, effort: { jobs }, quick }) {
  const results = [];
  const rows = [];
  for (const spec of [redriveSqlite, redrivePostgres]) {
    const open = await openLanes(services, [changed(spec, {})], quick);
    try {
      const [{ lane, id, label }] = open;
      const { quarters } = await lane.drive('memory', { jobs, concurrency: 16 });
      for (const [index, { rate, heapMiB, rssMiB }] of quarters.entries()) {
        const figures = [count(Math.round(rate)), heapMiB.toFixed(1), rssMiB.toFixed(0)];
        rows.push([`${label}, quarter ${index + 1} of ${count(jobs)} jobs`, ...figures]);
      }
      const growth = (of) => of(quarters.at(-1)) / of(quarters[0]);
      const grown = { unit: 'x', goal: { valueAtMost: flat } };
      results.push(
        {
          id: `${id}/heap`,
          label,
          measure: 'heap, last ÷ first',
          ...grown,
          value: growth((q) => q.heapMiB),
        },
        {
          id: `${id}/rss`,
          label,
          measure: 'resident, last ÷ first',
          ...grown,
          value: growth((q) => q.rssMiB),
        },
      );
    } finally {
      await closeLanes(open);
    }
  }
  const header = ['', 'jobs per second', 'heap, MiB', 'resident, MiB'];
  return { figures: { header, rows }, results };
}
