import { definePolicy, isRedriveError } from '@redrive/core';
import { type FullStore, memoryStore } from '@redrive/durable';
import {
  engageKill,
  killSwitches,
  pauses,
  pauseWork,
  releaseKill,
  resumeWork,
  submitOperation,
} from '@redrive/durable/control';
import { isFinal } from '@redrive/durable/store';
import { type Telemetry, telemetry } from '@redrive/telemetry';
import { virtualClock } from '@redrive/testkit';
import { testCollection } from '@redrive/testkit/conformance/document-source';
import { ladder } from '@redrive/testkit/ladder';
import { comparedLines } from '../../crash/check-counters.ts';
import { checkEnd, lookAt } from './checks.ts';
import { Looks } from './looks.ts';
import { observed } from './observed.ts';
import type { Plan, PlanStep, QuoteFailure } from './plan.ts';

const START_MS = 1_767_225_600_000;
const ACTOR = { name: 'operator' };
const DRAIN_STEP_MS = 15_000;
const MAX_DRAIN_STEPS = 400;
const LOOK_EVERY_STEPS = 10;
/** A call that would wait longer goes on as a job. */
const HORIZON_MS = 2_000;
/** Telemetry measures the real event loop: some seeds are enough. */
const SCRAPED_EVERY = 4;

/** Another unfinished job has the unique key: the job stays as it is. */
function refused(error: unknown): void {
  if (!isRedriveError(error, 'unique_conflict')) throw error;
}

export interface PlanResult {
  readonly looks: Looks;
  readonly trace: readonly string[];
}

