import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { isRedriveError } from '@redrive/core';
import { Collector } from './collector.ts';
import type { RegisterTest } from './place.ts';

export function sources(test: RegisterTest): void {
  test('are declared once', async (place) => {
    const created = await place.bus.declare(place.source);
    equal(created.length > 0, place.bus.capabilities.delivers);
    deepEqual(await place.bus.declare(place.source), []);
  });

  test('are reported by check where they do not exist, with a remedy', async (place) => {
    const { problems } = await place.bus.check(place.other('missing'));
    const [problem] = problems.filter(({ severity }) => severity === 'error');
    ok(problem !== undefined, 'check reports an error');
    ok(problem.problem.length > 0 && problem.remedy.length > 0);
  });

  test('are refused by consume where they do not exist', async (place) => {
    await rejects(
      place.bus.consume(place.other('missing'), { prefetch: 1 }, async () => {}),
      (error: unknown) => isRedriveError(error, 'bus_refused'),
    );
  });

  test('have no errors after declare, and say how much waits', async (place) => {
    await place.bus.declare(place.source);
    await place.publish('a', 'b', 'c');
    const { problems, waiting } = await place.bus.check(place.source);
    deepEqual(
      problems.filter(({ severity }) => severity === 'error'),
      [],
    );
    if (waiting !== undefined) equal(waiting, 3);
  });

  test('can be looked into without a trace, where the broker can', async (place) => {
    if (place.bus.peek === undefined) return;
    await place.bus.declare(place.source);
    await place.publish('a', 'b', 'c');
    deepEqual((await place.bus.peek(place.source, 2)).map(Collector.textOf), ['a', 'b']);
    const collector = await place.collect();
    await collector.count(3);
    deepEqual(
      collector.deliveries.map(({ redelivered }) => redelivered),
      [false, false, false],
    );
  });
}

export function closing(test: RegisterTest): void {
  test('stops consumptions, and may be done twice', async (place) => {
    await place.bus.declare(place.source);
    await place.collect();
    await place.bus.close();
    await place.bus.close();
  });

  test('makes later calls reject', async (place) => {
    await place.bus.declare(place.source);
    await place.bus.close();
    await rejects(place.bus.publish([place.message('late')]), (error: unknown) =>
      isRedriveError(error, 'bus_unavailable'),
    );
  });
}
