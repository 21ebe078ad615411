import type { SourcesListAnswer } from '@redrive/client';
import { client } from '../api.ts';
import { type Column, Empty, List, Loaded, Page, State, Time, Two } from '../components/index.ts';
import { sentence } from '../format.ts';
import { useRead } from '../use-query.ts';

type Source = SourcesListAnswer['sources'][number];

/** The state of a source: its glyph, its word, what it means. */
const STATES: Readonly<Record<string, readonly [of: string, word: string, text: string]>> = {
  taking: ['running', 'Takes events', ''],
  stopped: ['stopped', 'Stopped', 'a kill switch covers it, or the worker stops'],
  full: ['parked', 'Full', 'max_waiting events are ready'],
  store_away: ['failed', 'Store away', 'the store does not answer'],
  bus_away: ['failed', 'Broker away', 'the broker does not answer, or refuses'],
  failing: ['failed', 'Failing', 'its events cannot be stored or moved'],
  blocked: ['blocked', 'Blocked', 'a person must act'],
  gone: ['cancelled', 'Nobody takes it', 'no process has reported it for a minute'],
  not_reported: ['planned', 'Not started', 'no process has reported it yet'],
};
const WELL: readonly string[] = ['taking', 'stopped', 'full', 'not_reported'];

export function Sources(_: { readonly rest: readonly string[] }) {
  const query = useRead(client.sources.list, {}, { everyMs: 5_000 });
  const sources = query.data?.sources ?? [];
  const bad = sources.filter(({ state }) => !WELL.includes(state)).length;
  return (
    <Page title="Sources" lede={sources.length > 0 && ledeOf(bad)}>
      <Loaded query={query} title="The sources did not load.">
        {() => (
          <List
            label="Sources of events"
            rows={sources}
            columns={COLUMNS}
            idOf={({ name }) => name}
            empty={NONE}
          />
        )}
      </Loaded>
    </Page>
  );
}

const NONE = (
  <Empty title="No source of events" command="redrive events check">
    Declare brokers under buses and their streams or queues under events.sources in redrive.yaml.
  </Empty>
);

function ledeOf(bad: number): string {
  if (bad === 0) return 'No source reports trouble.';
  return `${sentence(bad, 'source takes', 'sources take')} no events.`;
}

function stateCell({ state, last_error, last_error_at, last_report }: Source) {
  const [of, word, text] = STATES[state] ?? ['ready', state, ''];
  const isOver = last_error_at !== null && last_report !== null && last_error_at < last_report;
  return (
    <>
      <State of={of} word={word} />
      <span class={last_error && !isOver ? 'l2 red' : 'l2'}>
        {last_error ?? text} {isOver && last_error && <Time at={last_error_at} />}
      </span>
    </>
  );
}

const placeOf = ({ from, bus, handler }: Source) =>
  [from, bus && `on ${bus}`, handler && `for handler ${handler}`].filter(Boolean).join(' ');

const COLUMNS: readonly Column<Source>[] = [
  ['Source', (one) => <Two top={one.name} sub={placeOf(one)} />],
  ['State', stateCell],
  ['Waiting', ({ waiting }) => waiting, 'n'],
  ['Stored', ({ stored }) => stored, 'n hide-phone'],
  ['Handled', ({ handled }) => handled, 'n hide-phone'],
  ['Duplicates', ({ duplicates }) => duplicates, 'n hide-phone'],
  ['Dead letters', ({ dead_lettered }) => dead_lettered, 'n'],
  ['Last report', ({ last_report: at }) => (at ? <Time at={at} /> : 'never'), 'n hide-phone'],
];
