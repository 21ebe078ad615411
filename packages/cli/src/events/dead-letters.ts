import type { SourceSettings } from '@redrive/config';
import { isRedriveError } from '@redrive/core';
import { commandText } from '@redrive/core/fields';
import type { FullStore } from '@redrive/durable';
import { schedules } from '@redrive/durable/control';
import { type BusProblem, deadLetterSchedule } from '@redrive/durable/events';
import type { Invocation } from '../command/command-spec.ts';
import { withStore } from '../store/with-store.ts';

/** A source whose dead letters are published. */
export type Published = SourceSettings & { readonly publishTo: string };

/** The sources with `dead_letters.publish_to`. */
export function publishedSources(sources: readonly SourceSettings[]): readonly Published[] {
  return sources.filter((source): source is Published => source.publishTo !== undefined);
}

type Problems = ReadonlyMap<string, readonly BusProblem[]>;

/** Why dead letters of sources do not reach `publish_to`, as the store knows it. A new store has none. */
export async function unpublishedLetters(
  invocation: Invocation,
  sources: readonly SourceSettings[],
): Promise<Problems> {
  const published = publishedSources(sources);
  if (published.length === 0) return new Map();
  try {
    return await withStore(invocation, (store) => failingPublishers(store, published));
  } catch (error) {
    if (isRedriveError(error, 'store_not_found') || isRedriveError(error, 'schema_too_old')) {
      return new Map();
    }
    const why = error instanceof Error ? error.message : String(error);
    const problem = `The store does not say whether dead letters are published: ${why}`;
    const remedy = '"redrive doctor" looks at the store.';
    return new Map(published.map(({ name }) => [name, [{ severity: 'warning', problem, remedy }]]));
  }
}

async function failingPublishers(
  store: FullStore,
  published: readonly Published[],
): Promise<Problems> {
  const found = new Map<string, readonly BusProblem[]>();
  const { schedules: all } = await schedules(store);
  for (const source of published) {
    const [name] = deadLetterSchedule(source);
    const { jobId } = all.find((schedule) => schedule.name === name)?.last ?? {};
    const job = jobId === undefined ? undefined : await store.job(jobId);
    const error = job?.attempts.kept.at(-1)?.error;
    if (job === undefined || job.state === 'succeeded' || error === undefined) continue;
    const remedy = `It goes on by itself when ${source.publishTo} takes messages: "${commandText`redrive jobs show ${job.id}`}".`;
    found.set(source.name, [{ severity: 'warning', problem: error.message, remedy }]);
  }
  return found;
}

/**
 * The first source with a dead letter that is not published yet. A source whose schedule is paused or stopped is left out:
 * nothing publishes its letters.
 */
export async function unpublishedSource(
  store: FullStore,
  published: readonly Published[],
): Promise<Published | undefined> {
  if (published.length === 0) return undefined;
  const { schedules: all } = await schedules(store);
  for (const source of published) {
    const [name] = deadLetterSchedule(source);
    const { position: after, stopped } = all.find((schedule) => schedule.name === name) ?? {};
    if (stopped !== undefined) continue;
    const page = { limit: 1, after, first: 'oldest' } as const;
    const { jobs } = await store.deadLetters({ queue: source.name }, page);
    if (jobs.length > 0) return source;
  }
  return undefined;
}
