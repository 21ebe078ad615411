import type { Delivery } from '@redrive/durable/events';
import { redact } from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { integerOption } from '../command/option-values.ts';
import { CliError } from '../terminal/cli-error.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { note, printJsonLine, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { sourcesOf } from './configured-sources.ts';

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
          ? `Its messages are jobs already: "redrive jobs list --queue ${source?.name}".`
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
