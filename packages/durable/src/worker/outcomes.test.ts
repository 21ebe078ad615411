import { decide, type EventSink, syncSink } from '@redrive/core';
import { hashPolicy, toSessionV1, validateRecord } from '@redrive/core/records';
import { describe, expect, it } from 'vitest';
import { recordsOf } from '../documents/records-of.ts';
import { RUNS_DEFAULT } from '../handler/runs-default.ts';
import { cancel, deadLetter, final, retryAfter } from '../handler/verdict.ts';
import { workBench } from '../testing/work-bench.ts';

describe('a verdict', () => {
  it.each([
    ['final', () => final('no such user'), 'dead', 'final_error', 'no such user'],
    ['deadLetter', () => deadLetter('look at this'), 'dead', 'final_error', 'look at this'],
    ['cancel', () => cancel('not needed'), 'cancelled', 'cancelled', 'not needed'],
    ['retryAfter', () => retryAfter(90_000, 'busy'), 'scheduled', 'rate_limited', 'busy'],
  ] as const)('%s leads where it says', async (name, verdict, state, reason, message) => {
    const { jobs, clock, look } = workBench({ run: verdict });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    const job = await look(id);
    expect(job).toMatchObject({ state, reason });
    expect(job.attempts.kept[0]?.error?.message).toBe(message);
    expect(job.attempts.kept[0]?.error?.type).toBe(
      `verdict:${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`,
    );
    expect(job.result).toBeUndefined();
  });

  it('with a delay that is none counts as a failure', async () => {
    const { jobs, clock, look } = workBench({ run: () => retryAfter(Number.NaN) });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    expect(await look(id)).toMatchObject({
      state: 'scheduled',
      account: { entries: { failed: 1 } },
    });
  });
});

function cycle(): object {
  const value: { self?: object } = {};
  value.self = value;
  return value;
}

function throwing(): object {
  return {
    get total() {
      throw new Error('no such luck');
    },
  };
}

describe('a result', () => {
  it('that JSON would change stays a success, because its effect has happened, with a notice', async () => {
    const value = { total: Number.NaN, seen: new Map([[1, 2]]), fine: 1 };
    const { jobs, clock, look, notices } = workBench({ run: () => value });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    const job = await look(id);
    expect(job).toMatchObject({ state: 'succeeded', account: { entries: { failed: 0 } } });
    expect(job.result).toBe('{"total":null,"seen":{},"fine":1}');
    expect(notices.filter(({ kind }) => kind === 'result_altered')).toEqual([
      {
        kind: 'result_altered',
        jobId: id,
        handler: 'run',
        losses: ['result.total is NaN', 'result.seen is a Map'],
      },
    ]);
  });

  it.each([
    ['a big integer', 1n, 'BigInt'],
    ['a big integer inside', { a: [1n] }, 'result.a[0] is a bigint'],
    ['a function', () => {}, 'JSON has no function'],
    ['a symbol', Symbol('x'), 'JSON has no symbol'],
    ['a cycle', cycle(), 'circular'],
    ['a getter that throws', throwing(), 'no such luck'],
  ])('that JSON cannot hold stays a success without a result: %s', async (_, value, why) => {
    let runs = 0;
    const { jobs, clock, look, noticesOf } = workBench({
      run: () => {
        runs++;
        return value;
      },
    });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(60_000);
    const job = await look(id);
    expect(job).toMatchObject({ state: 'succeeded', account: { entries: { failed: 0 } } });
    expect([runs, job.result, await jobs.wait(id)]).toEqual([1, undefined, undefined]);
    expect(noticesOf('result_altered')).toEqual([
      { kind: 'result_altered', jobId: id, handler: 'run', losses: [expect.stringContaining(why)] },
    ]);
  });

  it.each([
    ['null', null],
    ['zero', 0],
    ['an empty text', ''],
    ['false', false],
    ['a list', [1, 'ä']],
  ])('is kept: %s', async (_, value) => {
    const { jobs, clock } = workBench({ run: () => value });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    expect(await jobs.wait(id)).toEqual(value);
  });
});

describe('the error of an attempt', () => {
  it('is kept without secrets and within bounds', async () => {
    const { jobs, clock, look } = workBench({
      run: () => {
        throw new Error(`password=hunter2 ${'x'.repeat(100_000)}`);
      },
    });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    const error = (await look(id)).attempts.kept[0]?.error;
    expect(error?.message).not.toContain('hunter2');
    expect(error?.message.length).toBeLessThanOrEqual(500);
  });

  it.each([
    ['a text', 'down'],
    ['nothing', undefined],
    ['null', null],
    ['an object', { a: 1 }],
  ])('may be anything that was thrown: %s', async (_, thrown) => {
    const { jobs, clock, look } = workBench({ run: () => Promise.reject(thrown) });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    expect((await look(id)).state).toBe('scheduled');
  });

  it('is given to the next attempt', async () => {
    const seen: unknown[] = [];
    const { jobs, clock } = workBench({
      run: (_: unknown, { attempt, lastError, maxAttempts, generation }) => {
        seen.push([attempt, lastError?.message, maxAttempts, generation]);
        throw new Error(`failure ${attempt}`);
      },
    });
    await jobs.start();
    await jobs.enqueue('run', null);
    await clock.advance(60_000);
    expect(seen).toEqual([
      [1, undefined, 8, 1],
      [2, 'failure 1', 8, 1],
    ]);
  });

  it('has a known class, whatever a classifier answers', async () => {
    const { jobs, clock, look } = workBench({
      run: {
        run: () => Promise.reject(new Error('down')),
        policy: { classify: () => ({ errorClass: 'odd', effect: 'none' }) as never },
      },
    });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    expect(await look(id)).toMatchObject({ state: 'scheduled', errorClass: 'retryable' });
  });

  it('thrown by a synchronous handler is like any other', async () => {
    const { jobs, clock, look } = workBench({
      run: () => {
        throw new Error('at once');
      },
    });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    expect((await look(id)).state).toBe('scheduled');
  });

  it('of a payload that is no JSON any more is final', async () => {
    const { jobs, clock, look, store } = workBench({ run: () => {} });
    const command = jobs.prepare('run', null);
    const payload = { kind: 'json', text: '{broken' } as const;
    await store.apply([{ ...command, job: { ...command.job, payload } }]);
    await jobs.start();
    await clock.advance(0);
    expect(await look(command.job.id)).toMatchObject({ state: 'dead', reason: 'final_error' });
  });
});

