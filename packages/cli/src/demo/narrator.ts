import { type AttemptEnded, type EventSink, syncSink } from '@redrive/core';
import { print, type Stage } from './stage.ts';

interface Narrator {
  /** Give it to a call as `events`: it prints each attempt as it ends. */
  readonly events: EventSink;
  /** The records that it got of ended attempts. */
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

/** One attempt on a timeline: when it ended, counted from the first one, and how. */
interface Moment {
  readonly atMs: number;
  readonly success: boolean;
}

/** Narrower than this, two marks in a row would have no room for their times. */
const MIN_GAP = 6;
/** Room for the last time, which begins below the last mark. */
const TIME_WIDTH = 8;

/**
 * Attempts as marks on a line, in proportion to time, with the times below:
 *
 * ```
 * ✗───────✗─────────────────✓
 * 0       193               602 ms
 * ```
 */
export function drawTimeline(
  { paint }: Pick<Stage, 'paint'>,
  moments: readonly Moment[],
  columns: number,
): readonly [line: string, times: string] {
  const totalMs = moments.at(-1)?.atMs ?? 0;
  const scale = totalMs > 0 ? (columns - TIME_WIDTH) / totalMs : 0;
  let line = '';
  let times = '';
  let column = 0;
  for (const [index, { atMs, success }] of moments.entries()) {
    const next = index === 0 ? 0 : Math.max(column + MIN_GAP, Math.round(atMs * scale));
    line += paint('dim', '─'.repeat(Math.max(0, next - column - 1)));
    line += success ? paint('green', '✓') : paint('red', '✗');
    times = times.padEnd(next) + Math.round(atMs);
    column = next;
  }
  return [line, paint('dim', `${times} ms`)];
}
