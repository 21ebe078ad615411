import type { RunCommand } from '../command/command-spec.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { note, printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { sourcesOf } from './configured-sources.ts';

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
