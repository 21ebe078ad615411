import { signal } from '@preact/signals';
import type { DeadLettersListAnswer } from '@redrive/client';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { client } from '../api.ts';
import { now } from '../clock.ts';
import {
  Button,
  type Column,
  Download,
  Empty,
  Id,
  Link,
  Notice,
  Page,
  Panes,
  State,
  VirtualList,
} from '../components/index.ts';
import { filterInput, filterText, parseFilter } from '../filter.ts';
import { bounded, causeText, msOf, num, plural, short, sum } from '../format.ts';
import { jobHref } from '../links.ts';
import { whyNot } from '../me.ts';
import { hrefWith, navigate, param, setParams } from '../router.ts';
import { status } from '../status.ts';
import { useRead } from '../use-query.ts';
import '../styles/dead.css';
import { BulkDialog, type BulkTarget } from './bulk/bulk-dialog.tsx';
import { CauseActs, CauseDialog } from './dead/cause-acts.tsx';
import { Causes, type Group } from './dead/causes.tsx';
import { Letter } from './dead/letter.tsx';
import { EditDialog, RequeueDialog, requeued } from './dead/one-letter-acts.tsx';

type Row = DeadLettersListAnswer['letters'][number];

const ticked = signal<ReadonlySet<string>>(new Set());
const RECORDS = ['requeue', 'reset', 'purge', 'restore', 'act'] as const;
const GROUPS = 20;

/** Dead letters: causes, the letters of one, and one letter. */
export function Dead(_: { readonly rest: readonly string[] }) {
  const q = param('q') ?? '';
  const cause = param('cause');
  const open = param('open');
  const act = param('act');
  const problem = problemOf(q);
  // `since:24h` is a time of its own each minute: the list would begin again.
  const filter = useMemo(() => filterInput(q), [q]);
  const input = { ...filter, state: undefined, group: cause };
  const key = JSON.stringify(input);
  useEffect(() => {
    ticked.value = new Set();
  }, [key]);
  const groups = { ...filter, state: undefined, limit: GROUPS };
  const every = { everyMs: 5_000, on: RECORDS };
  const causes = useRead(client.deadLetters.groups, groups, {
    ...every,
    isOff: problem !== undefined,
  });
  const listed = causes.data?.groups.find(({ fingerprint }) => fingerprint === cause);
  const isRare = cause !== undefined && causes.data !== undefined && listed === undefined;
  const rare = { ...input, limit: 1 };
  const other = useRead(client.deadLetters.groups, rare, { ...every, isOff: !isRare });
  const group = listed ?? other.data?.groups[0];
  const shown = cause === undefined ? (causes.data?.groups ?? []) : group ? [group] : [];
  const isAll = cause === undefined && q === '';
  const total = totalOf(shown, isAll, cause === undefined && causes.data?.next != null);
  const isHeld = ticked.value.size > 0 || open !== undefined;
  const { version, isOld, refresh } = useVersion(shown, total, isHeld);
  const oldest = Math.min(...shown.map((each) => msOf(each.first_died_at)));
  const page = async (more: object, limit: number) => {
    const found = await client.deadLetters.list({ ...input, ...more, limit });
    return { rows: found.letters, next: found.next };
  };
  if (problem !== undefined) {
    return (
      <Page title="Dead letters">
        <Notice tone="bad">{problem}</Notice>
      </Page>
    );
  }
  return (
    <Page title="Dead letters" className="page-dead">
      <Panes
        narrow={cause === undefined && open === undefined && q === '' ? 'left' : 'main'}
        left={<Causes query={causes} selected={cause} />}
        main={
          <>
            <header>
              <h2>
                <a class="link back" href={hrefWith({ cause: undefined })}>
                  Causes
                </a>
                <span class="cut">
                  {group ? causeText(group.pattern) : (cause ?? 'All dead letters')}
                </span>
                {isOld && (
                  <button type="button" class="link end" onClick={refresh}>
                    Changed: show
                  </button>
                )}
              </h2>
              <div class="sub">
                {plural(total.count, 'dead letter', 'dead letters', total.isBound)}
                {cause && <span class="mono"> · {cause}</span>}
                {group && cause && <CauseActs />}
              </div>
            </header>
            <VirtualList<Row>
              label="Dead letters"
              columns={columnsOf(group !== undefined, open !== undefined)}
              source={{
                key,
                version,
                total: total.isBound || total.count === 0 ? undefined : total.count,
                page: (after, limit) => page({ after }, limit),
                pageAt: (ms, limit) => page({ until: new Date(ms + 1).toISOString() }, limit),
                timeOf: (row) => msOf(row.finished_at ?? 0),
                oldestMs: Number.isFinite(oldest) ? oldest : undefined,
              }}
              idOf={({ id }) => id}
              openId={open}
              ticked={ticked}
              onOpen={({ id }) => setParams({ open: id })}
              actsOf={actsOf}
              empty={<NoLetters q={q} total={status.value?.states.dead ?? 0} />}
            />
            <ActBar all={total} input={input} isAll={isAll} />
          </>
        }
        right={open && <Letter id={open} key={open} />}
      />
      <Dialogs input={input} q={q} />
      {act && (
        <CauseDialog
          act={act}
          group={group}
          others={causes.data?.groups ?? []}
          onDone={causes.reload}
        />
      )}
    </Page>
  );
}

