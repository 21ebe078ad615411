import type { ComponentChildren } from 'preact';
import { now } from '../clock.ts';
import {
  Button,
  Glyph,
  Loaded,
  Num,
  Page,
  Section,
  State,
  Table,
  Time,
} from '../components/index.ts';
import { ago, bounded, lasts, num, plural, short, timeOfDay, words } from '../format.ts';
import { hrefWith, param } from '../router.ts';
import { whyNot } from '../session.ts';
import { status } from '../status.ts';
import { useQuery } from '../use-query.ts';
import { ActDialog } from './control/act-dialog.tsx';
import { engageKill, releaseKill } from './control/kill-acts.tsx';
import { otherAct } from './control/other-acts.ts';
import { scopeKey, scopeText } from './control/scope.ts';
import { type Breaker, gateKey, type Park, readStopped, type Stopped } from './control/stopped.ts';
import '../styles/control.css';

const EVERY_MS = 3_000;

/** Everything that stops work, and the acts that stop and start it. */
export function Control(_: { readonly rest: readonly string[] }) {
  const query = useQuery('control', readStopped, { everyMs: EVERY_MS, on: ['control', 'act'] });
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
          <div class="stack">
            <KillSwitches {...of} />
            <Breakers {...of} />
            <Parks {...of} />
            <div class="two">
              <Gates {...of} />
              <Pauses {...of} />
            </div>
            <Dialogs of={of} onDone={query.reload} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function ledeOf({ kills, breakers, parks }: Stopped): string {
  const open = breakers.filter(({ state, forced }) => state !== 'closed' || forced !== null).length;
  const parked = parks.reduce((sum, { count }) => sum + count, 0);
  const isBound = parks.some((park) => park.bounded);
  const jobs = parked === 1 ? 'job is' : 'jobs are';
  return [
    `${words(kills.length)} kill ${kills.length === 1 ? 'switch is' : 'switches are'} engaged.`,
    open === 0
      ? 'All breakers are closed.'
      : `${words(open)} ${open === 1 ? 'breaker is' : 'breakers are'} not closed.`,
    parked === 0
      ? 'No jobs are parked.'
      : `${bounded(parked, isBound)} ${jobs} parked under ${plural(parks.length, 'cause')}.`,
  ].join(' ');
}

/** Columns by name: `#` a number, `-` not on a phone. */
function columns(...names: readonly string[]) {
  return names.map((name) => ({
    text: name.replace(/[#-]+$/, ''),
    n: /#-?$/.test(name),
    hidePhone: name.endsWith('-'),
  }));
}

interface ListProps {
  readonly title: string;
  /** Of an empty list. */
  readonly none: string;
  readonly note: string | undefined;
  readonly head: readonly string[];
  readonly children: readonly ComponentChildren[];
}

function List({ title, none, note, head, children }: ListProps) {
  const isEmpty = children.length === 0;
  return (
    <Section title={title} note={isEmpty ? none : note}>
      {!isEmpty && (
        <Table label={title} head={columns(...head)}>
          {children}
        </Table>
      )}
    </Section>
  );
}

interface LinkProps {
  readonly act: string;
  readonly of: string;
  readonly children: string;
}

/** Opens the dialog of an act. Without the role it stays, says why, and does nothing. */
function Act({ act, of, children }: LinkProps) {
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

function KillSwitches({ kills }: Stopped) {
  return (
    <List
      title="Kill switches"
      none="none is engaged"
      note={`${num(kills.length)} engaged; only a person releases one`}
      head={['Scope', 'Engaged-', 'Reason-', 'Waiting#', 'Running#-', '']}
    >
      {kills.map((kill) => (
        <tr key={scopeKey(kill)}>
          <td>
            <State of="killed" word={scopeText(kill)} />
          </td>
          <td class="soft hide-phone">
            {ago(kill.since)} by {kill.by}, running jobs{' '}
            {kill.mode === 'finish' ? 'finish' : 'are interrupted'}
          </td>
          <td class="hide-phone">{kill.why}</td>
          <Num
            value={kill.waiting}
            text={bounded(kill.waiting ?? 0, kill.bounded)}
            className="strong"
          />
          <Num value={kill.running} className="hide-phone" />
          <td class="n act">
            <Button
              small
              href={hrefWith({ act: 'release', scope: scopeKey(kill) })}
              whyNot={whyNot('admin')}
            >
              Release…
            </Button>
          </td>
        </tr>
      ))}
    </List>
  );
}

function Breakers({ breakers }: Stopped) {
  return (
    <List
      title="Breakers"
      none="no dependency has failed"
      note={`${num(breakers.length)}, the ones that are not closed first`}
      head={[
        'Dependency',
        'State',
        'For-',
        'Failures in a row-',
        'Next probe',
        'Parked#',
        'Set by-',
        '-',
      ]}
    >
      {breakers.map((each) => {
        const { policy_id: name, forced } = each;
        return (
          <tr key={name}>
            <td class="strong">{name}</td>
            <td>
              <State of={each.state} word={forced ? `Forced ${forced.state}` : undefined} />
            </td>
            <td class="soft hide-phone">{short(now.value - Date.parse(each.last_state_change))}</td>
            <td class="hide-phone">
              <Pips count={each.failure_count} of={each.threshold} />
            </td>
            <td>{probeText(each)}</td>
            <Num value={each.parked} className="strong" />
            <td class="soft hide-phone cut by">{forced && forcedText(forced)}</td>
            <td class="n hide-phone act">
              {each.state === 'open' && !forced && (
                <Act {...{ act: 'probe', of: name, children: 'Probe now…' }} />
              )}
              <Act act={forced ? 'reset' : 'force'} of={name}>
                {forced ? 'Reset…' : 'Force…'}
              </Act>
            </td>
          </tr>
        );
      })}
    </List>
  );
}

function forcedText({ until, by, why }: NonNullable<Breaker['forced']>): string {
  const end = until === null ? 'until it is reset' : `until ${timeOfDay(until)}`;
  return `${end}, ${by}${why === null ? '' : `: “${why}”`}`;
}

function probeText({
  state,
  next_probe_at: at,
  forced,
}: Pick<Breaker, 'state' | 'next_probe_at' | 'forced'>) {
  if (at !== null) return Date.parse(at) > now.value ? ago(at) : 'due now';
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

function Parks({ parks, breakers }: Stopped) {
  return (
    <List
      title="Parked jobs"
      none="none"
      note="by cause; they wait together and waiting costs no attempt"
      head={['Cause', 'Jobs#', 'Since-', 'Waits until-', 'Pace of return-', '-']}
    >
      {parks.map((park) => {
        const [glyph, tone] = PARK_GLYPHS[park.waits_for] ?? ['parked', 'amber'];
        const until = untilText(park, breakers);
        const isHeld = park.held_by !== null;
        return (
          <tr key={park.cause}>
            <td>
              <span class="st">
                <Glyph of={glyph} tone={tone} />
                <span class="mono">{park.cause}</span>
              </span>
              <span class="l2 only-phone">{until}</span>
            </td>
            <Num value={park.count} text={bounded(park.count, park.bounded)} className="strong" />
            <td class="soft hide-phone">{park.since && lasts(park.since)}</td>
            <td class="hide-phone">{until}</td>
            <td class="soft hide-phone">{park.pace !== null && `now ${num(park.pace)}/s`}</td>
            <td class="n hide-phone act">
              {park.waits_for === 'kill' ? (
                <span class="muted">Held by the switch</span>
              ) : (
                <>
                  <Act act={isHeld ? 'end-hold' : 'hold'} of={park.cause}>
                    {isHeld ? 'End hold…' : 'Hold…'}
                  </Act>
                  <Act act="release-park" of={park.cause}>
                    Release…
                  </Act>
                </>
              )}
            </td>
          </tr>
        );
      })}
    </List>
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

function Gates({ gates }: Stopped) {
  return (
    <List
      title="Gates"
      none="none is closed"
      note="closed by a Retry-After"
      head={['Dependency', 'Closed for-', 'Opens#', '']}
    >
      {gates.map((gate) => (
        <tr key={gateKey(gate)}>
          <td class="strong">{gate.dependency}</td>
          <td class="soft hide-phone">
            {gate.credential === null ? 'all credentials' : `credential ${gate.credential}`},{' '}
            {gate.tenant === null ? 'all tenants' : `tenant ${gate.tenant}`}
          </td>
          <td class="n">
            <Time at={gate.until} />
          </td>
          <td class="n act">
            <Act act="open-gate" of={gateKey(gate)}>
              Open now…
            </Act>
          </td>
        </tr>
      ))}
    </List>
  );
}

function Pauses({ queues: { queues, paused } }: Stopped) {
  const waitingIn = (scope: string, name: string) => {
    const states = queues.find(({ queue }) => scope === 'queue' && queue === name)?.states;
    return states && states.scheduled + states.ready + states.parked;
  };
  return (
    <List
      title="Pauses"
      none="nothing is paused"
      note={undefined}
      head={['Scope', 'Reason', 'Waiting#', '']}
    >
      {paused.map(({ scope, name, by, why, since }) => (
        <tr key={`${scope}:${name}`}>
          <td class="strong">
            {scope} {name}
          </td>
          <td class="soft">
            {by}
            {why !== null && `: “${why}”`}, {lasts(since)}
          </td>
          <Num value={waitingIn(scope, name)} />
          <td class="n act">
            <Act act="resume" of={`${scope}:${name}`}>
              Resume…
            </Act>
          </td>
        </tr>
      ))}
    </List>
  );
}

function Dialogs({ of, onDone }: { readonly of: Stopped; readonly onDone: () => void }) {
  const act = param('act');
  const queue = of.queues.queues.map((each) => each.queue);
  const operation = [...new Set(status.value?.handlers.map(({ handler }) => handler) ?? [])];
  const names = { queue, operation };
  const dialog =
    act === 'engage'
      ? engageKill(param('scope'), names)
      : act === 'release'
        ? releaseKill(param('scope'), of)
        : otherAct(act, param('of') ?? '', of, names);
  return (
    dialog && (
      <ActDialog key={`${act} ${param('of')} ${param('scope')}`} {...dialog} onDone={onDone} />
    )
  );
}
