import { systemClock } from '@redrive/core';
import { type FullStore, final, jobsOn, retryAfter } from '@redrive/durable';
import { recordsIn } from '@redrive/durable/store';
import { telemetry } from '@redrive/telemetry';

type Counts = Map<string, number>;

export interface Counted {
  readonly attempts: Record<string, number>;
  readonly dead: Record<string, number>;
  /** By act. */
  readonly removed: Record<string, number>;
  readonly ended: number;
}

const HANDLERS = ['mail', 'import', 'index'] as const;
const STARTS = 4;
const POLICY = { id: 'quick', maxAttempts: 3, baseDelayMs: 20, jitter: 'none' } as const;
const REASONS: Readonly<Record<string, string>> = {
  final_error: 'non_retryable',
  max_attempts_exceeded: 'max_attempts',
  ttl_exceeded: 'ttl_exceeded',
};

/** Jobs that succeed, fail, are limited, and pass their deadline, over four orderly starts of a worker: its counters. */
export async function countJobs(store: FullStore): Promise<Counted> {
  const run = async (n: number) => {
    if (n % 7 === 0) return final('no such address');
    if (n % 7 === 1) return retryAfter(1);
    if (n % 7 < 4) throw new Error('connection reset');
    return 'done';
  };
  const handler = { policy: POLICY, run, idempotent: true };
  const handlers = Object.fromEntries(HANDLERS.map((name) => [name, handler]));
  const attempts: Counts = new Map();
  const dead: Counts = new Map();
  const removed: Counts = new Map();
  const ended: Counts = new Map();
  for (let start = 1; start <= STARTS; start += 1) {
    const metrics = telemetry();
    const { events, onNotice } = metrics;
    const jobs = jobsOn(store, handlers, { events, onNotice, concurrency: 5, pollMs: 20 });
    for (const name of HANDLERS) {
      // Every seventh is limited for ever, so its waits have to count: the deadline ends it.
      const options = { deadline: new Date(systemClock.now() + 400) };
      const payloads = Array.from({ length: 14 }, (_, n) => n);
      for (const n of payloads) await jobs.enqueue(name, n, n % 7 === 1 ? options : {});
      await jobs.enqueue(name, 6, {
        delayMs: 3_600_000,
        deadline: new Date(systemClock.now() + 100),
      });
    }
    await removeLetters(store);
    await jobs.start();
    if (start >= STARTS - 1) await jobs.idle();
    if (start === STARTS) {
      await removeLetters(store);
      await jobs.idle();
    }
    await jobs.stop({ mode: start === 1 ? 'release' : 'finish' });
    const { body } = await metrics.scrape();
    metrics.close();
    addCounters(attempts, body, 'redrive_attempts_total');
    addCounters(dead, body, 'redrive_dead_letters_added_total');
    addCounters(ended, body, 'redrive_operations_total');
    for (const [, act = '', value] of body.matchAll(REMOVED)) add(removed, act, Number(value));
  }
  const total = [...ended.values()].reduce((sum, value) => sum + value, 0);
  return { attempts: sorted(attempts), dead: sorted(dead), removed: sorted(removed), ended: total };
}

const NEVER = Number.MAX_SAFE_INTEGER;
const REMOVED = /^redrive_dead_letters_removed_total\{act="(\w+)"\} (\d+)$/gm;

/** As commands of operators do it, in processes that nobody scrapes; and retention, some of it behind an archive. */
async function removeLetters(store: FullStore): Promise<void> {
  const { jobs } = await store.deadLetters({}, { limit: 8 });
  const actor = { name: 'cli:eve@host' };
  const acts = jobs.slice(0, 4).map(({ id }, index) => {
    return { kind: 'act', act: index % 2 === 0 ? 'requeue' : 'purge', id, actor } as const;
  });
  await store.apply(acts);
  const whole = await store.finished(jobs.slice(4).map(({ id }) => id));
  for (const [index, { id, revision }] of whole.entries()) {
    const why = index % 2 === 0 ? 'archived' : undefined;
    const after = { deadAfterMs: 0, succeededAfterMs: NEVER, cancelledAfterMs: NEVER };
    const prune = { kind: 'prune', ...after, purgedAfterMs: NEVER, limit: 1 } as const;
    await store.apply([{ ...prune, only: [{ id, revision }], actor: { ...actor, why } }]);
  }
}

/** The same numbers, from the records of the log. */
export async function readLog(store: FullStore): Promise<Counted> {
  const attempts: Counts = new Map();
  const dead: Counts = new Map();
  const removed: Counts = new Map();
  const handlerOf = new Map<string, string>();
  let ended = 0;
  for (let after = 0; ; ) {
    const page = await store.auditBlocks(after, 1_000);
    if (page.length === 0) break;
    after = page.at(-1)?.seq ?? after;
    for (const { id, event, from, to, detail } of page.flatMap((block) => [...recordsIn(block)])) {
      if (event === 'enqueue') handlerOf.set(id, String(detail.handler));
      const deleted = detail.why === 'archived' ? 'archive' : 'retention';
      if (from === 'dead') add(removed, event === 'prune' ? deleted : event, 1);
      if (event !== 'settle' && event !== 'expire') continue;
      const name = handlerOf.get(id) ?? '?';
      // A job that was claimed ahead and released at a stop made no attempt, and neither did one that was too late.
      const isNone =
        detail.entry === 'interrupted' || (detail.entry === 'blocked' && to === 'dead');
      const ran = !isNone || Number(detail.durationMs) > 0;
      if (event === 'settle' && ran) add(attempts, `${name} ${detail.entry}`, 1);
      if (to === 'succeeded' || to === 'dead') ended += 1;
      const reason = event === 'expire' ? 'ttl_exceeded' : String(detail.reason);
      if (to === 'dead') add(dead, `${name} ${REASONS[reason]}`, 1);
    }
  }
  return { attempts: sorted(attempts), dead: sorted(dead), removed: sorted(removed), ended };
}

function addCounters(to: Counts, body: string, metric: string): void {
  const series = new RegExp(`^${metric}\\{operation="(\\w+)",\\w+="(\\w+)"\\} (\\d+)$`, 'gm');
  for (const [, operation, label, value] of body.matchAll(series)) {
    add(to, `${operation} ${label}`, Number(value));
  }
}

function add(to: Counts, key: string, value: number): void {
  to.set(key, (to.get(key) ?? 0) + value);
}

function sorted(counts: Counts): Record<string, number> {
  return Object.fromEntries([...counts].filter(([, value]) => value > 0).sort());
}
