import { type Clock, isRedriveError } from '@redrive/core';
import { newSortableId } from '@redrive/core/stored';
import {
  type DocumentPage,
  MAX_DOCUMENT_PAGE,
  type StoredDocument,
} from '../document-source/document-source.ts';
import type { Actor, EnqueueCommand, NoteCommand } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import type { Notice } from '../worker/notice.ts';
import { storedPolicy, versionOf } from '../worker/policy-versions.ts';
import {
  decideDocument,
  decided,
  decisionNote,
  type MadeDecision,
  stuckError,
} from './decide-document.ts';
import { buryCommand, type Marked, sendCommand, sweepStop } from './document-command.ts';
import { countOf, invalidDocument, type Sweep } from './sweep.ts';

export interface SweepParts {
  readonly store: FullStore;
  readonly clock: Clock;
  readonly actor: Actor;
  readonly notify: (notice: Notice) => void;
}

export interface SweepOptions {
  /** Documents that are sent. With a limit, pages come from both ends of the set in turn. Default: all. */
  readonly limit?: number | undefined;
  /** Counts the documents that it would send, and changes nothing. Default `false`. */
  readonly dryRun?: boolean | undefined;
  /** `next` of the sweep before, which had no time to finish. */
  readonly after?: string | undefined;
  /** See `decideDocument`. Default 1. */
  readonly share?: number | undefined;
  /** No page begins after this time. Default: any. */
  readonly timeLimitMs?: number | undefined;
  /** No page begins after it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each page. */
  readonly onPage?: ((report: SweepReport) => void) | undefined;
}

export interface SweepReport {
  /** Documents whose event was sent again, or would be. */
  requeued: number;
  skippedBackoff: number;
  /** Below `minimumAgeMs`. */
  skippedYoung: number;
  maxRetriesExceeded: number;
  invalid: number;
  /** Events of more than 1 MiB, which are dead letters. */
  tooLarge: number;
  /** Documents that changed between find and claim: they are left alone. */
  changed: number;
  /** Claims of a sweep that ended too early, which this one has finished. */
  finished: number;
  /** Ids of documents that were sent, at most `SAMPLE_SIZE`. */
  readonly sample: string[];
  /** Why no document was claimed, or none any more. */
  stopped?: string | undefined;
  /** `after` of the next sweep. Absent: this one has seen every document. */
  next?: string | undefined;
}

/** A claim that nobody finished in this time belongs to a process that died or is paused: another sweep goes on with it. */
export const CLAIM_LEASE_MS = 60_000;
const SAMPLE_SIZE = 200;
/** The most characters of the events in one commit. */
const MAX_COMMIT_CHARS = 16 * 1024 * 1024;
const MAX_SEEN = 8 * MAX_DOCUMENT_PAGE;

export const emptyReport = (): SweepReport => ({
  requeued: 0,
  skippedBackoff: 0,
  skippedYoung: 0,
  maxRetriesExceeded: 0,
  invalid: 0,
  tooLarge: 0,
  changed: 0,
  finished: 0,
  sample: [],
});

/**
 * Sweeps one collection: find → decide → claim in the document → enqueue → mark as sent. A process that dies after any
 * step leaves what the next sweep needs: a claim keeps the id of its event, and the job has the same id.
 *
 * @param report is filled page by page: after an error it has the numbers up to there.
 * @throws RedriveError `documents_unavailable`, `documents_refused`, `store_unavailable`.
 */
export async function sweepDocuments(
  parts: SweepParts,
  sweep: Sweep,
  options: SweepOptions = {},
  report: SweepReport = emptyReport(),
): Promise<SweepReport> {
  const { source, collection, thresholdMs, policy } = sweep;
  const { limit, dryRun = false } = options;
  const pages = new Pages(parts, sweep, options, report);
  if (!dryRun) await parts.store.registerPolicies([storedPolicy(versionOf(policy))]);
  if (await pages.isStopped()) return report;

  const unsent = { set: 'unsent', olderThanMs: CLAIM_LEASE_MS, limit: MAX_DOCUMENT_PAGE } as const;
  let after: string | undefined;
  do {
    const page = await source.find(collection, { ...unsent, after });
    if (!dryRun) await pages.finish(page);
    options.onPage?.(report);
    after = page.next;
  } while (after !== undefined && !pages.isOver());

  const ahead = await source.find(collection, { set: 'ahead', limit: MAX_DOCUMENT_PAGE });
  // A claim that was not sent is in the set before.
  for (const document of ahead.documents)
    if (document.mark?.sent !== false) pages.isInvalid(document, ahead.nowMs);

  const stuck = { set: 'stuck', olderThanMs: thresholdMs, limit: MAX_DOCUMENT_PAGE } as const;
  const ends = [{ newestFirst: false, after: options.after }];
  if (limit !== undefined) ends.push({ newestFirst: true, after: undefined });
  const seen = new Set<string>();
  try {
    for (let turn = 0; ; turn += 1) {
      const end = ends[turn % ends.length];
      if (end === undefined || pages.isOver()) break;
      const page = await source.find(collection, { ...stuck, ...end });
      const documents = page.documents.filter(({ id }) => !seen.has(id));
      if (!(await pages.send({ ...page, documents }))) break;
      options.onPage?.(report);
      end.after = page.next;
      // One end has seen every document, or the two have met.
      if (page.next === undefined || documents.length < page.documents.length) break;
      for (const { id } of ends.length > 1 ? documents : []) seen.add(id);
      // The ends meet at the latest pages.
      for (const id of [...seen].slice(0, -MAX_SEEN)) seen.delete(id);
    }
  } finally {
    // A limited sweep leaves documents of its pages, so the next one begins anew.
    report.next = limit === undefined ? ends[0]?.after : undefined;
  }
  return report;
}

