import { setTimeout as sleep } from 'node:timers/promises';
import { median, pairedRatio, quantile } from '../lib/statistics.mjs';
import { atOnce, openLane } from './lanes.mjs';

const publishBatch = 500;

/** Numbers of messages are never used twice: each is an event of its own. */
let next = 0;
const numbers = (count) => Array.from({ length: count }, () => ++next);

export const workloads = {
  publish: {
    title: 'publish with confirmation, 32 at once',
    about:
      'Each caller publishes its next message when the one before is confirmed. 212 to 218 bytes each.',
    measure: measurePublish,
  },
  consume: {
    title: 'consume',
    about: `From the start of the consumer on a backlog until the handler has seen the last message. Raw acknowledges
    each message, with prefetch 256. Redrive stores each one as a job, and its worker runs it, 16 at once.`,
    measure: (context) => measureConsume(context, 0, { SQLite: 0.5, Postgres: 0.35 }),
  },
  'consume-direct': {
    title: 'consume, direct',
    about: `The same, with a source that runs first deliveries at once, and stores them only where they fail. The store is a
    SQLite file, and none fails.`,
    measure: measureDirect,
  },
  'fail-twice': {
    title: 'fail twice, then succeed',
    about:
      'The same, but the handler fails on the first two attempts of each message. Raw requeues it at once.',
    measure: (context) => measureConsume(context, 2, { SQLite: 0.8, Postgres: 0.4 }),
  },
  outbox: {
    title: 'outbox',
    about: `From the start of a worker on a backlog of committed events until the broker has confirmed the last one, 32 at
    once. Raw publishes the same events from memory, 32 at once.`,
    measure: measureOutbox,
  },
  latency: {
    title: 'arrival to handler, idle',
    about:
      'One message at a time: from its publish to the start of its handler. Raw hands it over at once.',
    measure: measureLatency,
  },
  memory: {
    title: 'memory',
    about: `Events are published, stored on SQLite and handled. After each quarter everything is collected, and the heap
    with its buffers is read. Flat is a last quarter within a tenth of the first.`,
    measure: measureMemory,
  },
};

async function measurePublish({ broker, effort: { rounds, messages } }) {
  const lane = await openLane(broker);
  const ways = { raw: lane.publishRaw, Redrive: lane.publishOne };
  const rates = { raw: [], Redrive: [] };
  try {
    for (const publish of Object.values(ways)) await publishAll(publish, atOnce * 4);
    for (let round = 0; round < rounds; round++) {
      for (const name of turns(Object.keys(ways), round)) {
        rates[name].push(await publishAll(ways[name], messages));
      }
    }
  } finally {
    await lane.close();
  }
  return { results: [compared('Redrive', rates.Redrive, rates.raw, 0.9)] };
}

