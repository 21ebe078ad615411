import type { ConnectionOptions } from 'node:tls';

// The parts of `pg` that callers pass in, as shapes of our own. Any client or pool of `pg` fits them, and a project needs
// no `@types/pg` to compile against this package.

/**
 * A connection that is in a transaction: a client of `pg` (a `Client`, or the client that `pool.connect()` resolves to),
 * or the `sqlExecutor` of another library.
 */
export interface TransactionClient {
  query(statement: string | TransactionStatement): Promise<unknown>;
}

/** One statement. Its parameters `$1`, `$2`, … occur once each, in this order. */
export interface TransactionStatement {
  text: string;
  values: (string | null)[];
  /** For `pg`, whose user may have set parsers of texts. */
  types?: { getTypeParser(): (value: string) => string };
}

/** A `Pool` of `pg`. */
export interface PoolSettings {
  readonly options: { readonly password?: unknown };
}

/** Settings of `pg`'s clients. The store sets `connectionTimeoutMillis` and `pipeline` by itself. */
export interface ClientSettings {
  readonly user?: string | undefined;
  readonly password?: string | (() => string | Promise<string>) | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly database?: string | undefined;
  readonly ssl?: boolean | ConnectionOptions | undefined;
  readonly sslnegotiation?: 'postgres' | 'direct' | undefined;
  readonly enableChannelBinding?: boolean | undefined;
  readonly application_name?: string | undefined;
  readonly fallback_application_name?: string | undefined;
  readonly keepAlive?: boolean | undefined;
  readonly keepAliveInitialDelayMillis?: number | undefined;
  /** Options for the server's start, such as `-c geqo=off`. */
  readonly options?: string | undefined;
}
