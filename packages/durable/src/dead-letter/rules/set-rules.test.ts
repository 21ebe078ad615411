import type { CauseRule } from '@redrive/core/stored';
import { expect, test } from 'vitest';
import { controlNote, documentsIn, updateControl } from '../../control/update-control.ts';
import { actOnEscalation } from '../../escalation/act-on-escalation.ts';
import { lookAtEscalations, NOTIFY_HANDLER } from '../../escalation/look-at-escalations.ts';
import { DEFAULT_TIERS } from '../../escalation/tiers.ts';
import { deadLetter } from '../../handler/verdict.ts';
import { carryOutOperation } from '../../operation/carry-out-operation.ts';
import { operationStatus } from '../../operation/operation-status.ts';
import type { FullStore } from '../../store/full-store.ts';
import { workBench } from '../../testing/work-bench.ts';
import { fingerprintOf } from '../fingerprint.ts';
import { namedCause } from './cause-rules.ts';
import { REGROUP_KEY } from './rule-documents.ts';
import { applyFileRules, causeRulesOf, removeCauseRule, setCauseRule } from './set-rules.ts';
import { tryCauseRule } from './try-rules.ts';

const actor = { name: 'cli:eve@host', why: 'INC-7' };
const RULES = {
  tiers: DEFAULT_TIERS,
  hours: {
    timeZone: 'UTC',
    ...{ opensMinute: 540, closesMinute: 1_020, days: [1, 2, 3, 4, 5], holidays: [] },
  },
  resolveAfterMs: 900_000,
};
const DECLINED = 'card declined by the bank';
const EXPIRED = 'card expired';
const causeOf = (message: string, handler = 'pay') =>
  fingerprintOf({ type: 'Error', message }, handler).fingerprint;
const MERGED: CauseRule = {
  name: 'cards',
  title: 'Card refused',
  fingerprints: [causeOf(DECLINED), causeOf(EXPIRED)],
};

function bench() {
  return workBench({
    pay: (message: string) => {
      const error = new Error(message);
      throw Object.assign(error, {
        status: 400,
        code: message.includes('expired') ? 'exp' : 'dec',
      });
    },
    named: () => deadLetter('no money left', { cause: 'no-money' }),
    thrown: () => {
      throw Object.assign(new Error('no money', { cause: 'no-money' }), { status: 400 });
    },
    [NOTIFY_HANDLER]: () => {},
  });
}

type Bench = ReturnType<typeof bench>;

async function fail({ jobs, clock }: Bench, ...messages: string[]): Promise<void> {
  for (const message of messages) await jobs.enqueue('pay', message);
  await clock.advance(1_000);
}

async function groupsOf(store: FullStore) {
  const { groups } = await store.deadGroups({}, { limit: 100 });
  return Object.fromEntries(groups.map(({ pattern, count }) => [pattern, count]));
}

test('a merge takes old letters in the background and new ones at once', async () => {
  const made = bench();
  const { store, clock, jobs } = made;
  await jobs.start();
  await fail(made, DECLINED, DECLINED, EXPIRED);
  const { operation = '' } = await setCauseRule(store, { rule: MERGED, actor });
  await clock.advance(1_000);
  await fail(made, EXPIRED);
  expect(await groupsOf(store)).toMatchObject({ 'Card refused': 1 });
  await clock.advance(10_000);
  expect(await groupsOf(store)).toEqual({ 'Card refused': 4 });
  expect(await operationStatus(store, operation)).toMatchObject({
    state: 'finished',
    ...{ acted: 3, refused: 0, changes: [{ to: 'running', by: actor.name }, { to: 'finished' }] },
  });
});

test('a letter that dies under the old rules, while the new ones are set, moves too', async () => {
  const made = bench();
  const { store, clock, jobs } = made;
  await jobs.start();
  // The worker does not see the new rule for a while.
  const { controls, controlRevision } = store;
  const old = await store.controls();
  const { operation = '' } = await setCauseRule(store, { rule: MERGED, actor });
  store.controls = async () => old;
  store.controlRevision = async () => old.revision;
  await fail(made, EXPIRED);
  Object.assign(store, { controls, controlRevision });
  expect(await groupsOf(store)).toEqual({ 'Error: card expired': 1 });
  await clock.advance(10_000);
  expect(await groupsOf(store)).toEqual({ 'Card refused': 1 });
  expect(await operationStatus(store, operation)).toMatchObject({ acted: 1 });
});

