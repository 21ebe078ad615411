import type { HandlerSettings } from '@redrive/config';
import type { HandlerOptions } from '@redrive/durable';

/** The options of a handler that the file names, under the library's names. What it does not name is not there. */
export function handlerOptions(settings: HandlerSettings): HandlerOptions {
  const { policy, concurrency, concurrencyPerKey, dependency, credential } = settings;
  const { idempotent, onUnknown } = settings;
  const options = {
    policy,
    concurrency,
    limitPerKey: concurrencyPerKey,
    dependency,
    credential,
    idempotent,
    onUnknown,
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
