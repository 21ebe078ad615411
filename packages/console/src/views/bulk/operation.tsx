import type { OperationsShowAnswer } from '@redrive/client';
import { commandText } from '@redrive/core/fields';
import { useRef } from 'preact/hooks';
import { auditRecords, client, type LogRecord } from '../../api.ts';
import { clock } from '../../clock.ts';
import {
  Acts,
  Bar,
  Button,
  Cols,
  type Column,
  CommandLine,
  Facts,
  Figure,
  Link,
  ListSection,
  Loaded,
  Notice,
  type Offer,
  Page,
  Section,
  State,
  Strip,
  Time,
  Token,
} from '../../components/index.ts';
import { filterText } from '../../filter.ts';
import * as format from '../../format.ts';
import { absolute, bounded, duration, num, percent, timeOfDay } from '../../format.ts';
import { causeHref } from '../../links.ts';
import { whyNot } from '../../me.ts';
import { useAct, useRead } from '../../use-query.ts';
import type { Group } from '../dead/causes.tsx';
import { historyText, requestTokens, titleOf } from './operation-words.ts';
import { Ramp } from './ramp.tsx';
import { Stops } from './stops.tsx';

type Shown = OperationsShowAnswer;
interface OfOperation {
  readonly of: Shown;
  readonly reload: () => void;
}

const isOver = ({ state }: Shown) => state === 'finished' || state === 'aborted';

/** The progress of one bulk operation. */
export function Operation({ id }: { readonly id: string }) {
  const isDone = useRef(false);
  const everyMs = isDone.current ? 10_000 : 1_000;
  const query = useRead(client.operations.show, { id }, { everyMs, on: ['control', 'act'] });
  const { data, reload } = query;
  isDone.current = data !== undefined && isOver(data) && data.in_flight === 0;
  return (
    <Page
      title={data ? titleOf(data) : 'Bulk operation'}
      crumb={
        <>
          <a href="/ops">Bulk operations</a> / {id}
        </>
      }
      lede={data && <Lede of={data} />}
      acts={data && <Steering of={data} reload={reload} />}
    >
      <Loaded query={query} title="The bulk operation did not load." rows={8}>
        {(operation) => (
          <Cols rail={<Rail of={operation} />}>
            <Stops of={operation.stopped_by} />
            <Progress of={operation} />
            {operation.came_back > 0 && <FailedAgain of={operation} />}
          </Cols>
        )}
      </Loaded>
    </Page>
  );
}

function Lede({ of }: { readonly of: Shown }) {
  const { state, started_at, updated_at, by, why, changes, runner, in_background } = of;
  const last = changes.length > 1 && state !== 'finished' ? changes.at(-1) : undefined;
  const isRunning = state === 'running';
  return (
    <>
      <b>
        <State of={state} />
      </b>
      {state === 'finished'
        ? ` at ${timeOfDay(updated_at ?? 0)}. Submitted at ${timeOfDay(started_at ?? 0)}`
        : ` since ${timeOfDay(last?.at ?? started_at ?? 0)}`}
      {last && `, ${format.whoAndWhy(last.by, last.why)}`}
      {last && `. Submitted at ${timeOfDay(started_at ?? 0)}`}, {format.whoAndWhy(by, why)}.
      {isRunning && runner && <span class="muted"> {runner} carries it out.</span>}
      {isRunning && runner === null && in_background && ' It waits for a worker.'}
    </>
  );
}

function Steering({ of, reload }: OfOperation) {
  const { id, state } = of;
  const isHeld = state === 'paused' || state === 'stopped';
  const name = isHeld ? 'Resume' : 'Pause';
  const act = useAct(async () => {
    await (isHeld ? client.operations.resume : client.operations.pause)({ id });
    reload();
  });
  const missing = whyNot('operator') ?? (isOver(of) ? `It is ${state}.` : undefined);
  return (
    <>
      <Button
        whyNot={missing}
        isPending={act.isPending}
        pending={`${name} requested…`}
        onClick={() => act.run()}
      >
        {name}
      </Button>
      {missing === undefined && <Acts of={[changeRate(of), abort(of)]} onDone={reload} />}
      {act.problem && <span class="why-not red">{act.problem.message}</span>}
    </>
  );
}

