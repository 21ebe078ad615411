import '../styles/tables.css';
import type { Answers } from '@redrive/server/client';
import { get } from '../api.ts';
import { now } from '../clock.ts';
import {
  Button,
  Cols,
  Empty,
  Facts,
  Loaded,
  Page,
  Section,
  Tier,
  type TierName,
  Time,
} from '../components/index.ts';
import { absolute, bounded, duration, words } from '../format.ts';
import { hrefWith, param, setParams } from '../router.ts';
import { whyNot } from '../session.ts';
import { useQuery } from '../use-query.ts';
import { type Act, ActDialog, type Question, quoted } from './control/act-dialog.tsx';
import { type Column, Link, List, Two } from './parts/list.tsx';

type Escalation = Answers['/v1/escalations']['escalations'][number];

/** Placeholders of a pattern stand in ‹ ›. */
const titleOf = ({ title }: Pick<Escalation, 'title'>) => title.replaceAll(/<(\w+)>/g, '‹$1›');

/** Tiers of the server: 1 is retried automatically. */
const GROUPS: readonly (readonly [TierName | undefined, (tier: number) => boolean])[] = [
  ['lead', (tier) => tier >= 4],
  ['critical', (tier) => tier === 3],
  ['warning', (tier) => tier === 2],
  [undefined, (tier) => tier < 2],
];
const tierName = (tier: number) => GROUPS.find(([, holds]) => holds(tier))?.[0];

export function Escalations(_: { readonly rest: readonly string[] }) {
  const query = useQuery('escalations', (signal) => get('/v1/escalations', {}, signal), {
    everyMs: 10_000,
    on: ['act', 'dead', 'requeued'],
  });
  const all = query.data?.escalations ?? [];
  const open = all.find(({ key }) => key === param('open'));
  return (
    <Page title="Escalations" lede={query.data && ledeOf(all)}>
      <Loaded query={query} title="The escalations did not load.">
        {({ more }) =>
          all.length === 0 ? (
            <Empty title="Nothing is escalated" command="redrive escalations list">
              A cause appears here when its jobs fail or wait, and rises with its age and number.
            </Empty>
          ) : (
            <Cols rail={open ? <Panel key={open.key} of={open} onDone={query.reload} /> : HINT}>
              {GROUPS.map(([name, holds]) => {
                const own = all.filter(({ tier }) => holds(tier));
                if (own.length === 0) return null;
                const title = name ? <Tier of={name} /> : 'Retried automatically';
                return (
                  <Section
                    key={name}
                    title={title}
                    note={`${own.length}${more ? ' and more' : ''}`}
                  >
                    <List
                      label={`Escalations: ${name ?? 'automatic'}`}
                      rows={own}
                      columns={COLUMNS}
                      idOf={({ key }) => key}
                      opens
                    />
                  </Section>
                );
              })}
            </Cols>
          )
        }
      </Loaded>
    </Page>
  );
}

function ledeOf(all: readonly Escalation[]): string {
  const people = all.filter(({ tier }) => tier >= 2);
  const late = people.filter(({ overdue }) => overdue !== null).length;
  if (people.length === 0) return 'Nothing needs a person.';
  const need = `${words(people.length)} ${people.length === 1 ? 'problem needs' : 'problems need'} a person.`;
  return late === 0 ? need : `${need} ${words(late)} ${late === 1 ? 'is' : 'are'} overdue.`;
}

const HINT = (
  <Section title="Tiers">
    <p class="soft">
      The tier follows from age and number. An acknowledgement answers its tier; a higher tier is
      notified all the same. Open a row to see its log.
    </p>
  </Section>
);

/** The answer of people, or what is due. */
function stateOf(one: Escalation): string {
  if (one.overdue !== null) return one.overdue === 'response' ? 'Answer overdue' : 'Overdue';
  if (one.snoozed_until !== null && Date.parse(one.snoozed_until) > now.value)
    return `Snoozed until ${absolute(one.snoozed_until).slice(0, 16)}`;
  if (one.decision !== null) return `Decided: ${one.decision}`;
  if (one.acknowledged_by !== null && (one.acknowledged_tier ?? 0) >= one.notified_tier)
    return `Acknowledged by ${one.acknowledged_by}`;
  return one.notified_tier > 0 ? 'Notified' : one.tier < 2 ? 'Automatic' : 'Not notified';
}

const COLUMNS: readonly Column<Escalation>[] = [
  [
    'Problem',
    ({ key, title, kind }) => (
      <Two
        top={<a href={hrefWith({ open: key })}>{titleOf({ title })}</a>}
        sub={kind === 'cause' ? key : `collection ${key}`}
      />
    ),
    'wrap',
  ],
  ['Failed', ({ failed, bounded: more }) => (failed === 0 ? 0 : bounded(failed, more)), 'n'],
  ['Stuck', ({ stuck }) => stuck, 'n'],
  ['Owner', ({ owner }) => owner, 'hide-phone'],
  [
    'State',
    (one) => <span class={one.overdue === null ? 'soft' : 'red strong'}>{stateOf(one)}</span>,
  ],
  ['Next tier', (one) => nextTier(one), 'n hide-phone'],
];

const NAMES = { warning: 'warning', critical: 'critical', lead: 'engineering lead' } as const;

