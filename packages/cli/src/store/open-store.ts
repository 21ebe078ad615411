import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { maskUrls } from '@redrive/config';
import { RedriveError } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import type { DocumentSource } from '@redrive/durable/documents';
import type { Bus } from '@redrive/durable/events';
import { CliError } from '../terminal/exit-codes.ts';

interface OpenOptions {
  /** Where relative files begin. */
  readonly directory: string;
  /** Creates a store that does not exist yet. Off for commands that only read: they should not leave files behind. */
  readonly create: boolean;
  /** Called with warnings about the store. `redrive start` and `redrive doctor` print them; other commands do not. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/**
 * Opens the store at a URL, `sqlite:<file>` or `postgres://…`, or the SQLite store at a path. The one place that names concrete stores; each driver is
 * loaded only when it is asked for.
 *
 * @throws CliError for a URL that is none; what the store itself says otherwise.
 */
export async function openStoreAt(url: string, options: OpenOptions): Promise<FullStore> {
  if (isPostgres(url)) {
    const { openStore } = await import('@redrive/postgres');
    return openStore(url, { onWarning: options.onWarning });
  }
  const path = sqlitePath(url, options.directory);
  if (!options.create && isMissing(path)) {
    // As the store itself says where the file is there and empty.
    const message = `The store ${path} does not exist. A worker ("redrive start"), the first job that is enqueued, "redrive kill engage" and "redrive store migrate" create it; in a program, "await store.migrate()".`;
    throw new RedriveError('store_not_found', message, { path });
  }
  const { openStore } = await import('@redrive/sqlite');
  return openStore(path, { onWarning: options.onWarning ?? (() => undefined) });
}

/** The migration that a store's tables need. */
export interface StorePlan {
  /** Version of the tables; 0: there are none. */
  readonly from: number;
  readonly to: number;
  /** For `psql`. `undefined`: not for SQLite. */
  readonly sql?: string;
}

/** Changes nothing. */
export async function planStoreAt(url: string, directory: string): Promise<StorePlan> {
  if (isPostgres(url)) {
    const { migrationPlan } = await import('@redrive/postgres');
    return migrationPlan(url);
  }
  const { schemaVersions } = await import('@redrive/sqlite');
  return schemaVersions(sqlitePath(url, directory));
}

function isPostgres(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url);
}

function sqlitePath(url: string, directory: string): string {
  const file = sqliteFile(url);
  if (file === undefined) {
    const hint =
      'Write the path of a SQLite file, such as ./redrive.db, or sqlite:<file>, or postgres://user@host/database?schema=name.';
    throw new CliError('usage', `This is not a store: ${maskUrls(url)}`, hint);
  }
  return resolve(directory, file);
}

/** The file of a SQLite store, by its path or URL. `undefined`: this names none. */
export function sqliteFile(url: string): string | undefined {
  const file = url.replace(/^sqlite:/, '');
  return file === '' || OTHER_URL.test(file) ? undefined : file;
}

/** `mysql://…` and `//host/…`. One letter and a colon begin a path of Windows. */
const OTHER_URL = /^(?:[a-z][a-z\d+.-]+:|\/\/)/i;

/** A file that this user may not look at is not missing: the store says what is denied. */
function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

/**
 * Opens the message broker at a URL. The one place that names concrete adapters; each driver is loaded only when it is
 * asked for. It connects at its first call.
 */
export async function openBusAt(url: string): Promise<Bus> {
  if (/^(?:nats|tls):\/\//.test(url)) {
    const { natsBus } = await import('@redrive/nats');
    return natsBus(url);
  }
  if (/^amqps?:\/\//.test(url)) {
    const { rabbitmqBus } = await import('@redrive/rabbitmq');
    return rabbitmqBus(url);
  }
  throw new CliError(
    'usage',
    `This is not a message broker: ${maskUrls(url)}`,
    'Write store:, nats://host:4222 or amqp://host:5672 under buses.',
  );
}

/**
 * Opens the database with documents at a URL. The one place that names concrete adapters; each driver is loaded only when
 * it is asked for. It connects at its first call.
 */
export async function openDocumentsAt(url: string): Promise<DocumentSource> {
  if (/^mongodb(?:\+srv)?:\/\//.test(url)) {
    const { mongodbDocuments } = await import('@redrive/mongodb');
    return mongodbDocuments(url);
  }
  if (/^postgres(?:ql)?:\/\//.test(url)) {
    const { postgresDocuments } = await import('@redrive/postgres');
    return postgresDocuments(url);
  }
  const [, file] = /^sqlite:(.+)$/.exec(url) ?? [];
  if (file !== undefined) {
    const { sqliteDocuments } = await import('@redrive/sqlite');
    return sqliteDocuments(file);
  }
  throw new CliError(
    'usage',
    `This is not a database with documents: ${maskUrls(url)}`,
    'Write mongodb://host/database, postgres://host/database or sqlite:<file> under sweeps.collections.',
  );
}
