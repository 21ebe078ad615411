import type { KillReleaseInput, QueuesPauseInput } from '@redrive/client';
import { commandText } from '@redrive/core/fields';
import { client } from '../../api.ts';
import {
  type Act,
  type ActDialogProps,
  Effect,
  type Question,
  type Why,
} from '../../components/index.ts';
import { ago, bounded, num, plural, timeOfDay, whoAndWhy } from '../../format.ts';
import { useRead } from '../../use-query.ts';
import { scopeKey, scopeOf, scopeText, scopeWord } from './scope.ts';
import { gateKey, type Stopped } from './stopped.ts';

type Dialog = Omit<ActDialogProps, 'onDone'>;

interface Context {
  readonly stopped: Stopped;
  /** Known names by scope. */
  readonly names: Readonly<Record<string, readonly string[]>>;
}

/** `undefined`: its subject is gone. */
type DialogOf = (subject: string | undefined, context: Context) => Dialog | undefined;

/** The acts of this view, by the name that they have in the address. */
const ACTS: Readonly<Record<string, DialogOf>> = {
  engage: engageKill,
  release: releaseKill,
  force: forceBreaker,
  'release-park': releasePark,
  'open-gate': openGate,
  pause,
  resume,
  probe: (of = '') =>
    plain({
      title: `Probe ${of}`,
      lede: 'One job runs. If it succeeds, the breaker closes. A forced state ends.',
      said: `A probe of ${of} starts now.`,
      command: commandText`redrive breakers half-open ${of}`,
      run: (why) => client.breakers.halfOpen({ ...why, dependency: of }),
    }),
  reset: (of = '') =>
    plain({
      title: `Reset ${of}`,
      lede: 'It closes, its count is 0, and a forced state ends. Parked jobs return at a growing pace.',
      said: `The breaker of ${of} is closed.`,
      command: commandText`redrive breakers reset ${of}`,
      run: (why) => client.breakers.reset({ ...why, dependency: of }),
    }),
  hold: (of = '') =>
    plain({
      title: `Hold ${of}`,
      lede: 'Its jobs stay parked even when the cause is gone, for a day at most.',
      said: `The jobs of ${of} are held.`,
      command: commandText`redrive park hold ${of}`,
      run: (why) => client.park.hold({ ...why, cause: of }),
    }),
  'end-hold': (of = '') =>
    plain({
      title: `End the hold of ${of}`,
      lede: 'Its jobs are released when the cause is gone.',
      said: `The hold of ${of} has ended.`,
      command: commandText`redrive park hold --end ${of}`,
      run: (why) => client.park.endHold({ ...why, cause: of }),
    }),
};

/** The dialog of an act. `undefined`: there is none, or its subject is gone. */
export function controlDialog(
  act: string | undefined,
  subject: string | undefined,
  context: Context,
): Dialog | undefined {
  return act === undefined ? undefined : ACTS[act]?.(subject, context);
}

type Plain = Omit<Act, 'button'> & { readonly button?: string };

/** An act without a choice. Its button says its title, if it says nothing else. */
function plain(act: Plain): Dialog {
  return { act: () => ({ button: act.title, ...act }) };
}

