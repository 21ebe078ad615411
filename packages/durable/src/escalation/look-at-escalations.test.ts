import { definePolicy } from '@redrive/core';
import { openAccount, sanitiseError } from '@redrive/core/stored';
import { describe, expect, it } from 'vitest';
import { updateControl } from '../control/update-control.ts';
import { DOCUMENT_QUEUE } from '../document/document-command.ts';
import { SWEEP_HANDLER } from '../document/sweep-numbers.ts';
import { final } from '../handler/verdict.ts';
import type { JobAttempt } from '../job/attempt-log.ts';
import { firstDocument } from '../schedule/resolve-schedule.ts';
import type { EnqueueCommand } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import { workBench } from '../testing/work-bench.ts';
import { actOnEscalation } from './act-on-escalation.ts';
import {
  escalationSchedule,
  LOOK_HANDLER,
  lookAtEscalations,
  lookHandler,
  NOTIFY_HANDLER,
} from './look-at-escalations.ts';
import type { Notification } from './notify.ts';
import { ESCALATION_QUEUE, readEscalations } from './read-escalations.ts';
import { DEFAULT_TIERS } from './tiers.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const RULES = {
  tiers: DEFAULT_TIERS,
  hours: {
    timeZone: 'UTC',
    ...{ opensMinute: 540, closesMinute: 1_020, days: [1, 2, 3, 4, 5], holidays: [] },
  },
  resolveAfterMs: 15 * MINUTE,
};
const SLOW = definePolicy({ maxAttempts: 100, baseDelayMs: HOUR, maxDelayMs: HOUR });
const actor = { name: 'cli:eve@host', why: 'INC-7' };

function bench(isScheduled = true, more: Record<string, (payload: never) => unknown> = {}) {
  const sent: Notification[] = [];
  let isUp = false;
  const made = workBench({
    [LOOK_HANDLER]: {
      ...{
        idempotent: true,
        run: () => lookHandler(made.store, () => RULES).run(undefined, {} as never),
      },
    },
    ...more,
    [NOTIFY_HANDLER]: (notification: Notification) => void sent.push(notification),
    pay: () => (isUp ? undefined : final('the card of token=abcdef123456 was refused')),
    ship: {
      policy: SLOW,
      run: () => {
        if (!isUp) throw new Error('connect ECONNREFUSED 10.0.0.7:443');
      },
    },
  });
  if (isScheduled) made.jobs.schedule(...(escalationSchedule() as readonly [string, never]));
  return {
    ...made,
    sent,
    setUp: (value: boolean) => {
      isUp = value;
    },
    read: async () => (await readEscalations(made.store, RULES)).escalations,
  };
}

it('a rise is notified once, however often and by however many processes it is looked at', async () => {
  const { jobs, store, clock, sent, read } = bench();
  await jobs.start();
  await jobs.enqueueMany('pay', [{ payload: 1 as never }, { payload: 2 as never }]);
  await clock.advance(5 * MINUTE);
  await Promise.all([1, 2, 3].map(() => lookAtEscalations(store, RULES)));
  await clock.advance(5 * MINUTE);
  expect(sent).toEqual([
    {
      schema_version: '1.0.0',
      escalation: expect.stringMatching(/^fp1:/),
      kind: 'cause',
      title: expect.stringContaining('the card of token=[masked] was refused'),
      ...{ tier: 3, tier_name: 'critical', owner: 'Service team' },
      ...{ stuck: 0, failed: 2, bounded: false, stuck_since: null },
      raised_at: '2026-01-29T12:01:00.000Z',
      respond_by: '2026-01-29T13:01:00.000Z',
      resolve_by: null,
    },
  ]);
  const [escalation] = await read();
  expect(escalation).toMatchObject({ tier: 3, failed: 2, overdue: undefined });
  expect(escalation?.document).toMatchObject({ notifiedTier: 3, isEnqueued: true });
  const { jobs: all } = await store.jobs({ handler: NOTIFY_HANDLER }, { limit: 10 });
  expect(all.map(({ id }) => id)).toEqual([
    `escalation/${escalation?.key}/3/2026-01-29T12:01:00.000Z`,
  ]);
});

it('three processes that look at once enqueue one notification', async () => {
  const { jobs, store, clock } = bench();
  await jobs.start();
  await jobs.enqueue('pay', 1 as never);
  await clock.advance(1_000);
  const reports = await Promise.all([1, 2, 3].map(() => lookAtEscalations(store, RULES)));
  expect(reports.map(({ raised }) => raised).sort()).toEqual([0, 0, 1]);
  const { jobs: all } = await store.jobs({ handler: NOTIFY_HANDLER }, { limit: 10 });
  expect(all).toHaveLength(1);
});

