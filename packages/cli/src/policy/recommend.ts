import type { ConfiguredPolicy } from '@redrive/config';
import { fieldValues } from '@redrive/config/documents';
import { definePolicy, type Policy } from '@redrive/core';
import {
  type Candidate,
  MIN_RECOVERIES,
  type Recommendation,
  recommend,
  type Score,
} from '@redrive/lab';
import { findPolicy } from '@redrive/operate/run';
import type { Options, RunCommand } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { loadConfig } from '../config/load-config.ts';
import { loadRecording } from '../lab/load-recording.ts';
import { CliError, EXIT } from '../terminal/exit-codes.ts';
import { printJson, printLines, printText } from '../terminal/io.ts';
import { type Column, tableLines } from '../terminal/table.ts';
import { formatDuration } from '../terminal/times.ts';

const MONTH_MS = 2_592_000_000;

export const runRecommend: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const costs = costsOf(options);
  const falseTimeouts = shareOf(options);
  const config = await loadConfig(invocation);
  const { policy } = findPolicy(config, args[0] ?? '');
  const recording = await loadRecording(invocation, config, MONTH_MS, { starts: true });
  const result = recommend(recording.attempts, policy.policy, { costs, falseTimeouts });
  const { chosen, recoveries } = result;
  if (chosen === undefined) {
    throw new CliError(
      'refused',
      `${recording.source} has ${recoveries} ${recoveries === 1 ? 'recovery' : 'recoveries'} of ${policy.id}, and a recommendation needs ${MIN_RECOVERIES}.`,
      'An outage is one recovery, however many sessions it hit. Take a longer time: --since 90d.',
    );
  }
  const fragment = fragmentOf(policy, chosen, result);
  if (options.json) printJson(io, documentOf(policy.id, fragment, chosen, result));
  else {
    printLines(io, [...(fragment?.trimEnd().split('\n') ?? []), ...(fragment ? [''] : [])]);
    printText(io, effectOf(policy.id, chosen, result));
    const rows = result.candidates.map((each) => candidateCells(each, chosen));
    printLines(io, ['', ...tableLines(io.screen, CANDIDATES, rows)]);
    const gaps = result.gaps.filter(({ ended }) => ended >= SHOWN).map(gapCells);
    if (!policy.policy.enableCircuitBreaker)
      printLines(io, ['', ...tableLines(io.screen, GAPS, gaps)]);
  }
  if (recording.stopped) return EXIT.interrupted;
  return recording.cut ? EXIT.partial : EXIT.ok;
};

/** @throws CliError with the exit code 2. */
function costsOf(options: Options) {
  const texts = ['costPerAttempt', 'costPerSecond'].map((name) => textOption(options, name));
  if (texts.every((text) => text === undefined)) return undefined;
  const [perAttempt = Number.NaN, perSecond = Number.NaN] = texts.map(Number);
  if (perAttempt > 0 && perSecond > 0 && Number.isFinite(perAttempt / perSecond))
    return { perAttempt, perSecond };
  const hint = 'Only their ratio counts: --cost-per-attempt 1 --cost-per-second 0.1';
  throw new CliError(
    'usage',
    '--cost-per-attempt and --cost-per-second are two numbers above 0.',
    hint,
  );
}

/** @throws CliError with the exit code 2. */
function shareOf(options: Options): number | undefined {
  const text = textOption(options, 'falseTimeouts');
  if (text === undefined) return undefined;
  const share = /^[\d.]+%$/.test(text) ? Number(text.slice(0, -1)) / 100 : Number.NaN;
  if (share >= 0.000_01 && share <= 0.1) return share;
  const hint = 'Write it as 0.1%.';
  throw new CliError('usage', `--false-timeouts is not a share from 0.001% to 10%: ${text}`, hint);
}

const SHOWN = 0.05;

