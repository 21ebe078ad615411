import { openAccount, settleAttempt } from '@redrive/core/stored';
import type { FullStore } from '@redrive/durable';
import { addAttempt, deadGroupOf, type JobAttempt, type LeasedJob } from '@redrive/durable/store';

/** A kind of dead letter, of which there will be many. */
export interface Template {
  readonly id: string;
  readonly handler: string;
  readonly queue: string;
  readonly tags: readonly string[];
  readonly message: string;
}

const HANDLERS = 12;
const QUEUES = ['default', 'events', 'imports'];
const CAUSES = 600;
const VERBS = ['connect', 'read', 'parse', 'write', 'commit', 'resolve'];

/** Letters that are few however many there are of the others. */
export const RARE = { handler: 'rare-handler', text: 'zebra crossing', tag: 'rare-tag' } as const;

/** The kinds of letters that are multiplied: the first ones are by far the most frequent. */
export function commonTemplates(): readonly Template[] {
  return Array.from({ length: CAUSES }, (_, n) => ({
    id: `template-${n}`,
    handler: `handler-${n % HANDLERS}`,
    queue: QUEUES[n % QUEUES.length] ?? 'default',
    tags: n % 5 === 0 ? ['nightly'] : [],
    message: `cannot ${VERBS[n % VERBS.length]} part ${letters(n)} of the upstream service: connection refused`,
  }));
}

/** The few. */
export function rareTemplates(): readonly Template[] {
  return [
    { id: 'rare-1', handler: RARE.handler, queue: 'default', tags: [], message: 'disk is full' },
    {
      id: 'rare-2',
      handler: 'handler-0',
      queue: 'default',
      tags: [RARE.tag],
      message: `found a ${RARE.text}`,
    },
  ];
}

/** Digits are masked in the name of a cause, letters are not. */
function letters(n: number): string {
  return n.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? '');
}

/** Lets one job of each kind die in the store, after three attempts. */
export async function letDie(store: FullStore, templates: readonly Template[]): Promise<void> {
  for (const { id, handler, queue, tags, message } of templates) {
    const lane = { handler, limit: 1, policyHash: 'policy', limitPerKey: 1 };
    await store.apply([
      {
        kind: 'enqueue',
        job: {
          id,
          handler,
          queue,
          tenant: '',
          priority: 0,
          tags,
          headers: { 'content-type': 'application/json' },
          payload: { kind: 'json', text: JSON.stringify({ order: id, note: 'x'.repeat(150) }) },
          sessionId: id,
          idempotencyKey: id,
        },
        onConflict: 'existing',
        account: openAccount(),
        actor: { name: 'script' },
      },
    ]);
    for (let attempt = 1; attempt <= 3; attempt++) {
      const claim = { kind: 'claim', worker: 'w', leaseMs: 60_000, lanes: [lane] } as const;
      const [{ jobs }] = await store.apply([{ ...claim, limit: 1, ahead: 0 }]);
      const [job] = jobs;
      if (job?.id !== id) throw new Error(`Claimed ${job?.id} instead of ${id}.`);
      await end(store, job, message, attempt === 3);
    }
  }
}

async function end(
  store: FullStore,
  job: LeasedJob,
  message: string,
  isLast: boolean,
): Promise<void> {
  const reason = isLast ? 'max_attempts_exceeded' : 'retryable_error';
  const attempt: JobAttempt = {
    generation: 1,
    attempt: job.account.claims,
    startedAtMs: job.lease.sinceMs,
    durationMs: 12,
    delayBeforeMs: 0,
    entry: 'failed',
    errorClass: 'retryable',
    error: { type: 'Error', message },
    action: isLast ? 'give-up' : 'retry',
    reason,
    worker: 'w',
    policyHash: 'policy',
    maxAttempts: 3,
  };
  const attempts = addAttempt(job.attempts, attempt);
  await store.apply([
    {
      kind: 'settle',
      settlement: {
        id: job.id,
        token: job.token,
        by: 'held',
        to: isLast ? 'dead' : 'ready',
        account: settleAttempt(job.account, 'failed', 0),
        retryCount: job.account.claims,
        errorClass: 'retryable',
        reason,
        attempts,
        group: isLast ? deadGroupOf(job.handler, attempts.kept, reason) : undefined,
        detail: '{}',
      },
    },
  ]);
}
