import type { AttemptOutcome } from '@redrive/core/stored';
import {
  type ActCommand,
  type ClaimCommand,
  type ClaimLane,
  type Command,
  claimRate,
  type EnqueueCommand,
  LEGAL_FROM,
  lossesOf,
} from '@redrive/durable/store';
import fc from 'fast-check';
import {
  ACTOR,
  claimOf,
  type EnqueueWith,
  enqueueOf,
  HANDLERS,
  LEASE_MS,
  lane,
} from '../store/commands.ts';
import { allJobs } from '../store/invariants.ts';
import { decidedEnd } from '../store/settlements.ts';
import { controlParts, releaseParts } from './control-steps.ts';
import { looks } from './dead-steps.ts';
import type { Pair } from './pair.ts';
import { handlers, none, type Part, pick, queues, Step, tenants } from './step.ts';

// Few names of everything, so that jobs get in each other's way.
const BATCHES = ['b-1', 'b-2'] as const;
const ids = fc.integer({ min: 0, max: 11 }).map((n) => `job-${n}`);
const waitsMs = fc.constantFrom(0, 1, 500, LEASE_MS, 3 * LEASE_MS);

const enqueues: fc.Arbitrary<Part> = fc
  .record({
    id: ids,
    with_: fc.record({
      handler: handlers,
      queue: queues,
      tenant: tenants,
      priority: fc.integer({ min: -1, max: 1 }),
      tags: fc.subarray(['x', 'y']),
      uniqueKey: fc.constantFrom(...none(2), 'u-1', 'u-2'),
      uniqueForMs: fc.constantFrom(...none(2), 1, 499.5, 3 * LEASE_MS),
      batch: fc.constantFrom(...none(3), ...BATCHES),
      digest: fc.constantFrom(...none(3), 'd-1', 'd-1', 'd-2'),
      limitKey: fc.constantFrom(...none(2), 'l-1', 'l-2'),
      maxAttempts: fc.constantFrom(...none(3), 2),
      onDead: fc.constantFrom(...none(2), 'mail'),
      ownPolicy: fc.constantFrom(...none(4), { baseDelayMs: 5 }),
      rateKey: fc.constantFrom(...none(2), 'r-1', 'r-2'),
      onConflict: fc.constantFrom('existing', 'refuse', 'replace'),
      due: fc.constantFrom(...none(5), { inMs: 0 }, { inMs: 1 }, { inMs: 500 }, { inMs: LEASE_MS }),
      deadline: fc.constantFrom(...none(6), { inMs: 500 }, { inMs: 2 * LEASE_MS }),
    }) satisfies fc.Arbitrary<EnqueueWith>,
  })
  .map(({ id, with_ }) => [
    `enqueue ${id} ${JSON.stringify(with_)}`,
    async () => [enqueueOf(id, with_)],
  ]);

const claims: fc.Arbitrary<Part> = fc
  .record({
    worker: fc.constantFrom('worker-1', 'worker-2'),
    limit: fc.constantFrom(1, 2, 4, 4, 0),
    ahead: fc.constantFrom(0, 0, 1, 3),
    lanes: fc
      .constantFrom([...HANDLERS], [...HANDLERS], ...HANDLERS.map((name) => [name]))
      .chain((names) => fc.tuple(...names.map(laneOf))),
    queues: fc.constantFrom(...none(4), ['slow'], ['default', 'slow']),
    afterTenant: fc.constantFrom(undefined, '', 'a', 'b', 'c'),
    maxLosses: fc.constantFrom(...none(2), 1, 0),
    only: fc.constantFrom(...none(6), ['job-3', 'job-1', 'job-2', 'job-7']),
    alone: fc.boolean(),
    // Of whole handlers and queues: which jobs of a tenant or a key a store puts back first is its own affair.
    rates: fc.constantFrom(
      ...none(4),
      [claimRate({ handler: 'mail' }, { limit: 2, perMs: 1_000 })],
      [
        claimRate({ handler: 'mail' }, { limit: 1, perMs: 2 * LEASE_MS, burst: 3 }),
        claimRate({ queue: 'slow' }, { limit: 1, perMs: 500, by: 'handler' }),
      ],
    ),
  })
  .map((with_) => ((with_.only ?? with_.rates) === undefined ? with_ : { ...with_, ahead: 0 }))
  .map((with_) => [claimWords(with_), async () => [claimOf(with_)]]);

function laneOf(handler: string): fc.Arbitrary<ClaimLane> {
  // The same for all claims of a handler, as in life: a store may see late that it has changed.
  const limitPerKey = handler === HANDLERS[0] ? 1 : 2;
  return fc.constantFrom(100, 100, 2, 1, 0).map((limit) => lane(handler, { limit, limitPerKey }));
}

function claimWords(claim: Partial<ClaimCommand>): string {
  const { limit, ahead, lanes, queues, afterTenant, maxLosses, only, alone, rates } = claim;
  const lanesText = lanes?.map((lane) => `${lane.handler}(${lane.limit}, ${lane.limitPerKey})`);
  return `claim ${limit}+${ahead} of ${lanesText} in ${queues ?? 'all'} after ${afterTenant}, losses ${maxLosses}, only ${only}, alone ${alone}, rates ${rates?.map(({ name }) => name)}`;
}