/** @param isNarrow a letter is open beside the list. */
function columnsOf(isOfCause: boolean, isNarrow: boolean): readonly Column<Row>[] {
  const room = (column: Column<Row>) => (isNarrow ? [] : [column]);
  const died: Column<Row> = ['Dead for', diedFor, 'n soft'];
  const tenant: Column<Row> = ['Tenant', (row) => row.tenant, 'hide-phone'];
  const again = (row: Row) => row.generation - 1;
  return isOfCause
    ? [
        ['Id', ({ id }) => <Id of={id} />, 'w-id'],
        died,
        ...room(tenant),
        ['Attempts', ({ attempts_made }) => attempts_made, 'n hide-phone'],
        ...room(['Requeued', again, 'n']),
      ]
    : [
        ['Id', ({ id }) => <Id of={id} />, 'w-id'],
        ['Error', errorOf, 'w-error'],
        died,
        ...room(tenant),
        ...room(['Requeued', again, 'n hide-phone']),
      ];
}

function diedFor({ id, finished_at }: Row) {
  if (requeued.value.has(id)) return <State of="scheduled" word="Requeued" />;
  return finished_at && <span title={finished_at}>{short(now.value - msOf(finished_at))}</span>;
}

function errorOf({ last_error, reason, handler }: Row) {
  return (
    <span title={last_error?.message}>
      {last_error?.message || reason} <span class="muted">{handler}</span>
    </span>
  );
}

function NoLetters({ q, total }: { readonly q: string; readonly total: number }) {
  const { tokens } = parseFilter(q);
  if (tokens.length === 0) {
    return (
      <Empty title="No dead letters" command="redrive dlq list">
        A job that gives up stands here, with its attempts and its payload.
      </Empty>
    );
  }
  const last = tokens.at(-1);
  return (
    <Empty title="No dead letter matches">
      {num(total)} exist.{' '}
      <Link href={hrefWith({ q: filterText(tokens.slice(0, -1)) || undefined, cause: undefined })}>
        Remove {last?.key}:{last?.value}
      </Link>
    </Empty>
  );
}

interface Total {
  readonly count: number;
  readonly isBound: boolean;
}

/** An act on all letters of a filter that nobody understood would be one on all letters. */
function problemOf(q: string): string | undefined {
  const { tokens, problem } = parseFilter(q);
  const other = tokens.find(({ key, value }) => key === 'state' && value !== 'dead');
  return problem ?? (other && `state:${other.value} is for jobs: dead letters are dead.`);
}

