import '../styles/tables.css';
import type { Answers } from '@redrive/server/client';
import { get } from '../api.ts';
import { Button, Cols, Empty, Facts, Loaded, Page, Section, Time } from '../components/index.ts';
import { duration, lasts, num, plural } from '../format.ts';
import { hrefWith, param, setParams } from '../router.ts';
import { whyNot } from '../session.ts';
import { useQuery } from '../use-query.ts';
import { type Act, ActDialog } from './control/act-dialog.tsx';
import { type Column, Link, List, Two } from './parts/list.tsx';

type Stuck = Answers['/v1/stuck'];

/** A document of one of the three lists, with the reason that it stays. */
interface Item extends Omit<Stuck['documents'][number], 'next'> {
  readonly reason: keyof typeof REASONS;
  readonly problem?: string | undefined;
  readonly letter?: string | null | undefined;
}

const REASONS = {
  failed: ['Attempts used up', 'It is marked as failed. Reset it when its cause is corrected.'],
  invalid: ['Not valid', 'Its count, time or id cannot be right: it is never sent.'],
  fail: ['Beyond its attempts', 'The next sweep marks it as failed.'],
  send: ['No result', 'The next sweep sends its event again.'],
  wait: ['Waits for its back-off', 'A later sweep sends its event again.'],
} as const;
const LIMIT = 200;

const keyOf = ({ collection, id }: Item) => `${collection}/${id}`;

async function load(signal: AbortSignal) {
  const [stuck, invalid, failed] = await Promise.all([
    get('/v1/stuck', { limit: LIMIT }, signal),
    get('/v1/stuck', { limit: LIMIT, invalid: true }, signal),
    get('/v1/documents', { limit: LIMIT }, signal),
  ]);
  const items: Item[] = [
    ...failed.documents.map((one) => {
      return { ...one, due: null, reason: 'failed' as const, letter: one.dead_letter };
    }),
    ...invalid.documents.map((one) => ({ ...one, reason: 'invalid' as const, problem: one.next })),
    // The commands have these three for a valid document.
    ...stuck.documents.map((one) => ({ ...one, reason: one.next as 'send' | 'wait' | 'fail' })),
  ];
  const isCut = [stuck, invalid, failed].some(({ next }) => next !== null);
  return { items, isCut, collections: stuck.collections };
}

export function Stuck(_: { readonly rest: readonly string[] }) {
  const query = useQuery('stuck', load, { everyMs: 15_000, on: ['act'] });
  const reason = param('reason') as Item['reason'] | undefined; // An unknown one shows nothing.
  const { items = [], isCut = false, collections = [] } = query.data ?? {};
  const open = items.find((item) => keyOf(item) === param('open'));
  const shown = items.filter((item) => reason === undefined || item.reason === reason);
  const many = `${plural(items.length, 'document')}${isCut ? ' and more' : ''} of ${plural(collections.length, 'collection')}`;
  const lede = items.length === 0 ? 'No document is stuck.' : `${many} are behind their time.`;
  return (
    <Page title="Stuck" lede={query.data && collections.length > 0 && lede}>
      <Loaded query={query} title="The documents did not load.">
        {() =>
          collections.length === 0 ? (
            <Empty title="No collection is swept" command="redrive config init">
              Declare collections of your database under sweeps.collections in redrive.yaml.
            </Empty>
          ) : (
            <Cols
              rail={
                open ? (
                  <Document key={keyOf(open)} item={open} onDone={query.reload} />
                ) : (
                  <Sweeps names={collections.map(({ name }) => name)} />
                )
              }
            >
              <Section title="By reason">
                <List
                  label="Stuck documents by reason"
                  rows={groupsOf(items)}
                  columns={GROUPS}
                  idOf={(group) => group.reason}
                />
              </Section>
              <Section
                title={reason === undefined ? 'Documents' : REASONS[reason]?.[0]}
                note={isCut ? `the first ${LIMIT} of each list` : undefined}
                end={reason && <Link href={hrefWith({ reason: undefined })}>Show all</Link>}
              >
                <List
                  label="Stuck documents"
                  rows={shown}
                  columns={columnsOf(collections)}
                  idOf={keyOf}
                  opens
                />
              </Section>
            </Cols>
          )
        }
      </Loaded>
    </Page>
  );
}

