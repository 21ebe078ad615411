import type { JobState } from '@redrive/durable';
import {
  changesSql,
  type JobLayout,
  type LifeField,
  leaseRule,
  lifeRule,
  type Rule,
  type TransitionName,
  type TransitionRow,
  type TransitionSql,
} from '@redrive/durable/store';
import { STATES } from './states.ts';

const WAITING: readonly JobState[] = ['scheduled', 'ready', 'parked'];
const FINAL: readonly JobState[] = ['succeeded', 'dead', 'cancelled', 'purged'];

/** The fields that stand in the text `life`, beside the account. */
const IN_LIFE: readonly LifeField[] = [
  'retryCount',
  'errorClass',
  'reason',
  'fingerprint',
  'purgedFrom',
  'purgedAtMs',
  'resultOmittedBytes',
];

/** That text is written as a whole. A claim leaves it alone: `job-row.ts` adds the claim's attempt when it reads the row. */
function lifeText({ account, set }: TransitionRow): Rule | undefined {
  const changes = account === 'given' || account === 'fresh' || IN_LIFE.some((field) => set[field]);
  return changes ? { rule: 'given', name: 'account' } : undefined;
}

const LAYOUT: JobLayout = {
  state: (state) => String(STATES.indexOf(state)),
  greatest: 'max',
  columns: {
    token: { value: lifeRule('token') },
    generation_at: { value: lifeRule('generationAtMs') },
    deadline_at: { value: lifeRule('deadlineMs') },
    cancel_requested: { value: lifeRule('cancelRequested') },
    life: { value: lifeText },
    attempts: { value: lifeRule('attempts') },
    result: { in: FINAL, value: lifeRule('result') },
    lease_until: { in: ['leased'], value: leaseRule('untilMs') },
    // The text has the worker, the beginning and the policy.
    lease: { in: ['leased'], value: leaseRule('worker') },
    leased_key: { in: ['leased'], value: 'limit_key' },
    ready_lane: { in: ['ready'], value: 'lane' },
    due_at: { in: ['scheduled'], value: lifeRule('dueAtMs') },
    release_at: { in: ['parked'], value: lifeRule('dueAtMs') },
    cause: { in: ['parked'], value: lifeRule('cause') },
    expires_at: { in: WAITING, value: 'deadline_at' },
    unique_key: { in: [...WAITING, 'leased'], value: 'unique_key' },
    finished_at: { in: FINAL, value: lifeRule('finishedAtMs') },
    finished_as: { in: FINAL, value: 'state' },
  },
};

/** The list behind `SET` in an update of the hot path. */
export function setSql(name: TransitionName, sql: Omit<TransitionSql, 'of'>): string {
  const changes = changesSql(name, LAYOUT, { of: '', ...sql });
  return [...changes].map(([column, value]) => `${column} = ${value}`).join(', ');
}
