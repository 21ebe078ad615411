import { isClientError, items } from '@redrive/client';
import type { ResolvedPolicy } from '@redrive/core';
import { delaysOf, type PolicyDelay } from '@redrive/core/fields';
import {
  Attempts,
  type BacktestResult,
  backtest,
  RecordingReader,
  readScene,
  type Scene,
  type SceneSummary,
  SummaryOfRuns,
  startSimulation,
} from '@redrive/lab';

// The calls that the web worker answers. Also called in Node, by the test that compares the two.

/** A policy as `redrive.yaml` writes it: times in seconds. */
export type PolicyFields = Readonly<Record<string, unknown>>;

/** An error for the page, with a code and the values that are wrong. */
function refusal(code: string, detail: string, problems: readonly object[] = []): Error {
  return Object.assign(new Error(detail), { document: { code, detail, problems } });
}

const SEEDS = 5;
/** Of one scene: some three seconds. */
const MAX_SIMULATED = 500_000;
/** More cannot be distinguished in a chart, and are added up as the last of them. */
const MAX_LISTED = 1_000;
/** Of a recording in a browser: some 25 MB. */
const MAX_RECORDED = 500_000;
const RECORDING_TIMEOUT_MS = 120_000;

/** The waits of a policy, and the longest time that all of them take. @throws a refusal */
export function waits(policy: PolicyFields): {
  readonly delays_ms: readonly PolicyDelay[];
  readonly totalMs: number;
} {
  const resolved = policyOf(policy);
  const delays: PolicyDelay[] = [];
  for (const delay of delaysOf(resolved)) {
    delays.push(delay);
    if (delays.length === MAX_LISTED) break;
  }
  const more = Math.max(0, (resolved.enabled ? resolved.maxAttempts : 1) - 1 - delays.length);
  const listedMs = delays.reduce((sum, { max }) => sum + max, 0);
  return { delays_ms: delays, totalMs: listedMs + more * (delays.at(-1)?.max ?? 0) };
}

/** Five seeds of a scene, or fewer of one with many attempts. @throws a refusal */
export function simulate(scene: unknown): SceneSummary {
  const read = sceneOf(scene);
  const runs = new SummaryOfRuns();
  let left = MAX_SIMULATED;
  for (let seed = 1; seed <= SEEDS && left > 0; seed += 1) {
    const run = startSimulation(read, seed);
    while (run.attempts < left && run.step(1_000));
    // A run that was stopped in the middle would distort the median; the first one is better than nothing.
    if (run.attempts < left || seed === 1) runs.add(run.result());
    left -= run.attempts;
  }
  return { ...runs.get(), cut: left > 0 ? 0 : 1 };
}

export interface BacktestWish {
  /** The recording begins at this time. */
  readonly since: string;
  /** Those of the page: a web worker has no local storage. */
  readonly headers: Readonly<Record<string, string>>;
  /** The policy of the recorded sessions. */
  readonly id: string;
  readonly old: PolicyFields;
  readonly new: PolicyFields;
}

/** Both policies on the sessions of a recording, which is kept for the next call. @throws a refusal */
async function backtestOf(wish: BacktestWish): Promise<BacktestResult & { readonly cut: boolean }> {
  const policies = { old: policyOf(wish.old), new: policyOf(wish.new) };
  const attempts = await recordingOf(wish);
  return { ...backtest(attempts, policies, wish.id), cut: attempts.omitted > 0 };
}

export const LAB_CALLS = { waits, simulate, backtest: backtestOf };

function sceneOf(value: unknown): Scene {
  const { scene, problems = [] } = readScene(value);
  if (scene !== undefined) return scene;
  const own = problems.map(({ path, message }) => {
    return { field: path.replace('callers.layers[0].', ''), message };
  });
  throw refusal('invalid_scene', 'Correct these values.', own);
}

function policyOf(policy: PolicyFields): ResolvedPolicy {
  const { layers } = sceneOf({ arrivals: { at_once: 1 }, callers: { layers: [policy] } }).callers;
  return layers[0] as ResolvedPolicy; // A scene without a layer is refused.
}

let kept: { readonly since: string; readonly attempts: Promise<Attempts> } | undefined;

function recordingOf({ since, headers }: BacktestWish): Promise<Attempts> {
  if (kept?.since === since) return kept.attempts;
  const attempts = loadRecording(since, headers);
  kept = { since, attempts };
  attempts.catch(() => {
    kept = undefined;
  });
  return attempts;
}

async function loadRecording(since: string, headers: BacktestWish['headers']): Promise<Attempts> {
  const reader = new RecordingReader(new Attempts(MAX_RECORDED));
  const signal = AbortSignal.timeout(RECORDING_TIMEOUT_MS);
  const here = { url: '', headers: () => headers };
  try {
    for await (const line of items(here, 'GET /v1/recording', { since }, { signal })) {
      reader.take(JSON.stringify(line));
      if (reader.attempts.omitted > 0) break;
    }
  } catch (error) {
    throw isClientError(error) ? refusal(error.code, error.message) : error;
  }
  const problem = reader.end();
  if (problem !== undefined) throw refusal('recording', `No recording: ${problem}.`);
  return reader.attempts;
}
