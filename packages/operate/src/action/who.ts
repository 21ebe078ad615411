/** Each role may do everything that the one before may. */
export const ROLES = ['viewer', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** The caller of an action. On a store that is opened directly this is an admin of all tenants. */
export interface Who {
  readonly name: string;
  readonly role: Role;
  /** Sees and changes only jobs of this tenant. Absent: of all. */
  readonly tenant?: string | undefined;
  /** How a server knows the caller: `token`, `sign-in`, `proxy`. Absent: the store is opened directly. */
  readonly by?: string | undefined;
}

export function atLeast(who: Pick<Who, 'role'>, role: Role): boolean {
  return ROLES.indexOf(who.role) >= ROLES.indexOf(role);
}
