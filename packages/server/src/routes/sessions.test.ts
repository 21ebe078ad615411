import { actOnEscalation } from '@redrive/durable/escalation';
import { expect, onTestFinished, test } from 'vitest';
import { api } from '../testing/api.ts';

test('sessions: list, show and replay; a tenant sees its own', async () => {
  const { call, token, acme, other } = await api(onTestFinished);
  const own = await token({ role: 'viewer', tenant: 'acme' });
  const { sessions } = (await call('GET', '/v1/sessions', { token: own })).json();
  expect(sessions.map((each: { session_id: string }) => each.session_id)).toEqual([acme]);
  expect(sessions[0]).toMatchObject({ success: false, total_attempts: 1 });
  const shown = (await call('GET', `/v1/sessions/${acme}`, { token: own })).json();
  expect(shown).toMatchObject({ session: acme, jobs: [{ id: acme }], sessions, more: false });
  expect((await call('GET', `/v1/sessions/${other}`, { token: own })).statusCode).toBe(404);
  const viewer = await token({ role: 'viewer' });
  const replay = await call('GET', `/v1/sessions/${acme}/replay`, { token: viewer });
  expect(replay.json()).toMatchObject({ session: acme, same: true });
});

test('a job has a timeline, and its decisions derived again, for its own tenant', async () => {
  const { call, token, acme, other } = await api(onTestFinished);
  const own = await token({ role: 'viewer', tenant: 'acme' });
  const timeline = (await call('GET', `/v1/jobs/${acme}/timeline`, { token: own })).json();
  expect(timeline).toMatchObject({
    id: acme,
    planned: [],
    rows: [{ attempt: 1, entry: 'failed' }],
  });
  const replay = (await call('GET', `/v1/jobs/${acme}/replay`, { token: own })).json();
  const [{ revision }] = timeline.rows;
  const step = replay.steps.find((each: { revision: number }) => each.revision === revision);
  expect([replay.same, step.decision.recorded.reason]).toEqual([true, 'final_error']);
  for (const part of ['timeline', 'replay']) {
    const { statusCode } = await call('GET', `/v1/jobs/${other}/${part}`, { token: own });
    expect(statusCode).toBe(404);
  }
});

test('an escalation has its log, and a decision the command that carries it out', async () => {
  const { call, token, store } = await api(onTestFinished);
  const operator = await token({ role: 'operator' });
  const [group] = (await store.deadGroups({}, { limit: 1 })).groups;
  const url = `/v1/escalations/${group?.fingerprint}`;
  const body = { decision: 'requeue', reason: 'fixed in 4.2.1' };
  const decided = (await call('POST', `${url}/decide`, { token: operator, body })).json();
  expect(decided.next).toBe(`redrive dlq requeue --group ${group?.fingerprint}`);
  const shown = (await call('GET', url, { token: operator })).json();
  expect(shown.log).toMatchObject([{ act: 'decide', why: 'fixed in 4.2.1' }]);
  // One that is resolved keeps its log; one that never was is not found.
  const wish = { act: 'acknowledge', key: 'archives', tier: 2, actor: { name: 'ann' } } as const;
  await actOnEscalation(store, wish);
  const archives = await call('GET', '/v1/escalations/archives', { token: operator });
  expect(archives.json().log).toHaveLength(1);
  const none = await call('GET', '/v1/escalations/nothing', { token: operator });
  expect(none.statusCode).toBe(404);
});