it.each(['before', 'after'] as const)(
  'a process that dies %s the enqueue leaves the notification to the next look',
  async (when) => {
    const { jobs, store, clock } = bench();
    await jobs.start();
    await jobs.enqueue('pay', 1 as never);
    await clock.advance(1_000);
    const { apply } = store;
    const dying = Object.assign(Object.create(store), {
      async apply(commands: Parameters<typeof apply>[0]) {
        if (commands[0]?.kind !== 'enqueue') return apply.call(store, commands);
        if (when === 'after') await apply.call(store, commands);
        throw new Error('killed');
      },
    });
    await expect(lookAtEscalations(dying, RULES)).rejects.toThrow('killed');
    await clock.advance(1_000);
    await lookAtEscalations(store, RULES);
    await lookAtEscalations(store, RULES);
    const { jobs: all } = await store.jobs({ handler: NOTIFY_HANDLER }, { limit: 10 });
    expect(all).toHaveLength(1);
  },
);

it('jobs that fail for the time of tier 2 have it, and are resolved when they succeed', async () => {
  // A day takes seconds in virtual time: the same with two hours.
  const tiers = RULES.tiers.map((tier) => ({ ...tier, afterMs: 2 * HOUR, inBusinessHours: false }));
  const { jobs, store, clock, sent, setUp } = bench(false);
  const rules = { ...RULES, tiers: tiers.slice(0, 1) };
  const later = async (ms: number) => {
    await clock.advance(ms);
    await lookAtEscalations(store, rules);
    await clock.advance(1_000);
    return (await readEscalations(store, rules)).escalations;
  };
  await jobs.start();
  await jobs.enqueue('ship', 1 as never);
  expect(await later(HOUR)).toMatchObject([{ tier: 1, stuck: 1, failed: 0 }]);
  expect(await later(HOUR)).toMatchObject([{ tier: 2, overdue: undefined }]);
  expect(sent).toMatchObject([
    {
      ...{ tier: 2, tier_name: 'warning', stuck: 1, respond_by: '2026-01-29T18:00:01.000Z' },
      stuck_since: '2026-01-29T12:00:00.000Z',
    },
  ]);
  expect(await later(5 * HOUR)).toMatchObject([{ overdue: 'response' }]);
  setUp(true);
  // Longer than any wait of its policy.
  expect(await later(24 * HOUR)).toMatchObject([{ tier: 0, overdue: undefined }]);
  expect([await later(15 * MINUTE), sent.length]).toEqual([[], 1]);
  expect(await actsIn(store)).toEqual(['raise', 'resolve']);
});

it('acts of people are in the document and in the audit log; a snooze is over some time', async () => {
  const { jobs, store, clock, sent, read } = bench();
  await jobs.start();
  await jobs.enqueue('pay', 1 as never);
  await clock.advance(2 * MINUTE);
  const key = (await read())[0]?.key ?? '';
  const act = (wish: object) => actOnEscalation(store, { key, tier: 3, actor, ...wish } as never);
  await act({ act: 'acknowledge' });
  await act({ act: 'assign', owner: 'payments team' });
  await act({ act: 'decide', decision: 'requeue' });
  await expect(act({ act: 'snooze', untilMs: clock.now() - 1 })).rejects.toMatchObject({
    code: 'invalid_option',
  });
  await act({ act: 'snooze', untilMs: clock.now() + HOUR });
  const [escalation] = await read();
  expect(escalation).toMatchObject({
    owner: 'payments team',
    document: {
      acknowledged: { by: 'cli:eve@host', why: 'INC-7', tier: 3 },
      owner: { name: 'payments team' },
      decision: { decision: 'requeue' },
      snoozed: { tier: 3 },
    },
  });
  await clock.advance(HOUR - 2 * MINUTE);
  expect(sent).toHaveLength(1);
  await clock.advance(4 * MINUTE);
  expect(sent.map(({ owner }) => owner)).toEqual(['Service team', 'payments team']);
  expect(await actsIn(store)).toEqual([
    ...['raise', 'acknowledge', 'assign', 'decide', 'snooze', 'raise'],
  ]);
});

