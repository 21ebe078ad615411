import { maskSecrets } from '@redrive/core/stored';
import { redactMember } from '../dead-letter/redact.ts';
import { MAX_NAME_LENGTH } from './text-problem.ts';

/**
 * Headers that say where a call comes from: their long numbers are not secrets, and tracing needs them.
 */
const TRACE =
  /^(?:traceparent|tracestate|b3|x-b3-\w+|x-(?:request|correlation|amzn-trace|cloud-trace-context)(?:-id)?|redrive-[\w-]+|etag|content-(?:digest|md5))$/i;

/**
 * Headers as they are stored: a value that looks like a secret, by its name or its shape, is masked. Headers are shown in
 * lists and exports; data that a handler needs belongs in the payload.
 */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      maskSecrets(name, MAX_NAME_LENGTH),
      TRACE.test(name) ? value : redactMember(name, value),
    ]),
  );
}
