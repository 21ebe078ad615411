// `npm run lab -- figures [NAME…]`: the figures that the lab reproduces, beside the expected ones. Exit code 1: one does
// not hold.
import { EXPERIMENTS } from './lab/experiments.ts';
import type { Figure } from './lab/figure.ts';

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

const [command, ...names] = process.argv.slice(2);
if (command === 'figures') await figures(names);
else {
  console.error('npm run lab -- figures [NAME…]');
  process.exitCode = 2;
}
