import { parseConfig } from '@redrive/config';
import { systemClock } from '@redrive/core';
import { jobsOn, memoryStore } from '@redrive/durable';
import { storeBus } from '@redrive/durable/events';
import { expect, test } from 'vitest';
import type { Context } from '../action/context.ts';
import { SOURCES } from './sources.ts';

const TEXT = `version: "1.1.0"
buses: { main: { url: "store:" } }
jobs: { handlers: { mail: { command: ["true"] } } }
events: { sources: { mails: { bus: main, subject: mail.wanted, handler: mail } } }
`;

test('a source of the store bus has its events that are kept, and those that are not finished', async () => {
  const store = memoryStore();
  const { config } = parseConfig(TEXT, { file: 'redrive.yaml' });
  const bus = storeBus(store, [
    { name: 'mails', bus: 'main', subject: 'mail.wanted', handler: 'mail' },
  ]);
  const body = Buffer.from('{}');
  const message = (id: string) => ({ destination: 'mail.wanted', body, id });
  const jobs = jobsOn(store, { mail: () => undefined }, { log: 'off' });
  await bus.publish([message('1'), message('2')]);
  await jobs.start();
  await jobs.idle();
  await jobs.stop();
  await bus.publish([message('3')]);
  // The action uses no more of a context.
  const context = { store, config: async () => config, clock: systemClock } as unknown as Context;
  const { sources } = await SOURCES.list.run(context, {});
  expect(sources).toEqual([
    expect.objectContaining({
      ...{ name: 'mails', state: 'taking', waiting: 1, stored: 3, dead_lettered: 0 },
      last_report: expect.any(String),
    }),
  ]);
  await store.close();
});
