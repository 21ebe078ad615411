import { hostname, userInfo } from 'node:os';

/** `user@host` of this process. In a container the user may have a number only. */
export function localActor(): string {
  return `${userName()}@${hostname()}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}
