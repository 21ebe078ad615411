import type { ClaimCommand, Command, EnqueueCommand, SettleCommand } from '@redrive/durable/store';
import { sizeOf } from './size-of.ts';

/** What one caller brought: carried out in one transaction, in its order, or not at all. */
export interface Batch {
  readonly commands: readonly Command[];
  /** How many commands they count for. */
  readonly size: number;
  /** By the system's monotonic clock: later than this, nobody waits for it any more. */
  readonly endsAtMs: number;
  /** Its caller has given up. Set before it began, it does not happen. */
  abandoned: boolean;
}

/**
 * A step of the hot path: ends of attempts, then new jobs, then a claim, of as many callers as came together. Its
 * commands are in the order of the batches.
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

/** Anything else, of one caller alone. */
export interface MixedStep {
  readonly kind: 'mixed';
  readonly batches: readonly [Batch];
  /** One of its ends of attempts can never be written: that one alone is refused. */
  readonly oneByOne: boolean;
}

export type Step = PlainStep | MixedStep;

/** One statement carries no more than this, which is about 128 MiB: a text has a limit. */
const MAX_PLAIN_SIZE = 8_000;
const MAX_PART_SIZE = 2_000;

/**
 * Puts batches together into as few transactions as possible. Batches of different callers have no order among each
 * other, so the enqueueing of one may come before the claim of another that arrived first.
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
      // By itself, because it waits for no row: what goes with it might, and keep others waiting for what it has locked.
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

/** A batch's commands in their order, those together that one statement can carry out. */
export function partsOf(commands: readonly Command[]): Command[][] {
  const parts: Command[][] = [];
  let part: Command[] = [];
  let order = new PlainOrder();
  let size = 0;
  for (const command of commands) {
    size += sizeOf([command]);
    if (part.length === 0 || size > MAX_PART_SIZE || !order.add(command)) {
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

/** The order of a plain step: ends of attempts, new jobs, a claim, and no job twice. */
class PlainOrder {
  #last = 0;
  readonly #settled = new Set<string>();
  readonly #enqueued = new Set<string>();

  /** Whether this one may come next. */
  add(command: Command): boolean {
    const place = PLACE[command.kind] ?? 0;
    // Behind a claim, and what is no part of a plain step, there is room for nothing, not even another one.
    const fits = place >= this.#last && this.#last !== 3;
    this.#last = place === 0 ? 3 : place;
    if (!fits || place === 0) return false;
    if (command.kind === 'settle') return addNew(this.#settled, command.settlement.id);
    if (command.kind === 'enqueue') return addNew(this.#enqueued, command.job.id);
    return true;
  }
}

/** Whether it has the order of a plain step by itself. */
function isPlain(commands: readonly Command[]): boolean {
  const order = new PlainOrder();
  return commands.every((command) => order.add(command));
}

function addNew(set: Set<string>, id: string): boolean {
  const { size } = set;
  return set.add(id).size > size;
}

/** A set-based statement must not meet a job twice: it would be left to chance which of the two counts. */
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
