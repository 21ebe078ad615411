import { localActor } from '@redrive/config';
import type { Actor } from '@redrive/durable/store';
import type { Options } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';

/** The actor of a command and its reason, for the audit log. */
export function actorOf(options: Options): Actor {
  const why = textOption(options, 'reason');
  return { name: `cli:${localActor()}`, ...(why === undefined ? {} : { why }) };
}