function nextTier({ next_tier, next_tier_at }: Escalation): string {
  if (next_tier === null || next_tier_at === null) return 'by number only';
  const name = tierName(next_tier);
  const leftMs = Math.max(0, Date.parse(next_tier_at) - now.value);
  return `${name ? NAMES[name] : next_tier} in ${duration(leftMs)}`;
}

interface PanelProps {
  readonly of: Escalation;
  readonly onDone: () => void;
}

const CLOSED = () => hrefWith({ open: undefined, act: undefined });

function Panel({ of, onDone }: PanelProps) {
  const { key, kind } = of;
  const query = useQuery(
    `escalation ${key} ${of.acknowledged_by} ${of.snoozed_until} ${of.owner}`,
    (signal) => get('/v1/escalations/:key', { key }, signal),
  );
  const href = kind === 'cause' ? `/dead?cause=${encodeURIComponent(key)}` : '/stuck?reason=failed';
  const act = param('act');
  const names = Object.keys(ACTS) as (keyof typeof ACTS)[]; // The table's own keys.
  return (
    <Section title={titleOf(of)} end={<Link href={CLOSED()}>Close</Link>}>
      <div class="btns">
        {names.map((name) => (
          <Button
            key={name}
            primary={name === 'ack'}
            onClick={() => setParams({ act: name })}
            whyNot={whyNot('operator')}
          >
            {ACTS[name].word}…
          </Button>
        ))}
        <Link href={href}>Show its {kind === 'cause' ? 'letters' : 'documents'}</Link>
      </div>
      <Facts
        of={[
          ['Owner', of.owner],
          ['State', stateOf(of)],
          ['Stuck since', of.stuck_since && <Time at={of.stuck_since} />],
          ['Notified', of.notified && <Time at={of.notified} />],
          ['Answer by', of.respond_by && <Time at={of.respond_by} />],
          ['Resolve by', of.resolve_by && <Time at={of.resolve_by} />],
          ['Next tier', nextTier(of)],
        ]}
      />
      <Loaded query={query} title="The log did not load.">
        {({ log }) => <Log entries={log} />}
      </Loaded>
      {names
        .filter((name) => name === act)
        .map((name) => (
          <ActDialog
            key={name}
            questions={ACTS[name].asks}
            act={(given) => escalationAct(name, of, given)}
            onDone={onDone}
          />
        ))}
    </Section>
  );
}

function Log({ entries }: { readonly entries: Answers['/v1/escalations/:key']['log'] }) {
  if (entries.length === 0) return <p class="l2">Nobody has done anything about it yet.</p>;
  return (
    <ul class="acts-log">
      {entries.map(({ at, act, by, why, detail }) => (
        <li key={`${at}${act}`}>
          <span class="muted">
            <Time at={at} />
          </span>
          <span>
            {act}{' '}
            {Object.entries(detail)
              .map(([name, value]) => `${name} ${String(value)}`)
              .join(', ')}
            <span class="l2">
              {by}
              {why && `: ${why}`}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}

const SNOOZES = [
  ['30m', '30 min', 1_800_000],
  ['4h', '4 h', 14_400_000],
  ['1d', '1 day', 86_400_000],
  ['7d', '7 days', 604_800_000],
] as const;

const SNOOZES_ASKED = SNOOZES.map(([value, text]) => [value, text] as const);

/** Acknowledge, snooze with an end, or assign; the reason is the note. */
function escalationAct(name: keyof typeof ACTS, { key, title }: Escalation, given: Given): Act {
  const { lasting = '4h', owner = '' } = given;
  const [, text, for_ms] = SNOOZES.find(([value]) => value === lasting) ?? SNOOZES[1];
  const end = absolute(now.value + for_ms).replace(/:\d\d\.\d+/, '');
  const word = name === 'snooze' ? `Snooze ${text}` : ACTS[name].word;
  const more = { ack: '', snooze: ` --for ${lasting}`, assign: ` ${quoted(owner || 'owner')}` };
  const said = { ack: 'Acknowledged.', snooze: `Snoozed until ${end}.`, assign: 'Assigned.' };
  return {
    ...{
      role: 'operator',
      isPlain: true,
      title: `${ACTS[name].word} ${titleOf({ title })}`,
      button: word,
    },
    lede:
      name === 'snooze' ? `No notification of its tier or a lower one until ${end}.` : undefined,
    missing: name === 'assign' && owner === '' ? 'Name a person or a team.' : undefined,
    said: () => said[name],
    command: `redrive escalations ${name} ${key}${more[name]}`,
    path: `/v1/escalations/:key/${name}`,
    body: { key, ...(name === 'snooze' && { for_ms }), ...(name === 'assign' && { owner }) },
  };
}

type Given = Readonly<Record<string, string>>;

const ACTS: Readonly<
  Record<'ack' | 'snooze' | 'assign', { readonly word: string; readonly asks: readonly Question[] }>
> = {
  ack: { word: 'Acknowledge', asks: [] },
  snooze: {
    word: 'Snooze',
    asks: [{ name: 'lasting', label: 'For', first: '4h', as: 'select', options: SNOOZES_ASKED }],
  },
  assign: { word: 'Assign', asks: [{ name: 'owner', label: 'Person or team', first: '' }] },
};
