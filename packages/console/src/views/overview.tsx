import type { MetricsFiguresAnswer } from '@redrive/client';
import { useMemo } from 'preact/hooks';
import { client } from '../api.ts';
import '../styles/overview.css';
import {
  Chart,
  Cols,
  ErrorNotice,
  Figure,
  Page,
  Section,
  Skeleton,
  Sparkline,
  Strip,
  Switch,
  Tier,
} from '../components/index.ts';
import { bounded, duration, lasts, num, percent, plural, since, sum } from '../format.ts';
import { param } from '../router.ts';
import { type StatusDocument, status, statusProblem } from '../status.ts';
import { useRead } from '../use-query.ts';
import { type Need, needsOf, verdictOf } from './overview/needs.ts';
import { Queues, Stopped, Workers } from './overview/rail.tsx';

type Figures = MetricsFiguresAnswer;

const WINDOWS = [
  ['1h', '1 h'],
  ['2h', '2 h'],
  ['6h', '6 h'],
  ['24h', '24 h'],
] as const;
type Window = (typeof WINDOWS)[number][0];

/** Retries above this share of all jobs multiply the load of a dependency that struggles. */
const RETRY_GUIDE = 0.01;
const MINUTE_MS = 60_000;

/** The problems that need a person, and the current figures. */
export function Overview() {
  const [window] = WINDOWS.find(([each]) => each === param('w')) ?? WINDOWS[1];
  const figures = useRead(client.metrics.figures, { window }, { everyMs: 5_000 });
  const groups = useRead(client.deadLetters.groups, { limit: 100 }, { everyMs: 15_000 });
  const found = status.value;
  const needs = useMemo(
    () => (found === undefined ? [] : needsOf(found, groups.data?.groups ?? [])),
    [found, groups.data],
  );
  if (found === undefined) {
    return (
      <Page title="Overview">
        {statusProblem.value ? (
          <ErrorNotice problem={statusProblem.value} title="The overview did not load." />
        ) : (
          <Skeleton rows={6} />
        )}
      </Page>
    );
  }
  const { first, second } = verdictOf(needs);
  const title = (
    <span aria-live="polite">
      {first} {second && <span class="soft">{second}</span>}
    </span>
  );
  const oldest = (groups.data?.groups ?? []).map(({ first_died_at }) => first_died_at).sort()[0];
  return (
    <Page
      className="page-overview"
      name="Overview"
      title={title}
      lede={<Lede needs={needs} found={found} figures={figures.data} />}
    >
      <Numbers found={found} figures={figures.data} oldest={oldest} />
      <Cols
        rail={
          <>
            <Stopped found={found} />
            <Workers found={found} />
          </>
        }
      >
        {needs.length > 0 && <Needs needs={needs} />}
        <Results figures={figures.data} found={found} window={window} />
      </Cols>
      <Queues found={found} queues={figures.data?.queues ?? []} />
    </Page>
  );
}

interface LedeProps {
  readonly needs: readonly Need[];
  readonly found: StatusDocument;
  readonly figures: Figures | undefined;
}

function Lede({ needs, found, figures }: LedeProps) {
  const { scheduled } = found.states;
  if (needs.length === 0) {
    const perMinute =
      figures &&
      `${num(lastFull(figures.first_try) + lastFull(figures.recovered))} jobs per minute succeed. `;
    return (
      <>
        {perMinute}
        {plural(scheduled, 'retry is', 'retries are')} scheduled.
      </>
    );
  }
  return (
    <>
      {needs.slice(0, 2).map(({ key, who, what, because, since: at }) => (
        <span key={key}>
          <b>{who}</b> {what}
          {at !== null && ` since ${since(at)}`}
          {because && `: ${because.replace(/\.$/, '')}`}.{' '}
        </span>
      ))}
      All other work retries by itself.
    </>
  );
}

function lastFull(values: readonly number[]): number {
  return values.at(-2) ?? 0;
}

interface NumbersProps {
  readonly found: StatusDocument;
  readonly figures: Figures | undefined;
  readonly oldest: string | undefined;
}

function Numbers({ found, figures, oldest }: NumbersProps) {
  const { first_try = [], recovered = [], retries = [], dead = [], p50 = [] } = figures ?? {};
  const ended = first_try.map((value, i) => value + (recovered[i] ?? 0) + (dead[i] ?? 0));
  const ratio = figures?.total.retry_ratio ?? undefined;
  const isHigh = ratio !== undefined && ratio > RETRY_GUIDE;
  const { p50: median, p95, p99 } = figures?.time_to_success ?? {};
  const newDead = sum(dead.slice(-60));
  const { ready, scheduled, parked } = found.states;
  const [medianValue, medianUnit] =
    median == null ? ['–', ''] : duration(median * 1_000).split(/ (.*)/);
  const succeeded = first_try.map((value, i) => value + (recovered[i] ?? 0));
  return (
    <Strip>
      <Figure
        label="Succeeded"
        value={figures ? num(lastFull(succeeded)) : '–'}
        unit="per min"
        detail={
          figures &&
          `${num(lastFull(first_try))} first try, ${num(lastFull(recovered))} after retries`
        }
        spark={<Sparkline values={succeeded.slice(-60, -1)} />}
      />
      <Figure
        label="Retry ratio"
        value={ratio === undefined ? '–' : percent(ratio)}
        detail={
          isHigh ? (
            <span class="amber">above the {percent(RETRY_GUIDE)} guide</span>
          ) : (
            'retries per job that ended'
          )
        }
        spark={
          <Sparkline
            tone={isHigh ? 'amber' : 'idle'}
            values={retries.map((value, i) => value / Math.max(1, ended[i] ?? 1)).slice(-60, -1)}
          />
        }
      />
      <Figure
        label="Dead letters"
        value={bounded(found.dead.count, found.dead.bounded)}
        detail={
          <>
            <span class={newDead > 0 ? 'red' : ''}>
              {newDead > 0 ? `+${num(newDead)} in 1 h` : 'no new one in 1 h'}
            </span>
            {oldest !== undefined && `, oldest ${lasts(oldest)}`}
          </>
        }
        spark={<Sparkline tone={newDead > 0 ? 'red' : 'idle'} values={running(dead.slice(-60))} />}
      />
      <Figure
        label="Time to success"
        value={medianValue}
        unit={medianUnit ? `${medianUnit} p50` : ''}
        detail={
          p95 != null && p99 != null
            ? `p95 ${duration(p95 * 1_000)}, p99 ${duration(p99 * 1_000)}`
            : 'no job succeeded'
        }
        spark={<Sparkline values={p50.slice(-60, -1).map((value) => value ?? 0)} />}
      />
      <Figure
        label="Waiting"
        value={bounded(ready + scheduled + parked, found.bounded)}
        detail={`${num(parked)} parked, ${num(scheduled)} scheduled`}
      />
    </Strip>
  );
}

