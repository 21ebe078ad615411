import type { JobState } from '../job/job.ts';
import type { ActCommand, Actor, ActResult } from '../store/commands.ts';
import type { PageRequest } from '../store/store.ts';

/**
 * A bulk operation under an id that its submitter chose: however often it is submitted, each job is acted on once. The
 * process that carries it out reads a page, and asks the store for one step at a time. The acts of a step and its progress
 * commit together, so a crash loses nothing and repeats nothing.
 */
export interface Operation {
  readonly id: string;
  /** Incremented by every step. A step for an older revision is refused: another process was first. */
  readonly revision: number;
  /** JSON of the act, its target and the cut-off. Submitting the id with another one is a conflict. */
  readonly request: string;
  readonly state: 'running' | 'finished';
  /** Where the next step goes on. */
  readonly cursor?: string | undefined;
  /** Jobs that were acted on. */
  readonly acted: number;
  /** Jobs that refused it by then: somebody else was faster, or their unique key is taken. */
  readonly refused: number;
  readonly by: string;
  readonly why?: string | undefined;
  readonly startedAtMs: number;
  readonly updatedAtMs: number;
}

export interface OperationStore {
  /** Acts of one step that hardly delay other writers. A store with one writer proposes few. 1 to 1,000. */
  readonly actsPerStep: number;
  /**
   * Begins an operation, or finds the one with this id. Begun, it is noted in the audit log (event `act`, subject
   * `operation:<id>`).
   */
  beginOperation(begin: BeginOperation): Promise<Operation>;
  /** Carries out acts and writes the progress, in one transaction, if the operation is still at this revision. */
  stepOperation(step: OperationStep): Promise<OperationStepResult>;
  operation(id: string): Promise<Operation | undefined>;
  /** All stored operations, the newest first. `prune` deletes an operation `OPERATION_KEPT_MS` after its end. */
  operations(page: PageRequest): Promise<OperationPage>;
  /** The standing of each job that exists, in no order. At most 1,000 ids. */
  standings(ids: readonly string[]): Promise<readonly JobStanding[]>;
}

export interface OperationPage {
  readonly operations: readonly Operation[];
  readonly next?: string | undefined;
}

/** The part of a job that a bulk operation needs after it has sent it. There may be many of them. */
export interface JobStanding {
  readonly id: string;
  readonly generation: number;
  readonly state: JobState;
  /** Attempts of this generation that ended as `failed` or `rate_limited`. */
  readonly failed: number;
  readonly cause?: string | undefined;
}

export interface BeginOperation {
  readonly id: string;
  readonly request: string;
  readonly actor: Actor;
}

export interface OperationStep {
  readonly id: string;
  readonly revision: number;
  /** At most 1,000. */
  readonly acts: readonly ActCommand[];
  readonly cursor?: string | undefined;
  /** Nothing follows. Noted in the audit log, with the numbers. */
  readonly finished: boolean;
}

export type OperationStepResult =
  | {
      readonly ok: true;
      readonly operation: Operation;
      /** Of each act, in their order. */
      readonly results: readonly ActResult[];
    }
  /** Nothing was done. `operation`: as it is now. */
  | {
      readonly ok: false;
      readonly refusal: 'not_found' | 'stale_revision' | 'finished';
      readonly operation?: Operation | undefined;
    };
