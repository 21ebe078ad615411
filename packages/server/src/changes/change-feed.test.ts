import { type FullStore, jobsOn, memoryStore } from '@redrive/durable';
import { type AuditBlock, recordsIn } from '@redrive/durable/store';
import { seededRandom, virtualClock } from '@redrive/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../start-server.ts';
import { api } from '../testing/api.ts';
import { ChangeFeed } from './change-feed.ts';

interface Event {
  readonly id: number;
  readonly name: string;
  readonly data: { readonly id: string; readonly revision: number; readonly records?: number };
}

function eventsIn(text: string): Event[] {
  const found = text.matchAll(/id: (\d+)\nevent: (\w+)\ndata: (.*)\n\n/g);
  return [...found].map(([, id, name = '', data = '']) => ({
    id: Number(id),
    name,
    data: JSON.parse(data),
  }));
}

function place(over: (store: FullStore) => FullStore = (store) => store) {
  const clock = virtualClock({ startMs: Date.parse('2027-01-31T08:00:00Z') });
  const store = memoryStore({ clock });
  const feed = new ChangeFeed(over(store), clock);
  const jobs = jobsOn(store, { resize: () => undefined }, { log: 'off', clock });
  const connections: AbortController[] = [];
  onTestFinished(async () => {
    for (const each of connections) each.abort();
    feed.close();
    await clock.advance(2_000);
  });
  const enqueue = async (count = 1, tenant = 'acme') => {
    for (let n = 0; n < count; n += 1)
      await store.apply([jobs.prepare('resize', null, { tenant })]);
  };
  const connect = (
    given: { after?: number | undefined; tenant?: string; reads?: boolean; owner?: string } = {},
  ) => {
    const closed = new AbortController();
    connections.push(closed);
    const { tenant, after, reads = true, owner = `token:${connections.length}` } = given;
    const cut = () => closed.abort();
    const texts = feed.open({ tenant, owner, cut, closed: closed.signal }, after);
    const got: string[] = [];
    const parts: Buffer[] = [];
    const reader = texts[Symbol.asyncIterator]();
    const ended = (async () => {
      do {
        const next = await reader.next();
        if (next.done) return;
        parts.push(next.value);
        got.push(next.value.toString());
      } while (reads);
    })();
    return { got, parts, ended, cut, closed: closed.signal, events: () => eventsIn(got.join('')) };
  };
  return { clock, store, feed, enqueue, connect };
}

async function allBlocks(store: FullStore, after = 0): Promise<AuditBlock[]> {
  const page = await store.auditBlocks(after, 1_000);
  const last = page.at(-1);
  return page.length < 1_000 || !last
    ? [...page]
    : [...page, ...(await allBlocks(store, last.seq))];
}

/** Blocks of transactions that commit late appear up to nine seconds behind others. */
function withLateBlocks(clock: () => number) {
  const random = seededRandom(7);
  const visibleAt = new Map<number, number>();
  return (store: FullStore): FullStore => ({
    ...store,
    auditBlocks: async (after, limit) => {
      const all = await allBlocks(store, after);
      const visible = all.filter(({ seq, atMs }) => {
        const lateMs = random() < 0.2 ? random() * 9_000 : 0;
        const at = visibleAt.get(seq) ?? atMs + lateMs;
        visibleAt.set(seq, at);
        return clock() >= at;
      });
      return visible.slice(0, limit);
    },
  });
}

