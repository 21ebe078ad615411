import type { Clock } from '@redrive/core';
import {
  afterStep,
  type BeginOperation,
  beginDetail,
  checkLimit,
  endDetail,
  newOperation,
  type Operation,
  type OperationPage,
  type OperationStep,
  type OperationStepResult,
  operationPage,
  operationSubject,
  type PageRequest,
  readPlace,
  sameOperation,
  stepRefusal,
} from '@redrive/durable/store';
import { runActs } from '../apply/run-acts.ts';
import type { Connection, Session } from '../connect/connection.ts';
import { isLostRace } from '../connect/errors.ts';
import type { FastPaths } from '../fast-paths.ts';
import { CLOCK_MS } from '../schema/now.ts';
import { OPERATION_COLUMNS, operationValues, readOperation } from './operation-row.ts';

export interface OperationsOptions {
  readonly schema: string;
  /** For tests: where the time comes from. */
  readonly clock: Clock | undefined;
  /** The name that its audit blocks begin with; null: there is no audit. */
  readonly writer: string | null;
  readonly fastPaths: FastPaths;
  readonly timeoutMs: number;
  readonly connection: Connection;
}

const RACES = 5;

/** Acts on many jobs at once. They may wait for a job that somebody else has locked. */
export class Operations {
  readonly #options: OperationsOptions;
  readonly #schema: string;

  constructor(options: OperationsOptions) {
    this.#options = options;
    this.#schema = `"${options.schema}"`;
  }

  begin(begin: BeginOperation): Promise<Operation> {
    return this.#transaction(async (session) => {
      const created = newOperation(begin, await this.#now(session));
      const [inserted] = await session.query({
        name: 'redrive begin_operation',
        text: `insert into ${this.#schema}.operations (${OPERATION_COLUMNS})
          values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing returning 1`,
        values: operationValues(created),
      });
      if (inserted === undefined) {
        const [row] = await this.#find(session, begin.id, '');
        // It is there, by the conflict: only what was finished long ago is ever deleted.
        return sameOperation(row as Operation, begin);
      }
      const note = await this.#note(session, begin.id, beginDetail(created));
      await this.#writeBlock(session, await this.#nextBlock(session), [note]);
      return created;
    });
  }

  step(step: OperationStep): Promise<OperationStepResult> {
    return this.#transaction(async (session) => {
      const [operation] = await this.#find(session, step.id, 'for update');
      const refusal = stepRefusal(operation, step);
      if (operation === undefined || refusal !== undefined) {
        return refusal ?? { ok: false, refusal: 'not_found' };
      }
      const seq = await this.#nextBlock(session);
      const { results, records } = await runActs(session, this.#frame(seq), step.acts);
      const after = afterStep(operation, step, results, await this.#now(session));
      const notes = step.finished ? [await this.#note(session, step.id, endDetail(after))] : [];
      await this.#writeBlock(session, seq, [...records, ...notes]);
      await session.query({
        name: 'redrive step_operation',
        text: `update ${this.#schema}.operations set
          (${OPERATION_COLUMNS}) = ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) where id = $1`,
        values: operationValues(after),
      });
      return { ok: true, operation: after, results };
    });
  }

  find(id: string): Promise<Operation | undefined> {
    return this.#options.connection.use(
      async (session) => (await this.#find(session, id, ''))[0],
      this.#options.timeoutMs,
    );
  }

  /** The newest first. */
  list({ limit, after }: PageRequest): Promise<OperationPage> {
    checkLimit('limit', limit);
    const { atMs = Number.MAX_SAFE_INTEGER, id = '' } = after === undefined ? {} : readPlace(after);
    return this.#options.connection.use(async (session) => {
      const rows = await session.query({
        name: 'redrive operations',
        text: `select ${OPERATION_COLUMNS} from ${this.#schema}.operations
          where (started_at, id) < ($1, $2) order by started_at desc, id desc limit $3`,
        values: [atMs, id, limit + 1],
      });
      return operationPage(rows.map(readOperation), limit);
    }, this.#options.timeoutMs);
  }

  #frame(seq: number | null) {
    const { clock, fastPaths } = this.#options;
    return { schema: this.#schema, nowMs: clock?.now() ?? null, seq, fastPaths };
  }

  /** Tries again when it lost against another transaction: then nothing of it has happened. */
  async #transaction<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const run = async (session: Session): Promise<T> => {
      await session.query({ text: 'begin' });
      try {
        const answer = await work(session);
        await session.query({ text: 'commit' });
        return answer;
      } catch (error) {
        await session.query({ text: 'rollback' });
        throw error;
      }
    };
    for (let race = 1; ; race += 1) {
      try {
        return await this.#options.connection.use(run, this.#options.timeoutMs);
      } catch (error) {
        if (race >= RACES || !isLostRace(error)) throw error;
      }
    }
  }

  async #find(session: Session, id: string, lock: '' | 'for update'): Promise<Operation[]> {
    const rows = await session.query({
      text: `select ${OPERATION_COLUMNS} from ${this.#schema}.operations where id = $1 ${lock}`,
      values: [id],
    });
    return rows.map(readOperation);
  }

  async #now(session: Session): Promise<number> {
    const { clock } = this.#options;
    if (clock !== undefined) return clock.now();
    const [row] = await session.query({ text: `select ${CLOCK_MS}` });
    return Number(row?.[0]);
  }

  /** Number of the transaction's block; null: there is no audit. */
  async #nextBlock(session: Session): Promise<number | null> {
    if (this.#options.writer === null) return null;
    const [row] = await session.query({ text: `select nextval('${this.#schema}.audit_seq')` });
    return Number(row?.[0]);
  }

  async #note(session: Session, id: string, detail: string): Promise<string> {
    const [row] = await session.query({
      name: 'redrive note_operation',
      text: `select * from ${this.#schema}.note($1, 'act', $2, $3)`,
      values: [this.#options.clock?.now() ?? null, operationSubject(id), detail],
    });
    return row?.[0] ?? '';
  }

  async #writeBlock(
    session: Session,
    seq: number | null,
    records: readonly string[],
  ): Promise<void> {
    if (seq === null || records.length === 0) return;
    await session.query({
      name: 'redrive write_operation',
      text: `select ${this.#schema}.write_block($1, $2, $3, $4)`,
      values: [seq, await this.#now(session), this.#options.writer, records.join(',\n')],
    });
  }
}
