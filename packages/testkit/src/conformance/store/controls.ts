import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import {
  CONTROL_KINDS,
  type Command,
  type ControlCommand,
  type ControlResult,
  MAX_CONTROL_BYTES,
  MAX_CONTROLS,
} from '@redrive/durable/store';
import { auditRecords } from './audit-trail.ts';
import { claimedIds, claimOf, enqueue } from './commands.ts';
import { changesDuring, control, controlOf, put, takeAway } from './control-commands.ts';
import { same } from './plain.ts';
import type { FullStoreSuite } from './suite.ts';

// A command that TypeScript refuses, but JavaScript does not.
const NONSENSE = { kind: 'nonsense' } as unknown as Command;

export function controlTests({ describe, test }: FullStoreSuite): void {
  test('there are none at first', async ({ store, clock }) => {
    same(await store.controls(), { revision: 0, nowMs: clock.now(), all: [] });
    equal(await store.controlRevision(), 0);
  });

  test('are kept by kind and key, each with the revision of its last change', async ({ store }) => {
    const park = await put(store, 'park', 'z', { sinceMs: 1 });
    const late = await put(store, 'gate', 'b', { text: 'ä "quoted" \u{1f600}' });
    const early = await put(store, 'gate', 'a', { n: 1 });
    const changed = await put(store, 'park', 'z', { sinceMs: 2 });
    ok(park < late && late < early && early < changed, 'revisions rise');
    const { all, revision } = await store.controls();
    same(all, [
      { kind: 'gate', key: 'a', revision: early, document: '{"n":1}' },
      { kind: 'gate', key: 'b', revision: late, document: '{"text":"ä \\"quoted\\" \u{1f600}"}' },
      { kind: 'park', key: 'z', revision: changed, document: '{"sinceMs":2}' },
    ]);
    equal(revision, changed);
    equal(await store.controlRevision(), changed);
  });

  test('of two writers that have seen the same, one wins', async ({ store }) => {
    const first = await put(store, 'breaker', 'api', { failures: 0 });
    for (const expect of [first, 0]) {
      const key = expect === 0 ? 'new' : 'api';
      const answers = await Promise.all(
        [1, 2, 3, 4].map((by) => control(store, 'breaker', key, expect, { by })),
      );
      const winners = answers.flatMap((answer, index) => (answer.ok ? [index + 1] : []));
      equal(winners.length, 1);
      const losers: ControlResult[] = answers.filter(({ ok: won }) => !won);
      deepEqual(losers, Array(3).fill({ ok: false, refusal: 'changed' }));
      const { all } = await store.controls();
      const written = all.find((found) => found.key === key);
      equal(written?.document, JSON.stringify({ by: winners[0] }));
    }
  });

  test('of two writers in one transaction too', async ({ store }) => {
    const [won, lost, again] = await store.apply([
      controlOf('gate', 'a', 0, { by: 1 }),
      controlOf('gate', 'a', 0, { by: 2 }),
      controlOf('gate', 'a', 7_777, null),
    ]);
    ok(won.ok);
    deepEqual([lost, again], Array(2).fill({ ok: false, refusal: 'changed' }));
    equal((await store.controls()).all[0]?.document, '{"by":1}');
  });

  test('a document that was made anew has a revision that nobody has seen', async ({ store }) => {
    const seen = new Set<number>();
    for (let round = 0; round < 3; round += 1) {
      const revision = await put(store, 'kill', 'all');
      ok(!seen.has(revision), `${revision} is new`);
      seen.add(revision);
      await takeAway(store, 'kill', 'all');
      seen.add(await store.controlRevision());
      for (const old of seen) {
        same(await control(store, 'kill', 'all', old, {}), { ok: false, refusal: 'changed' });
      }
    }
    equal(seen.size, 6);
    deepEqual((await store.controls()).all, []);
  });

  describe('in the audit log', () => {
    test('a note stands with its kind and key', async ({ store, clock }) => {
      const note = { by: 'cli:ann@host', why: 'incident 7' };
      await control(store, 'kill', 'queue:mail', 0, { mode: 'finish' }, note);
      const [record] = await auditRecords(store);
      same(
        [record?.id, record?.event, record?.detail, record?.atMs, record?.revision],
        ['kill:queue:mail', 'control', note, clock.now(), 0],
      );
    });

    test('there is none without a note, and none of a refused change', async ({ store }) => {
      const counted = await control(store, 'breaker', 'api', 0, { failures: 1 });
      ok(counted.ok);
      const refused = await control(store, 'breaker', 'api', 0, { failures: 2 }, { by: 'me' });
      same(refused, { ok: false, refusal: 'changed' });
      deepEqual(await auditRecords(store), []);
      equal(await store.controlRevision(), counted.revision);
    });
  });

  describe('limits', () => {
    const wrong: Readonly<Record<string, Partial<ControlCommand>>> = {
      'no such kind': { of: 'nonsense' as 'kill' },
      'an empty key': { key: '' },
      'a key of 1,001 characters': { key: 'k'.repeat(1_001) },
      'a key with a control character': { key: 'a\nb' },
      'a revision below 0': { expect: -1 },
      'half a revision': { expect: 0.5 },
      'a document that is too long': { document: documentOf(MAX_CONTROL_BYTES + 1) },
      'a note that is too long': { note: documentOf(MAX_CONTROL_BYTES + 1) },
      'a document that is not JSON': { document: '{' },
      'a document that is not an object': { document: '[]' },
      'a note that is not JSON': { note: 'because' },
    };
    for (const [what, with_] of Object.entries(wrong)) {
      test(`refuse ${what}`, async ({ store }) => {
        const bad = { ...controlOf('gate', 'a', 0, {}), ...with_ };
        const good = controlOf('gate', 'b', 0, {});
        await rejects(store.apply([good, bad]), { code: 'invalid_option' });
        equal(await store.controlRevision(), 0);
        deepEqual((await store.controls()).all, []);
      });
    }

    test('take the longest key and the longest document', async ({ store }) => {
      const key = 'ü'.repeat(1_000);
      const document = documentOf(MAX_CONTROL_BYTES);
      await store.apply([{ kind: 'control', of: 'gate', key, expect: 0, document }]);
      const [found] = (await store.controls()).all;
      deepEqual([found?.key, found?.document], [key, document]);
    });

    test('a store that is full of a kind changes its documents, and takes no new one', async ({
      store,
    }) => {
      const keys = Array.from({ length: MAX_CONTROLS }, (_, n) => `gate-${n}`);
      for (let from = 0; from < keys.length; from += 1_000) {
        const page = keys.slice(from, from + 1_000);
        const results = await store.apply(page.map((key) => controlOf('gate', key, 0, {})));
        ok(results.every((result) => result.ok));
      }
      const full = { ok: false, refusal: 'full' };
      same(await control(store, 'gate', 'one-more', 0, {}, { by: 'me' }), full);
      equal((await auditRecords(store)).length, 0);
      await put(store, 'gate', 'gate-7', { n: 7 });
      await takeAway(store, 'gate', 'gate-8');
      const [fits, doesNot] = await store.apply([
        controlOf('gate', 'one-more', 0, {}),
        controlOf('gate', 'two-more', 0, {}),
      ]);
      ok(fits.ok);
      same(doesNot, full);
      const others = CONTROL_KINDS.filter((kind) => kind !== 'gate');
      const results = await store.apply(others.map((kind) => controlOf(kind, 'all', 0, {})));
      ok(
        results.every((result) => result.ok),
        'gates keep no other kind out',
      );
    });
  });

  test('a transaction that fails leaves them alone', async ({ store }) => {
    await enqueue(store, 'a');
    const before = await store.controls();
    const kill = controlOf('kill', 'all', 0, {}, { by: 'me' });
    await rejects(store.apply([kill, claimOf(), NONSENSE]));
    same(await store.controls(), before);
    deepEqual(await store.controlRevision(), before.revision);
    // Its revision goes to something else now.
    await put(store, 'gate', 'b');
    deepEqual(await claimedIds(store), ['a']);
  });

  test('watchers are notified of documents', async ({ store, clock }) => {
    const acts: Readonly<Record<string, () => Promise<unknown>>> = {
      'a new one': () => put(store, 'gate', 'a'),
      'a change': () => put(store, 'gate', 'a', { n: 2 }),
      'one that is taken away': () => takeAway(store, 'gate', 'a'),
    };
    for (const [what, act] of Object.entries(acts)) {
      ok((await changesDuring({ store, clock }, act)).has('control'), what);
    }
  });

  test('they outlive the process, and so does their revision', async ({ store, clock, reopen }) => {
    await put(store, 'kill', 'tenant:a');
    await put(store, 'gate', 'b');
    await takeAway(store, 'gate', 'b');
    const before = await store.controls();
    if (reopen === undefined) return store;
    const again = await reopen();
    same(await again.controls(), { ...before, nowMs: clock.now() });
    ok((await put(again, 'gate', 'b')) > before.revision);
    return again;
  });

  test('a store that is closed says nothing about them', async ({ store }) => {
    await store.close();
    for (const ask of ['controls', 'controlRevision', 'parks'] as const) {
      await rejects(store[ask](), { code: 'store_unavailable' });
    }
    return 'unchecked';
  });
}

/** A document of exactly `bytes` bytes. */
function documentOf(bytes: number): string {
  const start = '{"text":"€';
  return `${start}${'x'.repeat(bytes - Buffer.byteLength(start) - 2)}"}`;
}