test('a stream cut 100 times under load, with blocks that appear late: no change missed, none twice', async () => {
  let now = () => 0;
  const { clock, store, enqueue, connect } = place(withLateBlocks(() => now()));
  now = () => clock.now();
  const random = seededRandom(3);
  const seen = new Map<string, number>();
  let after: number | undefined;
  let repeatedInside = 0;
  const take = (events: readonly Event[]) => {
    const own = new Set<string>();
    for (const { id, name, data } of events) {
      after = id;
      if (name === 'ready') continue;
      expect(name).toBe('change');
      const key = `${data.id}:${data.revision}`;
      if (own.has(key)) repeatedInside += 1;
      own.add(key);
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
  };
  for (let round = 0; round < 100; round += 1) {
    const stream = connect({ after });
    await clock.advance(0);
    for (let n = 0; n < 5; n += 1) {
      await enqueue(Math.floor(random() * 4));
      await clock.advance(random() * 200);
    }
    // Whole events only: a browser drops one that was cut in the middle.
    take(stream.events().slice(0, Math.ceil(random() * 30)));
    stream.cut();
    await enqueue(1);
  }
  const last = connect({ after });
  await clock.advance(12_000);
  take(last.events());
  const records = (await allBlocks(store)).flatMap((block) => recordsIn(block));
  const missed = records.filter(({ id, revision }) => !seen.has(`${id}:${revision}`));
  expect(records.length).toBeGreaterThan(400);
  expect({ missed: missed.length, repeatedInside, known: seen.size }).toEqual({
    missed: 0,
    repeatedInside: 0,
    known: records.length,
  });
});

test('a reconnect begins ten seconds earlier than its last id', async () => {
  const { clock, enqueue, connect } = place();
  for (let second = 0; second < 30; second += 1) {
    await enqueue();
    await clock.advance(1_000);
  }
  const { events } = connect({ after: 25 });
  await clock.advance(100);
  expect(events().map(({ id }) => id)).toEqual(Array.from({ length: 16 }, (_, n) => n + 15));
});

test('of a log longer than 5,000 records, a reconnect from its start gets the rest as one number', async () => {
  let reads = 0;
  const { clock, enqueue, connect } = place((store) => ({
    ...store,
    auditBlocks: (after, limit) => {
      reads += 1;
      return store.auditBlocks(after, limit);
    },
  }));
  await enqueue(5_600);
  await clock.advance(60_000);
  const first = connect();
  await clock.advance(1_000);
  reads = 0;
  const { events } = connect({ after: 1 });
  await clock.advance(10);
  expect(events().filter(({ name }) => name === 'change')).toHaveLength(5_000);
  expect(events().at(-1)).toMatchObject({ name: 'counts', id: 5_600, data: { records: 600 } });
  expect(reads).toBeLessThan(80);
  await enqueue();
  await clock.advance(1_000);
  expect(events().at(-1)).toMatchObject({ name: 'change', id: 5_601 });
  first.cut();
});

test('above 200 records in half a second it sends counts', async () => {
  const { clock, enqueue, connect } = place();
  const { events } = connect();
  await clock.advance(100);
  await enqueue(200);
  await clock.advance(600);
  expect(events().filter(({ name }) => name === 'change')).toHaveLength(200);
  await enqueue(201);
  await clock.advance(600);
  const counts = events().filter(({ name }) => name === 'counts');
  const singly = events().filter(({ name }) => name === 'change').length - 200;
  const counted = counts.reduce((sum, { data }) => sum + (data.records ?? 0), 0);
  expect([counts.length > 0, singly + counted]).toEqual([true, 201]);
});

test('a busy store is read twice a second, and all streams get the same bytes', async () => {
  let reads = 0;
  const { clock, enqueue, connect } = place((store) => ({
    ...store,
    auditBlocks: (after, limit) => {
      if (limit > 1) reads += 1;
      return store.auditBlocks(after, limit);
    },
  }));
  const streams = [connect(), connect(), connect()];
  await clock.advance(1_000);
  reads = 0;
  for (let n = 0; n < 200; n += 1) {
    await enqueue();
    await clock.advance(50);
  }
  expect(reads).toBeLessThanOrEqual(2 * 10 + 1);
  const [first, ...others] = streams.map(({ parts }) => parts.slice(1));
  expect(first?.length).toBeGreaterThan(15);
  for (const [at, bytes] of (first ?? []).entries())
    for (const other of others) expect(other[at]).toBe(bytes);
});

test('a stream of one tenant has the changes of that tenant only', async () => {
  const { clock, enqueue, connect } = place();
  const all = connect();
  const own = connect({ tenant: 'acme' });
  await clock.advance(100);
  await enqueue(3, 'acme');
  await enqueue(4, 'other');
  await clock.advance(600);
  const changes = (events: readonly Event[]) => events.filter(({ name }) => name === 'change');
  expect([changes(all.events()).length, changes(own.events()).length]).toEqual([7, 3]);
  const again = connect({ tenant: 'acme', after: 1 });
  await clock.advance(100);
  expect(changes(again.events())).toHaveLength(3);
});

test('a heartbeat every 15 seconds', async () => {
  const { clock, connect } = place();
  const { got } = connect();
  await clock.advance(15_100);
  expect(got.filter((text) => text === ': heartbeat\n\n')).toHaveLength(1);
  await clock.advance(15_000);
  expect(got.filter((text) => text === ': heartbeat\n\n')).toHaveLength(2);
});

test('at most 500 streams; one that ends makes room', async () => {
  const { clock, connect } = place();
  const [first] = Array.from({ length: 500 }, () => connect());
  expect(() => connect()).toThrow('There are 500 streams already.');
  first?.cut();
  await clock.advance(100);
  expect(() => connect()).not.toThrow();
});

test('one token has at most a tenth of the streams; others still get theirs', async () => {
  const { clock, connect } = place();
  const greedy = { owner: 'token:greedy' };
  const [first] = Array.from({ length: 50 }, () => connect(greedy));
  const refusal = { status: 429, code: 'too_many_streams', retryAfterSeconds: 60 };
  expect(() => connect(greedy)).toThrow(expect.objectContaining(refusal));
  expect(() => connect()).not.toThrow();
  first?.cut();
  await clock.advance(100);
  expect(() => connect(greedy)).not.toThrow();
});

test('a slow reader is cut off, and others get everything', async () => {
  const { clock, enqueue, connect } = place();
  const slow = connect({ reads: false });
  const quick = connect();
  await clock.advance(100);
  for (let n = 0; n < 40; n += 1) {
    await enqueue(150);
    await clock.advance(600);
  }
  expect(slow.closed.aborted).toBe(true);
  expect(quick.closed.aborted).toBe(false);
  expect(quick.events().filter(({ name }) => name === 'change')).toHaveLength(6_000);
});

test('over HTTP: the look is on record, and the server closes with an open stream', async () => {
  const { store, access, token } = await api(onTestFinished);
  const server = await startServer({ store, access, port: 0 });
  const headers = {
    authorization: `Bearer ${await token({ role: 'viewer' })}`,
    'last-event-id': '1',
  };
  const answer = await fetch(`${server.url}/v1/changes`, { headers });
  expect(answer.headers.get('content-type')).toContain('text/event-stream');
  const reader = answer.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  expect(eventsIn(new TextDecoder().decode(value))[0]?.name).toBe('change');
  await server.close();
  const records = (await store.auditBlocks(0, 1_000)).flatMap((block) => recordsIn(block));
  expect(
    records.some(
      ({ event, detail: { command } }) => event === 'read' && command === 'GET /v1/changes',
    ),
  ).toBe(true);
});

test('a stream of one tenant ends where its changes cannot be looked for, so that it catches up', async () => {
  let isAway = false;
  const { clock, store, enqueue, connect } = place((inner) => ({
    ...inner,
    finished: async (ids) => {
      if (isAway) throw new Error('away');
      return inner.finished(ids);
    },
  }));
  await enqueue(1);
  const [job] = (await store.jobs({}, { limit: 1 })).jobs;
  await clock.advance(20_000);
  const own = connect({ tenant: 'acme' });
  const all = connect();
  await clock.advance(1_000);
  isAway = true;
  await store.apply([{ kind: 'act', act: 'cancel', id: job?.id ?? '', actor: { name: 'eve' } }]);
  await clock.advance(2_000);
  isAway = false;
  await own.ended;
  expect(all.closed.aborted).toBe(false);
  const again = connect({ tenant: 'acme', after: own.events().at(-1)?.id });
  await clock.advance(2_000);
  expect(again.events().map(({ data }) => data.revision)).toContain(2);
});
