import type { DeadLettersGroupsAnswer } from '@redrive/client';
import { type TierName, tierOf } from '../../components/index.ts';
import { bounded, causeText, num, sentence, whoAndWhy } from '../../format.ts';
import { causeHref, operationHref } from '../../links.ts';
import type { StatusDocument } from '../../status.ts';
import { releaseHref, scopeText } from '../control/scope.ts';

type Group = DeadLettersGroupsAnswer['groups'][number];

/** One thing that only a person can settle. */
export interface Need {
  readonly key: string;
  readonly tier: TierName;
  readonly title: string;
  readonly detail: string;
  readonly since: string | null;
  /** `44 dead`, and how it grows. */
  readonly amount: string;
  readonly growth: string;
  readonly trend?: readonly number[] | undefined;
  readonly href: string;
  readonly step: string;
  readonly hint: string;
  /** For the first lines: `import has been failing since 18:42: orders.csv does not exist`. */
  readonly who: string;
  readonly what: string;
  readonly because?: string;
}

const ORDER: readonly TierName[] = ['lead', 'critical', 'warning'];

/** Everything that needs a person, the worst tier first. */
export function needsOf(status: StatusDocument, groups: readonly Group[]): readonly Need[] {
  return [
    ...status.kill_switches.map(ofKill),
    ...status.escalations.map((escalation) => ofCause(status, escalation, groups)),
    ...status.without_worker.map(ofMissing),
    ...status.operations.filter(({ state }) => state === 'stopped').map(ofOperation),
  ].sort((a, b) => ORDER.indexOf(a.tier) - ORDER.indexOf(b.tier));
}

function ofKill(kill: StatusDocument['kill_switches'][number]): Need {
  const { scope, name, by, why, since, waiting } = kill;
  return {
    key: `kill:${scope}:${name}`,
    tier: 'critical',
    title: `Kill switch on ${scopeText(kill, 'everything')}`,
    detail: whoAndWhy(by, why),
    since,
    amount: waiting === null ? 'jobs wait' : `${bounded(waiting, kill.bounded)} wait`,
    growth: waiting === null ? 'not counted by tenant' : '',
    href: releaseHref(kill),
    step: 'Release…',
    hint: 'Only a person can release it',
    who: name ?? 'everything',
    what: 'has been stopped by a kill switch',
  };
}

function ofCause(
  status: StatusDocument,
  { key, kind, title, tier, stuck, failed, stuck_since }: StatusDocument['escalations'][number],
  groups: readonly Group[],
): Need {
  const failing = status.failing.find(({ fingerprint }) => fingerprint === key);
  const group = groups.find(({ fingerprint }) => fingerprint === key);
  const handlers = failing?.handlers ?? group?.handlers ?? [];
  const isCause = kind === 'cause';
  const cause = isCause ? causeText(title) : title;
  const again = group?.came_back ?? 0;
  const reasons = group?.reason_codes ?? [];
  const isFinal = reasons.includes('final_error');
  const perMinute = failing?.per_minute ?? 0;
  return {
    key,
    tier: tierOf(tier),
    title: cause,
    detail: [handlers.join(', ') || kind, reasons.join(', ')].filter(Boolean).join(' · '),
    since: failing?.since ?? group?.first_died_at ?? stuck_since,
    amount: failed > 0 ? `${num(failed)} dead` : `${num(stuck)} stuck`,
    growth:
      again > 0
        ? `${num(again)} failed again`
        : perMinute >= 0.1
          ? `+${num(perMinute)} per min`
          : '',
    trend: group?.trend,
    href: !isCause ? '/stuck' : failed > 0 ? causeHref(key) : '/control',
    step: isCause ? 'Open cause' : 'Open documents',
    hint:
      again > 0
        ? 'Requeue did not help: edit it'
        : isFinal
          ? 'Fix the cause, then requeue'
          : 'Fix the cause first',
    who: handlers[0] ?? title,
    what: 'has been failing',
    because: cause,
  };
}

function ofMissing(missing: StatusDocument['without_worker'][number]): Need {
  const { handler, queues, ready, scheduled, parked } = missing;
  return {
    key: `worker:${handler}`,
    tier: 'critical',
    title: `No worker runs ${handler}`,
    detail: `queue ${queues.join(', ')}`,
    since: null,
    amount: `${num(ready + scheduled + parked)} wait`,
    growth: '',
    href: '/health',
    step: 'Show workers',
    hint: 'Start a worker that has this handler',
    who: handler,
    what: 'waits: no worker runs it',
  };
}

function ofOperation(operation: StatusDocument['operations'][number]): Need {
  const { id, act, ramp, came_back, started_at } = operation;
  return {
    key: `operation:${id}`,
    tier: 'warning',
    title: `Ramp stopped ${act} ${id}`,
    detail: `bulk operation · stage ${ramp?.stage ?? 1} of ${ramp?.stages.length ?? 1}`,
    since: operation.updated_at ?? started_at,
    amount: `${num(came_back)} of ${num(operation.done)}`,
    growth: 'failed again',
    href: operationHref(id),
    step: 'Open operation',
    hint: 'Resume or abort it',
    who: act,
    what: `${id} is stopped: its items fail again`,
  };
}

export interface Verdict {
  readonly first: string;
  readonly second: string;
}

/** `Two problems are critical. Three more need a person.` */
export function verdictOf(needs: readonly Need[]): Verdict {
  const critical = needs.filter(({ tier }) => tier !== 'warning').length;
  const rest = needs.length - critical;
  if (needs.length === 0) return { first: 'Nothing needs a person.', second: '' };
  if (critical === 0) {
    return {
      first: `${sentence(rest, 'problem needs', 'problems need')} a person.`,
      second: '',
    };
  }
  return {
    first: `${sentence(critical, 'problem is', 'problems are')} critical.`,
    second: rest === 0 ? '' : `${sentence(rest, 'more needs', 'more need')} a person.`,
  };
}
