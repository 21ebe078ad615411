// `npm run crash -- sqlite|postgres [--seed N] [--kills N] [--only <fault>] [--no-fencing]`: tries to break durable jobs.
// Exit code 1: it found something that must not be.
import { parseArgs } from 'node:util';
import { KILL_AND_PAUSE, killAndPause } from './crash/faults/kill-and-pause.ts';
import { withPlace } from './crash/place.ts';
import { printReport } from './crash/report.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    kills: { type: 'string' },
    pauses: { type: 'string' },
    jobs: { type: 'string' },
    only: { type: 'string' },
    'no-fencing': { type: 'boolean', default: false },
  },
});
const kind = positionals[0];
if (kind !== 'sqlite' && kind !== 'postgres') {
  console.error('Say which store: npm run crash -- sqlite|postgres');
  process.exit(2);
}
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e6));
const report = await withPlace(
  kind,
  (place) =>
    killAndPause(place, {
      ...KILL_AND_PAUSE,
      seed,
      kills: Number(values.kills ?? KILL_AND_PAUSE.kills),
      pauses: Number(values.pauses ?? KILL_AND_PAUSE.pauses),
      jobs: Number(values.jobs ?? KILL_AND_PAUSE.jobs),
      // Without fencing there must be something to find: a pause hits attempts that somebody else has taken over.
      ...(values['no-fencing'] ? { fencing: false, longShare: 1 } : {}),
    }),
  ({ violations }) => violations.length > 0,
);
printReport(report);
process.exitCode = report.violations.length > 0 ? 1 : 0;
