import { decodePayload } from '../jobs/payload.ts';
import { MAX_NAME_LENGTH, textProblem } from '../jobs/text-problem.ts';
import type { HeldJob } from '../worker/held-job.ts';
import type { ResolvedHandler } from './resolve-handlers.ts';

/** The credential that an attempt uses. Empty: none is named, also where the function of the handler names none that fits. */
export function credentialOf({ credential }: ResolvedHandler, held: HeldJob): string {
  if (typeof credential === 'string') return credential;
  if (credential === undefined) return '';
  try {
    const name: unknown = credential(decodePayload(held.job.payload), held);
    const isName = textProblem('credential', name ?? null, MAX_NAME_LENGTH) === undefined;
    return isName ? (name as string) : ''; // Or there would be a problem.
  } catch {
    return '';
  }
}
