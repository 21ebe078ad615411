import { type OptionTable, resolveOptions } from '@redrive/core/fields';
import type { WaitOptions } from './jobs.ts';

const OPTIONS: OptionTable<WaitOptions> = {
  timeoutMs: [60_000, { kind: 'number', min: 0, max: Infinity }],
  signal: [undefined],
};

/** @throws RedriveError `invalid_option`. */
export function resolveWaitOptions(options: WaitOptions = {}): {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
} {
  return resolveOptions('wait', options, OPTIONS, 'invalid_option', ({ signal }) =>
    signal === undefined || signal instanceof AbortSignal
      ? undefined
      : { field: 'signal', message: 'signal must be an AbortSignal' },
  );
}
