import type { FullStore } from '@redrive/durable';
import { retryMetrics } from '@redrive/durable/audit';
import type { TrailRecord } from '../../packages/testkit/src/conformance/store/audit-trail.ts';
import type { Scrape } from './evidence.ts';
import { processOf } from './process-of.ts';
import type { Findings } from './report.ts';

type Trails = ReadonlyMap<string, readonly TrailRecord[]>;
type Counts = Map<string, number>;

/** Records that end an attempt or a job. */
const ENDS: ReadonlySet<string> = new Set(['settle', 'lease_lost', 'expire']);
/** The counters that are compared, as they stand in an exposition. */
const COUNTER =
  /^redrive_(attempts|operations|dead_letters_added|dead_letters_removed|lease_losses)_total\{(?:operation|act)="(\w+)"(?:,(\w+)="(\w+)")?\} ([1-9]\d*)$/gm;

/** The lines of an exposition that `checkCounters` compares: all others of a scrape say nothing here. */
export function comparedLines(body: string): string {
  return [...body.matchAll(COUNTER)].map(([line]) => line).join('\n');
}

/**
 * Compares the last scrape of each process with the records that it wrote. A process counts after its commit, so that no
 * counter may be ahead of the log; counts after the last scrape are gone with a killed process.
 */
export function checkCounters(
  trails: Trails,
  scrapes: readonly Scrape[],
  findings: Findings,
): void {
  const recorded = recordedCounts(trails);
  const last = new Map(scrapes.map(({ worker, lines }) => [worker, lines]));
  const ahead: string[] = [];
  let attempts = 0;
  for (const [worker, lines] of last) {
    for (const [, metric = '', operation, label, value, text] of lines.matchAll(COUNTER)) {
      // The log has reasons in more detail than the labels `result` and `reason`.
      const part = label === 'entry' ? ` ${value}` : '';
      // The process that seals a record counts the removal, whoever removed the letter.
      const by = metric === 'dead_letters_removed' ? 'all' : worker;
      add(recorded, `${by} ${metric} ${operation}${part}`, -Number(text));
      if (metric === 'attempts') attempts += Number(text);
    }
  }
  for (const [key, left] of recorded) if (left < 0) ahead.push(`${key}: ${-left} too many`);
  findings.figures['scraped processes'] = last.size;
  findings.figures['scraped attempts'] = attempts;
  findings.none('counted more than recorded', ahead);
}

/** What each process may have counted, from the log. */
function recordedCounts(trails: Trails): Counts {
  const counts: Counts = new Map();
  for (const trail of trails.values()) {
    const handler = String(trail[0]?.detail.handler);
    for (const { event, from, to, detail } of trail) {
      if (from === 'dead' && to !== 'dead') {
        const deleted = detail.why === 'archived' ? 'archive' : 'retention';
        add(counts, `all dead_letters_removed ${event === 'prune' ? deleted : event}`, 1);
      }
      if (!ENDS.has(event)) continue;
      const worker = processOf(detail.by);
      if (event !== 'expire') add(counts, `${worker} attempts ${handler} ${detail.entry}`, 1);
      if (event === 'lease_lost') add(counts, `${worker} lease_losses ${handler}`, 1);
      const isOver = to === 'succeeded' || to === 'dead' || to === 'cancelled';
      if (isOver) add(counts, `${worker} operations ${handler}`, 1);
      if (to === 'dead') add(counts, `${worker} dead_letters_added ${handler}`, 1);
    }
  }
  return counts;
}

/** Compares `metrics show` with a plain count of the log. */
export async function checkRetryMetrics(
  store: FullStore,
  trails: Trails,
  findings: Findings,
): Promise<void> {
  const plain = { total_sessions: 0, successful_sessions: 0, total_attempts: 0 };
  let most = 0;
  for (const trail of trails.values()) {
    let before = 0;
    for (const { event, to, executions } of trail) {
      if (event === 'requeue' || event === 'reset') before = executions;
      const attempts = executions - before;
      const isEnd =
        (to === 'succeeded' || to === 'dead') && (ENDS.has(event) || event === 'enqueue');
      if (!isEnd || attempts === 0) continue;
      plain.total_sessions += 1;
      plain.successful_sessions += Number(to === 'succeeded');
      plain.total_attempts += attempts;
      most = Math.max(most, attempts);
    }
  }
  const shown = await retryMetrics(store, { sinceMs: 0, untilMs: LAST_MS });
  const counted = { ...plain, max_attempts_in_session: most };
  const differences = Object.entries(counted).filter(
    // The names are those of the document.
    ([name, value]) => shown[name as keyof typeof counted] !== value,
  );
  findings.figures['sessions in metrics show'] = shown.total_sessions;
  findings.none(
    'metrics show differs from the log',
    differences.map(([name, value]) => `${name} is ${value} in the log`),
  );
}

/** The last time that a date can have. */
const LAST_MS = 8.64e15;

function add(to: Counts, key: string, value: number): void {
  to.set(key, (to.get(key) ?? 0) + value);
}
