import { definePolicy, isRedriveError, systemClock } from '@redrive/core';
import { describe, expect, it } from 'vitest';
import { commandHandler } from '../command/command-handler.ts';
import type { JobsOptions } from '../jobs/jobs.ts';
import { jobsOn } from '../jobs/jobs-on.ts';
import { memoryStore } from '../memory/memory-store.ts';
import type { Handlers } from './handler.ts';
import { resolveHandlers } from './resolve-handlers.ts';

const processOf = (concurrency: number) => ({ concurrency, leaseMs: 30_000, clock: systemClock });

function problems(call: () => unknown): string[] {
  try {
    call();
  } catch (error) {
    if (isRedriveError(error, 'invalid_option')) {
      return (error.details.problems as { field: string }[]).map(({ field }) => field);
    }
    throw error;
  }
  return [];
}

describe('handlers', () => {
  it('have their defaults', () => {
    const run = () => {};
    expect(resolveHandlers({ run }, processOf(7)).get('run')).toEqual({
      name: 'run',
      run,
      policy: 'runs.default',
      dependency: undefined,
      credential: undefined,
      concurrency: 7,
      limitPerKey: 1,
      onUnknown: 'retry',
      probe: undefined,
      stallAfterMs: Infinity,
      onStall: 'report',
    });
  });

  it('may be commands', () => {
    expect(resolveHandlers({ run: commandHandler({ command: ['true'] }) }, processOf(1)).size).toBe(
      1,
    );
  });

  it('are refused with every problem of every one at once', () => {
    const wrong = {
      good: () => {},
      text: 'resize',
      numbers: { run: () => {}, concurrency: 0, limitPerKey: 1.5 },
      words: { run: () => {}, onUnknown: 'panic', idempotent: 'yes', retries: 3 },
      secrets: { run: () => {}, credential: 7 },
      policies: { run: () => {}, policy: { maxAttempts: 0 } },
      unknown: { run: () => {}, policy: 'nobody' },
      nothing: {},
      'bad\nname': () => {},
    };
    expect(
      problems(() => resolveHandlers(wrong as unknown as Handlers, processOf(1))).sort(),
    ).toEqual(
      [
        'text.it',
        'numbers.concurrency',
        'numbers.limitPerKey',
        'words.onUnknown',
        'words.idempotent',
        'words.retries',
        'secrets.credential',
        'policies.maxAttempts',
        'unknown.policy',
        'nothing.run',
        'bad\nname.name',
      ].sort(),
    );
    expect(problems(() => resolveHandlers(null as unknown as Handlers, processOf(1)))).toEqual([
      'handlers',
    ]);
  });

  it('are refused with a dependency that no breaker or gate could be stored under', () => {
    const run = () => {};
    const handlers = {
      long: { run, dependency: 'x'.repeat(201) },
      control: { run, dependency: 'a\u0000b' },
      half: { run, dependency: '\ud800' },
      byPolicy: { run, policy: { dependency: 'a\nb' } },
      number: { run, dependency: 7 as unknown as string },
      fine: { run, dependency: 'x'.repeat(200), policy: { dependency: 'y' } },
      none: { run, dependency: '' },
    };
    expect(problems(() => resolveHandlers(handlers, processOf(1))).sort()).toEqual([
      'byPolicy.policy.dependency',
      'control.dependency',
      'half.dependency',
      'long.dependency',
      'number.dependency',
    ]);
  });

  it('called like something every object has are just names', () => {
    const handlers = JSON.parse('{"__proto__":1,"constructor":1}');
    expect(problems(() => resolveHandlers(handlers, processOf(1))).sort()).toEqual([
      '__proto__.it',
      'constructor.it',
    ]);
  });
});

describe('options of jobsOn', () => {
  const on = (options: unknown) =>
    problems(() => jobsOn(memoryStore(), {}, options as JobsOptions));

  it('are refused with every problem at once', () => {
    const wrong = {
      worker: '',
      concurrency: 0,
      queues: [],
      leaseMs: 1,
      pollMs: 0,
      sweepMs: 'often',
      maxPayloadBytes: -1,
      maxResultBytes: 0.5,
      policies: {},
      onNotice: 'tell me',
      speed: 'high',
    };
    expect(on(wrong).sort()).toEqual(Object.keys(wrong).sort());
    expect(on({ queues: ['a', '', 7] })).toEqual(['queues[1]', 'queues[2]']);
    expect(on({ retention: { succeededMs: -1, deadMs: 'long' } })).toEqual([
      'succeededMs',
      'deadMs',
    ]);
  });

  it.each([
    ['events', () => {}, 'a sink with emit() and open()'],
    ['events', 5, 'a sink with emit() and open()'],
    ['clock', 5, 'a clock with now(), monotonic() and setTimer()'],
    ['breakers', () => {}, 'a registry with for()'],
    ['budgets', {}, 'a registry with for()'],
  ])('are refused when %s is %o', (name, value, expected) => {
    expect(() => jobsOn(memoryStore(), {}, { [name]: value } as JobsOptions)).toThrow(
      `Invalid jobs: ${name} must be ${expected}, not `,
    );
  });

  it('may look policies up in something that throws', async () => {
    const policies = () => {
      throw new Error('broken');
    };
    const jobs = jobsOn(memoryStore(), { run: () => {} }, { policies });
    expect((await jobs.enqueue('run', null, { policy: 'any' })).outcome).toBe('created');
    const known = definePolicy({ id: 'known' });
    jobsOn(memoryStore(), { run: { run: () => {}, policy: 'known' } }, { policies: () => known });
  });
});
