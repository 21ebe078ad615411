import { signal } from '@preact/signals';
import type { Me, Role } from '@redrive/server/client';

/** The user of the console. `undefined`: not known yet; `null`: not signed in, or no longer. */
export const me = signal<Me | null | undefined>(undefined);

const ROLES: readonly Role[] = ['viewer', 'operator', 'admin'];

export function can(role: Role): boolean {
  return ROLES.indexOf(me.value?.role ?? 'viewer') >= ROLES.indexOf(role);
}

/** Why an act is not possible for this person; `undefined`: it is. */
export function whyNot(role: Role): string | undefined {
  if (can(role)) return undefined;
  return `Needs role ${role}. You are ${me.value?.role ?? 'nobody'}.`;
}
