import { type Clock, RedriveError, type Timer } from '@redrive/core';
import type { Compressed } from '../audit/audit-store.ts';
import { ARCHIVED } from '../audit/removed-letters.ts';
import type { Job } from '../job/job.ts';
import type { RetentionOptions } from '../jobs/jobs.ts';
import { forgetOperations } from '../operation/end-operation.ts';
import type { Actor, PruneCommand, PruneResult } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import type { Notice } from './notice.ts';
import type { StoreContact } from './store-contact.ts';

const FIRST_MS = 60_000;
const EVERY_MS = 3_600_000;
/** Jobs of one commit: others wait for it. */
const BATCH = 500;
/** Between two batches others come first. */
const PAUSE_MS = 100;
/** An idle worker that is about to end deletes for this long, and leaves the rest to the next worker. */
const IDLE_LIMIT_MS = 60_000;

/** Dead letters that are in memory at once, with their payloads. */
const ARCHIVE_BATCH = 50;
/** The longest time that the archive may take for one batch: deleting waits for it. */
export const ARCHIVE_LIMIT_MS = 60_000;

const NOTHING_ARCHIVED: ArchiveAnswer = { archived: 0, more: false };
const NOTHING_COMPRESSED: Compressed = { blocks: 0, bytesBefore: 0, bytesAfter: 0 };

interface RetentionParts {
  readonly store: FullStore;
  readonly clock: Clock;
  readonly contact: StoreContact;
  readonly keep: Required<RetentionOptions>;
  readonly actor: Actor;
  readonly notify: (notice: Notice) => void;
}

/** The result of one step. `more`: another step may find more. `failed`: the next try comes sooner than the next round. */
type StepEnd = 'more' | 'complete' | 'failed';

/**
 * Deletes finished jobs when their time is over, dead letters by way of the archive, and compresses what the audit log has
 * of that time: a minute after the start and then once an hour, in small steps. A worker that is idle before its first round
 * makes it at once, because a worker that a timer starts may live for seconds.
 */
export class Retention {
  readonly #parts: RetentionParts;
  #timer: Timer | undefined;
  #deleted = 0;
  #archived = 0;
  #compressed: Compressed = NOTHING_COMPRESSED;
  #step: Promise<StepEnd> | undefined;
  #hasCompleted = false;
  #closed = false;

  constructor(parts: RetentionParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#in(FIRST_MS);
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
  }

  /** The first round, for a worker that has nothing else to do. Resolves when it is over, or after a minute. */
  async beforeEnd(): Promise<void> {
    if (this.#hasCompleted || this.#closed) return;
    const { clock } = this.#parts;
    const untilMs = clock.monotonic() + IDLE_LIMIT_MS;
    this.#timer?.cancel();
    let end: StepEnd;
    do end = await this.#oneStep();
    while (end === 'more' && !this.#closed && clock.monotonic() < untilMs);
    this.#notify();
    this.#goOn(end);
  }

  #in(delayMs: number): void {
    if (this.#closed) return;
    this.#timer?.cancel();
    this.#timer = this.#parts.clock.setTimer(delayMs, () => void this.#round());
  }

  async #round(): Promise<void> {
    const end = await this.#oneStep();
    if (end !== 'more') this.#notify();
    this.#goOn(end);
  }

  #goOn(end: StepEnd): void {
    if (end === 'more') this.#in(PAUSE_MS);
    else this.#in(end === 'failed' ? FIRST_MS : EVERY_MS);
  }

