// biome-ignore lint/style/noRestrictedImports: nobody may compute the hash of a session, so the salt is not predictable.
import { createHash, randomBytes } from 'node:crypto';

/** Replaces the ids of sessions by hashes that nobody can compute again: the salt is forgotten. */
export function saltedSessions(): (session: string) => string {
  const salt = randomBytes(16);
  return (session) => createHash('sha256').update(salt).update(session).digest('hex').slice(0, 16);
}
