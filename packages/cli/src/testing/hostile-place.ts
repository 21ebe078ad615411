import { final, jobsOn, memoryStore } from '@redrive/durable';
import { engageKill, holdPark, pauseWork, submitOperation } from '@redrive/durable/control';
import { virtualClock } from '@redrive/testkit';
import {
  closeGate,
  declareRate,
  declareSchedule,
  openBreaker,
  parkJobs,
} from './control-states.ts';
import { ARCHIVES, documentsWithAll, SWEEPS_CONFIG } from './document-place.ts';

const START = Date.parse('2027-01-31T08:00:00Z');

/** A store in which everything has the same name. */
export async function storeOf(name: string) {
  const clock = virtualClock({ startMs: START });
  const store = memoryStore({ clock });
  const actor = { name: 'test' };
  const handlers = { [name]: () => final(`no ${name}`), waits: () => undefined };
  const jobs = jobsOn(store, handlers, { log: 'off', clock, queues: [name] });
  const more = { queue: name, tenant: name, tags: [name] };
  const { id: dead } = await jobs.enqueue(name, {}, { ...more, id: name });
  await jobs.start();
  await clock.advance(5_000);
  await jobs.stop();
  const { id: ready } = await jobs.enqueue('waits', {}, { ...more, id: `${name}2` });
  await openBreaker(store, name);
  await parkJobs(store, `breaker:${name}`);
  await parkJobs(store, name);
  await holdPark(store, { cause: name, actor });
  await closeGate(store, { dependency: name, credential: name, tenant: name });
  await declareSchedule(store, name);
  await declareRate(store, `handler:${name}/all/5ms`);
  await submitOperation(store, { id: name, act: 'requeue', target: { ids: [name] }, actor });
  for (const scope of ['queue', 'handler', 'schedule'] as const) {
    await pauseWork(store, { scope, name, actor });
  }
  await engageKill(store, { scope: 'tenant', name, actor });
  await engageKill(store, { scope: 'handler', name, actor });
  const { groups } = await store.deadGroups({}, { limit: 1 });
  return { store, clock, dead, ready, cause: groups[0]?.fingerprint ?? '' };
}

/** A stuck document and a failed one. */
export function documentsOf(name: string) {
  const documents = documentsWithAll();
  const tried = { attemptCount: 2, lastAttemptTime: new Date(START - 50 * 3_600_000) };
  for (const [status, id] of [
    ['pending', name],
    ['failed_max_retries', `${name}2`],
  ]) {
    documents.put(ARCHIVES, { _id: id, status, ...tried, retry_sweep: { event: name } });
  }
  return documents;
}

export const HOSTILE_CONFIG = `version: "1.1.0"\nbuses: { main: { url: "store:" } }${SWEEPS_CONFIG}`;

/** Every command that shows something of a store, or changes it and says what to do next. */
export const commandsAbout = (
  name: string,
  { dead, ready, cause }: Awaited<ReturnType<typeof storeOf>>,
): readonly (readonly string[])[] => [
  ['status'],
  ['doctor'],
  ['jobs', 'list'],
  ['jobs', 'show', '--', dead],
  ['jobs', 'show', '--', ready],
  ['jobs', 'enqueue', '--payload', '1', '--runs-elsewhere', '--id', name, '--', 'other'],
  ['schedules', 'list'],
  ['breakers', 'list'],
  ['breakers', 'show', '--', name],
  ['gates', 'list'],
  ['park', 'list'],
  ['park', 'release', '--dry-run', '--', name],
  ['park', 'release', '--dry-run', '--', `breaker:${name}`],
  ['dlq', 'groups'],
  ['dlq', 'list'],
  ['dlq', 'stats'],
  ['dlq', 'show', '--', dead],
  ['dlq', 'show', '--', ready],
  ['dlq', 'reset', '--', ready],
  ['dlq', 'purge', '--', dead],
  ['escalations', 'list'],
  ['escalations', 'show', '--', cause],
  ['ops', 'list'],
  ['ops', 'show', '--', name],
  ['kill', 'list'],
  ['kill', 'engage', '--', 'queue', name],
  ['policy', 'explain', '--', name],
  ['config', 'show', '--config', name],
  ['config', 'validate', '--', name],
  ['lab', 'replay', '--', name],
  ['stuck', 'list'],
  ['stuck', 'explain', '--', 'archives', name],
  ['documents', 'list'],
  ['documents', 'purge', '--', 'archives', `${name}2`],
  ['sweep', 'status'],
];
