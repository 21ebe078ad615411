import type { Role } from './access/who.ts';
import type { ProblemDocument } from './problem.ts';

/** The answer of each GET that is no action, by path. Those of actions are types of `@redrive/client`. */
export interface Answers {
  readonly '/v1/me': {
    readonly name: string;
    readonly role: Role;
    readonly tenant: string | null;
  };
}

export type { ProblemDocument, Role };
