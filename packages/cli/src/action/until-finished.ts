import { systemClock } from '@redrive/core';
import type { Invocation } from '../command/command-spec.ts';
import { durationOption } from '../command/option-values.ts';
import { CliError } from '../terminal/exit-codes.ts';
import type { Ran } from './place.ts';

/** The longest wait of one call: a server gives a request 10 seconds. */
const CALL_MS = 5_000;

/** Calls an action that waits for a few seconds again and again. @throws CliError `timed_out` */
export async function untilFinished(
  { io, args, options }: Invocation,
  run: (more: { readonly timeout: number }) => Promise<Ran>,
): Promise<Ran> {
  const clock = io.clock ?? systemClock;
  const timeoutMs = durationOption(options, 'timeout') ?? Infinity;
  const endMs = clock.monotonic() + timeoutMs;
  for (;;) {
    const leftMs = Math.ceil(Math.max(0, endMs - clock.monotonic()));
    const ran = await run({ timeout: Math.min(CALL_MS, leftMs) });
    if (ran.answer.finished === true) return ran;
    if (clock.monotonic() < endMs) continue;
    throw new CliError('timed_out', `${args.join(' ')} has not finished within ${timeoutMs} ms.`);
  }
}