function running(values: readonly number[]): readonly number[] {
  let total = 0;
  return values.map((value) => {
    total += value;
    return total;
  });
}

function Needs({ needs }: { readonly needs: readonly Need[] }) {
  return (
    <Section
      className="needs"
      title="Needs a person"
      note={`${needs.length}, the worst tier first`}
    >
      <ul>
        <li class="c h" aria-hidden="true">
          <span>Tier</span>
          <span>Cause</span>
          <span>Lasts</span>
          <span>How much, 24 h</span>
          <span>Next step</span>
        </li>
        {needs.map((need) => (
          <li class="c" key={need.key}>
            <Tier of={need.tier} />
            <div class="what">
              <div class="t cut" title={need.title}>
                {need.title}
              </div>
              <div class="l2 cut">{need.detail}</div>
            </div>
            <div class="since">
              {need.since !== null && <div>{lasts(need.since)}</div>}
              {need.since !== null && <div class="l2">since {since(need.since)}</div>}
            </div>
            <div class="amt">
              <div>
                <div class="strong">{need.amount}</div>
                <div class="l2">{need.growth}</div>
              </div>
              {need.trend && (
                <Sparkline
                  kind="bars"
                  width={56}
                  tone={need.tier === 'warning' ? 'amber' : 'red'}
                  values={pairs(need.trend)}
                />
              )}
            </div>
            <div class="next">
              <a href={need.href}>{need.step}</a>
              <span class="hint">{need.hint}</span>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** 24 hours as 12 bars. */
function pairs(values: readonly number[]): readonly number[] {
  return values.flatMap((value, i) => (i % 2 === 0 ? [value + (values[i + 1] ?? 0)] : []));
}

interface ResultsProps {
  readonly figures: Figures | undefined;
  readonly found: StatusDocument;
  readonly window: Window;
}

function Results({ figures, found, window }: ResultsProps) {
  const drawn = useMemo(() => {
    if (figures === undefined) return undefined;
    const { first_try, recovered, dead, from } = figures;
    const fromMs = Date.parse(from);
    // The minute that is not over would look like a fall.
    const count = first_try.length - 1;
    return {
      timesMs: Array.from({ length: count }, (_, i) => fromMs + i * MINUTE_MS),
      panels: [
        {
          series: [
            {
              label: `${num(lastFull(first_try))} first try`,
              tone: 'ink',
              values: first_try.slice(0, count),
            },
          ],
        },
        {
          height: 44,
          series: [
            {
              label: `${num(lastFull(recovered))} after retries`,
              tone: 'blue',
              values: recovered.slice(0, count),
            },
            {
              label: `${num(lastFull(dead))} dead`,
              tone: 'red',
              values: dead.slice(0, count),
              fill: true,
            },
          ],
        },
      ] as const,
    };
  }, [figures]);
  const marks = useMemo(() => marksOf(found), [found]);
  const reading =
    figures && !figures.rebuilt ? `, the rest is read (${percent(figures.progress)})` : '';
  return (
    <Section
      title="Jobs per minute by result"
      note={`last ${window.replace('h', ' h')}${reading}`}
      end={<Switch name="w" value={window} options={WINDOWS} />}
    >
      {drawn === undefined ? (
        <Skeleton rows={3} />
      ) : (
        <Chart
          label={`Jobs per minute by result in the last ${window}. In the last minute ${drawn.panels.flatMap(({ series }) => series.map(({ label }) => label)).join(', ')}.`}
          marks={marks}
          {...drawn}
        />
      )}
    </Section>
  );
}

function marksOf({ failing, parked, kill_switches }: StatusDocument) {
  const at = (text: string | null) => Date.parse(text ?? '');
  return [
    ...failing
      .filter(({ dead }) => dead > 0)
      .slice(0, 2)
      .map((each) => ({
        atMs: at(each.since),
        text: `${since(each.since ?? '')} ${each.handlers[0]} begins to fail`,
      })),
    ...parked
      .filter(({ waits_for }) => waits_for === 'breaker')
      .map((each) => ({
        atMs: at(each.since),
        text: `${since(each.since ?? '')} ${each.cause.replace(':', ' ')} opens`,
      })),
    ...kill_switches.map((each) => ({
      atMs: at(each.since),
      text: `${since(each.since)} kill switch`,
    })),
  ];
}
