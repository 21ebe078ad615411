import { type Clock, type FieldProblem, MAX_TIMER_MS } from '@redrive/core';
import { type OptionTable, refuse, resolveOptions } from '@redrive/core/fields';
import type { ClientSettings, PoolSettings } from './driver-types.ts';

/** Where the database is. */
export interface PostgresTarget {
  /** `postgres://user:password@host/database`, with `?schema=name` for another schema. Instead of `pool`. */
  readonly url?: string | undefined;
  /**
   * The application's own pool, as a pattern: the store makes connections of its own with its settings and its `Client`,
   * and takes none out of it, because handlers that hold all of the pool would otherwise keep their own heartbeats from
   * being sent. Instead of `url`.
   */
  readonly pool?: PoolSettings | undefined;
  /** More settings of `pg`'s clients, such as `ssl`. */
  readonly client?: ClientSettings | undefined;
}

export interface PostgresStoreOptions {
  /** Where tables and functions live: a lower-case identifier of at most 40 characters. Default: the address's, else `redrive`. */
  readonly schema?: string | undefined;
  /** Every call ends within so many milliseconds, whatever the network does. Default 10,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * Bringing the schema up to date ends within so many milliseconds; where it does not, nothing was changed. It takes time
   * where there are millions of jobs. Default 600,000, ten minutes.
   */
  readonly migrationTimeoutMs?: number | undefined;
  /**
   * How many connections the store may have: 2, 3 or 4. Each is made when it is first needed. Default 4: one for claims,
   * settlements and new jobs, one for heartbeats and notifications, one for everything that may wait for somebody else's
   * lock, one that reads. With 3 the last two are one; with 2 the first two are one as well. Not fewer, because a claim or a
   * heartbeat never waits behind somebody else's lock. An open `readAudit()` takes the place of the one that reads; with 2
   * or 3 it adds one.
   */
  readonly connections?: 2 | 3 | 4 | undefined;
  /** For tests: every statement that depends on time takes it from here. Default: the server's clock. */
  readonly clock?: Clock | undefined;
  /** Told what is not as it should be, at the start: a server that does not keep what it acknowledges. Default: a warning of the process. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** With every default filled in. */
export interface ResolvedOptions {
  readonly schema: string;
  readonly timeoutMs: number;
  readonly migrationTimeoutMs: number;
  readonly connections: number;
  readonly clock: Clock | undefined;
  readonly onWarning: (message: string) => void;
}

export const DEFAULT_SCHEMA = 'redrive';

const OPTIONS: OptionTable<PostgresStoreOptions> = {
  schema: [DEFAULT_SCHEMA, { kind: 'string' }],
  timeoutMs: [10_000, { kind: 'integer', min: 100, max: MAX_TIMER_MS }],
  migrationTimeoutMs: [600_000, { kind: 'integer', min: 100, max: MAX_TIMER_MS }],
  connections: [4, { kind: 'integer', min: 2, max: 4 }],
  clock: [undefined],
  onWarning: [(message) => process.emitWarning(message, 'RedriveWarning'), { kind: 'function' }],
};

/** 40: channel and lock names are made from it, and Postgres cuts names at 63. */
const IDENTIFIER = /^[a-z_][a-z0-9_]{0,39}$/;

/** @throws RedriveError `invalid_option`, with every problem. */
export function resolveStoreOptions(
  given: PostgresStoreOptions,
  inAddress?: string | undefined,
): ResolvedOptions {
  const options = inAddress === undefined ? given : { ...given, schema: given.schema ?? inAddress };
  const { schema, timeoutMs, migrationTimeoutMs, connections, clock, onWarning } = resolveOptions(
    'Postgres store',
    options,
    OPTIONS,
    'invalid_option',
    ({ schema }) => schemaProblem(schema, inAddress),
  );
  // The table has a default for each of them, so none is undefined.
  return {
    schema: schema as string,
    timeoutMs: timeoutMs as number,
    migrationTimeoutMs: migrationTimeoutMs as number,
    connections: connections as number,
    clock,
    onWarning,
  } as ResolvedOptions;
}

function schemaProblem(schema: unknown, inAddress: string | undefined): FieldProblem | undefined {
  if (typeof schema !== 'string') return undefined;
  if (inAddress !== undefined && schema !== inAddress) {
    const message = `The store is told two schemas: ${schema}, and ${inAddress} in its address. Name one`;
    return { field: 'schema', message };
  }
  if (IDENTIFIER.test(schema)) return undefined;
  return { field: 'schema', message: `schema must match ${IDENTIFIER}, not ${schema}` };
}

/** A target, and the schema that its address names. */
export interface ResolvedTarget extends PostgresTarget {
  readonly schema?: string | undefined;
}

const TARGET: OptionTable<PostgresTarget> = {
  url: [undefined, { kind: 'string' }],
  pool: [undefined],
  client: [undefined],
};

/** @throws RedriveError `invalid_option` unless it is one of both. */
export function resolveTarget(target: string | PostgresTarget): ResolvedTarget {
  const resolved = resolveOptions<PostgresTarget>(
    'Postgres store',
    typeof target === 'string' ? { url: target } : target,
    TARGET,
  );
  if ((resolved.url === undefined) === (resolved.pool === undefined)) {
    refuse('invalid_option', 'Postgres store', [
      { field: 'url', message: 'Give either url or pool: one of them says where the database is' },
    ]);
  }
  return resolved.url === undefined ? resolved : { ...resolved, ...splitSchema(resolved.url) };
}

/** `postgres://host/database?schema=name`: the driver does not know the parameter, so it is taken out. */
function splitSchema(address: string): { readonly url: string; readonly schema?: string } {
  const [, place = address, query] = /^([^?]*)\?(.*)$/su.exec(address) ?? [];
  if (query === undefined) return { url: address };
  const parameters = query.split('&');
  const rest = parameters.filter((one) => !one.startsWith('schema='));
  const url = rest.length === 0 ? place : `${place}?${rest.join('&')}`;
  const named = new Set(new URLSearchParams(query).getAll('schema'));
  if (named.size > 1) {
    const message = `The address of the store names ${named.size} schemas: ${[...named].join(', ')}. Name one`;
    refuse('invalid_option', 'Postgres store', [{ field: 'url', message }]);
  }
  const [schema] = named;
  return schema === undefined ? { url } : { url, schema };
}