test('without a worker the process that set the rule moves the letters', async () => {
  const made = bench();
  const { store, clock, jobs } = made;
  await jobs.start();
  await fail(made, DECLINED, EXPIRED);
  await made.stop();
  const { operation = '' } = await setCauseRule(store, { rule: MERGED, actor });
  const done = carryOutOperation(store, operation, { clock });
  await clock.advance(5_000);
  expect(await done).toMatchObject({ state: 'finished', acted: 2 });
});

test('a split by code and its removal move each letter there and back', async () => {
  const made = bench();
  const { store, clock, jobs } = made;
  await jobs.start();
  await fail(made, DECLINED, EXPIRED, EXPIRED);
  const before = await groupsOf(store);
  await setCauseRule(store, { rule: MERGED, actor });
  await clock.advance(5_000);
  const { fingerprint } = namedCause('cards');
  const split: CauseRule = { name: 'by-code', fingerprints: [fingerprint], splitBy: 'code' };
  await setCauseRule(store, { rule: split, actor });
  await clock.advance(5_000);
  expect(await groupsOf(store)).toEqual({
    'Card refused (code dec)': 1,
    'Card refused (code exp)': 2,
  });
  await removeCauseRule(store, { name: 'by-code', actor });
  await clock.advance(5_000);
  expect(await groupsOf(store)).toEqual({ 'Card refused': 3 });
  await removeCauseRule(store, { name: 'cards', actor });
  await clock.advance(5_000);
  expect(await groupsOf(store)).toEqual(before);
  expect(await causeRulesOf(store)).toEqual([]);
});

test('a new name moves no letter, and its removal gives the old name back', async () => {
  const made = bench();
  const { store, clock, jobs } = made;
  await jobs.start();
  await fail(made, DECLINED, DECLINED);
  const into = causeOf(DECLINED);
  const rule: CauseRule = { name: 'r1', fingerprints: [into], into, title: 'Bank says no' };
  expect((await setCauseRule(store, { rule, actor })).operation).toBeUndefined();
  expect(await groupsOf(store)).toEqual({ 'Bank says no': 2 });
  await fail(made, DECLINED);
  expect(await groupsOf(store)).toEqual({ 'Bank says no': 3 });
  await removeCauseRule(store, { name: 'r1', actor });
  await clock.advance(5_000);
  expect(await groupsOf(store)).toEqual({ 'Error: card declined by the bank': 3 });
});

test('a cause that was removed and made again has its new title', async () => {
  const made = bench();
  const { store, clock, jobs } = made;
  await jobs.start();
  await fail(made, DECLINED, EXPIRED);
  await setCauseRule(store, { rule: MERGED, actor });
  await clock.advance(10_000);
  await removeCauseRule(store, { name: 'cards', actor });
  await clock.advance(10_000);
  expect(Object.keys(await groupsOf(store))).toHaveLength(2);
  await setCauseRule(store, { rule: { ...MERGED, title: 'Refused by the bank' }, actor });
  await clock.advance(10_000);
  expect(await groupsOf(store)).toEqual({ 'Refused by the bank': 2 });
});

test('a worker continues where the process that set a rule was killed', async () => {
  const made = bench();
  const { store, clock, jobs } = made;
  await jobs.start();
  await fail(made, DECLINED, EXPIRED);
  // Killed right after the rule was written.
  await updateControl(store, {
    of: 'cause',
    key: 'cards',
    next: (_, atMs) => ({ rule: MERGED, by: 'eve', atMs }),
    note: () => controlNote(actor, 'set'),
  });
  await clock.advance(10_000);
  expect(await groupsOf(store)).toEqual({ 'Card refused': 2 });
});

