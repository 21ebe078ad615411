import type { FullStore } from '@redrive/durable';
import type { ActCommand, ActResult } from '@redrive/durable/store';
import { ActForecast } from '@redrive/durable/store';

/** What these acts would answer, each after the ones before it: what a dry run does. */
export async function forecast(
  store: Pick<FullStore, 'actSubjects'>,
  acts: readonly ActCommand[],
): Promise<ActResult[]> {
  const all = new ActForecast();
  all.add(await store.actSubjects([...new Set(acts.map(({ id }) => id))]));
  return acts.map((command) => all.predict(command));
}
