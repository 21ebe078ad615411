import type {
  BeginOperation,
  Operation,
  OperationStep,
  OperationStepResult,
} from '../operation/operation.ts';
import {
  afterStep,
  beginDetail,
  endDetail,
  newOperation,
  operationSubject,
  sameOperation,
  stepRefusal,
} from '../operation/operation-step.ts';
import { act } from './act.ts';
import type { Journal } from './journal.ts';
import type { Step } from './step.ts';

/** Acts on many, by their ids. */
export class Operations {
  readonly #operations = new Map<string, Operation>();
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  get(id: string): Operation | undefined {
    return this.#operations.get(id);
  }

  begin(step: Step, begin: BeginOperation): Operation {
    const created = newOperation(begin, step.nowMs);
    const existing = this.#operations.get(begin.id);
    if (existing !== undefined) return sameOperation(existing, begin);
    step.note('act', operationSubject(begin.id), beginDetail(created));
    return this.#put(created);
  }

  step(step: Step, asked: OperationStep): OperationStepResult {
    const operation = this.#operations.get(asked.id);
    const refusal = stepRefusal(operation, asked);
    if (operation === undefined || refusal !== undefined) {
      return refusal ?? { ok: false, refusal: 'not_found' };
    }
    const results = asked.acts.map((command) => act(step, command));
    const after = afterStep(operation, asked, results, step.nowMs);
    if (asked.finished) step.note('act', operationSubject(asked.id), endDetail(after));
    return { ok: true, operation: this.#put(after), results };
  }

  #put(operation: Operation): Operation {
    const { id } = operation;
    const before = this.#operations.get(id);
    this.#journal.changed(() => {
      if (before === undefined) this.#operations.delete(id);
      else this.#operations.set(id, before);
    });
    this.#operations.set(id, operation);
    return operation;
  }
}
