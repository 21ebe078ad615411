import type { BusProblem } from '@redrive/durable/events';
import type { RunCommand } from '../command/command-spec.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { note, printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { problemText } from './checked-source.ts';
import { type OpenSource, sourcesOf } from './configured-sources.ts';
import { unpublishedLetters } from './dead-letters.ts';

/** `redrive events check` */
export const runEventsCheck: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const open = await sourcesOf(invocation, args);
  try {
    const sources = open.sources.map(({ source }) => source);
    const unpublished = await unpublishedLetters(invocation, sources);
    const found = await Promise.all(
      open.sources.map(async ({ source, bus }) => {
        const { problems: found, waiting = null, unacknowledged = null } = await bus.check(source);
        const letters = unpublished.get(source.name) ?? [];
        const own = [...identityOf(source, bus), ...directOf(source)];
        const problems = [...found, ...own, ...letters];
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

/** Without `key` and without positions a message is known by its own id alone, which a publisher may leave out. */
function identityOf({ key }: OpenSource['source'], bus: OpenSource['bus']): readonly BusProblem[] {
  if ((key ?? []).length > 0 || bus.capabilities.positions) return [];
  return [
    {
      severity: 'warning',
      problem: 'A message without an id may run twice',
      remedy: 'Set key to the ids in the body, or publish every message with an id.',
    },
  ];
}

/** A direct source keeps nothing of events that succeed, so it has nothing to compare a second message with. */
function directOf({ direct }: OpenSource['source']): readonly BusProblem[] {
  if (!direct) return [];
  return [
    {
      severity: 'warning',
      problem:
        'The source is direct: it recognises no duplicates, and a crash may run an event twice',
      remedy: 'Make the handler idempotent (context.once), or remove direct.',
    },
  ];
}

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
  const count = problems.length;
  const verdict = count === 0 ? 'ok' : `${count} ${count === 1 ? 'problem' : 'problems'}`;
  return [
    printable(`${name} on ${bus}: ${verdict}${waits}`),
    ...problems.map((problem) =>
      printable(`  ${problem.severity}: ${problemText(problem as BusProblem)}`),
    ),
  ];
}

/** `redrive events init` */
export const runEventsInit: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const open = await sourcesOf(invocation, args);
  try {
    const created: { source: string; name: string }[] = [];
    for (const { source, bus } of open.sources) {
      for (const name of await bus.declare(source)) {
        created.push({ source: source.name, name });
        if (!options.json) printLines(io, [printable(`created ${name} on ${bus.name}`)]);
      }
    }
    if (options.json) printJson(io, { created });
    else if (created.length === 0) note(io, 'Nothing was missing.');
    return EXIT.ok;
  } finally {
    await open.close();
  }
};
