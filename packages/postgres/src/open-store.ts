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
import { isUpToDate, migrate } from './schema/migrate.ts';

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

/** The same, and a switch that benchmarks have to see what the audit costs. */
export async function openStoreWith(
  target: string | PostgresTarget,
  options: PostgresStoreOptions,
  { audit }: { readonly audit: boolean },
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
      return isUpToDate(session, schema, name);
    }, timeoutMs);
    if (!isCurrent) {
      const limits = { timeoutMs: migrationTimeoutMs, lockTimeoutMs: Math.ceil(timeoutMs / 2) };
      await reading.use((session) => migrate(session, schema, name, limits), migrationTimeoutMs);
    }
  } catch (error) {
    await reading.close(timeoutMs);
    throw error;
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
