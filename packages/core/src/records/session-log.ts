import { type OptionTable, resolveOptions } from '../fields/check-fields.ts';
import type { AttemptEnded, EventSink, RetryRecord } from './record.ts';
import { renderSession, type SessionDraft, type SessionV1 } from './session-v1.ts';
import { syncSink } from './sync-sink.ts';

export interface SessionLogOptions {
  /** Sessions that are kept; then the oldest that is over goes, or the oldest of all. Default 1,000. */
  readonly maxSessions?: number;
  /** Attempts that are kept of one session: the first one and the newest. Default 100. */
  readonly maxAttempts?: number;
  /** Keep stack traces in records. Default `false`. */
  readonly debug?: boolean;
}

const count = { kind: 'integer', min: 1, max: 1_000_000_000 } as const;
const OPTIONS: OptionTable<SessionLogOptions> = {
  maxSessions: [1_000, count],
  maxAttempts: [100, count],
  debug: [false, { kind: 'boolean' }],
};

export interface SessionLog extends EventSink {
  /** Documents of all kept sessions with a finished attempt: finished sessions first, then running ones, each by age. */
  sessions(): readonly SessionV1[];
  session(sessionId: string): SessionV1 | undefined;
  /** Sessions that had to go. */
  readonly evicted: number;
}

/**
 * A sink that keeps the last sessions in memory as `session/v1` documents, for tests and debugging. It does not keep
 * the results of sessions.
 *
 * @throws RedriveError `invalid_option` with every problem at once.
 */
export function sessionLog(options: SessionLogOptions = {}): SessionLog {
  const { maxSessions, maxAttempts, debug } = resolveOptions('session log', options, OPTIONS);
  const running = new Map<string, SessionDraft>();
  const over = new Map<string, SessionDraft>();
  let evicted = 0;

  function emit(record: RetryRecord): void {
    if (record.kind !== 'attempt_ended' && record.kind !== 'session_ended') return;
    const { sessionId } = record.session;
    const draft = running.get(sessionId);
    if (record.kind === 'attempt_ended') {
      if (draft) addAttempt(draft, record);
      else start(record);
    } else if (draft) {
      draft.ended = record;
      running.delete(sessionId);
      over.set(sessionId, draft);
    }
  }

  function start(first: AttemptEnded): void {
    if (running.size + over.size >= maxSessions) evict();
    running.set(first.session.sessionId, { attempts: [first], omitted: 0, ended: undefined });
  }

  function addAttempt(draft: SessionDraft, record: AttemptEnded): void {
    draft.attempts.push(record);
    if (draft.attempts.length <= maxAttempts) return;
    // The first attempt stays: it shows when the failures began, and its error.
    draft.attempts.splice(Math.min(1, maxAttempts - 1), 1);
    draft.omitted++;
  }

  function evict(): void {
    const sessions = over.size > 0 ? over : running;
    for (const sessionId of sessions.keys()) {
      sessions.delete(sessionId);
      evicted++;
      return;
    }
  }

  return {
    ...syncSink(emit, { debug }),
    sessions: () => [...over.values(), ...running.values()].map((draft) => renderSession(draft)),
    session(sessionId) {
      const draft = over.get(sessionId) ?? running.get(sessionId);
      return draft && renderSession(draft);
    },
    get evicted() {
      return evicted;
    },
  };
}
