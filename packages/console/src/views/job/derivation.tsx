import type { JobsReplayAnswer } from '@redrive/client';
import { Download, ErrorNotice, Glyph, Json, Skeleton } from '../../components/index.ts';
import { duration, num, plural, timeMs } from '../../format.ts';
import type { Query } from '../../use-query.ts';
import type { TimelineRow } from './timeline.tsx';
import { isFree } from './timeline-text.ts';

type Step = JobsReplayAnswer['steps'][number];
type Decision = NonNullable<Step['decision']>;

/** How one decision came about: the same as `redrive audit replay`. */
export function Derivation({
  row,
  query,
}: {
  readonly row: TimelineRow | undefined;
  readonly query: Query<JobsReplayAnswer>;
}) {
  const step = query.data?.steps.find(({ revision }) => revision === row?.revision);
  const decision = step?.decision ?? undefined;
  return (
    <section class="deriv" aria-live="off">
      <h2>
        {titleOf(row, decision)}
        {row && (
          <span class="muted">
            attempt {row.attempt}, {timeMs(row.ended_at ?? row.started_at)}
          </span>
        )}
      </h2>
      {query.error && !query.data && (
        <ErrorNotice
          problem={query.error}
          title="The decision was not derived."
          onRetry={query.reload}
        />
      )}
      {query.isLoading && <Skeleton rows={5} />}
      {row?.entry === 'running' && <p class="say">Nothing is decided before the attempt ends.</p>}
      {row?.entry === 'succeeded' && <p class="say">A success rests on nothing else.</p>}
      {row && step && decision && <Steps {...{ row, step, decision }} />}
    </section>
  );
}

function titleOf(row: TimelineRow | undefined, decision: Decision | undefined): string {
  if (row === undefined) return 'No attempt has started';
  if (row.entry === 'running') return 'It runs now';
  if (row.entry === 'succeeded') return 'It succeeded';
  const { action, delay_ms: delayMs } = decision?.recorded ?? {
    action: row.action,
    delay_ms: null,
  };
  if (action === 'give-up') return 'Why was it given up?';
  if (action === 'park') return 'Why was it parked?';
  return delayMs === null ? 'What was decided?' : `Why did it wait ${duration(delayMs)}?`;
}

function Steps({ row, step, decision }: { row: TimelineRow; step: Step; decision: Decision }) {
  const { input, policy, wait, recorded, derived, same } = decision;
  const outcome = input.outcome;
  const failure = outcome.kind === 'failure' ? outcome : undefined;
  const charged = input.account.charged - (isFree(recorded.entry) ? 1 : 0);
  const waits = recorded.action === 'retry' && wait !== null ? wait : undefined;
  return (
    <>
      <ol>
        <Line
          name="Outcome"
          result={failure?.errorClass?.replace('_', '-') ?? outcome.kind.replace('_', ' ')}
        >
          {row.error?.message ?? OUTCOMES[outcome.kind] ?? ''}
        </Line>
        <Line
          name="Attempts"
          result={policy ? `${charged} of ${policy.maxAttempts} count` : `${charged} count`}
        >
          {isFree(recorded.entry)
            ? `this one is free: ${recorded.entry.replace('_', '-')}`
            : 'this one counts'}
          {input.account.freeWaits > 0 &&
            `, ${plural(input.account.freeWaits, 'free wait')} before`}
        </Line>
        {waits && policy && (
          <Line name="Back-off" result={duration(waits.nominalMs)}>
            <Formula policy={policy} attempt={input.account.charged} />
          </Line>
        )}
        {waits && policy && (
          <li>
            <span class="k">Jitter {policy.jitter}</span>
            <JitterLine wait={waits} />
          </li>
        )}
        {failure?.retryAfterMs !== undefined && (
          <Line name="Hint" result={duration(failure.retryAfterMs)}>
            the dependency asked for it; no attempt is earlier
          </Line>
        )}
        <Line name="Limits" result={binding(recorded.reason)}>
          {limitsText(input)}
        </Line>
      </ol>
      <div class="sum">
        {answerText(recorded)}
        <span class="mono">{recorded.reason}</span>
      </div>
      {same ? (
        <p class="ok">
          <Glyph of="done" tone="green" />
          <span>
            Derived again just now: the same answer as recorded. decide/{decision.decide_version},
            policy {decision.policy_id ?? 'unknown'}, version {decision.policy_hash.slice(0, 12)},
            record {num(step.block)}. <Proof step={step} />
          </span>
        </p>
      ) : (
        <p class="ok bad" role="alert">
          <Glyph of="failed" tone="red" />
          <span>
            {derived === null
              ? 'It cannot be derived again: the policy or this version of decide is not known.'
              : `Derived again: NOT the same. Recorded: ${answerText(recorded)} (${recorded.reason}). Derived: ${answerText(derived)} (${derived.reason}).`}{' '}
            <Proof step={step} />
          </span>
        </p>
      )}
      <details>
        <summary class="link">All inputs</summary>
        <Json text={JSON.stringify({ input, policy }, undefined, 2)} />
      </details>
    </>
  );
}