const OUTCOMES: Readonly<Record<string, AttemptOutcome>> = {
  complete: { kind: 'success' },
  fail: { kind: 'failure', errorClass: 'retryable', effect: 'unknown' },
  'fail for good': { kind: 'failure', errorClass: 'final', effect: 'none' },
  'meet a limit': {
    kind: 'failure',
    errorClass: 'rate_limited',
    effect: 'none',
    retryAfterMs: 5_000,
  },
  park: { kind: 'blocked', cause: 'breaker_open', retryAfterMs: 1_000 },
  release: { kind: 'interrupted' },
};

/** Two of them have one cause. */
const MESSAGES = ['no luck', 'user 17 is unknown', 'User 4 is unknown'];

/** Ends an attempt that a worker holds, or believes to. */
const settles: fc.Arbitrary<Part> = fc
  .tuple(fc.constantFrom(...Object.entries(OUTCOMES)), fc.nat(20), fc.boolean())
  .map(([[words, outcome], index, forgets]) => [
    `${words} (lease ${index})`,
    async (pair) => {
      const lease = pick(pair.leases, index);
      if (lease === undefined) return [];
      // A worker that does not forget its lease will settle again, with an old token.
      if (forgets) pair.leases = pair.leases.filter((other) => other !== lease);
      const error = { type: 'Error', message: pick(MESSAGES, index) ?? '' };
      const settlement = decidedEnd(lease, outcome, pair.nowMs, { error });
      const follow = settlement.to === 'succeeded' ? followOf(pair, index) : undefined;
      const result = resultOf(settlement.to);
      return [{ kind: 'settle', settlement: { ...settlement, result, follow } }];
    },
  ]);

/** Jobs that a success stores with itself, mostly none. Their ids and keys may be taken, so some are refused. */
function followOf({ nowMs }: Pair, index: number): readonly EnqueueCommand[] | undefined {
  if (index % 3 > 0) return undefined;
  const onConflict = pick(['existing', 'refuse', 'replace'] as const, index + nowMs) ?? 'existing';
  const uniqueKey = index % 2 === 0 ? 'u-1' : undefined;
  return [
    enqueueOf(`next-${nowMs}-${index}`, { handler: pick(HANDLERS, index) ?? '' }),
    enqueueOf(`job-${index % 12}`, { digest: 'd-1', uniqueKey, onConflict }),
  ];
}

function resultOf(to: string): string | undefined {
  return to === 'succeeded' ? '{"done":true}' : undefined;
}

/** Mostly on a job that it makes sense for. */
const acts = fc
  .record({
    act: fc.constantFrom(
      'cancel',
      'run_now',
      'unpark',
      'requeue',
      'reset',
      'purge',
      'restore',
      'regroup',
    ),
    index: fc.nat(20),
    deadline: fc.constantFrom(...none(3), { inMs: LEASE_MS }),
    generation: fc.constantFrom(...none(3), 1, 2),
    edits: fc.constantFrom(false, false, true),
    which: fc.constantFrom('sensible', 'sensible', 'sensible', 'any'),
  })
  .map(({ act, index, deadline, generation, edits, which }) => {
    const payload = edits ? ({ kind: 'json', text: `{"edit":${index}}` } as const) : undefined;
    const words = `${act} (${which} job ${index}, generation ${generation}, edits ${edits})`;
    const commands = async (pair: Pair): Promise<readonly ActCommand[]> => {
      const all = await allJobs(pair.model);
      const fitting = all.filter(({ state }) => LEGAL_FROM[act].includes(state));
      const { id } = pick(which === 'sensible' ? fitting : all, index) ?? { id: 'nobody' };
      const group =
        act === 'regroup'
          ? { fingerprint: `fp1:${index % 3}`, pattern: `Error: ${words}`, rename: index % 2 === 0 }
          : undefined;
      return [{ kind: 'act', act, id, deadline, generation, payload, group, actor: ACTOR }];
    };
    return [words, commands] as const;
  });

const ticks: fc.Arbitrary<Part> = fc.constant([
  'tick',
  async () => [{ kind: 'tick', limit: 1_000, actor: ACTOR }],
]);

const prunes: fc.Arbitrary<Part> = fc
  .tuple(waitsMs, waitsMs, fc.constantFrom('all', 'all', 'some'))
  .map(([soonMs, lateMs, which]) => [
    `prune ${which} after ${soonMs} and ${lateMs} ms`,
    async (pair) => {
      // Every third of them has changed since it was looked at.
      const some = (await allJobs(pair.model)).map(({ id, revision }, index) => {
        return { id, revision: index % 3 === 2 ? revision - 1 : revision };
      });
      return [
        {
          kind: 'prune',
          succeededAfterMs: soonMs,
          cancelledAfterMs: soonMs,
          deadAfterMs: lateMs,
          purgedAfterMs: lateMs,
          limit: 1_000,
          only: which === 'all' ? undefined : some,
          actor: ACTOR,
        },
      ];
    },
  ]);

