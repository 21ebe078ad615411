import { useSignal } from '@preact/signals';
import { get } from '../api.ts';
import { Empty, Loaded, Page, State, Table, Time } from '../components/index.ts';
import { bounded, num, percent } from '../format.ts';
import { useListKeys } from '../keys.ts';
import { hrefWith, navigate, param } from '../router.ts';
import { useQuery } from '../use-query.ts';
import '../styles/bulk.css';
import { Operation } from './bulk/operation.tsx';
import { titleOf } from './bulk/operation-words.ts';

/** Bulk operations, or one of them. */
export function Bulk({ rest }: { readonly rest: readonly string[] }) {
  const [id] = rest;
  return id === undefined ? <Operations /> : <Operation id={id} key={id} />;
}

const PAGE = 100;

function Operations() {
  const after = param('after');
  const list = useQuery(
    `operations ${after ?? ''}`,
    (abort) => get('/v1/operations', { limit: PAGE, after }, abort),
    { everyMs: 2_000, on: ['act', 'control'] },
  );
  const at = useSignal(-1);
  const all = list.data?.operations ?? [];
  const hrefOf = (id: string) => `/ops/${encodeURIComponent(id)}`;
  useListKeys({ count: all.length, at, open: (index) => navigate(hrefOf(all[index]?.id ?? '')) });
  return (
    <Page
      title="Bulk operations"
      lede="One act on many dead letters or jobs, with its own progress and ramp."
    >
      <Loaded query={list} title="The bulk operations did not load.">
        {({ operations, next }) =>
          operations.length === 0 ? (
            <Empty
              title="No bulk operation in the last 30 days"
              command="redrive dlq requeue --all"
            >
              Requeue or purge a cause of dead letters, and its progress stands here.
            </Empty>
          ) : (
            <>
              <Table
                label="Bulk operations"
                head={[
                  'Operation',
                  'State',
                  { text: 'Done', n: true },
                  { text: 'Failed again', n: true, hidePhone: true },
                  { text: 'Begun', hidePhone: true },
                  { text: 'Why', hidePhone: true },
                ]}
                tall
              >
                {operations.map((each, index) => (
                  <tr
                    key={each.id}
                    data-row={index}
                    tabIndex={index === Math.max(0, at.value) ? 0 : -1}
                  >
                    <td>
                      <a class="link strong" href={hrefOf(each.id)}>
                        {titleOf(each)}
                      </a>
                      <span class="l2 mono">{each.id}</span>
                    </td>
                    <td>
                      <State of={each.state} />
                    </td>
                    <td class="n">
                      {num(each.done)}
                      {each.total !== null && (
                        <span class="muted"> of {bounded(each.total, each.total_bounded)}</span>
                      )}
                    </td>
                    <td class="n hide-phone">
                      {each.came_back + each.succeeded > 0 &&
                        percent(each.came_back / (each.came_back + each.succeeded))}
                    </td>
                    <td class="hide-phone soft">
                      <Time at={each.started_at} />
                      <span class="l2">{each.by}</span>
                    </td>
                    <td class="hide-phone soft">{each.why}</td>
                  </tr>
                ))}
              </Table>
              {next !== null && (
                <a class="link" href={hrefWith({ after: next })}>
                  Older
                </a>
              )}
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
