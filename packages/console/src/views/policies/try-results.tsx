import {
  type BacktestFigure,
  backtestLimits,
  type Measured,
  MIN_BACKTEST_SESSIONS,
  type SceneSummary,
} from '@redrive/lab';
import { now } from '../../clock.ts';
import { Chart, Empty, ErrorNotice, List, Section, Seg, Skeleton } from '../../components/index.ts';
import { duration, num, percent, plural } from '../../format.ts';
import { keyHeaders } from '../../key.ts';
import { param, setParams } from '../../router.ts';
import { useQuery } from '../../use-query.ts';
import type { PolicyFields } from './lab-calls.ts';
import { askLab, useLast } from './lab-client.ts';
import type { herdNumbers } from './try-scene.ts';
import { wait } from './waits.tsx';

/** The figures are those before the last change. */
const COMPUTING = 'computing…';

/** Per second. All clients arrive in the first step. */
const retriesOf = ({ series: { stepMs, attempts, arrivals } }: SceneSummary) =>
  attempts.map((count, at) => ((count - (arrivals[at] ?? 0)) * 1_000) / stepMs);
const after = (ms: number | null) => (ms === null ? 'never' : duration(ms));

const HERD_FIGURES: readonly (readonly [title: string, text: (of: SceneSummary) => string])[] = [
  ['Attempts', ({ figures }) => num(Math.round(figures.attempts.median ?? 0))],
  ['Busiest second of retries', (of) => num(Math.round(Math.max(0, ...retriesOf(of))))],
  ['Succeeded', ({ figures }) => share(figures.succeeded.median, figures.sessions.median)],
  ['Gave up', ({ figures }) => share(figures.exhausted.median, figures.sessions.median)],
  ['99 % ended, after the outage', ({ figures }) => after(figures.drained99AfterMs.median)],
  ['p95 of the time to success', ({ figures }) => after(figures.latencyP95Ms.median)],
];

const share = (count: number | null, of: number | null) => percent((count ?? 0) / (of || 1));

interface HerdProps {
  readonly a: SceneSummary;
  readonly b: SceneSummary;
  readonly of: ReturnType<typeof herdNumbers>;
  readonly isOld: boolean;
}

export function Herd({ a, b, of: { clients, down, capacity }, isOld }: HerdProps) {
  const sides = [retriesOf(a), retriesOf(b)];
  const end = 2 + Math.max(...sides.map((values) => values.findLastIndex((value) => value > 0)));
  const series = [
    { label: 'A', tone: 'ink', values: sides[0]?.slice(0, end) ?? [] },
    { label: 'B', tone: 'blue', values: sides[1]?.slice(0, end) ?? [] },
  ] as const;
  return (
    <Section
      title="Herd"
      note={isOld ? COMPUTING : `${num(clients)} clients, median of ${plural(b.seeds, 'run')}`}
    >
      <p class="soft">
        All clients call at once. The dependency is down for {duration(down * 1_000)}, then it
        carries out {num(capacity)} calls per s.
        {a.cut + b.cut > 0 && ' Runs ended at 500,000 attempts.'}
      </p>
      {end > 2 && (
        <Chart
          label="Retries per second of A and B; the table below has the figures"
          timesMs={Array.from({ length: end }, (_, at) => at * a.series.stepMs)}
          panels={[{ series, height: 120 }]}
          marks={down > 0 ? [{ atMs: down * 1_000, text: 'up again' }] : []}
          timeText={wait}
        />
      )}
      <List
        label="Herd"
        rows={HERD_FIGURES}
        columns={[
          ['', ([title]) => title, 'wrap'],
          ['A', ([, text]) => text(a), 'n'],
          ['B', ([, text]) => text(b), 'n strong'],
        ]}
        idOf={([title]) => title}
      />
    </Section>
  );
}

const WINDOWS = [1, 7, 30].map((days) => [`${days}d`, `${days}\u00a0d`] as const);
const HOUR_MS = 3_600_000;

interface BacktestProps {
  readonly id: string;
  readonly old: PolicyFields;
  readonly changed: PolicyFields;
}

/** The log is read on request only: the look is on record. */
export function Backtest({ id, old, changed }: BacktestProps) {
  const [chosen] = WINDOWS.find(([each]) => each === param('w')) ?? [''];
  // The same time for an hour, so that the recording is read once.
  const hours = Math.floor(now.peek() / HOUR_MS) - Number.parseInt(chosen, 10) * 24;
  const key = `backtest ${chosen} ${id} ${JSON.stringify([old, changed])}`;
  const query = useQuery(chosen ? key : undefined, () => {
    const since = new Date(hours * HOUR_MS).toISOString();
    return askLab('backtest', { since, headers: keyHeaders(), id, old, new: changed });
  });
  const { data, error, reload, isOld } = useLast(query);
  const note = data && (isOld ? COMPUTING : `${plural(data.sessions, 'session')} of ${id}`);
  const end = (
    <Seg
      label="Time of the log"
      value={chosen}
      onChange={(w) => setParams({ w }, { replace: true })}
      options={WINDOWS}
    />
  );
  return (
    <Section title="Back-test" note={note} end={end}>
      {!chosen && (
        <p class="soft">
          Choose a time: both policies are tried on the attempts of the audit log. The look is on
          record.
        </p>
      )}
      {error && <ErrorNotice problem={error} title="Not tried." onRetry={reload} />}
      {chosen && !data && !error && <Skeleton rows={5} />}
      {data && data.sessions < MIN_BACKTEST_SESSIONS && (
        <Empty title={`Too few sessions of ${id}`}>
          A back-test needs {MIN_BACKTEST_SESSIONS} sessions that began in this time.
        </Empty>
      )}
      {data && data.sessions >= MIN_BACKTEST_SESSIONS && <Tried data={data} />}
    </Section>
  );
}

const LOG_FIGURES: readonly (readonly [BacktestFigure, string])[] = [
  ['attempts', 'Attempts per session'],
  ['recovered', 'Recovered'],
  ['exhausted', 'Gave up'],
  ['wasted', 'Wasted attempts per session'],
  ['latency', 'Added latency'],
];

type Tested = Awaited<ReturnType<typeof askLab<'backtest'>>>;

function Tried({ data }: { readonly data: Tested }) {
  return (
    <>
      <List
        label="Back-test"
        rows={LOG_FIGURES}
        columns={[
          ['', ([, title]) => title, 'wrap'],
          ['A', ([figure]) => measured(figure, data.old[figure]), 'n'],
          ['B', ([figure]) => measured(figure, data.new[figure]), 'n strong'],
          ['Change', ([figure]) => measured(figure, data.change[figure], '+'), 'n'],
        ]}
        idOf={([figure]) => figure}
      />
      <p class="l2">
        {backtestLimits(data, duration).join(' ')}
        {data.cut && ' Later attempts are left out: there are more than 500,000.'}
      </p>
    </>
  );
}

/** `1.42 ± 0.03` */
function measured(figure: BacktestFigure, of: Measured | null, plus = ''): string {
  if (of === null) return 'no figure';
  const isShare = figure === 'recovered' || figure === 'exhausted';
  const plain = (value: number) => (isShare ? `${(value * 100).toFixed(2)} %` : value.toFixed(3));
  const text = figure === 'latency' ? duration : plain;
  return `${of.value > 0 ? plus : ''}${text(of.value)} ± ${text(of.spread)}`;
}
