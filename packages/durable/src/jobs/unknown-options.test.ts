import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { engageKill, pauseWork, resumeWork } from '../control/kill-switches.ts';
import { releaseKill } from '../control/release-kill.ts';
import { consumeEvents } from '../event/event-consumer.ts';
import { memoryBus } from '../memory/memory-bus.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { runOperation } from '../operation/carry-out-operation.ts';
import { submitOperation } from '../operation/submit-operation.ts';
import { jobsOn } from './jobs-on.ts';
import { stopOn } from './stop-on.ts';

const store = memoryStore();
const bus = memoryBus();
const jobs = jobsOn(store, {});
const actor = { name: 'eve' };
const target = { filter: { handler: 'mail' }, limit: 1 };

// biome-ignore lint/suspicious/noExplicitAny: plain JavaScript may pass anything.
type Anything = any;

const calls: Readonly<Record<string, (more: Anything) => unknown>> = {
  stopOn: (more) => stopOn(new EventEmitter(), {}, { graceMs: 5, ...more }),
  consumeEvents: (more) =>
    consumeEvents({ name: 'mail', bus: 'main', handler: 'mail' }, { bus, store, jobs, ...more }),
  submitOperation: (more) =>
    submitOperation(store, { id: 'again', act: 'requeue', target, actor, ...more }),
  runOperation: (more) =>
    runOperation(store, { id: 'again', act: 'purge', target, actor, ...more }),
  engageKill: (more) => engageKill(store, { scope: 'all', actor, ...more }),
  releaseKill: (more) => releaseKill(store, { scope: 'all', actor, ...more }),
  pauseWork: (more) => pauseWork(store, { scope: 'queue', name: 'mail', actor, ...more }),
  resumeWork: (more) => resumeWork(store, { scope: 'queue', name: 'mail', actor, ...more }),
};

test.each(Object.entries(calls))('%s refuses an option that it does not know', async (_, call) => {
  await expect(async () => call({ misspelt: 1 })).rejects.toMatchObject({
    code: 'invalid_option',
    message: expect.stringMatching(/misspelt is unknown; known are /),
  });
  expect((await store.controls()).all).toEqual([]);
});

test.each([
  'submitOperation',
  'runOperation',
  'engageKill',
  'releaseKill',
  'pauseWork',
  'resumeWork',
])('%s refuses an actor without a name', async (name) => {
  for (const wrong of ['eve', undefined, { user: 'eve' }]) {
    await expect(async () => calls[name]?.({ actor: wrong })).rejects.toMatchObject({
      code: 'invalid_option',
      message: expect.stringContaining(
        'actor must be an object with a name, and perhaps why, not ',
      ),
    });
  }
});

test('an operation says all that is wrong with it, also without a target', async () => {
  const wrong: Anything = { id: '', act: 'requeu', rate: 5, actor };
  await expect(submitOperation(store, wrong)).rejects.toThrow(
    'Invalid operation: rate is unknown; known are id, act, target, payload, maxPayloadBytes, deadline, actor, tenant, ' +
      'ramp, ratePerSecond, stopShare, maxInFlight; id must be a text, not the string ""; act must be one of requeue, ' +
      'reset, purge, restore, cancel, regroup, not the string "requeu"; target must be an object, not undefined.',
  );
});
