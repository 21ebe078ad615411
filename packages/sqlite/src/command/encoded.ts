import type { ErrorFingerprint } from '@redrive/durable/dead-letters';
import type {
  ActCommand,
  BatchCommand,
  ClaimRate,
  ControlKind,
  EndBatchesCommand,
  NoteCommand,
  PruneCommand,
  ReleaseCommand,
  TickCommand,
} from '@redrive/durable/store';
import type { EncodedEventDocuments } from '../event/event-documents.ts';
import type { EncodedLedger } from '../ledger/ledger-table.ts';
import type { EncodedWorker } from '../live-workers/worker-table.ts';

// Commands on their way to the writer: flat lists of plain values, because copying an object to another thread costs
// twice as much as copying a list of what is in it (20 fields: 1.03 against 0.47 µs; a row of a job: 1.29 against 0.55).
// Texts that are only stored are made before they cross.

export type Encoded =
  | EncodedEnqueue
  | EncodedSettle
  | EncodedClaim
  | EncodedAct
  | EncodedTick
  | EncodedPrune
  | EncodedNote
  | EncodedControl
  | EncodedRelease
  | readonly ['batch', BatchCommand]
  | readonly ['end_batches', EndBatchesCommand]
  | EncodedLedger
  | EncodedWorker
  | EncodedEventDocuments;

/** A job's own part. The rest is the same object for jobs that have it in common, and so crosses once per message. */
export type EncodedEnqueue = readonly [
  kind: 'enqueue',
  template: EnqueueTemplate,
  id: string,
  payload: string | Uint8Array,
];

/** The places in an `EncodedEnqueue`. */
export const ENQUEUE = { template: 1, id: 2, payload: 3 } as const;

export type EnqueueTemplate = readonly [
  queue: string,
  handler: string,
  tenant: string,
  priority: number,
  uniqueKey: string | null,
  limitKey: string | null,
  spec: string | null,
  dueAtMs: number | null,
  dueInMs: number | null,
  deadlineAtMs: number | null,
  deadlineInMs: number | null,
  onConflict: 'existing' | 'refuse' | 'replace',
  life: string | null,
  generation: number,
  executions: number,
  detail: string,
  attempts: string | null,
  /** The group of a job that is dead from the start. */
  dead: ErrorFingerprint | null,
  uniqueForMs: number | null,
  digest: string | null,
  batch: string | null,
];

/** The places in an `EnqueueTemplate`: taking a long list apart costs more than looking at each. */
export const ENQUEUE_TEMPLATE = {
  queue: 0,
  handler: 1,
  tenant: 2,
  priority: 3,
  uniqueKey: 4,
  limitKey: 5,
  spec: 6,
  dueAtMs: 7,
  dueInMs: 8,
  deadlineAtMs: 9,
  deadlineInMs: 10,
  onConflict: 11,
  life: 12,
  generation: 13,
  executions: 14,
  detail: 15,
  attempts: 16,
  dead: 17,
  uniqueForMs: 18,
  digest: 19,
  batch: 20,
} as const;

/** A settlement. Successes share one template. */
export type EncodedSettle = readonly [
  kind: 'settle',
  template: SettleTemplate,
  id: string,
  token: number,
  attempts: string | null,
  result: string | null,
  /** See `RecordDetail`. */
  own: string | undefined,
  /** Jobs that are stored with it. */
  follow: readonly EncodedEnqueue[] | undefined,
];

/** The places in an `EncodedSettle`. */
export const SETTLE = {
  template: 1,
  id: 2,
  token: 3,
  attempts: 4,
  result: 5,
  own: 6,
  follow: 7,
} as const;

export type SettleTemplate = readonly [
  byRescue: boolean,
  /** Place in STATES. */
  to: number,
  dueInMs: number,
  cause: string | null,
  /** The account says that an attempt still runs: it cannot have been settled. */
  isRunning: boolean,
  life: string,
  generation: number,
  executions: number,
  detail: string,
  /** Where it leads to `dead`. */
  group: ErrorFingerprint | undefined,
];

/** The places in a `SettleTemplate`. */
export const SETTLE_TEMPLATE = {
  byRescue: 0,
  to: 1,
  dueInMs: 2,
  cause: 3,
  isRunning: 4,
  life: 5,
  generation: 6,
  executions: 7,
  detail: 8,
  group: 9,
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
  /** `Infinity`: any number. */
  maxLosses: number,
  only: readonly string[] | null,
  alone: boolean,
  rates: readonly ClaimRate[],
];

/** The places in an `EncodedClaim`. */
export const CLAIM = {
  worker: 1,
  leaseMs: 2,
  limit: 3,
  ahead: 4,
  afterTenant: 5,
  queues: 6,
  lanes: 7,
  maxLosses: 8,
  only: 9,
  alone: 10,
  rates: 11,
} as const;

export type EncodedLane = readonly [
  handler: string,
  limit: number,
  policyHash: string,
  limitPerKey: number,
  detail: string,
];

/** The places in an `EncodedLane`. */
export const LANE = {
  handler: 0,
  limit: 1,
  policyHash: 2,
  limitPerKey: 3,
  detail: 4,
} as const;

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
  group: ActCommand['group'],
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
  once: NoteCommand['once'],
];

export type EncodedControl = readonly [
  kind: 'control',
  of: ControlKind,
  key: string,
  expect: number,
  document: string | null,
  note: string | null,
];

/** The places in an `EncodedControl`. */
export const CONTROL = { document: 4, note: 5 } as const;

export type EncodedRelease = readonly [
  kind: 'release',
  cause: string,
  limit: ReleaseCommand['limit'],
  inTurn: boolean,
  detail: string,
];
