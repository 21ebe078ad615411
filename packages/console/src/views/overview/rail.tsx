import type { Answers } from '@redrive/server/client';
import type { ComponentChildren } from 'preact';
import { now } from '../../clock.ts';
import { Bar, Glyph, Num, Section, Sparkline, Table, type Tone } from '../../components/index.ts';
import { ago, bounded, lasts, msOf, num, short } from '../../format.ts';
import type { StatusDocument } from '../../status.ts';
import { scopeWord } from '../control/scope.ts';

interface Stop {
  readonly key: string;
  readonly glyph: string;
  readonly tone: Tone;
  readonly title: string;
  readonly detail: ComponentChildren;
  /** `null`: nobody counts them. */
  readonly count: number | null;
  readonly isBound?: boolean;
}

const MAX_STOPS = 5;
/** Without a heartbeat for so long, a worker is late. */
const LATE_MS = 30_000;

function stopsOf(found: StatusDocument): readonly Stop[] {
  const waiting = (scope: string, name: string) =>
    found.handlers
      .filter(({ queue, handler }) => name === (scope === 'queue' ? queue : handler))
      .reduce((total, { states }) => total + states.ready + states.scheduled + states.parked, 0);
  return [
    ...found.kill_switches.map(({ scope, name, waiting: count, bounded: isBound }) => ({
      key: `kill ${scope} ${name}`,
      glyph: 'stop',
      tone: 'red' as const,
      title: `Kill switch: ${scope === 'all' ? 'everything' : `${scopeWord(scope)} ${name}`}`,
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
        detail: `${num(failure_count)} failures, limit ${num(threshold)}${next_probe_at === null ? '' : `, next probe ${ago(next_probe_at)}`}`,
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
      title: `Paused: ${scopeWord(scope)} ${name}`,
      detail: `${by}${why === null ? '' : `: “${why}”`}, ${lasts(since)}`,
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
  const link = (
    <a class="link" href="/control">
      Control
    </a>
  );
  return (
    <Section title="Stopped or waiting" end={link}>
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
            <a class="link" href="/control">
              {more.length} more causes
            </a>
            <div class="n strong">
              {num(more.reduce((total, { count }) => total + (count ?? 0), 0))}
            </div>
          </li>
        )}
      </ul>
    </Section>
  );
}

export function Workers({ found: { workers } }: { readonly found: StatusDocument }) {
  const running = workers.reduce((total, each) => total + each.running, 0);
  const slots = workers.reduce((total, each) => total + each.concurrency, 0);
  return (
    <Section title="Workers" note={`${workers.length}, ${num(running)} of ${num(slots)} slots`}>
      {workers.length === 0 ? (
        <p class="l2">No worker is alive: jobs wait until one starts.</p>
      ) : (
        <Table
          label="Workers"
          head={['Worker', { text: 'Running', span: 2 }, { text: 'Heartbeat', n: true }]}
        >
          {workers.map(({ name, running: busy, concurrency, last_seen_at }) => {
            const ageMs = now.value - msOf(last_seen_at ?? '');
            return (
              <tr key={name}>
                <td class="mono cut worker" title={name}>
                  {name}
                </td>
                <td class="gauge">
                  <Bar value={busy} max={concurrency} />
                </td>
                <td class="n nowrap">
                  {num(busy)} <span class="muted">of {num(concurrency)}</span>
                </td>
                <td class={`n nowrap ${ageMs > LATE_MS ? 'amber strong' : 'muted'}`}>
                  {short(ageMs)}
                </td>
              </tr>
            );
          })}
        </Table>
      )}
    </Section>
  );
}

interface QueuesProps {
  readonly found: StatusDocument;
  readonly queues: Answers['/v1/figures']['queues'];
}

export function Queues({ found, queues }: QueuesProps) {
  const names = [...new Set(found.handlers.map(({ queue }) => queue))].sort();
  const head = [
    'Queue',
    ...['Ready', 'Scheduled', 'Parked', 'Running', 'Dead'].map((text) => ({ text, n: true })),
    { text: 'Done per min', n: true, hidePhone: true },
    { text: 'Last 30 min', hidePhone: true },
  ];
  const oldest =
    found.oldest_ready_at === null
      ? undefined
      : `oldest ready job waits ${lasts(found.oldest_ready_at)}`;
  return (
    <Section className="rest-of-page" title="Queues" note={oldest}>
      <Table label="Queues" head={head}>
        {names.map((name) => {
          const count = (state: keyof StatusDocument['states']) =>
            found.handlers.reduce(
              (total, { queue, states }) => total + (queue === name ? states[state] : 0),
              0,
            );
          const succeeded = queues.find(({ queue }) => queue === name)?.succeeded ?? [];
          return (
            <tr key={name}>
              <td class="strong">
                <a href={`/jobs?q=queue:${encodeURIComponent(name)}`}>{name}</a>
              </td>
              <Num value={count('ready')} />
              <Num value={count('scheduled')} />
              <Num value={count('parked')} />
              <Num value={count('leased')} />
              <Num value={count('dead')} />
              <Num value={succeeded.at(-2) ?? 0} className="hide-phone" />
              <td class="hide-phone">
                <Sparkline width={96} height={18} values={succeeded.slice(0, -1)} />
              </td>
            </tr>
          );
        })}
      </Table>
    </Section>
  );
}