const batchParts: fc.Arbitrary<Part> = fc
  .record({
    act: fc.constantFrom('open', 'open', 'seal'),
    id: fc.constantFrom(...BATCHES),
    tenant: fc.constantFrom('', '', 'a'),
    handler: fc.constantFrom(...none(1), ...HANDLERS),
  })
  .map(({ act, id, tenant, handler }) => {
    const then = handler && JSON.stringify({ handler, queue: 'default', priority: 0, data: '1' });
    return [
      `${act} batch ${id} of '${tenant}' then ${handler}`,
      async () => [{ kind: 'batch', act, id, tenant, then, actor: ACTOR }],
    ];
  });

const batchEnds: fc.Arbitrary<Part> = fc.constant([
  'end batches',
  async () => [{ kind: 'end_batches', limit: 100, actor: ACTOR }],
]);

const notes: fc.Arbitrary<Part> = fc.constant([
  'note',
  async () => [{ kind: 'note', event: 'config', subject: 'file', detail: '{"a":1}' }],
]);

const parts = fc.oneof(
  { weight: 10, arbitrary: enqueues },
  { weight: 10, arbitrary: claims },
  { weight: 10, arbitrary: settles },
  { weight: 5, arbitrary: acts },
  { weight: 3, arbitrary: ticks },
  { weight: 3, arbitrary: controlParts },
  { weight: 1, arbitrary: releaseParts },
  { weight: 1, arbitrary: prunes },
  { weight: 3, arbitrary: batchParts },
  { weight: 2, arbitrary: batchEnds },
  { weight: 1, arbitrary: notes },
);

/** One to four commands in one transaction. */
const transactions = fc.array(parts, { minLength: 1, maxLength: 4, size: 'max' }).map(
  (chosen) =>
    new Step(chosen.map(([words]) => words).join('; '), async (pair) => {
      const commands: Command[] = [];
      for (const [, commandsOf] of chosen) commands.push(...(await commandsOf(pair)));
      await pair.apply(commands);
    }),
);

const heartbeats = fc.tuple(fc.nat(20), waitsMs, fc.option(fc.integer({ min: 0, max: 10 }))).map(
  ([index, extraMs, tenths]) =>
    new Step(`heartbeat (lease ${index}, progress ${tenths ?? 'none'})`, async (pair) => {
      const lease = pick(pair.leases, index);
      const progress = tenths === null ? undefined : { fraction: tenths / 10, sinceMs: extraMs };
      const leases = lease === undefined ? [] : [{ ...lease, progress }, ...pair.leases];
      await pair.heartbeat(leases, LEASE_MS + extraMs);
    }),
);

const rescues = fc.constant(
  new Step('rescue', async (pair) => {
    const expired = await pair.expired();
    await pair.apply(
      expired.map((job) => {
        const outcome: AttemptOutcome = {
          kind: 'lease_lost',
          times: lossesOf(job.account) + 1,
          alone: job.lease.alone,
        };
        const settlement = decidedEnd(job, outcome, pair.nowMs, { by: 'expired' });
        return { kind: 'settle', settlement } as const;
      }),
    );
  }),
);

/** A worker dies: nobody knows any more what it held. */
const crashes = fc.constantFrom('worker-1', 'worker-2').map(
  (worker) =>
    new Step(`crash of ${worker}`, async (pair) => {
      pair.leases = pair.leases.filter(({ lease }) => lease.worker !== worker);
    }),
);

const clockSteps = fc
  .constantFrom(1, 499, 500, LEASE_MS - 1, LEASE_MS, 5 * LEASE_MS)
  .map((ms) => new Step(`${ms} ms pass`, async ({ subject }) => subject.clock.tick(ms)));

const clockJumps = fc
  .constantFrom(-3_600_000, -LEASE_MS, 3_600_000, 25 * 86_400_000)
  .map(
    (ms) =>
      new Step(`the clock jumps by ${ms} ms`, async ({ subject: { clock } }) =>
        clock.setWall(clock.now() + ms),
      ),
  );

const dryRuns = fc.array(acts, { minLength: 1, maxLength: 4 }).map(
  (chosen) =>
    new Step(`dry run, then ${chosen.map(([words]) => words).join('; ')}`, async (pair) => {
      const tried: ActCommand[] = [];
      for (const [, commandsOf] of chosen) tried.push(...(await commandsOf(pair)));
      await pair.forecastActs(tried);
    }),
);

const restarts = fc.constant(new Step('restart', (pair) => pair.reopen()));

/** Everything that can be done, in a mix that gets jobs through their lives. */
export const steps: fc.Arbitrary<Step>[] = [
  fc.oneof(
    { weight: 24, arbitrary: transactions },
    { weight: 8, arbitrary: clockSteps },
    { weight: 2, arbitrary: heartbeats },
    { weight: 4, arbitrary: rescues },
    { weight: 2, arbitrary: crashes },
    { weight: 2, arbitrary: clockJumps },
    { weight: 1, arbitrary: dryRuns },
    { weight: 2, arbitrary: looks },
    { weight: 1, arbitrary: restarts },
  ),
];
