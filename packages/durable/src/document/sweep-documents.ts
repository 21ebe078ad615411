import { type Clock, isRedriveError } from '@redrive/core';
import { newSortableId } from '@redrive/core/stored';
import { buriedByRules } from '../dead-letter/dead-group.ts';
import {
  type DocumentClaim,
  type DocumentNote,
  type DocumentPage,
  type DocumentSet,
  type DocumentSettlement,
  MAX_DOCUMENT_PAGE,
  type StoredDocument,
} from '../document-source/document-source.ts';
import type { NewestEvent } from '../event/event-documents.ts';
import { isFinal } from '../job/job.ts';
import type { Actor, EnqueueCommand, NoteCommand } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import type { Notice } from '../worker/notice.ts';
import { storedPolicy, versionOf } from '../worker/policy-versions.ts';
import { decided, decisionNote, type MadeDecision, stuckError } from './decide-document.ts';
import { buryCommand, type Marked, sendCommand, sweepStop } from './document-command.ts';
import { CLAIM_LEASE_MS, isNew, type NextStep, nextStep, noteFor } from './next-step.ts';
import { eventInField, newestEvents, storedEvents } from './original-event.ts';
import { countOf, invalidDocument, type Sweep } from './sweep.ts';

export interface SweepParts {
  readonly store: FullStore;
  readonly clock: Clock;
  readonly actor: Actor;
  readonly notify: (notice: Notice) => void;
}

export interface SweepOptions {
  /** Documents that are claimed. With a limit, pages come from both ends of the set in turn. Default: all. */
  readonly limit?: number | undefined;
  /** Counts the documents that it would send, and changes nothing. Default `false`. */
  readonly dryRun?: boolean | undefined;
  /** `next` of the sweep before, which had no time to finish. */
  readonly after?: string | undefined;
  /** See `backoffFactor`. Default 1. */
  readonly share?: number | undefined;
  /** No page begins after this time, except the first one of due documents. Default: any. */
  readonly timeLimitMs?: number | undefined;
  /** No page begins after it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the ids of jobs whose events wait to be sent: those that it stored, and those that it found. */
  readonly onWaiting?: ((ids: readonly string[]) => void) | undefined;
  /** Called after each page. */
  readonly onPage?: ((report: SweepReport) => void) | undefined;
}

export interface SweepReport {
  /** Documents that it has claimed, whose event is a job now; or that it would claim. */
  claimed: number;
  /** Documents whose event it found unsent: it waits for the broker, or for a worker. */
  unsent: number;
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
  /** Ids of documents that were claimed, at most `SAMPLE_SIZE`. */
  readonly sample: string[];
  /** Why no document was claimed, or none any more. */
  stopped?: string | undefined;
  /** `after` of the next sweep. Absent: this one has seen every document. */
  next?: string | undefined;
}

/** Steps in which a document keeps its claim. */
const HELD: ReadonlySet<NextStep['step']> = new Set(['unsent', 'dead', 'resend']);
const SAMPLE_SIZE = 200;
/** The most characters of the events in one commit. */
const MAX_COMMIT_CHARS = 16 * 1024 * 1024;
const MAX_SEEN = 8 * MAX_DOCUMENT_PAGE;