async function publishAll(publish, count) {
  const waiting = numbers(count);
  const startedMs = performance.now();
  const caller = async () => {
    for (let n = waiting.pop(); n !== undefined; n = waiting.pop()) await publish(n);
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  return perSecond(count, startedMs);
}

function measureConsume(context, failures, goals) {
  return measureLanes(context, stored(goals), (lane, count) => consumeAll(lane, count, failures));
}

function measureDirect(context) {
  const contenders = { direct: { store: 'SQLite', direct: true, goal: 0.85 } };
  return measureLanes(context, contenders, (lane, count) => consumeAll(lane, count, 0));
}

function measureOutbox(context) {
  const contenders = stored({ SQLite: 0.4, Postgres: 0.4 });
  return measureLanes(context, contenders, (lane, count) =>
    lane.isRaw ? publishAll(lane.publishRaw, count) : publishStored(lane, count),
  );
}

/** Contenders that store each event, by the name of the store. */
function stored(goals) {
  const contender = ([store, goal]) => [`stored on ${store}`, { store, goal }];
  return Object.fromEntries(Object.entries(goals).map(contender));
}

/** Raw and all contenders take turns. @param turn answers messages per second. */
async function measureLanes({ broker, places, effort }, contenders, turn) {
  const { rounds, messages } = effort;
  const lanes = {};
  try {
    lanes.raw = await openLane(broker);
    for (const [name, { store, direct }] of Object.entries(contenders))
      lanes[name] = await openLane(broker, places.stores[store], direct);
    const rates = Object.fromEntries(Object.keys(lanes).map((name) => [name, []]));
    for (const lane of Object.values(lanes)) await turn(lane, 200);
    for (let round = 0; round < rounds; round++) {
      for (const name of turns(Object.keys(lanes), round)) {
        rates[name].push(await turn(lanes[name], messages));
      }
    }
    const results = Object.entries(contenders).map(([name, { goal }]) =>
      compared(name, rates[name], rates.raw, goal),
    );
    return { results };
  } finally {
    for (const lane of Object.values(lanes)) await lane.close();
  }
}

/** Messages per second. */
async function consumeAll(lane, count, failures) {
  const waiting = numbers(count);
  for (let from = 0; from < count; from += publishBatch) {
    await lane.publish(waiting.slice(from, from + publishBatch));
  }
  const failed = new Map(waiting.map((n) => [n, 0]));
  const all = Promise.withResolvers();
  const startedMs = performance.now();
  const stop = await lane.consume((n) => {
    const times = failed.get(n);
    if (times === undefined) return;
    if (times < failures) {
      failed.set(n, times + 1);
      throw Object.assign(new Error('fails, as planned'), { code: 'ECONNRESET' });
    }
    failed.delete(n);
    if (failed.size === 0) all.resolve(perSecond(count, startedMs));
  });
  try {
    const late = () => `${failed.size} of ${count} messages were not handled`;
    return await within(all.promise, count, late);
  } finally {
    await stop();
  }
}

/** Events per second. */
async function publishStored(lane, count) {
  await lane.fillOutbox(numbers(count));
  const all = Promise.withResolvers();
  let left = count;
  const startedMs = performance.now();
  const stop = await lane.publishStored((published) => {
    left -= published;
    if (left === 0) all.resolve(perSecond(count, startedMs));
  });
  try {
    return await within(all.promise, count, () => `${left} of ${count} events were not published`);
  } finally {
    await stop();
  }
}

/** @throws Error where it takes longer than a minute and a millisecond for each. */
async function within(done, count, late) {
  const limit = new AbortController();
  const tooLate = sleep(60_000 + count, undefined, { signal: limit.signal }).then(
    () => {
      throw new Error(late());
    },
    () => {},
  );
  try {
    return await Promise.race([done, tooLate]);
  } finally {
    limit.abort();
  }
}

async function measureLatency({ broker, places, effort: { pings } }) {
  const lanes = {};
  const waits = { raw: [], SQLite: [], Postgres: [] };
  const arrivals = new Map();
  const arrive = (n) => arrivals.get(n)?.();
  const stops = [];
  try {
    for (const name of Object.keys(waits))
      lanes[name] = await openLane(broker, places.stores[name]);
    for (const lane of Object.values(lanes)) stops.push(await lane.consume(arrive));
    // The first looks of sources and workers are behind them.
    await sleep(2_000);
    for (let ping = 0; ping < pings; ping++) {
      for (const name of turns(Object.keys(lanes), ping)) {
        const [n] = numbers(1);
        const arrived = new Promise((resolve) => arrivals.set(n, resolve));
        const startedMs = performance.now();
        await Promise.all([
          lanes[name].publish([n]),
          arrived.then(() => {
            waits[name].push(performance.now() - startedMs);
          }),
        ]);
        arrivals.delete(n);
        await sleep(20);
      }
    }
  } finally {
    for (const stop of stops) await stop();
    for (const lane of Object.values(lanes)) await lane.close();
  }
  const raw = median(waits.raw);
  const header = ['milliseconds', 'p50', 'p95'];
  const rows = Object.entries(waits).map(([name, each]) => [
    name,
    median(each).toFixed(2),
    quantile(each, 0.95).toFixed(2),
  ]);
  const results = ['SQLite', 'Postgres'].map((name) => ({
    id: name,
    label: `stored on ${name}`,
    measure: 'p50, beyond raw',
    value: median(waits[name]) - raw,
    unit: 'ms',
    goal: { valueAtMost: 5 },
  }));
  return { figures: { header, rows }, results };
}

async function measureMemory({ broker, places, effort: { memory } }) {
  const lane = await openLane(broker, places.stores.SQLite);
  const quarters = [];
  try {
    await consumeAll(lane, 500, 0);
    for (let quarter = 0; quarter < 4; quarter++) {
      for (let left = memory / 4; left > 0; left -= 5_000) {
        await consumeAll(lane, Math.min(left, 5_000), 0);
      }
      globalThis.gc();
      const { heapUsed, external } = process.memoryUsage();
      quarters.push((heapUsed + external) / 2 ** 20);
    }
  } finally {
    await lane.close();
  }
  const header = ['', ...quarters.map((_, index) => `quarter ${index + 1}`)];
  const rows = [['heap, MiB', ...quarters.map((each) => each.toFixed(1))]];
  const value = quarters[3] / quarters[0];
  const label = `stored on SQLite, ${memory.toLocaleString('en-US')} events`;
  const goal = { valueAtMost: 1.1 };
  const result = { id: 'heap', label, measure: 'heap, last ÷ first', value, unit: 'x', goal };
  return { figures: { header, rows }, results: [result] };
}

function compared(label, own, raw, goal) {
  return {
    id: label,
    label: `${label} ÷ raw`,
    measure: 'messages per second',
    ...pairedRatio(own, raw),
    value: median(own),
    baseline: median(raw),
    unit: 'messages/s',
    goal: { ratioAtLeast: goal },
  };
}

function turns(names, round) {
  const from = round % names.length;
  return [...names.slice(from), ...names.slice(0, from)];
}

function perSecond(count, startedMs) {
  return count / ((performance.now() - startedMs) / 1000);
}
