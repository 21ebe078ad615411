import type { EscalationsListAnswer, EscalationsShowAnswer } from '@redrive/client';
import { commandText } from '@redrive/core/fields';
import { client } from '../api.ts';
import '../styles/tables.css';
import { now } from '../clock.ts';
import {
  type Act,
  Acts,
  Cols,
  type Column,
  Empty,
  Facts,
  Link,
  List,
  Loaded,
  type Offer,
  Page,
  type Question,
  Section,
  Tier,
  type TierName,
  Time,
  Two,
} from '../components/index.ts';
import { absolute, bounded, causeText, duration, sentence } from '../format.ts';
import { causeHref } from '../links.ts';
import { hrefWith, param } from '../router.ts';
import { useRead } from '../use-query.ts';

type Escalation = EscalationsListAnswer['escalations'][number];

/** Tiers of the server: 1 is retried automatically. */
const GROUPS: readonly (readonly [TierName | undefined, (tier: number) => boolean])[] = [
  ['lead', (tier) => tier >= 4],
  ['critical', (tier) => tier === 3],
  ['warning', (tier) => tier === 2],
  [undefined, (tier) => tier < 2],
];
const tierName = (tier: number) => GROUPS.find(([, holds]) => holds(tier))?.[0];

export function Escalations(_: { readonly rest: readonly string[] }) {
  const options = { everyMs: 10_000, on: ['act', 'dead', 'requeued'] };
  const query = useRead(client.escalations.list, {}, options);
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
  const need = `${sentence(people.length, 'problem needs', 'problems need')} a person.`;
  return late === 0 ? need : `${need} ${sentence(late, 'is', 'are')} overdue.`;
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
        top={<a href={hrefWith({ open: key })}>{causeText(title)}</a>}
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

function Panel({ of, onDone }: PanelProps) {
  const { key, kind } = of;
  const version = [of.acknowledged_by, of.snoozed_until, of.owner];
  const query = useRead(client.escalations.show, { key }, { version });
  const isCause = kind === 'cause';
  return (
    <Section
      title={causeText(of.title)}
      end={<Link href={hrefWith({ open: undefined, act: undefined })}>Close</Link>}
    >
      <div class="btns">
        <Acts of={actsOf(of)} onDone={onDone} />
        <Link href={isCause ? causeHref(key) : '/stuck?reason=failed'}>
          Show its {isCause ? 'letters' : 'documents'}
        </Link>
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
    </Section>
  );
}

function Log({ entries }: { readonly entries: EscalationsShowAnswer['log'] }) {
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

const SNOOZES: readonly (readonly [value: string, text: string, forMs: number])[] = [
  ['30m', '30 min', 1_800_000],
  ['4h', '4 h', 14_400_000],
  ['1d', '1 day', 86_400_000],
  ['7d', '7 days', 604_800_000],
];

const SNOOZE: Question = {
  ...{ name: 'lasting', label: 'For', first: '4h', as: 'select' },
  options: SNOOZES.map(([value, text]) => [value, text]),
};
const OWNER: Question = { name: 'owner', label: 'Person or team', first: '' };

/** The parts of an act that its name does not say; `option` is of the command line. */
type Part = Partial<Act> &
  Pick<Act, 'run'> & { readonly option?: string; readonly args?: readonly string[] };

/** Acknowledge, snooze with an end, or assign; the reason is the note. */
function actsOf({ key, title }: Escalation): readonly Offer[] {
  const offer = (
    act: string,
    word: string,
    partOf: (values: Readonly<Record<string, string>>) => Part,
    questions: readonly Question[] = [],
  ): Offer => ({
    ...{ name: act, label: `${word}…`, questions },
    act: (values) => {
      const { option = '', args = [], ...part } = partOf(values);
      return {
        ...{ button: word, title: `${word} ${causeText(title)}` },
        command: `redrive escalations ${act}${option} ${commandText`${[key, ...args]}`}`,
        ...part,
      };
    },
  });
  return [
    {
      ...offer('ack', 'Acknowledge', () => ({
        said: 'Acknowledged.',
        run: (why) => client.escalations.ack({ ...why, key }),
      })),
      look: 'primary',
    },
    offer('snooze', 'Snooze', (values) => snooze(key, values), [SNOOZE]),
    offer('assign', 'Assign', (values) => assign(key, values), [OWNER]),
  ];
}

function snooze(key: string, { lasting = '' }: Readonly<Record<string, string>>): Part {
  const [, text = '', for_ms = 0] = SNOOZES.find(([value]) => value === lasting) ?? [];
  const end = absolute(now.value + for_ms).replace(/:\d\d\.\d+/, '');
  return {
    button: `Snooze ${text}`,
    lede: `No notification of its tier or a lower one until ${end}.`,
    option: ` --for ${lasting}`,
    run: (why) => client.escalations.snooze({ ...why, key, for_ms }),
    said: `Snoozed until ${end}.`,
  };
}

function assign(key: string, { owner = '' }: Readonly<Record<string, string>>): Part {
  return {
    missing: owner === '' ? 'Name a person or a team.' : undefined,
    args: [owner || 'owner'],
    run: (why) => client.escalations.assign({ ...why, key, owner }),
    said: 'Assigned.',
  };
}
