import {
  type CauseFacts,
  forcedAt,
  isUndecided,
  nextProbeAtMs,
  type SharedBreaker,
} from '@redrive/core/control';
import type { JobFilter } from '../store/store.ts';
import type { ControlView } from './control-view.ts';

type Reason = Pick<CauseFacts, 'lastsMs' | 'probeAtMs'>;

/** What jobs wait for, by its name: its kind, and what comes after the first colon. */
function splitCause(cause: string): { readonly kind: string; readonly key: string } {
  const colon = cause.indexOf(':');
  if (colon < 0) return { kind: cause, key: '' };
  return { kind: cause.slice(0, colon), key: cause.slice(colon + 1) };
}

/**
 * Those that time alone releases: a budget fills by itself, and of a breaker of one process no other knows how long it
 * stays open.
 */
export function isLeftToTime(cause: string): boolean {
  const { kind } = splitCause(cause);
  return kind === 'budget' || kind === 'local-breaker';
}

/** What those that wait for it talk to. `undefined`: that can be anything. */
export function dependencyOf(cause: string): string | undefined {
  const { kind, key } = splitCause(cause);
  if (kind === 'breaker') return key;
  if (kind !== 'gate') return undefined;
  try {
    const [dependency]: unknown[] = JSON.parse(key);
    return typeof dependency === 'string' ? dependency : undefined;
  } catch {
    return undefined; // Not one that `gateKey` wrote.
  }
}

/** Which jobs a kill switch stopped, by the key of its cause. */
export function stoppedBy(cause: string): Pick<JobFilter, 'queue' | 'handler' | 'tenant'> {
  const { kind, key: name } = splitCause(splitCause(cause).key);
  if (kind === 'queue') return { queue: name };
  if (kind === 'operation') return { handler: name };
  return kind === 'tenant' ? { tenant: name } : {};
}

/**
 * Whether the reason for which jobs are parked is still there, as far as the documents say. One that nobody knows is
 * gone: a document that got lost must not hold jobs for ever.
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
    case 'operation': {
      const course = view.get('operation', key)?.document;
      return course !== undefined && isUndecided(course) ? LASTS : GONE;
    }
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
