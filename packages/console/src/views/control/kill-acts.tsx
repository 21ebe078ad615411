import { get } from '../../api.ts';
import { ago, bounded, num, timeOfDay } from '../../format.ts';
import { useQuery } from '../../use-query.ts';
import { type ActDialogProps, type Question, quoted } from './act-dialog.tsx';
import { scopeKey, scopeOf, scopeText, scopeWord } from './scope.ts';
import type { Stopped } from './stopped.ts';

type Dialog = Omit<ActDialogProps, 'onDone'>;

export const PACE: readonly Question[] = [
  {
    name: 'how',
    label: 'Pace',
    first: 'pace',
    options: [
      [
        'pace',
        'At a pace that grows',
        'It grows while results are good and halves when failures or latency rise.',
      ],
      ['all', 'All at once', 'Jobs start as fast as workers take them.'],
    ],
  },
  {
    ...{ name: 'pace', label: 'Begins at, per s', first: '5', as: 'number' },
    when: ({ how }) => how === 'pace',
  },
];

/** The option, the part of the body, and what is wrong with the pace. */
export function paceOf({ how, pace }: Readonly<Record<string, string>>) {
  if (how !== 'pace') return { option: '', body: {}, missing: undefined };
  const isRight = Number(pace) >= 1;
  const missing = isRight ? undefined : 'The pace is at least 1 per s.';
  return { option: ` --pace ${pace}/s`, body: { pace: Number(pace) }, missing };
}

export function engageKill(
  given: string | undefined,
  names: Readonly<Record<string, readonly string[]>>,
): Dialog {
  const first = scopeOf(given);
  const named =
    (scope: string) =>
    ({ scope: values }: Readonly<Record<string, string>>) =>
      values === scope;
  return {
    questions: [
      {
        ...{ name: 'scope', label: 'Scope', first: first.scope, as: 'seg' },
        options: [
          ['all', 'All'],
          ['queue', 'Queue'],
          ['operation', 'Handler'],
          ['tenant', 'Tenant'],
        ],
      },
      ...(['queue', 'operation', 'tenant'] as const).map((scope) => ({
        ...{
          name: scope,
          label: { queue: 'Queue', operation: 'Handler', tenant: 'Tenant' }[scope],
        },
        ...{
          first: scope === first.scope ? first.name : '',
          list: names[scope] ?? [],
          when: named(scope),
        },
      })),
      {
        ...{ name: 'mode', label: 'Running jobs', first: 'finish' },
        options: [
          ['finish', 'Let running jobs finish'],
          ['interrupt', 'Interrupt running jobs', 'They are given back and cost no attempt'],
        ],
      },
    ],
    act: ({ scope = 'queue', mode = 'finish', ...values }) => {
      const name = scope === 'all' ? '' : (values[scope] ?? '');
      const isNamed = scope === 'all' || name !== '';
      const text = scopeText({ scope, name });
      const words = scope === 'all' ? 'all --confirm=all' : `${scopeWord(scope)} ${quoted(name)}`;
      return {
        title: 'Engage a kill switch',
        lede: 'No attempt starts in this scope, in any process, until a person releases it.',
        ...{ role: 'admin', danger: true, confirm: isNamed ? text : undefined },
        missing: isNamed ? undefined : `Name the ${scopeWord(scope)}.`,
        button: scope === 'all' ? 'Stop everything' : `Stop ${isNamed ? text : '…'}`,
        said: () => `Stopped: ${text}.`,
        command: `redrive kill engage ${words}${mode === 'interrupt' ? ' --mode interrupt' : ''}`,
        path: '/v1/kill-switches/engage',
        body: { target: scope === 'all' ? { scope } : { scope, name }, mode },
        shows: isNamed && <WhatItStops {...{ scope, name, mode }} />,
      };
    },
  };
}

/** The server counts, with a bound: the page counts nothing. */
function WhatItStops({ scope, name, mode }: { scope: string; name: string; mode: string }) {
  const { data } = useQuery(`forecast ${scope} ${name}`, (signal) =>
    get('/v1/kill-switches/forecast', { scope, name }, signal),
  );
  if (data === undefined) return null;
  const { running, waiting, handlers, bounded: isBound } = data;
  const named = (of: 'running' | 'waiting') => {
    const some = handlers.filter((each) => each[of] > 0).slice(0, 3);
    const text = some.map((each) => `${each.handler} ${num(each[of])}`).join(', ');
    return text && ` (${text}${handlers.length > some.length ? ', …' : ''})`;
  };
  const lines =
    waiting === null || running === null
      ? [['', 'Jobs are not counted by tenant', '']]
      : [
          [bounded(waiting, isBound), 'jobs wait and do not start', named('waiting')],
          [
            bounded(running, isBound),
            `run now and ${mode === 'finish' ? 'finish' : 'are interrupted'}`,
            named('running'),
          ],
        ];
  const note = `counted at ${timeOfDay(data.counted_at ?? 0)}${isBound ? '; counting stopped, there are more' : ''}`;
  const all = [...lines, ['', 'New jobs are stored and wait; their deadlines go on', '']];
  return <Effect title="What it stops" note={note} lines={all} />;
}

interface EffectProps {
  readonly title: string;
  readonly note?: string;
  readonly lines: readonly (readonly string[])[];
}

function Effect({ title, note, lines }: EffectProps) {
  return (
    <div>
      <span class="lab">
        {title} <span class="muted">{note}</span>
      </span>
      <ul class="effect">
        {lines.map(([count, text, more]) => (
          <li key={text}>
            <b>{count}</b>
            <span>
              {text}
              <span class="muted">{more}</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A separate act, with a pace. */
export function releaseKill(given: string | undefined, { kills }: Stopped): Dialog | undefined {
  const kill =
    kills.find((each) => scopeKey(each) === given) ?? (given === undefined ? kills[0] : undefined);
  if (kill === undefined) return undefined;
  const { scope, name, by, since, why, waiting } = kill;
  const text = scopeText(kill);
  const count = waiting === null ? '' : bounded(waiting, kill.bounded);
  const lines = [
    [count, `jobs that waited${waiting === null ? ': not counted by tenant' : ''}`],
    ['', 'A job whose deadline has passed becomes a dead letter'],
    ['', 'New jobs run at once'],
  ];
  return {
    questions: PACE,
    act: (values) => {
      const { option, body, missing } = paceOf(values);
      return {
        title: `Release ${text}`,
        lede: `${by} engaged this switch ${ago(since)}${why === null ? '.' : `: “${why}”.`}`,
        ...{ role: 'admin', missing, button: `Release ${text}` },
        said: () => `Released: ${text}.`,
        command: `redrive kill release ${scope === 'all' ? 'all' : `${scopeWord(scope)} ${quoted(name ?? '')}`}${option}`,
        path: '/v1/kill-switches/release',
        body: { target: scope === 'all' ? { scope } : { scope, name }, ...body },
        shows: <Effect title="What starts again" lines={lines} />,
      };
    },
  };
}
