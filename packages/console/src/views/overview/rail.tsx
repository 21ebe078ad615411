import type { MetricsFiguresAnswer } from '@redrive/client';
import { now } from '../../clock.ts';
import {
  Bar,
  type Column,
  Glyph,
  Link,
  ListSection,
  Section,
  Sparkline,
  type Tone,
} from '../../components/index.ts';
import { ago, bounded, lasts, msOf, num, short, sum, whoAndWhy } from '../../format.ts';
import type { StatusDocument } from '../../status.ts';
import { scopeText } from '../control/scope.ts';

interface Stop {
  readonly key: string;
  readonly glyph: string;
  readonly tone: Tone;
  readonly title: string;
  readonly detail: string;
  /** `null`: nobody counts them. */
  readonly count: number | null;
  readonly isBound?: boolean;
}

const MAX_STOPS = 5;
/** Without a heartbeat for so long, a worker is late. */
const LATE_MS = 30_000;

function stopsOf(found: StatusDocument): readonly Stop[] {
  const waiting = (scope: string, name: string) =>
    sum(
      found.handlers
        .filter(({ queue, handler }) => name === (scope === 'queue' ? queue : handler))
        .map(({ states }) => states.ready + states.scheduled + states.parked),
    );
  return [
    ...found.kill_switches.map(({ scope, name, waiting: count, bounded: isBound }) => ({
      key: `kill ${scope} ${name}`,
      glyph: 'stop',
      tone: 'red' as const,
      title: `Kill switch: ${scopeText({ scope, name }, 'everything')}`,
      detail: `until a person releases it${count === null ? '; not counted by tenant' : ''}`,
      count,
      isBound,
    })),
    ...found.breakers.map(
      ({ policy_id, state, failure_count, threshold, next_probe_at, parked }) => ({
        key: `breaker ${policy_id}`,
        glyph: state === 'open' ? 'b-open' : 'b-half',
        tone: 'amber' as const,
        title: `Breaker ${state.replace('_', ' ')}: ${policy_id}`,
        detail: `${num(Math.min(failure_count, threshold))} of ${num(threshold)} failures${next_probe_at === null ? '' : `, next probe ${ago(next_probe_at)}`}`,
        count: parked,
      }),
    ),
    ...found.gates.map(({ dependency, until, parked }) => ({
      key: `gate ${dependency}`,
      glyph: 'gate',
      tone: 'amber' as const,
      title: `Gate closed: ${dependency}`,
      detail: `Retry-After, opens ${ago(until)}`,
      count: parked,
    })),
    ...found.paused.map(({ scope, name, by, why, since }) => ({
      key: `pause ${scope} ${name}`,
      glyph: 'pause',
      tone: 'idle' as const,
      title: `Paused: ${scopeText({ scope, name })}`,
      detail: `${whoAndWhy(by, why)}, ${lasts(since)}`,
      // A paused schedule stops no job.
      count: scope === 'schedule' ? null : waiting(scope, name),
      isBound: found.bounded,
    })),
  ];
}

/** Kill switches, breakers, gates and pauses, with the jobs that wait for each. */
export function Stopped({ found }: { readonly found: StatusDocument }) {
  const stops = stopsOf(found);
  const more = stops.slice(MAX_STOPS);
  return (
    <Section title="Stopped or waiting" end={<Link href="/control">Control</Link>}>
      {stops.length === 0 && <p class="l2">Nothing is stopped.</p>}
      <ul class="wait-list">
        {stops
          .slice(0, MAX_STOPS)
          .map(({ key, glyph, tone, title, detail, count, isBound = false }) => (
            <li key={key}>
              <span class="st">
                <Glyph of={glyph} tone={tone} />
              </span>
              <div>
                <div class="b">{title}</div>
                <div class="l2">{detail}</div>
              </div>
              <div class="n strong">{count !== null && bounded(count, isBound)}</div>
            </li>
          ))}
        {more.length > 0 && (
          <li>
            <span />
            <Link href="/control">{more.length} more causes</Link>
            <div class="n strong">{num(sum(more.map(({ count }) => count ?? 0)))}</div>
          </li>
        )}
      </ul>
    </Section>
  );
}

type Worker = StatusDocument['workers'][number];

const ageOf = ({ last_seen_at }: Worker) => now.value - msOf(last_seen_at ?? '');

const WORKERS: readonly Column<Worker>[] = [
  ['Worker', ({ name }) => <span title={name}>{name}</span>, 'mono cut worker'],
  ['Running', ({ running, concurrency }) => <Bar value={running} max={concurrency} />, 'gauge'],
  [
    '',
    ({ running, concurrency }) => (
      <>
        {num(running)} <span class="muted">of {num(concurrency)}</span>
      </>
    ),
    'n nowrap',
  ],
  [
    'Heartbeat',
    (worker) => (
      <span class={ageOf(worker) > LATE_MS ? 'amber strong' : 'muted'}>{short(ageOf(worker))}</span>
    ),
    'n nowrap',
  ],
];

export function Workers({ found: { workers } }: { readonly found: StatusDocument }) {
  const running = sum(workers.map((each) => each.running));
  const slots = sum(workers.map((each) => each.concurrency));
  return (
    <ListSection
      title="Workers"
      none="none is alive: jobs wait until one starts"
      note={`${workers.length}, ${num(running)} of ${num(slots)} slots`}
      rows={workers}
      columns={WORKERS}
      idOf={({ name }) => name}
      className="rows32"
    />
  );
}

interface QueuesProps {
  readonly found: StatusDocument;
  readonly queues: MetricsFiguresAnswer['queues'];
}

export function Queues({ found, queues }: QueuesProps) {
  const { oldest_ready_at: oldest, handlers } = found;
  const succeeded = (name: string) => queues.find(({ queue }) => queue === name)?.succeeded ?? [];
  const counted = (title: string, state: keyof StatusDocument['states']): Column<string> => [
    title,
    (name) =>
      sum(handlers.filter(({ queue }) => queue === name).map(({ states }) => states[state])),
    'n',
  ];
  const columns: readonly Column<string>[] = [
    ['Queue', (name) => <a href={`/jobs?q=queue:${encodeURIComponent(name)}`}>{name}</a>, 'strong'],
    counted('Ready', 'ready'),
    counted('Scheduled', 'scheduled'),
    counted('Parked', 'parked'),
    counted('Running', 'leased'),
    counted('Dead', 'dead'),
    ['Done per min', (name) => succeeded(name).at(-2) ?? 0, 'n hide-phone'],
    [
      'Last 30 min',
      (name) => <Sparkline width={96} height={18} values={succeeded(name).slice(0, -1)} />,
      'hide-phone',
    ],
  ];
  return (
    <div class="rest-of-page">
      <ListSection
        title="Queues"
        none="no job is stored"
        note={oldest === null ? undefined : `oldest ready job waits ${lasts(oldest)}`}
        rows={[...new Set(handlers.map(({ queue }) => queue))].sort()}
        columns={columns}
        idOf={String}
        className="rows32"
      />
    </div>
  );
}
