import { equal, ok } from 'node:assert/strict';
import { openAccount } from '@redrive/core/stored';
import type { Job, Store } from '@redrive/durable';
import type {
  ActCommand,
  Actor,
  ActResult,
  ClaimCommand,
  ClaimLane,
  ClaimResult,
  EnqueueCommand,
  EnqueueResult,
  LeasedJob,
  TickCommand,
  TickResult,
} from '@redrive/durable/store';

// Commands with everything filled in, so that a test says only what it is about.

export const ACTOR: Actor = { name: 'test' };
export const LEASE_MS = 30_000;
export const MAX_ATTEMPTS = 3;
export const HANDLER = 'resize';
export const HANDLERS: readonly string[] = [HANDLER, 'mail'];

type Spec = EnqueueCommand['job'];

/** The parts of an enqueue that a test may set: fields of the job and of the command alike. */
export type EnqueueWith = Partial<Spec> & Partial<Omit<EnqueueCommand, 'kind' | 'job'>>;

export function enqueueOf(id: string, with_: EnqueueWith = {}): EnqueueCommand {
  const { due, deadline, onConflict, account, attempts, errorClass, dead, actor, ...more } = with_;
  const { uniqueForMs, ...spec } = more;
  return {
    kind: 'enqueue',
    job: {
      id,
      handler: HANDLER,
      queue: 'default',
      tenant: '',
      priority: 0,
      tags: [],
      headers: {},
      payload: { kind: 'json', text: '{"n":1}' },
      sessionId: id,
      idempotencyKey: id,
      ...spec,
    },
    due,
    deadline,
    onConflict: onConflict ?? 'existing',
    uniqueForMs,
    account: account ?? openAccount(),
    attempts,
    errorClass,
    dead,
    actor: actor ?? ACTOR,
  };
}

export async function enqueue(
  store: Store,
  id: string,
  with_?: EnqueueWith,
): Promise<EnqueueResult> {
  const [result] = await store.apply([enqueueOf(id, with_)]);
  return result;
}

/** Several, all alike, in one transaction. */
export async function enqueueAll(
  store: Store,
  ids: readonly string[],
  with_?: EnqueueWith,
): Promise<void> {
  const results = await store.apply(ids.map((id) => enqueueOf(id, with_)));
  for (const result of results) ok(result.ok, JSON.stringify(result));
}

export function lane(handler = HANDLER, with_: Partial<ClaimLane> = {}): ClaimLane {
  return {
    handler,
    limit: 1_000,
    policyHash: 'policy-1',
    limitPerKey: 1,
    ...with_,
  };
}

export function claimOf(with_: Partial<ClaimCommand> = {}): ClaimCommand {
  return {
    kind: 'claim',
    worker: 'worker-1',
    leaseMs: LEASE_MS,
    lanes: [lane()],
    limit: 100,
    ahead: 0,
    ...with_,
  };
}

export async function claim(store: Store, with_?: Partial<ClaimCommand>): Promise<ClaimResult> {
  const [result] = await store.apply([claimOf(with_)]);
  return result;
}

/** The ids that one claim takes, in its order. */
export async function claimedIds(store: Store, with_?: Partial<ClaimCommand>): Promise<string[]> {
  return (await claim(store, with_)).jobs.map(({ id }) => id);
}

/** Takes exactly one job. */
export async function claimOne(store: Store, with_?: Partial<ClaimCommand>): Promise<LeasedJob> {
  const { jobs } = await claim(store, { limit: 1, ...with_ });
  const [job] = jobs;
  ok(job !== undefined && jobs.length === 1, `one job to be claimed, not ${jobs.length}`);
  return job;
}

/** Enqueues one job and takes it. */
export async function leased(store: Store, id: string, with_?: EnqueueWith): Promise<LeasedJob> {
  await enqueue(store, id, with_);
  const lanes = [lane(with_?.handler)];
  const job = await claimOne(store, { lanes });
  equal(job.id, id);
  return job;
}

export async function act(
  store: Store,
  what: ActCommand['act'],
  id: string,
  with_: Omit<Partial<ActCommand>, 'kind' | 'act' | 'id'> = {},
): Promise<ActResult> {
  const [result] = await store.apply([{ kind: 'act', act: what, id, actor: ACTOR, ...with_ }]);
  return result;
}

export async function tick(store: Store, with_: Partial<TickCommand> = {}): Promise<TickResult> {
  const [result] = await store.apply([{ kind: 'tick', limit: 1_000, actor: ACTOR, ...with_ }]);
  return result;
}

/** A job that must be there. */
export async function find(store: Store, id: string): Promise<Job> {
  const job = await store.job(id);
  ok(job !== undefined, `job ${id} to be there`);
  return job;
}

export async function stateOf(store: Store, id: string): Promise<Job['state'] | undefined> {
  return (await store.job(id))?.state;
}
