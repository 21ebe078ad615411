import { newId, systemClock } from '@redrive/core';
import { startMongodb, startPostgres, startRabbitmq } from '@redrive/testkit/services';
import { expect, onTestFinished, test } from 'vitest';
import { faultsOf, figuresOf, storm } from './sweep-outage/storm.ts';

const documents = Number(process.env.REDRIVE_STORM_DOCUMENTS ?? 200);
const OPTIONS = {
  documents,
  windowSeconds: 6,
  kills: 6,
  // 60,000 events of 10,000 documents: after the outage their jobs are released in growing groups.
  timeoutMs: 420_000 + documents * 120,
};

test(
  'an outage of RabbitMQ, with workers and services killed: no document fails without its sent events, none gets two in a window',
  async () => {
    const [rabbitmq, mongodb, postgres] = await Promise.all([
      startRabbitmq(),
      startMongodb(),
      startPostgres(),
    ]);
    onTestFinished(async () => {
      await Promise.all([rabbitmq.stop(), mongodb.stop(), postgres.stop()]);
    });
    const url = new URL(mongodb.url);
    url.pathname = `/${newId('storm', systemClock)}`;
    const reports = await storm({ rabbitmq, mongodb: url.href, postgres: postgres.url }, OPTIONS);
    for (const report of reports) {
      console.log(report.collection, figuresOf(report));
      expect(faultsOf(report, OPTIONS)).toEqual([]);
      expect(report.documents.map(({ status }) => status)).not.toContain('pending');
    }
  },
  2 * OPTIONS.timeoutMs,
);
