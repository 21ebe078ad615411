import { systemClock } from '@redrive/core';
import {
  type DeadLetterEnvelope,
  type ExportFormat,
  exportDeadLetters,
} from '@redrive/durable/dead-letters';
import { exportFileName } from '@redrive/durable/store';
import type { ACTIONS, AnswerOf } from '@redrive/operate';
import type { Place } from '../action/place.ts';
import { inputOf, inWords, placeOf } from '../action/run-action.ts';
import type { Sugar } from '../action/sugar.ts';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { writeExport } from '../terminal/export-target.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { progress } from '../terminal/progress.ts';

/** Characters that are written at once. */
const BATCH = 256 * 1024;

export function exportCommand(sugar: Sugar): RunCommand {
  return async (invocation) => {
    const { io, options } = invocation;
    // The command line takes no others.
    const format = (textOption(options, 'format') ?? 'jsonl') as ExportFormat;
    const input = { limit: ALL, ...inputOf(sugar, sugar.action, invocation) };
    const place = await inWords(sugar, () => placeOf(sugar.action, sugar, invocation, input));
    const shown = progress(io, 'dead letters');
    let letters = 0;
    const items = place.items()[Symbol.asyncIterator]();
    const counted = async function* (first: IteratorResult<object>, most: number | undefined) {
      for (let next = first; !next.done; next = await items.next()) {
        yield Object(next.value) as DeadLetterEnvelope; // Of this action.
        letters += 1;
        shown.update(letters, most && letters / most);
      }
    };
    try {
      // A refusal leaves no file behind.
      const first = await inWords(sugar, () => items.next());
      const most = io.errorScreen.isTerminal ? await countOf(place, input) : undefined;
      const fileName = exportFileName((io.clock ?? systemClock).now(), format);
      const name = await writeExport(io, options, fileName, (write) =>
        inBatches(exportDeadLetters(counted(first, most), format), write),
      );
      shown.end();
      if (name === '-') return;
      if (options.json) printJson(io, { file: name, format, payload: shownAs(options), letters });
      else {
        const noun = letters === 1 ? 'dead letter is' : 'dead letters are';
        printLines(io, [printable(`${letters.toLocaleString('en')} ${noun} in ${name}.`)]);
      }
    } finally {
      shown.end();
      await items.return?.();
      await place.close();
    }
  };
}

const ALL = 1_000_000_000;

function shownAs({ payload }: Invocation['options']): unknown {
  return payload ?? 'redacted';
}

/** How many it will be. `undefined`: too many to be counted. */
async function countOf(place: Place, given: object): Promise<number | undefined> {
  const { payload: _, limit, ...filter } = { payload: '', limit: ALL, ...given };
  const { answer } = await place.run({ name: 'deadLetters.list', input: { ...filter, limit: 1 } });
  const { total } = Object(answer) as AnswerOf<typeof ACTIONS.deadLetters.list>; // Of this action.
  return total.bounded ? undefined : Math.min(total.count, Number(limit));
}

async function inBatches(
  lines: AsyncIterable<string>,
  write: (text: string) => Promise<void>,
): Promise<void> {
  let batch = '';
  for await (const line of lines) {
    batch += line;
    if (batch.length < BATCH) continue;
    await write(batch);
    batch = '';
  }
  if (batch !== '') await write(batch);
}