function Proof({ step }: { readonly step: Step }) {
  const record = `${step.id}@${step.revision}`;
  return (
    <Download
      small
      path={`/v1/audit/prove/${encodeURIComponent(record)}`}
      file={`proof-${record}.json`}
    >
      Prove
    </Download>
  );
}

const OUTCOMES: Readonly<Record<string, string>> = {
  blocked: 'the attempt did not run',
  interrupted: 'the worker stopped and gave it back',
  lease_lost: 'the worker sent no heartbeat',
  unstarted: 'it was claimed and could not start',
};

function Line({
  name,
  result,
  children,
}: {
  readonly name: string;
  readonly result: string;
  readonly children: preact.ComponentChildren;
}) {
  return (
    <li>
      <span class="k">{name}</span>
      <span>{children}</span>
      <span class="res">{result}</span>
    </li>
  );
}

type Policy = NonNullable<Decision['policy']>;

/** `1 min × 2²⁻¹, cap 15 min` */
function Formula({ policy, attempt }: { readonly policy: Policy; readonly attempt: number }) {
  const { backoff, baseDelayMs, multiplier, maxDelayMs, immediateFirstRetry } = policy;
  if (immediateFirstRetry && attempt === 1) return <>the first retry is immediate</>;
  const base = duration(baseDelayMs);
  const cap = `, cap ${duration(maxDelayMs)}`;
  if (backoff === 'exponential') {
    return (
      <>
        {base} × {multiplier}
        <sup>{attempt}−1</sup>
        {cap}
      </>
    );
  }
  if (backoff === 'linear') return <>{`${base} × ${attempt}${cap}`}</>;
  if (backoff === 'fixed') return <>{`${base}, the same each time`}</>;
  return <>{backoff === 'immediate' ? 'at once' : `delay ${attempt} of the list`}</>;
}

/** The range that jitter draws from, and the draw on it. */
function JitterLine({ wait }: { readonly wait: NonNullable<Decision['wait']> }) {
  const { minMs, maxMs, random, drawnMs } = wait;
  const share = maxMs > minMs ? (drawnMs - minMs) / (maxMs - minMs) : 1;
  const at = `${Math.max(0, Math.min(100, share * 100)).toFixed(2)}%`;
  const draw = maxMs > minMs ? `${random.toFixed(4)} → ${duration(drawnMs)}` : duration(drawnMs);
  const label = `Jitter draws from ${duration(minMs)} to ${duration(maxMs)}; the draw ${random.toFixed(4)} gives ${duration(drawnMs)}`;
  const side = share > 0.75 ? ' left' : share < 0.25 ? ' right' : '';
  return (
    <span class="jitter" role="img" aria-label={label}>
      <span class="range hatch">
        <i style={{ width: at }} />
        <u style={{ left: at }} />
      </span>
      <span class="ends">
        <span>{minMs === 0 ? '0' : duration(minMs)}</span>
        <b class={`draw${side}`} style={{ left: at }}>
          {draw}
        </b>
        <span>{duration(maxMs)}</span>
      </span>
    </span>
  );
}

const BINDING: Readonly<Record<string, string>> = {
  max_attempts_exceeded: 'attempts are used up',
  ttl_exceeded: 'time is over',
  beyond_horizon: 'too long to wait here',
  budget_exhausted: 'the budget binds',
  allowance_exhausted: 'the allowance binds',
  breaker_open: 'the breaker binds',
  gate_closed: 'the gate binds',
  kill_switch: 'the kill switch binds',
  policy_disabled: 'the policy is disabled',
  final_error: 'a final error',
};

function binding(reason: string): string {
  return BINDING[reason] ?? 'none binds';
}

/** JSON writes no limit as `null`. */
function limitsText({ timeLeftMs, budgetAllows, breakerOpenMs }: Decision['input']): string {
  const left: number | null = timeLeftMs;
  const time = left === null ? 'no deadline' : `${duration(left)} left`;
  const breaker =
    breakerOpenMs > 0 ? `breaker open for ${duration(breakerOpenMs)}` : 'breaker closed';
  return `${time}, budget ${budgetAllows ? 'allows' : 'is used up'}, ${breaker}`;
}

function answerText({ action, delay_ms: delayMs }: Decision['recorded']): string {
  const after = delayMs === null ? '' : ` after ${duration(delayMs)}`;
  if (action === 'retry') return `Retry${after}`;
  if (action === 'park') return 'Park until the cause is gone';
  return action === 'hand-over' ? `Hand over to the next rung${after}` : 'Give up';
}