  /** One at a time: a step of the timer may be under way. */
  #oneStep(): Promise<StepEnd> {
    this.#step ??= this.#takeStep().finally(() => {
      this.#step = undefined;
    });
    return this.#step;
  }

  async #takeStep(): Promise<StepEnd> {
    const { contact, store } = this.#parts;
    const pruned = contact.isOpen ? await this.#prune() : undefined;
    if (pruned?.more) return 'more';
    const archived = contact.isOpen ? await this.#archive() : undefined;
    if (archived?.more) return 'more';
    if (contact.isOpen && (await this.#compress())) return 'more';
    if (contact.isOpen) await contact.askByTimer('retention', () => forgetOperations(store));
    if (pruned === undefined || archived === undefined) return 'failed';
    this.#hasCompleted = true;
    return 'complete';
  }

  async #prune(): Promise<PruneResult | undefined> {
    const { store, contact, keep, actor } = this.#parts;
    const deadMs = keep.archive === undefined ? keep.deadMs : Infinity;
    const command = pruneCommand({ ...keep, deadMs }, BATCH, actor);
    const answer = await contact.askByTimer('retention', () => store.apply([command]));
    this.#deleted += answer?.[0].deleted ?? 0;
    return answer?.[0];
  }

  async #archive(): Promise<ArchiveAnswer | undefined> {
    const { archive, deadMs } = this.#parts.keep;
    if (archive === undefined || deadMs === Infinity) return NOTHING_ARCHIVED;
    const answer = await archiveLetters({ ...this.#parts, archive, deadMs });
    this.#archived += answer?.archived ?? 0;
    return answer;
  }

  /** Answers whether there may be more. */
  async #compress(): Promise<boolean> {
    const { store, contact, keep } = this.#parts;
    const sealedForMs = keep.uncompressedAuditMs;
    if (sealedForMs === Infinity) return false;
    const step = await contact.askByTimer('retention', () => store.compress({ sealedForMs }));
    if (step === undefined) return false;
    const { blocks, bytesBefore, bytesAfter } = this.#compressed;
    this.#compressed = {
      blocks: blocks + step.blocks,
      bytesBefore: bytesBefore + step.bytesBefore,
      bytesAfter: bytesAfter + step.bytesAfter,
    };
    return true;
  }

  #notify(): void {
    const { notify } = this.#parts;
    if (this.#compressed.blocks > 0) notify({ kind: 'audit_compressed', ...this.#compressed });
    this.#compressed = NOTHING_COMPRESSED;
    if (this.#deleted > 0) notify({ kind: 'pruned', deleted: this.#deleted });
    if (this.#archived > 0) notify({ kind: 'archived', letters: this.#archived });
    this.#deleted = 0;
    this.#archived = 0;
  }
}

interface ArchiveParts extends Omit<RetentionParts, 'keep'> {
  readonly archive: Exclude<RetentionOptions['archive'], undefined>;
  readonly deadMs: number;
}

interface ArchiveAnswer {
  /** How many were archived and deleted. */
  readonly archived: number;
  readonly more: boolean;
}

/**
 * Gives dead letters whose time is over to the archive and then deletes them, one batch. `undefined`: it did not
 * work, and is worth another try soon.
 */
async function archiveLetters(parts: ArchiveParts): Promise<ArchiveAnswer | undefined> {
  const { store, clock, contact, archive, notify, deadMs, actor } = parts;
  const found = await contact.askByTimer('read', () => lettersOf(store, deadMs));
  if (found === undefined) return undefined;
  if (found.letters.length === 0) return NOTHING_ARCHIVED;
  const { letters, more } = found;
  try {
    await withinLimit(clock, () => archive(letters));
  } catch (error) {
    notify({ kind: 'archive_failed', error, letters: letters.length });
    return undefined;
  }
  const only = letters.map(({ id, revision }) => ({ id, revision }));
  const command = { ...pruneCommand({ deadMs }, ARCHIVE_BATCH, { ...actor, why: ARCHIVED }), only };
  const answer = await contact.askByTimer('retention', () => store.apply([command]));
  return answer && { archived: answer[0].deleted, more };
}

/** An archive that is late is not waited for: its letters stay, and come again. */
async function withinLimit(clock: Clock, act: () => Promise<void>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = clock.setTimer(ARCHIVE_LIMIT_MS, () => {
    const message = `The archive has not answered for ${ARCHIVE_LIMIT_MS} ms`;
    reject(new RedriveError('sink_timeout', message, { limitMs: ARCHIVE_LIMIT_MS }));
  });
  timer.hold(false);
  try {
    await Promise.race([act(), late]);
  } finally {
    timer.cancel();
  }
}

/** The oldest letters whose time is over, in full. */
async function lettersOf(
  store: FullStore,
  deadMs: number,
): Promise<{ readonly letters: readonly Job[]; readonly more: boolean }> {
  const { nowMs } = await store.pulse([]);
  // The end of the filter is exclusive.
  const filter = { diedBeforeMs: nowMs - deadMs + 1 };
  const { jobs, next } = await store.deadLetters(filter, { limit: ARCHIVE_BATCH, first: 'oldest' });
  const letters = new Map<string, Job>();
  for (const job of await store.finished(jobs.map(({ id }) => id))) letters.set(job.id, job);
  // Some may have been requeued or purged meanwhile.
  const dead = jobs.map(({ id }) => letters.get(id)).filter((job) => job?.state === 'dead');
  return { letters: dead.filter((job) => job !== undefined), more: next !== undefined };
}

/** The deletion of finished jobs after these times. A state without a time is kept. */
function pruneCommand(
  keep: Omit<RetentionOptions, 'archive'>,
  limit: number,
  actor: Actor,
): PruneCommand {
  return {
    kind: 'prune',
    succeededAfterMs: storable(keep.succeededMs),
    cancelledAfterMs: storable(keep.cancelledMs),
    deadAfterMs: storable(keep.deadMs),
    purgedAfterMs: storable(keep.purgedMs),
    limit,
    actor,
  };
}

/** Databases have no infinity among their whole numbers; nothing is older than this. */
function storable(keptMs = Infinity): number {
  return Math.min(keptMs, Number.MAX_SAFE_INTEGER);
}
