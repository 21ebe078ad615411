import type { FullStore } from '@redrive/durable/store';

/** Why no worker and no command moves this job, where its row is set aside. */
export async function setAsideText(
  store: Pick<FullStore, 'unreadableJob'>,
  id: string,
): Promise<string | undefined> {
  const row = await store.unreadableJob(id);
  if (row === undefined || !row.isSetAside) return undefined;
  return row.problem === undefined
    ? 'Its row was set aside and can be read again: run redrive doctor --put-back.'
    : `Its row cannot be read (${row.problem}) and was set aside: run redrive doctor.`;
}