it('collections have the numbers of the last sweep', async () => {
  const { store, clock, read } = bench();
  const eightDaysAgo = (clock.now() - 8 * 24 * HOUR) / 1_000;
  await sweepNumbers(store, {
    'redrive_oldest_stuck_document_timestamp_seconds{archives}': eightDaysAgo,
    ...{ 'retry_job_stuck_documents{archives}': 3, 'retry_job_failed_documents{archives}': 0 },
    ...{ 'retry_job_stuck_documents{chunks}': 60, 'retry_job_failed_documents{chunks}': 0 },
    ...{ 'retry_job_stuck_documents{threads}': 0, 'retry_job_failed_documents{threads}': 0 },
  });
  expect(await read()).toMatchObject([
    { key: 'archives', of: 'collection', tier: 4, stuck: 3, owner: 'Engineering lead' },
    { key: 'chunks', of: 'collection', tier: 2, stuck: 60, owner: 'Platform/SRE team' },
  ]);
});

it('a look notifies at most ten times, and all further rises share one notification', async () => {
  const { store } = bench(false);
  const names = Array.from({ length: 60 }, (_, n) => [`retry_job_failed_documents{c${n}}`, n + 1]);
  await sweepNumbers(store, Object.fromEntries(names));
  expect(await lookAtEscalations(store, RULES)).toEqual({ raised: 60, resolved: 0 });
  expect(await lookAtEscalations(store, RULES)).toEqual({ raised: 0, resolved: 0 });
  const sent = await notificationsIn(store);
  expect(sent).toHaveLength(10);
  const shared = sent.filter(({ others }) => others !== undefined);
  expect(shared).toMatchObject([{ escalation: 'c50', failed: 51, more: 41 }]);
  expect(shared[0]?.others?.map(({ failed }) => failed)).toEqual([
    50, 49, 48, 47, 46, 45, 44, 43, 42,
  ]);
});

it('a night with 500 numbered failures has one cause and one notification', async () => {
  const { store, clock, jobs, sent } = bench(true, {
    lookUp: (n: number) => {
      throw Object.assign(new Error(`customer ${n} not found`), { status: 404 });
    },
  });
  await jobs.start();
  for (let n = 0; n < 500; n += 1) {
    await jobs.enqueue('lookUp' as 'pay', (300 + n) as never);
    await clock.advance(60_000);
  }
  await clock.advance(HOUR);
  const { groups } = await store.deadGroups({}, { limit: 10 });
  expect(groups).toMatchObject([{ pattern: 'Error: customer <n> not found', count: 500 }]);
  expect(sent).toMatchObject([{ kind: 'cause', title: 'Error: customer <n> not found', tier: 3 }]);
});

describe('many new causes in one look', () => {
  /** The first has one letter, the second two, and so on. */
  function fail(made: Parameters<typeof bury>[0], causes: number): Promise<void> {
    const letters = Array.from({ length: causes }, (_, cause) =>
      Array.from({ length: cause + 1 }, () => ({ handler: 'pay', error: titleOf(cause) })),
    );
    return bury(made, letters.flat());
  }
  const titleOf = (cause: number) => `trouble with ${wordOf(cause)}`;

  it('share one notification with the ten largest and the number of the rest', async () => {
    const made = bench(false);
    const { store } = made;
    await fail(made, 25);
    expect(await lookAtEscalations(store, RULES)).toEqual({ raised: 25, resolved: 0 });
    const [only, ...more] = await notificationsIn(store);
    expect(more).toEqual([]);
    expect(only).toMatchObject({ title: `Error: ${titleOf(24)}`, failed: 25, tier: 3, more: 15 });
    expect(only?.others?.map(({ title }) => title)).toEqual(
      [23, 22, 21, 20, 19, 18, 17, 16, 15].map((n) => `Error: ${titleOf(n)}`),
    );
    const { escalations } = await readEscalations(store, RULES);
    expect(escalations.map(({ document }) => document?.notifiedTier)).toEqual(Array(25).fill(3));
  });

  it('have one each up to the number that the rules name', async () => {
    const made = bench(false);
    const { store } = made;
    await fail(made, 4);
    await lookAtEscalations(store, { ...RULES, maxNotificationsPerLook: 4 });
    const sent = await notificationsIn(store);
    expect(sent.map(({ others }) => others)).toEqual(Array(4).fill(undefined));
  });

  it.each(['before', 'after'] as const)(
    'are notified once by a process that dies %s the enqueue and the one that looks next',
    async (when) => {
      const made = bench(false);
      const { store } = made;
      await fail(made, 25);
      const { apply } = store;
      const dying = Object.assign(Object.create(store), {
        async apply(commands: Parameters<typeof apply>[0]) {
          if (commands[0]?.kind !== 'enqueue') return apply.call(store, commands);
          if (when === 'after') await apply.call(store, commands);
          throw new Error('killed');
        },
      });
      await expect(lookAtEscalations(dying, RULES)).rejects.toThrow('killed');
      await lookAtEscalations(store, RULES);
      await lookAtEscalations(store, RULES);
      expect(await notificationsIn(store)).toMatchObject([{ more: 15 }]);
    },
  );
});

