import { RedriveError } from '@redrive/core';
import { checkControl } from '../control/check-control.ts';
import type { ControlCommand, ControlResult } from '../control/control-store.ts';
import type { Command, Result } from '../store/commands.ts';
import { act, settle } from './act.ts';
import { claim } from './claim.ts';
import type { ControlTable } from './controls.ts';
import { enqueue } from './enqueue.ts';
import type { EventDocumentTable } from './event-documents.ts';
import type { LedgerTable } from './ledger.ts';
import type { Operations } from './operations.ts';
import type { RateTable } from './rates.ts';
import type { Step } from './step.ts';
import { prune, release, tick } from './upkeep.ts';

/** The parts of a store besides its jobs. */
export interface Tables {
  readonly controls: ControlTable;
  readonly operations: Operations;
  readonly ledgers: LedgerTable;
  readonly eventDocuments: EventDocumentTable;
  readonly rates: RateTable;
}

/** Carries out one command of a step. @throws RedriveError `invalid_option` for a command that is not known. */
export function carryOut(step: Step, command: Command, tables: Tables): Result {
  const { controls, operations, ledgers, eventDocuments, rates } = tables;
  switch (command.kind) {
    case 'enqueue':
      return enqueue(step, command);
    case 'claim':
      return claim(step, command, controls, rates);
    case 'settle':
      return settle(step, command);
    case 'act':
      return act(step, command);
    case 'tick':
      return tick(step, command);
    case 'prune':
      ledgers.prune(step.nowMs);
      operations.prune(step.nowMs);
      rates.prune(step.nowMs);
      try {
        return prune(step, command);
      } finally {
        eventDocuments.prune();
      }
    case 'note':
      if (command.once === undefined || ledgers.isFirst(command.once, step.nowMs)) {
        step.note(command.event, command.subject, command.detail);
      }
      return { ok: true };
    case 'control':
      return control(step, command, controls);
    case 'batch':
      return step.table.batches.change(step, command);
    case 'end_batches':
      return step.table.batches.end(step, command, (follows) => void enqueue(step, follows));
    case 'release':
      return release(step, command);
    default:
      throw new RedriveError('invalid_option', 'A store does not know this command', { command });
  }
}

function control(step: Step, command: ControlCommand, controls: ControlTable): ControlResult {
  const { of, key, note, document } = command;
  checkControl(command);
  const answer = controls.change(command);
  if (!answer.ok) return answer;
  if (note !== undefined) step.note('control', `${of}:${key}`, note);
  step.changes.add('control');
  if (of === 'kill' && document === undefined) step.changes.add('ready');
  return answer;
}
