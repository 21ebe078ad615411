import type {
  ActCommand,
  NoteCommand,
  PauseCommand,
  PruneCommand,
  TickCommand,
} from '@redrive/durable/store';

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
  | EncodedNote;

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
];

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
];

export type EncodedNote = readonly [
  kind: 'note',
  event: NoteCommand['event'],
  subject: string,
  detail: string,
];