/** A document of a page, with the commands that store its event or its dead letter. */
interface Planned extends Marked {
  readonly step: 'send' | 'bury';
  readonly commands: readonly (NoteCommand | EnqueueCommand)[];
  readonly chars: number;
  readonly isTooLarge: boolean;
}

class Pages {
  readonly report: SweepReport;
  readonly #parts: SweepParts;
  readonly #sweep: Sweep;
  readonly #options: SweepOptions;
  readonly #startedMs: number;

  constructor(parts: SweepParts, sweep: Sweep, options: SweepOptions, report: SweepReport) {
    this.report = report;
    this.#parts = parts;
    this.#sweep = sweep;
    this.#options = options;
    this.#startedMs = parts.clock.monotonic();
  }

  isOver(): boolean {
    const { timeLimitMs = Infinity, signal, limit = Infinity } = this.#options;
    const isLate = this.#parts.clock.monotonic() - this.#startedMs >= timeLimitMs;
    return isLate || signal?.aborted === true || this.report.requeued >= limit;
  }

  /** Whether a kill switch, a pause, a breaker, a gate or a hold is in the way. */
  async isStopped(): Promise<boolean> {
    const { store, notify } = this.#parts;
    const why = sweepStop(await store.controls(), this.#sweep);
    if (why === undefined) return false;
    this.report.stopped = why;
    notify({ kind: 'sweep_stopped', collection: this.#sweep.name, why });
    return true;
  }

  /** Claims that were not sent: goes on with their event ids, and counts nothing again. */
  async finish({ documents, nowMs }: DocumentPage): Promise<void> {
    const { source, collection } = this.#sweep;
    const { store, actor } = this.#parts;
    const planned: Planned[] = [];
    const dropped: { id: string; event: string; to: 'dropped' }[] = [];
    for (const document of documents) {
      const event = document.mark?.event ?? '';
      const isFailed = document.status === collection.failed;
      if (!isFailed && !collection.pending.includes(document.status))
        dropped.push({ id: document.id, event, to: 'dropped' });
      else if (!this.isInvalid(document, nowMs, 'unsent')) {
        const marked = { document, event, nowMs, actor };
        const known = await store.job(event);
        planned.push(this.#planned(marked, isFailed ? 'bury' : 'send', known !== undefined));
      }
    }
    await this.#store(planned);
    this.report.finished += planned.length;
    // The document was done before its event was sent: it needs none.
    if (dropped.length > 0) await source.settle(collection, dropped);
  }

  /** Sends the due documents of a page. `false`: the sweep is stopped. */
  async send({ documents, nowMs }: DocumentPage): Promise<boolean> {
    const { dryRun = false, limit = Infinity, share } = this.#options;
    const { actor, clock } = this.#parts;
    const { report } = this;
    const planned: Planned[] = [];
    let room = limit - report.requeued;
    for (const document of documents) {
      if (this.isInvalid(document, nowMs)) continue;
      const { timeMs, createdMs = -Infinity } = document;
      if (timeMs === null && nowMs - createdMs < this.#sweep.minimumAgeMs) {
        report.skippedYoung += 1;
        continue;
      }
      const decision = decideDocument(this.#sweep, document, nowMs, share);
      if (decision.action === 'wait') report.skippedBackoff += 1;
      else if (decision.action === 'bury' || room > 0) {
        if (decision.action === 'send') room -= 1;
        const marked = { document, event: newSortableId(clock), nowMs, actor };
        planned.push(this.#planned(marked, decision.action, false, decision.made));
      }
    }
    if (dryRun) for (const one of planned) this.#count(one);
    if (dryRun || planned.length === 0) return true;
    if (await this.isStopped()) return false;
    // Events of a page may be large: not all of them go into one commit then.
    const largest = Math.max(1, ...planned.map(({ chars }) => chars));
    const size = Math.max(1, Math.floor(MAX_COMMIT_CHARS / largest));
    for (let at = 0; at < planned.length; at += size)
      await this.#claimAndStore(planned.slice(at, at + size));
    return true;
  }

  async #claimAndStore(planned: readonly Planned[]): Promise<void> {
    const { source, collection } = this.#sweep;
    const won = new Set<string>();
    for (const [step, group] of Map.groupBy(planned, (one) => one.step)) {
      const claims = group.map(({ document: { id, stamp }, event }) => ({ id, stamp, event }));
      const answers = await source[step === 'send' ? 'claim' : 'fail'](collection, claims);
      for (const [n, { event }] of claims.entries()) if (answers[n]) won.add(event);
    }
    this.report.changed += planned.length - won.size;
    await this.#store(planned.filter(({ event }) => won.has(event)));
  }

  /** Stores the jobs and dead letters in one commit, and marks their documents as sent. */
  async #store(planned: readonly Planned[]): Promise<void> {
    if (planned.length === 0) return;
    const { source, collection } = this.#sweep;
    // First all notes, then all jobs: a store writes commands of one kind that follow each other in one statement.
    const commands = planned
      .flatMap((one) => one.commands)
      .sort((one, other) => Number(one.kind === 'enqueue') - Number(other.kind === 'enqueue'));
    const created = new Set<string>();
    const refused = new Set<string>();
    try {
      for (const result of commands.length > 0 ? await this.#parts.store.apply(commands) : []) {
        if (!('id' in result)) continue;
        if (result.ok) created.add(result.id);
        else if (result.refusal !== 'duplicate_id') refused.add(result.id);
      }
    } catch (error) {
      // Other errors say that nothing was written. After this one the next sweep goes on with the same ids.
      if (isRedriveError(error) && error.code !== 'store_unavailable') await this.#putBack(planned);
      throw error;
    }
    // A second sweep that stores the same event has counted it.
    for (const one of planned.filter(({ event }) => created.has(event))) this.#count(one);
    await this.#putBack(planned.filter(({ event }) => refused.has(event)));
    const stored = planned.filter(({ event }) => !refused.has(event));
    const sent = stored.map(({ document: { id }, event }) => ({ id, event, to: 'sent' }) as const);
    if (sent.length > 0) await source.settle(collection, sent);
  }

  /** A document marked as failed stays so: the next sweep stores its dead letter. */
  async #putBack(planned: readonly Planned[]): Promise<void> {
    const { source, collection } = this.#sweep;
    const back = planned
      // A claim of an earlier sweep is kept: nobody knows what the document was before.
      .filter(({ step, document, event }) => step === 'send' && document.mark?.event !== event)
      .map(({ document: { id, stamp }, event }) => ({ id, event, stamp, to: 'put_back' }) as const);
    if (back.length > 0) await source.settle(collection, back);
  }

  /** `isKnown`: its job is stored already, and only the mark is missing. */
  #planned(marked: Marked, step: Planned['step'], isKnown: boolean, made?: MadeDecision): Planned {
    if (isKnown) return { ...marked, step, commands: [], chars: 0, isTooLarge: false };
    const { document, nowMs, event } = marked;
    const isClaimed = document.mark?.event === event;
    const count = countOf(document) - (isClaimed && step === 'send' ? 1 : 0);
    const after = made ?? decided(this.#sweep, document.id, count);
    const enqueue =
      step === 'send'
        ? sendCommand(this.#sweep, marked, count + 1)
        : buryCommand(this.#sweep, marked, after?.decision);
    const note = after && decisionNote(this.#sweep, document, after, nowMs);
    const { payload } = enqueue.job;
    const chars = payload.kind === 'json' ? payload.text.length : 0;
    const commands = note ? [note, enqueue] : [enqueue];
    return { ...marked, step, commands, chars, isTooLarge: enqueue.dead !== undefined };
  }

  #count({ step, document, isTooLarge }: Planned): void {
    const { report } = this;
    const { id, timeMs, error } = document;
    if (step === 'send') {
      report[isTooLarge ? 'tooLarge' : 'requeued'] += 1;
      if (!isTooLarge && report.sample.length < SAMPLE_SIZE) report.sample.push(id);
      return;
    }
    report.maxRetriesExceeded += 1;
    if (this.#options.dryRun) return;
    this.#parts.notify({
      kind: 'document_failed',
      collection: this.#sweep.name,
      document: id,
      lastAttemptTime: timeMs === null ? null : new Date(timeMs).toISOString(),
      attemptCount: countOf(document),
      ...(error !== undefined && { error: stuckError(document).message }),
    });
  }

  /** Counts it, too. */
  isInvalid(document: StoredDocument, nowMs: number, set?: 'unsent'): boolean {
    const problem = invalidDocument(document, nowMs, set);
    if (problem === undefined) return false;
    this.report.invalid += 1;
    const about = { collection: this.#sweep.name, document: document.id.slice(0, 100), problem };
    this.#parts.notify({ kind: 'document_invalid', ...about });
    return true;
  }
}
