import '../styles/tables.css';
import { signal } from '@preact/signals';
import type { StuckListAnswer } from '@redrive/client';
import { client } from '../api.ts';
import {
  Acts,
  Cols,
  type Column,
  Empty,
  Facts,
  Link,
  List,
  Loaded,
  Page,
  Section,
  Time,
  Two,
} from '../components/index.ts';
import { duration, lasts, num, plural } from '../format.ts';
import { jobHref, letterHref } from '../links.ts';
import { hrefWith, param } from '../router.ts';
import { useQuery, useRead } from '../use-query.ts';
import { documentActs } from './stuck/document-acts.tsx';

type Stuck = StuckListAnswer;

/** A document of one of the three lists, with the reason that it stays. */
export interface Item extends Omit<Stuck['documents'][number], 'next'> {
  readonly reason: keyof typeof REASONS;
  readonly problem?: string | undefined;
  readonly letter?: string | null | undefined;
}

const REASONS = {
  failed: ['Attempts used up', 'It is marked as failed. Reset it when its cause is corrected.'],
  invalid: ['Not valid', 'Its count, time or id cannot be right: it is never sent.'],
  fail: ['Beyond its attempts', 'The next sweep marks it as failed.'],
  stopped: ['Sweeps are stopped', 'Nothing is sent until the stop is over. Open it to see why.'],
  send: ['No result', 'The next sweep sends its event again.'],
  wait: ['Waits for its back-off', 'A later sweep sends its event again.'],
  unsent: ['Event waits to be sent', 'Its job sends it as soon as the broker is back.'],
  count: ['Event was sent', 'The next sweep counts the attempt.'],
  'dead letter': ['Event could not be sent', 'Its dead letter says why. Requeue that one.'],
  running: ['Attempt under way', 'Its event was sent, and its last attempt may still run.'],
} as const;
const LIMIT = 200;

const ticked = signal<ReadonlySet<string>>(new Set());
const keyOf = ({ collection, id }: Item) => `${collection}/${id}`;

async function load(signal: AbortSignal) {
  const [stuck, invalid, failed] = await Promise.all([
    client.stuck.list({ limit: LIMIT }, { signal }),
    client.stuck.list({ limit: LIMIT, invalid: true }, { signal }),
    client.documents.list({ limit: LIMIT }, { signal }),
  ]);
  const items: Item[] = [
    ...failed.documents.map((one) => {
      const more = { due: null, stuck_since: null, letter: one.dead_letter };
      return { ...one, ...more, reason: 'failed' as const };
    }),
    ...invalid.documents.map((one) => ({ ...one, reason: 'invalid' as const, problem: one.next })),
    // The words of the commands for a valid document.
    ...stuck.documents.map((one) => ({ ...one, reason: one.next as keyof typeof REASONS })),
  ];
  const isCut = [stuck, invalid, failed].some(({ next }) => next !== null);
  return { items, isCut, collections: stuck.collections };
}

export function Stuck(_: { readonly rest: readonly string[] }) {
  const query = useQuery('stuck', load, { everyMs: 15_000, on: ['act'] });
  const { items = [], isCut = false, collections = [] } = query.data ?? {};
  const open = items.find((item) => keyOf(item) === param('open'));
  const many = `${plural(items.length, 'document')}${isCut ? ' and more' : ''} of ${plural(collections.length, 'collection')}`;
  const lede = items.length === 0 ? 'No document is stuck.' : `${many} are behind their time.`;
  const onDone = () => {
    ticked.value = new Set();
    query.reload();
  };
  const rail = open ? (
    <Document key={keyOf(open)} item={open} onDone={onDone} />
  ) : (
    <Sweeps names={collections.map(({ name }) => name)} />
  );
  return (
    <Page title="Stuck" lede={query.data && collections.length > 0 && lede}>
      <Loaded query={query} title="The documents did not load.">
        {() =>
          collections.length === 0 ? (
            <Empty title="No collection is swept" command="redrive config init">
              Declare collections of your database under sweeps.collections in redrive.yaml.
            </Empty>
          ) : (
            <Cols rail={rail}>
              <Section title="By reason">
                <List
                  label="Stuck documents by reason"
                  rows={groupsOf(items)}
                  columns={GROUPS}
                  idOf={(group) => group.reason}
                />
              </Section>
              <Documents {...{ items, isCut, collections, onDone }} />
            </Cols>
          )
        }
      </Loaded>
    </Page>
  );
}

interface DocumentsProps {
  readonly items: readonly Item[];
  readonly isCut: boolean;
  readonly collections: Stuck['collections'];
  readonly onDone: () => void;
}

