import { Client, type ClientConfig } from 'pg';
import type { PoolSettings } from '../driver-types.ts';
import type { PostgresTarget } from '../options.ts';

/** Makes the store's own connections; and the store's name for errors, without credentials. */
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
  // Not in the types: the class of the pool's clients, perhaps from another copy of pg.
  const PoolClient = (pool as { Client?: typeof Client } | undefined)?.Client ?? Client;
  const { host, port, database } = new PoolClient(config);
  return {
    name: `postgres://${host}${port === 5432 ? '' : `:${port}`}/${database ?? ''}`,
    make: () => new PoolClient(config),
    fromPool: pool !== undefined,
  };
}

function poolConfig({ options }: PoolSettings): ClientConfig {
  // A copy of the pool's options lacks the password, which is not enumerable. `pg` itself checks the other options.
  return { ...options, password: options.password } as ClientConfig;
}
