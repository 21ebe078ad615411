import { type DecisionInput, definePolicy, type RetryRecord, retry, syncSink } from '@redrive/core';
import { hashPolicy } from '@redrive/core/records';
import {
  type AttemptOutcome,
  claimAttempt,
  openAccount,
  settleAttempt,
} from '@redrive/core/stored';
import type { Store } from '@redrive/durable';
import {
  type ActCommand,
  type AuditStore,
  type EnqueueCommand,
  lossesOf,
  type StoredPolicy,
  sessionDetail,
} from '@redrive/durable/store';
import { seededRandom } from '../../seeded-random.ts';
import type { VirtualClock } from '../../virtual-clock.ts';
import { settleWith } from './settle-with.ts';

const POLICY = definePolicy({ id: 'history', maxAttempts: 4, jitter: 'full', maxFreeWaits: 2 });
const HASH = hashPolicy(POLICY);
const ACTOR = { name: 'test', why: 'because' };
const ACTS: readonly ActCommand['act'][] = [
  'cancel',
  'run_now',
  'unpark',
  'requeue',
  'purge',
  'restore',
];

export interface HistoryOptions {
  readonly seed: number;
  /** How often a batch of jobs is added, worked on and acted on. */
  readonly rounds: number;
  readonly jobsPerRound?: number | undefined;
  /** Whether the end of the log is sealed too. Default `true`. */
  readonly sealAll?: boolean | undefined;
}

/** Lets everything happen in a store that can happen to jobs, as a function of the seed. Answers the policies used. */
export async function auditedHistory(
  store: Store & AuditStore,
  clock: VirtualClock,
  { seed, rounds, jobsPerRound = 5, sealAll = true }: HistoryOptions,
): Promise<ReadonlyMap<string, StoredPolicy>> {
  const random = seededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const policies = new Map([[HASH, { hash: HASH, id: POLICY.id, policy: POLICY }]]);
  await store.registerPolicies([...policies.values()]);
  const ids: string[] = [];

  async function work(): Promise<void> {
    const [claimed] = await store.apply([
      {
        kind: 'claim',
        worker: 'worker:1',
        leaseMs: 1_000,
        lanes: [{ handler: 'h', limit: 50, policyHash: HASH, limitPerKey: 50 }],
        limit: 50,
        ahead: 0,
        // Without a draw: the rest of the history stays as it is.
        alone: (ids.length / jobsPerRound) % 2 === 0,
      },
    ]);
    for (const { id } of claimed.jobs) {
      if (random() < 0.05) await store.apply([{ kind: 'act', act: 'cancel', id, actor: ACTOR }]);
    }
    const lost = random() < 0.2;
    if (lost) await clock.advance(2_000);
    const settlements = claimed.jobs.map((job) => {
      const times = lossesOf(job.account) + 1;
      const { alone } = job.lease;
      const [outcome, circumstances] = pick(outcomes());
      const settled: AttemptOutcome = lost ? { kind: 'lease_lost', times, alone } : outcome;
      return settleWith(job, settled, POLICY, circumstances);
    });
    // Some attempts end alone, most in one transaction.
    const alone = settlements.splice(0, 1);
    for (const part of [alone, settlements]) {
      await store.apply(part.map((settlement) => ({ kind: 'settle', settlement }) as const));
    }
  }

  for (let round = 0; round < rounds; round++) {
    const added = Array.from({ length: jobsPerRound }, (_, n) => `job-${round}-${n}`);
    ids.push(...added);
    await store.apply(added.map((id) => enqueueOf(id, random)));
    await work();
    const acts = Array.from({ length: 4 }, () => pick(ids)).map((id) => {
      return { kind: 'act', act: pick(ACTS), id, actor: ACTOR } as const;
    });
    await store.apply([...acts, { kind: 'tick', limit: 100, actor: ACTOR }]);
    const regretted = pick(ids);
    for (const act of ['purge', 'restore'] as const) {
      await store.apply([{ kind: 'act', act, id: regretted, actor: ACTOR }]);
    }
    if (random() < 0.1) await noteAndSwitch();
    if (random() < 0.2) await prune();
    if (random() < 0.3) await store.seal();
    await clock.advance(Math.floor(random() * 3_000));
  }
  if (sealAll) await store.seal();
  return policies;

  async function noteAndSwitch(): Promise<void> {
    const notes = (await sessionRecords(`s-${ids.length}`)).map((record) => {
      const detail = sessionDetail(record);
      return { kind: 'note', event: 'session', subject: `s-${ids.length}`, detail } as const;
    });
    await store.apply(notes);
    await switchAndRelease();
  }

  async function switchAndRelease(): Promise<void> {
    const kill = {
      kind: 'control',
      of: 'kill',
      key: 'queue:other',
      note: '{"by":"test"}',
    } as const;
    const [engaged] = await store.apply([{ ...kill, expect: 0, document: '{}' }]);
    if (!engaged.ok) throw new Error(`The kill switch was refused: ${engaged.refusal}.`);
    await store.apply([
      { ...kill, expect: engaged.revision },
      { kind: 'release', cause: 'breaker_open', limit: 2, actor: ACTOR },
    ]);
  }

  async function prune(): Promise<void> {
    const [succeededAfterMs, cancelledAfterMs, deadAfterMs, purgedAfterMs] = [
      5_000, 5_000, 60_000, 5_000,
    ];
    const after = { succeededAfterMs, cancelledAfterMs, deadAfterMs, purgedAfterMs };
    await store.apply([{ kind: 'prune', ...after, limit: 3, actor: ACTOR }]);
  }

  async function sessionRecords(sessionId: string): Promise<RetryRecord[]> {
    const records: RetryRecord[] = [];
    const events = syncSink((record) => void records.push(record));
    let attempts = 0;
    const call = retry(
      () => {
        attempts += 1;
        if (attempts < 3) throw new Error('not yet');
        return 1;
      },
      POLICY,
      { clock, events, sessionId },
    );
    await clock.runAll();
    await call;
    return records;
  }
}

