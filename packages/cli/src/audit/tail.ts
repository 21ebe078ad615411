import { systemClock } from '@redrive/core';
import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { inputOf, inWords, itemsOf, placeOf } from '../action/run-action.ts';
import type { RunSugar } from '../action/sugar.ts';
import { durationOption } from '../command/option-values.ts';
import { printJsonLine, printLines } from '../terminal/io.ts';
import { untilStopped } from '../terminal/until-stopped.ts';
import { asFound } from './list.ts';
import { recordLines } from './record-lines.ts';

type Item = AnswerOf<typeof ACTIONS.audit.tail>;

/** Follows the log. A stream ends after 15 minutes, and the next one continues. */
export const runAuditTail: RunSugar = async (sugar, invocation) => {
  const { io, options } = invocation;
  const clock = io.clock ?? systemClock;
  const endMs = clock.monotonic() + (durationOption(options, 'for') ?? Infinity);
  const own = inputOf(sugar, sugar.action, invocation);
  const place = await inWords(sugar, () => placeOf(sugar.action, sugar, invocation, own));
  const print = (records: Item['records']) => {
    for (const record of records) {
      if (options.format !== undefined || options.json) printJsonLine(io, record);
      else printLines(io, recordLines(io.screen, asFound(record)));
    }
  };
  try {
    await untilStopped(io, async (signal) => {
      for (let after: number | undefined; !signal.aborted; ) {
        const leftMs = endMs - clock.monotonic();
        if (after !== undefined && leftMs <= 0) return;
        const times = {
          ...(leftMs < Infinity && { for: `${Math.max(0, Math.ceil(leftMs))}ms` }),
          ...(after && { after }),
        };
        const input = { ...own, ...times };
        for await (const item of itemsOf<Item>(sugar, place, { input, signal })) {
          const { records, block } = item;
          print(records);
          after = block;
        }
      }
    });
  } finally {
    await place.close();
  }
};
