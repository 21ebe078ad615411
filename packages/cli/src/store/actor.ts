import { localActor } from '@redrive/config';
import type { Actor } from '@redrive/durable/store';
import type { Options } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';

/** Who does something through the command line, and why, for the record. */
export function actorOf(options: Options): Actor {
  const why = textOption(options, 'reason');
  return { name: `cli:${localActor()}`, ...(why === undefined ? {} : { why }) };
}