/** Counting stops at 10,000 letters of a cause. Of all letters the status has the number. */
function totalOf(groups: readonly Group[], isAll: boolean, hasMore: boolean): Total {
  const all = status.value;
  if (isAll && all !== undefined && !all.bounded) return { count: all.states.dead, isBound: false };
  const count = sum(groups.map((each) => each.count));
  return { count, isBound: hasMore || groups.some((each) => each.bounded) };
}

/** Rises when the list has changed, unless somebody has ticked or opened a row: then it waits. */
function useVersion(groups: readonly Group[], total: Total, isHeld: boolean) {
  const newest = groups.map(({ count, newest_id }) => `${count}${newest_id}`).join();
  const stamp = newest && `${newest}${total.isBound}`;
  const shown = useRef({ stamp: '', version: 0 });
  const [, redraw] = useState(0);
  const show = () => {
    // The first window is here already: only a longer list needs its length.
    const isSame = shown.current.stamp === '' && total.count <= WINDOW;
    shown.current = { stamp, version: shown.current.version + (isSame ? 0 : 1) };
    requeued.value = new Set();
    redraw(shown.current.version);
  };
  const isOld = shown.current.stamp !== stamp;
  const mayShow = !isHeld || shown.current.stamp === '';
  useEffect(() => {
    if (isOld && mayShow) show();
  }, [isOld, mayShow]);
  return { version: shown.current.version, isOld: isOld && !mayShow, refresh: show };
}

const WINDOW = 200;

function actsOf({ id }: Row) {
  const open = (act: string) => setParams({ open: id, act, of: 'letter' });
  return [
    { label: 'Requeue…', run: () => open('requeue'), whyNot: whyNot('operator') },
    { label: 'Edit payload…', run: () => open('edit'), whyNot: whyNot('admin') },
    { label: 'Timeline', run: () => navigate(jobHref(id)) },
    { label: 'Purge…', run: () => open('purge'), whyNot: whyNot('admin') },
  ];
}

interface ActBarProps {
  readonly all: Total;
  readonly input: Readonly<Record<string, string | undefined>>;
  readonly isAll: boolean;
}

function ActBar({ all, input, isAll }: ActBarProps) {
  const count = ticked.value.size;
  const letters = bounded(all.count, all.isBound);
  const given = Object.entries(input).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]]));
  const of = count > 0 ? 'ticked' : 'all';
  const word = count > 0 ? num(count) : `all ${letters}`;
  if (all.count === 0) return null;
  return (
    <div class="actbar">
      {count > 0 && (
        <>
          <span>{num(count)} selected</span>
          <button type="button" class="link" onClick={() => (ticked.value = new Set())}>
            Clear
          </button>
        </>
      )}
      <span class="sp" />
      <Download
        path={`/v1/dead-letters/export?${new URLSearchParams(given)}`}
        file="dead-letters.jsonl"
      >
        Export {isAll ? 'all' : letters}
      </Download>
      <Button line whyNot={whyNot('admin')} onClick={() => setParams({ act: 'purge', of })}>
        Purge…
      </Button>
      <Button primary whyNot={whyNot('operator')} onClick={() => setParams({ act: 'requeue', of })}>
        Requeue {word}…
      </Button>
    </div>
  );
}

interface DialogsProps {
  readonly input: Readonly<Record<string, string | undefined>>;
  readonly q: string;
}

function Dialogs({ input, q }: DialogsProps) {
  const act = param('act');
  const open = param('open');
  const of = param('of') ?? (open === undefined ? 'all' : 'letter');
  if (act === 'edit') return open === undefined ? null : <EditDialog id={open} />;
  if (act === 'requeue' && of === 'letter' && open) return <RequeueDialog id={open} />;
  if (act !== 'requeue' && act !== 'purge') return null;
  const ids = of === 'letter' && open ? [open] : [...ticked.value];
  if (of !== 'all' && ids.length === 0) return null;
  const group = input.group === undefined ? [] : [{ key: 'group', value: input.group }];
  const target: BulkTarget =
    of === 'all' ? { filter: input, tokens: [...parseFilter(q).tokens, ...group] } : { ids };
  return <BulkDialog key={act} act={act} target={target} />;
}
