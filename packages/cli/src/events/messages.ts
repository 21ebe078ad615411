import { commandText } from '@redrive/core/fields';
import type { Delivery } from '@redrive/durable/events';
import { redact } from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { integerOption, textOption } from '../command/option-values.ts';
import { CliError, EXIT } from '../terminal/exit-codes.ts';
import { type Io, note, printJson, printJsonLine, printLines } from '../terminal/io.ts';
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

/** `redrive events tail` */
export const runEventsTail: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const limit = integerOption(options, 'limit', { min: 1, max: 1_000 }) ?? 10;
  const open = await sourcesOf(invocation, args);
  try {
    const [found] = open.sources;
    if (found?.bus.peek === undefined) {
      const { source, bus } = found ?? {};
      const hint =
        bus?.capabilities.delivers === false
          ? `Its messages are jobs already: "${commandText`redrive jobs list --queue ${source?.name ?? ''}`}".`
          : undefined;
      throw new CliError('failed', `${bus?.name ?? 'The broker'} cannot be looked into.`, hint);
    }
    const messages = await found.bus.peek(found.source, limit);
    for (const message of messages) {
      const shown = documentOf(message);
      if (options.json) printJsonLine(io, shown);
      else
        printLines(io, [
          printable(`${shown.position ?? shown.id ?? '-'}  ${JSON.stringify(shown.body)}`),
        ]);
    }
    if (messages.length === 0) note(io, `No message of ${found.source.name} waits.`);
    return EXIT.ok;
  } finally {
    await open.close();
  }
};

/** Secrets are masked, as in dead letters. */
function documentOf({ id, position, destination, redelivered, body }: Delivery) {
  return {
    id: id ?? null,
    position: position ?? null,
    destination,
    redelivered,
    bytes: body.length,
    body: redact(parsed(body)),
  };
}

function parsed(body: Uint8Array): unknown {
  const text = new TextDecoder().decode(body);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
