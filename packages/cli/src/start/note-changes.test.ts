import { type ConfigChange, parseConfig, presetConfig } from '@redrive/config';
import { RedriveError } from '@redrive/core';
import { memoryStore } from '@redrive/durable';
import { recordsIn } from '@redrive/durable/store';
import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import type { Log } from '../log/worker-log.ts';
import { noteChanges } from './note-changes.ts';

const CHANGE: ConfigChange = {
  schema_version: 'config-change/v1',
  timestamp: '2027-01-31T08:00:00.000Z',
  actor: 'ada@host',
  cause: 'file',
  file: 'redrive.yaml',
  hash_before: 'a',
  hash_after: 'b',
  last_change: null,
  diff: { entries: [] } as unknown as ConfigChange['diff'], // Nobody looks into it here.
};

/** A store that can be away, and what is in its log. */
function awayStore() {
  const store = memoryStore();
  let away = false;
  const apply: typeof store.apply = (commands) =>
    away
      ? Promise.reject(new RedriveError('store_unavailable', 'away', { store: 'test' }))
      : store.apply(commands);
  const causes = async () =>
    (await store.auditBlocks(0, 100))
      .flatMap((block) => recordsIn(block))
      .map((record) => record.detail.cause);
  const setAway = (value: boolean) => {
    away = value;
  };
  return { apply, causes, setAway };
}

const warnings: string[] = [];
// Nothing else of a log is used.
const log = { warn: (_fields: object, text: string) => warnings.push(text) } as unknown as Log;

test('what is in force at the start, and every change, also from before the store was open', async () => {
  const clock = virtualClock();
  const { apply, causes } = awayStore();
  const notes = noteChanges(clock, log);
  notes.note(CHANGE);
  notes.writeTo({ apply }, presetConfig());
  await clock.advance(0);
  notes.note({ ...CHANGE, cause: 'signal' });
  await clock.advance(0);
  notes.close();
  expect(await causes()).toEqual(['file', 'start', 'signal']);
  expect(clock.pendingTimers).toBe(0);
});

test('a store that is away is asked again, and nothing is lost', async () => {
  const clock = virtualClock();
  const { apply, causes, setAway } = awayStore();
  const notes = noteChanges(clock, log);
  setAway(true);
  notes.writeTo({ apply }, parseConfig('version: "1.1.0"\n').config ?? presetConfig());
  notes.note(CHANGE);
  await clock.advance(6_000);
  setAway(false);
  await clock.advance(5_000);
  expect(await causes()).toEqual(['start', 'file']);
  setAway(true);
  notes.note(CHANGE);
  await clock.advance(0);
  notes.close();
  expect(warnings).toEqual([
    '1 changes of the configuration could not be written to the audit log',
  ]);
  expect(clock.pendingTimers).toBe(0);
});
