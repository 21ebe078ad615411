import type { ClaimCommand, Command, EnqueueCommand, SettleCommand } from '@redrive/durable/store';

/** What one caller brought: carried out in one transaction, in its order, or not at all. */
export interface Batch {
  readonly commands: readonly Command[];
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
  readonly ids: Set<string>;
}

/** Anything else, of one caller alone. */
export interface MixedStep {
  readonly kind: 'mixed';
  readonly batches: readonly [Batch];
}

export type Step = PlainStep | MixedStep;

/**
 * Puts batches together into as few transactions as possible. Batches of different callers have no order among each
 * other, so the enqueueing of one may come before the claim of another that arrived first.
 */
export function planSteps(batches: readonly Batch[]): Step[] {
  const steps: Step[] = [];
  let open: PlainStep | undefined;
  for (const batch of batches) {
    if (!isPlain(batch.commands)) {
      steps.push({ kind: 'mixed', batches: [batch] });
      continue;
    }
    if (open === undefined || !fits(open, batch.commands)) {
      open = {
        kind: 'plain',
        batches: [],
        settles: [],
        enqueues: [],
        claim: undefined,
        ids: new Set(),
      };
      steps.push(open);
    }
    add(open, batch);
  }
  return steps;
}

const PLACE: Partial<Record<Command['kind'], number>> = { settle: 0, enqueue: 1, claim: 2 };

/** Whether it has the order of a plain step by itself, and names no job twice. */
function isPlain(commands: readonly Command[]): boolean {
  let place = 0;
  const ids = new Set<string>();
  for (const command of commands) {
    const its = PLACE[command.kind];
    if (its === undefined || its < place) return false;
    if (command.kind === 'claim') {
      // Behind a claim there is room for nothing, not even another one.
      if (place === 3) return false;
      place = 3;
    } else {
      place = its;
      const key = keyOf(command);
      if (key !== undefined) {
        if (ids.has(key)) return false;
        ids.add(key);
      }
    }
  }
  return true;
}

function fits(step: PlainStep, commands: readonly Command[]): boolean {
  for (const command of commands) {
    if (command.kind === 'claim' && step.claim !== undefined) return false;
    const key = keyOf(command);
    if (key !== undefined && step.ids.has(key)) return false;
  }
  return true;
}

function add(step: PlainStep, batch: Batch): void {
  step.batches.push(batch);
  for (const command of batch.commands) {
    const key = keyOf(command);
    if (key !== undefined) step.ids.add(key);
    if (command.kind === 'settle') step.settles.push(command);
    else if (command.kind === 'enqueue') step.enqueues.push(command);
    else if (command.kind === 'claim') step.claim = command;
  }
}

/** What a set-based statement must not meet twice: of two, it would be left to chance which one counts. */
function keyOf(command: Command): string | undefined {
  if (command.kind === 'settle') return `s${command.settlement.id}`;
  if (command.kind === 'enqueue') return `e${command.job.id}`;
  return undefined;
}
