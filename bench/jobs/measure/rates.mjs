import { median, pairedRatio, quantile } from '../../lib/statistics.mjs';
import { closeLanes, openLanes } from './lanes.mjs';

const warmUpJobs = 500;

/**
 * Rates of several lanes under one drive. All lanes are up for the whole time; each round drives every lane once,
 * in rotated order, so that what disturbs the machine during a round disturbs all of them.
 */
export async function measureRates({ services, drive, lanes: specs, params, sizes, quick }) {
  const lanes = await openLanes(services, specs, quick);
  const samples = Object.fromEntries(lanes.map(({ id }) => [id, {}]));
  try {
    for (const { lane } of lanes) await lane.drive(drive, { ...params, jobs: warmUpJobs });
    for (const { jobs, rounds } of sizes) {
      const taking = lanes.filter(({ maxJobs = jobs }) => maxJobs >= jobs);
      for (const { id } of taking) samples[id][jobs] = [];
      for (let round = 0; round < rounds; round++) {
        for (const { id, lane, place } of rotated(taking, round)) {
          await services.calm();
          samples[id][jobs].push(await lane.drive(drive, { ...params, jobs }));
          await services.vacuum(place);
        }
      }
    }
  } finally {
    await closeLanes(lanes);
  }
  return { lanes, samples, sizes };
}

/** The table of what everybody reached. */
export function rateFigures({ lanes, samples, sizes }) {
  const header = [
    'jobs per second, median (quartiles)',
    ...sizes.map(({ jobs }) => `${count(jobs)} jobs`),
  ];
  header.push('CPU of its process', 'first job after');
  const rows = lanes.map(({ id, label }) => {
    const rates = sizes.map(({ jobs }) => spread(samples[id][jobs]?.map(({ rate }) => rate)));
    const largest = Object.values(samples[id]).at(-1);
    const cpu = largest.map(({ cpuUsPerJob }) => cpuUsPerJob);
    const first = largest.map(({ firstAfterMs }) => firstAfterMs);
    return [
      label,
      ...rates,
      cpu[0] === undefined ? '' : `${median(cpu).toFixed(0)} µs per job`,
      first[0] === undefined ? '' : `${median(first).toFixed(1)} ms`,
    ];
  });
  const hasFirst = rows.some((row) => row.at(-1) !== '');
  return hasFirst
    ? { header, rows }
    : { header: header.slice(0, -1), rows: rows.map((row) => row.slice(0, -1)) };
}

/** One lane's rate as a multiple of another's, for each size; lanes that were left out give no result. */
export function compareRates({ lanes, samples, sizes }, id, againstId, goal = null) {
  const named = Object.fromEntries(lanes.map((lane) => [lane.id, lane]));
  if (!named[id] || !named[againstId]) return [];
  const shared = sizes.filter(({ jobs }) => samples[id][jobs] && samples[againstId][jobs]);
  return shared.map(({ jobs }) => {
    const own = samples[id][jobs].map(({ rate }) => rate);
    const other = samples[againstId][jobs].map(({ rate }) => rate);
    return {
      id: `${id}/${againstId}/${jobs}`,
      label: `${named[id].label} ÷ ${named[againstId].label}`,
      measure: `${count(jobs)} jobs`,
      ...pairedRatio(own, other),
      value: median(own),
      baseline: median(other),
      unit: 'jobs/s',
      goal,
    };
  });
}

export function rotated(list, by) {
  const start = by % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}

export const count = (number) => number.toLocaleString('en-US');

function spread(rates) {
  if (!rates) return '';
  const [low, high] = [quantile(rates, 0.25), quantile(rates, 0.75)].map((rate) =>
    count(Math.round(rate)),
  );
  return `${count(Math.round(median(rates)))} (${low} to ${high})`;
}
