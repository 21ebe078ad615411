/** Each role may do everything that the one before may. */
export const ROLES = ['viewer', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Requests per second. */
export const DEFAULT_RATE = 50;

/** Somebody who has shown a token or a session, or whom a trusted proxy names. */
export interface Who {
  /** Name of the token, or of the user. */
  readonly name: string;
  readonly role: Role;
  /** Sees and changes only jobs of this tenant. Absent: of all. */
  readonly tenant?: string | undefined;
  /** Requests per second. */
  readonly rate: number;
  /** A browser sends a cookie, ours or the proxy's, by itself, so its requests need more checks. */
  readonly by: 'token' | 'session' | 'proxy';
}

export function atLeast(who: Pick<Who, 'role'>, role: Role): boolean {
  return ROLES.indexOf(who.role) >= ROLES.indexOf(role);
}
