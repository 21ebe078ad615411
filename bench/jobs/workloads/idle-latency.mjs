import { median, quantile } from '../../lib/statistics.mjs';
import {
  bullmq,
  changed,
  graphile,
  pgBoss,
  redrivePostgres,
  redriveSqlite,
} from '../lane-specs.mjs';
import { closeLanes, openLanes } from '../measure/lanes.mjs';
import { rotated } from '../measure/rates.mjs';

const lanes = [
  redriveSqlite,
  bullmq,
  redrivePostgres,
  graphile,
  changed(pgBoss, { options: { work: { batchSize: 1, localConcurrency: 1 } }, quick: false }),
];

export const title = 'Enqueue to start, idle';
export const about = `One job at a time into an idle queue with a worker in the same process: from the call
of enqueue to the handler's first line, its commit included.`;

export async function measure({ services, effort, quick }) {
  const { rounds, jobs, pauseMs } = effort;
  const open = await openLanes(services, lanes, quick);
  const late = Object.fromEntries(open.map(({ id }) => [id, []]));
  try {
    const drive = (lane, count) =>
      lane.drive('idle-latency', { jobs: count, pauseMs, concurrency: 16 });
    for (const { lane } of open) await drive(lane, 20);
    for (let round = 0; round < rounds; round++) {
      for (const { id, lane } of rotated(open, round)) {
        late[id].push((await drive(lane, jobs)).lateMs);
      }
    }
  } finally {
    await closeLanes(open);
  }
  return { figures: figuresOf(open, late), results: resultsOf(late) };
}

const all = (rounds) => rounds.flat();

function figuresOf(open, late) {
  const header = ['', 'p50', 'p90', 'p99', 'longest', 'jobs'];
  const ms = (value) => `${value.toFixed(2)} ms`;
  const rows = open.map(({ id, label }) => {
    const samples = all(late[id]);
    const points = [0.5, 0.9, 0.99, 1].map((share) => ms(quantile(samples, share)));
    return [label, ...points, String(samples.length)];
  });
  return { header, rows };
}

function resultsOf(late) {
  return [
    ratio(late, 'redrive-sqlite', 'bullmq', 0.5, 1),
    ratio(late, 'redrive-sqlite', 'bullmq', 0.99, 1),
    ratio(late, 'redrive-postgres', 'graphile-worker', 0.5, 1),
    ratio(late, 'redrive-postgres', 'graphile-worker', 0.99, 1),
  ];
}

/** Over all rounds, because a round has too few for a 99th percentile; the quartiles are those of the rounds. */
function ratio(late, id, againstId, share, ratioAtMost) {
  const point = (rounds) => quantile(all(rounds), share);
  const byRound = late[id].map(
    (round, index) => quantile(round, share) / quantile(late[againstId][index], share),
  );
  const name = { 0.5: 'p50', 0.99: 'p99' }[share];
  return {
    id: `${id}/${name}`,
    label: `${labelOf(id)} ÷ ${labelOf(againstId)}`,
    measure: name,
    ratio: point(late[id]) / point(late[againstId]),
    low: quantile(byRound, 0.25),
    high: quantile(byRound, 0.75),
    value: point(late[id]),
    baseline: point(late[againstId]),
    unit: 'ms',
    goal: { ratioAtMost },
    medianOfRounds: median(byRound),
  };
}

const labelOf = (id) => lanes.find((lane) => lane.id === id).label;
