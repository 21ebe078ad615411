import type { ConnectionOptions } from 'node:tls';

// The parts of `pg` that callers pass in, as shapes of our own. Any client or pool of `pg` fits them, and a project needs
// no `@types/pg` to compile against this package.

/** A client of `pg` that is in a transaction: a `Client`, or what `pool.connect()` resolves to. */
export interface TransactionClient {
  query(statement: string | TransactionStatement): Promise<unknown>;
}

/** A statement with its parameters. All columns of an answer are texts with a name. */
export interface TransactionStatement {
  text: string;
  values: unknown[];
  /** A client may ignore these two, and return rows as objects. */
  rowMode?: 'array';
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