function changeRate({ id, rate }: Shown): Offer {
  return {
    name: 'rate',
    label: 'Change rate…',
    questions: [{ name: 'rate', label: 'Rate per s', first: `${rate ?? ''}`, optional: true }],
    act: ({ rate: text = '' }) => {
      const next = text === '' ? null : Number(text);
      const isBad = next !== null && !(next >= 1 && next <= 100_000);
      const button = next === null ? 'No limit' : `Set ${num(next)}/s`;
      return {
        title: 'Change the rate',
        lede: 'Letters per second at most, from now on. Empty: no limit.',
        ...{ button },
        missing: isBad ? 'A rate is 1 to 100,000, or empty.' : undefined,
        command: commandText`redrive ops set-rate ${id} ${next === null ? 'none' : `${next}/s`}`,
        run: (why) => client.operations.setRate({ ...why, id, rate: next }),
        said: `The rate is changed: ${button}.`,
      };
    },
  };
}

function abort({ id, act, total, done, refused }: Shown): Offer {
  const left = total === null ? 'others' : `other ${num(Math.max(0, total - done - refused))}`;
  return {
    name: 'abort',
    label: 'Abort…',
    look: 'line',
    act: () => ({
      title: 'Abort the bulk operation',
      lede: `${num(done)} are ${WORDS[act] ?? 'sent, and continue by themselves'}. The ${left} are left as they are. It cannot be resumed.`,
      ...{ danger: true, button: 'Abort' },
      command: commandText`redrive ops abort ${id}`,
      run: (why) => client.operations.abort({ ...why, id }),
      said: 'The bulk operation is aborted.',
    }),
  };
}

function Progress({ of }: { readonly of: Shown }) {
  const { done, total, rate, time_left } = of;
  const measured = useMeasured(done);
  const sent = WORDS[of.act] ?? 'sent';
  return (
    <section>
      <div class="sent">
        <p class="big">
          {num(done)}{' '}
          <small>{total === null ? sent : `of ${bounded(total, of.total_bounded)} ${sent}`}</small>
        </p>
        <span class="sp" />
        <span class="soft">
          {total ? percent(Math.min(1, (done + of.refused) / total)) : ''}
          {time_left !== null && `, about ${duration(time_left * 1_000)} left`}
        </span>
      </div>
      <Ramp of={of} />
      {of.state === 'stopped' && (
        <Notice tone="bad">
          The ramp stopped it: too many letters failed again. Correct the cause, then resume or
          abort it.
        </Notice>
      )}
      <Strip>
        {of.followed && <Results of={of} />}
        {!of.followed && (
          <Figure label="Refused" value={num(of.refused)} detail="their state did not allow it" />
        )}
        <Figure
          label="Rate"
          value={rate === null ? 'no limit' : num(rate)}
          unit={rate === null ? '' : 'per s, at most'}
          detail={measured === undefined ? '' : `measured ${num(measured)} per s`}
        />
      </Strip>
    </section>
  );
}

/** The word of each act for what is done. */
const WORDS: Readonly<Record<string, string>> = {
  purge: 'purged',
  reset: 'reset',
  restore: 'restored',
  cancel: 'cancelled',
  regroup: 'regrouped',
};

/** What became of the jobs: first attempts whose results are observed. */
function Results({
  of: { succeeded, came_back, in_flight, max_in_flight, ramp },
}: {
  readonly of: Shown;
}) {
  const results = succeeded + came_back;
  const again = results === 0 ? 0 : came_back / results;
  return (
    <>
      <Figure
        label="Succeeded"
        value={num(succeeded)}
        detail={
          results > 0
            ? `${percent(succeeded / results)} of ${num(results)} results`
            : 'no result yet'
        }
      />
      <Figure
        label="Failed again"
        value={num(came_back)}
        detail={
          <>
            <span class="meter">
              <i class="red" style={{ width: `${Math.min(100, again * 100)}%` }} />
              {ramp && <u style={{ left: `${ramp.stop_share * 100}%` }} />}
            </span>
            {percent(again)}
            {ramp && `; it stops above ${percent(ramp.stop_share)}`}
          </>
        }
      />
      <Figure
        label="In flight"
        value={num(in_flight)}
        unit={max_in_flight === null ? '' : `of ${num(max_in_flight)}`}
        detail={
          <>
            {max_in_flight !== null && <Bar value={in_flight} max={max_in_flight} />}
            sent, no result yet
          </>
        }
      />
    </>
  );
}

const MEASURED_MS = 5_000;