function outcomes(): readonly [AttemptOutcome, Partial<DecisionInput>?][] {
  const failure = { kind: 'failure', errorClass: 'retryable', effect: 'unknown' } as const;
  const limited = { kind: 'failure', errorClass: 'rate_limited', effect: 'none' } as const;
  return [
    [{ kind: 'success' }],
    [{ kind: 'success' }],
    [failure],
    [failure],
    [failure, { timeLeftMs: 500 }],
    [failure, { breakerOpenMs: 40_000 }],
    [failure, { budgetAllows: false }],
    [failure, { onUnknown: 'ask' }],
    [{ ...limited, retryAfterMs: 700 }],
    [limited],
    [{ kind: 'failure', errorClass: 'final', effect: 'none' }],
    [{ kind: 'failure', errorClass: 'ignored', effect: 'none' }],
    [{ kind: 'blocked', cause: 'breaker_open', retryAfterMs: 900 }],
    [{ kind: 'interrupted' }],
    [{ kind: 'unstarted' }, { timeLeftMs: -1 }],
  ];
}

function enqueueOf(id: string, random: () => number): EnqueueCommand {
  const handedOver = random() < 0.1;
  const account = handedOver
    ? settleAttempt(claimAttempt(openAccount()), 'failed', 1_000)
    : openAccount();
  const tenant = random() < 0.5 ? '' : 'tenant';
  return {
    kind: 'enqueue',
    job: {
      id,
      handler: 'h',
      queue: 'default',
      tenant,
      priority: 0,
      tags: [],
      headers: {},
      payload: { kind: 'json', text: '{}' },
      sessionId: handedOver ? `session-of-${id}` : id,
      uniqueKey: random() < 0.3 ? `key-${Math.floor(random() * 3)}${tenant}` : undefined,
      idempotencyKey: id,
    },
    due: random() < 0.3 ? { inMs: Math.floor(random() * 4_000) } : undefined,
    deadline: random() < 0.2 ? { inMs: Math.floor(random() * 8_000) } : undefined,
    onConflict: 'replace',
    account,
    actor: ACTOR,
  };
}
