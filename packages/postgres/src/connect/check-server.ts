import { RedriveError } from '@redrive/core';
import type { Session } from './connection.ts';

const OLDEST_VERSION = 130_000;

/**
 * Refuses a server that Redrive does not support, and warns of a server that may lose acknowledged writes.
 *
 * @throws RedriveError `store_unsupported`.
 */
export async function checkServer(
  session: Session,
  store: string,
  warn: (message: string) => void,
): Promise<void> {
  const [row] = await session.query({
    text: `select current_setting('server_version_num'), current_setting('server_version'),
      current_setting('server_encoding'), current_setting('fsync'), current_setting('full_page_writes')`,
  });
  const [number, version, encoding, fsync, fullPages] = row ?? [];
  if (Number(number) < OLDEST_VERSION) {
    const message = `${store} runs Postgres ${version}; Redrive needs 13 or newer`;
    throw new RedriveError('store_unsupported', message, { store, version });
  }
  if (encoding !== 'UTF8') {
    const message = `${store} has the encoding ${encoding}, which cannot hold every text; Redrive needs UTF8`;
    throw new RedriveError('store_unsupported', message, { store, encoding });
  }
  if (fsync === 'off' || fullPages === 'off') {
    warn(
      `${store} runs with fsync=${fsync} and full_page_writes=${fullPages}: a crash of its machine can lose or damage jobs that were accepted`,
    );
  }
}
