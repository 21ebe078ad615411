import type { RunCommand } from '../command/command-spec.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { note, printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { sourcesOf } from './configured-sources.ts';
import { textOf } from './run-sources.ts';

/** `redrive events check` */
export const runEventsCheck: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const open = await sourcesOf(invocation, args);
  try {
    const found = await Promise.all(
      open.sources.map(async ({ source, bus }) => {
        const { problems, waiting = null, unacknowledged = null } = await bus.check(source);
        return { name: source.name, bus: bus.name, waiting, unacknowledged, problems };
      }),
    );
    if (options.json) printJson(io, { sources: found });
    else for (const each of found) printLines(io, linesOf(each));
    if (found.length === 0) note(io, 'The configuration has no sources under events.sources.');
    const hasError = found.some(({ problems }) =>
      problems.some(({ severity }) => severity === 'error'),
    );
    return hasError ? EXIT.failed : EXIT.ok;
  } finally {
    await open.close();
  }
};

interface Found {
  readonly name: string;
  readonly bus: string;
  readonly waiting: number | null;
  readonly problems: readonly {
    readonly severity: string;
    readonly problem: string;
    readonly remedy: string;
  }[];
}

function linesOf({ name, bus, waiting, problems }: Found): string[] {
  const waits = waiting === null ? '' : `, ${waiting} waiting`;
  const verdict = problems.length === 0 ? 'ok' : `${problems.length} to look at`;
  return [
    printable(`${name} on ${bus}: ${verdict}${waits}`),
    ...problems.map((problem) =>
      printable(`  ${problem.severity}: ${textOf(problem as Parameters<typeof textOf>[0])}`),
    ),
  ];
}
