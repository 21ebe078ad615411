import { type Config, parseConfig } from '@redrive/config';
import { RedriveError } from '@redrive/core';
import { type FullStore, memoryStore } from '@redrive/durable';
import { causeRulesOf, setCauseRule } from '@redrive/durable/dead-letters';
import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import type { Log } from '../log/worker-log.ts';
import { fileCauses } from './file-causes.ts';

function setUp(causes: string) {
  const clock = virtualClock();
  const store = memoryStore({ clock });
  let config = configOf(causes);
  const lines: string[] = [];
  const line = (_: object, text: string) => void lines.push(text);
  // Nothing else of a log is used.
  const log = { info: line, warn: line } as unknown as Log;
  const made = fileCauses({ store, current: () => config, clock, log });
  const change = (next: string) => {
    config = configOf(next);
    made.changed();
  };
  return { ...made, clock, store, lines, change };
}

function configOf(causes: string): Config {
  const { config } = parseConfig(`version: "1.1.0"\ncauses: ${causes}\n`);
  if (config === undefined) throw new Error('the file has problems');
  return config;
}

const names = async (store: FullStore) => (await causeRulesOf(store)).map(({ rule }) => rule.name);

test('rules of the file are in force when the worker starts, and follow each change of the file', async () => {
  const { store, change, clock, close } = setUp('{ b: { types: [B] }, a: { types: [A] } }');
  await clock.advance(0);
  expect(await names(store)).toEqual(['b', 'a']);
  change('{ a: { types: [A] }, b: { types: [B] } }');
  await clock.advance(0);
  expect(await names(store)).toEqual(['a', 'b']);
  change('{}');
  await clock.advance(0);
  expect(await names(store)).toEqual([]);
  await close();
  expect(clock.pendingTimers).toBe(0);
});

test('a worker that starts without rules leaves those of another file in force', async () => {
  const first = setUp('{ a: { types: [A] } }');
  const actor = { name: 'eve' };
  await setCauseRule(first.store, { rule: { name: 'own', types: ['X'] }, actor });
  await first.clock.advance(0);
  const { store } = first;
  const second = { store, current: () => configOf('{}'), clock: first.clock };
  const log = { info: () => {}, warn: () => {} } as unknown as Log;
  const { close } = fileCauses({ ...second, log });
  await first.clock.advance(0);
  expect(await names(store)).toEqual(['a', 'own']);
  await close();
});

test('a store that does not answer is asked again, and the log says so', async () => {
  const { store, lines, clock, change, close } = setUp('{}');
  await clock.advance(0);
  const { controls } = store;
  store.controls = async () => {
    throw new RedriveError('store_unavailable', 'the store is away', { store: 'test' });
  };
  change('{ a: { types: [A] } }');
  await clock.advance(0);
  expect(lines).toEqual(['The rules of causes are not in force: the store is away']);
  store.controls = controls;
  await clock.advance(5_000);
  expect(await names(store)).toEqual(['a']);
  expect(lines.at(-1)).toBe('Rules of causes in force: 1');
  await close();
});
