import type { Role } from './access/who.ts';

/** The answer of `GET /v1/me`. Those of actions are types of `@redrive/client`. */
export interface Me {
  readonly name: string;
  readonly role: Role;
  readonly tenant: string | null;
}

export type { Role };
