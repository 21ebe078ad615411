import type { DeadLettersGroupsAnswer, EscalationsListAnswer } from '@redrive/client';
import { client } from '../../api.ts';
import { Empty, Loaded, Sparkline, type Tone } from '../../components/index.ts';
import { ago, bounded, causeText, lasts, num, plural, sum } from '../../format.ts';
import { hrefWith, param } from '../../router.ts';
import { type Query, useRead } from '../../use-query.ts';
import { CauseRules } from './cause-acts.tsx';

export type Group = DeadLettersGroupsAnswer['groups'][number];
type Escalation = EscalationsListAnswer['escalations'][number];

interface CausesProps {
  readonly query: Query<DeadLettersGroupsAnswer>;
  readonly selected: string | undefined;
}

/** Dead letters by cause. */
export function Causes({ query, selected }: CausesProps) {
  const escalated = useRead(client.escalations.list, {}, { everyMs: 30_000, on: ['control'] });
  const isLargest = param('s') === 'largest';
  return (
    <Loaded query={query} title="The causes did not load." rows={8}>
      {({ groups, next }) => {
        const count = sum(groups.map((group) => group.count));
        const isBound = next !== null || groups.some((group) => group.bounded);
        const sampled = sum(groups.map((group) => group.sampled));
        const sorted = isLargest ? groups.toSorted((a, b) => b.count - a.count) : groups;
        return (
          <>
            <header>
              <h2>
                {plural(groups.length, 'cause', 'causes', next !== null)}
                <span class="muted">{bounded(count, isBound)} dead letters</span>
                <span class="end">
                  <a class="link" href={hrefWith({ s: isLargest ? undefined : 'largest' })}>
                    {isLargest ? 'Largest' : 'Newest'}
                    <span class="sr"> first; change the order</span>
                  </a>
                </span>
              </h2>
              <div class="sub">Trends: 24 h, from the newest {num(sampled)} letters</div>
            </header>
            {groups.length === 0 && <Empty title="No cause">No dead letter matches.</Empty>}
            <ul aria-label="Causes">
              {sorted.map((group) => (
                <li key={group.fingerprint}>
                  <Cause
                    group={group}
                    isSelected={group.fingerprint === selected}
                    escalation={escalated.data?.escalations.find(
                      ({ key }) => key === group.fingerprint,
                    )}
                  />
                </li>
              ))}
            </ul>
            <CauseRules />
          </>
        );
      }}
    </Loaded>
  );
}

/** The real message of the newest letter. The parts that the cause ignores are highlighted. */
function LastMessage({ of: { last_message } }: { readonly of: Group }) {
  if (last_message.length === 0) return null;
  return (
    <span class="last">
      {last_message.map(({ text, varies }, at) =>
        varies ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
      )}
    </span>
  );
}

interface CauseProps {
  readonly group: Group;
  readonly isSelected: boolean;
  readonly escalation: Escalation | undefined;
}

function Cause({ group, isSelected, escalation }: CauseProps) {
  const { fingerprint, pattern, handlers, reason_codes, came_back, sampled, count, trend } = group;
  const tone: Tone = escalation === undefined ? 'idle' : escalation.tier >= 3 ? 'red' : 'amber';
  const of = `${num(came_back)} of ${sampled < count ? 'the newest ' : ''}${num(sampled)}`;
  return (
    <a
      class="cause"
      aria-current={isSelected}
      href={hrefWith({ cause: isSelected ? undefined : fingerprint, open: undefined })}
    >
      <span class="top">
        <span class="p">{causeText(pattern)}</span>
        <span class="num">{bounded(count, group.bounded)}</span>
      </span>
      <LastMessage of={group} />
      <span class="bot">
        <span class="l2">
          {handlers.join(', ')} · {reason_codes.join(', ')}
          <br />
          last {ago(group.last_died_at).replace(' ago', '')}, first {lasts(group.first_died_at)} ago
        </span>
        <Sparkline kind="bars" values={trend} tone={tone} width={84} height={22} />
      </span>
      {came_back > 0 && (
        <span class="note">
          <b>{of} failed again</b> after a requeue
        </span>
      )}
      {escalation?.since && (
        <span class="note">
          Owner {escalation.owner}
          {escalation.decision_why && `: “${escalation.decision_why}”`}
          {escalation.acknowledged_by && `, acknowledged by ${escalation.acknowledged_by}`}
        </span>
      )}
    </a>
  );
}
