// `npm run lab -- figures [NAME…]`: the figures that the lab reproduces, beside the expected ones. Exit code 1: one does
// not hold.
// `npm run lab -- invariants [--seeds N] [--first SEED]`: the invariants of the architecture on random ladders. Exit code
// 1: one does not hold; the seed and the shortest trace are printed.
import { parseArgs } from 'node:util';
import { EXPERIMENTS } from './lab/experiments.ts';
import type { Figure } from './lab/figure.ts';
import { checkSeeds } from './lab/invariants/check-seeds.ts';
import { INVARIANTS } from './lab/invariants/looks.ts';

async function figures(names: readonly string[]): Promise<void> {
  const line = (cells: readonly string[]) => console.log(`| ${cells.join(' | ')} |`);
  line(['experiment', 'row', 'expected', 'measured', '']);
  line(['---', '---', '---', '---', '---']);
  const missed: Figure[] = [];
  for (const { name, run } of EXPERIMENTS) {
    if (names.length > 0 && !names.includes(name)) continue;
    for (const figure of await run()) {
      const { experiment, row, expected, measured, holds } = figure;
      line([experiment, row, expected, measured, holds ? 'holds' : 'MISSED']);
      if (!holds) missed.push(figure);
    }
  }
  if (missed.length > 0) process.exitCode = 1;
}

const DEFAULT_SEEDS = 200;
const MAX_SEEDS = 1_000_000;
const PROGRESS_EVERY = 500;

async function invariants(args: string[]): Promise<void> {
  const options = { seeds: { type: 'string' }, first: { type: 'string' } } as const;
  const { values } = parseArgs({ args, options });
  const [seeds, first] = [Number(values.seeds ?? DEFAULT_SEEDS), Number(values.first ?? 1)];
  if (!(Number.isInteger(seeds) && seeds >= 1 && seeds <= MAX_SEEDS) || !(first >= 0)) {
    console.error(`--seeds must be 1 to ${MAX_SEEDS}, --first 0 or more`);
    process.exitCode = 2;
    return;
  }
  const startedMs = performance.now();
  const onSeed = (seed: number) => {
    if ((seed - first + 1) % PROGRESS_EVERY === 0) console.error(`${seed - first + 1} seeds`);
  };
  const { held, found } = await checkSeeds({ first, seeds, onSeed });
  for (const [at, name] of INVARIANTS.entries()) {
    const isViolated = found?.violation.invariant === at + 1;
    const looks = `${(held[at] ?? 0).toLocaleString('en')} looks held`;
    console.log(`${at + 1}  ${name}: ${looks}${isViolated ? ', VIOLATED' : ''}`);
  }
  console.log(`${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
  if (found === undefined) return;
  console.log(`\nseed ${found.seed}: ${found.violation.text}\n`);
  console.log(JSON.stringify(found.plan));
  for (const line of found.trace) console.log(line);
  process.exitCode = 1;
}

const [command, ...rest] = process.argv.slice(2);
if (command === 'figures') await figures(rest);
else if (command === 'invariants') await invariants(rest);
else {
  console.error('npm run lab -- figures [NAME…] | invariants [--seeds N] [--first SEED]');
  process.exitCode = 2;
}
