import { describe, expect, test } from 'vitest';
import { jobsOn } from '../jobs/jobs-on.ts';
import type { FullStore } from '../store/full-store.ts';
import { BOB, controlBench, EVE, notes, parkJobs } from '../testing/control-bench.ts';
import { START_MS } from '../testing/work-bench.ts';
import { controlOverview } from './control-overview.ts';
import { engageKill, killSwitches, pauses, pauseWork, resumeWork } from './kill-switches.ts';
import { KILL_SCOPES, killKey, killTargetOf, pauseKey, pauseTargetOf } from './kill-target.ts';
import { endHold, holdPark } from './park-acts.ts';
import { parkedCauses } from './parked-causes.ts';
import { releaseKill } from './release-kill.ts';
import { openPace } from './rules/release-pace.ts';
import { documentsIn, updateControl } from './update-control.ts';

describe('kill switches', () => {
  test('stop claims until they are released, with who and why on record', async () => {
    const { store } = controlBench();
    const jobs = jobsOn(store, { mail: async () => {} });
    await jobs.enqueue('mail', undefined);
    const claim = async () => {
      const lane = { handler: 'mail', limit: 1, policyHash: 'p', limitPerKey: 1 };
      const [answer] = await store.apply([
        { kind: 'claim', worker: 'w', leaseMs: 1_000, lanes: [lane], limit: 1, ahead: 0 },
      ]);
      return answer.jobs.length;
    };
    const { changed, engaged } = await engageKill(store, {
      scope: 'operation',
      name: 'mail',
      actor: EVE,
    });
    expect(changed).toBe(true);
    expect(engaged).toEqual({
      scope: 'operation',
      name: 'mail',
      mode: 'finish',
      sinceMs: START_MS,
      by: 'cli:eve',
      why: 'INC-7',
    });
    expect(await killSwitches(store)).toEqual([engaged]);
    expect(await claim()).toBe(0);
    const wish = { scope: 'operation', name: 'mail', actor: BOB } as const;
    expect(await releaseKill(store, wish)).toEqual({ released: engaged });
    expect(await killSwitches(store)).toEqual([]);
    expect((await store.controls()).all).toEqual([]);
    expect(await claim()).toBe(1);
    expect(await notes(store)).toEqual([
      ['kill:operation:mail', { by: 'cli:eve', why: 'INC-7', act: 'engage', mode: 'finish' }],
      ['kill:operation:mail', { by: 'cli:bob', act: 'release' }],
    ]);
  });

  test('engaged twice, one says so; another mode is a change, and it keeps its beginning', async () => {
    const { store, clock } = controlBench();
    await engageKill(store, { scope: 'all', actor: EVE });
    await clock.advance(1_000);
    const again = await engageKill(store, { scope: 'all', actor: BOB });
    expect(again).toMatchObject({ changed: false, engaged: { by: 'cli:eve', sinceMs: START_MS } });
    const other = await engageKill(store, { scope: 'all', mode: 'interrupt', actor: BOB });
    expect(other).toMatchObject({
      changed: true,
      engaged: { by: 'cli:bob', mode: 'interrupt', sinceMs: START_MS },
    });
    expect(await notes(store)).toHaveLength(2);
  });

  test('released at a pace: what was submitted before comes back at it', async () => {
    const { store, clock } = controlBench();
    await engageKill(store, { scope: 'queue', name: 'q', actor: EVE });
    await clock.advance(60_000);
    await releaseKill(store, { scope: 'queue', name: 'q', pace: { perSecond: 20 }, actor: EVE });
    const nowMs = START_MS + 60_000;
    const controls = await store.controls();
    expect([...documentsIn(controls, 'kill')]).toEqual([]);
    expect([...documentsIn(controls, 'park')]).toEqual([
      [
        'kill:queue:q',
        {
          sinceMs: nowMs,
          pace: openPace(nowMs, 20),
          askedPerSecond: 20,
          submittedBeforeMs: nowMs,
        },
      ],
    ]);
    expect(await parkedCauses(store)).toMatchObject([
      { cause: 'kill:queue:q', count: 0, perSecond: 20, waitsFor: { kind: 'nothing' } },
    ]);
    expect((await notes(store)).at(-1)?.[1]).toMatchObject({
      act: 'release',
      pace: { perSecond: 20 },
    });
  });

  test('released at once, the pace of an earlier release goes too; a hold stays', async () => {
    const { store } = controlBench();
    const target = { scope: 'all', actor: EVE } as const;
    await engageKill(store, target);
    await releaseKill(store, { ...target, pace: {} });
    await engageKill(store, target);
    await releaseKill(store, target);
    expect((await store.controls()).all).toEqual([]);
    await engageKill(store, target);
    await holdPark(store, { cause: 'kill:all', actor: BOB });
    await releaseKill(store, target);
    expect(await parkedCauses(store)).toMatchObject([
      { cause: 'kill:all', held: { by: 'cli:bob' }, perSecond: undefined },
    ]);
  });

  test('a pace that somebody else changes in between is written all the same', async () => {
    const { store } = controlBench();
    await engageKill(store, { scope: 'all', actor: EVE });
    let isFirst = true;
    const racing: FullStore = {
      ...store,
      async controls() {
        const seen = await store.controls();
        if (isFirst) await holdPark(store, { cause: 'kill:all', actor: BOB });
        isFirst = false;
        return seen;
      },
    };
    const { released } = await releaseKill(racing, { scope: 'all', pace: {}, actor: EVE });
    expect(released).toMatchObject({ scope: 'all', by: 'cli:eve' });
    expect(await parkedCauses(store)).toMatchObject([
      { cause: 'kill:all', perSecond: 5, held: { by: 'cli:bob' } },
    ]);
  });

  test('stay engaged where the pace cannot be written', async () => {
    const { store } = controlBench();
    await engageKill(store, { scope: 'all', actor: EVE });
    const full: FullStore = {
      ...store,
      apply: (async (commands: Parameters<FullStore['apply']>[0]) => {
        const left = commands.filter((each) => each.kind !== 'control' || each.of !== 'park');
        const answers = left.length === 0 ? [] : [...(await store.apply(left))];
        const refused = { ok: false, refusal: 'full' } as const;
        return commands.map((each) => (left.includes(each) ? answers.shift() : refused));
      }) as FullStore['apply'], // The results are those of the same commands.
    };
    const released = releaseKill(full, { scope: 'all', pace: {}, actor: EVE });
    await expect(released).rejects.toThrow('too many control documents');
    expect(await killSwitches(store)).toHaveLength(1);
  });

  test('released at once, what an earlier release left parked is ready too, unless it is held', async () => {
    const { store } = controlBench();
    const target = { scope: 'all', actor: EVE } as const;
    await parkJobs(store, 'kill:all', 1_001);
    await engageKill(store, target);
    await holdPark(store, { cause: 'kill:all', actor: BOB });
    await releaseKill(store, target);
    expect(await store.parks()).toMatchObject([{ count: 1_001 }]);
    await endHold(store, { cause: 'kill:all', actor: BOB });
    await engageKill(store, target);
    await releaseKill(store, target);
    expect(await store.parks()).toEqual([]);
  });

  test('a key that names nothing stops nothing, and is not shown', async () => {
    const { store } = controlBench();
    const next = (_: unknown, sinceMs: number) => ({ mode: 'finish', sinceMs, by: 'x' }) as const;
    for (const key of [
      'handler:mail',
      'all:mail',
      'some',
      'pause:all',
      'pause:tenant:a',
      'pause:',
    ]) {
      await updateControl(store, { of: 'kill', key, next });
      expect([killTargetOf(key), pauseTargetOf(key)]).toEqual([undefined, undefined]);
    }
    await parkJobs(store, 'kill:handler:mail', 1);
    expect(await killSwitches(store)).toEqual([]);
    expect(await parkedCauses(store)).toMatchObject([{ waitsFor: { kind: 'nothing' } }]);
  });

  test('what is not engaged is not released, and leaves no trace', async () => {
    const { store } = controlBench();
    expect(await releaseKill(store, { scope: 'all', pace: {}, actor: EVE })).toEqual({});
    expect((await store.controls()).revision).toBe(0);
    expect(await notes(store)).toEqual([]);
  });

  test.each([
    [{ scope: 'all', name: 'x' }, 'all has no name'],
    [{ scope: 'queue' }, 'the name of the queue is missing'],
    [{ scope: 'world' }, 'scope must be one of all, queue, handler, tenant, operation, not world'],
    [{ scope: 'operation' }, 'the name of the handler is missing'],
    [{ scope: 'queue', name: '' }, 'name must not be empty'],
    [{ scope: 'queue', name: 'a\nb' }, 'control characters'],
  ])('a wrong target is refused: %j', async (target, message) => {
    const { store } = controlBench();
    // What somebody without a compiler may pass.
    const wrong = { ...target, actor: EVE } as Parameters<typeof engageKill>[1];
    await expect(engageKill(store, wrong)).rejects.toThrow(message);
    await expect(releaseKill(store, wrong)).rejects.toThrow(message);
  });

  test('handler is another word for operation, and both name the same switch', async () => {
    const { store } = controlBench();
    const handler = { scope: 'handler', name: 'mail', actor: EVE } as const;
    const { engaged } = await engageKill(store, handler);
    expect(engaged).toMatchObject({ scope: 'operation', name: 'mail' });
    expect((await store.controls()).all.map(({ key }) => key)).toEqual(['operation:mail']);
    const again = await engageKill(store, { ...handler, scope: 'operation' });
    expect(again.changed).toBe(false);
    const { released } = await releaseKill(store, handler);
    expect(released).toMatchObject({ scope: 'operation', name: 'mail' });
    expect(await killSwitches(store)).toEqual([]);
  });

  test('keys lead back to what they name', () => {
    for (const scope of ['queue', 'handler'] as const) {
      expect(pauseTargetOf(pauseKey({ scope, name: 'a:b all' }))).toEqual({
        scope,
        name: 'a:b all',
      });
    }
    for (const scope of KILL_SCOPES) {
      const target = scope === 'all' ? { scope } : { scope, name: 'a:b all' };
      expect(killTargetOf(killKey(target))).toEqual(target);
    }
    expect(killTargetOf(killKey({ scope: 'tenant', name: '' }))).toEqual({
      scope: 'tenant',
      name: '',
    });
  });

  test('a pace has bounds', async () => {
    const { store } = controlBench();
    const wish = { scope: 'all', pace: { perSecond: 0.5 }, actor: EVE } as const;
    await expect(releaseKill(store, wish)).rejects.toThrow('perSecond must be a number from 1');
  });

  test.each([
    [{ scope: 'all' }, 'scope must be one of queue, handler, schedule, not all'],
    [{ scope: 'tenant', name: 'a' }, 'scope must be one of queue, handler, schedule, not tenant'],
    [{ scope: 'queue' }, 'the name of the queue is missing'],
    [{ scope: 'handler', name: '' }, 'name must not be empty'],
  ])('a wrong target of a pause is refused: %j', async (target, message) => {
    const { store } = controlBench();
    // What somebody without a compiler may pass.
    const wrong = { ...target, actor: EVE } as Parameters<typeof pauseWork>[1];
    await expect(pauseWork(store, wrong)).rejects.toThrow(message);
    await expect(resumeWork(store, wrong)).rejects.toThrow(message);
  });

  test('a pause is no kill switch for people, and the other way round', async () => {
    const { store } = controlBench();
    const queue = { scope: 'queue', name: 'mail', actor: EVE } as const;
    await pauseWork(store, queue);
    expect(await killSwitches(store)).toEqual([]);
    expect(await releaseKill(store, queue)).toEqual({});
    await engageKill(store, { ...queue, mode: 'interrupt' });
    expect(await pauses(store)).toHaveLength(1);
    expect(await controlOverview(store)).toMatchObject({
      killSwitches: [{ scope: 'queue', name: 'mail', mode: 'interrupt' }],
      pauses: [{ scope: 'queue', name: 'mail', by: 'cli:eve', why: 'INC-7' }],
    });
  });

  test('a secret in a reason is masked', async () => {
    const { store } = controlBench();
    const why = 'password=hunter2 leaked';
    await engageKill(store, { scope: 'all', actor: { name: 'eve', why } });
    expect(JSON.stringify([await killSwitches(store), await notes(store)])).not.toContain(
      'hunter2',
    );
  });
});
