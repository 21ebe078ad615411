import { median, pairedRatio, quantile } from '../../lib/statistics.mjs';
import { changed, redrivePostgres, redriveSqlite } from '../lane-specs.mjs';
import { closeLanes, openLanes } from '../measure/lanes.mjs';
import { count, rotated } from '../measure/rates.mjs';

export const title = 'Claim with many rows in the table';
export const about = `One claim of 16 jobs, commit included, from a table that holds nothing else, a million jobs
that are not due yet, a hundred thousand that are due, or a million that are finished (half of them dead). An empty
promotion looks for due jobs among those that are not.`;

export async function measure({ services, effort, quick }) {
  const results = [];
  const rows = [];
  for (const base of [redriveSqlite, redrivePostgres]) {
    const measured = await measureStore(services, base, effort, quick);
    results.push(...measured.results);
    rows.push(...measured.rows);
  }
  return { figures: { header: ['claim of 16', 'p50', 'p99'], rows }, results };
}

async function measureStore(services, base, effort, quick) {
  const kinds = ['empty', 'notDue', 'due', 'finished'];
  const named = {
    empty: 'nothing else',
    notDue: `${count(effort.notDue)} not due`,
    due: `${count(effort.due)} due`,
    finished: `${count(effort.finished)} finished or dead`,
  };
  const specs = kinds.map((kind) =>
    changed(base, { id: kind, label: `${base.label}, ${named[kind]}` }),
  );
  const lanes = await openLanes(services, specs, quick);
  const samples = Object.fromEntries(kinds.map((kind) => [kind, []]));
  const ticks = [];
  try {
    for (const { id, lane } of lanes) {
      if (id !== 'empty') await lane.drive('claims', { fill: { kind: id, jobs: effort[id] } });
      await lane.drive('claims', { claims: 10 });
    }
    for (let round = 0; round < effort.rounds; round++) {
      for (const { id, lane } of rotated(lanes, round)) {
        await services.calm();
        samples[id].push((await lane.drive('claims', { claims: effort.claims })).ms);
        if (id === 'notDue')
          ticks.push(...(await lane.drive('claims', { ticks: effort.claims })).ms);
      }
    }
  } finally {
    await closeLanes(lanes);
  }
  const results = kinds
    .slice(1)
    .map((kind) => ratio(base, kind, named[kind], samples))
    .concat(promotion(base, ticks));
  const rows = lanes.map(({ id, label }) => [label, ...points(samples[id].flat())]);
  rows.push([`${base.label}, an empty promotion`, ...points(ticks)]);
  return { results, rows };
}

const points = (ms) => [0.5, 0.99].map((share) => `${quantile(ms, share).toFixed(2)} ms`);

function ratio(base, kind, name, samples) {
  const own = samples[kind].map(median);
  const empty = samples.empty.map(median);
  return {
    id: `${base.id}/${kind}`,
    label: `${base.label}, ${name} ÷ nothing else`,
    measure: 'p50',
    ...pairedRatio(own, empty),
    value: median(own),
    baseline: median(empty),
    unit: 'ms',
    goal: { ratioAtMost: 1.2 },
  };
}

function promotion(base, ticks) {
  return {
    id: `${base.id}/promotion`,
    label: `${base.label}, an empty promotion`,
    measure: 'p50',
    value: median(ticks),
    unit: 'ms',
    goal: { valueAtMost: 1 },
  };
}
