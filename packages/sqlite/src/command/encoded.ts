import type {
  ActCommand,
  ErrorFingerprint,
  NoteCommand,
  PauseCommand,
  PruneCommand,
  TickCommand,
} from '@redrive/durable/store';
import type { EncodedLedger } from '../ledger/encoded-ledger.ts';

// Commands on their way to the writer: flat lists of plain values, because copying an object to another thread costs
// several times as much as copying what is in it. Texts that are only stored are made before they cross.

export type Encoded =
  | EncodedEnqueue
  | EncodedSettle
  | EncodedClaim
  | EncodedAct
  | EncodedPause
  | EncodedTick
  | EncodedPrune
  | EncodedNote
  | EncodedLedger;

export type EncodedEnqueue = readonly [
  kind: 'enqueue',
  id: string,
  queue: string,
  handler: string,
  tenant: string,
  priority: number,
  uniqueKey: string | null,
  limitKey: string | null,
  spec: string | null,
  payload: string | Uint8Array,
  dueAtMs: number | null,
  dueInMs: number | null,
  deadlineAtMs: number | null,
  deadlineInMs: number | null,
  onConflict: 'existing' | 'refuse' | 'replace',
  life: string | null,
  generation: number,
  executions: number,
  detail: string,
];

/** The places in an `EncodedEnqueue`: taking a list of 19 apart costs more than looking at each. */
export const ENQUEUE = {
  id: 1,
  queue: 2,
  handler: 3,
  tenant: 4,
  priority: 5,
  uniqueKey: 6,
  limitKey: 7,
  spec: 8,
  payload: 9,
  dueAtMs: 10,
  dueInMs: 11,
  deadlineAtMs: 12,
  deadlineInMs: 13,
  onConflict: 14,
  life: 15,
  generation: 16,
  executions: 17,
  detail: 18,
} as const;

export type EncodedSettle = readonly [
  kind: 'settle',
  id: string,
  token: number,
  byRescue: boolean,
  /** Place in STATES. */
  to: number,
  dueInMs: number,
  cause: string | null,
  /** The account says that an attempt still runs: it cannot have been settled. */
  isRunning: boolean,
  life: string,
  attempts: string | null,
  result: string | null,
  generation: number,
  executions: number,
  detail: string,
  /** Where it leads to `dead`. */
  group: ErrorFingerprint | undefined,
];

/** The places in an `EncodedSettle`. */
export const SETTLE = {
  id: 1,
  token: 2,
  byRescue: 3,
  to: 4,
  dueInMs: 5,
  cause: 6,
  isRunning: 7,
  life: 8,
  attempts: 9,
  result: 10,
  generation: 11,
  executions: 12,
  detail: 13,
  group: 14,
} as const;

export type EncodedClaim = readonly [
  kind: 'claim',
  worker: string,
  leaseMs: number,
  limit: number,
  ahead: number,
  afterTenant: string | null,
  queues: readonly string[] | null,
  lanes: readonly EncodedLane[],
];

export type EncodedLane = readonly [
  handler: string,
  limit: number,
  policyHash: string,
  maxAttempts: number,
  limitPerKey: number,
  detail: string,
];

export type EncodedAct = readonly [
  kind: 'act',
  act: ActCommand['act'],
  id: string,
  deadlineAtMs: number | null,
  deadlineInMs: number | null,
  detail: string,
  generation: number | undefined,
  payload: string | Uint8Array | undefined,
  by: string,
];

export type EncodedPause = readonly [
  kind: 'pause' | 'resume',
  scope: PauseCommand['scope'],
  name: string,
  by: string,
  why: string | null,
  detail: string,
];

export type EncodedTick = readonly [kind: 'tick', limit: TickCommand['limit'], detail: string];

export type EncodedPrune = readonly [
  kind: 'prune',
  succeededAfterMs: number,
  cancelledAfterMs: number,
  deadAfterMs: number,
  purgedAfterMs: number,
  limit: PruneCommand['limit'],
  detail: string,
  only: readonly (readonly [id: string, revision: number])[] | undefined,
];

export type EncodedNote = readonly [
  kind: 'note',
  event: NoteCommand['event'],
  subject: string,
  detail: string,
];
