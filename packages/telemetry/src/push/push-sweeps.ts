import { type Clock, systemClock } from '@redrive/core';
import { maskSecrets } from '@redrive/core/stored';
import type { AskedStore } from '../collect/store-collectors.ts';
import { setControls } from '../collect/store-collectors.ts';
import { CONTENT_TYPES, expose } from '../exposition/exposition.ts';
import { Registry } from '../registry/registry.ts';

export interface PushOptions {
  /** The address of the Pushgateway: `http://pushgateway:9091`. A user and a password in it are Basic credentials. */
  readonly url: string;
  /** The group of metrics that the push replaces. Default `retry-job`. */
  readonly job?: string | undefined;
  /** For the store and the Pushgateway together. Default 5,000. */
  readonly timeoutMs?: number;
  /** Default: the system's. */
  readonly clock?: Clock;
}

const MAX_PROBLEM = 300;
/** Metrics that the schedule of sweeps keeps over all runs. */
const OF_SWEEPS = /^retry_job_|_stuck_document_/;

/**
 * Pushes the metrics of sweeps to a Pushgateway, because a process that runs once is gone before a scrape. The totals
 * are those of all runs, kept in the store, so no counter starts again. Each push replaces its group.
 *
 * ```ts
 * const problem = await pushSweeps(store, { url: 'http://127.0.0.1:9091' });
 * ```
 *
 * @returns the problem, without secrets; `undefined`: the metrics are pushed. Never rejects.
 */
export async function pushSweeps(
  store: Pick<AskedStore, 'controls'>,
  options: PushOptions,
): Promise<string | undefined> {
  const { url, job = 'retry-job', timeoutMs = 5_000, clock = systemClock } = options;
  const limit = new AbortController();
  let problem: string | undefined;
  const late = new Promise<never>((_, reject) => {
    limit.signal.addEventListener('abort', () => reject(limit.signal.reason), { once: true });
  });
  const timer = clock.setTimer(timeoutMs, () => {
    limit.abort(new Error(`No answer within ${timeoutMs} ms`));
  });
  try {
    const pushed = sweepsText(store).then((body) => put(url, job, body, limit.signal));
    problem = await Promise.race([pushed, late]);
  } catch (error) {
    problem = messageOf(error);
  }
  timer.cancel();
  return problem && maskSecrets(problem, MAX_PROBLEM);
}

async function sweepsText(store: Pick<AskedStore, 'controls'>): Promise<string> {
  const registry = new Registry(new Set(['controls']));
  const families = [...registry.families].filter(({ entry }) => OF_SWEEPS.test(entry.name));
  for (const family of families) family.makeKnown();
  setControls(registry.add, await store.controls(), registry);
  return expose(families, 'text');
}

async function put(url: string, job: string, body: string, signal: AbortSignal) {
  // `fetch` refuses credentials in an address.
  const { protocol, username, password, origin, pathname } = new URL(url);
  if (!/^https?:$/.test(protocol)) return 'The address is not one of http:// or https://';
  const basic = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  const headers = {
    'content-type': CONTENT_TYPES.text,
    ...(username !== '' && { authorization: `Basic ${basic.toString('base64')}` }),
  };
  const target = `${origin}${pathname.replace(/\/$/, '')}/metrics/${groupOf(job)}`;
  const request = { method: 'PUT', headers, body, signal, redirect: 'error' } as const;
  const response = await fetch(target, request);
  const said = response.ok ? '' : await response.text();
  await response.body?.cancel().catch(() => {});
  return response.ok ? undefined : `${origin} answered ${response.status}: ${said.trim()}`;
}

/** A name with a slash would end in the path, so it is written in base64. */
function groupOf(job: string): string {
  if (/^[\w.-]+$/.test(job)) return `job/${job}`;
  return `job@base64/${Buffer.from(job).toString('base64url')}`;
}

/** `fetch` says "fetch failed", and keeps the reason as its cause. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
