import { syncSink } from '@redrive/core';
import { final, jobsOn, memoryStore } from '@redrive/durable';
import { telemetry } from '@redrive/telemetry';
import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { trailsOf } from '../../packages/testkit/src/conformance/store/audit-trail.ts';
import { checkCounters, checkRetryMetrics, comparedLines } from './check-counters.ts';
import { Findings } from './report.ts';

/** One job that fails once, and one that is given up and purged. Each record and notice is counted `countEach` times. */
async function run(countEach: number) {
  const clock = virtualClock();
  const store = memoryStore({ clock });
  const metrics = telemetry({ clock });
  const jobs = jobsOn(
    store,
    {
      work: (_: null, { attempt }) => {
        if (attempt === 1) throw new Error('connection reset');
      },
      fragile: (_: null) => final('broken'),
    },
    {
      ...{ clock, worker: 'worker-1' },
      onNotice: (notice) => {
        for (let count = 0; count < countEach; count += 1) metrics.onNotice(notice);
      },
      events: syncSink((record) => {
        for (let count = 0; count < countEach; count += 1) metrics.events.emit(record);
      }),
    },
  );
  await jobs.enqueue('work', null);
  const { id } = await jobs.enqueue('fragile', null);
  await jobs.start();
  for (let second = 0; second < 30; second += 1) await clock.advance(1_000);
  await store.apply([{ kind: 'act', act: 'purge', id, actor: { name: 'cli:eve@host' } }]);
  for (let second = 0; second < 30; second += 1) await clock.advance(1_000);
  const lines = comparedLines((await metrics.scrape()).body);
  await jobs.stop();
  metrics.close();
  const findings = new Findings();
  const trails = await trailsOf(store);
  const earlier = { worker: 'worker-1', lines: '' };
  checkCounters(trails, [earlier, { worker: 'worker-1', lines }], findings);
  await checkRetryMetrics(store, trails, findings);
  return { findings, store, trails };
}

test('a process has counted no more than its records say, and metrics show equals the log', async () => {
  const { findings } = await run(1);
  expect(findings.violations).toEqual([]);
  expect(findings.figures).toMatchObject({
    'scraped processes': 1,
    'scraped attempts': 3,
    'sessions in metrics show': 2,
  });
});

test('a double count is found, and a record that metrics show does not have', async () => {
  const { findings, store, trails } = await run(2);
  expect(findings.figures['counted more than recorded']).toBe(7); // Six records, and the purge.
  expect(findings.violations).toContain(
    'counted more than recorded: worker-1 attempts work succeeded: 1 too many',
  );
  const fewer = new Findings();
  await checkRetryMetrics(store, new Map([...trails].slice(1)), fewer);
  expect(fewer.violations).toEqual([
    'metrics show differs from the log: total_sessions is 1 in the log',
    'metrics show differs from the log: successful_sessions is 0 in the log',
    'metrics show differs from the log: total_attempts is 1 in the log',
    'metrics show differs from the log: max_attempts_in_session is 1 in the log',
  ]);
});
