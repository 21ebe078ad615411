import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@redrive/core';
import { recordedAttempts } from '@redrive/durable/audit';
import type { JumpingClock } from './clock.ts';
import type { Model } from './model.ts';
import type { Pipeline } from './pipeline.ts';
import { answerOf } from './wait.ts';
import type { Worker } from './worker.ts';

/** Asks Prometheus for a figure. 0: it has none. */
type Figures = (query: string) => Promise<number>;

interface Parts {
  readonly clock: JumpingClock;
  readonly startMs: number;
  readonly worker: Worker;
  readonly pipeline: Pipeline;
  readonly model: Model;
  readonly prometheus: Figures;
  readonly directory: string;
}

type Numbers = Readonly<Record<string, number>>;

const SCRAPE_MS = 1_000;
/** A worker asks its store once in this time, and waits this long for an answer. */
const FRESH_MS = 5_000;
const ANSWER_MS = 1_000;
const HANDLERS = [
  'parsing.archive_ingested',
  'chunking.json_parsed',
  'embedding.chunks_prepared',
  'summarization.requested',
];

/** Compares figures with a count, and keeps the number of differences. */
class Comparison {
  wrong = 0;
  readonly #say: (line: string) => void;

  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  row(what: string, counted: number, said: Numbers): void {
    const all = Object.entries(said);
    const isRight = all.every(([, figure]) => figure === counted);
    if (!isRight) this.wrong += 1;
    const figures = all.map(([name, figure]) => `${name} ${figure}`).join(', ');
    this.#say(`${isRight ? 'agree ' : 'DIFFER'}  ${what}: counted ${counted}; ${figures}`);
  }
}

/** Compares what each part says about the chunks in the middle of the week with the database. */
export async function compareChunks(
  { worker, pipeline, prometheus }: Parts,
  say: (line: string) => void,
): Promise<number> {
  const compared = new Comparison(say);
  const chunks = pipeline.collection('chunks');
  const length = (answer: unknown) => Object(answer).documents.length;
  const json = async (...args: string[]) =>
    JSON.parse(await worker.redrive(...args, '--limit', '200', '--json'));
  const sweeps = JSON.parse(await worker.redrive('sweep', 'status', '--json'));
  const open = { status: { $in: ['pending', 'processing'] } };
  compared.row('chunks that are stuck', await chunks.countDocuments(open), {
    Prometheus: await prometheus('retry_job_stuck_documents{collection="chunks"}'),
    'sweep status': numberAt(sweeps, 'retry_job_stuck_documents', 'chunks'),
    'stuck list': length(await json('stuck', 'list', 'chunks')),
    console: length(await worker.api('/v1/stuck?collection=chunks&limit=200')),
  });
  const { letters } = await json('dlq', 'list', '--handler', 'documents.chunks');
  const gaveUp = 'retry_job_documents_max_retries_exceeded_total';
  const failed = { status: 'failed_max_retries' };
  compared.row('chunks that are failed', await chunks.countDocuments(failed), {
    Prometheus: await prometheus('retry_job_failed_documents{collection="chunks"}'),
    'Prometheus, in total': await prometheus(`${gaveUp}{collection="chunks"}`),
    'sweep status': numberAt(sweeps, gaveUp, 'chunks'),
    'documents list': length(await json('documents', 'list', 'chunks')),
    'dlq list': letters.length,
  });
  return compared.wrong;
}

/**
 * Compares what each part of Redrive says with the count of the services. `console` is the HTTP API, from which the console
 * has its figures. Answers with the number of differences.
 */
