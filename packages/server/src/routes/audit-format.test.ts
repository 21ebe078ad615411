import { recordProblems } from '@redrive/core/records';
import { sessionDocument } from '@redrive/durable';
import { expect, onTestFinished, test } from 'vitest';
import { api } from '../testing/api.ts';

test('GET /v1/audit has the records in the shapes of the data models, of one tenant for a token of it', async () => {
  const { call, token, store } = await api(onTestFinished);
  const viewer = await token({ role: 'viewer' });
  const look = async (query: string, of = viewer) =>
    (await call('GET', `/v1/audit?${query}`, { token: of })).json();
  const { jobs } = await store.jobs({}, { limit: 100 });
  const audit = await look('format=audit/v1&limit=100');
  expect(audit.records).toHaveLength(jobs.length);
  expect(audit.records[0]).toMatchObject({
    event_type: 'retry_exhausted',
    operation: 'resize',
    total_attempts: 1,
    final_exception_message: 'no such image',
    redrive: { schema_version: 'audit/v1', reason_code: 'final_error' },
  });
  const events = await look('format=event/v1&event=retry_failure&limit=100');
  expect(events.records).toHaveLength(jobs.length);
  expect(events.records.flatMap((each: object) => recordProblems('event', each))).toEqual([]);
  const sessions = await look('format=session/v1&limit=100');
  for (const { id } of jobs) {
    const job = await store.job(id);
    expect(sessions.records).toContainEqual(job && sessionDocument(job));
  }
  const tenant = audit.records[0].tenant_id;
  const own = await look('format=audit/v1', await token({ role: 'viewer', tenant }));
  expect(own.records.length).toBeGreaterThan(0);
  expect(own.records.length).toBeLessThan(jobs.length);
  expect(own.records.every((each: { tenant_id: string }) => each.tenant_id === tenant)).toBe(true);
});

test('an event that the shape does not have, and an unknown shape, are refused', async () => {
  const { call, token } = await api(onTestFinished);
  const viewer = await token({ role: 'viewer' });
  for (const query of ['format=event/v1&event=idempotency', 'format=audit/v2']) {
    const answer = await call('GET', `/v1/audit?${query}`, { token: viewer });
    expect(answer.json()).toMatchObject({ status: 400, code: 'invalid_input' });
  }
});
