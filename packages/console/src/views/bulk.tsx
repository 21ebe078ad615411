import type { OperationsListAnswer } from '@redrive/client';
import { client } from '../api.ts';
import { type Column, Empty, Link, List, Loaded, Page, State, Time } from '../components/index.ts';
import { bounded, num, percent } from '../format.ts';
import { operationHref } from '../links.ts';
import { hrefWith, navigate, param } from '../router.ts';
import { useRead } from '../use-query.ts';
import '../styles/bulk.css';
import { Operation } from './bulk/operation.tsx';
import { titleOf } from './bulk/operation-words.ts';

type Row = OperationsListAnswer['operations'][number];

/** Bulk operations, or one of them. */
export function Bulk({ rest }: { readonly rest: readonly string[] }) {
  const [id] = rest;
  return id === undefined ? <Operations /> : <Operation id={id} key={id} />;
}

const PAGE = 100;
const NONE = (
  <Empty title="No bulk operation in the last 30 days" command="redrive dlq requeue --all">
    Requeue or purge a cause of dead letters, and its progress stands here.
  </Empty>
);

function Operations() {
  const input = { limit: PAGE, after: param('after') };
  const list = useRead(client.operations.list, input, { everyMs: 2_000, on: ['act', 'control'] });
  return (
    <Page
      title="Bulk operations"
      lede="One act on many dead letters or jobs, with its own progress and ramp."
    >
      <Loaded query={list} title="The bulk operations did not load.">
        {({ operations, next }) => (
          <>
            <List
              label="Bulk operations"
              rows={operations}
              columns={COLUMNS}
              idOf={({ id }) => id}
              opens={({ id }) => navigate(operationHref(id))}
              empty={NONE}
            />
            {next !== null && <Link href={hrefWith({ after: next })}>Older</Link>}
          </>
        )}
      </Loaded>
    </Page>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  [
    'Operation',
    (one) => (
      <>
        <a class="link strong" href={operationHref(one.id)}>
          {titleOf(one)}
        </a>
        <span class="l2 mono">{one.id}</span>
      </>
    ),
  ],
  ['State', ({ state }) => <State of={state} />],
  [
    'Done',
    ({ done, total, total_bounded }) => (
      <>
        {num(done)}
        {total !== null && <span class="muted"> of {bounded(total, total_bounded)}</span>}
      </>
    ),
    'n',
  ],
  [
    'Failed again',
    ({ came_back, succeeded }) =>
      came_back + succeeded > 0 && percent(came_back / (came_back + succeeded)),
    'n hide-phone',
  ],
  [
    'Begun',
    ({ started_at, by }) => (
      <>
        <Time at={started_at} />
        <span class="l2">{by}</span>
      </>
    ),
    'hide-phone soft',
  ],
  ['Why', ({ why }) => why, 'hide-phone soft'],
];
