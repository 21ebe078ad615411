import { ok } from 'node:assert/strict';
import type { FullStore, Store } from '@redrive/durable';
import type { Change, ControlCommand, ControlKind, ControlResult } from '@redrive/durable/store';
import { ACTOR, claim, type EnqueueWith, enqueueAll } from './commands.ts';
import { settlementFor } from './settlements.ts';
import type { FullStoreUnderTest } from './suite.ts';

export function controlOf(
  of: ControlKind,
  key: string,
  expect: number,
  document: object | null,
  note?: object,
): ControlCommand {
  return {
    kind: 'control',
    of,
    key,
    expect,
    document: document === null ? undefined : JSON.stringify(document),
    note: note && JSON.stringify(note),
  };
}

export async function control(
  store: Store,
  ...given: Parameters<typeof controlOf>
): Promise<ControlResult> {
  const [result] = await store.apply([controlOf(...given)]);
  return result;
}

/** Writes a document, and insists that it is accepted. Answers its revision. */
export async function put(
  store: FullStore,
  of: ControlKind,
  key: string,
  document: object = { by: 'test' },
): Promise<number> {
  const result = await control(store, of, key, await revisionOf(store, of, key), document);
  ok(result.ok, `${of} ${key} to be written`);
  return result.revision;
}

export async function takeAway(store: FullStore, of: ControlKind, key: string): Promise<void> {
  const result = await control(store, of, key, await revisionOf(store, of, key), null);
  ok(result.ok, `${of} ${key} to be taken away`);
}

async function revisionOf(store: FullStore, of: ControlKind, key: string): Promise<number> {
  const { all } = await store.controls();
  return all.find((found) => found.kind === of && found.key === key)?.revision ?? 0;
}

/** Enqueues jobs and parks them under a cause. */
export async function parkAll(
  store: Store,
  ids: readonly string[],
  cause: string,
  { dueInMs = 60_000, ...spec }: EnqueueWith & { readonly dueInMs?: number } = {},
): Promise<void> {
  await enqueueAll(store, ids, spec);
  const { jobs } = await claim(store, { limit: ids.length });
  ok(jobs.length === ids.length, 'all of them to be claimed, and no other');
  const ends = jobs.map((job) =>
    settlementFor(job, 'parked', { dueInMs, cause, reason: 'breaker_open' }),
  );
  const results = await store.apply(
    ends.map((settlement) => ({ kind: 'settle', settlement }) as const),
  );
  ok(results.every((result) => result.ok));
}

export async function release(store: Store, cause: string, limit: number, inTurn?: boolean) {
  const [result] = await store.apply([{ kind: 'release', cause, limit, inTurn, actor: ACTOR }]);
  return result;
}

/** The changes that a watcher of the store is notified of while `act` runs. */
export async function changesDuring(
  { store, clock }: Pick<FullStoreUnderTest, 'store' | 'clock'>,
  act: () => Promise<unknown>,
): Promise<ReadonlySet<Change>> {
  const changes = new Set<Change>();
  const stop = store.watch((change) => changes.add(change));
  await act();
  await clock.advance(0);
  stop();
  return changes;
}
