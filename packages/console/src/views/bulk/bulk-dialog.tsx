import type { OperationsPlanAnswer as PlanAnswer } from '@redrive/client';
import { commandText } from '@redrive/core/fields';
import { useRef } from 'preact/hooks';
import { client } from '../../api.ts';
import { clock } from '../../clock.ts';
import {
  ActDialog,
  type Column,
  Effect,
  Id,
  List,
  Loaded,
  type Question,
  Time,
  Token,
} from '../../components/index.ts';
import type { FilterToken } from '../../filter.ts';
import { duration, num, plural, sum, timeOfDay } from '../../format.ts';
import { operationHref } from '../../links.ts';
import { navigate } from '../../router.ts';
import { useQuery } from '../../use-query.ts';
import { Stops } from './stops.tsx';
import '../../styles/bulk.css';

type Filter = Readonly<Record<string, string | undefined>>;
/** `tokens`: the filter for people. */
export type BulkTarget =
  | { readonly ids: readonly string[] }
  | { readonly filter: Filter; readonly tokens: readonly FilterToken[] };

interface BulkDialogProps {
  readonly act: 'requeue' | 'purge';
  readonly target: BulkTarget;
}

const WORDS = {
  requeue: {
    verb: 'Requeue',
    done: 'requeued',
    role: 'operator',
    lede: 'Each letter begins a new generation with all its attempts. Its history stays.',
  },
  purge: {
    verb: 'Purge',
    done: 'purged',
    role: 'admin',
    lede: 'The letters and their payloads are deleted. "redrive dlq restore" can undo it for a while.',
  },
} as const;

/** A bulk act: what, how, why, its command line, and a button with the number. */
export function BulkDialog({ act, target }: BulkDialogProps) {
  const { verb, done, role, lede } = WORDS[act];
  const isPurge = act === 'purge';
  const aim = 'ids' in target ? { ids: target.ids } : { ...target.filter, all: true };
  // The same id if it is sent again after a lost answer: each letter is acted on once.
  const id = useRef(`console-${clock.now().toString(36)}`).current;
  // Of this dialog only: the plan of an earlier one counted other letters.
  const plan = useQuery(`plan ${id} ${act} ${JSON.stringify(aim)}`, () =>
    client.operations.plan({ act, ...aim }),
  );
  const { data } = plan;
  const wanted = `${num(data?.done ?? 0)}${data?.more ? '+' : ''}`;
  const frozen =
    'ids' in aim || !data?.cut_off
      ? aim
      : { ...aim, cut_off: data.cut_off, confirm: data.more ? 'any' : data.done };
  const what = 'ids' in target ? idWords(target.ids) : filterWords(target.filter, data);
  const tokens = 'tokens' in target ? target.tokens : [];
  const shows = (
    <Loaded query={plan} title="The letters could not be counted.">
      {(found) => (
        <Effect
          title="What"
          note={
            'all' in aim &&
            found.cut_off &&
            `frozen at ${timeOfDay(found.cut_off)}; letters that die later are left out`
          }
          lines={[
            [
              wanted,
              `can be ${done}`,
              tokens.map(({ key, value }) => <Token key={key} k={key} v={value} />),
            ],
            ...(found.refused > 0 ? [[num(found.refused), refusedText(found)]] : []),
          ]}
        >
          <Stops of={found.stopped_by} />
          {found.samples.length > 0 && <Samples of={found.samples} />}
        </Effect>
      )}
    </Loaded>
  );
  return (
    <ActDialog
      isBulk
      questions={isPurge ? [RATE] : [RAMP, RATE, IN_FLIGHT, STOP]}
      onDone={() => navigate(operationHref(id))}
      act={(values) => {
        const terms = termsOf(values, !isPurge);
        const counted = data === undefined || plan.isStale ? 'The letters are counted.' : undefined;
        const none = data?.done === 0 ? `No letter can be ${done}.` : undefined;
        return {
          ...{ role, lede, shows, danger: isPurge, title: `${verb} dead letters` },
          needsReason: true,
          button: `${verb} ${wanted}`,
          missing: counted ?? none ?? terms.problem,
          confirm: isPurge ? ['the number', wanted] : undefined,
          note: terms.estimate(data?.done ?? 0),
          command: `redrive dlq ${act} ${terms.flags}--detach ${commandText`--operation ${id}`} ${what}`,
          run: ({ reason = '' }) =>
            client.operations.submit({ reason, id, act, ...frozen, ...terms.body }),
        };
      }}
    />
  );
}

