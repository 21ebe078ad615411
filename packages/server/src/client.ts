import type { SweepNumbers } from '@redrive/durable/documents';
import type { explainedDocument, failedJson, stuckJson } from '@redrive/durable/store';
import type { Role } from './access/who.ts';
import type { PolicyReview } from './policy-review.ts';
import type { ProblemDocument } from './problem.ts';

/** A page of a list: `next` is the value of `after` for the page that follows. */
export type Page<Name extends string, Item> = Readonly<Record<Name, readonly Item[]>> & {
  readonly next: string | null;
};

/** The answer of each GET that is no action, by path. Those of actions are types of `@redrive/client`. */
export interface Answers {
  readonly '/v1/me': {
    readonly name: string;
    readonly role: Role;
    readonly tenant: string | null;
  };
  readonly '/v1/policies/review': PolicyReview;
  readonly '/v1/sweeps': SweepNumbers;
  readonly '/v1/stuck': Page<'documents', ReturnType<typeof stuckJson>> & {
    readonly collections: readonly SweptCollection[];
  };
  readonly '/v1/stuck/:collection/:id': ReturnType<typeof explainedDocument>;
  readonly '/v1/documents': Page<'documents', ReturnType<typeof failedJson>>;
  readonly '/v1/doctor': DoctorDocument;
}

export interface SweptCollection {
  readonly name: string;
  readonly stuck_after_ms: number;
  readonly max_attempts: number;
}

/** The document of `redrive doctor --json`. */
export interface DoctorDocument {
  readonly store: string | null;
  readonly ok: boolean;
  readonly checks: readonly {
    readonly name: string;
    readonly result: 'ok' | 'warning' | 'problem' | 'skipped';
  }[];
  readonly findings: readonly {
    readonly check: string;
    readonly level: 'problem' | 'warning';
    readonly message: string;
    readonly remedy: string;
  }[];
}

export type { ProblemDocument, Role };
