import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rotated } from '../jobs/measure/rates.mjs';
import { median, pairedRatio, quantile } from '../lib/statistics.mjs';
import { comparisons, contenders } from './contenders.mjs';
import { peers } from './project.mjs';

const run = promisify(execFile);
const TIMEOUT_MS = 60_000;

/** Takes each sample of all lanes in turns; the first round, which fills the caches of the system, is not counted. */
async function inTurns(lanes, rounds) {
  const samples = Object.fromEntries(lanes.map(({ id }) => [id, []]));
  for (let round = -1; round < rounds; round++) {
    for (const { id, sample } of rotated(lanes, round + 1)) {
      const taken = await sample();
      if (round >= 0) samples[id].push(taken);
    }
  }
  return samples;
}

const node = (args, env, cwd) =>
  run(process.execPath, args, { cwd, timeout: TIMEOUT_MS, env: { ...process.env, ...env } });

const programsOf = (contender, project) => (contender.isOurs ? project : peers).programs;

/** From the start of the process until the handler of a job that waits for it. */
export async function firstJob({ project, places, rounds }) {
  const lanes = contenders.map((contender) => {
    const programs = programsOf(contender, project);
    const program = join(programs, `${contender.id}.mjs`);
    const sample = async () => {
      const place = await places.place(contender);
      await node([program, 'fill'], { PLACE: place });
      const begin = performance.timeOrigin + performance.now();
      const report = ['--import', join(programs, 'report.mjs')];
      const { stdout } = await node([...report, program, 'work'], { PLACE: place });
      const { atMs, cpuMs } = JSON.parse(stdout);
      return { ms: atMs - begin, cpuMs };
    };
    return { id: contender.id, sample };
  });
  const samples = await inTurns(lanes, rounds);
  const figures = {
    header: ['median (quartiles)', 'first job after', 'CPU of the process until then'],
    rows: contenders.map(({ id, label }) => [
      label,
      spread(samples[id].map(({ ms }) => ms)),
      spread(samples[id].map(({ cpuMs }) => cpuMs)),
    ]),
  };
  return { figures, results: compared(samples, 'ms', 'start to first job', 'ms', 'start') };
}

/** A process that only imports the packages. */
export async function imports({ project, rounds }) {
  const lanes = contenders.map((contender) => {
    const program = join(programsOf(contender, project), 'import.mjs');
    const sample = async () => JSON.parse((await node([program, ...contender.imports])).stdout);
    return { id: contender.id, sample };
  });
  const samples = await inTurns(lanes, rounds);
  const figures = {
    header: ['median (quartiles)', 'import', 'memory of the process'],
    rows: contenders.map(({ id, label }) => [
      label,
      spread(samples[id].map(({ ms }) => ms)),
      spread(
        samples[id].map(({ rssMiB }) => rssMiB),
        'MiB',
      ),
    ]),
  };
  const results = [
    ...compared(samples, 'ms', 'import', 'ms'),
    ...compared(samples, 'rssMiB', 'memory after import', 'MiB', 'rss'),
  ];
  return { figures, results };
}

/** Whole processes, as a person waits for them. */
export async function commands({ project, places, rounds }) {
  const store = `sqlite:${join(project.home, 'status.db')}`;
  await rm(join(project.home, 'status.db'), { force: true });
  await run(process.execPath, [project.bin, 'store', 'migrate', '--store', store]);
  const postgres = await places.place({ needs: 'postgres' });
  await run(process.execPath, [project.bin, 'store', 'migrate', '--store', postgres]);
  const lines = [
    { id: 'node', label: 'node -e 0', args: ['-e', '0'] },
    { id: 'help', label: 'redrive --help', args: [project.bin, '--help'], goalMs: 100 },
    {
      id: 'status',
      label: 'redrive status, SQLite',
      args: [project.bin, 'status', '--store', store],
      goalMs: 200,
    },
    {
      id: 'status-postgres',
      label: 'redrive status, Postgres',
      args: [project.bin, 'status', '--store', postgres],
    },
    {
      id: 'graphile-help',
      label: 'graphile-worker --help',
      args: [peers.bin('graphile-worker'), '--help'],
    },
    { id: 'pg-boss-help', label: 'pg-boss --help', args: [peers.bin('pg-boss'), '--help'] },
  ];
  const lanes = lines.map(({ id, args }) => ({
    id,
    async sample() {
      const begin = performance.now();
      await node(args, {}, project.home);
      return { ms: performance.now() - begin };
    },
  }));
  const samples = await inTurns(lanes, rounds);
  const times = (id) => samples[id].map(({ ms }) => ms);
  return {
    against: '× node -e 0',
    results: lines
      .filter(({ id }) => id !== 'node')
      .map(({ id, label, goalMs }) => ({
        ...{ id, label, measure: 'from start to end', unit: 'ms' },
        ...pairedRatio(times(id), times('node')),
        value: median(times(id)),
        baseline: median(times('node')),
        goal: goalMs === undefined ? null : { valueAtMost: goalMs },
      })),
  };
}

function compared(samples, field, measure, unit, goalName) {
  const labels = Object.fromEntries(contenders.map(({ id, label }) => [id, label]));
  return comparisons.map(({ id, against, [goalName]: goal = null }) => {
    const own = samples[id].map((each) => each[field]);
    const others = samples[against].map((each) => each[field]);
    return {
      ...{ id: `${field}/${id}/${against}`, label: `${labels[id]} ÷ ${labels[against]}` },
      ...{ measure, unit, goal, ...pairedRatio(own, others) },
      value: median(own),
      baseline: median(others),
    };
  });
}

function spread(values, unit = 'ms') {
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile(values, share).toFixed(0));
  return `${middle} ${unit} (${low} to ${high})`;
}
