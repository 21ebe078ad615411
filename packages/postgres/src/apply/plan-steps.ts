import {
  type ClaimCommand,
  type Command,
  commandSize,
  type EnqueueCommand,
  type NoteCommand,
  type SettleCommand,
} from '@redrive/durable/store';

/** The commands of one caller: carried out in one transaction, in their order, or not at all. */
export interface Batch {
  readonly commands: readonly Command[];
  /** The size of the batch, counted in commands. */
  readonly size: number;
  /** The end of the caller's wait, by the system's monotonic clock. */
  readonly endsAtMs: number;
  /** The caller has given up. If this is set before the step begins, the batch is not carried out. */
  abandoned: boolean;
}

/**
 * A step of the hot path: settlements, then new jobs, then a claim, of all callers that arrived together. Its commands
 * are in the order of the batches.
 */
export interface PlainStep {
  readonly kind: 'plain';
  readonly batches: Batch[];
  readonly settles: SettleCommand[];
  readonly enqueues: EnqueueCommand[];
  claim: ClaimCommand | undefined;
  /** Ids that are in it already. */
  readonly settled: Set<string>;
  readonly enqueued: Set<string>;
}

/** All other commands, of one caller alone. */
export interface MixedStep {
  readonly kind: 'mixed';
  readonly batches: readonly [Batch];
  /** The server can never store one of its settlements: each is tried by itself, and only that one is refused. */
  readonly oneByOne: boolean;
}

export type Step = PlainStep | MixedStep;

/** The largest size of one statement, about 128 MiB: Postgres limits the length of a text. */
const MAX_PLAIN_SIZE = 8_000;
const MAX_PART_SIZE = 2_000;

/**
 * Combines batches into as few transactions as possible. Batches of different callers have no order, so an enqueue of one
 * caller may be carried out before the claim of another that arrived earlier.
 */
export function planSteps(batches: readonly Batch[]): Step[] {
  const steps: Step[] = [];
  let open: PlainStep | undefined;
  for (const batch of batches) {
    if (batch.size > MAX_PLAIN_SIZE || !isPlain(batch.commands)) {
      steps.push({ kind: 'mixed', batches: [batch], oneByOne: false });
      continue;
    }
    if (batch.commands.some(isRescue)) {
      // A step of its own. A rescue waits for no row; other commands of the step might, while it holds its locks.
      const alone = newStep();
      add(alone, batch);
      steps.push(alone);
      continue;
    }
    if (open === undefined || !fits(open, batch.commands)) {
      open = newStep();
      steps.push(open);
    }
    add(open, batch);
  }
  return steps;
}

function newStep(): PlainStep {
  return {
    kind: 'plain',
    batches: [],
    settles: [],
    enqueues: [],
    claim: undefined,
    settled: new Set(),
    enqueued: new Set(),
  };
}

function isRescue(command: Command): boolean {
  return command.kind === 'settle' && command.settlement.by === 'expired';
}

/** Splits the commands of a batch, in their order, into parts that one statement can carry out. */
export function partsOf(commands: readonly Command[]): Command[][] {
  const parts: Command[][] = [];
  let part: Command[] = [];
  let order = new PlainOrder();
  let size = 0;
  for (const command of commands) {
    size += sizeOf([command]);
    const continues = isNote(command)
      ? part.every(isNote)
      : isFollowed(command)
        ? part.every(isFollowed) && !part.some((each) => isSame(each, command))
        : order.add(command);
    if (part.length === 0 || size > MAX_PART_SIZE || !continues) {
      part = [];
      parts.push(part);
      order = new PlainOrder();
      order.add(command);
      size = sizeOf([command]);
    }
    part.push(command);
  }
  return parts;
}

const PLACE: Partial<Record<Command['kind'], number>> = { settle: 1, enqueue: 2, claim: 3 };

/** Checks the order of a plain step: settlements, new jobs, one claim, and no job twice. */
class PlainOrder {
  #last = 0;
  readonly #settled = new Set<string>();
  readonly #enqueued = new Set<string>();