/** Carries out a plan until an invariant does not hold. `spoil` plants a bug in the store. */
export async function runPlan(
  plan: Plan,
  spoil: (store: FullStore) => FullStore = (store) => store,
): Promise<PlanResult> {
  const looks = new Looks();
  const clock = virtualClock({ startMs: START_MS });
  const { store, accepted } = observed(spoil(memoryStore({ clock })), clock, looks);
  const isScraped = plan.seed % SCRAPED_EVERY === 0;
  const metrics = new Map<string, Telemetry>();
  const collection = testCollection('archives');
  const effects = new Map<string, unknown>();
  const published = new Set<string>();
  const documentIds: string[] = [];
  let [made, calls, openCalls, operations] = [0, 0, 0, 0];

  /** The one effect of a job or an event. */
  const effect = async (once: <T>(key: string, run: () => T) => Promise<T>, key: string) => {
    const value = await once(key, () => {
      made += 1;
      return made;
    });
    const known = effects.get(key);
    looks.hold(4, known === undefined || known === value, () => `${key} has two effects`);
    effects.set(key, value);
  };

  const run = ladder({
    ...{ clock, store, seed: plan.seed, processes: plan.processes },
    handlers: {
      work: {
        policy: plan.policies.work,
        run: (_: unknown, { once, idempotencyKey }) => effect(once, idempotencyKey),
      },
      call: { policy: plan.policies.call, run: async () => null },
      order: {
        policy: plan.policies.order,
        run: async (event: { data?: { id?: string } }, { once, idempotencyKey }) => {
          await effect(once, idempotencyKey);
          const id = event.data?.id;
          if (id !== undefined) run.documents.put(collection, { _id: id, status: 'processed' });
        },
      },
    },
    ...(plan.withEvents && {
      sources: [{ name: 'orders', handler: 'order' }],
      sweepEveryMs: 30_000,
      sweeps: [
        {
          ...{ name: 'archives', collection, dependency: '' },
          ...{ thresholdMs: 60_000, minimumAgeMs: 0 },
          policy: definePolicy({ id: 'documents.archives', maxAttempts: 3, baseDelayMs: 10_000 }),
          event: { type: 'Ingested', bus: 'memory', destination: 'orders', data: { id: '$_id' } },
        },
      ],
    }),
    jobs: (process) => {
      const { leaseMs, concurrency } = plan;
      const kept = {
        succeededMs: Infinity,
        deadMs: Infinity,
        cancelledMs: Infinity,
        purgedMs: Infinity,
      };
      const options = { leaseMs, concurrency, pollMs: 1_000, sweepMs: 2_000, retention: kept };
      if (!isScraped) return options;
      // Each start is a process of its own, with counters that begin at 0.
      const own = metrics.get(process) ?? telemetry({ traces: false, clock });
      metrics.set(process, own);
      return { ...options, events: own.events, onNotice: own.onNotice };
    },
  });
  const failures = plan.failures.map((failure) => run.fail(failure));

  function quote(ways: readonly QuoteFailure[]): void {
    let notBeforeMs = 0;
    calls += 1;
    const number = calls;
    openCalls += 1;
    const operation = ({ attempt }: { attempt: number }): string => {
      const nowMs = clock.monotonic();
      const text = () => `call ${number}: attempt ${attempt} is ${notBeforeMs - nowMs} ms early`;
      looks.hold(6, nowMs >= notBeforeMs, text);
      const max = plan.policies.quote.maxAttempts ?? Infinity;
      looks.hold(1, attempt <= max, () => `call ${number} has attempt ${attempt} of ${max}`);
      const way = ways[attempt - 1];
      if (way === undefined) return 'a quote';
      notBeforeMs = nowMs + way.retryAfterMs;
      const headers = way.retryAfterMs > 0 ? { 'retry-after-ms': String(way.retryAfterMs) } : {};
      throw Object.assign(new Error('no quote'), { status: way.status, headers });
    };
    const over = () => {
      openCalls -= 1;
    };
    const handOver = { to: run.jobs.handOver, handler: 'work', payload: null };
    const policy = { ...plan.policies.quote, ...(plan.handsOver && { horizonMs: HORIZON_MS }) };
    const options = { operation: 'quote', ...(plan.handsOver && { handOver }) };
    void run.retry(operation, policy, options).then(over, over);
  }

  async function enqueue(step: Extract<PlanStep, { kind: 'enqueue' }>): Promise<void> {
    const { handler, jobs, delayMs, key, deadlineMs } = step;
    const deadline = deadlineMs && { deadline: new Date(clock.now() + deadlineMs) };
    const options = { ...(delayMs > 0 && { delayMs }), ...deadline };
    if (key !== undefined) {
      await run.jobs.enqueue(handler, null, { ...options, uniqueKey: key });
      return;
    }
    const ids = await run.jobs.enqueueMany(handler, Array(jobs).fill(null), options);
    const found = await Promise.all(ids.map(({ id }) => store.job(id)));
    const isPart = new Set(found.map((job) => job === undefined)).size > 1;
    looks.hold(7, !isPart, () => 'enqueueMany stored only a part');
  }

  /** The same key with other parameters. */
  async function conflict(): Promise<void> {
    const [key] = effects.keys();
    if (key === undefined) return;
    const request = { key, fingerprint: 'other', onInProgress: 'fail' } as const;
    const answer = await store
      .ledger()
      .once(request, () => 'another effect')
      .catch((error: unknown) => error);
    const isRefused = isRedriveError(answer, 'idempotency_conflict');
    looks.hold(4, isRefused, () => `${key} with other parameters: ${String(answer)}`);
  }

  async function carryOut(step: PlanStep): Promise<void> {
    switch (step.kind) {
      case 'enqueue':
        return enqueue(step);
      case 'publish': {
        const id = `m-${step.message}`;
        published.add(`orders-${id}`);
        await run.bus.publish([{ destination: 'orders', body: Buffer.from('{}'), id }]);
        return;
      }
      case 'document':
        documentIds.push(`d-${step.document}`);
        return run.documents.put(collection, { _id: `d-${step.document}`, status: 'pending' });
      case 'quote':
        return quote(step.failures);
      case 'advance':
        return run.advance(step.ms);
      case 'crash':
        return run.crash(step.process);
      case 'kill': {
        const target =
          step.scope === 'all'
            ? ({ scope: 'all' } as const)
            : ({ scope: 'handler', name: 'work' } as const);
        await engageKill(store, { ...target, mode: step.mode, actor: ACTOR });
        return;
      }
      case 'release':
        return releaseAll();
      case 'pause':
        await pauseWork(store, { scope: 'queue', name: 'default', actor: ACTOR });
        return;
      case 'resume':
        return resumeAll();
      case 'requeue': {
        operations += 1;
        const target = { filter: { handler: 'work' }, limit: 1_000 };
        await submitOperation(store, {
          id: `op-${operations}`,
          act: 'requeue',
          target,
          ramp: false,
          actor: ACTOR,
        });
        return;
      }
      case 'retry':
      case 'cancel':
      case 'purge': {
        const id = accepted[step.job];
        if (id === undefined) return;
        if (step.kind === 'retry') await run.jobs.retry(id).catch(refused);
        else if (step.kind === 'cancel') await run.jobs.cancel(id);
        else await store.apply([{ kind: 'act', act: 'purge', id, actor: ACTOR }]);
        return;
      }
      case 'conflict':
        return conflict();
      case 'look':
        return look();
    }
  }

  /** While nothing runs: several questions to the store are one look then. */
  async function look(): Promise<void> {
    await run.advance(0);
    await lookAt(store, plan, looks);
  }

  async function releaseAll(): Promise<void> {
    for (const { scope, name } of await killSwitches(store)) {
      await releaseKill(store, { scope, name, actor: ACTOR } as Parameters<typeof releaseKill>[1]);
    }
  }

  async function resumeAll(): Promise<void> {
    for (const { scope, name } of await pauses(store)) {
      await resumeWork(store, { scope, name, actor: ACTOR } as Parameters<typeof resumeWork>[1]);
    }
  }

  /** Whether nothing is waiting or running any more. */
  async function isOver(): Promise<boolean> {
    const { groups } = await store.counts();
    if (openCalls > 0 || groups.some(({ state }) => !isFinal(state))) return false;
    const states = documentIds.map((id) => run.documents.get(collection, id)?.status);
    if (states.includes('pending') || states.includes('processing')) return false;
    if (!plan.withEvents) return true;
    const { waiting = 0, unacknowledged = 0 } = await run.bus.check({ name: 'orders' });
    return waiting + unacknowledged === 0;
  }

  const isFine = () => looks.violations.length === 0;
  await run.start();
  for (const step of plan.steps) if (isFine()) await carryOut(step);
  await look();
  for (const repair of failures) repair();
  await releaseAll();
  await resumeAll();
  for (let n = 1; n <= MAX_DRAIN_STEPS && isFine() && !(await isOver()); n += 1) {
    await run.advance(DRAIN_STEP_MS);
    if (n % LOOK_EVERY_STEPS === 0) await look();
  }
  if (isFine()) looks.hold(2, await isOver(), () => 'something is not finished');
  await run.stop();
  if (isFine()) await lookAt(store, plan, looks);
  const scrapes = await Promise.all(
    [...metrics].map(async ([worker, own]) => {
      const lines = comparedLines((await own.scrape()).body);
      own.close();
      return { worker, lines };
    }),
  );
  if (isFine()) await checkEnd(store, [...new Set([...accepted, ...published])], scrapes, looks);
  return { looks, trace: await run.trace() };
}