/** The documents of a reason, and acts on those that are ticked, or on all of them. */
function Documents({ items, isCut, collections, onDone }: DocumentsProps) {
  const reason = param('reason') as Item['reason'] | undefined; // An unknown one shows nothing.
  const shown = items.filter((item) => reason === undefined || item.reason === reason);
  const chosen = shown.filter((item) => ticked.value.has(keyOf(item)));
  const acted = chosen.length > 0 ? chosen : shown;
  const title = reason === undefined ? 'Documents' : REASONS[reason]?.[0];
  return (
    <Section
      title={title}
      note={isCut ? `the first ${LIMIT} of each list` : undefined}
      end={reason && <Link href={hrefWith({ reason: undefined })}>Show all</Link>}
    >
      <List
        label="Stuck documents"
        rows={shown}
        columns={columnsOf(collections)}
        idOf={keyOf}
        ticked={ticked}
        opens
      />
      {param('open') === undefined && (
        <div class="btns">
          <span class="soft">
            {chosen.length > 0 ? `${num(chosen.length)} selected` : `All ${num(shown.length)}`}
          </span>
          <Acts of={documentActs(acted)} onDone={onDone} />
        </div>
      )}
    </Section>
  );
}

function groupsOf(items: readonly Item[]) {
  const reasons = Object.keys(REASONS) as Item['reason'][]; // The table's own keys.
  return reasons.flatMap((reason) => {
    const own = items.filter((item) => item.reason === reason);
    const [oldest] = own.flatMap(({ stuck_since }) => stuck_since ?? []).sort();
    return own.length === 0 ? [] : [{ reason, count: own.length, oldest }];
  });
}

const GROUPS: readonly Column<ReturnType<typeof groupsOf>[number]>[] = [
  [
    'Reason',
    ({ reason }) => (
      <Two
        top={<Link href={hrefWith({ reason, open: undefined })}>{REASONS[reason][0]}</Link>}
        sub={REASONS[reason][1]}
      />
    ),
  ],
  ['Documents', ({ count }) => count, 'n'],
  ['Stuck since', ({ oldest }) => oldest && <Time at={oldest} />, 'n'],
];

function columnsOf(collections: Stuck['collections']): readonly Column<Item>[] {
  const swept = (item: Item) => collections.find(({ name }) => name === item.collection);
  return [
    ['Document', (item) => <a href={hrefWith({ open: keyOf(item) })}>{keyOf(item)}</a>, 'mono'],
    ['Stage', ({ status }) => status],
    ['Stuck for', ({ stuck_since: at }) => at && lasts(at), 'n'],
    [
      'Expected',
      (item) =>
        item.due ? (
          <Time at={item.due} />
        ) : (
          `within ${duration(swept(item)?.stuck_threshold_ms ?? 0)}`
        ),
      'n soft hide-phone',
    ],
    [
      'Attempts',
      (item) => `${item.attempt_count ?? 0} of ${swept(item)?.max_attempts}`,
      'n hide-phone',
    ],
    [
      'Holder',
      ({ letter }) => (letter ? <Link href={letterHref(letter)}>dead letter</Link> : 'nobody'),
      'soft hide-phone',
    ],
    [
      'Reason',
      ({ problem, error, reason }) => problem ?? error ?? REASONS[reason][0],
      'cut-cell hide-phone',
    ],
  ];
}

interface DocumentProps {
  readonly item: Item;
  readonly onDone: () => void;
}

/** Why it was not sent again, and its acts. */
function Document({ item, onDone }: DocumentProps) {
  const { collection, id } = item;
  const query = useRead(client.stuck.explain, { collection, id });
  return (
    <Section
      title={<span class="mono">{id}</span>}
      end={<Link href={hrefWith({ open: undefined, act: undefined })}>Close</Link>}
    >
      <Loaded query={query} title="The document did not load.">
        {(found) => (
          <>
            <p class="say">{found.verdict}</p>
            <Facts
              of={[
                ['Collection', collection],
                ['Stage', found.status],
                ['Stuck since', found.stuck_since && <Time at={found.stuck_since} />],
                ['Last attempt', found.last_attempt_time && <Time at={found.last_attempt_time} />],
                ['Due', found.due && <Time at={found.due} />],
                ['Sent as', found.event && <Link href={jobHref(found.event)}>{found.event}</Link>],
                ['Stopped by', found.stopped],
                ['Error', found.error],
              ]}
            />
          </>
        )}
      </Loaded>
      <div class="btns">
        <Acts of={documentActs([item])} onDone={onDone} />
      </div>
    </Section>
  );
}

/** The numbers of all sweeps. */
function Sweeps({ names }: { readonly names: readonly string[] }) {
  const query = useRead(client.sweeps.status, {}, { everyMs: 15_000 });
  const sent = query.data?.retry_job_documents_requeued_total;
  const failed = query.data?.retry_job_documents_max_retries_exceeded_total;
  return (
    <Section title="Sweeps" note="since the store exists">
      <Facts
        of={names.map((name) => [
          name,
          `${num(sent?.[name] ?? 0)} sent again, ${num(failed?.[name] ?? 0)} failed`,
        ])}
      />
    </Section>
  );
}