/** A file with the policy alone, as it should be. `null`: it stays as it is. */
function fragmentOf(
  configured: ConfiguredPolicy,
  { fields }: Candidate,
  { attemptTimeout: { timeoutMs } }: Recommendation,
): string | null {
  const changed: Policy = { ...fields, ...(timeoutMs && { attemptTimeoutMs: timeoutMs }) };
  const policy = definePolicy({ ...configured.policy, ...changed });
  const before = new Map(fieldValues(configured).map(({ field, value }) => [field, value]));
  const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  const values = fieldValues({ ...configured, policy });
  if (values.every(({ field, value }) => isSame(value, before.get(field)))) return null;
  const lines = values
    .filter(({ field, value, source }) => {
      if (field === 'id' || value === null) return false;
      if (field === 'delays' && policy.backoff !== 'schedule') return false;
      return source === 'file' || !isSame(value, before.get(field));
    })
    .map(({ field, value }) => `    ${field}: ${yamlText(value)}\n`);
  const { id, preset } = configured;
  const head = `version: "1.1.0"\npolicies:\n  ${yamlText(id)}:\n`;
  return `${head}${preset === undefined ? '' : `    extends: ${preset}\n`}${lines.join('')}`;
}

/** JSON is YAML; a plain word needs no quotes. */
function yamlText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(yamlText).join(', ')}]`;
  const isPlain = /^(?!(?:true|false|null)$)[a-z][\w.-]*$/i.test(String(value));
  return isPlain ? String(value) : JSON.stringify(value);
}

function effectOf(id: string, { kind, heldOut }: Candidate, result: Recommendation): string {
  const { recoveries, candidates, attemptTimeout } = result;
  const cells = scoreCells(candidates[0]?.heldOut ?? heldOut);
  const [attempts, delay, givenUp] = scoreCells(heldOut).map(
    (after, at) => `${cells[at]} now, ${after} then`,
  );
  const effect =
    kind === 'present'
      ? `${id} stays as it is: nothing did better on the newest fifth.`
      : `Expected for ${id}, from the newest fifth: attempts per failure ${attempts}; delay after a recovery ${delay}; given up ${givenUp}.`;
  const { timeoutMs, reason } = attemptTimeout;
  return [
    `${recoveries} recoveries.`,
    effect,
    timeoutMs === undefined
      ? `No attempt timeout: ${reason}.`
      : `Attempt timeout ${formatDuration(timeoutMs)}: ${reason}.`,
    'The retries themselves did not change the outages here; in reality more of them can prolong one.',
  ].join(' ');
}

/** Attempts, delay after a recovery, share that was given up. */
function scoreCells({ attempts, delayMs, exhausted }: Score): string[] {
  const delay = exhausted === 1 ? '-' : formatDuration(Math.round(delayMs));
  return [attempts.toFixed(2), delay, `${(exhausted * 100).toFixed(1)} %`];
}

const right = (title: string): Column => ({ title, align: 'right' });
const CANDIDATES: readonly Column[] = [
  { title: '', colour: 'cyan' },
  ...['attempts', 'delay', 'given up', 'attempts, newest', 'delay', 'given up'].map(right),
];

function candidateCells({ kind, learned, heldOut }: Candidate, chosen: Candidate): string[] {
  const name = kind === chosen.kind ? `${kind} (recommended)` : kind;
  return [name, ...scoreCells(learned), ...scoreCells(heldOut)];
}

const GAPS = ['since the first failure', 'lasting', 'recovered', 'gap'].map(right);

function gapCells({ toMs, lasting, ended, gapMs }: Recommendation['gaps'][number]): string[] {
  const time = (ms: number) => formatDuration(Math.round(ms));
  return [`up to ${time(toMs)}`, lasting.toFixed(1), ended.toFixed(1), time(gapMs)];
}

function documentOf(
  id: string,
  fragment: string | null,
  chosen: Candidate,
  { recoveries, candidates, priceMs, gaps, attemptTimeout }: Recommendation,
) {
  const scoreJson = ({ attempts, delayMs, exhausted }: Score) => ({
    attempts,
    delay_ms: delayMs,
    exhausted,
  });
  return {
    policy: id,
    recommended: chosen.kind,
    fragment,
    recoveries,
    candidates: candidates.map(({ kind, learned, heldOut }) => ({
      kind,
      learned: scoreJson(learned),
      newest: scoreJson(heldOut),
    })),
    attempt_cost_ms: priceMs,
    gaps: gaps.map(({ fromMs, toMs, lasting, ended, gapMs }) => ({
      from_ms: fromMs,
      to_ms: toMs,
      lasting,
      recovered: ended,
      gap_ms: gapMs,
    })),
    attempt_timeout: {
      timeout_ms: attemptTimeout.timeoutMs ?? null,
      reason: attemptTimeout.reason,
      successes: attemptTimeout.successes,
      timed_out: attemptTimeout.timedOut,
    },
  };
}
