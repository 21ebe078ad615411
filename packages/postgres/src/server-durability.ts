import { Connection } from './connect/connection.ts';
import { clientSource } from './connect/make-client.ts';
import { applySettings } from './connect/session-settings.ts';
import { type PostgresTarget, resolveStoreOptions, resolveTarget } from './options.ts';

/** The settings of a server that decide which confirmed commits it can lose. */
export interface ServerDurability {
  readonly fsync: boolean;
  readonly fullPageWrites: boolean;
  /** As the store's connections have it: never `off`. */
  readonly synchronousCommit: string;
  /** Standbys that are connected, and how commits wait for them; `undefined`: the role may not see it. */
  readonly standbys: readonly {
    readonly name: string;
    readonly syncState: string | undefined;
  }[];
}

/**
 * Asks a server which confirmed commits it can lose. Changes nothing.
 *
 * @throws RedriveError `invalid_option`, `store_unavailable`, `store_forbidden`.
 */
export async function serverDurability(target: string | PostgresTarget): Promise<ServerDurability> {
  const place = resolveTarget(target);
  const { timeoutMs } = resolveStoreOptions({}, place.inAddress);
  const { name, make } = clientSource(place, timeoutMs);
  const prepare = (session: Parameters<typeof applySettings>[0]) =>
    applySettings(session, timeoutMs);
  const connection = new Connection({ store: name, makeClient: make, prepare });
  try {
    return await connection.use(async (session) => {
      const [settings] = await session.query({
        text: `select current_setting('fsync'), current_setting('full_page_writes'), current_setting('synchronous_commit')`,
      });
      const standbys = await session.query({
        text: 'select application_name, sync_state from pg_stat_replication order by 1',
      });
      return {
        fsync: settings?.[0] === 'on',
        fullPageWrites: settings?.[1] === 'on',
        synchronousCommit: settings?.[2] ?? '',
        standbys: standbys.map(([standby, state]) => ({
          name: standby ?? '',
          syncState: state ?? undefined,
        })),
      };
    }, timeoutMs);
  } finally {
    await connection.close(timeoutMs);
  }
}
