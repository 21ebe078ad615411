import type { JobFilter } from '../store/store.ts';
import type { ControlView } from './control-view.ts';
import { causes } from './rules/documents.ts';
import type { CauseFacts } from './rules/plan-release.ts';
import { forcedAt, nextProbeAtMs, type SharedBreaker } from './rules/shared-breaker.ts';
import { parsedObject } from './update-control.ts';

type Reason = Pick<CauseFacts, 'lastsMs' | 'probeAtMs'>;

/** A cause by its name: its kind, and the text after the first colon. */
function splitCause(cause: string): { readonly kind: string; readonly key: string } {
  const colon = cause.indexOf(':');
  if (colon < 0) return { kind: cause, key: '' };
  return { kind: cause.slice(0, colon), key: cause.slice(colon + 1) };
}

/**
 * Causes whose jobs are released by time alone: a budget fills by itself, and other processes do not know how long the
 * breaker of one process stays open.
 */
export function isLeftToTime(cause: string): boolean {
  const { kind } = splitCause(cause);
  return kind === 'budget' || kind === 'local-breaker';
}

/** The dependency of the jobs under the cause. `undefined`: it can be any. */
export function dependencyOf(cause: string): string | undefined {
  const { kind, key } = splitCause(cause);
  if (kind === 'breaker') return key;
  return kind === 'gate' ? gateParts(key)?.[0] : undefined;
}

/** The dependency of a gate, by its key, with its credential and its tenant behind slashes where it has them. */
export function gateName(key: string): string {
  const [dependency, credential = '', tenant = ''] = gateParts(key) ?? [key];
  if (tenant !== '') return `${dependency}/${credential}/${tenant}`;
  return credential === '' ? `${dependency}` : `${dependency}/${credential}`;
}

const GATE = causes.gate('');
const KILLED_HANDLER = causes.kill('operation:');

/**
 * The short name of a cause, which a command line can take: a gate is `gate:<name>`, the kill switch of a handler
 * `kill:handler:<name>`. All other names are those of the jobs' rows.
 */
export function causeName(cause: string): string {
  if (cause.startsWith(KILLED_HANDLER))
    return causes.kill(`handler:${cause.slice(KILLED_HANDLER.length)}`);
  return cause.startsWith(GATE) ? GATE + gateName(cause.slice(GATE.length)) : cause;
}

/** The parts of a key that `gateKey` made. `undefined`: the text is not such a key. */
function gateParts(key: string): readonly string[] | undefined {
  const parts: unknown = parsedObject(key);
  return Array.isArray(parts) && parts.every((part) => typeof part === 'string')
    ? parts
    : undefined;
}

/** The jobs that a kill switch stopped, by the key of its cause. */
export function stoppedJobs(cause: string): Pick<JobFilter, 'queue' | 'handler' | 'tenant'> {
  const { kind, key: name } = splitCause(splitCause(cause).key);
  if (kind === 'queue') return { queue: name };
  if (kind === 'operation') return { handler: name };
  return kind === 'tenant' ? { tenant: name } : {};
}

/**
 * Whether the reason for parking is still there, according to the documents. An unknown reason is gone: a lost document
 * must not keep jobs parked for ever.
 */
export function reasonOf(cause: string, view: Pick<ControlView, 'get'>, nowMs: number): Reason {
  const { kind, key } = splitCause(cause);
  switch (kind) {
    case 'breaker':
      return breakerReason(view.get('breaker', key)?.document, nowMs);
    case 'gate':
      return { lastsMs: Math.max(0, (view.get('gate', key)?.document.untilMs ?? 0) - nowMs) };
    case 'kill':
      return view.get('kill', key) === undefined ? GONE : LASTS;
    default:
      return GONE;
  }
}

const GONE: Reason = { lastsMs: 0 };
const LASTS: Reason = { lastsMs: Infinity };

function breakerReason(breaker: SharedBreaker | undefined, nowMs: number): Reason {
  if (breaker === undefined) return GONE;
  const forced = forcedAt(breaker, nowMs);
  if (forced?.state === 'open') return { lastsMs: (forced.untilMs ?? Infinity) - nowMs };
  if (forced?.state === 'closed' || breaker.state === 'closed') return GONE;
  return { lastsMs: Infinity, probeAtMs: nextProbeAtMs(breaker, nowMs) };
}
