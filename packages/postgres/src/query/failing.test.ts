import { FAILING_STATES } from '@redrive/durable/store';
import { expect, it } from 'vitest';
import { enqueueOf } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';
import { failingSql } from './failing.ts';

const server = testServer(NO_SYNC);

it('failing jobs are found along indexes: the whole table is never read', async () => {
  const schema = server.newSchema();
  const store = await openMade(server.url, { schema, onWarning: () => {} });
  const many = Array.from({ length: 10_000 }, (_, n) => n);
  await store.apply(many.map((n) => enqueueOf(`s${n}`, { due: { inMs: 86_400_000 } })));
  await store.apply(many.map((n) => enqueueOf(`r${n}`)));
  // Parked by hand: a claim and a settlement each would take a minute.
  await server.sql(`update ${schema}.jobs set state = 'parked', cause = 'breaker:' || seq % 3,
    due_at = submitted_at + seq where state = 'ready' and seq % 2 = 0`);
  await server.sql(`analyze ${schema}.jobs`);
  const plan = async (ofCause: boolean) => {
    const values = ofCause ? [100, 'breaker:1'] : [100];
    const rows = await server.sql(
      `explain ${failingSql(schema, ofCause ? 'parked under a cause' : FAILING_STATES)}`,
      values,
    );
    return rows.map((row) => Object.values(row)[0]).join('\n');
  };
  for (const text of [await plan(false), await plan(true)]) {
    expect(text).toContain('Index Scan');
    expect(text).not.toMatch(/Seq Scan|Bitmap|Sort/);
  }
  const { jobs, bounded } = await store.failing({ atMost: 100, cause: 'breaker:1' });
  expect([jobs.length, bounded]).toEqual([100, true]);
  await store.close();
});
