import { gateName } from '../control/parked-cause.ts';
import type { ParkedJobs } from '../control/parked-causes.ts';
import { causes } from '../control/rules/documents.ts';
import { isoTime } from './times.ts';

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

/** As JSON prints it. Without a worker nobody probes and nobody releases, whatever time and pace are set. */
export function parkJson(
  { cause, count, bounded, sinceMs, waitsFor, held, perSecond }: ParkedJobs,
  hasWorker: boolean,
) {
  const probes = hasWorker && waitsFor.kind === 'breaker';
  return {
    cause: causeName(cause),
    key: cause,
    count,
    bounded,
    since: isoTime(sinceMs),
    waits_for: waitsFor.kind,
    until: isoTime(waitsFor.kind === 'gate' ? waitsFor.untilMs : undefined),
    next_probe_at: isoTime(probes ? waitsFor.nextProbeAtMs : undefined),
    held_by: held?.by ?? null,
    held_why: held?.why ?? null,
    pace: (hasWorker ? perSecond : undefined) ?? null,
  };
}