function refusedText({ refused, refusals }: PlanAnswer): string {
  const notes = [...Map.groupBy(refusals, ({ note }) => note)];
  const said = notes.map(([note, all]) => `${num(all.length)}: ${note}`).join('; ');
  return `cannot: ${said}${refused > refusals.length ? ' (of the first 100)' : ''}`;
}

const SAMPLES: readonly Column<PlanAnswer['samples'][number]>[] = [
  ['Id', ({ id }) => <Id of={id} />],
  ['Error', ({ last_error, reason }) => last_error?.message || reason, 'cut'],
  ['Tenant', ({ tenant }) => tenant, 'hide-phone'],
  ['Died', ({ finished_at }) => <Time at={finished_at} />, 'n soft nowrap'],
];

function Samples({ of }: { readonly of: PlanAnswer['samples'] }) {
  return (
    <li class="samples">
      <List label="Samples" rows={of} columns={SAMPLES} idOf={({ id }) => id} />
      <span class="l2">{plural(of.length, 'sample')} from the oldest to the newest</span>
    </li>
  );
}

const RAMP: Question = {
  ...{ name: 'ramp', label: 'Ramp, then the rest', first: '1, 10, 100', optional: true },
};
const RATE: Question = { name: 'rate', label: 'Rate per s', first: '50', optional: true };
const IN_FLIGHT: Question = { name: 'inFlight', label: 'In flight, at most', first: '200' };
const STOP: Question = { name: 'stop', label: 'Stop above, %', first: '20' };

/** Rate, ramp, in flight and stop share. A purge has a rate only. */
function termsOf(
  { ramp = '', rate = '', inFlight, stop = '' }: Readonly<Record<string, string>>,
  hasRamp: boolean,
) {
  const stages = ramp
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(Number);
  const perSecond = rate === '' ? undefined : Number(rate);
  const share = Number.parseFloat(stop) / 100;
  const most = Number(inFlight);
  const first = sum(stages);
  const isRateRight = perSecond === undefined || (perSecond >= 1 && perSecond <= 100_000);
  const rampProblem = !stages.every((size) => Number.isInteger(size) && size > 0)
    ? 'Ramp: numbers such as 1, 10, 100.'
    : !(Number.isInteger(most) && most >= 1 && most <= 2_000)
      ? 'In flight: 1 to 2,000.'
      : !(share >= 0 && share <= 1)
        ? 'Stop above: 0 to 100 %.'
        : undefined;
  const limits = `--ramp ${stages.join() || 'none'} --max-in-flight ${most} --stop-on-failure-ratio ${share} `;
  return {
    problem: isRateRight ? (hasRamp ? rampProblem : undefined) : 'Rate: 1 to 100,000, or empty.',
    body: {
      ...(perSecond !== undefined && { rate: perSecond }),
      ...(hasRamp && { ramp: stages.length > 0 && stages, stop_share: share, max_in_flight: most }),
    },
    flags: `${hasRamp ? limits : ''}${perSecond === undefined ? '' : `--rate ${perSecond}/s `}`,
    estimate: (count: number) => {
      const rest = `The rest begins when ${plural(first, 'letter')} have a result and at most ${stop} % failed again. `;
      const time =
        perSecond && `About ${duration((count / perSecond) * 1_000)} at ${num(perSecond)} per s.`;
      return `${hasRamp && first > 0 && count > first ? rest : ''}${time || ''}`;
    },
  };
}

const MAX_NAMED = 3;

function idWords(ids: readonly string[]): string {
  const more = ids.length > MAX_NAMED ? ` … (${num(ids.length)} ids)` : '';
  return commandText`${ids.slice(0, MAX_NAMED)}` + more;
}

function filterWords(filter: Filter, plan: PlanAnswer | undefined): string {
  const given = Object.entries({ ...filter, until: plan?.cut_off ?? filter.until });
  const flags = given.flatMap(([name, value]) =>
    value ? [commandText`--${name.replace('_', '-')} ${value}`] : [],
  );
  return [...flags, plan?.more ? '--all --yes' : `--all --confirm ${plan?.done ?? 0}`].join(' ');
}
