import { systemClock } from '@redrive/core';
import type { ShownValues } from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { withStore } from '../store/with-store.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { letterDocument, readLetter } from './letter.ts';
import { letterLines } from './letter-lines.ts';

/** `redrive dlq show` */
export const runDlqShow: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const [id = ''] = args;
  // The command line takes no others.
  const values = (textOption(options, 'payload') ?? 'redacted') as ShownValues;
  const letter = await withStore(invocation, (store) => readLetter(store, id));
  const nowMs = (io.clock ?? systemClock).now();
  if (options.json) printJson(io, letterDocument(letter, values));
  else printLines(io, letterLines(io.screen, letter, { nowMs, values }));
};
