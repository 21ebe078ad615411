import { bounded, plural } from '../../format.ts';
import { type Act, type ActDialogProps, quoted } from './act-dialog.tsx';
import { PACE, paceOf } from './kill-acts.tsx';
import { gateKey, type Stopped } from './stopped.ts';

type Dialog = Omit<ActDialogProps, 'onDone'>;

const END_MINUTES: Readonly<Record<string, number>> = {
  '15m': 15,
  '30m': 30,
  '2h': 120,
  '24h': 1_440,
};

/** A breaker, with an end and a reason. Without an end it is an admin's act. */
function force(dependency: string): Dialog {
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
        options: [
          ['15m', 'after 15 min'],
          ['30m', 'after 30 min'],
          ['2h', 'after 2 h'],
          ['24h', 'after 24 h'],
          ['', 'when somebody resets it'],
        ],
      },
    ],
    act: ({ state = 'open', end = '' }) => {
      const minutes = END_MINUTES[end];
      return {
        title: `Force the breaker of ${dependency}`,
        ...{ role: minutes === undefined ? 'admin' : 'operator', danger: state === 'open' },
        button: `Force ${dependency} ${state}`,
        said: () => `The breaker of ${dependency} is forced ${state}.`,
        command: `redrive breakers force-${state} ${quoted(dependency)}${end === '' ? '' : ` --for ${end}`}`,
        path: '/v1/breakers/:dependency/force',
        body: { dependency, state, ...(minutes !== undefined && { for_ms: minutes * 60_000 }) },
      };
    },
  };
}

function releasePark(cause: string, { parks }: Stopped): Dialog | undefined {
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
        ...{ role: 'operator', isPlain: true, missing, button: `Release ${cause}` },
        said: (answer) =>
          `Released: ${plural(Number(Object(answer).released), 'job')}${option && ', the others at a pace'}.`,
        command: `redrive park release ${quoted(cause)}${option}`,
        path: '/v1/parks/release',
        body: { cause, ...body },
      };
    },
  };
}

function openGate(key: string, { gates }: Stopped): Dialog | undefined {
  const gate = gates.find((each) => gateKey(each) === key);
  if (gate === undefined) return undefined;
  const { dependency, credential, tenant } = gate;
  const options = `${credential === null ? '' : ` --credential ${quoted(credential)}`}${tenant === null ? '' : ` --tenant ${quoted(tenant)}`}`;
  return plain({
    title: `Open the gate of ${dependency}`,
    lede: 'The dependency asked for this wait. Jobs that start earlier may be refused again.',
    button: `Open ${dependency} now`,
    said: `The gate of ${dependency} is open.`,
    command: `redrive gates release ${quoted(dependency)}${options}`,
    path: '/v1/gates/release',
    body: { dependency, credential: credential ?? '', tenant: tenant ?? '' },
  });
}

function pause(names: Readonly<Record<string, readonly string[]>>): Dialog {
  return {
    questions: [
      {
        ...{ name: 'scope', label: 'What', first: 'queue', as: 'seg' },
        options: [
          ['queue', 'Queue'],
          ['handler', 'Handler'],
        ],
      },
      {
        name: 'name',
        label: 'Name',
        first: '',
        list: [...(names.queue ?? []), ...(names.operation ?? [])],
      },
    ],
    act: ({ scope = 'queue', name = '' }) => ({
      title: 'Pause a queue or a handler',
      lede: 'Running jobs finish. New jobs are stored and wait until somebody resumes it.',
      ...{
        role: 'operator',
        isPlain: true,
        missing: name === '' ? `Name the ${scope}.` : undefined,
      },
      button: `Pause ${scope} ${name || '…'}`,
      said: () => `Paused: ${scope} ${name}.`,
      command: `redrive queues pause ${quoted(name)}${scope === 'handler' ? ' --handler' : ''}`,
      path: '/v1/pauses/pause',
      body: { scope, name },
    }),
  };
}

function resume(target: string): Dialog {
  const [, scope = '', name = ''] = /^(\w+):(.*)$/s.exec(target) ?? [];
  const group = scope === 'schedule' ? 'schedules' : 'queues';
  return plain({
    title: `Resume ${scope} ${name}`,
    lede: 'Workers are notified at once.',
    button: `Resume ${scope} ${name}`,
    said: `Resumed: ${scope} ${name}.`,
    command: `redrive ${group} resume ${quoted(name)}${scope === 'handler' ? ' --handler' : ''}`,
    path: '/v1/pauses/resume',
    body: { scope, name },
  });
}

type Plain = Pick<Act, 'title' | 'lede' | 'button' | 'command' | 'path' | 'body'> & {
  readonly said: string;
};

/** An act of an operator without a choice. */
function plain({ said, ...act }: Plain): Dialog {
  return { act: () => ({ ...act, role: 'operator', isPlain: true, said: () => said }) };
}

const OF_BREAKER = {
  probe: [
    'half-open',
    'Probe',
    'One job runs. If it succeeds, the breaker closes. A forced state ends.',
  ],
  reset: [
    'reset',
    'Reset',
    'It closes, its count is 0, and a forced state ends. Parked jobs return at a growing pace.',
  ],
} as const;

const OF_PARK = {
  hold: ['hold', 'Hold', 'Its jobs stay parked even when the cause is gone, for a day at most.'],
  'end-hold': ['end-hold', 'End the hold of', 'Its jobs are released when the cause is gone.'],
} as const;

/** The dialog of an act. `undefined`: there is none, or its subject is gone. */
export function otherAct(
  act: string | undefined,
  of: string,
  stopped: Stopped,
  names: Readonly<Record<string, readonly string[]>>,
): Dialog | undefined {
  switch (act) {
    case 'force':
      return force(of);
    case 'release-park':
      return releasePark(of, stopped);
    case 'open-gate':
      return openGate(of, stopped);
    case 'pause':
      return pause(names);
    case 'resume':
      return resume(of);
    case 'probe':
    case 'reset': {
      const [word, verb, lede] = OF_BREAKER[act];
      const path = `/v1/breakers/:dependency/${word}`;
      const command = `redrive breakers ${word} ${quoted(of)}`;
      const said =
        act === 'probe' ? `A probe of ${of} starts now.` : `The breaker of ${of} is closed.`;
      return plain({
        title: `${verb} ${of}`,
        lede,
        button: `${verb} ${of}`,
        said,
        command,
        path,
        body: { dependency: of },
      });
    }
    case 'hold':
    case 'end-hold': {
      const [word, verb, lede] = OF_PARK[act];
      const command = `redrive park hold ${quoted(of)}${act === 'hold' ? '' : ' --end'}`;
      const said = act === 'hold' ? `The jobs of ${of} are held.` : `The hold of ${of} has ended.`;
      return plain({
        title: `${verb} ${of}`,
        lede,
        button: `${verb} ${of}`,
        said,
        command,
        path: `/v1/parks/${word}`,
        body: { cause: of },
      });
    }
    default:
      return undefined;
  }
}