export const emptyReport = (): SweepReport => ({
  claimed: 0,
  unsent: 0,
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
 * Sweeps one collection: find → decide → claim in the document → enqueue. The job that sends the event counts the attempt.
 * A process that dies after any step leaves what the next sweep needs: a claim keeps the id of its event, and the job has
 * the same id.
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
  const isStopped = await pages.isStopped();
  if (isStopped && dryRun) return report;

  const eachPage = async (set: DocumentSet, work: (page: DocumentPage) => Promise<void>) => {
    let after: string | undefined;
    do {
      const page = await source.find(collection, { ...set, limit: MAX_DOCUMENT_PAGE, after });
      await work(page);
      options.onPage?.(report);
      after = page.next;
    } while (after !== undefined && !pages.isOver());
  };
  if (!dryRun) await eachPage({ set: 'over' }, (page) => pages.calm(page));
  const unsent = { set: 'unsent', olderThanMs: CLAIM_LEASE_MS } as const;
  await eachPage(unsent, (page) => pages.finish(page));
  if (!isStopped) {
    const ahead = await source.find(collection, { set: 'ahead', limit: MAX_DOCUMENT_PAGE });
    // A claim that was not sent is in the set before.
    for (const document of ahead.documents)
      if (document.mark?.sent !== false) pages.isInvalid(document, ahead.nowMs);
  }

  const due = { set: 'due', olderThanMs: thresholdMs, limit: MAX_DOCUMENT_PAGE } as const;
  const ends = [{ newestFirst: false, after: options.after }];
  if (limit !== undefined) ends.push({ newestFirst: true, after: undefined });
  const seen = new Set<string>();
  try {
    for (let turn = 0; ; turn += 1) {
      const end = ends[turn % ends.length];
      // One page at least, or a collection whose other work takes all of its time would never be sent.
      if (end === undefined || pages.isOver(turn === 0 ? 0 : undefined)) break;
      const page = await source.find(collection, { ...due, ...end });
      const documents = page.documents.filter(({ id }) => !seen.has(id));
      await pages.send({ ...page, documents });
      end.after = page.next;
      // One end has seen every document, or the two have met.
      const isLast = page.next === undefined || documents.length < page.documents.length;
      // A limit counts documents whose events are stored.
      if (isLast || limit !== undefined) await pages.stored();
      if (isLast) break;
      for (const { id } of ends.length > 1 ? documents : []) seen.add(id);
      // The ends meet at the latest pages.
      for (const id of [...seen].slice(0, -MAX_SEEN)) seen.delete(id);
    }
    await pages.stored();
  } finally {
    // After an error of the documents, the events of the page before are stored all the same.
    await pages.stored().catch(() => {});
    // A limited sweep leaves documents of its pages, so the next one begins anew.
    report.next = limit === undefined ? pages.next : undefined;
  }
  return report;
}

interface Made {
  readonly made?: MadeDecision | undefined;
}

/** A document of a page, with the commands that store its event or its dead letter. */
interface Planned extends Marked {
  readonly step: 'send' | 'fail';
  /** The note that its claim makes. */
  readonly noted?: DocumentClaim['note'];
  readonly note?: NoteCommand | undefined;
  /** Absent: the job is made of the stored event, when the document is claimed. */
  readonly job?: EnqueueCommand | undefined;
  /** The stored event of the document. */
  readonly stored?: NewestEvent | undefined;
  readonly chars: number;
  readonly isTooLarge: boolean;
}

/** Events that a sweep remembers, to send each once for all of its documents. */
const MAX_SHARED = 10_000;

/** While the events of a page are stored, the next page is found and claimed. */
class Pages {
  readonly report: SweepReport;
  /** The place of the next page, after those of due documents whose events are stored. */
  next: string | undefined;
  readonly #parts: SweepParts;
  readonly #sweep: Sweep;
  readonly #options: SweepOptions;
  readonly #startedMs: number;
  /** Ids of the events that this sweep sends, by the original event: documents of later pages share them. */
  readonly #shared = new Map<string, string>();
  /** Events whose job is stored. */
  readonly #stored = new Set<string>();
  /** The events that are stored now. */
  #storing: Promise<void> = Promise.resolve();

  constructor(parts: SweepParts, sweep: Sweep, options: SweepOptions, report: SweepReport) {
    this.report = report;
    this.next = options.after;
    this.#parts = parts;
    this.#sweep = sweep;
    this.#options = options;
    this.#startedMs = parts.clock.monotonic();
  }

  isOver(elapsedMs = this.#parts.clock.monotonic() - this.#startedMs): boolean {
    const { timeLimitMs = Infinity, signal } = this.#options;
    return elapsedMs >= timeLimitMs || signal?.aborted === true;
  }

  /** Whether a kill switch, a pause, a breaker, a gate or a hold is in the way. */
  async isStopped(): Promise<boolean> {
    const { store, notify } = this.#parts;
    if (this.report.stopped !== undefined) return true;
    const why = sweepStop(await store.controls(), this.#sweep);
    if (why === undefined) return false;
    this.report.stopped = why;
    notify({ kind: 'sweep_stopped', collection: this.#sweep.name, why });
    return true;
  }

  /** Documents that are done are not stuck any more. */
  async calm({ documents }: DocumentPage): Promise<void> {
    await this.#note(documents.map(({ id, stamp }) => ({ id, stamp, to: 'calm' })));
  }

  /**
   * Continues claims whose events were not sent, with the same event ids. A stopped sweep only notes since when documents
   * are stuck.
   */
  async finish({ documents, nowMs }: DocumentPage): Promise<void> {
    const { dryRun = false, onWaiting } = this.#options;
    const { source, collection, thresholdMs } = this.#sweep;
    const { store, actor } = this.#parts;
    const events = documents.flatMap(({ mark }) => mark?.event || []);
    const states = await store.states(events);
    const planned: Planned[] = [];
    const settled: DocumentSettlement[] = [];
    const notes: DocumentNote[] = [];
    const waiting: string[] = [];
    const resent: Marked[] = [];
    for (const document of documents) {
      const { id, stamp, timeMs, mark } = document;
      const event = mark?.event ?? '';
      const job = states.get(event);
      const next = nextStep(this.#sweep, document, nowMs, { job });
      const settle = (to: DocumentSettlement['to']) => settled.push({ id, event, to });
      const marked = { document, event, nowMs, actor };
      if (next.step === 'invalid') this.isInvalid(document, nowMs, 'unsent');
      else if (next.step === 'failed' && job === undefined)
        planned.push(this.#planned(marked, { step: 'fail' }));
      else if (next.step === 'failed') settle('stored');
      else if (next.step === 'resend') resent.push(marked);
      else if (next.step === 'settle') settle('sent');
      else if (next.step === 'unsent') waiting.push(event);
      // The document was done before its event was sent, and nobody sends it: it needs none.
      else if (next.step === 'over' && (job === undefined || isFinal(job))) {
        settle(job === 'succeeded' ? 'sent' : 'dropped');
        notes.push({ id, stamp, to: 'calm' });
      } else if (next.step !== 'over' && next.step !== 'dead' && next.step !== 'claimed')
        settle('dropped');
      const isDue = timeMs === null || timeMs + thresholdMs < nowMs;
      if (HELD.has(next.step) && isDue && noteFor(document, next) === 'stuck')
        notes.push({ id, stamp, to: 'stuck' });
    }
    this.report.unsent += waiting.length;
    if (dryRun) return;
    await this.#note(notes);
    if (this.report.stopped !== undefined) return;
    const newest = await this.#newest(resent);
    for (const marked of resent) {
      const stored = newest.get(marked.document.id);
      planned.push(this.#planned(marked, { step: 'send', stored }));
    }
    await this.#store(planned);
    this.report.finished += planned.length + settled.length;
    if (settled.length > 0) await source.settle(collection, settled);
    if (waiting.length > 0) onWaiting?.(waiting);
  }

  /** Waits until the events of all claimed documents are stored. */
  stored(): Promise<void> {
    return this.#storing;
  }

  /**
   * Claims the due documents of a page. Those that it does not claim are noted as stuck. Does not wait until the events
   * are stored.
   */
  async send({ documents, nowMs, next: following }: DocumentPage): Promise<void> {
    const { dryRun = false, limit = Infinity, share } = this.#options;
    const { actor, clock } = this.#parts;
    const { report } = this;
    const planned: Planned[] = [];
    const notes: DocumentNote[] = [];
    const claimed: { marked: Marked; how: Pick<Planned, 'step' | 'noted'> & Made }[] = [];
    let room = report.stopped === undefined ? limit - report.claimed : 0;
    for (const document of documents) {
      const next = nextStep(this.#sweep, document, nowMs, { share });
      if (next.step === 'invalid') {
        this.isInvalid(document, nowMs);
        continue;
      }
      const { id, stamp } = document;
      const note = noteFor(document, next);
      const isClaimed =
        (next.step === 'send' && room > 0) ||
        (next.step === 'fail' && report.stopped === undefined);
      if (note !== undefined && (!isClaimed || note === 'cleared'))
        notes.push({ id, stamp, to: note });
      if (next.step === 'wait') report.skippedBackoff += 1;
      if (next.step === 'young') report.skippedYoung += 1;
      if (!isClaimed) continue;
      if (next.step === 'send') room -= 1;
      const marked = { document, event: newSortableId(clock), nowMs, actor };
      const { step, made } = next;
      const noted = note === 'stuck' ? note : isNew(document) ? 'found' : undefined;
      claimed.push({ marked, how: { step, made, noted } });
    }
    const newest = await this.#newest(
      claimed.flatMap(({ marked, how }) => (how.step === 'send' ? [marked] : [])),
    );
    for (const { marked, how } of claimed) {
      const stored = newest.get(marked.document.id);
      const event = how.step === 'send' ? this.#eventOf(marked, stored) : marked.event;
      planned.push(this.#planned({ ...marked, event }, { ...how, stored }));
    }
    if (dryRun) {
      for (const one of planned) this.#count(one);
      this.#endPage(following);
      return;
    }
    if (planned.length > 0 && (await this.isStopped())) {
      for (const { document, noted } of planned)
        if (noted !== undefined) notes.push({ id: document.id, stamp: document.stamp, to: noted });
      planned.length = 0;
    }
    await this.#note(notes);
    // Events of a page may be large: not all of them go into one commit then.
    const largest = Math.max(1, ...planned.map(({ chars }) => chars));
    const size = Math.max(1, Math.floor(MAX_COMMIT_CHARS / largest));
    let at = 0;
    do {
      const won = await this.#claim(planned.slice(at, at + size));
      at += size;
      const isLast = at >= planned.length;
      await this.#storeNext(won, () => {
        if (isLast) this.#endPage(following);
      });
    } while (at < planned.length);
  }

  #endPage(next: string | undefined): void {
    this.next = next;
    this.#options.onPage?.(this.report);
  }

  /** Begins to store events when those before them are stored. */
  async #storeNext(won: readonly Planned[], onStored: () => void): Promise<void> {
    try {
      await this.#storing;
    } catch (error) {
      await this.#dropAfter(error, won);
      throw error;
    }
    this.#storing = this.#store(won).then(onStored);
    // The next page throws it, or `stored`.
    this.#storing.catch(() => {});
  }

  /** The newest stored events of documents. One query for a page. */
  #newest(marked: readonly Marked[]): ReturnType<typeof newestEvents> {
    const documents = marked.map(({ document }) => document);
    if (documents.length === 0) return Promise.resolve(new Map());
    return newestEvents(this.#parts.store, this.#sweep, documents);
  }

  /** The id of the event that is sent: the same for all documents of one original event. */
  #eventOf({ document, event }: Marked, stored: NewestEvent | undefined): string {
    const { event_id: id } = eventInField(this.#sweep.event, document)?.body ?? {};
    const original = typeof id === 'string' ? `field ${id}` : stored && `job ${stored.job}`;
    if (original === undefined) return event;
    const shared = this.#shared.get(original);
    if (shared === undefined && this.#shared.size < MAX_SHARED) this.#shared.set(original, event);
    return shared ?? event;
  }

  async #note(notes: readonly DocumentNote[]): Promise<void> {
    const { source, collection } = this.#sweep;
    if (notes.length > 0) await source.note(collection, notes);
  }

  /** Those that it could claim. */
  async #claim(planned: readonly Planned[]): Promise<Planned[]> {
    const { source, collection } = this.#sweep;
    const won = new Set<Planned>();
    for (const [step, group] of Map.groupBy(planned, (one) => one.step)) {
      const claims = group.map(({ document: { id, stamp }, event, noted: note }) => {
        return { id, stamp, event, note };
      });
      const answers = await source[step === 'send' ? 'claim' : 'fail'](collection, claims);
      for (const [n, one] of group.entries()) if (answers[n]) won.add(one);
    }
    this.report.changed += planned.length - won.size;
    return planned.filter((one) => won.has(one));
  }

  /** Stores the jobs and dead letters in one commit. The claim of a dead letter is settled; a job settles its own. */
  async #store(planned: readonly Planned[]): Promise<void> {
    if (planned.length === 0) return;
    const { source, collection } = this.#sweep;
    const jobs = await this.#jobsOf(planned);
    const tooLarge = new Set(
      jobs.flatMap(({ job, dead }) => (dead?.reason === 'message_too_large' ? [job.id] : [])),
    );
    // First all notes, then all jobs: a store writes commands of one kind that follow each other in one statement.
    const commands = [...planned.flatMap(({ note }) => note ?? []), ...jobs];
    const created = new Set<string>();
    const refused = new Set<string>();
    try {
      for (const result of await this.#parts.store.apply(commands)) {
        if (!('id' in result)) continue;
        if (result.ok) created.add(result.id);
        else if (result.refusal !== 'duplicate_id') refused.add(result.id);
      }
    } catch (error) {
      await this.#dropAfter(error, planned);
      throw error;
    }
    for (const { job } of jobs) if (!refused.has(job.id)) this.#stored.add(job.id);
    // A second sweep that stores the same event has counted it. Documents of a later page share an earlier job.
    const isNew = ({ event }: Planned) =>
      created.has(event) || !jobs.some(({ job }) => job.id === event);
    for (const one of planned.filter(isNew))
      this.#count({ ...one, isTooLarge: tooLarge.has(one.event) });
    await this.#drop(planned.filter(({ event }) => refused.has(event)));
    const sending = planned.filter(({ step, event }) => step === 'send' && !tooLarge.has(event));
    const waiting = new Set(sending.map(({ event }) => event).filter((id) => !refused.has(id)));
    this.#options.onWaiting?.([...waiting]);
    const stored = planned.filter((one) => one.step === 'fail' && !refused.has(one.event));
    const settled = stored.map(({ document: { id }, event }) => {
      return { id, event, to: 'stored' } as const;
    });
    if (settled.length > 0) await source.settle(collection, settled);
  }

  /** Gives up claims whose events the store did not get. */
  async #dropAfter(error: unknown, planned: readonly Planned[]): Promise<void> {
    // Other errors say that nothing was written. After this one the next sweep goes on with the same ids.
    if (isRedriveError(error) && error.code !== 'store_unavailable') await this.#drop(planned);
  }

  /** A document marked as failed stays so: the next sweep stores its dead letter. */
  async #drop(planned: readonly Planned[]): Promise<void> {
    const { source, collection } = this.#sweep;
    const dropped = planned
      .filter(({ step }) => step === 'send')
      .map(({ document: { id }, event }) => ({ id, event, to: 'dropped' }) as const);
    if (dropped.length > 0) await source.settle(collection, dropped);
  }

  /** The jobs and dead letters of documents. Documents of one event have one job. */
  async #jobsOf(planned: readonly Planned[]): Promise<EnqueueCommand[]> {
    const sends = planned.filter(({ step, event }) => step === 'send' && !this.#stored.has(event));
    const events = await storedEvents(
      this.#parts.store,
      sends.flatMap(({ stored }) => stored ?? []),
    );
    const buried = planned.flatMap(({ step, job }) => (step === 'fail' && job) || []);
    const sent = [...Map.groupBy(sends, ({ event }) => event).values()].flatMap(
      ([first, ...others]) => {
        if (first === undefined) return [];
        if (first.job !== undefined && others.length === 0) return [first.job];
        const counts = [first, ...others].map(({ document }) => countOf(document));
        return [
          sendCommand(this.#sweep, first, {
            attempt: Math.max(...counts) + 1,
            others: others.map(({ document }) => document.id),
            original: events.get(first.stored?.job ?? ''),
          }),
        ];
      },
    );
    return [...(await buriedByRules(this.#parts.store, buried)), ...sent];
  }

  #planned(
    marked: Marked,
    { step, made, noted, stored }: Pick<Planned, 'step' | 'noted' | 'stored'> & Made,
  ): Planned {
    const { document, nowMs } = marked;
    const count = countOf(document);
    const after = made ?? decided(this.#sweep, document.id, count);
    const note = after && decisionNote(this.#sweep, document, after, nowMs);
    const planned = { ...marked, step, noted, note };
    // It is read when the document is claimed: all events of a page may be large.
    if (step === 'send' && stored !== undefined)
      return { ...planned, stored, chars: stored.bytes, isTooLarge: false };
    const job =
      step === 'send'
        ? sendCommand(this.#sweep, marked, { attempt: count + 1 })
        : buryCommand(this.#sweep, marked, after?.decision);
    const { payload } = job.job;
    const chars = payload.kind === 'json' ? payload.text.length : 0;
    return { ...planned, job, chars, isTooLarge: job.dead !== undefined };
  }

  #count({ step, document, isTooLarge }: Planned): void {
    const { report } = this;
    const { id, timeMs, error } = document;
    if (step === 'send') {
      report[isTooLarge ? 'tooLarge' : 'claimed'] += 1;
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
