import { claimAttempt, openAccount, settleAttempt } from '@redrive/core/stored';
import { describe, expect, it } from 'vitest';
import { EXPIRED_GROUP } from '../dead-letter/fingerprint.ts';
import { NO_ATTEMPTS } from './attempt-log.ts';
import type { JobLife, JobState } from './job.ts';
import type { SettledState, Settlement } from './settlement.ts';
import { type JobEvent, LEGAL_FROM, type Transition, transition } from './transition.ts';

const NOW = 10_000;
const RUNNING = claimAttempt(openAccount());
const ENDED = settleAttempt(RUNNING, 'failed', 500);

const BASE: JobLife = {
  state: 'ready',
  revision: 7,
  token: 3,
  account: openAccount(),
  generationAtMs: 1,
  cancelRequested: false,
  retryCount: 1,
  errorClass: 'retryable',
  reason: 'retryable_error',
  attempts: NO_ATTEMPTS,
};
const LEASE = {
  worker: 'w',
  policyHash: 'p',
  sinceMs: NOW - 100,
  untilMs: NOW + 100,
  alone: false,
};

const LIVES: Readonly<Record<JobState, JobLife>> = {
  scheduled: { ...BASE, state: 'scheduled', dueAtMs: NOW },
  ready: BASE,
  parked: { ...BASE, state: 'parked', dueAtMs: NOW, cause: 'breaker_open' },
  leased: { ...BASE, state: 'leased', account: RUNNING, lease: LEASE },
  succeeded: { ...BASE, state: 'succeeded', finishedAtMs: 5 },
  dead: { ...BASE, state: 'dead', finishedAtMs: 5 },
  cancelled: { ...BASE, state: 'cancelled', finishedAtMs: 5 },
  purged: { ...BASE, state: 'purged', finishedAtMs: 5, purgedFrom: 'dead' },
};

function settlement(with_: Partial<Settlement> = {}): Settlement {
  return {
    id: 'job',
    token: 3,
    by: 'held',
    to: 'scheduled',
    dueInMs: 500,
    account: ENDED,
    retryCount: 2,
    errorClass: 'retryable',
    reason: 'retryable_error',
    attempts: NO_ATTEMPTS,
    detail: '{}',
    ...with_,
  };
}

const EVENTS: Readonly<Record<JobEvent['kind'], JobEvent>> = {
  claim: { kind: 'claim', worker: 'w-2', leaseMs: 30, policyHash: 'p-2', alone: true },
  extend: { kind: 'extend', token: 3, leaseMs: 1_000 },
  settle: { kind: 'settle', settlement: settlement() },
  promote: { kind: 'promote' },
  unpark: { kind: 'unpark', byHand: false },
  run_now: { kind: 'run_now' },
  replace: { kind: 'replace' },
  cancel: { kind: 'cancel' },
  expire: { kind: 'expire' },
  requeue: { kind: 'requeue' },
  reset: { kind: 'reset' },
  purge: { kind: 'purge' },
  restore: { kind: 'restore' },
  regroup: { kind: 'regroup', fingerprint: 'fp-2' },
};

/** The life that must come of it. */
function lifeAfter(answer: Transition): JobLife {
  if (!answer.ok) throw new Error(`refused: ${answer.refusal}`);
  return answer.life;
}

function settled(life: JobLife, with_: Partial<Settlement>): JobLife {
  return lifeAfter(transition(life, { kind: 'settle', settlement: settlement(with_) }, NOW));
}