test('a name that an error or a verdict gives is the cause, with those of a rule', async () => {
  const made = bench();
  const { store, clock, jobs } = made;
  await jobs.start();
  await jobs.enqueue('named', undefined as never);
  await jobs.enqueue('thrown', undefined as never);
  await clock.advance(1_000);
  expect(await groupsOf(store)).toEqual({ 'no-money': 2 });
  await fail(made, EXPIRED);
  const rule: CauseRule = { name: 'no-money', messages: ['*expired*'] };
  await setCauseRule(store, { rule, actor });
  await clock.advance(5_000);
  expect(await groupsOf(store)).toEqual({ 'no-money': 3 });
  expect(() => deadLetter('x', { cause: 'a b' })).toThrow(RangeError);
});

test('rules of the file come first, follow the file, and are changed there alone', async () => {
  const made = bench();
  const { store, clock, jobs } = made;
  await jobs.start();
  await fail(made, DECLINED, EXPIRED);
  await setCauseRule(store, { rule: { name: 'all', handlers: ['pay'] }, actor });
  const rules: CauseRule[] = [{ name: 'cards', messages: ['*expired*'] }];
  await applyFileRules(store, { rules, actor });
  await clock.advance(10_000);
  expect((await causeRulesOf(store)).map(({ rule }) => rule.name)).toEqual(['cards', 'all']);
  expect(await groupsOf(store)).toEqual({ cards: 1, all: 1 });
  await expect(setCauseRule(store, { rule: MERGED, actor })).rejects.toMatchObject({
    code: 'invalid_option',
  });
  expect(await applyFileRules(store, { rules, actor })).toBeUndefined();
  await applyFileRules(store, { rules: [], actor });
  await clock.advance(10_000);
  expect(await groupsOf(store)).toEqual({ all: 2 });
});

test('a cause has its own name again when the file gives it none any more', async () => {
  const made = bench();
  const { store, clock, jobs } = made;
  await jobs.start();
  await fail(made, DECLINED);
  const into = causeOf(DECLINED);
  const rule: CauseRule = { name: 'r1', fingerprints: [into], into, title: 'Bank says no' };
  await applyFileRules(store, { rules: [rule], actor });
  expect(await groupsOf(store)).toEqual({ 'Bank says no': 1 });
  await applyFileRules(store, { rules: [{ ...rule, title: 'No, says the bank' }], actor });
  expect(await groupsOf(store)).toEqual({ 'No, says the bank': 1 });
  await applyFileRules(store, { rules: [], actor });
  await clock.advance(10_000);
  expect(await groupsOf(store)).toEqual({ 'Error: card declined by the bank': 1 });
});

test('a trial says what would join, and changes nothing', async () => {
  const made = bench();
  const { store, jobs } = made;
  await jobs.start();
  await fail(made, DECLINED, DECLINED, EXPIRED);
  const before = await groupsOf(store);
  const into = causeOf(EXPIRED);
  const set: CauseRule = {
    name: 'm',
    fingerprints: [causeOf(DECLINED)],
    into,
    title: 'Card expired',
  };
  expect(await tryCauseRule(store, { set })).toEqual({
    letters: { count: 2, bounded: false },
    from: [{ fingerprint: causeOf(DECLINED), letters: 2 }],
    to: [
      { fingerprint: into, pattern: 'Card expired', letters: 2, has: { count: 1, bounded: false } },
    ],
  });
  expect(await groupsOf(store)).toEqual(before);
  expect(await causeRulesOf(store)).toEqual([]);
  await expect(tryCauseRule(store, { set: { name: 'empty' } })).rejects.toMatchObject({
    code: 'invalid_option',
    message: expect.stringContaining('it matches nothing'),
  });
});