const PACE: readonly Question[] = [
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
function paceOf({ how, pace }: Readonly<Record<string, string>>) {
  if (how !== 'pace') return { option: '', body: {}, missing: undefined };
  const missing = Number(pace) >= 1 ? undefined : 'The pace is at least 1 per s.';
  return { option: ` --pace ${pace}/s`, body: { pace: Number(pace) }, missing };
}

const SCOPES = [
  ['queue', 'Queue'],
  ['operation', 'Handler'],
  ['tenant', 'Tenant'],
] as const;

function engageKill(given: string | undefined, { names }: Context): Dialog {
  const first = scopeOf(given);
  const nameOf = ([scope, label]: (typeof SCOPES)[number]): Question => ({
    name: scope,
    label,
    first: scope === first.scope ? first.name : '',
    list: names[scope] ?? [],
    when: (values) => values.scope === scope,
  });
  return {
    questions: [
      {
        ...{ name: 'scope', label: 'Scope', first: first.scope, as: 'seg' },
        options: [['all', 'All'], ...SCOPES],
      },
      ...SCOPES.map(nameOf),
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
      const option = mode === 'interrupt' ? ' --mode interrupt' : '';
      return {
        title: 'Engage a kill switch',
        lede: 'No attempt starts in this scope, in any process, until a person releases it.',
        ...{ role: 'admin', danger: true, needsReason: true },
        confirm: isNamed ? ['the scope', text] : undefined,
        missing: isNamed ? undefined : `Name the ${scopeWord(scope)}.`,
        button: scope === 'all' ? 'Stop everything' : `Stop ${isNamed ? text : '…'}`,
        said: `Stopped: ${text}.`,
        command: `redrive kill engage${scope === 'all' ? ' --confirm=all' : ''}${option} ${scopeArgument(scope, name)}`,
        run: (why) =>
          client.kill.engage({
            ...needed(why),
            ...targetOf(scope, name),
            mode: mode === 'interrupt' ? 'interrupt' : 'finish',
            ...(scope === 'all' && { confirm: 'all' }),
          }),
        shows: isNamed && <WhatItStops {...{ scope, name, mode }} />,
      };
    },
  };
}

/** The dialog of such an act has no button without a reason. */
const needed = ({ reason = '' }: Why) => ({ reason });

type Target = Pick<KillReleaseInput, 'scope' | 'name'>;

// The scope is one of the dialog, or of an engaged switch.
const targetOf = (scope: string, name: string | null): Target =>
  scope === 'all' ? { scope } : { scope: scope as Target['scope'], name: name ?? '' };

const scopeArgument = (scope: string, name: string | null) =>
  scope === 'all' ? 'all' : commandText`${[scopeWord(scope), name ?? '']}`;

interface WhatItStopsProps {
  readonly scope: string;
  readonly name: string;
  readonly mode: string;
}

/** The server counts, with a bound: the page counts nothing. */
function WhatItStops({ scope, name, mode }: WhatItStopsProps) {
  const { data } = useRead(client.kill.forecast, { scope, name });
  if (data === undefined) return null;
  const { running, waiting, handlers, bounded: isBound } = data;
  const named = (of: 'running' | 'waiting') => {
    const some = handlers.filter((each) => each[of] > 0).slice(0, 3);
    const text = some.map((each) => `${each.handler} ${num(each[of])}`).join(', ');
    return text && ` (${text}${handlers.length > some.length ? ', …' : ''})`;
  };
  const runs = `run now and ${mode === 'finish' ? 'finish' : 'are interrupted'}`;
  const lines =
    waiting === null || running === null
      ? [['', 'Jobs are not counted by tenant']]
      : [
          [bounded(waiting, isBound), 'jobs wait and do not start', named('waiting')],
          [bounded(running, isBound), runs, named('running')],
        ];
  const note = `counted at ${timeOfDay(data.counted_at ?? 0)}${isBound ? '; counting stopped, there are more' : ''}`;
  const all = [...lines, ['', 'New jobs are stored and wait; their deadlines go on']];
  return <Effect title="What it stops" note={note} lines={all} />;
}

/** A separate act, with a pace. */
function releaseKill(given: string | undefined, { stopped: { kills } }: Context) {
  const kill = given === undefined ? kills[0] : kills.find((each) => scopeKey(each) === given);
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
        lede: `${whoAndWhy(`${by} engaged this switch ${ago(since)}`, why)}.`,
        ...{ role: 'admin', needsReason: true, missing, button: `Release ${text}` },
        said: `Released: ${text}.`,
        command: `redrive kill release${option} ${scopeArgument(scope, name)}`,
        run: (why) => client.kill.release({ ...needed(why), ...targetOf(scope, name), ...body }),
        shows: <Effect title="What starts again" lines={lines} />,
      };
    },
  } satisfies Dialog;
}

const ENDS: readonly (readonly [value: string, text: string, minutes?: number])[] = [
  ['15m', 'after 15 min', 15],
  ['30m', 'after 30 min', 30],
  ['2h', 'after 2 h', 120],
  ['24h', 'after 24 h', 1_440],
  ['', 'when somebody resets it'],
];

