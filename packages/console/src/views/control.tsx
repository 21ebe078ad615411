import { now } from '../clock.ts';
import {
  ActDialog,
  Button,
  type Column,
  Glyph,
  ListSection,
  Loaded,
  Page,
  State,
  Time,
} from '../components/index.ts';
import * as format from '../format.ts';
import { ago, bounded, lasts, num, timeOfDay, whoAndWhy } from '../format.ts';
import { whyNot } from '../me.ts';
import { hrefWith, param } from '../router.ts';
import { status } from '../status.ts';
import { useQuery } from '../use-query.ts';
import { controlDialog } from './control/acts.tsx';
import { scopeKey, scopeText } from './control/scope.ts';
import {
  type Breaker,
  type Gate,
  gateKey,
  type Kill,
  type Park,
  type Pause,
  readStopped,
  type Stopped,
} from './control/stopped.ts';
import '../styles/control.css';

/** Everything that stops work, and the acts that stop and start it. */
export function Control(_: { readonly rest: readonly string[] }) {
  const query = useQuery('control', readStopped, { everyMs: 3_000, on: ['control', 'act'] });
  const acts = (
    <>
      <Button href={hrefWith({ act: 'pause' })} whyNot={whyNot('operator')}>
        Pause a queue…
      </Button>
      <Button danger href={hrefWith({ act: 'engage' })} whyNot={whyNot('admin')}>
        Engage kill switch…
      </Button>
    </>
  );
  return (
    <Page
      title="Control"
      lede={query.data && ledeOf(query.data)}
      acts={acts}
      className="page-control"
    >
      <Loaded query={query} title="Control did not load.">
        {(of) => (
          <>
            <Lists of={of} />
            <Dialogs of={of} onDone={query.reload} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function ledeOf({ kills, breakers, parks }: Stopped): string {
  const open = breakers.filter(({ state, forced }) => state !== 'closed' || forced !== null).length;
  const parked = format.sum(parks.map(({ count }) => count));
  const isBound = parks.some((park) => park.bounded);
  const causes = format.plural(parks.length, 'cause');
  return [
    `${format.sentence(kills.length, 'kill switch is', 'kill switches are')} engaged.`,
    open === 0
      ? 'All breakers are closed.'
      : `${format.sentence(open, 'breaker is', 'breakers are')} not closed.`,
    parked === 0
      ? 'No jobs are parked.'
      : `${format.plural(parked, 'job is', 'jobs are', isBound)} parked under ${causes}.`,
  ].join(' ');
}

function Lists({ of }: { readonly of: Stopped }) {
  const { kills, breakers, parks, gates, queues } = of;
  const shared = { className: 'rows32' };
  return (
    <div class="stack">
      <ListSection
        {...shared}
        title="Kill switches"
        none="none is engaged"
        note={`${num(kills.length)} engaged; only a person releases one`}
        rows={kills}
        columns={KILLS}
        idOf={scopeKey}
      />
      <ListSection
        {...shared}
        title="Breakers"
        none="no dependency has failed"
        note={`${num(breakers.length)}, the ones that are not closed first`}
        rows={breakers}
        columns={BREAKERS}
        idOf={({ policy_id }) => policy_id}
      />
      <ListSection
        {...shared}
        title="Parked jobs"
        none="none"
        note="by cause; they wait together and waiting costs no attempt"
        rows={parks}
        columns={parkColumns(breakers)}
        idOf={({ cause }) => cause}
      />
      <div class="two">
        <ListSection
          {...shared}
          title="Gates"
          none="none is closed"
          note="closed by a Retry-After"
          rows={gates}
          columns={GATES}
          idOf={gateKey}
        />
        <ListSection
          {...shared}
          title="Pauses"
          none="nothing is paused"
          rows={queues.paused}
          columns={pauseColumns(queues)}
          idOf={scopeKey}
        />
      </div>
    </div>
  );
}

interface ActProps {
  readonly act: string;
  readonly of: string;
  readonly children: string;
}

/** Opens the dialog of an act. Without the role it stays, says why, and does nothing. */
function Act({ act, of, children }: ActProps) {
  const why = whyNot('operator');
  if (why === undefined) {
    return (
      <a class="link" href={hrefWith({ act, of })}>
        {children}
      </a>
    );
  }
  return (
    <button type="button" class="link off" aria-disabled="true" title={why}>
      {children}
      <span class="sr"> {why}</span>
    </button>
  );
}

const KILLS: readonly Column<Kill>[] = [
  ['Scope', (kill) => <State of="killed" word={scopeText(kill)} />],
  [
    'Engaged',
    ({ since, by, mode }) =>
      `${ago(since)} by ${by}, running jobs ${mode === 'finish' ? 'finish' : 'are interrupted'}`,
    'soft hide-phone',
  ],
  ['Reason', ({ why }) => why, 'hide-phone'],
  ['Waiting', (kill) => kill.waiting && bounded(kill.waiting, kill.bounded), 'n strong'],
  ['Running', ({ running }) => running, 'n hide-phone'],
  [
    '',
    (kill) => (
      <Button
        small
        href={hrefWith({ act: 'release', scope: scopeKey(kill) })}
        whyNot={whyNot('admin')}
      >
        Release…
      </Button>
    ),
    'n act',
  ],
];

const BREAKERS: readonly Column<Breaker>[] = [
  ['Dependency', ({ policy_id }) => policy_id, 'strong'],
  [
    'State',
    ({ state, forced }) => (
      <State of={state} word={forced ? `Forced ${forced.state}` : undefined} />
    ),
  ],
  [
    'For',
    ({ last_state_change: at }) => format.short(now.value - format.msOf(at)),
    'soft hide-phone',
  ],
  [
    'Failures in a row',
    ({ failure_count, threshold }) => <Pips count={failure_count} of={threshold} />,
    'hide-phone',
  ],
  ['Next probe', probeText],
  ['Parked', ({ parked }) => parked, 'n strong'],
  ['Set by', ({ forced }) => forced && forcedText(forced), 'soft hide-phone cut by'],
  [
    '',
    ({ policy_id: of, state, forced }) => (
      <>
        {state === 'open' && !forced && (
          <Act act="probe" of={of}>
            Probe now…
          </Act>
        )}
        <Act act={forced ? 'reset' : 'force'} of={of}>
          {forced ? 'Reset…' : 'Force…'}
        </Act>
      </>
    ),
    'n hide-phone act',
  ],
];

function forcedText({ until, by, why }: NonNullable<Breaker['forced']>): string {
  const end = until === null ? 'until it is reset' : `until ${timeOfDay(until)}`;
  return `${end}, ${whoAndWhy(by, why)}`;
}

function probeText({
  state,
  next_probe_at: at,
  forced,
}: Pick<Breaker, 'state' | 'next_probe_at' | 'forced'>) {
  if (at !== null) return format.msOf(at) > now.value ? ago(at) : 'due now';
  return state === 'half_open' && forced === null ? 'running now' : '';
}

const MAX_PIPS = 10;

/** Failures in a row against the threshold. */
function Pips({ count, of }: { readonly count: number; readonly of: number }) {
  const pips = Array.from({ length: of <= MAX_PIPS ? of : 0 }, (_, index) => index);
  return (
    <span class="pips">
      <span aria-hidden="true">
        {pips.map((index) => (
          <i key={index} class={index < count ? 'on' : ''} />
        ))}
      </span>
      <span class="soft">
        {num(Math.min(count, of))} of {num(of)}
      </span>
    </span>
  );
}

const PARK_GLYPHS: Readonly<Record<string, readonly [string, 'red' | 'amber' | 'green']>> = {
  kill: ['stop', 'red'],
  breaker: ['b-open', 'amber'],
  gate: ['gate', 'amber'],
  nothing: ['done', 'green'],
};

function parkColumns(breakers: readonly Breaker[]): readonly Column<Park>[] {
  return [
    [
      'Cause',
      (park) => {
        const [glyph, tone] = PARK_GLYPHS[park.waits_for] ?? ['parked', 'amber'];
        return (
          <>
            <span class="st">
              <Glyph of={glyph} tone={tone} />
              <span class="mono">{park.cause}</span>
            </span>
            <span class="l2 only-phone">{untilText(park, breakers)}</span>
          </>
        );
      },
    ],
    ['Jobs', (park) => park.count && bounded(park.count, park.bounded), 'n strong'],
    ['Since', ({ since }) => since && lasts(since), 'soft hide-phone'],
    ['Waits until', (park) => untilText(park, breakers), 'hide-phone'],
    ['Pace of return', ({ pace }) => pace !== null && `now ${num(pace)}/s`, 'soft hide-phone'],
    ['', parkActs, 'n hide-phone act'],
  ];
}

function parkActs({ cause, waits_for, held_by: holder }: Park) {
  if (waits_for === 'kill') return <span class="muted">Held by the switch</span>;
  return (
    <>
      <Act act={holder === null ? 'hold' : 'end-hold'} of={cause}>
        {holder === null ? 'Hold…' : 'End hold…'}
      </Act>
      <Act act="release-park" of={cause}>
        Release…
      </Act>
    </>
  );
}

function untilText(park: Park, breakers: readonly Breaker[]): string {
  const { held_by: holder, held_why: why, next_probe_at } = park;
  if (holder !== null) return `${holder} ends the hold${why === null ? '' : `: “${why}”`}`;
  if (park.waits_for === 'kill') return 'a person releases the switch';
  if (park.waits_for === 'gate')
    return park.until === null ? 'the gate opens' : `${timeOfDay(park.until)}, ${ago(park.until)}`;
  if (park.waits_for === 'time') return 'each job has its own time';
  if (park.waits_for !== 'breaker') return 'nothing: the cause is gone';
  const breaker = breakers.find(({ policy_id }) => park.cause === `breaker:${policy_id}`);
  const { forced = null, state = 'open' } = breaker ?? {};
  if (forced !== null)
    return forced.until === null
      ? 'a person resets the breaker'
      : `${timeOfDay(forced.until)}, when the force ends`;
  if (next_probe_at !== null)
    return `a probe succeeds, next ${probeText({ state, next_probe_at, forced })}`;
  return state === 'half_open' ? 'the probe that runs now' : 'a probe; no live worker makes one';
}

const GATES: readonly Column<Gate>[] = [
  ['Dependency', ({ dependency }) => dependency, 'strong'],
  [
    'Closed for',
    ({ credential, tenant }) =>
      `${credential === null ? 'all credentials' : `credential ${credential}`}, ${tenant === null ? 'all tenants' : `tenant ${tenant}`}`,
    'soft hide-phone',
  ],
  ['Opens', ({ until }) => <Time at={until} />, 'n'],
  [
    '',
    (gate) => (
      <Act act="open-gate" of={gateKey(gate)}>
        Open now…
      </Act>
    ),
    'n act',
  ],
];

function pauseColumns({ queues }: Stopped['queues']): readonly Column<Pause>[] {
  const waitingIn = ({ scope, name }: Pause) => {
    const states = queues.find(({ queue }) => scope === 'queue' && queue === name)?.states;
    return states && states.scheduled + states.ready + states.parked;
  };
  return [
    ['Scope', ({ scope, name }) => `${scope} ${name}`, 'strong'],
    ['Reason', ({ by, why, since }) => `${whoAndWhy(by, why)}, ${lasts(since)}`, 'soft'],
    ['Waiting', waitingIn, 'n'],
    [
      '',
      (pause) => (
        <Act act="resume" of={scopeKey(pause)}>
          Resume…
        </Act>
      ),
      'n act',
    ],
  ];
}

interface DialogsProps {
  readonly of: Stopped;
  readonly onDone: () => void;
}

function Dialogs({ of, onDone }: DialogsProps) {
  const act = param('act');
  const subject = act === 'engage' || act === 'release' ? param('scope') : param('of');
  const queue = of.queues.queues.map((each) => each.queue);
  const operation = [...new Set(status.value?.handlers.map(({ handler }) => handler) ?? [])];
  const dialog = controlDialog(act, subject, { stopped: of, names: { queue, operation } });
  return dialog && <ActDialog key={`${act} ${subject}`} {...dialog} onDone={onDone} />;
}
