import type { JsonField } from '../command/command-spec.ts';

/** The fields of `recordDocument`, under `at`. */
export const recordFields = (at = ''): JsonField[] => [
  { path: `${at}time`, type: 'time', meaning: "the store's clock, ISO 8601" },
  { path: `${at}event`, type: 'text', meaning: 'what happened: enqueue, claim, settle, read, …' },
  { path: `${at}id`, type: 'text', meaning: 'id of the job or session; for a note, its subject' },
  { path: `${at}from`, type: 'text or null', meaning: 'the state before; null: none' },
  { path: `${at}to`, type: 'text or null', meaning: 'the state after; null: a note' },
  { path: `${at}by`, type: 'text or null', meaning: 'the actor: cli:user@host, a worker, …' },
  { path: `${at}why`, type: 'text or null', meaning: 'the reason that was given' },
  { path: `${at}block`, type: 'number', meaning: 'of the transaction that wrote it' },
  { path: `${at}revision`, type: 'number', meaning: "counts the job's records; 0: a note" },
  { path: `${at}token`, type: 'number', meaning: 'of the newest lease' },
  { path: `${at}generation`, type: 'number', meaning: 'of the job; 0: a note' },
  { path: `${at}executions`, type: 'number', meaning: 'attempts over all generations' },
  {
    path: `${at}detail`,
    type: 'object',
    meaning: 'further fields, depending on the event: see the audit log',
  },
];

/** The fields of `foundDocument`. */
export const foundFields = (at = ''): JsonField[] => [
  ...recordFields(at),
  {
    path: `${at}record`,
    type: 'text',
    meaning: 'the block and the position in it, as audit prove takes it',
  },
];

export const REPLAY_FIELDS: readonly JsonField[] = [
  { path: 'session', type: 'text', meaning: 'its id' },
  {
    path: 'same',
    type: 'boolean',
    meaning: 'true: every derived decision equals the recorded one',
  },
  {
    path: 'omitted',
    type: 'number',
    meaning: 'steps that are not listed, because there are too many',
  },
  { path: 'steps', type: 'list', meaning: 'in the order in which they happened' },
  ...recordFields('steps[].'),
  {
    path: 'steps[].decision',
    type: 'object or null',
    meaning:
      'policy, version of `decide` and `input`; the `recorded` and the `derived` decision, whether they are the `same`; how the `wait` was computed',
  },
];

/** The names that the renderings `audit/v1` and `event/v1` give their events: filters of the log, too. */
export const RENDERED_EVENTS = [
  'retry_attempt',
  'retry_success',
  'retry_failure',
  'retry_exhausted',
  'circuit_breaker_opened',
  'circuit_breaker_closed',
  'idempotency',
] as const;