/** Sent per second, over the last seconds that this page has seen. */
function useMeasured(done: number): number | undefined {
  const seen = useRef<{ readonly atMs: number; readonly done: number }[]>([]);
  const atMs = clock.monotonic();
  seen.current = [...seen.current.filter((each) => atMs - each.atMs < MEASURED_MS), { atMs, done }];
  const [first] = seen.current;
  if (first === undefined || atMs - first.atMs < 1_000) return undefined;
  return Math.round(((done - first.done) * 10_000) / (atMs - first.atMs)) / 10;
}

const FAILED_AGAIN: readonly Column<Group>[] = [
  [
    'Cause',
    ({ fingerprint, pattern }) => (
      <Link href={causeHref(fingerprint)}>{format.causeText(pattern)}</Link>
    ),
  ],
  ['Letters', ({ came_back }) => came_back, 'n strong'],
  ['Last', ({ last_died_at }) => <Time at={last_died_at} />, 'soft'],
];

/** Letters that died again since it began, by cause. Jobs that still retry are not among them. */
function FailedAgain({ of }: { readonly of: Shown }) {
  // The filter of a request has the names of the API.
  const { handler, queue, tenant } = Object(of.request.filter) as Record<string, string>;
  const input = { handler, queue, tenant, since: of.started_at };
  const causes = useRead(client.deadLetters.groups, input, { version: of.came_back });
  const back = causes.data?.groups.filter((each) => each.came_back > 0) ?? [];
  if (back.length === 0) return null;
  const tokens = Object.entries(input).flatMap(([key, value]) => (value ? [{ key, value }] : []));
  const href = `/dead?${new URLSearchParams({ q: filterText(tokens) })}`;
  return (
    <ListSection
      title="Failed again"
      note="dead since it began, by cause"
      end={<Link href={href}>Open as dead letters</Link>}
      none=""
      rows={back}
      columns={FAILED_AGAIN}
      idOf={({ fingerprint }) => fingerprint}
      className="rows32"
    />
  );
}

function Rail({ of }: { readonly of: Shown }) {
  const { ramp, request, rate, max_in_flight, refused, id } = of;
  const stages = ramp?.stages ?? [];
  const { count } = Object(request.ids) as { readonly count?: number };
  const tokens = requestTokens(request).map(([k, v]) => <Token key={k} k={k} v={v} />);
  const about = { session: `operation:${id}`, since: of.started_at, limit: 50 };
  const history = useRead(auditRecords, about, { version: [of.state, ramp?.stage, rate] });
  return (
    <>
      <Section title="What">
        <Facts
          of={[
            ['Filter', count === undefined ? (tokens.length > 0 ? tokens : 'all') : null],
            ['Letters', count === undefined ? null : `${num(count)} by id`],
            ['Cut-off', typeof request.cutOffMs === 'number' ? absolute(request.cutOffMs) : null],
            ['Not eligible', refused === 0 ? null : num(refused)],
          ]}
        />
      </Section>
      <Section title="How">
        <Facts
          of={[
            ['Ramp', ramp ? `${stages.map(num).join(', ')}, the rest` : 'none: all at once'],
            ['Rate', rate === null ? 'no limit' : format.rate(rate)],
            ['In flight', max_in_flight === null ? null : `${num(max_in_flight)} at most`],
            ['Stops when', ramp && `more than ${percent(ramp.stop_share)} of a stage fail again`],
          ]}
        />
      </Section>
      <Section title="History">
        <Loaded query={history} title="The history did not load.">
          {({ records }) => (
            <ul class="log">
              {records.map((record) => (
                <HistoryLine key={record.record} record={record} stages={stages} />
              ))}
            </ul>
          )}
        </Loaded>
      </Section>
      <CommandLine text={commandText`redrive ops watch ${id}`} />
    </>
  );
}

interface HistoryLineProps {
  readonly record: LogRecord;
  readonly stages: readonly number[];
}

function HistoryLine({ record, stages }: HistoryLineProps) {
  const text = historyText(record, stages);
  const { why } = record.detail;
  if (text === undefined) return null;
  return (
    <li>
      <span class="when">
        <Time at={record.time} kind="time" />
      </span>
      <span>
        {text}
        {typeof why === 'string' && <span class="muted"> {why}</span>}
      </span>
      <span class="who cut" title={record.by ?? ''}>
        {record.by}
      </span>
    </li>
  );
}
