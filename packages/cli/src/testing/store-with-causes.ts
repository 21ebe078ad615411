import { type FullStore, final, jobsOn, memoryStore } from '@redrive/durable';
import { setCauseRule } from '@redrive/durable/dead-letters';
import { namedCause } from '@redrive/durable/store';

/** A store in which ten jobs of one handler died and thirty of another succeeded. */
export async function storeWithCauses(): Promise<FullStore> {
  const store = memoryStore();
  const handlers = { resize: () => final('no such image'), sync: () => {} };
  const jobs = jobsOn(store, handlers, { log: 'off' });
  for (let n = 0; n < 40; n++) await jobs.enqueue(n < 10 ? 'resize' : 'sync', {});
  await jobs.start();
  await jobs.idle();
  await jobs.stop();
  return store;
}

/** Causes of the examples: two fingerprints, and one that a rule made. */
const CAUSES: readonly (readonly [message: string, fingerprint: string])[] = [
  ['card declined by bank 12', 'fp1:2b87a8c4f0c3d1e5'],
  ['card expired', 'fp1:9c1d44e07a5c21f0'],
  ['card refused by bank 13', namedCause('card-refused').fingerprint],
];

/** Adds a dead letter of each cause, and the rule that made one of them. */
export async function addCauses(store: FullStore): Promise<void> {
  const actor = { name: 'test' };
  const rule = { name: 'card-refused', messages: ['card refused*'] };
  await setCauseRule(store, { rule, actor });
  const jobs = jobsOn(store, { pay: (message: string) => final(message) }, { log: 'off' });
  const letters = CAUSES.map(([pattern, fingerprint], at) => {
    const { job, ...rest } = jobs.prepare('pay', pattern);
    const dead = { reason: 'final_error', group: { fingerprint, pattern } } as const;
    return { ...rest, job: { ...job, id: `card-${at}` }, dead };
  });
  await store.apply(letters);
}
