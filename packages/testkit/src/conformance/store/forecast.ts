import type { FullStore } from '@redrive/durable';
import type { ActCommand, ActResult } from '@redrive/durable/store';
import { ActForecast } from '@redrive/durable/store';

/** The predicted results of these acts, each after the ones before it, as in a dry run. */
export async function forecast(
  store: Pick<FullStore, 'actSubjects'>,
  acts: readonly ActCommand[],
): Promise<ActResult[]> {
  const all = new ActForecast();
  all.add(await store.actSubjects([...new Set(acts.map(({ id }) => id))]));
  return acts.map((command) => all.predict(command));
}
