import type { MetricsShowAnswer } from '@redrive/client';
import { client } from '../../api.ts';
import { type Column, ListSection, Loaded } from '../../components/index.ts';
import { num, percent, shortId } from '../../format.ts';
import { param, setParams } from '../../router.ts';
import { useRead } from '../../use-query.ts';

type Metrics = MetricsShowAnswer;
type Share = Metrics['by_category'][string];
type Row = Share & { readonly name: string };

const DIMENSIONS = ['category', 'policy', 'subsystem', 'operation', 'tenant'] as const;
type Dimension = (typeof DIMENSIONS)[number];

/** Sessions of the last day by one dimension, as `redrive metrics show --by` prints them. */
export function Figures() {
  const query = useRead(client.metrics.show);
  const by = DIMENSIONS.find((dimension) => dimension === param('by')) ?? 'category';
  return (
    <Loaded query={query} title="The figures did not load.">
      {(metrics) => (
        <ListSection
          title={`Figures by ${by}`}
          none="no session in 24 h"
          note={`${num(metrics.total_sessions)} sessions in 24 h, ${num(metrics.total_attempts)} attempts`}
          end={<Dimensions by={by} />}
          rows={rowsOf(metrics[`by_${by}`])}
          columns={columnsOf(by)}
          idOf={({ name }) => name}
          className="rows32"
        />
      )}
    </Loaded>
  );
}

function Dimensions({ by }: { readonly by: Dimension }) {
  return (
    <select
      class="in"
      aria-label="Figures by"
      value={by}
      onChange={(event) => setParams({ by: event.currentTarget.value }, { replace: true })}
    >
      {DIMENSIONS.map((dimension) => (
        <option key={dimension} value={dimension}>
          {dimension}
        </option>
      ))}
    </select>
  );
}

function rowsOf(shares: Readonly<Record<string, Share>>): Row[] {
  return Object.entries(shares).map(([name, share]) => ({ name, ...share }));
}

const columnsOf = (by: Dimension): readonly Column<Row>[] => [
  [by[0]?.toUpperCase() + by.slice(1), ({ name }) => nameCell(name, by)],
  ['Sessions', ({ sessions }) => sessions, 'n'],
  ['Attempts', ({ total_attempts }) => total_attempts, 'n'],
  ['Succeeded', ({ success_rate: rate }) => (rate === null ? '–' : percent(rate)), 'n'],
  [
    'Attempts each',
    ({ average_attempts: each }) => (each === null ? '–' : num(each)),
    'n hide-phone',
  ],
];

/** A policy without an id has its hash. */
function nameCell(name: string, by: Dimension) {
  if (name === '') return <span class="muted">none</span>;
  return by === 'policy' && /^[0-9a-f]{64}$/.test(name) ? <code>{shortId(name)}</code> : name;
}
