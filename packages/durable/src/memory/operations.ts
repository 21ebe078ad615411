import type {
  BeginOperation,
  JobStanding,
  Operation,
  OperationPage,
  OperationStep,
  OperationStepResult,
} from '../operation/operation.ts';
import {
  afterStep,
  beginDetail,
  endDetail,
  newOperation,
  OPERATION_KEPT_MS,
  operationPage,
  operationSubject,
  sameOperation,
  stepRefusal,
} from '../operation/operation-step.ts';
import { checkLimit, type PagePlace, readPlace } from '../store/page.ts';
import type { PageRequest } from '../store/store.ts';
import { act } from './act.ts';
import { compareText } from './compare-text.ts';
import type { JobTable } from './job-table.ts';
import type { Journal } from './journal.ts';
import type { Step } from './step.ts';

/** Bulk operations, by their ids. */
export class Operations {
  readonly #operations = new Map<string, Operation>();
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  list({ limit, after }: PageRequest): OperationPage {
    checkLimit('limit', limit);
    const before = after === undefined ? undefined : readPlace(after);
    const all = [...this.#operations.values()]
      .sort(newestFirst)
      .filter((operation) => before === undefined || newestFirst(operation, placed(before)) > 0);
    return operationPage(all, limit);
  }

  /** Deletes operations that were finished long ago. */
  prune(nowMs: number): void {
    for (const [id, operation] of this.#operations) {
      const { state, updatedAtMs } = operation;
      if (state !== 'finished' || updatedAtMs + OPERATION_KEPT_MS > nowMs) continue;
      this.#journal.changed(() => this.#operations.set(id, operation));
      this.#operations.delete(id);
    }
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

type Placed = Pick<Operation, 'startedAtMs' | 'id'>;

function newestFirst(a: Placed, b: Placed): number {
  return b.startedAtMs - a.startedAtMs || compareText(b.id, a.id);
}

function placed({ atMs, id }: PagePlace): Placed {
  return { startedAtMs: atMs, id };
}

/** The standing of each job that exists. */
export function standingsOf(table: JobTable, ids: readonly string[]): JobStanding[] {
  return table.all(ids).map(({ id, state, cause, account: { generation, entries } }) => {
    return { id, generation, state, failed: entries.failed + entries.rate_limited, cause };
  });
}