it('tier 4 is overdue when it is not resolved in time, and an answer ends the wait for a response', async () => {
  const { store, clock, read } = bench();
  await sweepNumbers(store, { 'retry_job_failed_documents{archives}': 1_001 });
  await lookAtEscalations(store, RULES);
  const { jobs: all } = await store.jobs({ handler: NOTIFY_HANDLER }, { limit: 10 });
  const job = await store.job(all[0]?.id ?? '');
  expect(job?.priority).toBe(4);
  expect(job?.payload).toMatchObject({
    text: expect.stringContaining('"resolve_by":"2026-01-30T12:00:00.000Z"'),
  });
  await clock.advance(MINUTE);
  expect(await read()).toMatchObject([{ overdue: 'response' }]);
  await actOnEscalation(store, { key: 'archives', tier: 4, actor, act: 'acknowledge' });
  expect(await read()).toMatchObject([{ overdue: undefined }]);
  await clock.advance(24 * HOUR);
  expect(await read()).toMatchObject([{ overdue: 'resolution' }]);
});

/** Dead letters from the start, without an attempt by a worker. */
async function bury(
  { store, clock }: Pick<ReturnType<typeof bench>, 'store' | 'clock'>,
  letters: readonly { readonly handler: string; readonly error: string; readonly queue?: string }[],
) {
  const commands = letters.map(({ handler, error, queue = 'default' }, n): EnqueueCommand => {
    const id = `${handler}-${clock.now()}-${n}`;
    const attempt: JobAttempt = {
      ...{ generation: 1, attempt: 1, durationMs: 0, delayBeforeMs: 0, startedAtMs: clock.now() },
      ...{ entry: 'failed', errorClass: 'final', action: 'give-up', reason: 'final_error' },
      error: sanitiseError(new Error(error)),
      ...{ worker: 'w', policyHash: '', maxAttempts: 1 },
    };
    return {
      kind: 'enqueue',
      job: {
        ...{ id, sessionId: id, idempotencyKey: id, handler, queue, tenant: '', priority: 0 },
        ...{ tags: [], headers: {}, payload: { kind: 'json', text: '1' } },
      },
      ...{ onConflict: 'existing', account: openAccount(), actor: { name: 'test' } },
      ...{ dead: { reason: 'final_error' }, attempts: { kept: [attempt], omitted: 0 } },
    };
  });
  for (let at = 0; at < commands.length; at += 1_000)
    await store.apply(commands.slice(at, at + 1_000));
  await clock.advance(1_000);
}

it('dead letters of notifications and of documents are no causes, a job of a user in their queue is', async () => {
  const made = bench(false);
  const error = 'read ECONNRESET';
  await bury(made, [
    { handler: NOTIFY_HANDLER, queue: ESCALATION_QUEUE, error },
    { handler: LOOK_HANDLER, queue: ESCALATION_QUEUE, error },
    { handler: 'documents.archives', queue: DOCUMENT_QUEUE, error },
  ]);
  expect((await made.store.deadGroups({}, { limit: 10 })).groups).toMatchObject([{ count: 3 }]);
  expect(await made.read()).toEqual([]);
  await bury(made, [
    { handler: 'pay', error },
    { handler: 'pay', queue: ESCALATION_QUEUE, error },
  ]);
  expect(await made.read()).toMatchObject([{ failed: 2, bounded: false }]);
});

it('dead letters of documents are no causes behind more letters than a store reads without an index', async () => {
  const made = bench(false);
  const archives = { handler: 'documents.archives', queue: DOCUMENT_QUEUE };
  await bury(made, [
    { ...archives, error: 'read ECONNRESET' },
    { handler: 'pay', error: 'refused' },
    { ...archives, error: 'too large' },
  ]);
  const { deadGroups } = made.store;
  // Postgres reads the newest 10,000 letters for a queue, and the newest 10,000 of a handler.
  const blind = Object.assign(Object.create(made.store), {
    async deadGroups(...[filter, page]: Parameters<typeof deadGroups>) {
      if (filter.queue === undefined) return deadGroups(filter, page);
      if (filter.handler === undefined) return { groups: [] };
      const { groups } = await deadGroups(filter, page);
      return { groups: groups.slice(0, 1).map((group) => ({ ...group, bounded: true })) };
    },
  });
  const { escalations } = await readEscalations(blind, RULES);
  expect(escalations).toMatchObject([{ title: 'Error: refused', failed: 1 }]);
});