describe('legal transitions', () => {
  const kinds = Object.keys(EVENTS) as JobEvent['kind'][];
  const states = Object.keys(LIVES) as JobState[];
  const pairs = kinds.flatMap((kind) => states.map((state) => [kind, state] as const));

  it.each(pairs)('%s of a job that is %s', (kind, state) => {
    // All of them past their deadline, so that `expire` has its reason; nothing is claimed then.
    const deadlineMs = kind === 'expire' ? NOW : undefined;
    const life = Object.freeze({ ...LIVES[state], deadlineMs });
    const answer = transition(life, EVENTS[kind], NOW);
    expect(answer.ok).toBe(LEGAL_FROM[kind].includes(state));
    if (!answer.ok) {
      const late = kind === 'settle' || kind === 'extend';
      expect(answer.refusal).toBe(late ? 'stale_token' : 'illegal');
      return;
    }
    const physical = kind === 'promote' || kind === 'extend';
    expect(answer.recorded).toBe(!physical);
    expect(answer.life.revision).toBe(physical ? 7 : 8);
    const raises = ['claim', 'settle', 'requeue', 'reset'].includes(kind);
    expect(answer.life.token).toBe(raises ? 4 : 3);
  });
});

describe('a claim', () => {
  it('charges an attempt and leases the job from now', () => {
    expect(lifeAfter(transition(BASE, EVENTS.claim, NOW))).toEqual({
      ...BASE,
      state: 'leased',
      revision: 8,
      token: 4,
      account: RUNNING,
      generationAtMs: NOW,
      dueAtMs: undefined,
      lease: { worker: 'w-2', policyHash: 'p-2', sinceMs: NOW, untilMs: NOW + 30, alone: true },
    });
  });

  it('comes too late at the deadline', () => {
    const at = (deadlineMs: number) => transition({ ...BASE, deadlineMs }, EVENTS.claim, NOW).ok;
    expect([at(NOW - 1), at(NOW), at(NOW + 1)]).toEqual([false, false, true]);
  });
});

describe('a heartbeat', () => {
  it('needs the newest token and a lease that lives', () => {
    const { leased } = LIVES;
    for (const token of [2, 4]) {
      const answer = transition(leased, { kind: 'extend', token, leaseMs: 1 }, NOW);
      expect(answer).toEqual({ ok: false, refusal: 'stale_token' });
    }
    const expired = { ...leased, lease: { ...LEASE, untilMs: NOW } };
    expect(transition(expired, EVENTS.extend, NOW)).toEqual({ ok: false, refusal: 'stale_token' });
  });

  it('makes a lease longer, never shorter', () => {
    const until = (leaseMs: number) =>
      lifeAfter(transition(LIVES.leased, { kind: 'extend', token: 3, leaseMs }, NOW)).lease
        ?.untilMs;
    expect([until(1_000), until(100), until(1)]).toEqual([NOW + 1_000, NOW + 100, NOW + 100]);
  });
});

