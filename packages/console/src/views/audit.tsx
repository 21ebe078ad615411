import { commandText } from '@redrive/core/fields';
import '../styles/tables.css';
import { useSignal } from '@preact/signals';
import type { AuditVerifyAnswer } from '@redrive/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import {
  asProblem,
  auditRecords,
  client,
  type LogRecord as Found,
  type RedriveClientError,
} from '../api.ts';
import {
  Bar,
  Button,
  type Column,
  CommandLine,
  Download,
  Empty,
  ErrorNotice,
  Json,
  Link,
  List,
  Loaded,
  Notice,
  Page,
  Section,
  Time,
  Token,
} from '../components/index.ts';
import { filterText } from '../filter.ts';
import { num, percent, plural } from '../format.ts';
import { jobHref } from '../links.ts';
import { hrefWith, param, setParams } from '../router.ts';
import { useQuery, useRead } from '../use-query.ts';
import { auditInput, auditTokens, beforeAndAfter, type Change } from './audit/records.ts';

const LIMIT = 100;

export function Audit(_: { readonly rest: readonly string[] }) {
  const q = param('q') ?? '';
  const after = param('after');
  const { input, problem } = auditInput(q);
  const query = useQuery(
    problem === undefined ? `audit ${q} ${after}` : undefined,
    (signal) => auditRecords({ ...input(), after, limit: LIMIT }, { signal }),
    { on: after === undefined ? '*' : [], hold: param('open') !== undefined },
  );
  const records = query.data?.records ?? [];
  return (
    <Page
      title="Audit"
      lede="Every transition, every act and every look, in the order of the log."
      acts={<Verify />}
    >
      <Filter key={q} q={q} problem={problem} />
      {query.waiting > 0 && (
        <Button small onClick={query.reload}>
          {plural(query.waiting, 'new record')}
        </Button>
      )}
      <Loaded query={query} title="The records did not load." rows={10}>
        {({ next }) => (
          <>
            <List
              label="Audit records"
              rows={records}
              columns={COLUMNS}
              idOf={({ record }) => record}
              below={(record) => <Opened of={record} />}
              className="rows32"
              opens
              empty={
                <Empty title="No record matches this filter" command="redrive audit list">
                  Remove a word of the filter.
                </Empty>
              }
            />
            <div class="btns">
              {after !== undefined && <Button href={hrefWith({ after: undefined })}>Newest</Button>}
              {next !== null && <Button href={hrefWith({ after: next })}>Older records</Button>}
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** Words of the filter: `by:api:ann event:killed since:24h`. */
function Filter({ q, problem }: { readonly q: string; readonly problem: string | undefined }) {
  const text = useSignal(q);
  const set = (value: string) =>
    setParams({ q: value || undefined, after: undefined, open: undefined });
  return (
    <form
      class="audit-filter"
      onSubmit={(event) => {
        event.preventDefault();
        set(text.value.trim());
      }}
    >
      <input
        class="in"
        aria-label="Filter of the audit log"
        placeholder="event:  by:  session:  category:  operation:  tenant:  since:24h"
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
      />
      <Button type="submit">Filter</Button>
      {auditTokens(q).map(([key, value], index, all) => (
        <Token
          key={`${key}${value}`}
          k={key}
          v={value}
          onRemove={() => {
            const rest = all.filter((_, each) => each !== index);
            text.value = filterText(rest.map(([key, value]) => ({ key, value })));
            set(text.value);
          }}
        />
      ))}
      {problem !== undefined && <p class="l2 red">{problem}</p>}
    </form>
  );
}

const COLUMNS: readonly Column<Found>[] = [
  ['Time', ({ time }) => <Time at={time} kind="time" />],
  ['Event', ({ event, record }) => <Link href={hrefWith({ open: record })}>{event}</Link>],
  ['About', ({ id }) => <span title={id}>{id}</span>, 'mono cut-cell'],
  [
    'Change',
    ({ from, to }) => (from === to ? '' : `${from ?? ''} → ${to ?? ''}`),
    'soft hide-phone',
  ],
  ['By', ({ by }) => by, 'hide-phone'],
  ['Why', ({ why }) => why, 'cut-cell soft hide-phone'],
  ['Record', ({ record }) => record, 'n mono muted hide-phone'],
];

/** The values before and after the record, all of it, and its proof. */
function Opened({ of }: { readonly of: Found }) {
  const { id, record, revision, detail } = of;
  // The record before it of the same job has the values before.
  const own = { session: id, limit: 200 };
  const earlier = useRead(auditRecords, own, { isOff: revision <= 1 });
  const before = earlier.data?.records.find(
    (one) => one.id === id && one.revision === revision - 1,
  );
  return (
    <div class="two">
      <Section title="Before and after">
        <List
          label="Before and after"
          rows={beforeAndAfter(of, before)}
          columns={CHANGES}
          idOf={([field]) => field}
        />
        <div class="btns">
          {/^[0-9a-z]{12,}$/.test(id) && (
            <Button small href={jobHref(id)}>
              Open job
            </Button>
          )}
          <Download
            small
            path={`/v1/audit/prove/${encodeURIComponent(record)}`}
            file={`proof-${record}.json`}
          >
            Prove
          </Download>
        </div>
      </Section>
      <Section title="Record" note={record}>
        <Json text={JSON.stringify(detail, null, 2)} />
        <CommandLine text={commandText`redrive audit prove ${record}`} />
      </Section>
    </div>
  );
}

const CHANGES: readonly Column<Change>[] = [
  ['Field', ([field]) => field, 'soft wrap'],
  ['Before', ([, before]) => before, 'wrap'],
  ['After', ([, before, after]) => (before === after ? after : <b>{after}</b>), 'wrap'],
];

/** Verifies the whole log: a stream of lines, the last one is the verdict. */
function Verify() {
  const [found, set] = useState<AuditVerifyAnswer | RedriveClientError | undefined>(undefined);
  const running = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const run = async () => {
    const abort = new AbortController();
    running.current = abort;
    try {
      for await (const item of client.audit.verify({}, { signal: abort.signal })) set(item);
    } catch (error) {
      set(abort.signal.aborted ? undefined : asProblem(error));
    }
    running.current = undefined;
  };
  if (found instanceof Error)
    return (
      <ErrorNotice problem={found} title="The log was not verified." onRetry={() => void run()} />
    );
  if (found?.state === 'running') {
    return (
      <>
        <span role="status">
          {num(found.records)} records{found.share ? `, ${percent(found.share)}` : ''}
        </span>
        <span class="verify-bar">
          <Bar value={found.share ?? 0} max={1} tone="blue" />
        </span>
        <Button onClick={() => running.current?.abort()}>Stop</Button>
      </>
    );
  }
  return (
    <>
      {found && (
        <Notice tone={found.ok ? 'warn' : 'bad'}>
          {found.ok
            ? `The log is sound: ${num(found.records)} records, ${num(found.sealed ?? 0)} sealed.`
            : `The log has ${plural(found.problems_found ?? 0, 'problem')}: run redrive audit verify.`}
        </Notice>
      )}
      <Button onClick={() => void run()}>Verify the log</Button>
    </>
  );
}