/** A breaker, with an end and a reason. Without an end it is an admin's act. */
function forceBreaker(dependency = ''): Dialog {
  return {
    questions: [
      {
        ...{ name: 'state', label: 'State', first: 'open' },
        options: [
          ['open', 'Open', 'Its jobs are parked, and there is no probe.'],
          [
            'closed',
            'Closed',
            'Its jobs run, even if they fail. Parked jobs return at a growing pace.',
          ],
        ],
      },
      {
        ...{ name: 'end', label: 'End', first: '30m', as: 'select' },
        options: ENDS.map(([value, text]) => [value, text]),
      },
    ],
    act: ({ state = 'open', end = '' }) => {
      const minutes = ENDS.find(([value]) => value === end)?.[2];
      return {
        title: `Force the breaker of ${dependency}`,
        role: minutes === undefined ? 'admin' : 'operator',
        ...{ danger: state === 'open', needsReason: true },
        button: `Force ${dependency} ${state}`,
        said: `The breaker of ${dependency} is forced ${state}.`,
        command: `redrive breakers force-${state}${end === '' ? '' : ` --for ${end}`} ${commandText`${dependency}`}`,
        run: (why) =>
          client.breakers.force({
            ...why,
            dependency,
            state: state === 'closed' ? 'closed' : 'open',
            ...(minutes !== undefined && { for_ms: minutes * 60_000 }),
          }),
      };
    },
  };
}

function releasePark(cause: string | undefined, { stopped: { parks } }: Context) {
  const park = parks.find((each) => each.cause === cause);
  if (park === undefined) return undefined;
  const isGone = park.waits_for === 'nothing' || park.waits_for === 'time';
  return {
    questions: PACE,
    act: (values) => {
      const { option, body, missing } = paceOf(values);
      return {
        title: `Release ${bounded(park.count, park.bounded)} jobs of ${cause}`,
        lede: isGone
          ? undefined
          : 'The cause still exists. At a pace they start when it is gone; all at once, they are parked again.',
        ...{ missing, button: `Release ${cause}` },
        said: (answer) =>
          `Released: ${plural(Number(Object(answer).released), 'job')}${option && ', the others at a pace'}.`,
        command: `redrive park release${option} ${commandText`${park.cause}`}`,
        run: (why) => client.park.release({ ...why, cause: park.cause, ...body }),
      };
    },
  } satisfies Dialog;
}

function openGate(key: string | undefined, { stopped: { gates } }: Context): Dialog | undefined {
  const gate = gates.find((each) => gateKey(each) === key);
  if (gate === undefined) return undefined;
  const { dependency, credential, tenant } = gate;
  const options = [
    credential === null ? '' : commandText`--credential ${credential} `,
    tenant === null ? '' : commandText`--tenant ${tenant} `,
  ];
  return plain({
    title: `Open the gate of ${dependency}`,
    lede: 'The dependency asked for this wait. Jobs that start earlier may be refused again.',
    button: `Open ${dependency} now`,
    said: `The gate of ${dependency} is open.`,
    command: `redrive gates release ${options.join('')}${commandText`${dependency}`}`,
    run: (why) =>
      client.gates.release({
        ...why,
        dependency,
        credential: credential ?? '',
        tenant: tenant ?? '',
      }),
  });
}

function pause(_: string | undefined, { names }: Context): Dialog {
  const list = [...(names.queue ?? []), ...(names.operation ?? [])];
  return {
    questions: [
      {
        ...{ name: 'scope', label: 'What', first: 'queue', as: 'seg' },
        options: [
          ['queue', 'Queue'],
          ['handler', 'Handler'],
        ],
      },
      { name: 'name', label: 'Name', first: '', list },
    ],
    act: ({ scope = 'queue', name = '' }) => ({
      title: 'Pause a queue or a handler',
      lede: 'Running jobs finish. New jobs are stored and wait until somebody resumes it.',
      missing: name === '' ? `Name the ${scope}.` : undefined,
      button: `Pause ${scope} ${name || '…'}`,
      said: `Paused: ${scope} ${name}.`,
      command: `redrive queues pause${scope === 'handler' ? ' --handler' : ''} ${commandText`${name}`}`,
      run: (why) => client.queues.pause({ ...why, scope: pausable(scope), name }),
    }),
  };
}

// One of the dialog, or of a pause.
const pausable = (scope: string) => scope as QueuesPauseInput['scope'];

function resume(target = ''): Dialog {
  const [, scope = '', name = ''] = /^(\w+):(.*)$/s.exec(target) ?? [];
  const group = scope === 'schedule' ? 'schedules' : 'queues';
  return plain({
    title: `Resume ${scope} ${name}`,
    lede: 'Workers are notified at once.',
    said: `Resumed: ${scope} ${name}.`,
    command: `redrive ${group} resume${scope === 'handler' ? ' --handler' : ''} ${commandText`${name}`}`,
    run: (why) => client.queues.resume({ ...why, scope: pausable(scope), name }),
  });
}