describe('the settlement of an attempt', () => {
  it('is refused with another token, with an attempt that still runs, or while the lease lives', () => {
    const refusalOf = (with_: Partial<Settlement>) => {
      const event: JobEvent = { kind: 'settle', settlement: settlement(with_) };
      const answer = transition(LIVES.leased, event, NOW);
      return answer.ok ? 'accepted' : answer.refusal;
    };
    expect(refusalOf({ token: 2 })).toBe('stale_token');
    expect(refusalOf({ token: 4 })).toBe('stale_token');
    expect(refusalOf({ account: RUNNING })).toBe('illegal');
    expect(refusalOf({ by: 'expired' })).toBe('lease_alive');
    expect(refusalOf({})).toBe('accepted');
  });

  it('may come late from the worker that held the lease, and from the rescue only then', () => {
    const life = { ...LIVES.leased, lease: { ...LEASE, untilMs: NOW } };
    for (const by of ['held', 'expired'] as const) {
      expect(settled(life, { by }).state).toBe('scheduled');
    }
  });

  it.each<[SettledState, number | undefined, Partial<JobLife>]>([
    ['scheduled', 500, { state: 'scheduled', dueAtMs: NOW + 500 }],
    ['scheduled', 0, { state: 'ready', dueAtMs: undefined }],
    ['scheduled', -1, { state: 'ready', dueAtMs: undefined }],
    ['scheduled', undefined, { state: 'ready', dueAtMs: undefined }],
    ['ready', 500, { state: 'ready', dueAtMs: undefined }],
    ['parked', 500, { state: 'parked', dueAtMs: NOW + 500, cause: 'gate_closed' }],
    ['parked', 0, { state: 'parked', dueAtMs: NOW, cause: 'gate_closed' }],
    ['succeeded', 500, { state: 'succeeded', dueAtMs: undefined, finishedAtMs: NOW }],
    ['dead', 500, { state: 'dead', dueAtMs: undefined, finishedAtMs: NOW }],
    ['cancelled', 500, { state: 'cancelled', dueAtMs: undefined, finishedAtMs: NOW }],
  ])('to %s in %s ms', (to, dueInMs, expected) => {
    expect(settled(LIVES.leased, { to, dueInMs, cause: 'gate_closed' })).toEqual({
      ...BASE,
      revision: 8,
      token: 4,
      account: ENDED,
      retryCount: 2,
      lease: undefined,
      cause: undefined,
      finishedAtMs: undefined,
      ...expected,
    });
  });

  it('of a job that somebody cancelled leads to no other attempt', () => {
    const life = { ...LIVES.leased, cancelRequested: true };
    for (const to of ['scheduled', 'ready', 'parked'] as const) {
      const { state, reason, dueAtMs, cause, finishedAtMs } = settled(life, { to });
      expect([state, reason, dueAtMs, cause, finishedAtMs]).toEqual([
        ...['cancelled', 'cancelled', undefined, undefined],
        NOW,
      ]);
    }
    for (const to of ['succeeded', 'dead', 'cancelled'] as const) {
      const { state, reason } = settled(life, { to, reason: 'final_error' });
      expect([state, reason]).toEqual([to, 'final_error']);
    }
  });
});

describe('the group of a dead letter', () => {
  const group = { fingerprint: 'fp1:0', pattern: 'Error' };

  it('is that of its settlement, and of no other event', () => {
    expect(settled(LIVES.leased, { to: 'dead', group }).fingerprint).toBe('fp1:0');
    expect(settled(LIVES.leased, { to: 'scheduled', group }).fingerprint).toBeUndefined();
    expect(settled(LIVES.leased, { to: 'dead' }).fingerprint).toBeUndefined();
  });

  it('is the same for all whose deadline passed', () => {
    const late = { ...BASE, deadlineMs: NOW };
    const { fingerprint } = lifeAfter(transition(late, EVENTS.expire, NOW));
    expect(fingerprint).toBe(EXPIRED_GROUP.fingerprint);
  });

  it('stays while it is purged, until a requeue', () => {
    const dead = { ...LIVES.dead, fingerprint: 'fp1:0' };
    const purged = lifeAfter(transition(dead, EVENTS.purge, NOW));
    const restored = lifeAfter(transition(purged, EVENTS.restore, NOW));
    expect([purged.fingerprint, restored.fingerprint]).toEqual(['fp1:0', 'fp1:0']);
    expect(lifeAfter(transition(dead, EVENTS.requeue, NOW)).fingerprint).toBeUndefined();
  });
});

describe('time', () => {
  it('promotes and releases when it has come, not before', () => {
    for (const [life, event] of [
      [LIVES.scheduled, EVENTS.promote],
      [LIVES.parked, EVENTS.unpark],
    ] as const) {
      expect(transition(life, event, NOW - 1)).toEqual({ ok: false, refusal: 'not_due' });
      const { state, dueAtMs, cause } = lifeAfter(transition(life, event, NOW));
      expect([state, dueAtMs, cause]).toEqual(['ready', undefined, undefined]);
    }
  });

  it('gives up a job that waits past its deadline', () => {
    for (const state of ['scheduled', 'ready', 'parked'] as const) {
      const life = { ...LIVES[state], deadlineMs: NOW };
      expect(transition(life, EVENTS.expire, NOW - 1)).toEqual({ ok: false, refusal: 'not_due' });
      const after = lifeAfter(transition(life, EVENTS.expire, NOW));
      expect([after.state, after.reason, after.finishedAtMs]).toEqual([
        'dead',
        'ttl_exceeded',
        NOW,
      ]);
      expect([after.dueAtMs, after.cause]).toEqual([undefined, undefined]);
    }
    expect(transition(BASE, EVENTS.expire, NOW)).toEqual({ ok: false, refusal: 'not_due' });
  });
});

