import { type FullStore, jobsOn } from '@redrive/durable';

const AT_ONCE = 1_000;
const ACTOR = { name: 'script' };

/** Fills a store with dead letters of the handler `bulk`: jobs whose time is up before anybody works on them. */
export async function letDie(store: FullStore, count: number): Promise<void> {
  const jobs = jobsOn(store, { bulk: () => {} });
  for (let made = 0; made < count; made += AT_ONCE) {
    const payloads = Array.from({ length: Math.min(AT_ONCE, count - made) }, (_, n) => made + n);
    await jobs.enqueueMany('bulk', payloads, { queue: 'bulk', deadline: new Date(1) });
    await store.apply([{ kind: 'tick', limit: AT_ONCE, actor: ACTOR }]);
  }
  // What died in the millisecond of the cut-off is not part of an act.
  while (
    (await store.deadLetters({}, { limit: 1 })).jobs[0]?.finishedAtMs ===
    (await store.pulse([])).nowMs
  );
}
