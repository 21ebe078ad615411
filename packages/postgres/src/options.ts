import type { Clock } from '@redrive/core';
import {
  aClock,
  type FieldProblem,
  type OptionTable,
  refuse,
  resolveOptions,
} from '@redrive/core/fields';
import { MAX_TIMER_MS } from '@redrive/core/stored';
import type { ClientSettings, PoolSettings } from './driver-types.ts';

/** The address of the database: `url` or `pool`. */
export interface PostgresTarget {
  /**
   * `postgres://user:password@host/database`. The options `schema` and `connections` can stand in it:
   * `?schema=name&connections=3`. Instead of `pool`.
   */
  readonly url?: string | undefined;
  /**
   * The application's own pool, as a template. The store opens its own connections with the pool's settings and `Client`,
   * and takes none from the pool: handlers that use the whole pool would otherwise block their own heartbeats. Instead of
   * `url`.
   */
  readonly pool?: PoolSettings | undefined;
  /** More settings of `pg`'s clients, such as `ssl`. */
  readonly client?: ClientSettings | undefined;
}

export interface PostgresStoreOptions {
  /** The schema of tables and functions: a lower-case identifier, at most 40 characters. Default: the address's, else `redrive`. */
  readonly schema?: string | undefined;
  /** The time limit of every call, also when the network hangs. Default 10,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * The time limit of a migration. A migration that takes longer changes nothing. Stores with millions of jobs need more
   * time. Default 600,000, ten minutes.
   */
  readonly migrationTimeoutMs?: number | undefined;
  /**
   * The largest number of connections: 2, 3 or 4. Each is opened when it is first needed. Default: the
   * address's `?connections=`, else 4:
   *
   * 1. claims, settlements and new jobs;
   * 2. heartbeats and notifications;
   * 3. work that may wait for a lock of another transaction;
   * 4. reads.
   *
   * With 3, reads share connection 3; with 2, connections 1 and 2 are one as well. The minimum is 2, so that a claim or a
   * heartbeat never waits behind a lock. An open `readAudit()` takes the place of the reading connection; with 2 or 3 it
   * adds one.
   */
  readonly connections?: 2 | 3 | 4 | undefined;
  /** For tests: every statement that depends on time takes it from here. Default: the server's clock. */
  readonly clock?: Clock | undefined;
  /**
   * Called with a warning: at the start, if the server may lose acknowledged writes; after a reconnection, if the server
   * has lost commits that it had confirmed to this process, as after a failover to an asynchronous standby. Default:
   * `process.emitWarning`.
   */
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
  clock: [undefined, aClock],
  onWarning: [(message) => process.emitWarning(message, 'RedriveWarning'), { kind: 'function' }],
};

/** 40: channel and lock names are made from it, and Postgres cuts names at 63. */
const IDENTIFIER = /^[a-z_][a-z0-9_]{0,39}$/;

/** Options that the address of a store may have as parameters; the driver does not know them. */
type InAddress = Pick<PostgresStoreOptions, 'schema'> & {
  /** As it is written, if it is not a number. */
  readonly connections?: number | string | undefined;
};
const PARAMETERS = ['schema', 'connections'] as const;

/** @throws RedriveError `invalid_option`, with every problem. */
export function resolveStoreOptions(
  given: PostgresStoreOptions,
  inAddress: InAddress = {},
): ResolvedOptions {
  // The table below checks what the address says as well.
  const options = { ...inAddress, ...definedIn(given) } as PostgresStoreOptions;
  const { schema, timeoutMs, migrationTimeoutMs, connections, clock, onWarning } = resolveOptions(
    'Postgres store',
    options,
    OPTIONS,
    'invalid_option',
    ({ schema }) => twoValues(given, inAddress) ?? schemaProblem(schema),
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

function definedIn(given: PostgresStoreOptions): PostgresStoreOptions {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function twoValues(given: PostgresStoreOptions, inAddress: InAddress): FieldProblem | undefined {
  for (const field of PARAMETERS) {
    const [one, other] = [given[field], inAddress[field]];
    if (one === undefined || other === undefined || one === other) continue;
    const message = `The option ${field} is ${one}, but the address has ${field} ${other}. Give one`;
    return { field, message };
  }
  return undefined;
}

function schemaProblem(schema: unknown): FieldProblem | undefined {
  if (typeof schema !== 'string' || IDENTIFIER.test(schema)) return undefined;
  return { field: 'schema', message: `schema must match ${IDENTIFIER}, not ${schema}` };
}

/** A target, and the options that its address has. */
export interface ResolvedTarget extends PostgresTarget {
  readonly inAddress?: InAddress | undefined;
}

const TARGET: OptionTable<PostgresTarget> = {
  url: [undefined, { kind: 'string' }],
  pool: [undefined],
  client: [undefined],
};

/** @throws RedriveError `invalid_option` unless the target has either `url` or `pool`. */
export function resolveTarget(target: string | PostgresTarget): ResolvedTarget {
  const resolved = resolveOptions<PostgresTarget>(
    'Postgres store',
    typeof target === 'string' ? { url: target } : target,
    TARGET,
  );
  if ((resolved.url === undefined) === (resolved.pool === undefined)) {
    refuse('invalid_option', 'Postgres store', [
      { field: 'url', message: 'Give either url or pool, not both and not neither' },
    ]);
  }
  return resolved.url === undefined ? resolved : { ...resolved, ...splitAddress(resolved.url) };
}

/** Takes the parameters of the store out of its address: `postgres://host/database?schema=name&connections=3`. */
function splitAddress(address: string): ResolvedTarget {
  const [, place = address, query] = /^([^?]*)\?(.*)$/su.exec(address) ?? [];
  if (query === undefined) return { url: address };
  const isOurs = (one: string): boolean => PARAMETERS.some((name) => one.startsWith(`${name}=`));
  const rest = query.split('&').filter((one) => !isOurs(one));
  const parameters = new URLSearchParams(query);
  const only = (name: (typeof PARAMETERS)[number]): string | undefined => {
    const values = [...new Set(parameters.getAll(name))];
    if (values.length < 2) return values[0];
    const message = `The address of the store has ${values.length} values for ${name}: ${values.join(', ')}. Give one`;
    refuse('invalid_option', 'Postgres store', [{ field: 'url', message }]);
    return undefined;
  };
  const connections = only('connections');
  const isNumber = connections !== undefined && /^\d+$/.test(connections);
  return {
    url: rest.length === 0 ? place : `${place}?${rest.join('&')}`,
    inAddress: {
      schema: only('schema'),
      connections: isNumber ? Number(connections) : connections,
    },
  };
}
