import { isRedriveError, RedriveError } from '@redrive/core';
import type { Client } from 'pg';
import { Connection, type Session } from '../connect/connection.ts';
import { applySettings } from '../connect/session-settings.ts';
import { checkSchema, isSchemaMissing } from './found-schema.ts';
import { migrate } from './migrate.ts';
import type { SchemaCode } from './migrations.ts';

export interface StoreSchemaOptions {
  /** The store's name, for errors. */
  readonly store: string;
  readonly schema: string;
  readonly code: SchemaCode;
  readonly makeClient: () => Client;
  /** The first thing on the connection that migrates. */
  readonly checkPooler: (session: Session, processId: number | undefined) => Promise<void>;
  readonly timeoutMs: number;
  readonly migrationTimeoutMs: number;
}

/** The tables of one store: whether they can be used, and how they are made. */
export class StoreSchema {
  readonly #options: StoreSchemaOptions;

  constructor(options: StoreSchemaOptions) {
    this.#options = options;
  }

  /**
   * Every connection begins with it, apart from the one that migrates: a schema may change while a process runs.
   *
   * @throws RedriveError `store_not_found`, `schema_too_old`, `schema_too_new`.
   */
  check(session: Session): Promise<void> {
    return checkSchema(session, this.#options.code, this.#options);
  }

  /**
   * Resolves also where the tables are missing or old. Whether somebody makes them shows later: a worker does, and all
   * other calls say that they are missing.
   *
   * @param look uses a connection that begins with `check`.
   */
  async opened(look: () => Promise<void>): Promise<void> {
    const problem = await problemOf(look);
    if (problem !== undefined && !isSchemaMissing(problem)) throw problem;
  }

  /** Makes the tables, or brings them up to date. A role that may only use them may call it where there is nothing to do. */
  async migrate(look: () => Promise<void>): Promise<void> {
    const problem = await problemOf(look);
    if (problem === undefined) return;
    if (!isSchemaMissing(problem)) throw problem;
    const { store, makeClient, checkPooler, timeoutMs, migrationTimeoutMs } = this.#options;
    // A connection of its own: it takes longer than any other call, and its settings go with it.
    const connection = new Connection({
      store,
      makeClient,
      async prepare(session, processId) {
        await checkPooler(session, processId);
        await applySettings(session, migrationTimeoutMs);
      },
    });
    // Calls that wait behind it for a table wait for half of their time.
    const options = { ...this.#options, lockTimeoutMs: Math.ceil(timeoutMs / 5) };
    try {
      await connection.use((session) => migrate(session, options), migrationTimeoutMs);
    } catch (error) {
      throw isRedriveError(error, 'store_forbidden') ? notAllowed(error) : error;
    } finally {
      await connection.close(timeoutMs);
    }
  }
}

function problemOf(look: () => Promise<void>): Promise<unknown> {
  return look().then(
    () => undefined,
    (error: unknown) => error,
  );
}

function notAllowed(error: RedriveError): RedriveError {
  const message = `${error.message} A role that changes tables must own the schema, or be allowed to create it: run "redrive store migrate" with such a role, or print its SQL with --dry-run.`;
  return new RedriveError('store_forbidden', message, error.details, { cause: error });
}
