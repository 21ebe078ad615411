import { type AttemptEnded, type EventSink, syncSink } from '@redrive/core';
import { print, type Stage } from './stage.ts';
import { drawTimeline, type Moment } from './timeline.ts';

export interface Narrator {
  /** Give it to a call as `events`: it prints each attempt as it ends. */
  readonly events: EventSink;
  /** What it was told about ended attempts. */
  readonly records: readonly AttemptEnded[];
  /** Draws all attempts so far to scale. */
  printTimeline(): void;
}

const INDENT = '   ';

/** Prints one line per attempt: when, which, how it ended, what was decided and why. */
export function narrator(
  stage: Stage,
  nameFailure = (record: AttemptEnded) => record.error?.message ?? '',
): Narrator {
  // From the end of the first attempt: this process has just started, and its warming up would be counted in.
  let originMs: number | undefined;
  const records: AttemptEnded[] = [];
  const moments: Moment[] = [];
  const events = syncSink((record) => {
    if (record.kind !== 'attempt_ended') return;
    const nowMs = stage.clock.monotonic();
    originMs ??= nowMs;
    const atMs = nowMs - originMs;
    records.push(record);
    moments.push({ atMs, success: record.success });
    const when = `${Math.round(atMs)} ms`.padStart(8);
    const what = record.success
      ? stage.paint('green', '✓ answered'.padEnd(22))
      : stage.paint('red', `✗ ${nameFailure(record)}`.padEnd(22));
    print(
      stage,
      `${INDENT}${stage.paint('dim', when)}  attempt ${record.attempt}  ${what}  ${verdict(stage, record)}`,
    );
  });
  return {
    events,
    records,
    printTimeline() {
      const lines = drawTimeline(stage, moments, stage.columns - 2 * INDENT.length);
      print(stage, '', ...lines.map((line) => INDENT + line));
    },
  };
}

function verdict({ paint }: Stage, { decision, success }: AttemptEnded): string {
  if (success) return '';
  const reason = paint('yellow', decision.reason);
  return decision.action === 'retry' ? `${reason}: wait ${decision.delayMs} ms` : reason;
}
