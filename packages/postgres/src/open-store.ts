import { newId, systemClock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import { Locators } from './apply/locators.ts';
import { Writer } from './apply/writer.ts';
import { AuditAccess } from './audit/audit-access.ts';
import { beginSnapshot } from './audit/audit-snapshot.ts';
import { poolerCheck } from './connect/check-pooler.ts';
import { checkServer } from './connect/check-server.ts';
import { ConfirmedBlock } from './connect/confirmed-block.ts';
import { Connection, type Session } from './connect/connection.ts';
import { clientSource } from './connect/make-client.ts';
import { applySettings, sessionSetting } from './connect/session-settings.ts';
import { StoreConnections } from './connect/store-connections.ts';
import { FAST_PATHS, type FastPaths } from './fast-paths.ts';
import { LedgerCalls } from './ledger/ledger-calls.ts';
import { Notifications } from './notifications.ts';
import { Operations } from './operation/operations.ts';
import {
  DEFAULT_SCHEMA,
  type PostgresStoreOptions,
  type PostgresTarget,
  resolveStoreOptions,
  resolveTarget,
} from './options.ts';
import { postgresStore } from './postgres-store.ts';
import { Reader } from './query/reader.ts';
import { CURRENT_SCHEMA, functions, type SchemaCode } from './schema/migrations.ts';
import { StoreSchema } from './schema/store-schema.ts';

/**
 * Opens the store of durable jobs in a Postgres database (13 or newer). Everything is in one schema; nothing in `public`.
 * Opening changes nothing: a worker creates or migrates the tables when it starts, and so do `store.migrate()` and
 * `redrive store migrate`. Until then other calls reject with `store_not_found` or `schema_too_old`.
 *
 * The store opens at most four connections of its own, each when it is first needed; see the option `connections`. It
 * needs the server itself or a pooler in session mode.
 *
 * @throws RedriveError `invalid_option`, `store_unavailable`, `store_unsupported`, `store_behind_pooler`, `schema_too_new`.
 */
export function openStore(
  target: string | PostgresTarget,
  options: PostgresStoreOptions = {},
): Promise<FullStore> {
  return openStoreWith(target, options, { audit: true });
}

/** Options that are not for users. */
export interface Internals {
  /** Only the benchmark that shows what the audit costs switches it off. */
  readonly audit: boolean;
  /** Tests plant a schema of another version. */
  readonly code?: SchemaCode;
  /** Tests set other sizes. */
  readonly fastPaths?: FastPaths;
}

/** @internal `openStore` with options that are not public. */
export async function openStoreWith(
  target: string | PostgresTarget,
  options: PostgresStoreOptions,
  { audit, fastPaths = FAST_PATHS, code = codeWith(fastPaths) }: Internals,
): Promise<FullStore> {
  const place = resolveTarget(target);
  const { schema, timeoutMs, migrationTimeoutMs, connections, clock, onWarning } =
    resolveStoreOptions(options, place.inAddress);
  const { name: server, make, fromPool } = clientSource(place, timeoutMs);
  const name = schema === DEFAULT_SCHEMA ? server : `${server}?schema=${schema}`;
  const checkPooler = poolerCheck({ store: name, makeClient: make, fromPool, timeoutMs });
  const writer = audit ? newId('writer', systemClock) : null;
  const confirmed = new ConfirmedBlock({ store: name, schema, writer, warn: onWarning });
  const checkEpoch = {
    text: `select "${schema}".check_epoch(), current_setting('${sessionSetting('chain', schema)}', true)`,
  };
  const tables = new StoreSchema({
    store: name,
    schema,
    code,
    makeClient: make,
    checkPooler,
    timeoutMs,
    migrationTimeoutMs,
  });
  let isServerChecked = false;
  /** The first statements of every new connection. */
  async function begin(session: Session, processId: number | undefined): Promise<void> {
    await checkPooler(session, processId);
    await applySettings(session, timeoutMs);
    if (!isServerChecked) await checkServer(session, name, onWarning);
    isServerChecked = true;
    await tables.check(session);
  }

  /** Every connection that writes begins with it. */
  async function checkHistory(session: Session): Promise<void> {
    const [row] = await session.query(checkEpoch);
    if (row?.[1]) confirmed.inheritsChain();
    await confirmed.check(session);
  }

  const reading = new Connection({
    store: name,
    makeClient: make,
    async prepare(session, processId) {
      await begin(session, processId);
      // With fewer than four connections it writes as well.
      if (connections < 4) await checkHistory(session);
    },
  });
  const look = (): Promise<void> => reading.use(async () => {}, timeoutMs);
  try {
    await tables.opened(look);
  } catch (error) {
    await reading.close(timeoutMs);
    throw error;
  }

  async function beginWriting(session: Session, processId: number | undefined): Promise<void> {
    await begin(session, processId);
    // Calls of functions have one plan. Plans for the values of each call would copy thousands of jobs.
    await session.query({ text: "set plan_cache_mode = 'force_generic_plan'" });
    await checkHistory(session);
  }
  const all = new StoreConnections({
    store: name,
    count: connections,
    timeoutMs,
    reading,
    writing: () => new Connection({ store: name, makeClient: make, prepare: beginWriting }),
    listening: () =>
      new Connection({
        store: name,
        makeClient: make,
        async prepare(session, processId) {
          await beginWriting(session, processId);
          await notifications.listen(session);
        },
        onNotification: ({ payload = '', processId }, ownPid) =>
          notifications.receive(payload, processId === ownPid),
        onLost: () => notifications.lost(),
      }),
  });
  const notifications = new Notifications({
    channel: `redrive_${schema}`,
    timeoutMs,
    connection: all.beating,
  });
  const readingAudit = (): Connection =>
    new Connection({ store: name, makeClient: make, prepare: beginSnapshot(name, begin) });
  const locators = new Locators();
  const writing = { schema, clock, writer, locators, fastPaths, confirmed };

  return postgresStore({
    name,
    timeoutMs,
    migrate: () => tables.migrate(look),
    connections: all,
    fastPaths,
    writer: new Writer({ ...writing, connection: () => all.working }),
    waitingWriter: new Writer({ ...writing, connection: () => all.waiting }),
    controlWriter: new Writer({ ...writing, connection: () => all.controlling }),
    heartbeatReader: new Reader(
      (work, limitMs) => all.beating.share(work, limitMs),
      schema,
      clock,
      timeoutMs,
    ),
    reader: new Reader(all.read, schema, clock, timeoutMs),
    controlReader: new Reader(all.readControls, schema, clock, timeoutMs),
    operations: new Operations({
      schema,
      clock,
      writer,
      fastPaths,
      timeoutMs,
      connection: all.waiting,
    }),
    ledgerCalls: new LedgerCalls({
      store: name,
      schema,
      clock,
      timeoutMs,
      connection: all.working,
    }),
    audit: new AuditAccess({
      run: all.read,
      beginAudit: (limitMs) => all.beginAudit(limitMs),
      connect: readingAudit,
      schema,
      clock,
      timeoutMs,
    }),
    notifications,
  });
}

/** The schema with the functions for these sizes. */
function codeWith(fastPaths: FastPaths): SchemaCode {
  if (fastPaths === FAST_PATHS) return CURRENT_SCHEMA;
  return { ...CURRENT_SCHEMA, functions: (schema) => functions(schema, fastPaths) };
}
