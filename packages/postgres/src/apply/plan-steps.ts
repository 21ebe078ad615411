import type { ClaimCommand, Command, EnqueueCommand, SettleCommand } from '@redrive/durable/store';

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
    if (open === undefined || !fits(open, batch.commands)) {
      open = {
        kind: 'plain',
        batches: [],
        settles: [],
        enqueues: [],
        claim: undefined,
        settled: new Set(),
        enqueued: new Set(),
      };
      steps.push(open);
    }
    add(open, batch);
  }
  return steps;
}

const PLACE: Partial<Record<Command['kind'], number>> = { settle: 1, enqueue: 2, claim: 3 };

/** Whether it has the order of a plain step by itself, and names no job twice. */
function isPlain(commands: readonly Command[]): boolean {
  let last = 0;
  const settled = new Set<string>();
  const enqueued = new Set<string>();
  for (const command of commands) {
    const place = PLACE[command.kind] ?? 0;
    // Behind a claim there is room for nothing, not even another one.
    if (place === 0 || place < last || last === 3) return false;
    last = place;
    if (command.kind === 'settle' && !addNew(settled, command.settlement.id)) return false;
    if (command.kind === 'enqueue' && !addNew(enqueued, command.job.id)) return false;
  }
  return true;
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
