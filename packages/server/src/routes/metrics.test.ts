import { parseConfig, sampleConfig } from '@redrive/config';
import { retry } from '@redrive/core';
import { RetryCategory } from '@redrive/core/manager';
import { auditSink } from '@redrive/durable/audit';
import { expect, onTestFinished, test } from 'vitest';
import { api } from '../testing/api.ts';

test('GET /v1/metrics has every category, and subsystems by the mappings of the file', async () => {
  const { config } = parseConfig(`${sampleConfig()}`);
  if (config === undefined) throw new Error('the sample is not valid');
  const { store, clock, call, token } = await api(onTestFinished, { config: () => config });
  const events = auditSink(store, { clock });
  let calls = 0;
  const run = () => {
    calls += 1;
    if (calls === 1) throw new Error('connection reset');
  };
  const options = { clock, events, operation: 'save_state', category: RetryCategory.KV_PUT };
  const done = retry(run, { id: 'browser_state_timeout', jitter: 'none' }, options);
  await clock.advance(5_000);
  await done;
  const closing = events.close();
  await clock.advance(1_000);
  await closing;
  const viewer = await token({ role: 'viewer' });
  const { by_category, by_subsystem } = (
    await call('GET', '/v1/metrics', { token: viewer })
  ).json();
  const figures = { sessions: 1, total_attempts: calls, success_rate: 1, average_attempts: calls };
  expect(calls).toBe(2);
  expect(by_category).toMatchObject({ RETRY_KV_PUT: figures });
  const codes = Object.keys(by_category).filter((code) => code !== '');
  expect(codes.toSorted()).toEqual(Object.values(RetryCategory).toSorted());
  expect(by_subsystem).toMatchObject({ browser: figures });
  expect(by_subsystem).not.toHaveProperty('save_state');
});
