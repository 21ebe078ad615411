import { type Clock, RedriveError } from '@redrive/core';
import { ARCHIVED } from '../audit/removed-letters.ts';
import type { Job } from '../job/job.ts';
import type { RetentionOptions } from '../jobs/jobs.ts';
import type { Actor } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import type { Notice } from './notice.ts';
import { pruneCommand } from './prune-command.ts';
import type { StoreContact } from './store-contact.ts';

/** Letters that are in memory at once, with their payloads. */
const BATCH = 50;
/** The longest time that the archive may take for one batch: deleting waits for it. */
export const ARCHIVE_LIMIT_MS = 60_000;

export interface ArchiveParts {
  readonly store: FullStore;
  readonly clock: Clock;
  readonly contact: StoreContact;
  readonly archive: Exclude<RetentionOptions['archive'], undefined>;
  readonly deadMs: number;
  readonly actor: Actor;
  readonly notify: (notice: Notice) => void;
}

export interface ArchiveAnswer {
  /** How many were archived and deleted. */
  readonly archived: number;
  readonly more: boolean;
}

export const NOTHING: ArchiveAnswer = { archived: 0, more: false };

/**
 * Gives dead letters whose time is over to the archive and then deletes them, one batch. `undefined`: it did not
 * work, and is worth another try soon.
 */
export async function archiveLetters(parts: ArchiveParts): Promise<ArchiveAnswer | undefined> {
  const { store, clock, contact, archive, notify, deadMs, actor } = parts;
  const found = await contact.askByTimer('read', () => lettersOf(store, deadMs));
  if (found === undefined) return undefined;
  if (found.letters.length === 0) return NOTHING;
  const { letters, more } = found;
  try {
    await withinLimit(clock, () => archive(letters));
  } catch (error) {
    notify({ kind: 'archive_failed', error, letters: letters.length });
    return undefined;
  }
  const only = letters.map(({ id, revision }) => ({ id, revision }));
  const command = { ...pruneCommand({ deadMs }, BATCH, { ...actor, why: ARCHIVED }), only };
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
  const { jobs, next } = await store.deadLetters(filter, { limit: BATCH, first: 'oldest' });
  const letters = new Map<string, Job>();
  for (const job of await store.finished(jobs.map(({ id }) => id))) letters.set(job.id, job);
  // Some may have been requeued or purged meanwhile.
  const dead = jobs.map(({ id }) => letters.get(id)).filter((job) => job?.state === 'dead');
  return { letters: dead.filter((job) => job !== undefined), more: next !== undefined };
}
