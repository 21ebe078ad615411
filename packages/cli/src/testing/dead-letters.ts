import { recordsIn } from '@redrive/durable/store';
import { jobStore, type MovableClock } from './job-store.ts';
import { type Ran, type RunOptions, runMain } from './run-main.ts';

/** A store with `count` dead imports of one cause, a second apart, and commands on it. */
export async function deadLetters<C extends MovableClock>(clock: C, count: number) {
  const all = jobStore(clock);
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const { id } = await all.jobs.enqueue('import', { n, password: `hunter-${n}` } as object);
    ids.push(id);
    await all.work(1_000);
  }
  await clock.advance(10);
  const run = (args: string, options: RunOptions = {}): Promise<Ran> =>
    runMain(['dlq', ...args.split(' ')], { store: all.store, clock, ...options });
  /** How a command ends, and the JSON that it prints. */
  const json = async (args: string, options?: RunOptions) => {
    const { exitCode, stdout } = await run(`${args} --json`, options);
    return { exitCode, ...JSON.parse(stdout) };
  };
  const states = async () =>
    Promise.all(ids.map(async (id) => (await all.store.job(id))?.state ?? 'gone'));
  /** Records of the audit log of one kind. */
  const records = async (event: string) =>
    (await all.store.auditBlocks(0, 1_000))
      .flatMap((block) => recordsIn(block))
      .filter((record) => record.event === event);
  return { ...all, ids, run, json, states, records };
}
