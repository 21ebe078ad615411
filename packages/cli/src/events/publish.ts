import type { RunCommand } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { CliError } from '../terminal/cli-error.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { type Io, printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { sourcesOf } from './configured-sources.ts';

/** `redrive events publish` */
export const runEventsPublish: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const [name = '', given] = args;
  const open = await sourcesOf(invocation, [name]);
  try {
    const [found] = open.sources;
    if (found === undefined) return EXIT.no_match; // Refused above.
    const { source, bus } = found;
    const destination =
      textOption(options, 'subject') ?? source.queue ?? source.subject ?? source.name;
    const id = textOption(options, 'id');
    const body = given === undefined || given === '-' ? await piped(io) : Buffer.from(given);
    const [result] = await bus.publish([{ destination, body, id }]);
    if (result?.published !== true) {
      const why = result === undefined ? 'the broker gave no answer' : result.message;
      throw new CliError(
        'failed',
        `${bus.name} did not take the event for ${destination}: ${why}`,
        '"redrive events check" says what is missing, "redrive events init" creates it.',
      );
    }
    const { duplicate } = result;
    if (options.json) printJson(io, { destination, id: id ?? null, duplicate });
    else {
      const what = duplicate ? 'Published before' : 'Published';
      printLines(io, [printable(`${what}: ${destination} on ${bus.name}`)]);
    }
    return EXIT.ok;
  } finally {
    await open.close();
  }
};

async function piped(io: Io): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of io.stdin()) pieces.push(piece);
  return Buffer.concat(pieces);
}
