import { type Signal, useSignal } from '@preact/signals';
import type { PlanAnswer } from '@redrive/server/client';
import { useRef } from 'preact/hooks';
import { post } from '../../api.ts';
import { clock } from '../../clock.ts';
import {
  Button,
  Dialog,
  ErrorNotice,
  Field,
  Id,
  Loaded,
  Time,
  Token,
} from '../../components/index.ts';
import type { FilterToken } from '../../filter.ts';
import { duration, num, plural, timeOfDay } from '../../format.ts';
import { whyNot } from '../../session.ts';
import { readStatus } from '../../status.ts';
import { useAct, useQuery } from '../../use-query.ts';
import { shellWord } from '../dead/letter-words.ts';
import '../../styles/bulk.css';

type Filter = Readonly<Record<string, string | undefined>>;
/** `tokens`: the filter for people. */
export type BulkTarget =
  | { readonly ids: readonly string[] }
  | { readonly filter: Filter; readonly tokens: readonly FilterToken[] };

interface BulkDialogProps {
  readonly act: 'requeue' | 'purge';
  readonly target: BulkTarget;
  readonly onClose: () => void;
  /** @param id of the bulk operation. */
  readonly onDone: (id: string) => void;
}

const WORDS = {
  requeue: {
    verb: 'Requeue',
    done: 'requeued',
    role: 'operator',
    about: 'Each letter begins a new generation with all its attempts. Its history stays.',
  },
  purge: {
    verb: 'Purge',
    done: 'purged',
    role: 'admin',
    about:
      'The letters and their payloads are deleted. "redrive dlq restore" can undo it for a while.',
  },
} as const;

const ALL = 100_000_000;

/** A bulk act: what, how, why, its command line, and a button with the number. */
export function BulkDialog({ act, target, onClose, onDone }: BulkDialogProps) {
  const { verb, done, role, about } = WORDS[act];
  const aim = 'ids' in target ? { ids: target.ids } : { filter: target.filter, limit: ALL };
  // The same id if it is sent again after a lost answer: each letter is acted on once.
  const id = useRef(`console-${clock.now().toString(36)}`).current;
  // Of this dialog only: the plan of an earlier one counted other letters.
  const plan = useQuery(`plan ${id} ${act} ${JSON.stringify(aim)}`, () =>
    post<PlanAnswer>('/v1/operations/plan', { act, target: aim }),
  );
  const terms = useTerms(act === 'requeue');
  const why = useSignal('');
  const typed = useSignal('');
  const { data } = plan;
  const wanted = `${num(data?.done ?? 0)}${data?.more ? '+' : ''}`;
  const reason = why.value.trim();
  const submit = useAct(async () => {
    const frozen = 'ids' in aim || !data?.cut_off ? aim : { ...aim, cut_off: data.cut_off };
    await post('/v1/operations', { id, act, target: frozen, reason, ...terms.body });
    void readStatus();
    onDone(id);
  });
  const isTyped = act !== 'purge' || plain(typed.value) === plain(wanted);
  const missing = [
    whyNot(role),
    (data === undefined || plan.isStale) && 'The letters are counted.',
    data?.done === 0 && `No letter can be ${done}.`,
    terms.problem,
    reason === '' && 'Say why: it is recorded.',
    !isTyped && `Type ${wanted} to confirm.`,
  ].find((each) => typeof each === 'string');
  const what = 'ids' in target ? idWords(target.ids) : filterWords(target.filter, data);
  return (
    <Dialog
      wide
      title={`${verb} dead letters`}
      onClose={onClose}
      isDirty={why.value !== '' || typed.value !== ''}
      command={`redrive dlq ${act} ${what} ${terms.flags}--detach --operation ${id} --reason ${shellWord(reason || '…')}`}
      onSubmit={() => missing === undefined && submit.run()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            {...(act === 'purge' ? { danger: true } : { primary: true })}
            type="submit"
            whyNot={missing}
            isPending={submit.isPending}
            pending={`${verb} requested…`}
          >
            {verb} {wanted}
          </Button>
        </>
      }
    >
      <p class="soft">{about}</p>
      <div>
        <span class="lab">
          What{' '}
          {data?.cut_off && 'filter' in aim && (
            <span class="muted">
              frozen at {timeOfDay(data.cut_off)}; letters that die later are left out
            </span>
          )}
        </span>
        <Loaded query={plan} title="The letters could not be counted.">
          {(found) => (
            <ul class="effect">
              <li>
                <b>{wanted}</b>
                <span>can be {done}</span>
                <span class="sp" />
                {'tokens' in target &&
                  target.tokens.map(({ key, value }) => <Token key={key} k={key} v={value} />)}
              </li>
              {found.refused > 0 && <Refused plan={found} />}
              {found.samples.length > 0 && <Samples of={found.samples} />}
            </ul>
          )}
        </Loaded>
      </div>
      <div>
        <span class="lab">How</span>
        <div class="row how">
          {terms.fields.map(([label, value]) => (
            <Field key={label} label={label} value={value} />
          ))}
        </div>
        <p class="l2">{terms.estimate(data?.done ?? 0)}</p>
      </div>
      <Field label="Why" required value={why} note="required, recorded with your name" />
      {act === 'purge' && <Field label={`Type ${wanted} to purge`} required mono value={typed} />}
      {submit.problem && <ErrorNotice problem={submit.problem} title={`Not ${done}.`} />}
    </Dialog>
  );
}

