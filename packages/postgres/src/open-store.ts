import type { FullStore } from '@redrive/durable/store';
import { Locators } from './apply/locators.ts';
import { Writer } from './apply/writer.ts';
import { AuditAccess } from './audit/audit-access.ts';
import { checkServer } from './connect/check-server.ts';
import { Connection } from './connect/connection.ts';
import { clientSource } from './connect/make-client.ts';
import { applySettings, INDEX_ONLY } from './connect/session-settings.ts';
import { LedgerCalls } from './ledger/ledger-calls.ts';
import { Notifications } from './notifications.ts';
import { Operations } from './operation/operations.ts';
import {
  type PostgresStoreOptions,
  type PostgresTarget,
  resolveStoreOptions,
  resolveTarget,
} from './options.ts';
import { postgresStore } from './postgres-store.ts';
import { Reader } from './query/reader.ts';
import { findSchema, isUsable } from './schema/found-schema.ts';
import { migrate } from './schema/migrate.ts';
import { CURRENT_SCHEMA, type SchemaCode } from './schema/migrations.ts';

/**
 * Opens the store of durable jobs in a Postgres database (13 or newer), and brings its schema up to date. Everything is
 * in one schema; nothing in `public`.
 *
 * The store makes up to eight connections of its own, each when it is first needed: one that commits, one for commits that
 * may have to wait for somebody else's, one for heartbeats, one for LISTEN and NOTIFY, one that reads, one for idempotency
 * keys, one for acts on many jobs, one that seals the audit log; and one for each `readAudit()` that is open. LISTEN needs the server itself or a pooler in session mode.
 *
 * @throws RedriveError `invalid_option`, `store_unavailable`, `store_unsupported`, `schema_too_new`.
 */
export function openStore(
  target: string | PostgresTarget,
  options: PostgresStoreOptions = {},
): Promise<FullStore> {
  return openStoreWith(target, options, { audit: true });
}

/** What is no option of users. */
export interface Internals {
  /** Only the benchmark that shows what the audit costs switches it off. */
  readonly audit: boolean;
  /** Tests plant a schema of another version. */
  readonly code?: SchemaCode;
}

/** @internal `openStore` with what is not to be had from outside. */
export async function openStoreWith(
  target: string | PostgresTarget,
  options: PostgresStoreOptions,
  { audit, code = CURRENT_SCHEMA }: Internals,
): Promise<FullStore> {
  const { schema, timeoutMs, migrationTimeoutMs, clock, onWarning } = resolveStoreOptions(options);
  const { name, make } = clientSource(resolveTarget(target), timeoutMs);
  const reading = new Connection({
    store: name,
    makeClient: make,
    prepare: (session) => applySettings(session, timeoutMs),
  });
  try {
    const isCurrent = await reading.use(async (session) => {
      await checkServer(session, name, onWarning);
      return isUsable(await findSchema(session, schema), code, { schema, store: name });
    }, timeoutMs);
    if (!isCurrent) await migrateAlone();
  } catch (error) {
    await reading.close(timeoutMs);
    throw error;
  }

  /** On a connection of its own: it takes longer than any other call, and what it sets goes with it. */
  async function migrateAlone(): Promise<void> {
    const connection = new Connection({
      store: name,
      makeClient: make,
      prepare: (session) => applySettings(session, migrationTimeoutMs),
    });
    // Calls that wait behind it for a table wait for half of their time.
    const lockTimeoutMs = Math.ceil(timeoutMs / 5);
    const place = { schema, store: name, code, lockTimeoutMs };
    try {
      await connection.use((session) => migrate(session, place), migrationTimeoutMs);
    } finally {
      await connection.close(timeoutMs);
    }
  }

  /** A connection whose statements go through indexes. */
  const indexed = (onNew: () => void = () => {}): Connection =>
    new Connection({
      store: name,
      makeClient: make,
      async prepare(session) {
        await applySettings(session, timeoutMs, INDEX_ONLY);
        await session.query({ text: `select "${schema}".check_epoch()` });
        onNew();
      },
    });
  const locators = new Locators();
  const writer = (): Writer => new Writer({ schema, clock, audit, locators, connect: indexed });
  const channel = `redrive_${schema}`;

  return postgresStore({
    name,
    timeoutMs,
    writer: writer(),
    waitingWriter: writer(),
    heart: new Reader(indexed(), schema, clock, timeoutMs),
    reader: new Reader(reading, schema, clock, timeoutMs),
    operations: new Operations({ schema, clock, audit, timeoutMs, connect: indexed }),
    ledgerCalls: new LedgerCalls({ store: name, schema, clock, timeoutMs, connection: indexed() }),
    audit: new AuditAccess({ store: name, makeClient: make, schema, clock, timeoutMs }),
    notifications: new Notifications({
      channel,
      timeoutMs,
      connect: ({ onMessage, onLost }) =>
        new Connection({
          store: name,
          makeClient: make,
          async prepare(session) {
            await applySettings(session, timeoutMs);
            await session.query({ text: `listen ${channel}` });
          },
          onNotification: ({ payload = '', processId }, ownPid) =>
            onMessage(payload, processId === ownPid),
          onLost,
        }),
    }),
  });
}
