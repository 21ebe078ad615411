import type { Clock, Timer } from '@redrive/core';
import type { Compressed } from '../audit/audit-store.ts';
import type { RetentionOptions } from '../jobs/jobs.ts';
import { forgetOperations } from '../operation/end-operation.ts';
import type { Actor, PruneResult } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import { type ArchiveAnswer, archiveLetters, NOTHING } from './archive.ts';
import type { Notice } from './notice.ts';
import { pruneCommand } from './prune-command.ts';
import type { StoreContact } from './store-contact.ts';

const FIRST_MS = 60_000;
const EVERY_MS = 3_600_000;
/** Jobs of one commit: others wait for it. */
const BATCH = 500;
/** Between two batches others come first. */
const PAUSE_MS = 100;

const NOTHING_COMPRESSED: Compressed = { blocks: 0, bytesBefore: 0, bytesAfter: 0 };

export interface RetentionParts {
  readonly store: FullStore;
  readonly clock: Clock;
  readonly contact: StoreContact;
  readonly keep: Required<RetentionOptions>;
  readonly actor: Actor;
  readonly notify: (notice: Notice) => void;
}

/**
 * Deletes finished jobs when their time is over, dead letters by way of the archive, and compresses what the audit log has
 * of that time: once an hour, in small steps.
 */
export class Retention {
  readonly #parts: RetentionParts;
  #timer: Timer | undefined;
  #deleted = 0;
  #archived = 0;
  #compressed: Compressed = NOTHING_COMPRESSED;
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

  #in(delayMs: number): void {
    if (this.#closed) return;
    this.#timer = this.#parts.clock.setTimer(delayMs, () => void this.#round());
  }

  async #round(): Promise<void> {
    const { contact } = this.#parts;
    const pruned = contact.isOpen ? await this.#prune() : undefined;
    if (pruned?.more) return this.#in(PAUSE_MS);
    const archived = contact.isOpen ? await this.#archive() : undefined;
    if (archived?.more) return this.#in(PAUSE_MS);
    if (contact.isOpen && (await this.#compress())) return this.#in(PAUSE_MS);
    if (contact.isOpen)
      await contact.askByTimer('retention', () => forgetOperations(this.#parts.store));
    this.#notify();
    // A failed step is tried again sooner.
    this.#in(pruned === undefined || archived === undefined ? FIRST_MS : EVERY_MS);
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
    if (archive === undefined || deadMs === Infinity) return NOTHING;
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