describe('a handler’s context', () => {
  it('says all there is to know', async () => {
    let seen: unknown;
    const { jobs, clock } = workBench({
      run: (_: unknown, context) => {
        const {
          jobId,
          sessionId,
          handler,
          queue,
          tenant,
          tags,
          headers,
          correlationId,
          traceId,
          token,
          idempotencyKey,
        } = context;
        seen = {
          jobId,
          sessionId,
          handler,
          queue,
          tenant,
          tags,
          headers,
          correlationId,
          traceId,
          token,
          idempotencyKey,
        };
      },
    });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null, {
      queue: 'q',
      tenant: 't',
      tags: ['x'],
      headers: { h: '1' },
      traceId: 'tr',
    });
    await clock.advance(0);
    expect(seen).toEqual({
      jobId: id,
      sessionId: id,
      handler: 'run',
      queue: 'q',
      tenant: 't',
      tags: ['x'],
      headers: { h: '1' },
      correlationId: id,
      traceId: 'tr',
      token: 1,
      idempotencyKey: id,
    });
  });
});

describe('what is recorded', () => {
  it('can be decided again from the attempt and the policy', async () => {
    const errors = [
      new Error('down'),
      Object.assign(new Error('slow'), { status: 429, headers: { 'retry-after': '300' } }),
    ];
    const { jobs, clock, look, store } = workBench({
      run: {
        run: () => {
          const error = errors.shift();
          if (error) throw error;
        },
        policy: { id: 'mine', maxAttempts: 4, jitter: 'full', baseDelayMs: 1_000 },
      },
    });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(3_600_000);
    const { attempts } = await look(id);
    expect(attempts.kept.map(({ reason }) => reason)).toEqual([
      'retryable_error',
      'rate_limited',
      'succeeded',
    ]);
    for (const attempt of attempts.kept) {
      const stored = await store.policy(attempt.policyHash);
      if (attempt.input === undefined || stored === undefined) continue;
      expect(decide({ ...attempt.input, policy: stored.policy })).toMatchObject({
        action: attempt.action,
        reason: attempt.reason,
        delayMs: attempt.delayMs,
        charge: { entry: attempt.entry },
      });
    }
  });

  it('goes to listeners as it happens, and is what can be read back later', async () => {
    let calls = 0;
    const { jobs, clock, look, records } = workBench({
      'mail.send': () => {
        calls += 1;
        if (calls === 1) throw new Error('down');
        return 'sent';
      },
    });
    await jobs.start();
    const { id } = await jobs.enqueue('mail.send', null, { tenant: 'acme', correlationId: 'c' });
    await clock.advance(120_000);
    expect(records.map(({ kind }) => kind)).toEqual([
      'attempt_started',
      'attempt_ended',
      'attempt_started',
      'attempt_ended',
      'session_ended',
    ]);
    const readBack = recordsOf(await look(id), {
      policyId: (hash) => (hash === hashPolicy(RUNS_DEFAULT) ? 'runs.default' : undefined),
    });
    expect(
      records.map(({ kind, ...rest }) => [kind, 'session' in rest ? rest.session : undefined]),
    ).toEqual(
      readBack.map(({ kind, ...rest }) => [kind, 'session' in rest ? rest.session : undefined]),
    );
    const session = toSessionV1(records);
    expect(session).toMatchObject({ success: true, total_attempts: 2, operation: 'mail.send' });
    validateRecord('session', session);
  });

  it.each<[string, NonNullable<EventSink['wants']>, readonly string[]]>([
    ['some', (kind) => kind === 'session_ended', ['session_ended']],
    ['all', () => true, ['attempt_started', 'attempt_ended', 'session_ended']],
    [
      'none, where it throws',
      () => {
        throw new Error('broken listener');
      },
      [],
    ],
  ])('a listener gets the kinds of records that it wants: %s', async (_, wants, kinds) => {
    const got: string[] = [];
    const events = { ...syncSink(({ kind }) => got.push(kind)), wants };
    const { jobs, clock, look } = workBench({ run: () => {} }, { events });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    expect((await look(id)).state).toBe('succeeded');
    expect(got).toEqual(kinds);
  });

  it('does no harm where a listener throws', async () => {
    const { jobs, clock, look } = workBench(
      { run: () => Promise.reject(new Error('down')) },
      {
        events: {
          emit: () => {
            throw new Error('broken listener');
          },
          open: () => undefined,
        } as never,
        onNotice: () => {
          throw new Error('broken listener');
        },
      },
    );
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    expect((await look(id)).state).toBe('scheduled');
  });

  it('does no harm where a listener rejects', async () => {
    const { jobs, clock } = workBench(
      { run: () => {} },
      { onNotice: async () => Promise.reject(new Error('broken listener')) },
    );
    await jobs.start();
    await clock.advance(10);
  });
});
