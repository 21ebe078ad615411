import { expect, it } from 'vitest';
import { resolveSource } from '../event/event-source.ts';
import { storeEvents } from '../event/store-events.ts';
import { HOUR, sweepBench } from '../testing/sweep-bench.ts';

const EVENT = {
  event_type: 'JSONParsed',
  event_id: 'e-1',
  correlation_id: 'c-1',
  data: { message_ids: ['a', 'b'], archive: { path: 'may.mbox', size: 7, none: null } },
};
const SOURCE = resolveSource({
  name: 'chunking',
  bus: 'main',
  handler: 'chunk',
  key: ['data.message_ids'],
  documents: { archives: ['data.message_ids'] },
});
const ABOUT = { type: 'ArchiveIngested', bus: 'main', destination: 'archive.ingested' } as const;

/** The bench, with stored events. */
async function setUp(event: { readonly field?: string; readonly source?: string } = {}) {
  const bench = await sweepBench({
    event: { ...ABOUT, ...event, data: { message_ids: ['$_id'], of: { title: '$title' } } },
  });
  const { store, clock } = bench;
  const deliver = (body: object, headers: Record<string, string> = {}) => {
    const delivery = { destination: 'q', body: Buffer.from(JSON.stringify(body)), headers };
    const context = { source: SOURCE, clock, actor: { name: 'source:chunking' } };
    return storeEvents(store, context, [{ ...delivery, redelivered: false }]);
  };
  const stuck = (id: string, more: object = {}) =>
    bench.put(id, { count: 1, agoMs: 25 * HOUR, ...more });
  return { ...bench, deliver, stuck };
}

it('the event in the field of the document: original data, a new id, and retry_sweep', async () => {
  const { stuck, send, sent, get } = await setUp({ field: 'placed', source: 'chunking' });
  stuck('a', { placed: EVENT });
  // As a text, and with the mark of an earlier sweep.
  stuck('b', {
    placed: JSON.stringify({ ...EVENT, event_id: 'e-2', retry_sweep: { attempt: 7 } }),
  });
  await send();
  const events = await sent();
  expect(events).toHaveLength(2);
  for (const { json, id } of events) {
    expect(json).toEqual({
      ...EVENT,
      event_id: id,
      timestamp: expect.any(String),
      retry_sweep: { attempt: 2 },
    });
    expect(['e-1', 'e-2']).not.toContain(json.event_id);
  }
  expect(get('a')).toMatchObject({ attemptCount: 2, retry_sweep: { event: events[0]?.id } });
});

it('the newest stored event, once for all of its documents: each of them is counted by it', async () => {
  const { stuck, send, sent, get, deliver, put, store } = await setUp({ source: 'chunking' });
  await deliver({ ...EVENT, data: { message_ids: ['b', 'older'] } });
  await deliver(EVENT, { 'redrive-session': 's-1' });
  await deliver({ data: { message_ids: ['c', 'fresh'] }, n: 1 });
  stuck('a');
  stuck('b', { count: 2 });
  stuck('c');
  put('fresh', { count: 1, agoMs: HOUR });
  const report = await send();
  expect(report.claimed).toBe(3);
  const [shared, own, ...rest] = await sent();
  expect(rest).toEqual([]);
  expect(shared?.json).toEqual({
    ...EVENT,
    event_id: shared?.id,
    timestamp: expect.any(String),
    retry_sweep: { attempt: 3 },
  });
  expect(shared?.headers).toMatchObject({ 'redrive-session': 's-1' });
  // The sending job belongs to the same work as the event.
  expect((await store.job(shared?.id ?? ''))?.correlationId).toBe('s-1');
  expect(own?.json).toMatchObject({ data: { message_ids: ['c', 'fresh'] }, n: 1 });
  expect(['a', 'b', 'c', 'fresh'].map((id) => get(id).attemptCount)).toEqual([2, 3, 2, 1]);
  for (const id of ['a', 'b'])
    expect(get(id).retry_sweep).toMatchObject({ event: shared?.id, sent: true });
});

it('the template, where the document has neither: lists and nested objects', async () => {
  const { stuck, send, sent } = await setUp({ field: 'placed', source: 'chunking' });
  stuck('a', { title: 'May', placed: 'not JSON' });
  await send();
  const [event] = await sent();
  expect(event?.json).toEqual({
    event_type: 'ArchiveIngested',
    data: { message_ids: ['a'], of: { title: 'May' } },
    event_id: event?.id,
    timestamp: expect.any(String),
    retry_sweep: { attempt: 2 },
  });
});

it('documents of one event on two pages share it: the second page is counted by the next sweep', async () => {
  const { stuck, send, sent, get, deliver, clock } = await setUp({ source: 'chunking' });
  const ids = Array.from({ length: 501 }, (_, n) => `d-${String(n).padStart(3, '0')}`);
  await deliver({ ...EVENT, data: { message_ids: ids } });
  for (const id of ids) stuck(id);
  expect((await send()).claimed).toBe(501);
  await clock.advance(15 * 60_000);
  await send();
  const events = await sent();
  expect(events).toHaveLength(1);
  expect(new Set(ids.map((id) => get(id).attemptCount))).toEqual(new Set([2]));
  expect(get('d-500').retry_sweep).toMatchObject({ event: events[0]?.id, sent: true });
});

it('an event has up to 1,000 documents; the others get the event of the template', async () => {
  const { stuck, send, sent, deliver } = await setUp({ source: 'chunking' });
  const ids = Array.from({ length: 1_001 }, (_, n) => `d-${n}`);
  await deliver({ ...EVENT, data: { message_ids: ids } });
  for (const id of ['d-0', 'd-999', 'd-1000']) stuck(id);
  await send();
  const events = (await sent()).map(({ json }) => json.data);
  expect(events).toEqual([{ message_ids: ids }, { message_ids: ['d-1000'], of: { title: null } }]);
});

it('an event whose job is gone, or that a person has purged, is made of the template', async () => {
  const { stuck, send, sent, deliver, store } = await setUp({ source: 'chunking' });
  await deliver({ ...EVENT, data: { message_ids: ['a'] } });
  const actor = { name: 'eve' };
  await store.apply([
    { kind: 'act', act: 'cancel', id: 'chunking-a', actor },
    { kind: 'act', act: 'purge', id: 'chunking-a', actor },
  ]);
  stuck('a');
  await send();
  expect((await sent()).map(({ json }) => json.event_type)).toEqual(['ArchiveIngested']);
});

it('a sweep that dies between claim and job sends the shared event under its id, once', async () => {
  const { stuck, run, send, sent, get, deliver, store, clock } = await setUp({
    source: 'chunking',
  });
  await deliver(EVENT);
  for (const id of ['a', 'b']) stuck(id);
  store.fault = { calls: ['apply'], when: 'before' };
  await expect(run()).rejects.toMatchObject({ code: 'store_unavailable' });
  store.fault = undefined;
  await clock.advance(61_000);
  await send();
  const events = await sent();
  expect(events.map(({ json }) => json.data)).toEqual([EVENT.data]);
  expect(['a', 'b'].map((id) => get(id).attemptCount)).toEqual([2, 2]);
});

it('an event above 1 MiB is a dead letter, and the documents stay as they are', async () => {
  const { stuck, send, sent, get } = await setUp({ field: 'placed' });
  stuck('a', { placed: { data: 'x'.repeat(1_048_576) } });
  expect(await send()).toMatchObject({ claimed: 0, tooLarge: 1 });
  expect([await sent(), get('a').attemptCount]).toEqual([[], 1]);
});