it('a cause has its dead letters and the jobs that wait for their next attempt; failing notifications are none', async () => {
  const failing = (error: string) => ({
    policy: SLOW,
    run: () => Promise.reject(new Error(error)),
  });
  const away = failing('connect ECONNREFUSED');
  const policy = definePolicy({
    ...{ maxAttempts: 100, baseDelayMs: 1_000, dependency: 'bank' },
    ...{ enableCircuitBreaker: true, circuitBreakerThreshold: 1, circuitBreakerTimeoutMs: HOUR },
  });
  const made = workBench({
    ship: away,
    [NOTIFY_HANDLER]: failing('answered 503'),
    pack: { ...away, policy },
  });
  await bury(made, [{ handler: 'ship', error: 'connect ECONNREFUSED' }]);
  await made.jobs.start();
  await made.jobs.enqueue(NOTIFY_HANDLER, 1 as never, { queue: ESCALATION_QUEUE });
  await made.clock.advance(MINUTE);
  expect((await readEscalations(made.store, RULES)).escalations).toMatchObject([
    { stuck: 0, failed: 1 },
  ]);
  await made.jobs.enqueue('ship', 1 as never);
  await made.jobs.enqueueMany('pack', [{ payload: 1 as never }, { payload: 2 as never }]);
  await made.clock.advance(MINUTE);
  expect((await made.store.parks())[0]?.count).toBeGreaterThan(0);
  expect((await readEscalations(made.store, RULES)).escalations).toMatchObject([
    { stuck: 3, failed: 1 },
  ]);
});

it('a cause that more documents and jobs have than are counted has the jobs alone', async () => {
  const made = bench(false);
  const many = (handler: string, queue: string, count: number) =>
    Array.from({ length: count }, () => ({ handler, queue, error: 'read ECONNRESET' }));
  await bury(made, many('documents.archives', DOCUMENT_QUEUE, 10_001));
  expect(await made.read()).toEqual([]);
  await bury(made, many('pay', 'default', 7));
  expect(await made.read()).toMatchObject([{ failed: 7, bounded: false }]);
});

it('a cause with acts of people is read behind 1,000 newer causes', async () => {
  const made = bench(false);
  const letters = (count: number, word: string) =>
    Array.from({ length: count }, (_, n) => ({ handler: 'pay', error: `${word} ${wordOf(n)}` }));
  await bury(made, letters(2, 'first'));
  const [first] = await made.read();
  const { key = '' } = first ?? {};
  await actOnEscalation(made.store, { key, tier: 3, actor, act: 'acknowledge' });
  await bury(made, letters(1_050, 'later'));
  const { escalations, more } = await readEscalations(made.store, RULES);
  expect(more).toBe(true);
  expect(escalations.find((one) => one.key === key)).toMatchObject({ tier: 3, failed: 1 });
  // The other old cause has no document, and is not among the newest.
  expect(escalations.filter(({ title }) => title.includes('first'))).toHaveLength(1);
});

/** A word per number: numbers in messages do not set causes apart. */
function wordOf(n: number): string {
  return [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
}

async function actsIn(store: FullStore) {
  const blocks = await store.auditBlocks(0, 1_000);
  const acts = blocks.flatMap(({ body }) => [...body.matchAll(/"act":"(\w+)"/g)].map(([, a]) => a));
  return acts.filter((act) => act !== 'define');
}

/** The numbers of a sweep, in the document of its schedule. */
async function sweepNumbers(store: FullStore, numbers: Readonly<Record<string, number>>) {
  const options = { handler: SWEEP_HANDLER, everyMs: 900_000 };
  await updateControl(store, {
    of: 'schedule',
    key: SWEEP_HANDLER,
    next: (_, nowMs) => {
      const document = firstDocument(SWEEP_HANDLER, options, nowMs);
      return { ...document, totals: { ...document.totals, ...numbers } };
    },
  });
}

it('a cause that jobs are parked under has its short name as title', async () => {
  const { store, read } = bench(false);
  const key = 'gate:["search-api","",""]';
  await actOnEscalation(store, { key, tier: 2, actor, act: 'assign', owner: 'eve' });
  expect(await read()).toMatchObject([{ key, of: 'cause', title: 'gate:search-api' }]);
});

async function notificationsIn(store: FullStore): Promise<Notification[]> {
  const { jobs } = await store.jobs({ handler: NOTIFY_HANDLER }, { limit: 100 });
  const whole = await Promise.all(jobs.map(({ id }) => store.job(id)));
  return whole.map((job) => JSON.parse(job?.payload.kind === 'json' ? job.payload.text : 'null'));
}
