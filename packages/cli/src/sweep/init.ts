import type { RunCommand } from '../command/command-spec.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { withSweeps } from './configured-sweeps.ts';

export const runSweepInit: RunCommand = (invocation) => {
  const { io, args, options } = invocation;
  const dryRun = options.dryRun === true;
  return withSweeps(invocation, args, async ({ sweeps }) => {
    const collections: { name: string; parts: readonly string[] }[] = [];
    for (const { name, source, collection } of sweeps) {
      collections.push({ name, parts: await source.prepare(collection, { dryRun }) });
    }
    if (options.json) return printJson(io, { dry_run: dryRun, collections });
    const done = dryRun ? 'is missing' : 'is created';
    const lines = collections.flatMap(({ name, parts }) =>
      parts.length === 0
        ? [`${name}: nothing is missing`]
        : parts.map((part) => `${name}: ${part} ${done}`),
    );
    printLines(io, lines.map(printable));
  });
};
