import { openAccount, settleAttempt } from '@redrive/core/stored';
import { expect, test } from 'vitest';
import { NO_ATTEMPTS } from '../job/attempt-log.ts';
import { JOB_STATES, type JobLife } from '../job/job.ts';
import type { SettledState } from '../job/settlement.ts';
import { type JobEvent, transition } from '../job/transition.ts';
import { isLegalMove, MOVES, type MoveEvent, raisedBy } from './moves.ts';

const NOW = 1_000;
const CLAIMED = { ...openAccount(), claims: 1, executions: 1 };
const SETTLED: readonly SettledState[] = [
  'succeeded',
  'scheduled',
  'ready',
  'parked',
  'dead',
  'cancelled',
];

/** Every life that is worth looking at. */
function lives(): JobLife[] {
  return JOB_STATES.flatMap((state) =>
    [true, false].flatMap((cancelRequested) =>
      (['succeeded', 'dead', 'cancelled'] as const).map((purgedFrom) => ({
        state,
        revision: 5,
        token: 7,
        account: state === 'leased' ? CLAIMED : openAccount(),
        generationAtMs: 0,
        dueAtMs: NOW - 1,
        // A claim needs one that has not passed, an end by the deadline one that has: see `eventsOf`.
        deadlineMs: undefined,
        lease:
          state === 'leased'
            ? { worker: 'w', sinceMs: 0, untilMs: NOW - 1, policyHash: 'h', alone: false }
            : undefined,
        cancelRequested,
        retryCount: 0,
        attempts: NO_ATTEMPTS,
        purgedFrom: state === 'purged' ? purgedFrom : undefined,
      })),
    ),
  );
}

/** What the records of these transitions are called. */
function eventsOf(life: JobLife): [MoveEvent, JobEvent, JobLife][] {
  const settled = SETTLED.flatMap((to): [MoveEvent, JobEvent, JobLife][] =>
    [0, 5].flatMap((dueInMs) => {
      const account = settleAttempt(CLAIMED, 'failed', dueInMs);
      const settlement = (by: 'held' | 'expired') => ({
        ...{ id: 'j', token: life.token, by, to, dueInMs, account, retryCount: 0 },
        ...({ reason: 'lease_lost', attempts: NO_ATTEMPTS, detail: '{}' } as const),
      });
      return [
        ['settle', { kind: 'settle', settlement: settlement('held') }, life],
        ['lease_lost', { kind: 'settle', settlement: settlement('expired') }, life],
      ] as [MoveEvent, JobEvent, JobLife][];
    }),
  );
  return [
    ...settled,
    ['claim', { kind: 'claim', worker: 'w', leaseMs: 1, policyHash: 'h', alone: false }, life],
    ['replace', { kind: 'replace' }, life],
    ['replace', { kind: 'replace', dueAtMs: NOW + 1 }, life],
    ['unpark', { kind: 'unpark', byHand: true }, life],
    ['unpark', { kind: 'unpark', byHand: false }, life],
    ['run_now', { kind: 'run_now' }, life],
    ['cancel', { kind: 'cancel' }, life],
    ['expire', { kind: 'expire' }, { ...life, deadlineMs: NOW - 1 }],
    ['requeue', { kind: 'requeue' }, life],
    ['reset', { kind: 'reset' }, life],
    ['purge', { kind: 'purge' }, life],
    ['restore', { kind: 'restore' }, life],
    ['regroup', { kind: 'regroup', fingerprint: 'f' }, life],
  ];
}

test('the moves of the audit are those of transition(), and all of them', () => {
  const seen = new Map<MoveEvent, Set<string>>();
  for (const [name, event, life] of lives().flatMap(eventsOf)) {
    const answer = transition(life, event, NOW);
    if (!answer.ok) continue;
    expect(answer.recorded).toBe(true);
    const { state: to, token, account } = answer.life;
    const move = `${name} from ${life.state} to ${to}`;
    expect(isLegalMove(name, life.state, to), move).toBe(true);
    expect(token - life.token, move).toBe(raisedBy(name).token);
    expect(account.generation - life.account.generation, move).toBe(raisedBy(name).generation);
    if (name === 'claim')
      expect(account.executions - life.account.executions).toBe(raisedBy(name).executions);
    seen.set(name, (seen.get(name) ?? new Set()).add(`${life.state} ${to}`));
  }
  // Beginning and end of a life are the stores' own.
  const own: readonly MoveEvent[] = ['enqueue', 'prune'];
  for (const name of Object.keys(MOVES) as MoveEvent[]) {
    if (own.includes(name)) continue;
    const legal = JOB_STATES.flatMap((from) =>
      JOB_STATES.filter((to) => isLegalMove(name, from, to)).map((to) => `${from} ${to}`),
    );
    expect([...(seen.get(name) ?? [])].sort(), name).toEqual(legal.sort());
  }
});

test('a job begins without a state and is deleted from a final one', () => {
  expect(isLegalMove('enqueue', null, 'ready')).toBe(true);
  expect(isLegalMove('enqueue', 'dead', 'ready')).toBe(false);
  expect(isLegalMove('prune', 'purged', 'purged')).toBe(true);
  expect(isLegalMove('prune', 'leased', 'purged')).toBe(false);
});

test('a note moves nothing', () => {
  expect(isLegalMove('control', null, 'ready')).toBe(false);
  expect(isLegalMove('session', null, null)).toBe(false);
  expect(raisedBy('config')).toMatchObject({ token: 0, generation: 0, executions: 0 });
});
