import {
  type BatchingSink,
  type EventSinkOptions,
  eventSink,
  type ResolvedPolicy,
  type RetryRecord,
} from '@redrive/core';
import type { SanitisedError } from '@redrive/core/stored';
import type { NoteCommand } from '../store/commands.ts';
import type { Store, StoredPolicy } from '../store/store.ts';
import { storedPolicy, versionOf } from '../worker/policy-versions.ts';
import { sessionDetail } from './decision-detail.ts';

/** Versions of policies that are remembered as registered. More are registered again, which does no harm. */
const MAX_KNOWN = 1_000;

/**
 * Writes the records of in-process sessions into a store's audit log, so that their decisions can be verified and
 * replayed like those of jobs. Pass it to calls as `events`, and `await sink.close()` before the process ends. Records of
 * jobs are in the log without it: it leaves them out.
 *
 * Like every sink it never delays a call: it writes records in batches. Records that are lost because the store does not
 * answer or the queue is full are counted (`totalDropped`); the log gets a note about them at the next write.
 *
 * @throws RedriveError `invalid_option` with every problem at once.
 */
export function auditSink(
  store: Pick<Store, 'apply' | 'registerPolicies'>,
  options: EventSinkOptions = {},
): BatchingSink {
  const registered = new Set<string>();
  const unregistered = new Map<string, StoredPolicy>();
  const lastErrors = new Map<string, SanitisedError>();

  async function write(batch: readonly RetryRecord[], dropped: number): Promise<void> {
    // Before the decisions that were made by them: a log that is read at any moment knows its policies.
    const policies = [...unregistered.values()];
    if (policies.length > 0) await store.registerPolicies(policies);
    for (const { hash } of policies) {
      if (registered.size >= MAX_KNOWN) registered.clear();
      registered.add(hash);
      unregistered.delete(hash);
    }
    const notes = batch.flatMap((record) => (isOfJob(record) ? [] : noteWithLastError(record)));
    if (dropped > 0) notes.push(note('dropped', { kind: 'dropped', dropped }));
    if (notes.length > 0) await store.apply(notes);
  }

  /** The start of an attempt has no note of its own: what only it says goes with the attempt's end. */
  function noteWithLastError(record: RetryRecord): readonly NoteCommand[] {
    if (record.kind === 'attempt_started') {
      if (lastErrors.size >= MAX_KNOWN) lastErrors.clear();
      if (record.lastError) lastErrors.set(record.session.sessionId, record.lastError);
      return [];
    }
    const note = noteOf(record);
    if (record.kind !== 'attempt_ended') return [note];
    const lastError = lastErrors.get(record.session.sessionId);
    lastErrors.delete(record.session.sessionId);
    if (lastError === undefined) return [note];
    return [{ ...note, detail: JSON.stringify({ ...JSON.parse(note.detail), lastError }) }];
  }

  const sink = eventSink((batch, { dropped }) => write(batch, dropped), options);
  /** Also called by sinks that pass records on to this one: the log must know the policy of each decision. */
  function hashPolicy(policy: object): string {
    const version = versionOf(policy as ResolvedPolicy); // As sessions have it.
    if (!registered.has(version.hash)) unregistered.set(version.hash, storedPolicy(version));
    return version.hash;
  }
  return {
    ...sink,
    hashPolicy,
    open(session) {
      hashPolicy(session.policy);
      return sink.open(session);
    },
    get totalDropped() {
      return sink.totalDropped;
    },
  };
}

/** Whether the record is a step of a job: the store has recorded it in the transaction of that step. */
function isOfJob(record: RetryRecord): boolean {
  if (record.kind === 'breaker_changed' || record.kind === 'idempotency') return false;
  const { job_id: id, queue, generation } = Object(record.session.context);
  return typeof id === 'string' && typeof queue === 'string' && typeof generation === 'number';
}

/** The command that adds a record of a session to the audit log. */
export function noteOf(record: RetryRecord): NoteCommand {
  const subject =
    record.kind === 'breaker_changed'
      ? (record.session?.sessionId ?? `breaker:${record.key}`)
      : record.session.sessionId;
  return { kind: 'note', event: 'session', subject, detail: sessionDetail(record) };
}

function note(subject: string, detail: object): NoteCommand {
  return { kind: 'note', event: 'session', subject, detail: JSON.stringify(detail) };
}