function groupsOf(items: readonly Item[]) {
  const reasons = Object.keys(REASONS) as Item['reason'][]; // The table's own keys.
  return reasons.flatMap((reason) => {
    const own = items.filter((item) => item.reason === reason);
    const [oldest] = own.flatMap(({ last_attempt_time }) => last_attempt_time ?? []).sort();
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
  ['Oldest attempt', ({ oldest }) => (oldest ? <Time at={oldest} /> : 'never'), 'n'],
];

function columnsOf(collections: Stuck['collections']): readonly Column<Item>[] {
  const swept = (item: Item) => collections.find(({ name }) => name === item.collection);
  return [
    ['Document', (item) => <a href={hrefWith({ open: keyOf(item) })}>{keyOf(item)}</a>, 'mono'],
    ['Stage', ({ status }) => status],
    ['Stuck for', ({ last_attempt_time: at }) => (at ? lasts(at) : 'never sent'), 'n'],
    [
      'Expected',
      (item) =>
        item.due ? <Time at={item.due} /> : `within ${duration(swept(item)?.stuck_after_ms ?? 0)}`,
      'n soft hide-phone',
    ],
    [
      'Attempts',
      (item) => `${item.attempt_count ?? 0} of ${swept(item)?.max_attempts}`,
      'n hide-phone',
    ],
    [
      'Holder',
      ({ letter }) => (letter ? <Link href={`/dead?open=${letter}`}>dead letter</Link> : 'nobody'),
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
  const query = useQuery(`stuck ${collection} ${id}`, (signal) =>
    get('/v1/stuck/:collection/:id', { collection, id }, signal),
  );
  const isFailed = item.reason === 'failed';
  const act = param('act');
  const acts: readonly ActName[] = isFailed
    ? ['release', 'reset', 'archive', 'purge']
    : item.reason === 'invalid'
      ? []
      : ['release'];
  return (
    <Section title={<span class="mono">{id}</span>} end={<Link href={CLOSED()}>Close</Link>}>
      <Loaded query={query} title="The document did not load.">
        {(found) => (
          <>
            <p class="say">{found.verdict}</p>
            <Facts
              of={[
                ['Collection', collection],
                ['Stage', found.status],
                ['Last attempt', found.last_attempt_time && <Time at={found.last_attempt_time} />],
                ['Due', found.due && <Time at={found.due} />],
                [
                  'Sent as',
                  found.event && <Link href={`/jobs/${found.event}`}>{found.event}</Link>,
                ],
                ['Stopped by', found.stopped],
                ['Error', found.error],
              ]}
            />
          </>
        )}
      </Loaded>
      <div class="btns">
        {acts.map((name) => (
          <Button
            key={name}
            line={name === 'purge'}
            whyNot={whyNot(ACTS[name].role)}
            onClick={() => setParams({ act: name })}
          >
            {ACTS[name].word}…
          </Button>
        ))}
      </div>
      {acts
        .filter((name) => name === act)
        .map((name) => (
          <ActDialog key={name} act={() => documentAct(name, item)} onDone={onDone} />
        ))}
    </Section>
  );
}

const CLOSED = () => hrefWith({ open: undefined, act: undefined });

type ActName = keyof typeof ACTS;

const ACTS = {
  release: { role: 'operator', word: 'Send now', past: 'Its event is a job now.' },
  reset: { role: 'operator', word: 'Reset', past: 'It is pending again, as never attempted.' },
  archive: { role: 'admin', word: 'Archive', past: 'It is moved to the archive.' },
  purge: { role: 'admin', word: 'Purge', past: 'It is deleted for good.' },
} as const;

function documentAct(name: ActName, { collection, id }: Item): Act {
  const { role, word, past } = ACTS[name];
  const isRelease = name === 'release';
  const isPurge = name === 'purge';
  return {
    ...{ role, title: `${word} ${id}`, button: isPurge ? 'Purge 1 document' : word },
    ...{ danger: isPurge, isPlain: isRelease, confirm: isPurge ? collection : undefined },
    said: (answer) => {
      const { refused } = Object(answer) as { readonly refused?: readonly { why: string }[] };
      return refused?.[0] === undefined ? past : `Not sent: the document ${refused[0].why}.`;
    },
    command: `redrive ${isRelease ? 'stuck' : 'documents'} ${name} ${collection} ${id}${isPurge ? ` --confirm ${collection}` : ''}`,
    path: isRelease ? '/v1/stuck/:collection/release' : `/v1/documents/:collection/${name}`,
    body: { collection, ids: [id], ...(isPurge && { confirm: collection }) },
  };
}

/** The numbers of all sweeps. */
function Sweeps({ names }: { readonly names: readonly string[] }) {
  const query = useQuery('sweeps', (signal) => get('/v1/sweeps', {}, signal), { everyMs: 15_000 });
  const of = (metric: string, name: string): number => {
    const { [name]: value = 0 } = Object(query.data?.[metric]) as Record<string, number>; // By collection.
    return value;
  };
  return (
    <Section title="Sweeps" note="since the store exists">
      <Facts
        of={names.map((name) => [
          name,
          `${num(of('retry_job_documents_requeued_total', name))} sent again, ${num(of('retry_job_documents_max_retries_exceeded_total', name))} failed`,
        ])}
      />
    </Section>
  );
}