describe('an operator', () => {
  it('makes a parked job and a scheduled one ready before their time', () => {
    const byHand: JobEvent = { kind: 'unpark', byHand: true };
    expect(lifeAfter(transition(LIVES.parked, byHand, 0)).state).toBe('ready');
    const { state, dueAtMs } = lifeAfter(transition(LIVES.scheduled, EVENTS.run_now, 0));
    expect([state, dueAtMs]).toEqual(['ready', undefined]);
  });

  it('cancels a waiting job, and asks a running one to stop', () => {
    const waiting = lifeAfter(transition(LIVES.parked, EVENTS.cancel, NOW));
    expect([waiting.state, waiting.reason, waiting.finishedAtMs, waiting.cause]).toEqual([
      ...['cancelled', 'cancelled', NOW, undefined],
    ]);
    const running = lifeAfter(transition(LIVES.leased, EVENTS.cancel, NOW));
    expect(running).toEqual({ ...LIVES.leased, revision: 8, cancelRequested: true });
  });

  it('starts a job over as a new generation', () => {
    const dead = { ...LIVES.dead, account: ENDED, deadlineMs: 4, cancelRequested: true };
    const again = lifeAfter(transition(dead, { kind: 'requeue', deadlineMs: 99 }, NOW));
    expect(again).toEqual({
      ...BASE,
      revision: 8,
      token: 4,
      account: { ...openAccount(), generation: 2, executions: 1 },
      generationAtMs: NOW,
      deadlineMs: 99,
      retryCount: 0,
      errorClass: undefined,
      reason: undefined,
      finishedAtMs: undefined,
    });
  });

  it('gives fresh attempts to a job where it is', () => {
    for (const state of ['scheduled', 'ready', 'parked', 'dead', 'cancelled'] as const) {
      const life = { ...LIVES[state], account: ENDED, deadlineMs: NOW + 4, fingerprint: 'fp1:x' };
      expect(lifeAfter(transition(life, EVENTS.reset, NOW)), state).toEqual({
        ...life,
        revision: 8,
        token: 4,
        account: { ...openAccount(), generation: 2, executions: 1 },
        generationAtMs: NOW,
        retryCount: 0,
      });
    }
  });

  it('purges a finished job, and undoes it', () => {
    for (const state of ['succeeded', 'dead', 'cancelled'] as const) {
      const purged = lifeAfter(transition(LIVES[state], EVENTS.purge, NOW));
      expect([purged.state, purged.purgedFrom, purged.finishedAtMs]).toEqual(['purged', state, 5]);
      expect(purged.purgedAtMs).toBe(NOW);
      const restored = lifeAfter(transition(purged, EVENTS.restore, NOW));
      expect(restored).toEqual({ ...LIVES[state], revision: 9 });
    }
  });

  it('replaces a waiting job by one that is due at another time', () => {
    for (const state of ['scheduled', 'ready', 'parked'] as const) {
      const life = { ...LIVES[state], deadlineMs: 4 };
      const later: JobEvent = { kind: 'replace', dueAtMs: NOW + 1, deadlineMs: NOW + 9 };
      const waits = lifeAfter(transition(life, later, NOW));
      expect(waits).toEqual({
        ...{ ...BASE, revision: 8, state: 'scheduled', dueAtMs: NOW + 1, deadlineMs: NOW + 9 },
        cause: undefined,
      });
      const atOnce = lifeAfter(transition(life, { kind: 'replace', dueAtMs: NOW }, NOW));
      expect([atOnce.state, atOnce.dueAtMs, atOnce.deadlineMs]).toEqual([
        ...['ready', undefined, undefined],
      ]);
    }
  });
});
