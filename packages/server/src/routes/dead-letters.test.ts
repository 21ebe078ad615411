import { jobsOn } from '@redrive/durable';
import { expect, onTestFinished, test } from 'vitest';
import { api } from '../testing/api.ts';

const LEDGER = '{"month":"February","ledger":90071992547409931,"api_token":"s3cr3t-abcdef"}';

test('a letter has its payload as text, exact beyond 2^53, cut at 64 KiB with the rest on demand', async () => {
  const { call, token, store, acme, clock } = await api(onTestFinished);
  const [viewer, admin] = await Promise.all([token({ role: 'viewer' }), token({ role: 'admin' })]);
  const letter = `/v1/dead-letters/${acme}`;
  const edit = (generation: number, payload_text: string) =>
    call('POST', `${letter}/edit`, {
      token: admin,
      body: { generation, payload_text, reason: 'wrong month' },
    });
  expect((await edit(1, '{"not json')).statusCode).toBe(400);
  expect((await edit(1, LEDGER)).statusCode).toBe(200);
  const { final } = await import('@redrive/durable');
  const jobs = jobsOn(store, { resize: () => final('no such image') }, { log: 'off', clock });
  const dies = async () => {
    await jobs.start();
    await clock.advance(2_000);
    await jobs.stop();
  };
  await dies();
  const shown = (await call('GET', letter, { token: viewer })).json();
  expect(shown.payload_text.text).toContain('"ledger": 90071992547409931');
  expect(shown.payload_text.text).not.toContain('s3cr3t');
  expect(shown.earlier_payloads).toMatchObject([
    { generation: 1, payload_text: { text: expect.stringContaining('"image": 7') } },
  ]);
  expect((await call('GET', `${letter}/payload?payload=full`, { token: viewer })).statusCode).toBe(
    403,
  );
  const long = JSON.stringify({ lines: 'x'.repeat(100_000) });
  expect((await edit(2, long)).statusCode).toBe(200);
  await dies();
  const cut = (await call('GET', `${letter}?payload=full`, { token: admin })).json().payload_text;
  expect([cut.text.length, cut.characters > 100_000]).toEqual([65_536, true]);
  const whole = (await call('GET', `${letter}/payload?payload=full`, { token: admin })).json();
  expect(JSON.parse(whole.text)).toEqual(JSON.parse(long));
});

test('causes have a trend, reasons, and how many failed again after a requeue, from at most 1,000 letters', async () => {
  const { call, token } = await api(onTestFinished);
  const viewer = await token({ role: 'viewer' });
  const { groups } = (await call('GET', '/v1/dead-letters/groups', { token: viewer })).json();
  expect(groups).toMatchObject([
    { count: 2, sampled: 2, came_back: 0, reason_codes: ['final_error'], handlers: ['resize'] },
  ]);
  expect(groups[0].trend).toEqual([...Array.from({ length: 23 }, () => 0), 2]);
});

test('the plan of a bulk operation has five samples, from the oldest to the newest', async () => {
  const { call, token, acme, other } = await api(onTestFinished);
  const operator = await token({ role: 'operator' });
  const body = { act: 'requeue', all: true, limit: 100 };
  const plan = (await call('POST', '/v1/operations/plan', { token: operator, body })).json();
  expect(plan.samples.map(({ id }: { id: string }) => id)).toEqual([acme, other]);
  expect(plan.samples[0]).toMatchObject({
    tenant: 'acme',
    last_error: { message: 'no such image' },
  });
});