function plain(number: string): string {
  return number.replaceAll(/[,\s]/g, '');
}

function Refused({ plan: { refused, refusals } }: { readonly plan: PlanAnswer }) {
  const notes = [...Map.groupBy(refusals, ({ note }) => note)];
  return (
    <li>
      <b>{num(refused)}</b>
      <span>
        cannot: {notes.map(([note, all]) => `${num(all.length)}: ${note}`).join('; ')}
        {refused > refusals.length && ' (of the first 100)'}
      </span>
    </li>
  );
}

function Samples({ of }: { readonly of: PlanAnswer['samples'] }) {
  return (
    <li class="samples">
      <table aria-label="Samples">
        {of.map(({ id, last_error, reason, tenant, finished_at }) => (
          <tr key={id}>
            <td>
              <Id of={id} />
            </td>
            <td class="cut">{last_error?.message || reason}</td>
            <td class="hide-phone">{tenant}</td>
            <td class="n soft nowrap">
              <Time at={finished_at} />
            </td>
          </tr>
        ))}
      </table>
      <span class="l2">{plural(of.length, 'sample')} from the oldest to the newest</span>
    </li>
  );
}

/** Rate, ramp, in flight and stop share. A purge has a rate only. */
function useTerms(hasRamp: boolean) {
  const ramp = useSignal('1, 10, 100');
  const rate = useSignal('50');
  const inFlight = useSignal('200');
  const stop = useSignal('20');
  const stages = ramp.value
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(Number);
  const perSecond = rate.value.trim() === '' ? undefined : Number(rate.value);
  const share = Number.parseFloat(stop.value) / 100;
  const most = Number(inFlight.value);
  const first = stages.reduce((sum, size) => sum + size, 0);
  const problems = [
    perSecond !== undefined &&
      !(perSecond >= 1 && perSecond <= 100_000) &&
      'Rate: 1 to 100,000, or empty.',
    hasRamp &&
      !stages.every((size) => Number.isInteger(size) && size > 0) &&
      'Ramp: numbers such as 1, 10, 100.',
    hasRamp && !(Number.isInteger(most) && most >= 1 && most <= 2_000) && 'In flight: 1 to 2,000.',
    hasRamp && !(share >= 0 && share <= 1) && 'Stop above: 0 to 100 %.',
  ];
  const limits = `--ramp ${stages.join() || 'none'} --max-in-flight ${most} --stop-on-failure-ratio ${share} `;
  const fields: readonly (readonly [string, Signal<string>])[] = hasRamp
    ? [
        ['Ramp, then the rest', ramp],
        ['Rate per s', rate],
        ['In flight, at most', inFlight],
        ['Stop above, %', stop],
      ]
    : [['Rate per s', rate]];
  return {
    fields,
    problem: problems.find((each) => each !== false),
    body: {
      ...(perSecond !== undefined && { rate: perSecond }),
      ...(hasRamp && { ramp: stages.length > 0 && stages, stop_share: share, max_in_flight: most }),
    },
    flags: `${hasRamp ? limits : ''}${perSecond === undefined ? '' : `--rate ${perSecond}/s `}`,
    estimate: (count: number) => {
      const rest = `The rest begins when ${plural(first, 'letter')} have a result and at most ${stop.value} % failed again. `;
      const time =
        perSecond && `About ${duration((count / perSecond) * 1_000)} at ${num(perSecond)} per s.`;
      return `${hasRamp && first > 0 && count > first ? rest : ''}${time ?? ''}`;
    },
  };
}

const MAX_NAMED = 3;

function idWords(ids: readonly string[]): string {
  const more = ids.length > MAX_NAMED ? ` … (${num(ids.length)} ids)` : '';
  return ids.slice(0, MAX_NAMED).map(shellWord).join(' ') + more;
}

function filterWords(filter: Filter, plan: PlanAnswer | undefined): string {
  const given = Object.entries({ ...filter, until: plan?.cut_off ?? filter.until });
  const flags = given.flatMap(([name, value]) =>
    value ? [`--${name.replace('_', '-')} ${shellWord(value)}`] : [],
  );
  return [...flags, plan?.more ? '--all --yes' : `--all --confirm ${plan?.done ?? 0}`].join(' ');
}