export async function compareFigures(parts: Parts, say: (line: string) => void): Promise<number> {
  const { worker, pipeline, model, prometheus, directory } = parts;
  const { count, collection } = pipeline;
  const metrics = JSON.parse(await worker.redrive('metrics', 'show', '--since', '30d', '--json'));
  const since = encodeURIComponent(new Date(parts.startMs).toISOString());
  const figures = await worker.api(`/v1/metrics?since=${since}`);
  const log = await attemptsInLog(parts);
  const sweeps: Readonly<Record<string, Numbers>> = JSON.parse(
    await worker.redrive('sweep', 'status', '--json'),
  );
  const served = await worker.api('/v1/sweeps');
  const compared = new Comparison(say);
  const row = compared.row.bind(compared);
  for (const handler of HANDLERS) {
    row(`attempts of ${handler}`, count.attempts.get(handler) ?? 0, {
      Prometheus: await prometheus(`sum(redrive_attempts_total{operation="${handler}"})`),
      'metrics show': numberAt(metrics, 'by_operation', handler, 'total_attempts'),
      console: numberAt(figures, 'by_operation', handler, 'total_attempts'),
      'audit log': log.attempts.get(handler) ?? 0,
    });
    row(`failed attempts of ${handler}`, count.failures.get(handler) ?? 0, {
      Prometheus: await prometheus(
        `sum(redrive_attempts_total{operation="${handler}",entry="failed"})`,
      ),
      'audit log': log.failures.get(handler) ?? 0,
    });
  }
  row('events given up by embedding', count.givenUp.get('embedding.chunks_prepared') ?? 0, {
    'audit log': log.dead,
    Prometheus: await prometheus('sum(event_retry_dlq_total{service="embedding"})'),
  });
  const requeued = 'retry_job_documents_requeued_total';
  row('events of chunks sent by sweeps', count.swept.get('chunks')?.size ?? 0, {
    Prometheus: await prometheus(`${requeued}{collection="chunks"}`),
    'sweep status': sweeps[requeued]?.chunks ?? 0,
    console: numberAt(served, requeued, 'chunks'),
  });
  const failed = 'retry_job_failed_documents';
  row(
    'chunks that are failed',
    await collection('chunks').countDocuments({ status: 'failed_max_retries' }),
    {
      Prometheus: await prometheus(`${failed}{collection="chunks"}`),
      console: numberAt(served, failed, 'chunks'),
    },
  );
  for (const [kind, total] of [
    ['archives', 6],
    ['messages', 30],
    ['chunks', 60],
    ['threads', 6],
  ] as const) {
    const ids = [...count.processed].filter(([key]) => key.startsWith(`${kind}/`));
    row(`${kind} processed`, total, {
      database: await collection(kind).countDocuments({ status: 'processed' }),
      'processed once': ids.filter(([, times]) => times === 1).length,
    });
  }
  row('chunks that the model got once', 60, {
    model: [...model.requests.values()].filter((n) => n === 1).length,
  });
  row('dead letters left', 0, {
    Prometheus: await prometheus('sum(redrive_dead_letters) or vector(0)'),
  });
  const pages = tiersIn(join(directory, 'pages.jsonl'));
  say(`notified: ${pages.join(', ')}`);
  if (pages.length !== new Set(pages).size) {
    compared.wrong += 1;
    say('DIFFER  a tier was notified twice');
  }
  const verified = JSON.parse(await worker.redrive('audit', 'verify', '--json'));
  if (verified.problems?.length > 0) compared.wrong += 1;
  say(
    `audit verify: ${verified.problems?.length} problems in ${verified.records ?? verified.blocks} records`,
  );
  return compared.wrong;
}

async function attemptsInLog({ worker, clock, startMs }: Parts) {
  const attempts = new Map<string, number>();
  const failures = new Map<string, number>();
  let dead = 0;
  const add = (map: Map<string, number>, key: string) => void map.set(key, (map.get(key) ?? 0) + 1);
  const all = recordedAttempts(worker.store, { sinceMs: startMs, untilMs: clock.now() + 1, clock });
  for await (const { handler, outcome, action } of all) {
    if (outcome === 'not_run') continue;
    add(attempts, handler);
    if (outcome === 'failed') add(failures, handler);
    if (handler === 'embedding.chunks_prepared' && action === 'give-up') dead += 1;
  }
  return { attempts, failures, dead };
}

/**
 * Resolves when Prometheus has a scrape in which all figures are newer than this call, with the figures of that scrape. On
 * a busy machine a scrape fails, or lacks the series of a question that the store did not answer in time.
 */
export async function scraped(url: string, clock: JumpingClock): Promise<Figures> {
  const sinceMs = clock.now() + ANSWER_MS;
  const aheadMs = clock.now() - systemClock.now();
  const scrape = async (): Promise<Figures | undefined> => {
    const at = await ask(url, 'timestamp(up)');
    const oldestMs =
      1_000 * (await ask(url, 'min(redrive_collector_success_timestamp_seconds)', at));
    const ageMs = at * 1_000 + aheadMs - oldestMs;
    const isFresh = oldestMs >= sinceMs && ageMs < FRESH_MS - ANSWER_MS;
    return isFresh ? (query) => ask(url, query, at) : undefined;
  };
  return answerOf(scrape, SCRAPE_MS / 4, () => 'Prometheus has no complete scrape');
}

/** @param at the time of a scrape, in seconds. Default: now. */
async function ask(url: string, query: string, at?: number): Promise<number> {
  const time = at === undefined ? '' : `&time=${at}`;
  const answer = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(query)}${time}`);
  // The answer of Prometheus to an instant query.
  const { data } = (await answer.json()) as {
    data: { result: readonly { value: [number, string] }[] };
  };
  return Number(data.result[0]?.value[1] ?? 0);
}

function numberAt(document: unknown, ...path: readonly string[]): number {
  let at: unknown = document;
  for (const name of path) at = Object(at)[name];
  return typeof at === 'number' ? at : Number.NaN;
}

function tiersIn(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => {
    const { tier, kind, escalation } = JSON.parse(line);
    return `tier ${tier} of ${kind === 'collection' ? escalation : 'a cause'}`;
  });
}
