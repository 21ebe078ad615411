import { EventEmitter, once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import { memoryBus } from '../memory/memory-bus.ts';
import { memoryStore } from '../memory/memory-store.ts';
import type { StopOptions } from './jobs.ts';
import { jobsOn } from './jobs-on.ts';
import { type ProgramParts, stopOn } from './stop-on.ts';

/** Parts that write down when they begin and end to stop. Each ends when the test says so. */
function program() {
  const log: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const stopping = (name: string) => async () => {
    log.push(`${name} begins`);
    await ends.get(name)?.promise;
    log.push(`${name} ends`);
  };
  const jobs = {
    stop: async (options: StopOptions) => {
      log.push(`jobs ${options.mode} ${options.graceMs}`);
      if (options.mode === 'finish') await ends.get('jobs')?.promise;
    },
  };
  for (const name of ['consumer', 'server', 'jobs', 'bus', 'store']) {
    ends.set(name, Promise.withResolvers<void>());
  }
  const parts: ProgramParts = {
    sources: [{ stop: stopping('consumer') }, { close: stopping('server') }],
    jobs: [jobs],
    buses: [{ close: stopping('bus') }],
    stores: [{ close: stopping('store') }],
  };
  /** Ends the stop of that part, and waits for everything that follows from it. */
  const finish = async (name: string) => {
    ends.get(name)?.resolve();
    await virtualClock().advance(0);
  };
  return { log, parts, finish, signals: new EventEmitter(), clock: virtualClock() };
}

describe('stopOn', () => {
  it('waits until the last request of a server of Node has ended', async () => {
    const asked = Promise.withResolvers<ServerResponse>();
    const server = createServer((_, response) => asked.resolve(response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    // It listens on a port.
    const { port } = server.address() as AddressInfo;
    const answer = fetch(`http://127.0.0.1:${port}/`).then((response) => response.text());
    const response = await asked.promise;
    const log: string[] = [];
    const stores = [{ close: () => log.push('store closed') }];
    const { stop } = stopOn(new EventEmitter(), { sources: [server], stores });
    const stopped = stop();
    response.on('close', () => log.push('answered')).end('done');
    await stopped;
    expect([await answer, log]).toEqual(['done', ['answered', 'store closed']]);
  });

  it('stops sources, then jobs, then buses, then stores', async () => {
    const { log, parts, finish, signals, clock } = program();
    const { stopped } = stopOn(signals, parts, { graceMs: 20_000, clock });
    signals.emit('SIGTERM');
    const said = async (name: string) => {
      const before = log.length;
      await finish(name);
      return log.slice(before);
    };
    expect(log).toEqual(['consumer begins', 'server begins']);
    expect(await said('consumer')).toEqual(['consumer ends']);
    expect(await said('server')).toEqual(['server ends', 'jobs finish 20000']);
    expect(await said('jobs')).toEqual(['bus begins']);
    expect(await said('bus')).toEqual(['bus ends', 'store begins']);
    expect(await said('store')).toEqual(['store ends']);
    await stopped;
    expect(signals.eventNames()).toEqual([]);
  });

  it('releases running jobs on the second signal, of any kind', async () => {
    const { log, parts, finish, signals, clock } = program();
    stopOn(signals, { jobs: parts.jobs ?? [] }, { clock });
    signals.emit('SIGTERM');
    await finish('consumer');
    signals.emit('SIGINT');
    signals.emit('SIGINT');
    expect(log).toEqual(['jobs finish 30000', 'jobs release 0']);
  });

  it('stops the other parts if one fails, and rejects with the errors of all', async () => {
    const { log, signals, clock } = program();
    const failing = {
      stop: () => {
        throw new Error('at once');
      },
    };
    const store = { close: async () => log.push('store') };
    const bus = { close: () => Promise.reject(new Error('later')) };
    const parts = { sources: [failing], buses: [bus], stores: [store] };
    const { stop } = stopOn(signals, parts, { clock });
    const error = await stop().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ message: 'Some parts failed to stop' });
    expect(error).toMatchObject({ errors: [{ message: 'at once' }, { message: 'later' }] });
    expect(log).toEqual(['store']);
  });

  it('leaves a part behind that does not stop within five seconds', async () => {
    const { log, signals, clock } = program();
    const never = { stop: () => new Promise(() => {}) };
    const store = { close: async () => log.push('store') };
    const { stopped } = stopOn(signals, { sources: [never], stores: [store] }, { clock });
    const ended = stopped.catch((error: AggregateError) => error.errors);
    signals.emit('SIGTERM');
    await clock.advance(4_999);
    expect(log).toEqual([]);
    await clock.advance(1);
    expect(await ended).toMatchObject([{ message: 'A part did not stop within 5000 ms' }]);
    expect(log).toEqual(['store']);
  });

  it('takes real parts: the job that runs finishes, and publishes', async () => {
    const clock = virtualClock();
    const store = memoryStore({ clock });
    const bus = memoryBus();
    await bus.declare({ name: 'done' });
    const started = Promise.withResolvers<void>();
    const mayFinish = Promise.withResolvers<void>();
    let published: boolean | undefined;
    const body = new Uint8Array([1]);
    const jobs = jobsOn(
      store,
      {
        async work() {
          started.resolve();
          await mayFinish.promise;
          const [sent] = await bus.publish([{ destination: 'done', body, headers: {} }]);
          published = sent?.published;
        },
      },
      { clock },
    );
    await jobs.start();
    await jobs.enqueue('work');
    await clock.advance(1_000);
    await started.promise;
    const signals = new EventEmitter();
    const { stopped } = stopOn(signals, { jobs: [jobs], buses: [bus], stores: [store] }, { clock });
    signals.emit('SIGTERM');
    mayFinish.resolve();
    await clock.advance(1_000);
    await stopped;
    expect(published).toBe(true);
    await expect(jobs.enqueue('work')).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  it.each<[unknown, object, string]>([
    [{ job: [] }, {}, 'stopOn: there is no group job; the groups are sources, jobs, buses, stores'],
    [{ jobs: memoryStore() }, {}, 'stopOn: jobs must be a list'],
    [{ stores: [5] }, {}, 'stopOn: stores[0] has neither stop() nor close()'],
    [{}, { signals: [] }, 'signals must be a list of names of signals, not an array'],
    [{}, { graceMs: -1 }, 'graceMs must be a number from 0 to 86400000, not -1'],
  ])('refuses %o with %o', (parts, options, message) => {
    const signals = new EventEmitter();
    // Plain JavaScript may pass anything.
    expect(() => stopOn(signals, parts as ProgramParts, options)).toThrow(message);
    expect(signals.eventNames()).toEqual([]);
  });
});

describe('disposal', () => {
  it('stops jobs, and closes buses and stores', async () => {
    const clock = virtualClock();
    // As `await using` does: this repository's check of imports cannot read that yet.
    const block = new AsyncDisposableStack();
    const store = block.use(memoryStore({ clock }));
    const bus = block.use(memoryBus());
    const jobs = block.use(jobsOn(store, { work: async () => 'done' }, { clock }));
    await jobs.start();
    const result = jobs.wait(await jobs.enqueue('work'));
    await clock.advance(1_000);
    expect(await result).toBe('done');
    await block.disposeAsync();
    expect((await jobs.health()).ready).toBe(false);
    await expect(store.counts()).rejects.toMatchObject({ code: 'store_unavailable' });
    await expect(bus.declare({ name: 'late' })).rejects.toThrow();
  });
});
