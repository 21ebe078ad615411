import { Client, type ClientConfig } from 'pg';
import type { PoolSettings } from '../driver-types.ts';
import type { PostgresTarget } from '../options.ts';

/** What makes the store's own connections, and what it is called in errors: never with credentials. */
export interface ClientSource {
  readonly name: string;
  readonly make: () => Client;
  /** Whether the address is that of the application's pool. */
  readonly fromPool: boolean;
}

export function clientSource(target: PostgresTarget, timeoutMs: number): ClientSource {
  const { pool, url, client: given } = target;
  const config: ClientConfig = {
    ...(pool === undefined ? { connectionString: url } : poolConfig(pool)),
    fallback_application_name: 'redrive',
    keepAlive: true,
    ...given,
    connectionTimeoutMillis: timeoutMs,
    pipeline: true,
  };
  // Not in the types: the class that the pool makes its clients of, perhaps of another copy of pg.
  const PoolClient = (pool as { Client?: typeof Client } | undefined)?.Client ?? Client;
  const { host, port, database } = new PoolClient(config);
  return {
    name: `postgres://${host}${port === 5432 ? '' : `:${port}`}/${database ?? ''}`,
    make: () => new PoolClient(config),
    fromPool: pool !== undefined,
  };
}

function poolConfig({ options }: PoolSettings): ClientConfig {
  // The pool hides its password from being copied along. Its options are settings of clients, checked by `pg` itself.
  return { ...options, password: options.password } as ClientConfig;
}