test('a merge carries what people said, and sends no notification', async () => {
  const made = bench();
  const { store, clock, jobs } = made;
  await jobs.start();
  await fail(made, DECLINED, DECLINED, EXPIRED);
  await lookAtEscalations(store, RULES);
  const key = causeOf(DECLINED);
  await actOnEscalation(store, { key, tier: 3, actor, act: 'acknowledge' });
  await actOnEscalation(store, { key, tier: 3, actor, act: 'assign', owner: 'payments team' });
  const snooze = { act: 'snooze', untilMs: clock.now() + 7_200_000 } as const;
  await actOnEscalation(store, { key, tier: 3, actor, ...snooze });
  await setCauseRule(store, { rule: MERGED, actor });
  // New letters have the merged cause before the old ones arrive.
  await fail(made, DECLINED);
  for (let second = 0; second < 30; second += 1) {
    await lookAtEscalations(store, RULES);
    await clock.advance(1_000);
  }
  const documents = documentsIn(await store.controls(), 'escalation');
  const document = documents.get(namedCause('cards').fingerprint);
  expect(document?.regrouped).toBeUndefined();
  expect(document).toMatchObject({
    ...{ notifiedTier: 3, isEnqueued: true },
    acknowledged: { tier: 3, by: actor.name },
    ...{ owner: { name: 'payments team' }, snoozed: { untilMs: snooze.untilMs } },
  });
  expect((await store.jobs({ handler: NOTIFY_HANDLER }, { limit: 10 })).jobs).toHaveLength(2);
});

test('a split carries it to each part', async () => {
  const made = bench();
  const { store, clock, jobs } = made;
  await jobs.start();
  await setCauseRule(store, { rule: MERGED, actor });
  await fail(made, DECLINED, EXPIRED);
  await clock.advance(5_000);
  await lookAtEscalations(store, RULES);
  const { fingerprint: key } = namedCause('cards');
  await actOnEscalation(store, { key, tier: 3, actor, act: 'acknowledge' });
  const rule: CauseRule = { name: 'by-code', fingerprints: [key], splitBy: 'code' };
  await setCauseRule(store, { rule, actor });
  await fail(made, DECLINED);
  for (let second = 0; second < 30; second += 1) {
    await lookAtEscalations(store, RULES);
    await clock.advance(1_000);
  }
  const documents = documentsIn(await store.controls(), 'escalation');
  const parts = [...documents].filter(([cause]) => cause.startsWith('part:'));
  expect(parts.map(([, { acknowledged }]) => acknowledged?.by)).toEqual(Array(2).fill(actor.name));
  expect((await store.jobs({ handler: NOTIFY_HANDLER }, { limit: 10 })).jobs).toHaveLength(1);
});

test('a new version of fingerprints moves all letters and sends no notification', async () => {
  const made = bench();
  const { store, clock, jobs } = made;
  await jobs.start();
  await fail(made, ...Array<string>(700).fill(DECLINED), ...Array<string>(600).fill(EXPIRED));
  await made.stop();
  // The earlier version had one cause for each, under other names.
  const { jobs: letters } = await store.deadLetters({}, { limit: 1_000 });
  const { next } = await store.deadLetters({}, { limit: 1_000 });
  const rest = await store.deadLetters({}, { limit: 1_000, after: next });
  const acts = [...letters, ...rest.jobs].map(({ id, fingerprint = '' }) => ({
    ...({ kind: 'act', act: 'regroup', id, actor } as const),
    group: { fingerprint: fingerprint.replace('fp1', 'fp0'), pattern: 'as before' },
  }));
  for (let at = 0; at < acts.length; at += 500) await store.apply(acts.slice(at, at + 500));
  await updateControl(store, {
    of: 'regroup',
    key: REGROUP_KEY,
    next: (_, sinceMs) => ({ version: 'fp0', rules: [], sinceMs }),
  });
  expect((await store.deadGroups({}, { limit: 10 })).groups).toMatchObject([
    { pattern: 'as before', count: 600 },
    { pattern: 'as before', count: 700 },
  ]);
  await lookAtEscalations(store, RULES);
  const after = workBench({ pay: () => {} }, { store }, clock);
  await after.jobs.start();
  for (let second = 0; second < 60; second += 1) {
    await lookAtEscalations(store, RULES);
    await clock.advance(1_000);
  }
  expect(await groupsOf(store)).toEqual({
    'Error: card declined by the bank': 700,
    'Error: card expired': 600,
  });
  const documents = documentsIn(await store.controls(), 'escalation');
  expect(documents.get(causeOf(DECLINED))).toMatchObject({ notifiedTier: 3, isEnqueued: true });
  expect((await store.jobs({ handler: NOTIFY_HANDLER }, { limit: 10 })).jobs).toHaveLength(2);
});
