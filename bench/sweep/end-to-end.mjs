import { connect } from 'amqplib';
import { documentHandler } from '../../packages/durable/dist/document/index.js';
import { jobsOn } from '../../packages/durable/dist/index.js';
import { rabbitmqBus } from '../../packages/rabbitmq/dist/index.js';
import { startRabbitmq } from '../../packages/testkit/src/services/index.ts';
import { median, pairedRatio } from '../lib/statistics.mjs';
import { DESTINATION, idOf, sweepOf, sweepOnce, titleOf } from './documents.mjs';

const AT_ONCE = 32;
let server;

/** One server for all databases. */
export async function stopRabbitmq() {
  await (await server)?.stop();
}

export async function endToEnd({ database, source, effort: { events: count, rounds } }) {
  server ??= startRabbitmq();
  const { url } = await server;
  const connection = await connect(url);
  const channel = await connection.createConfirmChannel();
  await channel.assertQueue(DESTINATION, { durable: true });
  const bus = rabbitmqBus(url);
  const { store } = await database.openStore();
  const rates = { raw: [], own: [] };
  const ways = {
    raw: () => publishRaw(channel, count),
    own: () => sweepAndSend(store, source, bus, count),
  };
  try {
    for (let round = -1; round < rounds; round++) {
      for (const way of round % 2 === 0 ? ['raw', 'own'] : ['own', 'raw']) {
        if (way === 'own') await database.stick('large', count);
        const startedMs = performance.now();
        await ways[way]();
        const rate = count / ((performance.now() - startedMs) / 1000);
        if (round >= 0) rates[way].push(rate);
        const { messageCount } = await channel.purgeQueue(DESTINATION);
        if (messageCount < count) throw new Error(`${messageCount} of ${count} events arrived`);
      }
    }
  } finally {
    await bus.close();
    await store.close();
    await connection.close();
  }
  const label = `${count.toLocaleString('en-US')} stuck ÷ raw`;
  return {
    results: [
      {
        ...{ id: 'events', label, measure: 'events per second', unit: 'events/s' },
        ...{ value: median(rates.own), baseline: median(rates.raw) },
        ...{ ...pairedRatio(rates.own, rates.raw), goal: { ratioAtLeast: 0.4 } },
      },
    ],
  };
}

async function publishRaw(channel, count) {
  let next = 0;
  const caller = async () => {
    while (next < count) {
      const body = bodyOf(next++);
      await new Promise((resolve, reject) => {
        const options = { persistent: true, messageId: `m${next}` };
        channel.sendToQueue(DESTINATION, body, options, (error) => {
          if (error) reject(error);
          else resolve();
        });
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
}

function bodyOf(n) {
  const event = { event_type: 'ArchiveIngested', event_id: `0mwjr29ov0005lrpkot${n}` };
  const timestamp = new Date().toISOString();
  const data = { archive_id: idOf(n), title: titleOf(n) };
  return Buffer.from(JSON.stringify({ ...event, timestamp, data, retry_sweep: { attempt: 2 } }));
}

async function sweepAndSend(store, source, bus, count) {
  const all = Promise.withResolvers();
  let left = count;
  const counting = {
    name: bus.name,
    async publish(messages) {
      const results = await bus.publish(messages);
      left -= results.length;
      if (left === 0) all.resolve();
      return results;
    },
  };
  const send = documentHandler(sweepOf(source, 'large'), counting);
  const jobs = jobsOn(store, { 'documents.large': send }, { concurrency: AT_ONCE, log: 'off' });
  await jobs.start();
  try {
    await sweepOnce(store, source, 'large');
    await all.promise;
  } finally {
    await jobs.stop();
  }
}
