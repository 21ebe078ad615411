import { join } from 'node:path';
import { AccessFile } from '@redrive/server/access';

/** A sign-in by a link, in the access file of a directory without a configured store. */
export function signedIn(directory: string, nowMs: number): void {
  const access = new AccessFile(join(directory, 'redrive.db.access.json'));
  const by = { code: access.createCode(nowMs) };
  access.signIn({ name: 'local', from: '127.0.0.1', by }, nowMs);
}