  /** Whether this command may come next. */
  add(command: Command): boolean {
    const place = isDead(command) || isFollowed(command) ? 0 : (PLACE[command.kind] ?? 0);
    // Nothing may follow a claim, nor a command that is not part of a plain step.
    const fits = place >= this.#last && this.#last !== 3;
    this.#last = place === 0 ? 3 : place;
    if (!fits || place === 0) return false;
    if (command.kind === 'settle') return addNew(this.#settled, command.settlement.id);
    if (command.kind === 'enqueue') return addNew(this.#enqueued, command.job.id);
    return true;
  }
}

/** Dead letters that were never jobs are rare: each has its own statement. */
export function isDead(command: Command): boolean {
  return command.kind === 'enqueue' && command.dead !== undefined;
}

/** Settlements that store jobs need the answer about them before they are committed. */
export function isFollowed(command: Command): command is SettleCommand {
  return command.kind === 'settle' && (command.settlement.follow ?? []).length > 0;
}

function isSame(a: Command, { settlement }: SettleCommand): boolean {
  return a.kind === 'settle' && a.settlement.id === settlement.id;
}

/** A note that nothing keeps from being written. */
export function isNote(command: Command): command is NoteCommand {
  return command.kind === 'note' && command.once === undefined;
}

/** Whether these commands are in the order of a plain step. */
function isPlain(commands: readonly Command[]): boolean {
  const order = new PlainOrder();
  return commands.every((command) => order.add(command));
}

function addNew(set: Set<string>, id: string): boolean {
  const { size } = set;
  return set.add(id).size > size;
}

/** One statement must not have a job twice: it would be undefined which of the two applies. */
function fits({ settled, enqueued, claim }: PlainStep, commands: readonly Command[]): boolean {
  return commands.every((command) => {
    if (command.kind === 'settle') return !settled.has(command.settlement.id);
    if (command.kind === 'enqueue') return !enqueued.has(command.job.id);
    return claim === undefined;
  });
}

function add(step: PlainStep, batch: Batch): void {
  step.batches.push(batch);
  for (const command of batch.commands) {
    if (command.kind === 'settle') {
      step.settles.push(command);
      step.settled.add(command.settlement.id);
    } else if (command.kind === 'enqueue') {
      step.enqueues.push(command);
      step.enqueued.add(command.job.id);
    } else if (command.kind === 'claim') {
      step.claim = command;
    }
  }
}

/** The size of these commands, counted in commands. */
export function sizeOf(commands: readonly Command[]): number {
  return commands.reduce((sum, command) => sum + sizeOfOne(command), 0);
}

function sizeOfOne(command: Command): number {
  switch (command.kind) {
    case 'enqueue': {
      const { payload } = command.job;
      // A byte is encoded as two hex digits.
      return commandSize(payload.kind === 'json' ? payload.text.length : 2 * payload.bytes.length);
    }
    case 'settle':
      return (
        commandSize(command.settlement.result?.length ?? 0) +
        sizeOf(command.settlement.follow ?? [])
      );
    default:
      return 1;
  }
}

/** Whether a command may have to wait for another transaction, or takes long because of one. */
export function mayWaitForOthers(command: Command): boolean {
  switch (command.kind) {
    case 'enqueue':
      return [command.job.uniqueKey, command.job.digest, command.job.batch].some(isGiven);
    case 'settle':
      return command.settlement.follow?.some(mayWaitForOthers) ?? false;
    // A note that is written once per key waits for a transaction that is writing the same key.
    case 'note':
      return command.once !== undefined;
    // An enqueue in a caller's transaction may have locked the job to replace it.
    case 'act':
    case 'batch':
    case 'end_batches':
    case 'control':
    // While an old transaction is open, each batch must scan the rows that were deleted before it.
    case 'prune':
      return true;
    default:
      return false;
  }
}

function isGiven(value: string | undefined): boolean {
  return value !== undefined;
}
