import { expect, it } from 'vitest';
import { checkServer } from './check-server.ts';
import type { Session } from './connection.ts';

/** A server that says this about itself. */
function serverOf(with_: {
  number?: string;
  encoding?: string;
  fsync?: string;
  fullPages?: string;
}): Session {
  const { number = '150000', encoding = 'UTF8', fsync = 'on', fullPages = 'on' } = with_;
  return { query: async () => [[number, 'the version', encoding, fsync, fullPages]] };
}

async function check(session: Session): Promise<string[]> {
  const warnings: string[] = [];
  await checkServer(session, 'postgres://host/db', (message) => warnings.push(message));
  return warnings;
}

it('takes 13 and newer', async () => {
  expect(await check(serverOf({ number: '130000' }))).toEqual([]);
  expect(await check(serverOf({ number: '180001' }))).toEqual([]);
  await expect(check(serverOf({ number: '120022' }))).rejects.toMatchObject({
    code: 'store_unsupported',
    message: 'postgres://host/db runs Postgres the version; Redrive needs 13 or newer',
  });
});

it('takes no encoding that cannot hold every text', async () => {
  await expect(check(serverOf({ encoding: 'LATIN1' }))).rejects.toMatchObject({
    code: 'store_unsupported',
  });
});

it('warns of a server that does not keep what it acknowledges', async () => {
  expect(await check(serverOf({ fsync: 'off' }))).toEqual([
    expect.stringContaining('fsync=off and full_page_writes=on'),
  ]);
  expect(await check(serverOf({ fullPages: 'off' }))).toHaveLength(1);
});
