import { gateName } from '@redrive/durable';
import { causes } from '@redrive/durable/control/rules';

const GATE = causes.gate('');

const KILLED_HANDLER = causes.kill('operation:');

/**
 * The short name of a cause, which a command line can take: a gate is `gate:<name>`, the kill switch of a handler
 * `kill:handler:<name>`. All others are as they stand with the jobs.
 */
export function causeName(cause: string): string {
  if (cause.startsWith(KILLED_HANDLER))
    return causes.kill(`handler:${cause.slice(KILLED_HANDLER.length)}`);
  return cause.startsWith(GATE) ? GATE + gateName(cause.slice(GATE.length)) : cause;
}
