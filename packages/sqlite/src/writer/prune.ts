import type { DatabaseSync } from 'node:sqlite';
import type { PruneResult } from '@redrive/durable/store';
import type { Batches } from '../batch/batches.ts';
import type { EncodedPrune } from '../command/encoded.ts';
import { type Query, query, type Statement, statement } from '../database/statement.ts';
import type { DeadLetters } from '../dead-letter/dead-letters.ts';
import type { EventDocumentTable } from '../event/event-documents.ts';
import { readableLife, rowProblem } from '../job/job-row.ts';
import { decodeLife } from '../job/life-code.ts';
import { Payloads } from '../job/payloads.ts';
import { CANCELLED, DEAD, PURGED, SUCCEEDED, stateOf } from '../job/states.ts';
import type { LedgerTable } from '../ledger/ledger-table.ts';
import type { Operations } from '../operation/operations.ts';
import type { EarlierPayloads } from './act.ts';
import { SetAside } from './set-aside.ts';
import type { Step } from './step.ts';

type OldRow = [
  n: number,
  id: string,
  lane: number,
  state: number,
  revision: number,
  token: number,
  auditBlock: number,
  life: string | null,
  finishedAt: number,
];

const COLUMNS = 'n, id, lane, state, revision, token, audit_block, life, finished_at';

/** Deletes finished jobs with all their rows, idempotency keys and bulk operations, after their retention time. */
export class Prune {
  readonly #old: Query<OldRow>;
  readonly #only: Query<OldRow>;
  readonly #setAside: SetAside;
  readonly #delete: Statement;
  readonly #payloads: Payloads;
  readonly #deadLetters: DeadLetters;
  readonly #earlier: EarlierPayloads;
  readonly #ledger: LedgerTable;
  readonly #operations: Operations;
  readonly #eventDocuments: EventDocumentTable;
  readonly #batches: Batches;
  readonly #forgetSteps: Statement;

  constructor(
    db: DatabaseSync,
    deadLetters: DeadLetters,
    earlier: EarlierPayloads,
    ledger: LedgerTable,
    operations: Operations,
    eventDocuments: EventDocumentTable,
    batches: Batches,
  ) {
    this.#batches = batches;
    this.#eventDocuments = eventDocuments;
    this.#deadLetters = deadLetters;
    this.#earlier = earlier;
    this.#ledger = ledger;
    this.#operations = operations;
    // The oldest of each state: each state has its own time column and index.
    const finished = [SUCCEEDED, CANCELLED, DEAD].map(
      (state) => `SELECT * FROM (SELECT ${COLUMNS}, finished_at AS over_at FROM jobs
        WHERE finished_as = ${state} AND finished_at <= ? ORDER BY finished_at LIMIT ?)`,
    );
    const purged = `SELECT * FROM (SELECT ${COLUMNS}, purged_at AS over_at FROM purged_jobs JOIN jobs USING (n)
      WHERE purged_at <= ? AND finished_as IS NOT NULL ORDER BY purged_at LIMIT ?)`;
    this.#old = query(
      db,
      `SELECT ${COLUMNS} FROM (${[...finished, purged].join(' UNION ALL ')})
       ORDER BY over_at, n LIMIT ?`,
    );
    this.#only = query(
      db,
      `SELECT ${COLUMNS} FROM jobs WHERE id = ? AND revision = ? AND finished_as IS NOT NULL`,
    );
    this.#setAside = new SetAside(db);
    this.#payloads = new Payloads(db);
    this.#delete = statement(db, 'DELETE FROM jobs WHERE n = ?');
    // A step of the clock before the first job separates nothing.
    this.#forgetSteps = statement(
      db,
      'DELETE FROM clock_steps WHERE n <= coalesce((SELECT min(n) FROM jobs), 9007199254740991)',
    );
  }

  prune(step: Step, command: EncodedPrune): PruneResult {
    const [, succeededMs, cancelledMs, deadMs, purgedMs, limit, detail, only] = command;
    const { nowMs } = step;
    // `Infinity` keeps them for ever: no job has finished that long ago.
    const bounds = [succeededMs, cancelledMs, deadMs, purgedMs].map((keptMs) =>
      Math.max(nowMs - keptMs, Number.MIN_SAFE_INTEGER),
    );
    const old =
      only === undefined
        ? this.#old.all(...bounds.flatMap((bound) => [bound, limit]), limit)
        : this.#listed(only, bounds, limit);
    for (const row of old) this.#remove(step, row, detail);
    this.#deadLetters.forgetGroups();
    this.#forgetSteps.run();
    const keys = this.#ledger.prune(nowMs, limit);
    this.#operations.prune(nowMs);
    this.#batches.prune(nowMs);
    return { ok: true, deleted: old.length, more: Math.max(old.length, keys) >= limit };
  }

  /** The jobs of a list that are unchanged and whose retention time has passed. */
  #listed(
    only: NonNullable<EncodedPrune[7]>,
    bounds: readonly number[],
    limit: number,
  ): readonly OldRow[] {
    const [succeeded = 0, cancelled = 0, dead = 0, purged = 0] = bounds;
    const boundOf = new Map([
      [SUCCEEDED, succeeded],
      [CANCELLED, cancelled],
      [DEAD, dead],
      [PURGED, purged],
    ]);
    return only
      .flatMap(([id, revision]) => this.#only.all(id, revision))
      .filter(([, , , state, , , , life, finishedAt]) => {
        const overAt = state === PURGED ? readableLife(life).purgedAtMs : finishedAt;
        return (overAt ?? finishedAt) <= (boundOf.get(state) ?? -Infinity);
      })
      .slice(0, limit);
  }

  #remove(step: Step, row: OldRow, detail: string): void {
    const [n, id, lane, from, revision, token, previousBlock, text, finishedAtMs] = row;
    const problem = rowProblem({ spec: null, life: text, attempts: null });
    if (problem !== undefined) {
      this.#setAside.row(step, n, id, problem);
      return;
    }
    const { account, purgedAtMs, fingerprint } = decodeLife(text);
    const { generation, executions } = account;
    this.#batches.keepCounting(n);
    this.#delete.run(n);
    this.#eventDocuments.forget(n);
    this.#payloads.remove(n);
    this.#deadLetters.remove(n, {
      id,
      state: stateOf(from),
      finishedAtMs,
      purgedAtMs,
      fingerprint,
    });
    this.#earlier.remove(id, generation);
    step.lanes.count(lane, from, null);
    step.record({
      id,
      event: 'prune',
      from,
      to: PURGED,
      revision: revision + 1,
      token,
      generation,
      executions,
      previousBlock,
      detail,
    });
  }
}
