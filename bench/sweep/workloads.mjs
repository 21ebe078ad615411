import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runChild } from '../lib/child.mjs';
import { median, pairedRatio } from '../lib/statistics.mjs';
import { rawSweep, sweepOnce } from './documents.mjs';
import { endToEnd } from './end-to-end.mjs';

const local = (file) => fileURLToPath(new URL(file, import.meta.url));
const written = (count) => count.toLocaleString('en-US');

export const workloads = {
  idle: {
    title: 'a sweep that finds nothing',
    about: `A whole run over one collection without stuck documents: its indexes are checked, the sets of claims, of stuck and of
    wrong documents are looked for, stuck and failed ones are counted, and the numbers are stored. The yardstick is the same run
    over a collection of 10,000 documents.`,
    measure: measureIdle,
  },
  send: {
    title: 'find, claim, enqueue, mark',
    about: `From the start of a sweep until the last document is marked as sent. Raw finds the same pages with the bare driver, and
    writes the same two changes into each document, 500 at a time; it stores no job.`,
    measure: measureSend,
  },
  'end-to-end': {
    title: 'end to end to RabbitMQ',
    about: `From the start of a sweep until RabbitMQ has confirmed the last event, with a worker beside it, 32 events at once. Raw
    publishes the same bodies from memory, 32 at once.`,
    measure: endToEnd,
  },
  memory: {
    title: 'memory',
    about: 'Resident memory of a process that sweeps, at its highest, beyond that at its start.',
    measure: measureMemory,
  },
  application: {
    title: 'the application meanwhile',
    about: `Another process updates documents of its own in the same collection, each by its id, while a sweep runs: at half of
    the rate that it reaches alone, and as fast as it can, with four callers (SQLite: one). The yardstick is its rate just before and
    after the sweep.`,
    measure: measureApplication,
  },
};

async function measureIdle({ database, source, effort: { idle, total } }) {
  const { store } = await database.openStore();
  const times = { large: [], small: [] };
  try {
    for (let run = -3; run < idle; run++) {
      for (const name of run % 2 === 0 ? ['large', 'small'] : ['small', 'large']) {
        const startedMs = performance.now();
        const sent = await sweepOnce(store, source, name);
        if (sent > 0) throw new Error(`${sent} documents were stuck`);
        if (run >= 0) times[name].push(performance.now() - startedMs);
      }
    }
  } finally {
    await store.close();
  }
  const label = `${written(total)} documents`;
  const [value, baseline] = [median(times.large), median(times.small)];
  return {
    results: [
      { id: 'ms', label, measure: 'one sweep', value, unit: 'ms', goal: { valueAtMost: 50 } },
      {
        ...{ id: 'ratio', label: `${label} ÷ 10,000`, measure: 'one sweep', value, baseline },
        ...{ ...pairedRatio(times.large, times.small), unit: 'ms', goal: { ratioAtMost: 1.2 } },
      },
    ],
  };
}

async function measureSend({ database, source, effort: { stuck } }) {
  const results = [];
  for (const { count, rounds } of stuck) {
    const { store } = await database.openStore();
    const raw = database.raw('large');
    const ways = {
      raw: () => rawSweep(raw),
      own: () => sweepOnce(store, source, 'large'),
    };
    const rates = { raw: [], own: [] };
    try {
      for (let round = 0; round < rounds; round++) {
        for (const way of round % 2 === 0 ? ['raw', 'own'] : ['own', 'raw']) {
          await database.stick('large', count);
          const startedMs = performance.now();
          const sent = await ways[way]();
          rates[way].push(perSecond(sent, startedMs));
          if (sent !== count) throw new Error(`${way} changed ${sent} documents of ${count}`);
        }
      }
    } finally {
      await store.close();
    }
    results.push({
      ...{ id: `stuck/${count}`, label: `${written(count)} stuck ÷ raw`, unit: 'documents/s' },
      ...{ measure: 'documents per second', value: median(rates.own), baseline: median(rates.raw) },
      ...{ ...pairedRatio(rates.own, rates.raw), goal: { ratioAtLeast: 0.5 } },
    });
  }
  return { results };
}

async function measureMemory({ kind, database, effort: { memory } }) {
  const results = [];
  for (const count of memory) {
    const { target, store } = await database.openStore();
    await store.close();
    await database.stick('large', count);
    const request = { kind, url: database.url, target, name: 'large' };
    const { sent, startMiB, peakMiB } = await runChild(local('memory.mjs'), request);
    if (sent !== count) throw new Error(`${sent} documents of ${count} were sent`);
    results.push({
      ...{ id: `stuck/${count}`, label: `${written(count)} stuck`, unit: 'MiB' },
      measure: `beyond ${startMiB.toFixed(0)} MiB at the start`,
      ...{ value: peakMiB - startMiB, goal: { valueAtMost: 150 } },
    });
  }
  return { results };
}

async function measureApplication(context) {
  const alone = await withApplication(context, undefined, (rate) => rate(3_000));
  const results = [];
  for (const [id, label, target] of [
    ['paced', 'at half of its full rate', alone / 2],
    ['full', 'as fast as it can', undefined],
  ]) {
    const { meanwhile, without, failed } = await withApplication(context, target, async (rate) => {
      const { database, source, effort } = context;
      const { store } = await database.openStore();
      try {
        await database.stick('large', effort.application);
        const before = await rate(3_000);
        const sweeping = sweepUntilDone(store, source);
        const meanwhile = await rate(sweeping);
        const without = (before + (await rate(3_000))) / 2;
        return { meanwhile, without, failed: await sweeping };
      } finally {
        await store.close();
      }
    });
    results.push({
      ...{ id, label: failed === 0 ? label : `${label}, ${failed} sweeps failed` },
      ...{ measure: 'updates per second', unit: 'updates/s' },
      ...{ value: meanwhile, baseline: without, ratio: meanwhile / without },
      goal: { ratioAtLeast: 0.9 },
    });
  }
  return { results };
}

/** An application that writes to SQLite without a pause keeps the lock from others. Answers how many sweeps failed. */
async function sweepUntilDone(store, source) {
  for (let failed = 0; ; failed++) {
    try {
      await sweepOnce(store, source, 'large');
      return failed;
    } catch (error) {
      if (error.code !== 'documents_unavailable' || failed === 20) throw error;
    }
  }
}

/** Lets `work` have the application, and a way to measure its rate for a time, or until a promise settles. */
async function withApplication({ kind, database, effort }, perSecond, work) {
  const { total, application: from } = effort;
  const request = { kind, url: database.url, name: 'large', from, to: total, perSecond };
  const child = fork(local('application.mjs'), [JSON.stringify(request)]);
  const look = async () => {
    child.send('count');
    const [answer] = await once(child, 'message');
    return answer;
  };
  try {
    await look();
    await sleep(500);
    return await work(async (span) => {
      const before = await look();
      await (typeof span === 'number' ? sleep(span) : span);
      const after = await look();
      return (after.updates - before.updates) / ((after.atMs - before.atMs) / 1000);
    });
  } finally {
    child.kill();
    await once(child, 'exit');
  }
}

function perSecond(count, startedMs) {
  return count / ((performance.now() - startedMs) / 1000);
}
