// Written by manifest.test.ts of packages/operate from the list of actions.
import type { CallOptions } from './call.ts';

/** Input of `audit.replay`. */
export interface AuditReplayInput {
  /** id of a job or of a session */ readonly id: string;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `audit.replay`. */
export interface AuditReplayAnswer {
  /** its id */ readonly session: string;
  /** true: every decision was derived again, with the same answer */ readonly same: boolean;
  /** steps beyond the limit */ readonly omitted: number;
  /** in the order of their times */ readonly steps: readonly ({
    /** the store's clock */ readonly time: string;
    /** what happened: enqueue, claim, settle, read, … */ readonly event: string;
    /** id of the job or session; for a note, its subject */ readonly id: string;
    /** the state before; null: none */ readonly from: string | null;
    /** the state after; null: a note */ readonly to: string | null;
    /** the actor: cli:user@host, a worker, … */ readonly by: string | null;
    /** the reason that was given */ readonly why: string | null;
    /** of the transaction that wrote it */ readonly block: number;
    /** counts the job's records; 0: a note */ readonly revision: number;
    /** of the newest lease */ readonly token: number;
    /** of the job; 0: a note */ readonly generation: number;
    /** attempts over all generations */ readonly executions: number;
    /** further fields, depending on the event: see the audit log */ readonly detail: Readonly<Record<string, unknown>>;
    /** null: nothing was decided, or a success */ readonly decision: {
      /** version of the policy */ readonly policy_hash: string;
      /** its name; null: not known */ readonly policy_id: string | null;
      /** its fields by their names in code; null: not known */ readonly policy: {
        /** attempts that may count */ readonly maxAttempts: number;
        /** exponential, linear, fixed, immediate or list */ readonly backoff: string;
        /** its kind */ readonly jitter: string;
        /** the first wait */ readonly baseDelayMs: number;
        /** the longest wait */ readonly maxDelayMs: number;
        /** of an exponential back-off */ readonly multiplier: number;
        /** whether the first retry is immediate */ readonly immediateFirstRetry: boolean;
      } | null;
      /** version of `decide` that answered */ readonly decide_version: number;
      /** the input of `decide` */ readonly input: {
        /** the attempt account */ readonly account: {
          /** attempts that count, this one included */ readonly charged: number;
          /** waits before it that cost no attempt */ readonly freeWaits: number;
        };
        /** of the attempt */ readonly outcome: {
          /** success, failure, lease_lost, interrupted, blocked or unstarted */ readonly kind: string;
          /** of a failure */ readonly errorClass?: string | undefined;
          /** the wait that the dependency asked for */ readonly retryAfterMs?: number | undefined;
        };
        /** until the deadline; null: it has none */ readonly timeLeftMs: number | null;
        /** whether the retry budget had a token */ readonly budgetAllows: boolean;
        /** for how long the breaker stays open */ readonly breakerOpenMs: number;
      };
      /** the answer then */ readonly recorded: {
        /** succeed, retry, hand-over, park or give-up */ readonly action: string;
        /** reason code */ readonly reason: string;
        /** the wait that follows */ readonly delay_ms: number | null;
        /** the entry of the attempt in the account */ readonly entry: string;
      };
      /** the answer now; null: it cannot be derived */ readonly derived: NonNullable<AuditReplayAnswer['steps'][number]['decision']>['recorded'] | null;
      /** whether both are equal */ readonly same: boolean;
      /** how the wait came about; null: no back-off took part */ readonly wait: {
        /** by the back-off, capped, before jitter */ readonly nominalMs: number;
        /** the least that jitter can make of it */ readonly minMs: number;
        /** the most */ readonly maxMs: number;
        /** the random number, from 0 to 1 */ readonly random: number;
        /** the wait that it gave */ readonly drawnMs: number;
        /** the wait that the dependency asked for */ readonly hintMs?: number | undefined;
      } | null;
    } | null;
  })[];
}

/** Input of `audit.list`. */
export interface AuditListInput {
  /** only this kind of record, or records that audit/v1 and event/v1 call so, such as retry_attempt; may be repeated */ readonly event?: "enqueue" | "replace" | "claim" | "settle" | "lease_lost" | "unpark" | "run_now" | "cancel" | "expire" | "requeue" | "reset" | "purge" | "restore" | "prune" | "control" | "session" | "config" | "read" | "act" | "set_aside" | "put_back" | "retry_attempt" | "retry_success" | "retry_failure" | "retry_exhausted" | "circuit_breaker_opened" | "circuit_breaker_closed" | "idempotency" | readonly ("enqueue" | "replace" | "claim" | "settle" | "lease_lost" | "unpark" | "run_now" | "cancel" | "expire" | "requeue" | "reset" | "purge" | "restore" | "prune" | "control" | "session" | "config" | "read" | "act" | "set_aside" | "put_back" | "retry_attempt" | "retry_success" | "retry_failure" | "retry_exhausted" | "circuit_breaker_opened" | "circuit_breaker_closed" | "idempotency")[] | undefined;
  /** print the records in this shape of the data models; default: records of the log. --event then takes the event types of the shape */ readonly format?: "audit/v1" | "event/v1" | "session/v1" | undefined;
  /** only of this category, of calls or of the policies of jobs */ readonly category?: string | undefined;
  /** only of this operation of calls or handler of jobs */ readonly operation?: string | undefined;
  /** only of this tenant */ readonly tenant?: string | undefined;
  /** only with this correlation id */ readonly correlation?: string | undefined;
  /** only with this trace id */ readonly trace?: string | undefined;
  /** only about this session or job */ readonly session?: string | undefined;
  /** only by an actor whose name contains this */ readonly by?: string | undefined;
  /** at this time or later; 2h: within the last 2 hours */ readonly since?: string | undefined;
  /** before this time; 10m: more than 10 minutes ago */ readonly until?: string | undefined;
  /** rows per page, 1 to 1,000; default 50 */ readonly limit?: number | string | undefined;
  /** the next page: the `next` of the page before it */ readonly after?: string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `audit.list`. */
export interface AuditListAnswer {
  /** records; with format, documents of the shape: see docs/reference/records.md */ readonly records: readonly ({
    /** the store's clock */ readonly time: string;
    /** what happened: enqueue, claim, settle, read, … */ readonly event: string;
    /** id of the job or session; for a note, its subject */ readonly id: string;
    /** the state before; null: none */ readonly from: string | null;
    /** the state after; null: a note */ readonly to: string | null;
    /** the actor: cli:user@host, a worker, … */ readonly by: string | null;
    /** the reason that was given */ readonly why: string | null;
    /** of the transaction that wrote it */ readonly block: number;
    /** counts the job's records; 0: a note */ readonly revision: number;
    /** of the newest lease */ readonly token: number;
    /** of the job; 0: a note */ readonly generation: number;
    /** attempts over all generations */ readonly executions: number;
    /** further fields, depending on the event: see the audit log */ readonly detail: Readonly<Record<string, unknown>>;
    /** the block and the position in it, as audit prove takes it */ readonly record: string;
  } | Readonly<Record<string, unknown>>)[];
  /** the value of `after` for the next page; null: this is the last page */ readonly next: string | null;
}

/** Input of `audit.tail`. */
export interface AuditTailInput {
  /** only this kind of record, or records that audit/v1 and event/v1 call so, such as retry_attempt; may be repeated */ readonly event?: "enqueue" | "replace" | "claim" | "settle" | "lease_lost" | "unpark" | "run_now" | "cancel" | "expire" | "requeue" | "reset" | "purge" | "restore" | "prune" | "control" | "session" | "config" | "read" | "act" | "set_aside" | "put_back" | "retry_attempt" | "retry_success" | "retry_failure" | "retry_exhausted" | "circuit_breaker_opened" | "circuit_breaker_closed" | "idempotency" | readonly ("enqueue" | "replace" | "claim" | "settle" | "lease_lost" | "unpark" | "run_now" | "cancel" | "expire" | "requeue" | "reset" | "purge" | "restore" | "prune" | "control" | "session" | "config" | "read" | "act" | "set_aside" | "put_back" | "retry_attempt" | "retry_success" | "retry_failure" | "retry_exhausted" | "circuit_breaker_opened" | "circuit_breaker_closed" | "idempotency")[] | undefined;
  /** print the records in this shape of the data models; default: records of the log. --event then takes the event types of the shape */ readonly format?: "audit/v1" | "event/v1" | "session/v1" | undefined;
  /** only of this category, of calls or of the policies of jobs */ readonly category?: string | undefined;
  /** only of this operation of calls or handler of jobs */ readonly operation?: string | undefined;
  /** only of this tenant */ readonly tenant?: string | undefined;
  /** only with this correlation id */ readonly correlation?: string | undefined;
  /** only with this trace id */ readonly trace?: string | undefined;
  /** only about this session or job */ readonly session?: string | undefined;
  /** only by an actor whose name contains this */ readonly by?: string | undefined;
  /** at this time or later; 2h: within the last 2 hours */ readonly since?: string | undefined;
  /** before this time; 10m: more than 10 minutes ago */ readonly until?: string | undefined;
  /** first print this many of the newest records, 1 to 1,000; default 10 */ readonly limit?: number | string | undefined;
  /** exit after this time, such as 30s; default: never */ readonly for?: number | string | undefined;
  /** begin with the records of the transactions after this one, not the newest */ readonly after?: number | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** An item of `audit.tail`. */
export interface AuditTailAnswer {
  /** records; with format, documents of the shape: see docs/reference/records.md */ readonly records: readonly ({
    /** the store's clock */ readonly time: string;
    /** what happened: enqueue, claim, settle, read, … */ readonly event: string;
    /** id of the job or session; for a note, its subject */ readonly id: string;
    /** the state before; null: none */ readonly from: string | null;
    /** the state after; null: a note */ readonly to: string | null;
    /** the actor: cli:user@host, a worker, … */ readonly by: string | null;
    /** the reason that was given */ readonly why: string | null;
    /** of the transaction that wrote it */ readonly block: number;
    /** counts the job's records; 0: a note */ readonly revision: number;
    /** of the newest lease */ readonly token: number;
    /** of the job; 0: a note */ readonly generation: number;
    /** attempts over all generations */ readonly executions: number;
    /** further fields, depending on the event: see the audit log */ readonly detail: Readonly<Record<string, unknown>>;
    /** the block and the position in it, as audit prove takes it */ readonly record: string;
  } | Readonly<Record<string, unknown>>)[];
  /** the newest transaction that was read */ readonly block: number;
}

/** Input of `audit.export`. */
export interface AuditExportInput {
  /** only this kind of record, or records that audit/v1 and event/v1 call so, such as retry_attempt; may be repeated */ readonly event?: "enqueue" | "replace" | "claim" | "settle" | "lease_lost" | "unpark" | "run_now" | "cancel" | "expire" | "requeue" | "reset" | "purge" | "restore" | "prune" | "control" | "session" | "config" | "read" | "act" | "set_aside" | "put_back" | "retry_attempt" | "retry_success" | "retry_failure" | "retry_exhausted" | "circuit_breaker_opened" | "circuit_breaker_closed" | "idempotency" | readonly ("enqueue" | "replace" | "claim" | "settle" | "lease_lost" | "unpark" | "run_now" | "cancel" | "expire" | "requeue" | "reset" | "purge" | "restore" | "prune" | "control" | "session" | "config" | "read" | "act" | "set_aside" | "put_back" | "retry_attempt" | "retry_success" | "retry_failure" | "retry_exhausted" | "circuit_breaker_opened" | "circuit_breaker_closed" | "idempotency")[] | undefined;
  /** print the records in this shape of the data models; default: records of the log. --event then takes the event types of the shape */ readonly format?: "audit/v1" | "event/v1" | "session/v1" | undefined;
  /** only of this category, of calls or of the policies of jobs */ readonly category?: string | undefined;
  /** only of this operation of calls or handler of jobs */ readonly operation?: string | undefined;
  /** only of this tenant */ readonly tenant?: string | undefined;
  /** only with this correlation id */ readonly correlation?: string | undefined;
  /** only with this trace id */ readonly trace?: string | undefined;
  /** only about this session or job */ readonly session?: string | undefined;
  /** only by an actor whose name contains this */ readonly by?: string | undefined;
  /** at this time or later; 2h: within the last 2 hours */ readonly since?: string | undefined;
  /** before this time; 10m: more than 10 minutes ago */ readonly until?: string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** An item of `audit.export`. */
export interface AuditExportAnswer {
  /** records; with format, documents of the shape: see docs/reference/records.md */ readonly records: readonly ({
    /** the store's clock */ readonly time: string;
    /** what happened: enqueue, claim, settle, read, … */ readonly event: string;
    /** id of the job or session; for a note, its subject */ readonly id: string;
    /** the state before; null: none */ readonly from: string | null;
    /** the state after; null: a note */ readonly to: string | null;
    /** the actor: cli:user@host, a worker, … */ readonly by: string | null;
    /** the reason that was given */ readonly why: string | null;
    /** of the transaction that wrote it */ readonly block: number;
    /** counts the job's records; 0: a note */ readonly revision: number;
    /** of the newest lease */ readonly token: number;
    /** of the job; 0: a note */ readonly generation: number;
    /** attempts over all generations */ readonly executions: number;
    /** further fields, depending on the event: see the audit log */ readonly detail: Readonly<Record<string, unknown>>;
    /** the block and the position in it, as audit prove takes it */ readonly record: string;
  } | Readonly<Record<string, unknown>>)[];
  /** the part of the log that was read, 0 to 1 */ readonly share: number;
}

/** Input of `audit.verify`. */
export interface AuditVerifyInput {
  /** the log must contain this head, saved before */ readonly head?: string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** An item of `audit.verify`. */
export interface AuditVerifyAnswer {
  /** done: the last item, the verdict */ readonly state: "running" | "done";
  /** records that were read */ readonly records: number;
  /** while it runs: the first time through the log is 1 */ readonly pass?: number | undefined;
  /** while it runs: the part that was read, 0 to 1; null: not known */ readonly share?: number | null | undefined;
  /** true: no problem was found */ readonly ok?: boolean | undefined;
  /** transactions that were read */ readonly blocks?: number | undefined;
  /** decisions that were derived again */ readonly decisions?: number | undefined;
  /** records under an anchor */ readonly sealed?: number | undefined;
  /** whether a worker runs, which seals; null: not known */ readonly has_worker?: boolean | null | undefined;
  /** the newest anchor: save it; null: nothing is sealed */ readonly head?: {
    /** its number */ readonly seq: number;
    /** in hex */ readonly hash: string;
    /** when it was sealed; null: what is stored is no time */ readonly time: string | null;
  } | null | undefined;
  /** at most 100 */ readonly problems?: readonly ({
    /** see the audit log */ readonly kind: string;
    /** the place, as far as it is known */ readonly where: {
      /** number of an anchor */ readonly anchor?: number | undefined;
      /** number of a pack of old blocks */ readonly pack?: number | undefined;
      /** number of a transaction */ readonly block?: number | undefined;
      /** of a job, or the subject of a note */ readonly id?: string | undefined;
      /** of that job */ readonly revision?: number | undefined;
    };
    /** the value that follows from the rest of the log */ readonly expected: string;
    /** the value that the log has */ readonly found: string;
  })[] | undefined;
  /** how many there are in all */ readonly problems_found?: number | undefined;
}

/** Input of `audit.prove`. */
export interface AuditProveInput {
  /** the id of a job (its newest record), <id>@<revision>, or the record that list --json prints */ readonly id: string;
  /** the proof reaches this head, saved before; default: the newest anchor */ readonly head?: string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `audit.prove`. */
export interface AuditProveAnswer {
  /** the version of the format */ readonly format: "redrive/proof/1";
  /** the record as it is stored */ readonly record: {
    /** the job; of a note, its subject */ readonly id: string;
    /** counts the job's records; 0: a note */ readonly revision: number;
    /** what happened: enqueue, claim, settle, … */ readonly event: string;
    /** the state before; null: none */ readonly from: string | null;
    /** the state after; null: a note */ readonly to: string | null;
    /** the store's time, Unix time in ms */ readonly atMs: number;
    /** of the newest lease */ readonly token: number;
    /** of the job; 0: a note */ readonly generation: number;
    /** attempts over all generations */ readonly executions: number;
    /** the block with the job's record before it; 0: none */ readonly previousBlock: number;
    /** further fields, depending on the event */ readonly detail: Readonly<Record<string, unknown>>;
  };
  /** its place in the block's body, from 0 */ readonly index: number;
  /** the transaction that wrote it, with all its records */ readonly block: {
    /** its number */ readonly seq: number;
    /** the writer, whose blocks are a chain */ readonly writer: string;
    /** the store's time, Unix time in ms */ readonly atMs: number;
    /** hash of the block of this writer before it; "": none */ readonly prevHash: string;
    /** in hex */ readonly hash: string;
    /** all records of the transaction, as they are hashed */ readonly body: string;
    /** its place in the order of sealing */ readonly position: string;
  };
  /** the block's place among those under the anchor, from 0 */ readonly leaf: number;
  /** the hashes from the block's leaf to the root of the anchor */ readonly path: readonly ({
    /** of this hash */ readonly side: "left" | "right";
    /** in hex */ readonly hash: string;
  })[];
  /** the seal over it */ readonly anchor: {
    /** its number */ readonly seq: number;
    /** in hex */ readonly hash: string;
    /** position of the first block of its segment */ readonly from: string;
    /** position of the last one */ readonly to: string;
    /** blocks in the segment */ readonly blocks: number;
    /** the Merkle root over them, in hex */ readonly root: string;
    /** hash of the anchor before it; "" for the first one */ readonly prevHash: string;
    /** the store's time of sealing, Unix time in ms */ readonly atMs: number;
  };
  /** the anchors behind it, up to the head: seq, from, to, blocks, root, atMs */ readonly chain: readonly (readonly (unknown)[])[];
  /** the head that the proof is valid for */ readonly head: {
    /** its number */ readonly seq: number;
    /** in hex */ readonly hash: string;
  };
}

/** Input of `batches.list`. */
export interface BatchesListInput {
  /** only batches in this state */ readonly state?: "open" | "sealed" | "ended" | undefined;
  /** only batches of this tenant */ readonly tenant?: string | undefined;
  /** batches per page, 1 to 100; default 20 */ readonly limit?: number | string | undefined;
  /** the next page: the `next` of the page before it */ readonly after?: string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `batches.list`. */
export interface BatchesListAnswer {
  /** newest first */ readonly batches: readonly ({
    /** its id */ readonly id: string;
    /** the tenant of its jobs */ readonly tenant: string | null;
    /** open: it takes further jobs; sealed: it takes none; ended: all jobs have finished */ readonly state: "open" | "sealed" | "ended";
    /** its jobs, with those that retention has deleted */ readonly total: number;
    /** jobs that are scheduled, ready or parked */ readonly waiting: number;
    /** jobs that run now */ readonly running: number;
    /** jobs that succeeded */ readonly succeeded: number;
    /** jobs that were given up */ readonly dead: number;
    /** jobs that were cancelled */ readonly cancelled: number;
    /** jobs that were purged */ readonly purged: number;
    /** the handler of the job that follows; null: none does */ readonly then: string | null;
    /** id of that job; null: it is not enqueued yet, or none */ readonly then_job: string | null;
    /** who opened it */ readonly by: string;
    /** when it was opened */ readonly opened_at: string;
    /** when it was sealed */ readonly sealed_at: string | null;
    /** when it ended */ readonly ended_at: string | null;
  })[];
  /** the value of `after` for the next page; null: this is the last page */ readonly next: string | null;
}

/** Input of `batches.show`. */
export interface BatchesShowInput {
  /** id of the batch */ readonly id: string;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `batches.show`. */
export type BatchesShowAnswer = BatchesListAnswer['batches'][number];

/** Input of `batches.cancel`. */
export interface BatchesCancelInput {
  /** id of the batch */ readonly id: string;
  /** show what would change, and change nothing */ readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `batches.cancel`. */
export interface BatchesCancelAnswer {
  /** id of the batch */ readonly batch: string;
  /** id of the bulk operation that acts on the jobs; null: none was begun */ readonly operation: string | null;
  /** jobs that it acts on, or would; at most 10,000 are counted */ readonly jobs: number;
  /** true: there are more jobs than counted */ readonly more: boolean;
  /** true: nothing was changed */ readonly dry_run: boolean;
}

/** Input of `batches.retry`. */
export type BatchesRetryInput = BatchesCancelInput;

/** Answer of `batches.retry`. */
export type BatchesRetryAnswer = BatchesCancelAnswer;

/** Input of `breakers.list`. */
export interface BreakersListInput {
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `breakers.list`. */
export interface BreakersListAnswer {
  /** not closed first, then by name */ readonly breakers: readonly ({
    /** the dependency: jobs that name it share the breaker */ readonly policy_id: string;
    /** the state in force */ readonly state: "closed" | "open" | "half_open";
    /** failures in a row */ readonly failure_count: number;
    /** time of the newest failure; absent: there was none */ readonly last_failure_time?: string | undefined;
    /** the newest failure; null: none is known */ readonly last_error: {
      /** its type, as the handler named it */ readonly type: string;
      /** its message */ readonly message: string;
    } | null;
    /** failures in a row that open it */ readonly threshold: number;
    /** seconds between two probes, and up to a tenth more */ readonly timeout: number;
    /** when its state changed last */ readonly last_state_change: string;
    /** additions to the shape of the state */ readonly redrive?: {
      /** version of this part */ readonly schema_version: number;
      /** 0: stored breakers count failures in a row */ readonly calls: number;
      /** whether it is forced open */ readonly isolated: boolean;
    } | undefined;
    /** time of the next probe; null: the breaker is closed or forced, a probe is running, or no live worker has a handler for it */ readonly next_probe_at: string | null;
    /** the next probe: planned, for next_probe_at; running; no_worker: no live worker has a handler for it; none: the breaker is closed or forced */ readonly probe: "none" | "planned" | "running" | "no_worker";
    /** probes in a row that failed */ readonly failed_probes: number;
    /** set by an operator; null: the breaker is not forced */ readonly forced: {
      /** the forced state */ readonly state: "open" | "closed";
      /** when it ends; null: until it is reset */ readonly until: string | null;
      /** since when */ readonly since: string;
      /** who forced it */ readonly by: string;
      /** the reason that was given */ readonly why: string | null;
    } | null;
    /** jobs that wait for it, counted up to 10,000 */ readonly parked: number;
    /** true: more jobs wait for it */ readonly bounded: boolean;
  })[];
}

/** Input of `breakers.show`. */
export interface BreakersShowInput {
  /** the dependency, as handlers and policies name it */ readonly dependency: string;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `breakers.show`. */
export type BreakersShowAnswer = BreakersListAnswer['breakers'][number];

/** Input of `breakers.force`. */
export interface BreakersForceInput {
  /** the dependency, as handlers and policies name it */ readonly dependency: string;
  /** the state */ readonly state: "open" | "closed";
  /** for how long, such as 30m; default: until it is reset */ readonly for_ms?: number | string | undefined;
  /** until this time, such as 2027-01-31T08:00:00Z */ readonly until?: string | undefined;
  /** show what would change, and change nothing */ readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `breakers.force`. */
export interface BreakersForceAnswer {
  /** the dependency: jobs that name it share the breaker */ readonly policy_id: string;
  /** the state in force */ readonly state: "closed" | "open" | "half_open";
  /** failures in a row */ readonly failure_count: number;
  /** time of the newest failure; absent: there was none */ readonly last_failure_time?: string | undefined;
  /** the newest failure; null: none is known */ readonly last_error: NonNullable<BreakersListAnswer['breakers'][number]['last_error']> | null;
  /** failures in a row that open it */ readonly threshold: number;
  /** seconds between two probes, and up to a tenth more */ readonly timeout: number;
  /** when its state changed last */ readonly last_state_change: string;
  /** additions to the shape of the state */ readonly redrive?: NonNullable<BreakersListAnswer['breakers'][number]['redrive']> | undefined;
  /** time of the next probe; null: the breaker is closed or forced, a probe is running, or no live worker has a handler for it */ readonly next_probe_at: string | null;
  /** the next probe: planned, for next_probe_at; running; no_worker: no live worker has a handler for it; none: the breaker is closed or forced */ readonly probe: "none" | "planned" | "running" | "no_worker";
  /** probes in a row that failed */ readonly failed_probes: number;
  /** set by an operator; null: the breaker is not forced */ readonly forced: NonNullable<BreakersListAnswer['breakers'][number]['forced']> | null;
  /** jobs that wait for it, counted up to 10,000 */ readonly parked: number;
  /** true: more jobs wait for it */ readonly bounded: boolean;
  /** false: the dependency has no breaker; it would be created */ readonly exists: boolean;
  /** false: it was so already, or a dry run */ readonly changed: boolean;
  /** true: nothing was changed */ readonly dry_run: boolean;
}

/** Input of `breakers.halfOpen`. */
export interface BreakersHalfOpenInput {
  /** the dependency, as handlers and policies name it */ readonly dependency: string;
  /** show what would change, and change nothing */ readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `breakers.halfOpen`. */
export type BreakersHalfOpenAnswer = BreakersForceAnswer;

/** Input of `breakers.reset`. */
export type BreakersResetInput = BreakersHalfOpenInput;

/** Answer of `breakers.reset`. */
export type BreakersResetAnswer = BreakersForceAnswer;

/** Input of `causes.list`. */
export type CausesListInput = BreakersListInput;

/** Answer of `causes.list`. */
export interface CausesListAnswer {
  /** empty: causes are as their messages say */ readonly rules: readonly ({
    /** names the rule, to remove it */ readonly name: string;
    /** the cause as people read it; null: as it was */ readonly title: string | null;
    /** causes that it changes; empty: any */ readonly fingerprints: readonly (string)[];
    /** patterns of handlers; empty: any */ readonly handlers: readonly (string)[];
    /** patterns of types of errors; empty: any */ readonly types: readonly (string)[];
    /** patterns of codes of errors; empty: any */ readonly codes: readonly (string)[];
    /** patterns of messages; empty: any */ readonly messages: readonly (string)[];
    /** the cause that the failures join; null: that of its name */ readonly into: string | null;
    /** message, type, code or handler: a cause for each value; null: none */ readonly split_by: string | null;
    /** failures with a message that matches are a cause apart; null: none */ readonly split_pattern: string | null;
    /** true: it is from the configuration of a worker */ readonly from_file: boolean;
    /** who set it */ readonly by: string;
    /** the reason that was given */ readonly why: string | null;
    /** when */ readonly set_at: string;
  })[];
  /** the bulk operation that moves letters by these rules; null: all have moved */ readonly moving: string | null;
  /** the section `causes` for redrive.yaml */ readonly yaml: string;
}

/** Input of `causes.merge`. */
export interface CausesMergeInput {
  /** the causes: fingerprints, beginnings of them, or names */ readonly causes: readonly (string)[];
  /** the cause that they join: its fingerprint, or a name for a new one, such as card-refused */ readonly into: string;
  /** the cause as people read it; default: that of --into */ readonly title?: string | undefined;
  /** show what would change, and change nothing */ readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `causes.merge`. */
export interface CausesMergeAnswer {
  /** the rule */ readonly rule: {
    /** names the rule, to remove it */ readonly name: string;
    /** the cause as people read it; null: as it was */ readonly title: string | null;
    /** causes that it changes; empty: any */ readonly fingerprints: readonly (string)[];
    /** patterns of handlers; empty: any */ readonly handlers: readonly (string)[];
    /** patterns of types of errors; empty: any */ readonly types: readonly (string)[];
    /** patterns of codes of errors; empty: any */ readonly codes: readonly (string)[];
    /** patterns of messages; empty: any */ readonly messages: readonly (string)[];
    /** the cause that the failures join; null: that of its name */ readonly into: string | null;
    /** message, type, code or handler: a cause for each value; null: none */ readonly split_by: string | null;
    /** failures with a message that matches are a cause apart; null: none */ readonly split_pattern: string | null;
  };
  /** stored letters that move, or would */ readonly letters: {
    /** dead letters, counted up to 10,000 */ readonly count: number;
    /** true: there are more */ readonly bounded: boolean;
  };
  /** the largest first */ readonly from: readonly ({
    /** the cause that they leave */ readonly fingerprint: string;
    /** letters that move */ readonly letters: number;
  })[];
  /** the largest first */ readonly to: readonly ({
    /** the cause that they come to */ readonly fingerprint: string;
    /** the cause as people read it */ readonly pattern: string;
    /** letters that arrive */ readonly letters: number;
    /** letters that it has already; 0: it is new */ readonly has: CausesMergeAnswer['letters'];
  })[];
  /** the bulk operation that moves them; null: none has to move */ readonly operation: string | null;
  /** false: they move when a worker runs */ readonly has_worker: boolean;
  /** true: nothing was changed */ readonly dry_run: boolean;
}

/** Input of `causes.split`. */
export interface CausesSplitInput {
  /** the cause: its fingerprint, the beginning of one, or its name */ readonly cause: string;
  /** message, type, code, handler, or a text of messages */ readonly by: string;
  /** show what would change, and change nothing */ readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `causes.split`. */
export type CausesSplitAnswer = CausesMergeAnswer;

/** Input of `causes.rename`. */
export interface CausesRenameInput {
  /** the cause: its fingerprint, the beginning of one, or its name */ readonly cause: string;
  /** the cause as people read it */ readonly title: string;
  /** show what would change, and change nothing */ readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `causes.rename`. */
export interface CausesRenameAnswer {
  /** the rule */ readonly rule: CausesMergeAnswer['rule'];
  /** the cause */ readonly fingerprint: string;
  /** its title before */ readonly was: string;
  /** true: nothing was changed */ readonly dry_run: boolean;
}

/** Input of `causes.removeRule`. */
export interface CausesRemoveRuleInput {
  /** the name of the rule */ readonly name: string;
  /** show what would change, and change nothing */ readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `causes.removeRule`. */
export type CausesRemoveRuleAnswer = CausesMergeAnswer;

/** Input of `config.show`. */
export interface ConfigShowInput {
  /** every value, presets and defaults included; otherwise only those that were set */ readonly effective?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `config.show`. */
export interface ConfigShowAnswer {
  /** the configuration file; null: the presets alone */ readonly file: string | null;
  /** the version of the file's format */ readonly version: string;
  /** SHA-256 of all values in force */ readonly hash: string;
  /** one per value, in the order of the file format */ readonly values: readonly ({
    /** the keys that lead to it, with dots */ readonly path: string;
    /** the beginning of the path: a policy, the mappings, a section */ readonly group: string;
    /** any JSON, in the unit of the file; null is "no limit" */ readonly value: unknown;
    /** unit of a number */ readonly unit: "seconds" | null;
    /** the kind of source: flag, environment, file, preset or default */ readonly source: "flag" | "environment" | "file" | "preset" | "default";
    /** the source: `redrive.yaml:12`, a variable, a preset */ readonly where: string;
    /** of a mapping to a policy that the file lacks: the policy that is used instead */ readonly served_by: string | null;
  })[];
}

/** Input of `config.validate`. */
export interface ConfigValidateInput {
  /** the text of the file */ readonly text: string;
  /** the name of the file, for its problems */ readonly file?: string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `config.validate`. */
export interface ConfigValidateAnswer {
  /** true: no errors; there may be warnings */ readonly valid: boolean;
  /** all problems, in the order of the file */ readonly problems: readonly ({
    /** a file with an error is not valid; a file with warnings is */ readonly severity: "error" | "warning";
    /** the kind of problem; a fixed text */ readonly code: string;
    /** the keys that lead there, with dots; "" is the whole file */ readonly path: string;
    /** from 1 */ readonly line: number;
    /** from 1, in characters */ readonly column: number;
    /** the fault, in a sentence */ readonly message: string;
    /** the remedy; null: none is known */ readonly suggestion: string | null;
    /** the file, variable or flag that has the problem */ readonly file: string | null;
  })[];
}

/** Input of `deadLetters.list`. */
export interface DeadLettersListInput {
  /** only letters of this handler */ readonly handler?: string | undefined;
  /** only letters of this queue */ readonly queue?: string | undefined;
  /** only letters of this tenant */ readonly tenant?: string | undefined;
  /** only letters with this tag */ readonly tag?: string | undefined;
  /** only letters of this session */ readonly session?: string | undefined;
  /** only letters with this cause: see "redrive dlq groups" */ readonly group?: string | undefined;
  /** only letters with this reason code, such as max_attempts_exceeded */ readonly reason_code?: "final_error" | "max_attempts_exceeded" | "ttl_exceeded" | "effect_unknown" | "effect_applied" | "lease_lost" | "inner_gave_up" | "allowance_exhausted" | "beyond_horizon" | "budget_exhausted" | "breaker_open" | "invalid_message" | "message_too_large" | "idempotency_conflict" | "policy_disabled" | "kill_switch" | undefined;
  /** only letters with an error of this class */ readonly class?: "final" | "retryable" | "rate_limited" | undefined;
  /** only letters whose cause contains this text */ readonly text?: string | undefined;
  /** died at this time or later; 2h: within the last 2 hours */ readonly since?: string | undefined;
  /** died before this time; 10m: more than 10 minutes ago */ readonly until?: string | undefined;
  /** rows per page, 1 to 1,000; default 50 */ readonly limit?: number | string | undefined;
  /** the next page: the `next` of the page before it */ readonly after?: string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `deadLetters.list`. */
export interface DeadLettersListAnswer {
  /** newest death first */ readonly letters: readonly ({
    /** sorts by time of creation */ readonly id: string;
    /** the handler of the job */ readonly handler: string;
    /** the first part of the handler's name */ readonly subsystem: string;
    /** scheduled, ready, parked, leased, succeeded, dead, cancelled or purged */ readonly state: "scheduled" | "ready" | "parked" | "leased" | "succeeded" | "dead" | "cancelled" | "purged";
    /** the queue */ readonly queue: string;
    /** the tenant of the job; tenants take turns */ readonly tenant: string | null;
    /** higher first */ readonly priority: number;
    /** texts */ readonly tags: readonly (string)[];
    /** retries after charged attempts; 0 again after success */ readonly retry_count: number;
    /** when a scheduled or parked job is due */ readonly next_retry_at: string | null;
    /** class of the newest failure: final, retryable or rate_limited; null after success */ readonly error_class: string | null;
    /** reason code of the current state */ readonly reason: string | null;
    /** what a parked job waits for */ readonly cause: string | null;
    /** when it was enqueued */ readonly submitted_at: string;
    /** the same time */ readonly submitted_date: string;
    /** no attempt starts after it */ readonly deadline: string | null;
    /** when it finished */ readonly finished_at: string | null;
    /** from 1; each requeue increments it */ readonly generation: number;
    /** attempts in this generation, the running one included */ readonly attempts_made: number;
    /** the worker that runs it now */ readonly worker: string | null;
    /** true: the job runs, and a cancellation was requested */ readonly cancel_requested: boolean;
    /** the id of the job, or of the call that handed it over */ readonly session_id: string;
    /** as given, else the session id */ readonly correlation_id: string;
    /** the job's own, where it names one; of one job: else that of its newest attempt */ readonly policy: string | null;
    /** id of the batch that counts it */ readonly batch: string | null;
    /** the unique key: at most one unfinished job has it */ readonly unique_key: string | null;
    /** the newest attempt's error */ readonly last_error: {
      /** its type */ readonly type: string;
      /** its message */ readonly message: string;
    } | null;
    /** fingerprint of its cause, for --group */ readonly fingerprint: string | null;
    /** true: it was requeued, and died again */ readonly came_back: boolean;
  })[];
  /** of all pages */ readonly total: {
    /** dead letters, up to the counting limit */ readonly count: number;
    /** true: there are more, or may be */ readonly bounded: boolean;
  };
  /** the value of `after` for the next page; null: this is the last page */ readonly next: string | null;
}

/** Input of `deadLetters.groups`. */
export interface DeadLettersGroupsInput {
  /** only letters of this handler */ readonly handler?: string | undefined;
  /** only letters of this queue */ readonly queue?: string | undefined;
  /** only letters of this tenant */ readonly tenant?: string | undefined;
  /** only letters with this tag */ readonly tag?: string | undefined;
  /** only letters of this session */ readonly session?: string | undefined;
  /** only letters with this cause: see "redrive dlq groups" */ readonly group?: string | undefined;
  /** only letters with this reason code, such as max_attempts_exceeded */ readonly reason_code?: "final_error" | "max_attempts_exceeded" | "ttl_exceeded" | "effect_unknown" | "effect_applied" | "lease_lost" | "inner_gave_up" | "allowance_exhausted" | "beyond_horizon" | "budget_exhausted" | "breaker_open" | "invalid_message" | "message_too_large" | "idempotency_conflict" | "policy_disabled" | "kill_switch" | undefined;
  /** only letters with an error of this class */ readonly class?: "final" | "retryable" | "rate_limited" | undefined;
  /** only letters whose cause contains this text */ readonly text?: string | undefined;
  /** died at this time or later; 2h: within the last 2 hours */ readonly since?: string | undefined;
  /** died before this time; 10m: more than 10 minutes ago */ readonly until?: string | undefined;
  /** number of causes, 1 to 100; default 20 */ readonly limit?: number | string | undefined;
  /** the next page: the `next` of the page before it */ readonly after?: string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `deadLetters.groups`. */
export interface DeadLettersGroupsAnswer {
  /** newest death first */ readonly groups: readonly ({
    /** for --group */ readonly fingerprint: string;
    /** the error text, without the parts that differ from case to case */ readonly pattern: string;
    /** dead letters, up to the counting limit */ readonly count: number;
    /** true: there are more */ readonly bounded: boolean;
    /** the first death */ readonly first_died_at: string;
    /** the newest death */ readonly last_died_at: string;
    /** id of the letter that died last */ readonly newest_id: string;
    /** handlers of its newest letters, by name */ readonly handlers: readonly (string)[];
    /** reason codes of these letters */ readonly reason_codes: readonly (string)[];
    /** its newest letters that were looked at */ readonly sampled: number;
    /** of these, letters that were requeued and died again */ readonly came_back: number;
    /** deaths of these letters in each of the last 24 hours, the oldest first */ readonly trend: readonly (number)[];
    /** the message of the newest letter, in parts; empty: there is none */ readonly last_message: readonly ({
      /** a part, secrets masked */ readonly text: string;
      /** true: it differs from case to case, and the cause ignores it */ readonly varies: boolean;
    })[];
    /** the next command to type */ readonly next: string;
  })[];
  /** the value of `after` for the next page; null: this is the last page */ readonly next: string | null;
}

/** Input of `deadLetters.stats`. */
export interface DeadLettersStatsInput {
  /** only letters of this handler */ readonly handler?: string | undefined;
  /** only letters of this queue */ readonly queue?: string | undefined;
  /** only letters of this tenant */ readonly tenant?: string | undefined;
  /** only letters with this tag */ readonly tag?: string | undefined;
  /** only letters of this session */ readonly session?: string | undefined;
  /** only letters with this cause: see "redrive dlq groups" */ readonly group?: string | undefined;
  /** only letters with this reason code, such as max_attempts_exceeded */ readonly reason_code?: "final_error" | "max_attempts_exceeded" | "ttl_exceeded" | "effect_unknown" | "effect_applied" | "lease_lost" | "inner_gave_up" | "allowance_exhausted" | "beyond_horizon" | "budget_exhausted" | "breaker_open" | "invalid_message" | "message_too_large" | "idempotency_conflict" | "policy_disabled" | "kill_switch" | undefined;
  /** only letters with an error of this class */ readonly class?: "final" | "retryable" | "rate_limited" | undefined;
  /** only letters whose cause contains this text */ readonly text?: string | undefined;
  /** died at this time or later; 2h: within the last 2 hours */ readonly since?: string | undefined;
  /** died before this time; 10m: more than 10 minutes ago */ readonly until?: string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `deadLetters.stats`. */
export interface DeadLettersStatsAnswer {
  /** dead letters */ readonly total: DeadLettersListAnswer['total'];
  /** the first death */ readonly oldest_died_at: string | null;
  /** of that one */ readonly oldest_id: string | null;
  /** the newest death */ readonly newest_died_at: string | null;
  /** number of newest letters that the next fields cover */ readonly tallied: number;
  /** of these, letters that were requeued and died again */ readonly came_back: number;
  /** of these letters, the most frequent first */ readonly reasons: readonly ({
    /** a reason code */ readonly reason: string;
    /** how many */ readonly count: number;
  })[];
  /** of these letters, the most frequent first */ readonly handlers: readonly ({
    /** its name */ readonly handler: string;
    /** how many */ readonly count: number;
  })[];
  /** at most 10, the newest death first */ readonly causes: readonly (DeadLettersGroupsAnswer['groups'][number])[];
  /** the last 24 hours, the oldest first */ readonly per_hour: readonly ({
    /** its beginning, UTC */ readonly from: string;
    /** dead letters, up to the counting limit */ readonly count: number;
    /** true: there are more, or may be */ readonly bounded: boolean;
  })[];
  /** the last 14 days, the oldest first */ readonly per_day: readonly (DeadLettersStatsAnswer['per_hour'][number])[];
}

/** Input of `deadLetters.causes`. */
export interface DeadLettersCausesInput {
  /** only letters of this handler */ readonly handler?: string | undefined;
  /** only letters of this queue */ readonly queue?: string | undefined;
  /** only letters of this tenant */ readonly tenant?: string | undefined;
  /** only letters with this tag */ readonly tag?: string | undefined;
  /** only letters of this session */ readonly session?: string | undefined;
  /** only letters with this cause: see "redrive dlq groups" */ readonly group?: string | undefined;
  /** only letters with this reason code, such as max_attempts_exceeded */ readonly reason_code?: "final_error" | "max_attempts_exceeded" | "ttl_exceeded" | "effect_unknown" | "effect_applied" | "lease_lost" | "inner_gave_up" | "allowance_exhausted" | "beyond_horizon" | "budget_exhausted" | "breaker_open" | "invalid_message" | "message_too_large" | "idempotency_conflict" | "policy_disabled" | "kill_switch" | undefined;
  /** only letters with an error of this class */ readonly class?: "final" | "retryable" | "rate_limited" | undefined;
  /** only letters whose cause contains this text */ readonly text?: string | undefined;
  /** died at this time or later; 2h: within the last 2 hours */ readonly since?: string | undefined;
  /** died before this time; 10m: more than 10 minutes ago */ readonly until?: string | undefined;
  /** number of groups, 1 to 100; default 20 */ readonly limit?: number | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `deadLetters.causes`. */
export interface DeadLettersCausesAnswer {
  /** how many jobs were compared */ readonly looked_at: {
    /** the newest ones */ readonly letters: DeadLettersListAnswer['total'];
    /** jobs that succeeded */ readonly succeeded: {
      /** jobs */ readonly count: number;
      /** true: there are more, so only jobs of some minutes of the window are compared */ readonly bounded: boolean;
    };
  };
  /** the jobs were submitted in this time */ readonly window: {
    /** its beginning; null: no dead letter matches */ readonly from: string | null;
    /** its end */ readonly to: string | null;
  };
  /** the largest first */ readonly groups: readonly ({
    /** for --group */ readonly fingerprint: string;
    /** the error text, without the parts that differ from case to case */ readonly pattern: string;
    /** dead letters */ readonly count: number;
    /** of these, letters that were compared */ readonly compared: number;
    /** at most 3, the best first; empty: nothing sets the group apart */ readonly causes: readonly ({
      /** one value, or a pair */ readonly values: readonly ({
        /** handler, queue, tenant, collection, worker, policy_version, payload_kind or hour */ readonly dimension: string;
        /** the value */ readonly value: string;
      })[];
      /** dead letters of the group */ readonly letters: {
        /** with this value, or both */ readonly with: number;
        /** the others */ readonly without: number;
      };
      /** succeeded jobs */ readonly succeeded: DeadLettersCausesAnswer['groups'][number]['causes'][number]['letters'];
      /** the G statistic of these four counts */ readonly g: number;
      /** g, less 6 for a pair */ readonly score: number;
    })[];
    /** what to look at first */ readonly suggestion: string | null;
    /** the next command to type */ readonly next: string;
  })[];
  /** smaller groups that are left out */ readonly more_groups: number;
}

/** Input of `deadLetters.payload`. */
export interface DeadLettersPayloadInput {
  /** id of the dead letter */ readonly id: string;
  /** redacted (secrets masked, cut) or full; default redacted */ readonly payload?: "redacted" | "full" | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `deadLetters.payload`. */
export interface DeadLettersPayloadAnswer {
  /** the payload */ readonly text: string;
  /** a binary payload is shown as JSON, in base64 */ readonly kind: "json" | "bytes";
  /** attempts of this generation ran with it */ readonly generation: number;
}

/** Input of `deadLetters.show`. */
export interface DeadLettersShowInput {
  /** id of the dead letter */ readonly id: string;
  /** payload and headers: none, redacted (secrets masked, cut) or full; default redacted */ readonly payload?: "none" | "redacted" | "full" | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `deadLetters.show`. */
export interface DeadLettersShowAnswer {
  /** the payload: masked and cut, unless --payload says otherwise */ readonly original_event: Readonly<Record<string, unknown>> | readonly (unknown)[] | string | number | boolean | null;
  /** the key that the handler passed on */ readonly idempotency_key: string;
  /** charged attempts of this generation, over all rungs */ readonly attempt_count: number;
  /** type and message of the newest error */ readonly last_error: string;
  /** its type */ readonly error_type: string;
  /** why it was given up */ readonly abandoned_reason: "max_attempts_exceeded" | "ttl_exceeded" | "non_retryable";
  /** the first part of the handler's name */ readonly service_name: string;
  /** when it was given up */ readonly timestamp: string;
  /** further fields: see [dead letters](dead-letters.md#the-envelope) */ readonly redrive: {
    /** version of this part */ readonly schema_version: "dead-letter/v1";
    /** id of the dead letter */ readonly id: string;
    /** the session */ readonly session_id: string;
    /** as given, else the session */ readonly correlation_id: string;
    /** as given */ readonly trace_id: string | null;
    /** why it was given up, in detail */ readonly reason_code: string | null;
    /** the label of the metric that counts dead letters */ readonly metric_reason: "max_attempts" | "ttl_exceeded" | "non_retryable";
    /** final, retryable or rate_limited */ readonly error_class: string | null;
    /** the cause: the same for all letters of a group */ readonly fingerprint: string;
    /** its error text, without the parts that differ */ readonly pattern: string;
    /** where it came from */ readonly origin: {
      /** call, event, job or document */ readonly rung: string;
      /** the bus it came from */ readonly bus: string | null;
      /** the queue */ readonly queue: string;
      /** the handler */ readonly handler: string;
      /** the tenant */ readonly tenant: string | null;
    };
    /** of the newest attempt; null: there was none */ readonly policy: {
      /** name of the policy */ readonly id: string | null;
      /** the version of the policy */ readonly hash: string;
      /** of that version */ readonly max_attempts: number;
    } | null;
    /** from 1; each requeue increments it */ readonly generation: number;
    /** attempts of all generations and rungs */ readonly executions: number;
    /** when it was enqueued */ readonly submitted_at: string;
    /** the first failure that is kept */ readonly first_failed_at: string | null;
    /** no attempt started after it */ readonly deadline: string | null;
    /** the first attempt and the newest ones, the oldest first */ readonly attempts: readonly ({
      /** in its generation, from 1, over all rungs */ readonly attempt_number: number;
      /** its generation */ readonly generation: number;
      /** where it ran: job, or call before it was handed over */ readonly rung: string;
      /** when it started */ readonly timestamp: string;
      /** the wait before it, in seconds */ readonly delay: number;
      /** in seconds */ readonly duration: number;
      /** whether the attempt counts: its entry in the attempt account */ readonly entry: string;
      /** what kind of error */ readonly error_class: string | null;
      /** why: a reason code */ readonly reason: string;
      /** the wait that followed, in seconds */ readonly next_delay: number | null;
      /** sanitised; null: it succeeded */ readonly error: NonNullable<DeadLettersListAnswer['letters'][number]['last_error']> | null;
    })[];
    /** attempts that are not in the list */ readonly omitted_attempts: number;
    /** how the payload is shown */ readonly payload: {
      /** how it is shown */ readonly shown: "none" | "redacted" | "full";
      /** a binary payload is shown in base64 */ readonly kind: "json" | "bytes";
      /** its size */ readonly bytes: number;
    };
    /** shown as the payload is */ readonly headers: Readonly<Record<string, unknown>> | readonly (unknown)[] | string | number | boolean | null;
    /** the command that requeues it */ readonly send_back: {
      /** id of the dead letter */ readonly id: string;
      /** it must still be in this generation */ readonly generation: number;
      /** the command line */ readonly command: string;
    };
  };
  /** purged: deleted, and can still be restored */ readonly state: "dead" | "purged";
  /** true: it was requeued, and died again */ readonly came_back: boolean;
  /** dead letters of the same cause, itself included */ readonly same_cause: DeadLettersListAnswer['total'];
  /** the payload as text, with all digits of its numbers; null: it is not shown */ readonly payload_text: {
    /** its first 64 KiB */ readonly text: string;
    /** of the whole text */ readonly characters: number;
  } | null;
  /** those that edits have replaced, the oldest first */ readonly earlier_payloads: readonly ({
    /** attempts that ran with it */ readonly generation: number;
    /** when it was replaced */ readonly replaced_at: string;
    /** who replaced it */ readonly by: string;
    /** shown as the payload is */ readonly payload: Readonly<Record<string, unknown>> | readonly (unknown)[] | string | number | boolean | null;
    /** the same as text */ readonly payload_text: NonNullable<DeadLettersShowAnswer['payload_text']> | null;
  })[];
  /** the job that died */ readonly job: {
    /** sorts by time of creation */ readonly id: string;
    /** the handler of the job */ readonly handler: string;
    /** the first part of the handler's name */ readonly subsystem: string;
    /** scheduled, ready, parked, leased, succeeded, dead, cancelled or purged */ readonly state: "scheduled" | "ready" | "parked" | "leased" | "succeeded" | "dead" | "cancelled" | "purged";
    /** the queue */ readonly queue: string;
    /** the tenant of the job; tenants take turns */ readonly tenant: string | null;
    /** higher first */ readonly priority: number;
    /** texts */ readonly tags: readonly (string)[];
    /** retries after charged attempts; 0 again after success */ readonly retry_count: number;
    /** when a scheduled or parked job is due */ readonly next_retry_at: string | null;
    /** class of the newest failure: final, retryable or rate_limited; null after success */ readonly error_class: string | null;
    /** reason code of the current state */ readonly reason: string | null;
    /** what a parked job waits for */ readonly cause: string | null;
    /** when it was enqueued */ readonly submitted_at: string;
    /** the same time */ readonly submitted_date: string;
    /** no attempt starts after it */ readonly deadline: string | null;
    /** when it finished */ readonly finished_at: string | null;
    /** from 1; each requeue increments it */ readonly generation: number;
    /** attempts in this generation, the running one included */ readonly attempts_made: number;
    /** the worker that runs it now */ readonly worker: string | null;
    /** true: the job runs, and a cancellation was requested */ readonly cancel_requested: boolean;
    /** the id of the job, or of the call that handed it over */ readonly session_id: string;
    /** as given, else the session id */ readonly correlation_id: string;
    /** the job's own, where it names one; of one job: else that of its newest attempt */ readonly policy: string | null;
    /** id of the batch that counts it */ readonly batch: string | null;
    /** the unique key: at most one unfinished job has it */ readonly unique_key: string | null;
    /** the newest attempt's error */ readonly last_error: NonNullable<DeadLettersListAnswer['letters'][number]['last_error']> | null;
    /** the policy that the job itself names, or the version of one that it has for itself */ readonly own_policy: string | null;
    /** the number of attempts that it was enqueued with; null: that of its policy */ readonly own_max_attempts: number | null;
    /** attempts of this generation by outcome: succeeded, failed, rate_limited, … */ readonly account: Readonly<Record<string, number>>;
    /** attempts of all generations and rungs */ readonly executions: number;
    /** attempts of this generation that count, the one that succeeded included */ readonly charged: number;
    /** leases that it lost in a row */ readonly losses: number;
    /** the first attempt and the newest ones, the oldest first */ readonly attempts: readonly ({
      /** in its generation, from 1, over all rungs */ readonly attempt_number: number;
      /** its generation */ readonly generation: number;
      /** where it ran: job, or call before it was handed over */ readonly rung: string;
      /** when it started */ readonly timestamp: string;
      /** the wait before it, in seconds */ readonly delay: number;
      /** in seconds */ readonly duration: number;
      /** true: it succeeded */ readonly success: boolean;
      /** sanitised */ readonly error: {
        /** its type */ readonly type: string;
        /** its message */ readonly message: string;
        /** null: it is not known */ readonly stack_trace: string | null;
      } | null;
      /** what kind of error */ readonly error_class: string | null;
      /** what was decided: succeed, retry, hand-over, park or give-up */ readonly action: string;
      /** why: a reason code */ readonly reason: string;
      /** whether the attempt counts: its entry in the attempt account */ readonly entry: string;
      /** the wait that followed, in seconds */ readonly next_delay: number | null;
      /** the worker that ran it */ readonly worker: string;
      /** true: the probe of an open breaker, not charged if it fails */ readonly probe: boolean;
      /** name of the policy */ readonly policy_id: string | null;
      /** the version of the policy */ readonly policy_hash: string;
      /** of that version */ readonly max_attempts: number;
    })[];
    /** attempts that are not in the list; the audit log has them */ readonly omitted_attempts: number;
    /** null: it does not run */ readonly lease: {
      /** the worker that runs it */ readonly worker: string;
      /** when it was claimed */ readonly since: string;
      /** when another worker may take it */ readonly until: string;
      /** true: the worker runs no other job at the same time */ readonly alone: boolean;
      /** of the attempt; null: it has reported none */ readonly progress: {
        /** from 0 to 1 */ readonly fraction: number;
        /** in words; null: none was given */ readonly note: string | null;
        /** since when it has been the same */ readonly since: string;
      } | null;
    } | null;
    /** the source that it came from; null: it was enqueued */ readonly origin: {
      /** event or document */ readonly rung: string;
      /** the bus */ readonly bus: string | null;
      /** the source */ readonly source: string;
    } | null;
    /** as given */ readonly trace_id: string | null;
    /** the job whose attempt or death enqueued this one; null: none did */ readonly parent_id: string | null;
    /** jobs that its attempts have enqueued, and the hooks of its deaths */ readonly leads_to: {
      /** their number */ readonly count: number;
      /** the first ones, at most 20 */ readonly ids: readonly (string)[];
    };
    /** the handler that gets a job when this one dies; null: none */ readonly on_dead: string | null;
    /** the key that the handler passes on */ readonly idempotency_key: string;
    /** jobs with the same key share a limit */ readonly limit_key: string | null;
    /** of the running or newest attempt */ readonly policy_hash: string | null;
    /** of the newest attempt's policy */ readonly max_attempts: number | null;
    /** number of state changes */ readonly revision: number;
    /** of its newest lease */ readonly token: number;
  };
}

/** Input of `deadLetters.edit`. */
export interface DeadLettersEditInput {
  /** id of the dead letter */ readonly id: string;
  /** the edit is refused if the letter is no longer in this generation */ readonly generation?: number | string | undefined;
  /** the new payload */ readonly payload?: Readonly<Record<string, unknown>> | readonly (unknown)[] | string | number | boolean | null | undefined;
  /** instead of `payload`: JSON whose numbers keep all their digits */ readonly payload_text?: string | undefined;
  /** id of the bulk operation; the same id again continues it and repeats nothing; default: a new id */ readonly operation?: string | undefined;
  /** show what would change, and change nothing */ readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason: string;
}

/** Answer of `deadLetters.edit`. */
export interface DeadLettersEditAnswer {
  /** requeue, reset, purge, restore or cancel */ readonly act: string;
  /** id of the bulk operation; null: nothing was begun */ readonly operation: string | null;
  /** letters that were changed, or would be */ readonly done: number;
  /** letters that were refused, or would be */ readonly refused: number;
  /** the first 100 refused letters, each with `id`, `refusal` and a `note` in words */ readonly refusals: readonly ({
    /** its id */ readonly id: string;
    /** why: not_found, illegal (its state does not allow it), unique_conflict or changed */ readonly refusal: string;
    /** the same in words */ readonly note: string;
  })[];
  /** false: it still runs, was stopped, or is a dry run */ readonly finished: boolean;
  /** running, paused, stopped (by its ramp), aborted or finished; null: nothing was begun */ readonly state: "running" | "paused" | "stopped" | "aborted" | "finished" | null;
  /** jobs that were requeued and have made no attempt yet; null: results are not observed */ readonly in_flight: number | null;
  /** jobs whose first attempt succeeded; null: results are not observed */ readonly succeeded: number | null;
  /** jobs whose first attempt failed; null: results are not observed */ readonly came_back: number | null;
  /** true: an earlier submission did it, and nothing was changed now */ readonly already_done: boolean;
  /** true: more letters match the filter than the plan contains */ readonly more: boolean;
  /** letters that died at this time or later are left out; null: there was no plan */ readonly cut_off: string | null;
  /** purge only: the letters can be restored until then */ readonly restorable_until: string | null;
  /** of a filter, or of a dry run; null: none was made */ readonly plan: {
    /** letters that would be changed */ readonly done: number;
    /** letters that would be refused */ readonly refused: number;
    /** the first 100 of them */ readonly refusals: readonly (DeadLettersEditAnswer['refusals'][number])[];
    /** the first ten that would be changed */ readonly sample_ids: readonly (string)[];
    /** true: more letters match the filter than the plan contains */ readonly more: boolean;
    /** letters that died at this time or later are left out; null: there was no plan */ readonly cut_off: string | null;
    /** requeue only: what will keep some of the jobs from starting */ readonly stopped_by: readonly ({
      /** parked: under an open breaker, a closed gate, or by an operator */ readonly kind: "kill_switch" | "pause" | "parked" | "no_worker";
      /** what stops them, in words */ readonly what: string;
      /** since when; null: not known */ readonly since: string | null;
      /** who stopped them; null: no person */ readonly by: string | null;
      /** the reason that was given */ readonly why: string | null;
      /** the command that lets them start */ readonly next: string;
    })[];
  } | null;
  /** requeue only: what keeps some of the jobs from starting */ readonly stopped_by: readonly (NonNullable<DeadLettersEditAnswer['plan']>['stopped_by'][number])[];
  /** true: without a worker no stage gets its results, so the stages were left out */ readonly without_stages: boolean;
  /** the stored bulk operation; null: nothing was begun */ readonly status: {
    /** its id */ readonly id: string;
    /** requeue, cancel, purge, reset, restore or regroup (dead letters follow new rules of causes) */ readonly act: string;
    /** stopped: by its ramp, because too many jobs failed again */ readonly state: "running" | "paused" | "stopped" | "aborted" | "finished";
    /** the operator who started it */ readonly by: string;
    /** the reason that was given then */ readonly why: string | null;
    /** its start, then the newest changes of its state until it finished, the oldest first */ readonly changes: readonly ({
      /** the state */ readonly to: "running" | "paused" | "stopped" | "aborted" | "finished";
      /** since when; null: not known */ readonly at: string | null;
      /** who changed it: an operator, or the worker where its ramp stopped it */ readonly by: string;
      /** the reason that was given */ readonly why: string | null;
    })[];
    /** when it was started; null: not known */ readonly started_at: string | null;
    /** time of its newest step; null: not known */ readonly updated_at: string | null;
    /** jobs that were changed */ readonly done: number;
    /** jobs whose state did not allow it */ readonly refused: number;
    /** jobs in all; null: not known */ readonly total: number | null;
    /** true: there are more than `total` */ readonly total_bounded: boolean;
    /** true: the results of its jobs are observed, as with a ramp; the next three count them */ readonly followed: boolean;
    /** jobs that were requeued and have made no attempt yet */ readonly in_flight: number;
    /** requeued jobs whose first attempt succeeded */ readonly succeeded: number;
    /** requeued jobs whose first attempt failed */ readonly came_back: number;
    /** jobs per second at most; null: no limit */ readonly rate: number | null;
    /** null: no limit */ readonly max_in_flight: number | null;
    /** its stages; null: it has none */ readonly ramp: {
      /** the sizes of its stages */ readonly stages: readonly (number)[];
      /** it stops if a larger share of a stage fails again */ readonly stop_share: number;
      /** the current stage, from 1 */ readonly stage: number;
      /** jobs of this stage that were sent */ readonly sent: number;
      /** of these, those that succeeded */ readonly succeeded: number;
      /** of these, those that failed again */ readonly came_back: number;
    } | null;
    /** true: workers carry it out, or did; false: only the process that started it does, or it finished long ago */ readonly in_background: boolean;
    /** the process that carries it out; null: none at the moment */ readonly runner: string | null;
    /** whether a live worker could carry it out; null: not known */ readonly has_worker: boolean | null;
    /** estimated seconds, at the speed of the last minute; null: not known */ readonly time_left: number | null;
    /** the stored request: the act and its target */ readonly request: Readonly<Record<string, unknown>>;
  } | null;
  /** true: nothing was changed */ readonly dry_run: boolean;
}

/** Input of `deadLetters.export`. */
export interface DeadLettersExportInput {
  /** only letters of this handler */ readonly handler?: string | undefined;
  /** only letters of this queue */ readonly queue?: string | undefined;
  /** only letters of this tenant */ readonly tenant?: string | undefined;
  /** only letters with this tag */ readonly tag?: string | undefined;
  /** only letters of this session */ readonly session?: string | undefined;
  /** only letters with this cause: see "redrive dlq groups" */ readonly group?: string | undefined;
  /** only letters with this reason code, such as max_attempts_exceeded */ readonly reason_code?: "final_error" | "max_attempts_exceeded" | "ttl_exceeded" | "effect_unknown" | "effect_applied" | "lease_lost" | "inner_gave_up" | "allowance_exhausted" | "beyond_horizon" | "budget_exhausted" | "breaker_open" | "invalid_message" | "message_too_large" | "idempotency_conflict" | "policy_disabled" | "kill_switch" | undefined;
  /** only letters with an error of this class */ readonly class?: "final" | "retryable" | "rate_limited" | undefined;
  /** only letters whose cause contains this text */ readonly text?: string | undefined;
  /** died at this time or later; 2h: within the last 2 hours */ readonly since?: string | undefined;
  /** died before this time; 10m: more than 10 minutes ago */ readonly until?: string | undefined;
  /** payload and headers: none, redacted (secrets masked, cut) or full; default redacted */ readonly payload?: "none" | "redacted" | "full" | undefined;
  /** at most this many letters; default 10,000 */ readonly limit?: number | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** An item of `deadLetters.export`. */
export interface DeadLettersExportAnswer {
  /** the payload: masked and cut, unless --payload says otherwise */ readonly original_event: Readonly<Record<string, unknown>> | readonly (unknown)[] | string | number | boolean | null;
  /** the key that the handler passed on */ readonly idempotency_key: string;
  /** charged attempts of this generation, over all rungs */ readonly attempt_count: number;
  /** type and message of the newest error */ readonly last_error: string;
  /** its type */ readonly error_type: string;
  /** why it was given up */ readonly abandoned_reason: "max_attempts_exceeded" | "ttl_exceeded" | "non_retryable";
  /** the first part of the handler's name */ readonly service_name: string;
  /** when it was given up */ readonly timestamp: string;
  /** further fields: see [dead letters](dead-letters.md#the-envelope) */ readonly redrive: DeadLettersShowAnswer['redrive'];
}

/** Input of `doctor.check`. */
export type DoctorCheckInput = BreakersListInput;

/** Answer of `doctor.check`. */
export interface DoctorCheckAnswer {
  /** the store, without credentials; null: it could not be opened */ readonly store: string | null;
  /** there is no problem; there may be warnings */ readonly ok: boolean;
  /** rows of jobs that were read */ readonly jobs_read: number;
  /** ids of jobs that were put back */ readonly put_back: readonly (string)[];
  /** all checks */ readonly checks: readonly ({
    /** lints, store, schema, durability, disk, clock, rows, future_due, unsealed, policies, workers, schedules, buses, sweeps or ports */ readonly name: string;
    /** skipped: the store or the configuration that it needs is missing */ readonly result: "ok" | "warning" | "problem" | "skipped";
  })[];
  /** problems and warnings */ readonly findings: readonly ({
    /** the name of the check; of rows: unreadable_row or set_aside */ readonly check: string;
    /** a problem makes the exit code 1 */ readonly level: "problem" | "warning";
    /** what is wrong */ readonly message: string;
    /** what to do: mostly a command */ readonly remedy: string;
    /** ids of the jobs concerned */ readonly jobs: readonly (string)[];
  })[];
}

/** Input of `documents.list`. */
export interface DocumentsListInput {
  /** one collection; all without one */ readonly collection?: string | undefined;
  /** rows per page, 1 to 1,000; default 50 */ readonly limit?: number | string | undefined;
  /** the next page: the `next` of the page before it */ readonly after?: string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `documents.list`. */
export interface DocumentsListAnswer {
  /** by collection, the oldest attempt first */ readonly documents: readonly ({
    /** its collection */ readonly collection: string;
    /** its id */ readonly id: string;
    /** its status */ readonly status: string;
    /** its count of attempts; a text: it is no number; null: there is none */ readonly attempt_count: number | string | null;
    /** its last attempt; null: none, or not a time */ readonly last_attempt_time: string | null;
    /** true: it has no time of a last attempt */ readonly never_attempted: boolean;
    /** the last error that its owner kept */ readonly error: string | null;
    /** the dead letter of it */ readonly dead_letter: string | null;
  })[];
  /** collections that were looked at; empty: none is swept */ readonly collections: readonly ({
    /** its name */ readonly name: string;
    /** how old the last attempt must be before a sweep sends the event again */ readonly stuck_threshold_ms: number;
    /** attempts after which a document is failed */ readonly max_attempts: number;
  })[];
  /** the value of `after` for the next page; null: this is the last page */ readonly next: string | null;
}

/** Input of `documents.reset`. */
export interface DocumentsResetInput {
  /** name of the collection under sweeps */ readonly collection: string;
  /** ids of failed documents; other documents are left as they are */ readonly ids?: readonly (string)[] | undefined;
  /** confirm without ids: all failed documents */ readonly all?: boolean | string | undefined;
  /** show what would change, and change nothing */ readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason: string;
}

/** Answer of `documents.reset`. */
export interface DocumentsResetAnswer {
  /** its name */ readonly collection: string;
  /** what was done */ readonly act: "reset" | "archive" | "purge";
  /** documents that were changed, or would be */ readonly done: number;
  /** documents that were not failed any more */ readonly left: number;
  /** true: nothing was changed */ readonly dry_run: boolean;
}

/** Input of `documents.archive`. */
export type DocumentsArchiveInput = DocumentsResetInput;

/** Answer of `documents.archive`. */
export type DocumentsArchiveAnswer = DocumentsResetAnswer;

/** Input of `documents.purge`. */
export interface DocumentsPurgeInput {
  /** name of the collection under sweeps */ readonly collection: string;
  /** ids of failed documents; other documents are left as they are */ readonly ids?: readonly (string)[] | undefined;
  /** confirm without ids: all failed documents */ readonly all?: boolean | string | undefined;
  /** the name of the collection again: without it, only the number is printed */ readonly confirm?: string | undefined;
  /** show what would change, and change nothing */ readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason: string;
}

/** Answer of `documents.purge`. */
export type DocumentsPurgeAnswer = DocumentsResetAnswer;

/** Input of `escalations.list`. */
export type EscalationsListInput = BreakersListInput;

/** Answer of `escalations.list`. */
export interface EscalationsListAnswer {
  /** the highest tier first */ readonly escalations: readonly ({
    /** the name of a collection, or the fingerprint of a cause */ readonly key: string;
    /** which of the two */ readonly kind: "collection" | "cause";
    /** the pattern of the errors, or the name of the collection */ readonly title: string;
    /** 1 to 4; 0: nothing is wrong any more */ readonly tier: number;
    /** items that are retried or parked */ readonly stuck: number;
    /** items whose retries are used up */ readonly failed: number;
    /** true: there are more than were counted */ readonly bounded: boolean;
    /** the first failure of the stuck items; null: not known, or none is stuck */ readonly stuck_since: string | null;
    /** who was assigned, or the owner of the tier */ readonly owner: string;
    /** the next tier, if nothing but time changes; null: none */ readonly next_tier: number | null;
    /** when it has that tier */ readonly next_tier_at: string | null;
    /** since when it has acts or notifications; null: none */ readonly since: string | null;
    /** the tier of the last notification; 0: none */ readonly notified_tier: number;
    /** when that tier was reached */ readonly notified: string | null;
    /** the time for a response; null: none is due */ readonly respond_by: string | null;
    /** the time until all must be resolved; null: no limit */ readonly resolve_by: string | null;
    /** which of the two has passed */ readonly overdue: "response" | "resolution" | null;
    /** who acknowledged it */ readonly acknowledged_by: string | null;
    /** the tier that was acknowledged */ readonly acknowledged_tier: number | null;
    /** no notification until then */ readonly snoozed_until: string | null;
    /** the decision */ readonly decision: "requeue" | "purge" | "leave" | null;
    /** who decided */ readonly decided_by: string | null;
    /** the reason of the decision */ readonly decision_why: string | null;
  })[];
  /** true: there are more causes than were read */ readonly more: boolean;
}

/** Input of `escalations.show`. */
export interface EscalationsShowInput {
  /** name of a collection or fingerprint of a cause, or the beginning of one */ readonly key: string;
  /** records since then; default 30 days ago */ readonly since?: string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `escalations.show`. */
export interface EscalationsShowAnswer {
  /** the name of a collection, or the fingerprint of a cause */ readonly key: string;
  /** which of the two */ readonly kind: "collection" | "cause";
  /** the pattern of the errors, or the name of the collection */ readonly title: string;
  /** 1 to 4; 0: nothing is wrong any more */ readonly tier: number;
  /** items that are retried or parked */ readonly stuck: number;
  /** items whose retries are used up */ readonly failed: number;
  /** true: there are more than were counted */ readonly bounded: boolean;
  /** the first failure of the stuck items; null: not known, or none is stuck */ readonly stuck_since: string | null;
  /** who was assigned, or the owner of the tier */ readonly owner: string;
  /** the next tier, if nothing but time changes; null: none */ readonly next_tier: number | null;
  /** when it has that tier */ readonly next_tier_at: string | null;
  /** since when it has acts or notifications; null: none */ readonly since: string | null;
  /** the tier of the last notification; 0: none */ readonly notified_tier: number;
  /** when that tier was reached */ readonly notified: string | null;
  /** the time for a response; null: none is due */ readonly respond_by: string | null;
  /** the time until all must be resolved; null: no limit */ readonly resolve_by: string | null;
  /** which of the two has passed */ readonly overdue: "response" | "resolution" | null;
  /** who acknowledged it */ readonly acknowledged_by: string | null;
  /** the tier that was acknowledged */ readonly acknowledged_tier: number | null;
  /** no notification until then */ readonly snoozed_until: string | null;
  /** the decision */ readonly decision: "requeue" | "purge" | "leave" | null;
  /** who decided */ readonly decided_by: string | null;
  /** the reason of the decision */ readonly decision_why: string | null;
  /** true: it is over, and only its log is left */ readonly resolved: boolean;
  /** the newest first, at most 200 */ readonly log: readonly ({
    /** when */ readonly at: string;
    /** raise, resolve, acknowledge, snooze, assign or decide */ readonly act: string;
    /** who */ readonly by: string;
    /** the reason that was given */ readonly why: string | null;
    /** tier, counts, owner, time or decision */ readonly detail: {

    };
  })[];
}

/** Input of `escalations.ack`. */
export interface EscalationsAckInput {
  /** name of a collection or fingerprint of a cause, or the beginning of one */ readonly key: string;
  /** show what would change, and change nothing */ readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `escalations.ack`. */
export interface EscalationsAckAnswer {
  /** the name of a collection, or the fingerprint of a cause */ readonly key: string;
  /** which of the two */ readonly kind: "collection" | "cause";
  /** the pattern of the errors, or the name of the collection */ readonly title: string;
  /** 1 to 4; 0: nothing is wrong any more */ readonly tier: number;
  /** items that are retried or parked */ readonly stuck: number;
  /** items whose retries are used up */ readonly failed: number;
  /** true: there are more than were counted */ readonly bounded: boolean;
  /** the first failure of the stuck items; null: not known, or none is stuck */ readonly stuck_since: string | null;
  /** who was assigned, or the owner of the tier */ readonly owner: string;
  /** the next tier, if nothing but time changes; null: none */ readonly next_tier: number | null;
  /** when it has that tier */ readonly next_tier_at: string | null;
  /** since when it has acts or notifications; null: none */ readonly since: string | null;
  /** the tier of the last notification; 0: none */ readonly notified_tier: number;
  /** when that tier was reached */ readonly notified: string | null;
  /** the time for a response; null: none is due */ readonly respond_by: string | null;
  /** the time until all must be resolved; null: no limit */ readonly resolve_by: string | null;
  /** which of the two has passed */ readonly overdue: "response" | "resolution" | null;
  /** who acknowledged it */ readonly acknowledged_by: string | null;
  /** the tier that was acknowledged */ readonly acknowledged_tier: number | null;
  /** no notification until then */ readonly snoozed_until: string | null;
  /** the decision */ readonly decision: "requeue" | "purge" | "leave" | null;
  /** who decided */ readonly decided_by: string | null;
  /** the reason of the decision */ readonly decision_why: string | null;
  /** true: nothing was changed */ readonly dry_run: boolean;
}

/** Input of `escalations.snooze`. */
export interface EscalationsSnoozeInput {
  /** name of a collection or fingerprint of a cause, or the beginning of one */ readonly key: string;
  /** how long: 30m, 4h, 2d; at most 30d; default 4h */ readonly for_ms?: number | string | undefined;
  /** show what would change, and change nothing */ readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `escalations.snooze`. */
export interface EscalationsSnoozeAnswer {
  /** the name of a collection, or the fingerprint of a cause */ readonly key: string;
  /** which of the two */ readonly kind: "collection" | "cause";
  /** the pattern of the errors, or the name of the collection */ readonly title: string;
  /** 1 to 4; 0: nothing is wrong any more */ readonly tier: number;
  /** items that are retried or parked */ readonly stuck: number;
  /** items whose retries are used up */ readonly failed: number;
  /** true: there are more than were counted */ readonly bounded: boolean;
  /** the first failure of the stuck items; null: not known, or none is stuck */ readonly stuck_since: string | null;
  /** who was assigned, or the owner of the tier */ readonly owner: string;
  /** the next tier, if nothing but time changes; null: none */ readonly next_tier: number | null;
  /** when it has that tier */ readonly next_tier_at: string | null;
  /** since when it has acts or notifications; null: none */ readonly since: string | null;
  /** the tier of the last notification; 0: none */ readonly notified_tier: number;
  /** when that tier was reached */ readonly notified: string | null;
  /** the time for a response; null: none is due */ readonly respond_by: string | null;
  /** the time until all must be resolved; null: no limit */ readonly resolve_by: string | null;
  /** which of the two has passed */ readonly overdue: "response" | "resolution" | null;
  /** who acknowledged it */ readonly acknowledged_by: string | null;
  /** the tier that was acknowledged */ readonly acknowledged_tier: number | null;
  /** no notification until then */ readonly snoozed_until: string | null;
  /** the decision */ readonly decision: "requeue" | "purge" | "leave" | null;
  /** who decided */ readonly decided_by: string | null;
  /** the reason of the decision */ readonly decision_why: string | null;
  /** when the snooze ends, or would end */ readonly until: string;
  /** true: nothing was changed */ readonly dry_run: boolean;
}

/** Input of `escalations.assign`. */
export interface EscalationsAssignInput {
  /** name of a collection or fingerprint of a cause, or the beginning of one */ readonly key: string;
  /** name of the person or team */ readonly owner: string;
  /** show what would change, and change nothing */ readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `escalations.assign`. */
export type EscalationsAssignAnswer = EscalationsAckAnswer;

/** Input of `escalations.decide`. */
export interface EscalationsDecideInput {
  /** name of a collection or fingerprint of a cause, or the beginning of one */ readonly key: string;
  /** requeue: the cause is corrected; purge: the data is wrong for good; leave: nothing for now */ readonly decision: "requeue" | "purge" | "leave";
  /** show what would change, and change nothing */ readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason: string;
}

/** Answer of `escalations.decide`. */
export interface EscalationsDecideAnswer {
  /** the name of a collection, or the fingerprint of a cause */ readonly key: string;
  /** which of the two */ readonly kind: "collection" | "cause";
  /** the pattern of the errors, or the name of the collection */ readonly title: string;
  /** 1 to 4; 0: nothing is wrong any more */ readonly tier: number;
  /** items that are retried or parked */ readonly stuck: number;
  /** items whose retries are used up */ readonly failed: number;
  /** true: there are more than were counted */ readonly bounded: boolean;
  /** the first failure of the stuck items; null: not known, or none is stuck */ readonly stuck_since: string | null;
  /** who was assigned, or the owner of the tier */ readonly owner: string;
  /** the next tier, if nothing but time changes; null: none */ readonly next_tier: number | null;
  /** when it has that tier */ readonly next_tier_at: string | null;
  /** since when it has acts or notifications; null: none */ readonly since: string | null;
  /** the tier of the last notification; 0: none */ readonly notified_tier: number;
  /** when that tier was reached */ readonly notified: string | null;
  /** the time for a response; null: none is due */ readonly respond_by: string | null;
  /** the time until all must be resolved; null: no limit */ readonly resolve_by: string | null;
  /** which of the two has passed */ readonly overdue: "response" | "resolution" | null;
  /** who acknowledged it */ readonly acknowledged_by: string | null;
  /** the tier that was acknowledged */ readonly acknowledged_tier: number | null;
  /** no notification until then */ readonly snoozed_until: string | null;
  /** the decision */ readonly decision: "requeue" | "purge" | "leave" | null;
  /** who decided */ readonly decided_by: string | null;
  /** the reason of the decision */ readonly decision_why: string | null;
  /** the command that carries the decision out; null: none is needed */ readonly next: string | null;
  /** true: nothing was changed */ readonly dry_run: boolean;
}

/** Input of `gates.list`. */
export type GatesListInput = BreakersListInput;

/** Answer of `gates.list`. */
export interface GatesListAnswer {
  /** by name; empty: none is closed */ readonly gates: readonly ({
    /** the dependency that is rate-limited */ readonly dependency: string;
    /** the credential that is rate-limited; null: all */ readonly credential: string | null;
    /** the tenant that is rate-limited; null: all */ readonly tenant: string | null;
    /** when it opens by itself */ readonly until: string;
    /** when it was closed */ readonly since: string;
    /** true: the Retry-After was longer than the hour that a gate may be closed */ readonly cut: boolean;
    /** jobs that wait for it, counted up to 10,000 */ readonly parked: number;
    /** true: more jobs wait for it */ readonly bounded: boolean;
  })[];
}

/** Input of `gates.release`. */
export interface GatesReleaseInput {
  /** the dependency of the gates */ readonly dependency: string;
  /** only the gate of this credential */ readonly credential?: string | undefined;
  /** only of this tenant */ readonly tenant?: string | undefined;
  /** show what would change, and change nothing */ readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `gates.release`. */
export interface GatesReleaseAnswer {
  /** the gates that were opened, or would be */ readonly released: readonly (GatesListAnswer['gates'][number])[];
  /** false: no live worker has the handlers of the parked jobs, so they wait for one */ readonly has_worker: boolean;
  /** true: nothing was changed */ readonly dry_run: boolean;
}

/** Input of `jobs.list`. */
export interface JobsListInput {
  /** only jobs that have failed and will be tried again, the newest failure first */ readonly failing?: boolean | string | undefined;
  /** also jobs of Redrive's own upkeep, such as sweeps.run and escalation.look */ readonly upkeep?: boolean | string | undefined;
  /** only jobs in this state; may be repeated */ readonly state?: "scheduled" | "ready" | "parked" | "leased" | "succeeded" | "dead" | "cancelled" | "purged" | readonly ("scheduled" | "ready" | "parked" | "leased" | "succeeded" | "dead" | "cancelled" | "purged")[] | undefined;
  /** only jobs of this handler */ readonly handler?: string | undefined;
  /** only jobs of this queue */ readonly queue?: string | undefined;
  /** only jobs of this tenant */ readonly tenant?: string | undefined;
  /** only jobs with this tag */ readonly tag?: string | undefined;
  /** only jobs of this batch */ readonly batch?: string | undefined;
  /** only jobs of this session */ readonly session?: string | undefined;
  /** submitted after this time; 2h: within the last 2 hours */ readonly since?: string | undefined;
  /** submitted before this time; 10m: more than 10 minutes ago */ readonly until?: string | undefined;
  /** rows per page, 1 to 1,000; default 50 */ readonly limit?: number | string | undefined;
  /** the next page: the `next` of the page before it */ readonly after?: string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `jobs.list`. */
export interface JobsListAnswer {
  /** newest submission first */ readonly jobs: readonly ({
    /** sorts by time of creation */ readonly id: string;
    /** the handler of the job */ readonly handler: string;
    /** the first part of the handler's name */ readonly subsystem: string;
    /** scheduled, ready, parked, leased, succeeded, dead, cancelled or purged */ readonly state: "scheduled" | "ready" | "parked" | "leased" | "succeeded" | "dead" | "cancelled" | "purged";
    /** the queue */ readonly queue: string;
    /** the tenant of the job; tenants take turns */ readonly tenant: string | null;
    /** higher first */ readonly priority: number;
    /** texts */ readonly tags: readonly (string)[];
    /** retries after charged attempts; 0 again after success */ readonly retry_count: number;
    /** when a scheduled or parked job is due */ readonly next_retry_at: string | null;
    /** class of the newest failure: final, retryable or rate_limited; null after success */ readonly error_class: string | null;
    /** reason code of the current state */ readonly reason: string | null;
    /** what a parked job waits for */ readonly cause: string | null;
    /** when it was enqueued */ readonly submitted_at: string;
    /** the same time */ readonly submitted_date: string;
    /** no attempt starts after it */ readonly deadline: string | null;
    /** when it finished */ readonly finished_at: string | null;
    /** from 1; each requeue increments it */ readonly generation: number;
    /** attempts in this generation, the running one included */ readonly attempts_made: number;
    /** the worker that runs it now */ readonly worker: string | null;
    /** true: the job runs, and a cancellation was requested */ readonly cancel_requested: boolean;
    /** the id of the job, or of the call that handed it over */ readonly session_id: string;
    /** as given, else the session id */ readonly correlation_id: string;
    /** the job's own, where it names one; of one job: else that of its newest attempt */ readonly policy: string | null;
    /** id of the batch that counts it */ readonly batch: string | null;
    /** the unique key: at most one unfinished job has it */ readonly unique_key: string | null;
    /** the newest attempt's error */ readonly last_error: NonNullable<DeadLettersListAnswer['letters'][number]['last_error']> | null;
    /** what a parked job waits for; null: it is not parked */ readonly parked: {
      /** time: each job has its own due time; nothing: the cause is gone, and the jobs are being released */ readonly waits_for: "breaker" | "gate" | "kill" | "time" | "nothing";
      /** the dependency of the breaker or the gate; null: the cause is none of these */ readonly dependency: string | null;
      /** when a gate opens */ readonly until: string | null;
      /** when one of the jobs probes; null: there is no probe, or no live worker has their handler */ readonly next_probe_at: string | null;
      /** the next probe: planned, for next_probe_at; running; no_worker: no live worker has a handler for it; none: the breaker is closed or forced */ readonly probe: "none" | "planned" | "running" | "no_worker";
      /** the operator who holds them */ readonly held_by: string | null;
      /** the reason that was given */ readonly held_why: string | null;
      /** false: no live worker has the handlers of parked jobs, so none is released */ readonly has_worker: boolean;
    } | null;
  })[];
  /** the number of failing jobs; null: not asked for */ readonly failing: {
    /** jobs that match, on all pages */ readonly count: number;
    /** true: only the 10,000 jobs of each state that are due first */ readonly bounded: boolean;
    /** dead jobs, where no job is failing; dead letters have more */ readonly dead: number;
    /** true: there are more dead jobs */ readonly dead_bounded: boolean;
  } | null;
  /** jobs of Redrive's own upkeep that are left out; null: not counted */ readonly upkeep: number | null;
  /** the value of `after` for the next page; null: this is the last page */ readonly next: string | null;
}

/** Input of `jobs.counts`. */
export interface JobsCountsInput {
  /** also jobs of Redrive's own upkeep, such as sweeps.run and escalation.look */ readonly upkeep?: boolean | string | undefined;
  /** only jobs in this state; may be repeated */ readonly state?: "scheduled" | "ready" | "parked" | "leased" | "succeeded" | "dead" | "cancelled" | "purged" | readonly ("scheduled" | "ready" | "parked" | "leased" | "succeeded" | "dead" | "cancelled" | "purged")[] | undefined;
  /** only jobs of this handler */ readonly handler?: string | undefined;
  /** only jobs of this queue */ readonly queue?: string | undefined;
  /** only jobs of this tenant */ readonly tenant?: string | undefined;
  /** only jobs with this tag */ readonly tag?: string | undefined;
  /** only jobs of this batch */ readonly batch?: string | undefined;
  /** only jobs of this session */ readonly session?: string | undefined;
  /** submitted after this time; 2h: within the last 2 hours */ readonly since?: string | undefined;
  /** submitted before this time; 10m: more than 10 minutes ago */ readonly until?: string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `jobs.counts`. */
export interface JobsCountsAnswer {
  /** jobs in each state */ readonly states: {
    /** wait until they are due */ readonly scheduled: number;
    /** may start */ readonly ready: number;
    /** wait for a cause, such as an open breaker */ readonly parked: number;
    /** run now */ readonly leased: number;
    /** done */ readonly succeeded: number;
    /** given up */ readonly dead: number;
    /** cancelled by a person or a program */ readonly cancelled: number;
    /** deleted, and can be restored for a while */ readonly purged: number;
  };
  /** true: there are more jobs than counted */ readonly bounded: boolean;
  /** jobs of Redrive's own upkeep that match and are not counted */ readonly upkeep: number;
}

/** Input of `jobs.show`. */
export interface JobsShowInput {
  /** id of the job */ readonly id: string;
  /** payload, result and headers: none, redacted (secrets masked, cut) or full */ readonly payload?: "none" | "redacted" | "full" | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `jobs.show`. */
export interface JobsShowAnswer {
  /** sorts by time of creation */ readonly id: string;
  /** the handler of the job */ readonly handler: string;
  /** the first part of the handler's name */ readonly subsystem: string;
  /** scheduled, ready, parked, leased, succeeded, dead, cancelled or purged */ readonly state: "scheduled" | "ready" | "parked" | "leased" | "succeeded" | "dead" | "cancelled" | "purged";
  /** the queue */ readonly queue: string;
  /** the tenant of the job; tenants take turns */ readonly tenant: string | null;
  /** higher first */ readonly priority: number;
  /** texts */ readonly tags: readonly (string)[];
  /** retries after charged attempts; 0 again after success */ readonly retry_count: number;
  /** when a scheduled or parked job is due */ readonly next_retry_at: string | null;
  /** class of the newest failure: final, retryable or rate_limited; null after success */ readonly error_class: string | null;
  /** reason code of the current state */ readonly reason: string | null;
  /** what a parked job waits for */ readonly cause: string | null;
  /** when it was enqueued */ readonly submitted_at: string;
  /** the same time */ readonly submitted_date: string;
  /** no attempt starts after it */ readonly deadline: string | null;
  /** when it finished */ readonly finished_at: string | null;
  /** from 1; each requeue increments it */ readonly generation: number;
  /** attempts in this generation, the running one included */ readonly attempts_made: number;
  /** the worker that runs it now */ readonly worker: string | null;
  /** true: the job runs, and a cancellation was requested */ readonly cancel_requested: boolean;
  /** the id of the job, or of the call that handed it over */ readonly session_id: string;
  /** as given, else the session id */ readonly correlation_id: string;
  /** the job's own, where it names one; of one job: else that of its newest attempt */ readonly policy: string | null;
  /** id of the batch that counts it */ readonly batch: string | null;
  /** the unique key: at most one unfinished job has it */ readonly unique_key: string | null;
  /** the newest attempt's error */ readonly last_error: NonNullable<DeadLettersListAnswer['letters'][number]['last_error']> | null;
  /** the policy that the job itself names, or the version of one that it has for itself */ readonly own_policy: string | null;
  /** the number of attempts that it was enqueued with; null: that of its policy */ readonly own_max_attempts: number | null;
  /** attempts of this generation by outcome: succeeded, failed, rate_limited, … */ readonly account: Readonly<Record<string, number>>;
  /** attempts of all generations and rungs */ readonly executions: number;
  /** attempts of this generation that count, the one that succeeded included */ readonly charged: number;
  /** leases that it lost in a row */ readonly losses: number;
  /** the first attempt and the newest ones, the oldest first */ readonly attempts: readonly (DeadLettersShowAnswer['job']['attempts'][number])[];
  /** attempts that are not in the list; the audit log has them */ readonly omitted_attempts: number;
  /** null: it does not run */ readonly lease: NonNullable<DeadLettersShowAnswer['job']['lease']> | null;
  /** the source that it came from; null: it was enqueued */ readonly origin: NonNullable<DeadLettersShowAnswer['job']['origin']> | null;
  /** as given */ readonly trace_id: string | null;
  /** the job whose attempt or death enqueued this one; null: none did */ readonly parent_id: string | null;
  /** jobs that its attempts have enqueued, and the hooks of its deaths */ readonly leads_to: DeadLettersShowAnswer['job']['leads_to'];
  /** the handler that gets a job when this one dies; null: none */ readonly on_dead: string | null;
  /** the key that the handler passes on */ readonly idempotency_key: string;
  /** jobs with the same key share a limit */ readonly limit_key: string | null;
  /** of the running or newest attempt */ readonly policy_hash: string | null;
  /** of the newest attempt's policy */ readonly max_attempts: number | null;
  /** number of state changes */ readonly revision: number;
  /** of its newest lease */ readonly token: number;
  /** JSON, shown as the payload is */ readonly headers: unknown;
  /** JSON: masked and cut, or in full, or null */ readonly payload: unknown;
  /** JSON, shown as the payload is */ readonly result: unknown;
  /** the size of a result that was too large to be kept */ readonly result_omitted_bytes: number | null;
  /** what a parked job waits for; null: it is not parked */ readonly parked: NonNullable<JobsListAnswer['jobs'][number]['parked']> | null;
  /** the kill switch that keeps a ready job from starting */ readonly kill_switch: {
    /** all, queue, tenant or handler */ readonly scope: string;
    /** of the queue, tenant or handler */ readonly name: string;
    /** since when */ readonly since: string;
    /** the operator */ readonly by: string;
    /** the reason that was given */ readonly why: string | null;
  } | null;
  /** the pause that keeps a ready job from starting */ readonly pause: NonNullable<JobsShowAnswer['kill_switch']> | null;
  /** its row was set aside, so no worker and no command moves it; null: it was not */ readonly set_aside: {
    /** why it cannot be read; null: it can be again */ readonly problem: string | null;
  } | null;
}

/** Input of `jobs.wait`. */
export interface JobsWaitInput {
  /** id of the job */ readonly id: string;
  /** payload, result and headers: none, redacted (secrets masked, cut) or full */ readonly payload?: "none" | "redacted" | "full" | undefined;
  /** how long to wait, such as 2s */ readonly timeout?: number | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `jobs.wait`. */
export interface JobsWaitAnswer {
  /** sorts by time of creation */ readonly id: string;
  /** the handler of the job */ readonly handler: string;
  /** the first part of the handler's name */ readonly subsystem: string;
  /** scheduled, ready, parked, leased, succeeded, dead, cancelled or purged */ readonly state: "scheduled" | "ready" | "parked" | "leased" | "succeeded" | "dead" | "cancelled" | "purged";
  /** the queue */ readonly queue: string;
  /** the tenant of the job; tenants take turns */ readonly tenant: string | null;
  /** higher first */ readonly priority: number;
  /** texts */ readonly tags: readonly (string)[];
  /** retries after charged attempts; 0 again after success */ readonly retry_count: number;
  /** when a scheduled or parked job is due */ readonly next_retry_at: string | null;
  /** class of the newest failure: final, retryable or rate_limited; null after success */ readonly error_class: string | null;
  /** reason code of the current state */ readonly reason: string | null;
  /** what a parked job waits for */ readonly cause: string | null;
  /** when it was enqueued */ readonly submitted_at: string;
  /** the same time */ readonly submitted_date: string;
  /** no attempt starts after it */ readonly deadline: string | null;
  /** when it finished */ readonly finished_at: string | null;
  /** from 1; each requeue increments it */ readonly generation: number;
  /** attempts in this generation, the running one included */ readonly attempts_made: number;
  /** the worker that runs it now */ readonly worker: string | null;
  /** true: the job runs, and a cancellation was requested */ readonly cancel_requested: boolean;
  /** the id of the job, or of the call that handed it over */ readonly session_id: string;
  /** as given, else the session id */ readonly correlation_id: string;
  /** the job's own, where it names one; of one job: else that of its newest attempt */ readonly policy: string | null;
  /** id of the batch that counts it */ readonly batch: string | null;
  /** the unique key: at most one unfinished job has it */ readonly unique_key: string | null;
  /** the newest attempt's error */ readonly last_error: NonNullable<DeadLettersListAnswer['letters'][number]['last_error']> | null;
  /** the policy that the job itself names, or the version of one that it has for itself */ readonly own_policy: string | null;
  /** the number of attempts that it was enqueued with; null: that of its policy */ readonly own_max_attempts: number | null;
  /** attempts of this generation by outcome: succeeded, failed, rate_limited, … */ readonly account: Readonly<Record<string, number>>;
  /** attempts of all generations and rungs */ readonly executions: number;
  /** attempts of this generation that count, the one that succeeded included */ readonly charged: number;
  /** leases that it lost in a row */ readonly losses: number;
  /** the first attempt and the newest ones, the oldest first */ readonly attempts: readonly (DeadLettersShowAnswer['job']['attempts'][number])[];
  /** attempts that are not in the list; the audit log has them */ readonly omitted_attempts: number;
  /** null: it does not run */ readonly lease: NonNullable<DeadLettersShowAnswer['job']['lease']> | null;
  /** the source that it came from; null: it was enqueued */ readonly origin: NonNullable<DeadLettersShowAnswer['job']['origin']> | null;
  /** as given */ readonly trace_id: string | null;
  /** the job whose attempt or death enqueued this one; null: none did */ readonly parent_id: string | null;
  /** jobs that its attempts have enqueued, and the hooks of its deaths */ readonly leads_to: DeadLettersShowAnswer['job']['leads_to'];
  /** the handler that gets a job when this one dies; null: none */ readonly on_dead: string | null;
  /** the key that the handler passes on */ readonly idempotency_key: string;
  /** jobs with the same key share a limit */ readonly limit_key: string | null;
  /** of the running or newest attempt */ readonly policy_hash: string | null;
  /** of the newest attempt's policy */ readonly max_attempts: number | null;
  /** number of state changes */ readonly revision: number;
  /** of its newest lease */ readonly token: number;
  /** JSON, shown as the payload is */ readonly headers: unknown;
  /** JSON: masked and cut, or in full, or null */ readonly payload: unknown;
  /** JSON, shown as the payload is */ readonly result: unknown;
  /** the size of a result that was too large to be kept */ readonly result_omitted_bytes: number | null;
  /** what a parked job waits for; null: it is not parked */ readonly parked: NonNullable<JobsListAnswer['jobs'][number]['parked']> | null;
  /** the kill switch that keeps a ready job from starting */ readonly kill_switch: NonNullable<JobsShowAnswer['kill_switch']> | null;
  /** the pause that keeps a ready job from starting */ readonly pause: NonNullable<JobsShowAnswer['kill_switch']> | null;
  /** its row was set aside, so no worker and no command moves it; null: it was not */ readonly set_aside: NonNullable<JobsShowAnswer['set_aside']> | null;
  /** true: it is succeeded, dead, cancelled or purged */ readonly finished: boolean;
  /** the result as it is stored; null: there is none, or it is not shown in full */ readonly result_text: string | null;
}

/** Input of `jobs.watch`. */
export interface JobsWatchInput {
  /** id of the job */ readonly id: string;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** An item of `jobs.watch`. */
export interface JobsWatchAnswer {
  /** the job */ readonly id: string;
  /** its handler */ readonly handler: string;
  /** scheduled, ready, parked, leased, succeeded, dead, cancelled or purged */ readonly state: "scheduled" | "ready" | "parked" | "leased" | "succeeded" | "dead" | "cancelled" | "purged";
  /** attempts in this generation, the running one included */ readonly attempts_made: number;
  /** the worker that runs it now */ readonly worker: string | null;
  /** of the running attempt; null: it has reported none */ readonly progress: NonNullable<NonNullable<DeadLettersShowAnswer['job']['lease']>['progress']> | null;
  /** reason code of the current state */ readonly reason: string | null;
  /** the newest attempt's error */ readonly last_error: NonNullable<DeadLettersListAnswer['letters'][number]['last_error']> | null;
  /** true: it is succeeded, dead, cancelled or purged */ readonly finished: boolean;
}

/** Input of `jobs.history`. */
export type JobsHistoryInput = JobsWatchInput;

/** Answer of `jobs.history`. */
export interface JobsHistoryAnswer {
  /** the oldest first */ readonly entries: readonly ({
    /** of the job, from 1 */ readonly revision: number;
    /** such as enqueue, claim or settle */ readonly event: string;
    /** the state before */ readonly from: string | null;
    /** the state after */ readonly to: string | null;
    /** milliseconds since 1970 */ readonly atMs: number;
    /** of the newest lease */ readonly token: number;
    /** its generation */ readonly generation: number;
    /** attempts of all generations and rungs until then */ readonly executions: number;
    /** number of the block of the audit log */ readonly block: number;
    /** the facts of this event */ readonly detail: Readonly<Record<string, unknown>>;
  })[];
  /** false: the oldest records were not read */ readonly complete: boolean;
}

/** Input of `jobs.timeline`. */
export type JobsTimelineInput = JobsWatchInput;

/** Answer of `jobs.timeline`. */
export interface JobsTimelineAnswer {
  /** the job */ readonly id: string;
  /** its document changes only together with this number */ readonly revision: number;
  /** the store's time */ readonly now: string;
  /** when it was enqueued */ readonly submitted_at: string;
  /** when it finished */ readonly finished_at: string | null;
  /** attempts of this generation that count, the one that succeeded included */ readonly charged: number;
  /** the most that may count; null: not known before the first attempt */ readonly max_attempts: number | null;
  /** of the running attempt; null: it has reported none */ readonly progress: NonNullable<NonNullable<DeadLettersShowAnswer['job']['lease']>['progress']> | null;
  /** attempts, the oldest first */ readonly rows: readonly ({
    /** over all generations and rungs, from 1 */ readonly attempt: number;
    /** its generation */ readonly generation: number;
    /** of the record of its outcome, as in a replay; null: it runs */ readonly revision: number | null;
    /** when it started */ readonly started_at: string;
    /** null: it runs */ readonly ended_at: string | null;
    /** its entry in the attempt account, or running */ readonly entry: string;
    /** reason code of the decision */ readonly reason: string | null;
    /** what was decided */ readonly action: string | null;
    /** its error */ readonly error: NonNullable<DeadLettersListAnswer['letters'][number]['last_error']> | null;
    /** the worker that ran it */ readonly worker: string | null;
    /** the waits after it */ readonly waits: readonly ({
      /** when it began */ readonly from: string;
      /** when it ended; of an ongoing wait: its known end */ readonly until: string | null;
      /** worker: it is due, and no worker has claimed it yet */ readonly why: "backoff" | "hint" | "breaker" | "gate" | "budget" | "kill" | "pause" | "worker";
      /** such as breaker:bank; null: not known, or nothing to name */ readonly of: string | null;
      /** true: it has not ended */ readonly ongoing: boolean;
    })[];
  })[];
  /** attempts that have not started */ readonly planned: readonly ({
    /** its number */ readonly attempt: number;
    /** null: no time is known */ readonly at: string | null;
    /** the condition, where no time decides */ readonly waits_for: "backoff" | "hint" | "breaker" | "gate" | "budget" | "kill" | "pause" | "worker" | null;
    /** as in a wait */ readonly of: string | null;
    /** at most this long after the attempt before, if that one fails */ readonly at_most_after_ms: number | null;
  })[];
  /** controls in force that were set while the job waited */ readonly events: readonly ({
    /** since when */ readonly at: string;
    /** its text */ readonly text: string;
  })[];
  /** false: the oldest records were not read */ readonly complete: boolean;
}

/** Input of `jobs.climb`. */
export type JobsClimbInput = JobsWatchInput;

/** Answer of `jobs.climb`. */
export interface JobsClimbAnswer {
  /** what the steps have in common */ readonly correlation_id: string;
  /** the store's time */ readonly now: string;
  /** calls and jobs, in the order in which they began */ readonly steps: readonly ({
    /** call: in process; document: a sweep sent the event of a stuck document again */ readonly rung: "call" | "event" | "job" | "document";
    /** of the job; of a call, its session */ readonly id: string;
    /** the handler, or the operation of a call */ readonly name: string;
    /** of the job; of a call: succeeded, scheduled, handed_over or given_up */ readonly state: string;
    /** when it began */ readonly from: string;
    /** when it ended; null: it has not */ readonly until: string | null;
    /** the oldest first; of a job the first and the newest ones */ readonly attempts: readonly ({
      /** within its step, from 1 */ readonly attempt: number;
      /** its generation */ readonly generation: number;
      /** when it started */ readonly started_at: string;
      /** how long it ran */ readonly duration_ms: number;
      /** true: it succeeded */ readonly success: boolean;
      /** reason code of the decision */ readonly reason: string;
      /** its error, sanitised; null: it succeeded */ readonly error: string | null;
    })[];
  })[];
  /** false: there were more records than were read */ readonly complete: boolean;
}

/** Input of `jobs.replay`. */
export type JobsReplayInput = JobsWatchInput;

/** Answer of `jobs.replay`. */
export type JobsReplayAnswer = AuditReplayAnswer;

/** Input of `jobs.scheduledRetries`. */
export interface JobsScheduledRetriesInput {
  /** only jobs in this state; may be repeated */ readonly state?: "scheduled" | "ready" | "parked" | "leased" | "succeeded" | "dead" | "cancelled" | "purged" | readonly ("scheduled" | "ready" | "parked" | "leased" | "succeeded" | "dead" | "cancelled" | "purged")[] | undefined;
  /** only jobs of this handler */ readonly handler?: string | undefined;
  /** only jobs of this queue */ readonly queue?: string | undefined;
  /** only jobs of this tenant */ readonly tenant?: string | undefined;
  /** only jobs with this tag */ readonly tag?: string | undefined;
  /** only jobs of this batch */ readonly batch?: string | undefined;
  /** only jobs of this session */ readonly session?: string | undefined;
  /** submitted after this time; 2h: within the last 2 hours */ readonly since?: string | undefined;
  /** submitted before this time; 10m: more than 10 minutes ago */ readonly until?: string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `jobs.scheduledRetries`. */
export interface JobsScheduledRetriesAnswer {
  /** the store's time */ readonly now: string | null;
  /** the start of the first quarter of an hour */ readonly from: string | null;
  /** a quarter of an hour */ readonly bucket_ms: number;
  /** retries that are due in each of 96 */ readonly buckets: readonly (number)[];
  /** due already: they wait for a worker */ readonly overdue: number;
  /** due after the last one */ readonly later: number;
  /** true: the first 10,000 scheduled jobs were read, and there are more */ readonly bounded: boolean;
  /** if bounded: nothing is known after this time */ readonly counted_until: string | null;
}

/** Input of `jobs.enqueue`. */
export interface JobsEnqueueInput {
  /** at most 1,000 */ readonly jobs: readonly ({
    /** the handler that runs the job */ readonly handler: string;
    /** any JSON, for the handler */ readonly payload?: unknown | undefined;
    /** the payload as a JSON text, instead: numbers that would lose digits are refused */ readonly payload_text?: string | undefined;
    /** default: default */ readonly queue?: string | undefined;
    /** tenants take turns */ readonly tenant?: string | undefined;
    /** -1,000 to 1,000, higher first; default 0 */ readonly priority?: number | string | undefined;
    /** texts */ readonly tags?: readonly (string)[] | undefined;
    /** texts for the handler */ readonly headers?: Readonly<Record<string, string>> | undefined;
    /** an id of yours: as long as the job is kept, it is never run again */ readonly id?: string | undefined;
    /** at most one unfinished job has this key */ readonly unique_key?: string | undefined;
    /** the unique key also counts for this time after the job was submitted */ readonly unique_for_ms?: number | string | undefined;
    /** if another job has the unique key; default: that job is the answer */ readonly on_conflict?: "existing" | "refuse" | "replace" | undefined;
    /** instead of the policy of the handler */ readonly policy?: string | undefined;
    /** attempts that count, the first one included, instead of those of its policy */ readonly max_attempts?: number | string | undefined;
    /** id of an open batch, which then counts the job */ readonly batch?: string | undefined;
    /** jobs of the handler with the same key share a limit */ readonly limit_key?: string | undefined;
    /** lets the handler recognise a repeated job; default: the id of the job */ readonly idempotency_key?: string | undefined;
    /** the earliest start, from now on */ readonly delay_ms?: number | string | undefined;
    /** the earliest start: a time, or +10m from now */ readonly run_at?: string | undefined;
    /** no attempt starts after this time; or +2h from now */ readonly deadline?: string | undefined;
    /** default: the id of the session */ readonly correlation_id?: string | undefined;
    /** the trace that the job belongs to */ readonly trace_id?: string | undefined;
  })[];
  /** allow a handler and a policy that only another program knows */ readonly runs_elsewhere?: boolean | string | undefined;
  /** leave out jobs whose payload or options are wrong; default: nothing is stored then */ readonly skip_invalid?: boolean | string | undefined;
  /** show what would change, and change nothing */ readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `jobs.enqueue`. */
export interface JobsEnqueueAnswer {
  /** one entry per job, in their order */ readonly jobs: readonly ({
    /** id of the job, or of the one in the way; null: there is none */ readonly id: string | null;
    /** the handler of the job */ readonly handler: string;
    /** its queue; null: it was left out */ readonly queue: string | null;
    /** created, existing, replaced, would_be_created; or, of a job that was left out: unique_conflict, idempotency_conflict, batch_closed or invalid */ readonly outcome: string;
    /** why it was left out */ readonly problem: string | null;
  })[];
  /** true: nothing was changed */ readonly dry_run: boolean;
}

/** Input of `jobs.cancel`. */
export interface JobsCancelInput {
  /** ids of the jobs, at most 1,000 */ readonly ids: readonly (string)[];
  /** show what would change, and change nothing */ readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `jobs.cancel`. */
export interface JobsCancelAnswer {
  /** one entry per id, in their order */ readonly jobs: readonly ({
    /** the job */ readonly id: string;
    /** true: the job was changed, or would be */ readonly done: boolean;
    /** the state afterwards; null: there is no such job */ readonly state: string | null;
    /** what was done, or why not */ readonly note: string;
  })[];
  /** true: nothing was changed */ readonly dry_run: boolean;
}

/** Input of `jobs.retry`. */
export type JobsRetryInput = JobsCancelInput;

/** Answer of `jobs.retry`. */
export type JobsRetryAnswer = JobsCancelAnswer;

/** Input of `kill.list`. */
export type KillListInput = BreakersListInput;

/** Answer of `kill.list`. */
export interface KillListAnswer {
  /** by name; empty: none is engaged */ readonly engaged: readonly ({
    /** what it stops; operation: a handler */ readonly scope: "all" | "queue" | "operation" | "tenant";
    /** name of the queue, handler or tenant; null: everything */ readonly name: string | null;
    /** finish: running jobs may finish; interrupt: they are interrupted and released */ readonly mode: "finish" | "interrupt";
    /** when it was engaged */ readonly since: string;
    /** who engaged it */ readonly by: string;
    /** the reason that was given */ readonly why: string | null;
    /** running jobs that it stops; null: not known */ readonly running: number | null;
    /** waiting jobs that it stops; null: not known */ readonly waiting: number | null;
    /** true: counting stopped, and there are more */ readonly bounded: boolean;
  })[];
}

/** Input of `kill.forecast`. */
export interface KillForecastInput {
  /** all, queue, handler or tenant; operation: a handler */ readonly scope?: "all" | "queue" | "handler" | "operation" | "tenant" | undefined;
  /** name of the queue, the handler or the tenant */ readonly name?: string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `kill.forecast`. */
export interface KillForecastAnswer {
  /** what it stops; operation: a handler */ readonly scope: "all" | "queue" | "operation" | "tenant";
  /** name of the queue, handler or tenant; null: everything */ readonly name: string | null;
  /** running jobs that it stops; null: not known */ readonly running: number | null;
  /** waiting jobs that it stops; null: not known */ readonly waiting: number | null;
  /** true: counting stopped, and there are more */ readonly bounded: boolean;
  /** most jobs first; of a tenant none: jobs are not counted by tenant */ readonly handlers: readonly ({
    /** the queue */ readonly queue: string;
    /** the handler */ readonly handler: string;
    /** its running jobs */ readonly running: number;
    /** its waiting jobs */ readonly waiting: number;
  })[];
  /** when they were counted */ readonly counted_at: string | null;
}

/** Input of `kill.engage`. */
export interface KillEngageInput {
  /** all, queue, handler or tenant */ readonly scope: "all" | "queue" | "handler" | "operation" | "tenant";
  /** name of the queue, the handler or the tenant */ readonly name?: string | undefined;
  /** finish: running jobs may finish; interrupt: they are interrupted and released; default finish */ readonly mode?: "finish" | "interrupt" | undefined;
  /** the confirmation for the scope all: --confirm=all, because it stops everything */ readonly confirm?: string | undefined;
  /** show what would change, and change nothing */ readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason: string;
}

/** Answer of `kill.engage`. */
export interface KillEngageAnswer {
  /** what it stops; operation: a handler */ readonly scope: "all" | "queue" | "operation" | "tenant";
  /** name of the queue, handler or tenant; null: everything */ readonly name: string | null;
  /** finish: running jobs may finish; interrupt: they are interrupted and released */ readonly mode: "finish" | "interrupt";
  /** when it was engaged */ readonly since: string;
  /** who engaged it */ readonly by: string;
  /** the reason that was given */ readonly why: string | null;
  /** false: it was in that state already, or a dry run */ readonly changed: boolean;
  /** running jobs that it stops; null: not known */ readonly running: number | null;
  /** waiting jobs that it stops; null: not known */ readonly waiting: number | null;
  /** true: counting stopped, and there are more */ readonly bounded: boolean;
  /** true: nothing was changed */ readonly dry_run: boolean;
}

/** Input of `kill.release`. */
export interface KillReleaseInput {
  /** all, queue, handler or tenant */ readonly scope: "all" | "queue" | "handler" | "operation" | "tenant";
  /** name of the queue, the handler or the tenant */ readonly name?: string | undefined;
  /** release the jobs gradually: the first rate, such as 5/s; it grows, and falls again when jobs fail */ readonly pace?: number | string | undefined;
  /** show what would change, and change nothing */ readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason: string;
}

/** Answer of `kill.release`. */
export interface KillReleaseAnswer {
  /** what it stops; operation: a handler */ readonly scope: "all" | "queue" | "operation" | "tenant";
  /** name of the queue, handler or tenant; null: everything */ readonly name: string | null;
  /** false: a dry run */ readonly changed: boolean;
  /** the switch as it was */ readonly released: {
    /** what it stops; operation: a handler */ readonly scope: "all" | "queue" | "operation" | "tenant";
    /** name of the queue, handler or tenant; null: everything */ readonly name: string | null;
    /** finish: running jobs may finish; interrupt: they are interrupted and released */ readonly mode: "finish" | "interrupt";
    /** when it was engaged */ readonly since: string;
    /** who engaged it */ readonly by: string;
    /** the reason that was given */ readonly why: string | null;
  };
  /** jobs per second at first; null: all at once */ readonly pace: number | null;
  /** other kill switches: they may stop some of the same jobs */ readonly still_engaged: readonly ({
    /** what it stops; operation: a handler */ readonly scope: "all" | "queue" | "operation" | "tenant";
    /** name of the queue, handler or tenant; null: everything */ readonly name: string | null;
  })[];
  /** false: no live worker has the handlers of parked jobs, so they wait for one */ readonly has_worker: boolean;
  /** true: nothing was changed */ readonly dry_run: boolean;
}

/** Input of `lab.recording`. */
export interface LabRecordingInput {
  /** attempts that ended at this time or later; default 7d */ readonly since?: string | undefined;
  /** attempts that ended before this time; default now */ readonly until?: string | undefined;
  /** attempts at this dependency only */ readonly dependency?: string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** An item of `lab.recording`. */
export interface LabRecordingAnswer {
  /** of the head: the version */ readonly recording?: "recording/v1" | undefined;
  /** of the head: attempts ended at this time or later */ readonly since?: string | undefined;
  /** of the head: attempts ended before this time */ readonly until?: string | undefined;
  /** a handler without a dependency is its own */ readonly dependency?: string | undefined;
  /** the handler or the operation */ readonly handler?: string | undefined;
  /** absent: it has none */ readonly category?: string | undefined;
  /** name of the policy */ readonly policy?: string | undefined;
  /** version of the policy */ readonly policy_hash?: string | undefined;
  /** call, event, job or document */ readonly rung?: string | undefined;
  /** a salted hash: it leads back to no job */ readonly session?: string | undefined;
  /** a requeue starts the next one */ readonly generation?: number | undefined;
  /** over all generations and rungs of the session, from 1 */ readonly attempt?: number | undefined;
  /** Unix time in ms; absent: a job's success */ readonly start_ms?: number | undefined;
  /** Unix time in ms */ readonly end_ms?: number | undefined;
  /** its result; lost: with its lease; not_run: a probe that did not begin */ readonly outcome?: "succeeded" | "failed" | "lost" | "not_run" | undefined;
  /** error class */ readonly class?: string | undefined;
  /** type of the error */ readonly type?: string | undefined;
  /** the wait that the dependency asked for */ readonly hint_ms?: number | undefined;
  /** whether it was the probe of a breaker */ readonly probe?: boolean | undefined;
  /** the decision: succeed, retry, hand-over, park or give-up */ readonly action?: string | undefined;
  /** reason code of the decision */ readonly reason?: string | undefined;
  /** the wait that follows */ readonly delay_ms?: number | undefined;
}

/** Input of `limits.list`. */
export type LimitsListInput = BreakersListInput;

/** Answer of `limits.list`. */
export interface LimitsListAnswer {
  /** by name; empty: no worker has a rate */ readonly limits: readonly ({
    /** its name, such as handler:mail/tenant/1000ms */ readonly name: string;
    /** the handler whose jobs it counts; null: any */ readonly handler: string | null;
    /** the queue whose jobs it counts; null: any */ readonly queue: string | null;
    /** what it counts apart; all: all its jobs together */ readonly by: "all" | "handler" | "tenant" | "key";
    /** starts that it allows in that time */ readonly limit: number;
    /** the time, in milliseconds */ readonly per_ms: number;
    /** starts that may come at once after a pause */ readonly burst: number;
    /** the limit in the code or the file of the workers */ readonly declared: number;
    /** who has changed it; null: nobody */ readonly set_by: string | null;
    /** when it was changed; null: it was not */ readonly set_at: string | null;
    /** why it was changed */ readonly why: string | null;
    /** ready jobs that it keeps back; each value is counted up to 10,000 */ readonly jobs: number;
    /** true: it keeps more jobs back */ readonly bounded: boolean;
    /** since when jobs wait for it; null: none waits */ readonly since: string | null;
    /** tenants or keys with jobs that wait */ readonly values: number;
    /** those with the most jobs, at most 20 */ readonly waiting: readonly ({
      /** the tenant; null: it is not counted by tenant */ readonly tenant: string | null;
      /** the rate key; null: it is not counted by key */ readonly key: string | null;
      /** the handler, in a queue that counts each apart */ readonly handler: string | null;
      /** ready jobs that wait */ readonly jobs: number;
      /** since when */ readonly since: string;
    })[];
  })[];
}

/** Input of `limits.set`. */
export interface LimitsSetInput {
  /** the rate, as "redrive limits list" names it */ readonly name: string;
  /** starts that it allows in its time */ readonly limit?: number | string | undefined;
  /** starts that may come at once after a pause; the default is the limit */ readonly burst?: number | string | undefined;
  /** the limit that the workers declare applies again */ readonly reset?: boolean | string | undefined;
  /** show what would change, and change nothing */ readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `limits.set`. */
export interface LimitsSetAnswer {
  /** the rate as it is now, or would be */ readonly limit: LimitsListAnswer['limits'][number];
  /** false: a dry run */ readonly changed: boolean;
  /** true: nothing was changed */ readonly dry_run: boolean;
}

/** Input of `metrics.figures`. */
export interface MetricsFiguresInput {
  /** how far back, the present minute included */ readonly window?: "1h" | "2h" | "6h" | "24h" | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `metrics.figures`. */
export interface MetricsFiguresAnswer {
  /** false: the log of the last 24 hours is still read, the newest part first */ readonly rebuilt: boolean;
  /** the part of the 24 hours that is read, 0 to 1 */ readonly progress: number;
  /** the figures are complete from this time on */ readonly since: string;
  /** start of the first minute; the last minute is not over yet */ readonly from: string;
  /** jobs per minute that succeeded with their first attempt */ readonly first_try: readonly (number)[];
  /** jobs per minute that succeeded after retries */ readonly recovered: readonly (number)[];
  /** new dead letters per minute */ readonly dead: readonly (number)[];
  /** attempts per minute that failed and are followed by another one */ readonly retries: readonly (number)[];
  /** median time to success of each minute in seconds; null: no job succeeded */ readonly p50: readonly (number | null)[];
  /** of the window */ readonly total: {
    /** jobs that succeeded with their first attempt */ readonly first_try: number;
    /** jobs that succeeded after retries */ readonly recovered: number;
    /** new dead letters */ readonly dead: number;
    /** attempts that failed and are followed by another one */ readonly retries: number;
    /** retries per finished job; null: no job finished */ readonly retry_ratio: number | null;
  };
  /** seconds from submission to success; null: no job succeeded */ readonly time_to_success: {
    /** jobs whose submission is known */ readonly samples: number;
    /** the median */ readonly p50: number | null;
    /** the 95th percentile */ readonly p95: number | null;
    /** the 99th percentile */ readonly p99: number | null;
  };
  /** at most 50 queues, where the submission of the job is known */ readonly queues: readonly ({
    /** its name */ readonly queue: string;
    /** successes in each of the last 30 minutes */ readonly succeeded: readonly (number)[];
  })[];
}

/** Input of `metrics.show`. */
export interface MetricsShowInput {
  /** sessions that ended at this time or later; 2h: within the last 2 hours; default 24h */ readonly since?: string | undefined;
  /** sessions that ended before this time; default now */ readonly until?: string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `metrics.show`. */
export interface MetricsShowAnswer {
  /** the begin of the window */ readonly time_window_start: string;
  /** the end of the window */ readonly time_window_end: string;
  /** sessions that ended in the window */ readonly total_sessions: number;
  /** sessions that succeeded */ readonly successful_sessions: number;
  /** sessions that were given up */ readonly failed_sessions: number;
  /** attempts of these sessions, the first ones included */ readonly total_attempts: number;
  /** attempts per session; 0: there are no sessions */ readonly average_attempts_per_session: number;
  /** the most attempts of one session */ readonly max_attempts_in_session: number;
  /** seconds from the submission of each session to its end, added up */ readonly total_duration: number;
  /** in seconds */ readonly average_duration_per_session: number;
  /** of each policy, by its id: `sessions`, `total_attempts`, `success_rate` (0 to 1) and `average_attempts` */ readonly by_policy: Readonly<Record<string, {
    /** sessions that ended in the window */ readonly sessions: number;
    /** attempts of these sessions, the first ones included */ readonly total_attempts: number;
    /** the share that succeeded, 0 to 1; null: there are no sessions */ readonly success_rate: number | null;
    /** attempts per session; null: there are no sessions */ readonly average_attempts: number | null;
  }>>;
  /** of each subsystem of `subsystem_mappings`, or the part of the operation's name before a dot: `sessions`, `total_attempts`, `success_rate` (0 to 1) and `average_attempts` */ readonly by_subsystem: Readonly<Record<string, MetricsShowAnswer['by_policy'][string]>>;
  /** of each category, without sessions too (rates are `null` then); `""`: sessions without a category: `sessions`, `total_attempts`, `success_rate` (0 to 1) and `average_attempts` */ readonly by_category: Readonly<Record<string, MetricsShowAnswer['by_policy'][string]>>;
  /** of each operation or handler: `sessions`, `total_attempts`, `success_rate` (0 to 1) and `average_attempts` */ readonly by_operation: Readonly<Record<string, MetricsShowAnswer['by_policy'][string]>>;
  /** of each tenant; `""`: sessions without a tenant: `sessions`, `total_attempts`, `success_rate` (0 to 1) and `average_attempts` */ readonly by_tenant: Readonly<Record<string, MetricsShowAnswer['by_policy'][string]>>;
  /** what is imported */ readonly imported: {
    /** imported sessions */ readonly sessions: number;
    /** imported metrics of time windows */ readonly windows: number;
    /** the sessions of these windows */ readonly window_sessions: number;
    /** windows that are not wholly inside, or have sessions of their own */ readonly windows_left_out: number;
  };
}

/** Input of `operations.list`. */
export interface OperationsListInput {
  /** rows per page, 1 to 1,000; default 50 */ readonly limit?: number | string | undefined;
  /** the next page: the `next` of the page before it */ readonly after?: string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `operations.list`. */
export interface OperationsListAnswer {
  /** newest first */ readonly operations: readonly ({
    /** its id */ readonly id: string;
    /** requeue, cancel, purge, reset, restore or regroup (dead letters follow new rules of causes) */ readonly act: string;
    /** stopped: by its ramp, because too many jobs failed again */ readonly state: "running" | "paused" | "stopped" | "aborted" | "finished";
    /** the operator who started it */ readonly by: string;
    /** the reason that was given then */ readonly why: string | null;
    /** its start, then the newest changes of its state until it finished, the oldest first */ readonly changes: readonly (NonNullable<DeadLettersEditAnswer['status']>['changes'][number])[];
    /** when it was started; null: not known */ readonly started_at: string | null;
    /** time of its newest step; null: not known */ readonly updated_at: string | null;
    /** jobs that were changed */ readonly done: number;
    /** jobs whose state did not allow it */ readonly refused: number;
    /** jobs in all; null: not known */ readonly total: number | null;
    /** true: there are more than `total` */ readonly total_bounded: boolean;
    /** true: the results of its jobs are observed, as with a ramp; the next three count them */ readonly followed: boolean;
    /** jobs that were requeued and have made no attempt yet */ readonly in_flight: number;
    /** requeued jobs whose first attempt succeeded */ readonly succeeded: number;
    /** requeued jobs whose first attempt failed */ readonly came_back: number;
    /** jobs per second at most; null: no limit */ readonly rate: number | null;
    /** null: no limit */ readonly max_in_flight: number | null;
    /** its stages; null: it has none */ readonly ramp: NonNullable<NonNullable<DeadLettersEditAnswer['status']>['ramp']> | null;
    /** true: workers carry it out, or did; false: only the process that started it does, or it finished long ago */ readonly in_background: boolean;
    /** the process that carries it out; null: none at the moment */ readonly runner: string | null;
    /** whether a live worker could carry it out; null: not known */ readonly has_worker: boolean | null;
    /** estimated seconds, at the speed of the last minute; null: not known */ readonly time_left: number | null;
  })[];
  /** the value of `after` for the next page; null: this is the last page */ readonly next: string | null;
}

/** Input of `operations.show`. */
export interface OperationsShowInput {
  /** id of the bulk operation, printed by the command that started it */ readonly id: string;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `operations.show`. */
export interface OperationsShowAnswer {
  /** its id */ readonly id: string;
  /** requeue, cancel, purge, reset, restore or regroup (dead letters follow new rules of causes) */ readonly act: string;
  /** stopped: by its ramp, because too many jobs failed again */ readonly state: "running" | "paused" | "stopped" | "aborted" | "finished";
  /** the operator who started it */ readonly by: string;
  /** the reason that was given then */ readonly why: string | null;
  /** its start, then the newest changes of its state until it finished, the oldest first */ readonly changes: readonly (NonNullable<DeadLettersEditAnswer['status']>['changes'][number])[];
  /** when it was started; null: not known */ readonly started_at: string | null;
  /** time of its newest step; null: not known */ readonly updated_at: string | null;
  /** jobs that were changed */ readonly done: number;
  /** jobs whose state did not allow it */ readonly refused: number;
  /** jobs in all; null: not known */ readonly total: number | null;
  /** true: there are more than `total` */ readonly total_bounded: boolean;
  /** true: the results of its jobs are observed, as with a ramp; the next three count them */ readonly followed: boolean;
  /** jobs that were requeued and have made no attempt yet */ readonly in_flight: number;
  /** requeued jobs whose first attempt succeeded */ readonly succeeded: number;
  /** requeued jobs whose first attempt failed */ readonly came_back: number;
  /** jobs per second at most; null: no limit */ readonly rate: number | null;
  /** null: no limit */ readonly max_in_flight: number | null;
  /** its stages; null: it has none */ readonly ramp: NonNullable<NonNullable<DeadLettersEditAnswer['status']>['ramp']> | null;
  /** true: workers carry it out, or did; false: only the process that started it does, or it finished long ago */ readonly in_background: boolean;
  /** the process that carries it out; null: none at the moment */ readonly runner: string | null;
  /** whether a live worker could carry it out; null: not known */ readonly has_worker: boolean | null;
  /** estimated seconds, at the speed of the last minute; null: not known */ readonly time_left: number | null;
  /** the stored request: the act and its target */ readonly request: Readonly<Record<string, unknown>>;
  /** what keeps some of its jobs in flight from starting */ readonly stopped_by: readonly (NonNullable<DeadLettersEditAnswer['plan']>['stopped_by'][number])[];
}

/** Input of `operations.plan`. */
export interface OperationsPlanInput {
  /** requeue, reset, purge or restore dead letters; cancel jobs */ readonly act: "requeue" | "reset" | "purge" | "restore" | "cancel";
  /** the items that the filter selects; default: dead_letters; for cancel: jobs */ readonly of?: "dead_letters" | "jobs" | undefined;
  /** ids; without ids, a filter selects them */ readonly ids?: readonly (string)[] | undefined;
  /** only letters of this handler */ readonly handler?: string | undefined;
  /** only letters of this queue */ readonly queue?: string | undefined;
  /** only letters of this tenant */ readonly tenant?: string | undefined;
  /** only letters with this tag */ readonly tag?: string | undefined;
  /** only letters of this session */ readonly session?: string | undefined;
  /** only letters with this cause: see "redrive dlq groups" */ readonly group?: string | undefined;
  /** only letters with this reason code, such as max_attempts_exceeded */ readonly reason_code?: "final_error" | "max_attempts_exceeded" | "ttl_exceeded" | "effect_unknown" | "effect_applied" | "lease_lost" | "inner_gave_up" | "allowance_exhausted" | "beyond_horizon" | "budget_exhausted" | "breaker_open" | "invalid_message" | "message_too_large" | "idempotency_conflict" | "policy_disabled" | "kill_switch" | undefined;
  /** only letters with an error of this class */ readonly class?: "final" | "retryable" | "rate_limited" | undefined;
  /** only letters whose cause contains this text */ readonly text?: string | undefined;
  /** died at this time or later; 2h: within the last 2 hours */ readonly since?: string | undefined;
  /** died before this time; 10m: more than 10 minutes ago */ readonly until?: string | undefined;
  /** only jobs in this state, with `of` jobs */ readonly state?: "scheduled" | "ready" | "parked" | "leased" | "succeeded" | "dead" | "cancelled" | "purged" | undefined;
  /** all dead letters, or all that match the filter */ readonly all?: boolean | string | undefined;
  /** at most this many of the letters that match the filter, the oldest first; default 1,000, with --all no limit */ readonly limit?: number | string | undefined;
  /** restore only: all letters of this purge, by the id of its bulk operation; with --detach at most 1,000 */ readonly purge?: string | undefined;
  /** letters that die at this time or later are left out; default: now */ readonly cut_off?: string | undefined;
  /** deadline of the new generation: a time, or +2h */ readonly deadline?: string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `operations.plan`. */
export interface OperationsPlanAnswer {
  /** letters that would be changed */ readonly done: number;
  /** letters that would be refused */ readonly refused: number;
  /** the first 100 of them */ readonly refusals: readonly (DeadLettersEditAnswer['refusals'][number])[];
  /** the first ten that would be changed */ readonly sample_ids: readonly (string)[];
  /** true: more letters match the filter than the plan contains */ readonly more: boolean;
  /** letters that died at this time or later are left out; null: there was no plan */ readonly cut_off: string | null;
  /** requeue only: what will keep some of the jobs from starting */ readonly stopped_by: readonly (NonNullable<DeadLettersEditAnswer['plan']>['stopped_by'][number])[];
  /** requeue, reset, purge, restore or cancel */ readonly act: string;
  /** five jobs that would be changed, from the first to the last */ readonly samples: readonly (DeadLettersListAnswer['letters'][number])[];
}

/** Input of `operations.submit`. */
export interface OperationsSubmitInput {
  /** requeue, reset, purge or restore dead letters; cancel jobs */ readonly act: "requeue" | "reset" | "purge" | "restore" | "cancel";
  /** the items that the filter selects; default: dead_letters; for cancel: jobs */ readonly of?: "dead_letters" | "jobs" | undefined;
  /** ids; without ids, a filter selects them */ readonly ids?: readonly (string)[] | undefined;
  /** only letters of this handler */ readonly handler?: string | undefined;
  /** only letters of this queue */ readonly queue?: string | undefined;
  /** only letters of this tenant */ readonly tenant?: string | undefined;
  /** only letters with this tag */ readonly tag?: string | undefined;
  /** only letters of this session */ readonly session?: string | undefined;
  /** only letters with this cause: see "redrive dlq groups" */ readonly group?: string | undefined;
  /** only letters with this reason code, such as max_attempts_exceeded */ readonly reason_code?: "final_error" | "max_attempts_exceeded" | "ttl_exceeded" | "effect_unknown" | "effect_applied" | "lease_lost" | "inner_gave_up" | "allowance_exhausted" | "beyond_horizon" | "budget_exhausted" | "breaker_open" | "invalid_message" | "message_too_large" | "idempotency_conflict" | "policy_disabled" | "kill_switch" | undefined;
  /** only letters with an error of this class */ readonly class?: "final" | "retryable" | "rate_limited" | undefined;
  /** only letters whose cause contains this text */ readonly text?: string | undefined;
  /** died at this time or later; 2h: within the last 2 hours */ readonly since?: string | undefined;
  /** died before this time; 10m: more than 10 minutes ago */ readonly until?: string | undefined;
  /** only jobs in this state, with `of` jobs */ readonly state?: "scheduled" | "ready" | "parked" | "leased" | "succeeded" | "dead" | "cancelled" | "purged" | undefined;
  /** all dead letters, or all that match the filter */ readonly all?: boolean | string | undefined;
  /** at most this many of the letters that match the filter, the oldest first; default 1,000, with --all no limit */ readonly limit?: number | string | undefined;
  /** restore only: all letters of this purge, by the id of its bulk operation; with --detach at most 1,000 */ readonly purge?: string | undefined;
  /** letters that die at this time or later are left out; default: now */ readonly cut_off?: string | undefined;
  /** deadline of the new generation: a time, or +2h */ readonly deadline?: string | undefined;
  /** id of the bulk operation; the same id again continues it and repeats nothing; default: a new id */ readonly id?: string | undefined;
  /** the confirmation of a filter: the number of letters that the plan says, or any for any number */ readonly confirm?: number | string | undefined;
  /** true: the answer comes when it has ended, or after two seconds; the same id again continues it. false: workers do it */ readonly wait?: boolean | string | undefined;
  /** letters per second at most, such as 50/s; default: no limit */ readonly rate?: number | string | undefined;
  /** sizes of the first stages, such as 1,10,100, then all; the next stage begins when enough jobs of a stage succeed; none: all at once */ readonly ramp?: readonly (number)[] | false | string | undefined;
  /** stop when more than this share of a stage fails again; default 0.2 */ readonly stop_share?: number | string | undefined;
  /** requeued jobs without a result at one time, 1 to 2,000 */ readonly max_in_flight?: number | string | undefined;
  /** show what would change, and change nothing */ readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason: string;
}

/** Answer of `operations.submit`. */
export type OperationsSubmitAnswer = DeadLettersEditAnswer;

/** Input of `operations.pause`. */
export interface OperationsPauseInput {
  /** id of the bulk operation, printed by the command that started it */ readonly id: string;
  /** show what would change, and change nothing */ readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `operations.pause`. */
export interface OperationsPauseAnswer {
  /** its id */ readonly id: string;
  /** requeue, cancel, purge, reset, restore or regroup (dead letters follow new rules of causes) */ readonly act: string;
  /** stopped: by its ramp, because too many jobs failed again */ readonly state: "running" | "paused" | "stopped" | "aborted" | "finished";
  /** the operator who started it */ readonly by: string;
  /** the reason that was given then */ readonly why: string | null;
  /** its start, then the newest changes of its state until it finished, the oldest first */ readonly changes: readonly (NonNullable<DeadLettersEditAnswer['status']>['changes'][number])[];
  /** when it was started; null: not known */ readonly started_at: string | null;
  /** time of its newest step; null: not known */ readonly updated_at: string | null;
  /** jobs that were changed */ readonly done: number;
  /** jobs whose state did not allow it */ readonly refused: number;
  /** jobs in all; null: not known */ readonly total: number | null;
  /** true: there are more than `total` */ readonly total_bounded: boolean;
  /** true: the results of its jobs are observed, as with a ramp; the next three count them */ readonly followed: boolean;
  /** jobs that were requeued and have made no attempt yet */ readonly in_flight: number;
  /** requeued jobs whose first attempt succeeded */ readonly succeeded: number;
  /** requeued jobs whose first attempt failed */ readonly came_back: number;
  /** jobs per second at most; null: no limit */ readonly rate: number | null;
  /** null: no limit */ readonly max_in_flight: number | null;
  /** its stages; null: it has none */ readonly ramp: NonNullable<NonNullable<DeadLettersEditAnswer['status']>['ramp']> | null;
  /** true: workers carry it out, or did; false: only the process that started it does, or it finished long ago */ readonly in_background: boolean;
  /** the process that carries it out; null: none at the moment */ readonly runner: string | null;
  /** whether a live worker could carry it out; null: not known */ readonly has_worker: boolean | null;
  /** estimated seconds, at the speed of the last minute; null: not known */ readonly time_left: number | null;
  /** the stored request: the act and its target */ readonly request: Readonly<Record<string, unknown>>;
  /** false: it stays as it was, or would */ readonly changed: boolean;
  /** true: nothing was changed */ readonly dry_run: boolean;
}

/** Input of `operations.resume`. */
export type OperationsResumeInput = OperationsPauseInput;

/** Answer of `operations.resume`. */
export type OperationsResumeAnswer = OperationsPauseAnswer;

/** Input of `operations.abort`. */
export type OperationsAbortInput = OperationsPauseInput;

/** Answer of `operations.abort`. */
export type OperationsAbortAnswer = OperationsPauseAnswer;

/** Input of `operations.setRate`. */
export interface OperationsSetRateInput {
  /** id of the bulk operation, printed by the command that started it */ readonly id: string;
  /** jobs per second, such as 50/s; null: no limit */ readonly rate: unknown | null;
  /** show what would change, and change nothing */ readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `operations.setRate`. */
export type OperationsSetRateAnswer = OperationsPauseAnswer;

/** Input of `park.list`. */
export type ParkListInput = BreakersListInput;

/** Answer of `park.list`. */
export interface ParkListAnswer {
  /** by name; empty: no job is parked */ readonly causes: readonly ({
    /** its short name, for commands */ readonly cause: string;
    /** the full name, as it is stored with the jobs */ readonly key: string;
    /** jobs, counted up to 10,000 */ readonly count: number;
    /** true: there are more */ readonly bounded: boolean;
    /** null: not known */ readonly since: string | null;
    /** time: each job has its own due time; nothing: the cause is gone, and the jobs are being released */ readonly waits_for: "breaker" | "gate" | "kill" | "time" | "nothing";
    /** the dependency of the breaker or the gate; null: the cause is none of these */ readonly dependency: string | null;
    /** when a gate opens */ readonly until: string | null;
    /** when one of the jobs probes; null: there is no probe, or no live worker has their handler */ readonly next_probe_at: string | null;
    /** the next probe: planned, for next_probe_at; running; no_worker: no live worker has a handler for it; none: the breaker is closed or forced */ readonly probe: "none" | "planned" | "running" | "no_worker";
    /** the operator who holds them */ readonly held_by: string | null;
    /** the reason that was given */ readonly held_why: string | null;
    /** jobs per second that are released now; null: none, or no live worker has their handler */ readonly pace: number | null;
    /** false: no live worker has the handlers of parked jobs, so none is released */ readonly has_worker: boolean;
  })[];
}

/** Input of `park.release`. */
export interface ParkReleaseInput {
  /** the cause, such as breaker:bank: its short name or the full one */ readonly cause: string;
  /** at most this many, the longest parked first */ readonly count?: number | string | undefined;
  /** release the jobs gradually: the first rate, such as 5/s; it grows, and falls again when jobs fail */ readonly pace?: number | string | undefined;
  /** show what would change, and change nothing */ readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `park.release`. */
export interface ParkReleaseAnswer {
  /** its short name */ readonly cause: string;
  /** jobs that are ready now, or would be */ readonly released: number;
  /** true: the cause has more parked jobs */ readonly more: boolean;
  /** jobs per second at first; null: without a pace */ readonly pace: number | null;
  /** time: each job has its own due time; nothing: the cause is gone, and the jobs are being released */ readonly waits_for: "breaker" | "gate" | "kill" | "time" | "nothing";
  /** the dependency of the breaker or the gate; null: the cause is none of these */ readonly dependency: string | null;
  /** false: no live worker has the handlers of parked jobs, so they wait for one */ readonly has_worker: boolean;
  /** true: nothing was changed */ readonly dry_run: boolean;
}

/** Input of `park.hold`. */
export interface ParkHoldInput {
  /** the cause, such as breaker:bank: its short name or the full one */ readonly cause: string;
  /** show what would change, and change nothing */ readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `park.hold`. */
export interface ParkHoldAnswer {
  /** its short name */ readonly cause: string;
  /** whether it is held now */ readonly held: boolean;
  /** who holds it, or held it; null: nobody */ readonly held_by: string | null;
  /** false: it was in that state already, or a dry run */ readonly changed: boolean;
  /** true: nothing was changed */ readonly dry_run: boolean;
}

/** Input of `park.endHold`. */
export type ParkEndHoldInput = ParkHoldInput;

/** Answer of `park.endHold`. */
export type ParkEndHoldAnswer = ParkHoldAnswer;

/** Input of `policies.list`. */
export type PoliciesListInput = BreakersListInput;

/** Answer of `policies.list`. */
export interface PoliciesListAnswer {
  /** the configuration file; null: the presets alone */ readonly file: string | null;
  /** the file's first, then the presets' */ readonly policies: readonly ({
    /** the id that look-ups and mappings use */ readonly id: string;
    /** the name for people */ readonly name: string;
    /** the preset policy that it is or extends */ readonly preset: string | null;
    /** false: one attempt */ readonly enabled: boolean;
    /** the first call included */ readonly max_attempts: number;
    /** how waits are spread */ readonly jitter_type: string;
    /** the share of a wait that jitter may move */ readonly jitter_amount: number;
    /** how waits grow */ readonly backoff_type: string;
    /** the base of all waits */ readonly base_delay_ms: number;
    /** the wait after the first failure, before jitter */ readonly first_wait_ms: number;
    /** the cap of every wait */ readonly max_delay_ms: number;
    /** the limit of the whole session; null: none */ readonly ttl_ms: number | null;
  })[];
  /** always null: there is one page */ readonly next: null;
}

/** Input of `policies.show`. */
export interface PoliciesShowInput {
  /** a policy id, a category (NATS_CONNECT) or a subsystem path (browser.state_operations.timeout) */ readonly policy: string;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `policies.show`. */
export interface PoliciesShowAnswer {
  /** the policy that was found */ readonly id: string;
  /** the name for people */ readonly name: string;
  /** the rule that found it */ readonly matched_by: "policy" | "category" | "path" | "group_default" | "global_defaults";
  /** the same rule in words */ readonly rule: string;
  /** the preset policy that it is or extends */ readonly preset: string | null;
  /** one per field, in the order of the file format */ readonly values: readonly ({
    /** its name in files */ readonly field: string;
    /** any JSON, in the unit of the file; null is "no limit" */ readonly value: unknown;
    /** unit of a number */ readonly unit: "seconds" | null;
    /** the kind of source: flag, environment, file, preset or default */ readonly source: "flag" | "environment" | "file" | "preset" | "default";
    /** the source: `redrive.yaml:12`, a variable, a preset */ readonly where: string;
  })[];
}

/** Input of `policies.explain`. */
export type PoliciesExplainInput = PoliciesShowInput;

/** Answer of `policies.explain`. */
export interface PoliciesExplainAnswer {
  /** the policy that was found */ readonly id: string;
  /** the name for people */ readonly name: string;
  /** the rule that found it */ readonly matched_by: "policy" | "category" | "path" | "group_default" | "global_defaults";
  /** the same rule in words */ readonly rule: string;
  /** the preset policy that it is or extends */ readonly preset: string | null;
  /** when to use it */ readonly description: string;
  /** false: one attempt */ readonly enabled: boolean;
  /** the first call included */ readonly max_attempts: number;
  /** how waits are spread */ readonly jitter_type: string;
  /** the share of a wait that jitter may move */ readonly jitter_amount: number;
  /** how waits grow */ readonly backoff_type: string;
  /** the growth of exponential waits */ readonly backoff_multiplier: number;
  /** waits that the file lists; 0: the back-off is no schedule */ readonly schedule_length: number;
  /** whether the first wait is 0 */ readonly immediate_first_retry: boolean;
  /** one per wait; at most 1,000 */ readonly delays_ms: readonly ({
    /** the attempt that follows the wait */ readonly attempt: number;
    /** the wait before jitter, in whole ms */ readonly nominal: number;
    /** the least that jitter may make of it */ readonly min: number;
    /** the most that jitter may make of it */ readonly max: number;
  })[];
  /** whether there are more waits than are listed */ readonly delays_truncated: boolean;
  /** all waits together, before jitter */ readonly total_nominal_ms: number;
  /** all waits together, at the least */ readonly total_min_ms: number;
  /** all waits together, at the most */ readonly total_max_ms: number;
  /** the limit of the whole session; null: none */ readonly ttl_ms: number | null;
  /** the limit of one attempt; null: none */ readonly attempt_timeout_ms: number | null;
  /** the longest wait in process; null: any */ readonly horizon_ms: number | null;
  /** class of an error that no rule matches */ readonly unclassified_errors: "retryable" | "final";
  /** attempts that start in time if each fails at once */ readonly attempts_within_ttl: number;
  /** when it gives up, in a sentence */ readonly gives_up: string;
  /** where each value came from, by field */ readonly sources: Readonly<Record<string, {
    /** the kind of source: flag, environment, file, preset or default */ readonly kind: "flag" | "environment" | "file" | "preset" | "default";
    /** the source: `redrive.yaml:12`, a variable, a preset */ readonly where: string;
  }>>;
  /** if every call fails: one entry per declared load (`load`) with this policy as a layer */ readonly worst_cases: readonly ({
    /** the dependency of the load */ readonly dependency: string;
    /** the policies, the outermost first */ readonly layers: readonly (string)[];
    /** attempts of the stored layers together; 1: no layer is stored */ readonly attempts: number;
    /** the largest number of attempts of an in-process layer: such layers count their retries together */ readonly calls_per_attempt: number;
    /** the product of the two */ readonly calls: number;
    /** all waits, each as long as jitter allows, without the time of the calls */ readonly waits_max_ms: number;
    /** the same in words */ readonly text: string;
  })[];
}

/** Input of `policies.plot`. */
export interface PoliciesPlotInput {
  /** at most 20 policies; a text has commas between them */ readonly names: readonly (string)[] | string;
  /** linear, log or auto (log where waits differ a lot) */ readonly scale?: "auto" | "linear" | "log" | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `policies.plot`. */
export interface PoliciesPlotAnswer {
  /** the scale that fits, or that was wanted */ readonly scale: "linear" | "log";
  /** in the order of the names */ readonly policies: readonly ({
    /** the policy that was found */ readonly id: string;
    /** false: one attempt */ readonly enabled: boolean;
    /** the first call included */ readonly max_attempts: number;
    /** how waits are spread */ readonly jitter_type: string;
    /** the share of a wait that jitter may move */ readonly jitter_amount: number;
    /** one per wait; at most 1,000 */ readonly delays_ms: readonly (PoliciesExplainAnswer['delays_ms'][number])[];
    /** all waits together, before jitter */ readonly total_nominal_ms: number;
  })[];
}

/** Input of `policies.review`. */
export interface PoliciesReviewInput {
  /** make it now, however old the last one is */ readonly renew?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `policies.review`. */
export interface PoliciesReviewAnswer {
  /** null: the first review is under way */ readonly reviewed_at: string | null;
  /** attempts from this time on were reviewed */ readonly since: string | null;
  /** attempts before this time were reviewed */ readonly until: string | null;
  /** one row for each policy and category */ readonly policies: readonly ({
    /** its name, or the hash of a policy without one */ readonly policy: string;
    /** of its sessions; null: they have none */ readonly category: string | null;
    /** sessions */ readonly sessions: number;
    /** attempts of these sessions */ readonly attempts: number;
    /** share of sessions that succeeded, 0 to 1 */ readonly success_rate: number;
    /** attempts per session */ readonly average_attempts: number;
    /** share of sessions that succeeded at attempt 1, 2, …, up to 10 */ readonly succeeded_at: readonly (number)[];
    /** false: it exists in code only, and `GET /v1/policies/:policy` answers 404 */ readonly configured: boolean;
  })[];
  /** problems that the attempts show */ readonly findings: readonly ({
    /** the kind of finding: see policy-findings.md */ readonly code: string;
    /** its name, or the hash of a policy without one */ readonly policy: string;
    /** the finding in a sentence, with its number */ readonly figure: string;
    /** that number */ readonly value: number;
    /** sessions that it rests on */ readonly sessions: number;
    /** names of three of them */ readonly examples: readonly (string)[];
    /** what to do next */ readonly next: string;
    /** false: it exists in code only, and `GET /v1/policies/:policy` answers 404 */ readonly configured: boolean;
  })[];
  /** findings that the attempts can neither show nor rule out */ readonly undecided: readonly ({
    /** the kind of finding: see policy-findings.md */ readonly code: string;
    /** its name, or the hash of a policy without one */ readonly policy: string;
    /** what cannot be told, and why */ readonly figure: string;
    /** sessions of which it cannot be told */ readonly sessions: number;
    /** false: it exists in code only, and `GET /v1/policies/:policy` answers 404 */ readonly configured: boolean;
  })[];
  /** the part of the log that a newer review has read, 0 to 1; null: none is under way */ readonly under_way: number | null;
}

/** Input of `policies.diff`. */
export interface PoliciesDiffInput {
  /** a policy, category or path; or file:policy */ readonly a: string;
  /** the policy to compare it with; or file:policy */ readonly b: string;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `policies.diff`. */
export interface PoliciesDiffAnswer {
  /** whether both policies behave the same */ readonly equal: boolean;
  /** the first policy: id, or file:id */ readonly a: string;
  /** the second policy: id, or file:id */ readonly b: string;
  /** the fields that differ */ readonly fields: readonly ({
    /** its name in files */ readonly field: string;
    /** any JSON, in the unit of the file; null is "no limit" */ readonly a: unknown;
    /** any JSON, in the unit of the file; null is "no limit" */ readonly b: unknown;
    /** unit of a number */ readonly unit: "seconds" | null;
  })[];
  /** the waits that differ */ readonly delays_ms: readonly ({
    /** the attempt that follows the wait */ readonly attempt: number;
    /** null: no such attempt */ readonly a: {
      /** the wait before jitter, in whole ms */ readonly nominal: number;
      /** the least that jitter may make of it */ readonly min: number;
      /** the most that jitter may make of it */ readonly max: number;
    } | null;
    /** null: no such attempt */ readonly b: NonNullable<PoliciesDiffAnswer['delays_ms'][number]['a']> | null;
  })[];
}

/** Input of `queues.list`. */
export type QueuesListInput = BreakersListInput;

/** Answer of `queues.list`. */
export interface QueuesListAnswer {
  /** by name */ readonly queues: readonly ({
    /** its name */ readonly queue: string;
    /** true: none of its jobs is started */ readonly paused: boolean;
    /** jobs in each state */ readonly states: JobsCountsAnswer['states'];
    /** the states in which there are more jobs than counted */ readonly bounded: readonly ("scheduled" | "ready" | "parked" | "leased" | "succeeded" | "dead" | "cancelled" | "purged")[];
  })[];
  /** true: counting stopped, and there are more */ readonly bounded: boolean;
  /** paused queues, handlers and schedules; running jobs finish */ readonly paused: readonly ({
    /** a queue, a handler or a schedule */ readonly scope: "queue" | "handler" | "schedule";
    /** its name */ readonly name: string;
    /** when it was paused */ readonly since: string;
    /** who paused it */ readonly by: string;
    /** the reason that was given */ readonly why: string | null;
  })[];
}

/** Input of `queues.pause`. */
export interface QueuesPauseInput {
  /** a queue, a handler or a schedule */ readonly scope: "queue" | "handler" | "schedule";
  /** its name */ readonly name: string;
  /** show what would change, and change nothing */ readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `queues.pause`. */
export interface QueuesPauseAnswer {
  /** a queue, a handler or a schedule */ readonly scope: "queue" | "handler" | "schedule";
  /** its name */ readonly name: string;
  /** whether it is paused now */ readonly paused: boolean;
  /** false: it was in that state already, or a dry run */ readonly changed: boolean;
  /** true: nothing was changed */ readonly dry_run: boolean;
}

/** Input of `queues.resume`. */
export type QueuesResumeInput = QueuesPauseInput;

/** Answer of `queues.resume`. */
export type QueuesResumeAnswer = QueuesPauseAnswer;

/** Input of `schedules.list`. */
export type SchedulesListInput = BreakersListInput;

/** Answer of `schedules.list`. */
export interface SchedulesListAnswer {
  /** by name */ readonly schedules: readonly ({
    /** its name */ readonly name: string;
    /** its interval; null: it has a cron expression */ readonly every_ms: number | null;
    /** its cron expression; null: it has an interval */ readonly cron: string | null;
    /** the time zone of the cron expression */ readonly time_zone: string | null;
    /** the handler of its jobs */ readonly handler: string;
    /** the queue of its jobs */ readonly queue: string;
    /** the tenant of its jobs */ readonly tenant: string | null;
    /** the priority of its jobs */ readonly priority: number;
    /** for a tick while the job of an earlier tick is unfinished */ readonly overlap: "skip" | "queue";
    /** for ticks that passed while no worker ran, or while it was stopped */ readonly missed: "none" | "last";
    /** stopped: by a pause or a kill switch; no_worker: a tick is due, and no worker enqueues it */ readonly state: "active" | "stopped" | "no_worker";
    /** its next tick; null: it is stopped */ readonly next: string | null;
    /** the last tick that was due */ readonly last_tick: string | null;
    /** the result of that tick */ readonly last_result: "enqueued" | "skipped" | "missed" | null;
    /** the job that was enqueued, or that was unfinished */ readonly last_job: string | null;
    /** the worker that enqueues its ticks */ readonly holder: string;
    /** ticks that were enqueued, skipped and missed, and counts that its handler adds */ readonly totals: Readonly<Record<string, number>>;
    /** what stops it; null: it is not stopped */ readonly stopped_as: "pause" | "kill_switch" | null;
    /** who stopped it */ readonly stopped_by: string | null;
    /** the reason that was given */ readonly stopped_why: string | null;
  })[];
}

/** Input of `schedules.show`. */
export interface SchedulesShowInput {
  /** the name of the schedule */ readonly name: string;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `schedules.show`. */
export interface SchedulesShowAnswer {
  /** its name */ readonly name: string;
  /** its interval; null: it has a cron expression */ readonly every_ms: number | null;
  /** its cron expression; null: it has an interval */ readonly cron: string | null;
  /** the time zone of the cron expression */ readonly time_zone: string | null;
  /** the handler of its jobs */ readonly handler: string;
  /** the queue of its jobs */ readonly queue: string;
  /** the tenant of its jobs */ readonly tenant: string | null;
  /** the priority of its jobs */ readonly priority: number;
  /** for a tick while the job of an earlier tick is unfinished */ readonly overlap: "skip" | "queue";
  /** for ticks that passed while no worker ran, or while it was stopped */ readonly missed: "none" | "last";
  /** stopped: by a pause or a kill switch; no_worker: a tick is due, and no worker enqueues it */ readonly state: "active" | "stopped" | "no_worker";
  /** its next tick; null: it is stopped */ readonly next: string | null;
  /** the last tick that was due */ readonly last_tick: string | null;
  /** the result of that tick */ readonly last_result: "enqueued" | "skipped" | "missed" | null;
  /** the job that was enqueued, or that was unfinished */ readonly last_job: string | null;
  /** the worker that enqueues its ticks */ readonly holder: string;
  /** ticks that were enqueued, skipped and missed, and counts that its handler adds */ readonly totals: Readonly<Record<string, number>>;
  /** what stops it; null: it is not stopped */ readonly stopped_as: "pause" | "kill_switch" | null;
  /** who stopped it */ readonly stopped_by: string | null;
  /** the reason that was given */ readonly stopped_why: string | null;
  /** the payload of its jobs, as JSON text; without secrets for other roles than admin */ readonly payload: string | null;
}

/** Input of `schedules.run`. */
export interface SchedulesRunInput {
  /** the name of the schedule */ readonly name: string;
  /** show what would change, and change nothing */ readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `schedules.run`. */
export interface SchedulesRunAnswer {
  /** its name */ readonly name: string;
  /** the id of the new job; null: a dry run */ readonly job: string | null;
  /** true: nothing was changed */ readonly dry_run: boolean;
}

/** Input of `schedules.remove`. */
export type SchedulesRemoveInput = SchedulesRunInput;

/** Answer of `schedules.remove`. */
export interface SchedulesRemoveAnswer {
  /** its name */ readonly name: string;
  /** false: a dry run */ readonly removed: boolean;
  /** true: nothing was changed */ readonly dry_run: boolean;
}

/** Input of `sessions.list`. */
export interface SessionsListInput {
  /** only jobs in this state; may be repeated */ readonly state?: "scheduled" | "ready" | "parked" | "leased" | "succeeded" | "dead" | "cancelled" | "purged" | readonly ("scheduled" | "ready" | "parked" | "leased" | "succeeded" | "dead" | "cancelled" | "purged")[] | undefined;
  /** only jobs of this handler */ readonly handler?: string | undefined;
  /** only jobs of this queue */ readonly queue?: string | undefined;
  /** only jobs of this tenant */ readonly tenant?: string | undefined;
  /** only jobs with this tag */ readonly tag?: string | undefined;
  /** only jobs of this batch */ readonly batch?: string | undefined;
  /** only jobs of this session */ readonly session?: string | undefined;
  /** submitted after this time; 2h: within the last 2 hours */ readonly since?: string | undefined;
  /** submitted before this time; 10m: more than 10 minutes ago */ readonly until?: string | undefined;
  /** jobs per page, 1 to 100; default 50 */ readonly limit?: number | string | undefined;
  /** the next page: the `next` of the page before it */ readonly after?: string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `sessions.list`. */
export interface SessionsListAnswer {
  /** newest submission first */ readonly sessions: readonly ({
    /** its id */ readonly session_id: string;
    /** name of the policy */ readonly policy_id: string;
    /** the handler */ readonly operation: string;
    /** when it began */ readonly start_time: string;
    /** absent: it runs */ readonly end_time?: string | undefined;
    /** the oldest first */ readonly attempts: readonly ({
      /** over all rungs of the session */ readonly attempt_number: number;
      /** when it started */ readonly timestamp: string;
      /** seconds waited before it */ readonly delay: number;
      /** absent: it succeeded */ readonly error?: {
        /** its type */ readonly type: string;
        /** its message, secrets masked */ readonly message: string;
        /** where it was thrown, if it is known */ readonly stack_trace?: string | undefined;
      } | undefined;
      /** true: it succeeded */ readonly success: boolean;
      /** in seconds */ readonly duration: number;
      /** absent in a session */ readonly context?: Readonly<Record<string, unknown>> | undefined;
      /** `rung`, where the session has attempts on several rungs */ readonly redrive?: Readonly<Record<string, unknown>> | undefined;
    })[];
    /** JSON; absent here: results are the data of the user */ readonly final_result?: unknown | undefined;
    /** the error that it ended with */ readonly final_error?: NonNullable<SessionsListAnswer['sessions'][number]['attempts'][number]['error']> | undefined;
    /** false while it runs */ readonly success: boolean;
    /** subsystem, job_id, queue, generation and, of a job from a source, its origin */ readonly context?: Readonly<Record<string, unknown>> | undefined;
    /** the number of `attempts` */ readonly total_attempts: number;
    /** in seconds */ readonly total_duration: number;
    /** attempts after the first */ readonly retry_count: number;
    /** Redrive's own additions to the shape */ readonly redrive: {
      /** the version of this shape */ readonly schema_version: "session/v1";
      /** version of the policy */ readonly policy_hash: string;
      /** why it ended; absent: it runs */ readonly reason_code?: string | undefined;
      /** attempts that are not in `attempts` */ readonly omitted_attempts: number;
    };
  })[];
  /** the value of `after` for the next page; null: this is the last page */ readonly next: string | null;
}

/** Input of `sessions.show`. */
export interface SessionsShowInput {
  /** id of the session */ readonly id: string;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `sessions.show`. */
export interface SessionsShowAnswer {
  /** its id */ readonly session: string;
  /** its jobs, the newest submission first */ readonly jobs: readonly ({
    /** sorts by time of creation */ readonly id: string;
    /** the handler of the job */ readonly handler: string;
    /** the first part of the handler's name */ readonly subsystem: string;
    /** scheduled, ready, parked, leased, succeeded, dead, cancelled or purged */ readonly state: "scheduled" | "ready" | "parked" | "leased" | "succeeded" | "dead" | "cancelled" | "purged";
    /** the queue */ readonly queue: string;
    /** the tenant of the job; tenants take turns */ readonly tenant: string | null;
    /** higher first */ readonly priority: number;
    /** texts */ readonly tags: readonly (string)[];
    /** retries after charged attempts; 0 again after success */ readonly retry_count: number;
    /** when a scheduled or parked job is due */ readonly next_retry_at: string | null;
    /** class of the newest failure: final, retryable or rate_limited; null after success */ readonly error_class: string | null;
    /** reason code of the current state */ readonly reason: string | null;
    /** what a parked job waits for */ readonly cause: string | null;
    /** when it was enqueued */ readonly submitted_at: string;
    /** the same time */ readonly submitted_date: string;
    /** no attempt starts after it */ readonly deadline: string | null;
    /** when it finished */ readonly finished_at: string | null;
    /** from 1; each requeue increments it */ readonly generation: number;
    /** attempts in this generation, the running one included */ readonly attempts_made: number;
    /** the worker that runs it now */ readonly worker: string | null;
    /** true: the job runs, and a cancellation was requested */ readonly cancel_requested: boolean;
    /** the id of the job, or of the call that handed it over */ readonly session_id: string;
    /** as given, else the session id */ readonly correlation_id: string;
    /** the job's own, where it names one; of one job: else that of its newest attempt */ readonly policy: string | null;
    /** id of the batch that counts it */ readonly batch: string | null;
    /** the unique key: at most one unfinished job has it */ readonly unique_key: string | null;
    /** the newest attempt's error */ readonly last_error: NonNullable<DeadLettersListAnswer['letters'][number]['last_error']> | null;
  })[];
  /** of each job that has made an attempt */ readonly sessions: readonly (SessionsListAnswer['sessions'][number])[];
  /** true: it has more jobs */ readonly more: boolean;
}

/** Input of `sessions.replay`. */
export type SessionsReplayInput = AuditReplayInput;

/** Answer of `sessions.replay`. */
export type SessionsReplayAnswer = AuditReplayAnswer;

/** Input of `signIns.list`. */
export type SignInsListInput = BreakersListInput;

/** Answer of `signIns.list`. */
export interface SignInsListAnswer {
  /** the oldest first */ readonly sign_ins: readonly ({
    /** for "redrive sign-ins revoke" */ readonly id: string;
    /** who signed in: the name of the token, or local, by a link */ readonly name: string;
    /** what they may do */ readonly role: "viewer" | "operator" | "admin";
    /** the address of the browser */ readonly from: string;
    /** the id of the token: the sign-in ends with it; null: by a link */ readonly token: string | null;
    /** when they signed in */ readonly began: string;
    /** when it ends by itself: 12 hours later */ readonly expires: string;
  })[];
}

/** Input of `signIns.revoke`. */
export interface SignInsRevokeInput {
  /** an id, or a name: all sign-ins of this name */ readonly sign_in: string;
  /** show what would change, and change nothing */ readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `signIns.revoke`. */
export interface SignInsRevokeAnswer {
  /** those that ended */ readonly sign_ins: readonly (SignInsListAnswer['sign_ins'][number])[];
  /** false: a dry run */ readonly revoked: boolean;
  /** true: nothing was changed */ readonly dry_run: boolean;
}

/** Input of `sources.list`. */
export type SourcesListInput = BreakersListInput;

/** Answer of `sources.list`. */
export interface SourcesListAnswer {
  /** those that are declared, then those that are reported */ readonly sources: readonly ({
    /** its name */ readonly name: string;
    /** `taking`, or why it takes nothing: `stopped`, `full`, `store_away`, `bus_away`, `failing`, `blocked`; `gone`: no process takes it */ readonly state: string;
    /** messages that wait in the broker; on the bus `store:`, events that are not finished; null: the broker does not say */ readonly waiting: number | null;
    /** events of a direct source that succeeded without being stored, over restarts */ readonly handled: number;
    /** events that were stored as jobs, over restarts; on the bus `store:`, those that are kept */ readonly stored: number;
    /** messages that were stored before */ readonly duplicates: number;
    /** messages that became dead letters without running */ readonly dead_lettered: number;
    /** when it was reported last; null: not known */ readonly last_report: string | null;
    /** the newest problem with the broker or the store, for a day after it is over */ readonly last_error: string | null;
    /** when it was reported last; before last_report: it is over */ readonly last_error_at: string | null;
    /** its bus; null: the configuration has no such source */ readonly bus: string | null;
    /** the handler of its events; null: not known */ readonly handler: string | null;
    /** its queue, or its stream and subject */ readonly from: string | null;
  })[];
}

/** Input of `status.show`. */
export type StatusShowInput = BreakersListInput;

/** Answer of `status.show`. */
export interface StatusShowAnswer {
  /** the store, without credentials */ readonly store: string;
  /** the store's clock; null: not known */ readonly time: string | null;
  /** true: nothing is wrong */ readonly ok: boolean;
  /** the first line: everything is fine, or the most urgent problem */ readonly verdict: string;
  /** the problems, the most urgent first */ readonly problems: readonly ({
    /** its kind */ readonly kind: "kill_switch" | "no_worker" | "failing" | "stalled" | "paused" | "breaker_forced" | "rate_limited" | "held" | "source" | "dead_letters";
    /** note: no action is needed at once */ readonly level: "bad" | "note";
    /** one sentence */ readonly text: string;
  })[];
  /** causes of the failures now, the one with the most jobs first */ readonly failing: readonly ({
    /** the id of the cause, as in `redrive dlq groups` */ readonly fingerprint: string;
    /** its error text, without the parts that differ from case to case; empty: none of the parked jobs has failed itself */ readonly pattern: string;
    /** the newest error; null: none of its jobs has failed itself */ readonly last_error: NonNullable<BreakersListAnswer['breakers'][number]['last_error']> | null;
    /** handlers of the jobs that were read */ readonly handlers: readonly (string)[];
    /** as its breaker or gate names it; null: not known */ readonly dependency: string | null;
    /** the causes that its parked jobs wait for */ readonly causes: readonly (string)[];
    /** the first failure within a day */ readonly since: string;
    /** the first death, where it is before `since` */ readonly first_seen: string | null;
    /** the newest failure */ readonly last: string;
    /** jobs that will be tried again */ readonly retrying: number;
    /** jobs that are parked because of it */ readonly parked: number;
    /** all its dead letters */ readonly dead: number;
    /** true: there are more than the numbers say */ readonly bounded: boolean;
    /** jobs that failed within the last ten minutes, per minute */ readonly per_minute: number;
    /** the unfinished job that failed last */ readonly newest_job: string | null;
    /** the job that died last */ readonly newest_dead_letter: string | null;
    /** the next command to type */ readonly next: string;
  })[];
  /** true: only the 10,000 jobs of each state that are due first were read */ readonly failing_sampled: boolean;
  /** true: dead letters of the last hour have more causes than the 50 that were read */ readonly failing_more: boolean;
  /** engaged kill switches */ readonly kill_switches: readonly (KillListAnswer['engaged'][number])[];
  /** paused queues, handlers and schedules; running jobs finish */ readonly paused: readonly (QueuesListAnswer['paused'][number])[];
  /** breakers that are not closed, or are forced */ readonly breakers: readonly (BreakersListAnswer['breakers'][number])[];
  /** closed gates */ readonly gates: readonly (GatesListAnswer['gates'][number])[];
  /** causes that jobs are parked for */ readonly parked: readonly (ParkListAnswer['causes'][number])[];
  /** live workers, at most 1,000 */ readonly workers: readonly ({
    /** name of the worker, as in leases; a new one at each start */ readonly name: string;
    /** paused: all its queues or handlers are paused or stopped by a kill switch; stopping: it starts no more jobs and finishes; gone: no report for a minute */ readonly state: "working" | "paused" | "stopping" | "gone";
    /** its machine */ readonly host: string;
    /** its process id there */ readonly pid: number;
    /** version of @redrive/durable */ readonly version: string;
    /** time of its first report; null: not known */ readonly since: string | null;
    /** time of its last report; null: not known */ readonly last_seen_at: string | null;
    /** at most 1,000 */ readonly handlers: readonly (string)[];
    /** handlers that are not listed */ readonly more_handlers: number;
    /** it takes only jobs of these; null: of all */ readonly queues: readonly (string)[] | null;
    /** queues that are not listed */ readonly more_queues: number;
    /** jobs that it runs at once */ readonly concurrency: number;
    /** jobs that it ran at its last report */ readonly running: number;
    /** jobs whose attempts make no progress, at most 10, the longest first */ readonly stalled: readonly ({
      /** the job */ readonly id: string;
      /** its handler */ readonly handler: string;
      /** time of its last progress */ readonly since: string;
    })[];
    /** such jobs that are not listed */ readonly more_stalled: number;
  })[];
  /** how many workers are alive */ readonly live_workers: number;
  /** true: counting stopped, and there are more */ readonly live_workers_bounded: boolean;
  /** handlers whose jobs no worker takes, unless they are stopped */ readonly without_worker: readonly ({
    /** its name */ readonly handler: string;
    /** its ready jobs */ readonly ready: number;
    /** the queues of these jobs */ readonly queues: readonly (string)[];
    /** its scheduled jobs */ readonly scheduled: number;
    /** its parked jobs */ readonly parked: number;
  })[];
  /** sources of events, as the process that takes them reported last */ readonly sources: readonly ({
    /** its name */ readonly name: string;
    /** `taking`, or why it takes nothing: `stopped`, `full`, `store_away`, `bus_away`, `failing`, `blocked`; `gone`: no process takes it */ readonly state: string;
    /** messages that wait in the broker; on the bus `store:`, events that are not finished; null: the broker does not say */ readonly waiting: number | null;
    /** events of a direct source that succeeded without being stored, over restarts */ readonly handled: number;
    /** events that were stored as jobs, over restarts; on the bus `store:`, those that are kept */ readonly stored: number;
    /** messages that were stored before */ readonly duplicates: number;
    /** messages that became dead letters without running */ readonly dead_lettered: number;
    /** when it was reported last; null: not known */ readonly last_report: string | null;
    /** the newest problem with the broker or the store, for a day after it is over */ readonly last_error: string | null;
    /** when it was reported last; before last_report: it is over */ readonly last_error_at: string | null;
  })[];
  /** all dead letters */ readonly dead: {
    /** how many there are */ readonly count: number;
    /** true: there are more */ readonly bounded: boolean;
    /** the death of the newest; null: there is none */ readonly newest_died_at: string | null;
  };
  /** jobs in each state */ readonly states: JobsCountsAnswer['states'];
  /** true: counting stopped, and there are more */ readonly bounded: boolean;
  /** when the oldest ready job was submitted; null: none is ready */ readonly oldest_ready_at: string | null;
  /** the same for each queue and handler */ readonly handlers: readonly ({
    /** the queue */ readonly queue: string;
    /** the handler */ readonly handler: string;
    /** jobs in each state */ readonly states: JobsCountsAnswer['states'];
    /** the states in which there are more jobs than counted */ readonly bounded: readonly ("scheduled" | "ready" | "parked" | "leased" | "succeeded" | "dead" | "cancelled" | "purged")[];
  })[];
}

/** Input of `stuck.list`. */
export interface StuckListInput {
  /** one collection; all without one */ readonly collection?: string | undefined;
  /** rows per page, 1 to 1,000; default 50 */ readonly limit?: number | string | undefined;
  /** the next page: the `next` of the page before it */ readonly after?: string | undefined;
  /** documents whose count, time or id cannot be right, which are never sent */ readonly invalid?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `stuck.list`. */
export interface StuckListAnswer {
  /** by collection, the longest stuck first */ readonly documents: readonly ({
    /** its collection */ readonly collection: string;
    /** its id */ readonly id: string;
    /** its status */ readonly status: string;
    /** its count of attempts; a text: it is no number; null: there is none */ readonly attempt_count: number | string | null;
    /** its last attempt; null: none, or not a time */ readonly last_attempt_time: string | null;
    /** true: it has no time of a last attempt */ readonly never_attempted: boolean;
    /** the last error that its owner kept */ readonly error: string | null;
    /** when a sweep first found it */ readonly stuck_since: string | null;
    /** what the next sweep does with it: send, wait, fail, or the problem of an invalid one; stopped: sweeps are stopped, as stuck explain says; running: its last attempt may still run; unsent: its event waits for its job; count: its event was sent; dead letter: its event could not be sent */ readonly next: string;
    /** from when a sweep may send it; null: not known, or sweeps leave it alone */ readonly due: string | null;
  })[];
  /** collections that were looked at; empty: none is swept */ readonly collections: readonly (DocumentsListAnswer['collections'][number])[];
  /** the value of `after` for the next page; null: this is the last page */ readonly next: string | null;
}

/** Input of `stuck.explain`. */
export interface StuckExplainInput {
  /** name of the collection under sweeps */ readonly collection: string;
  /** id of the document */ readonly id: string;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `stuck.explain`. */
export interface StuckExplainAnswer {
  /** its collection */ readonly collection: string;
  /** its id */ readonly id: string;
  /** its status */ readonly status: string;
  /** its count of attempts; a text: it is no number; null: there is none */ readonly attempt_count: number | string | null;
  /** its last attempt; null: none, or not a time */ readonly last_attempt_time: string | null;
  /** true: it has no time of a last attempt */ readonly never_attempted: boolean;
  /** the last error that its owner kept */ readonly error: string | null;
  /** the attempts that its policy allows */ readonly max_attempts: number;
  /** id of the last event that a sweep sent, and of its job */ readonly event: string | null;
  /** true: the broker has confirmed it; false: it waits */ readonly event_sent: boolean | null;
  /** when a sweep first found it */ readonly stuck_since: string | null;
  /** how many times as long the back-off is; 1 without dynamic_backoff */ readonly backoff_factor: number;
  /** in one sentence */ readonly verdict: string;
  /** from when a sweep may send it; null: not known, or sweeps leave it alone */ readonly due: string | null;
  /** what stops sweeps of the collection now */ readonly stopped: string | null;
}

/** Input of `stuck.release`. */
export interface StuckReleaseInput {
  /** name of the collection under sweeps */ readonly collection: string;
  /** ids of documents */ readonly ids: readonly (string)[];
  /** show what would change, and change nothing */ readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `stuck.release`. */
export interface StuckReleaseAnswer {
  /** its name */ readonly collection: string;
  /** documents whose event is a job now, or would be */ readonly released: number;
  /** the others */ readonly refused: readonly ({
    /** id of the document */ readonly id: string;
    /** why its event is not sent, such as "is processed" */ readonly why: string;
  })[];
  /** true: nothing was changed */ readonly dry_run: boolean;
}

/** Input of `sweeps.status`. */
export type SweepsStatusInput = BreakersListInput;

/** Answer of `sweeps.status`. */
export interface SweepsStatusAnswer {
  /** documents whose event was sent again, by collection */ readonly retry_job_documents_requeued_total?: Readonly<Record<string, number>> | undefined;
  /** documents that were stuck and waited for their back-off, by collection */ readonly retry_job_documents_skipped_backoff_total?: Readonly<Record<string, number>> | undefined;
  /** documents that were marked as failed, by collection */ readonly retry_job_documents_max_retries_exceeded_total?: Readonly<Record<string, number>> | undefined;
  /** runs, by success and failure */ readonly retry_job_runs_total?: Readonly<Record<string, number>> | undefined;
  /** errors, by type */ readonly retry_job_errors_total?: Readonly<Record<string, number>> | undefined;
  /** stuck documents after the last run, by collection, counted up to 100,000 */ readonly retry_job_stuck_documents?: Readonly<Record<string, number>> | undefined;
  /** failed documents after the last run, by collection, counted up to 100,000 */ readonly retry_job_failed_documents?: Readonly<Record<string, number>> | undefined;
  /** documents whose event waits to be sent after the last run, by collection, counted up to 100,000 */ readonly retry_job_documents_waiting?: Readonly<Record<string, number>> | undefined;
  /** seconds of all runs together */ readonly retry_job_duration_seconds_sum?: number | undefined;
  /** runs */ readonly retry_job_duration_seconds_count?: number | undefined;
  /** runs that took at most this many seconds */ readonly retry_job_duration_seconds_bucket?: Readonly<Record<string, number>> | undefined;
  /** when the last successful run ended, in Unix time; absent: none did */ readonly retry_job_last_success_timestamp_seconds?: number | undefined;
  /** the schedule of sweeps; null: there was no sweep yet */ readonly schedule: {
    /** its interval; null: it has a cron expression */ readonly every_ms: number | null;
    /** its cron expression; null: it has an interval */ readonly cron: string | null;
    /** the time zone of the cron expression */ readonly time_zone: string | null;
    /** stopped: by a pause or a kill switch; no_worker: a tick is due, and no worker enqueues it */ readonly state: "active" | "stopped" | "no_worker";
    /** its next tick; null: it is stopped */ readonly next: string | null;
    /** what stops it; null: it is not stopped */ readonly stopped_as: "pause" | "kill_switch" | null;
  } | null;
}

/** Input of `sweeps.schedule`. */
export interface SweepsScheduleInput {
  /** name of the collection under sweeps */ readonly collection: string;
  /** id of the document */ readonly id: string;
  /** a time, or +2h; default: now */ readonly at?: string | undefined;
  /** show what would change, and change nothing */ readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `sweeps.schedule`. */
export interface SweepsScheduleAnswer {
  /** its name */ readonly collection: string;
  /** its id */ readonly document: string;
  /** the job that sends the event; null: a dry run */ readonly job: string | null;
  /** true: nothing was changed */ readonly dry_run: boolean;
}

/** Input of `tokens.list`. */
export type TokensListInput = BreakersListInput;

/** Answer of `tokens.list`. */
export interface TokensListAnswer {
  /** the oldest first */ readonly tokens: readonly ({
    /** the middle part of the token */ readonly id: string;
    /** who has it, in the audit log as api:<name>@<address> */ readonly name: string;
    /** what it may do */ readonly role: "viewer" | "operator" | "admin";
    /** it sees and changes jobs of this tenant only; null: of all */ readonly tenant: string | null;
    /** when it ends; null: when it is revoked */ readonly expires: string | null;
    /** requests per second */ readonly rate: number;
  })[];
}

/** Input of `tokens.create`. */
export interface TokensCreateInput {
  /** what it may do; must be given */ readonly role: "viewer" | "operator" | "admin";
  /** who has it, for the audit log; default: the token's id */ readonly name?: string | undefined;
  /** it sees and changes jobs of this tenant only */ readonly tenant?: string | undefined;
  /** when it ends: 2027-01-31T08:00:00Z or +30d; default: never */ readonly expires?: string | undefined;
  /** requests per second, such as 50/s; default 50/s */ readonly rate?: number | string | undefined;
  /** show what would change, and change nothing */ readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `tokens.create`. */
export interface TokensCreateAnswer {
  /** for "Authorization: Bearer <token>"; null: a dry run */ readonly token: string | null;
  /** the middle part of the token */ readonly id: string;
  /** who has it, in the audit log as api:<name>@<address> */ readonly name: string;
  /** what it may do */ readonly role: "viewer" | "operator" | "admin";
  /** it sees and changes jobs of this tenant only; null: of all */ readonly tenant: string | null;
  /** when it ends; null: when it is revoked */ readonly expires: string | null;
  /** requests per second */ readonly rate: number;
  /** true: nothing was changed */ readonly dry_run: boolean;
}

/** Input of `tokens.revoke`. */
export interface TokensRevokeInput {
  /** its id or its name */ readonly token: string;
  /** show what would change, and change nothing */ readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `tokens.revoke`. */
export interface TokensRevokeAnswer {
  /** the middle part of the token */ readonly id: string;
  /** who has it, in the audit log as api:<name>@<address> */ readonly name: string;
  /** what it may do */ readonly role: "viewer" | "operator" | "admin";
  /** it sees and changes jobs of this tenant only; null: of all */ readonly tenant: string | null;
  /** when it ends; null: when it is revoked */ readonly expires: string | null;
  /** requests per second */ readonly rate: number;
  /** false: a dry run */ readonly revoked: boolean;
  /** true: nothing was changed */ readonly dry_run: boolean;
}

/** Input of `workers.list`. */
export interface WorkersListInput {
  /** rows per page, 1 to 1,000; default 50 */ readonly limit?: number | string | undefined;
  /** the next page: the `next` of the page before it */ readonly after?: string | undefined;
  /** include workers that are gone, for a day */ readonly all?: boolean | string | undefined;
  /** why; recorded in the audit log */ readonly reason?: string | undefined;
}

/** Answer of `workers.list`. */
export interface WorkersListAnswer {
  /** by name */ readonly workers: readonly (StatusShowAnswer['workers'][number])[];
  /** true: the list is empty, and there are workers that are gone */ readonly only_gone: boolean;
  /** the value of `after` for the next page; null: this is the last page */ readonly next: string | null;
}

/** One function per action. */
export interface Actions {
  readonly audit: {
    /** Derive every decision of a session again and compare it with the record. Role viewer. */
    replay(input: AuditReplayInput, options?: CallOptions): Promise<AuditReplayAnswer>;
    /** List records of the audit log, the newest first. Role viewer. */
    list(input?: AuditListInput, options?: CallOptions): Promise<AuditListAnswer>;
    /** Print the newest records, then new ones as they are written. Role viewer. */
    tail(input?: AuditTailInput, options?: CallOptions): AsyncIterable<AuditTailAnswer>;
    /** Read all records, the oldest first. Role viewer. */
    export(input?: AuditExportInput, options?: CallOptions): AsyncIterable<AuditExportAnswer>;
    /** Check every hash, chain and anchor, and derive every decision again. Role viewer. */
    verify(input?: AuditVerifyInput, options?: CallOptions): AsyncIterable<AuditVerifyAnswer>;
    /** Write a proof that a record is in the log, for people without the store. Role viewer. */
    prove(input: AuditProveInput, options?: CallOptions): Promise<AuditProveAnswer>;
  };
  readonly batches: {
    /** List batches of jobs, the newest first, with the number of jobs in each state. Role viewer. */
    list(input?: BatchesListInput, options?: CallOptions): Promise<BatchesListAnswer>;
    /** Print a batch: its progress, and the job that follows. Role viewer. */
    show(input: BatchesShowInput, options?: CallOptions): Promise<BatchesShowAnswer>;
    /** Seal a batch, and cancel its unfinished jobs. Role operator. */
    cancel(input: BatchesCancelInput, options?: CallOptions): Promise<BatchesCancelAnswer>;
    /** Requeue the dead jobs of a batch. Role operator. */
    retry(input: BatchesRetryInput, options?: CallOptions): Promise<BatchesRetryAnswer>;
  };
  readonly breakers: {
    /** List the breakers, those that are not closed first. Role viewer. */
    list(input?: BreakersListInput, options?: CallOptions): Promise<BreakersListAnswer>;
    /** Print one breaker: its state, since when, its failures, the last error, the next probe, parked jobs. Role viewer. */
    show(input: BreakersShowInput, options?: CallOptions): Promise<BreakersShowAnswer>;
    /** Force a breaker open or closed, for at most 24 hours; admins also without an end. Role operator. */
    force(input: BreakersForceInput, options?: CallOptions): Promise<BreakersForceAnswer>;
    /** Probe a dependency now: let one job run. Role operator. */
    halfOpen(input: BreakersHalfOpenInput, options?: CallOptions): Promise<BreakersHalfOpenAnswer>;
    /** Close a breaker and set its count of failures to 0. Role operator. */
    reset(input: BreakersResetInput, options?: CallOptions): Promise<BreakersResetAnswer>;
  };
  readonly causes: {
    /** List the rules of causes in force, in the order in which they apply. Role viewer. */
    list(input?: CausesListInput, options?: CallOptions): Promise<CausesListAnswer>;
    /** Join causes of dead letters in one. Role operator. */
    merge(input: CausesMergeInput, options?: CallOptions): Promise<CausesMergeAnswer>;
    /** Split a cause of dead letters. Role operator. */
    split(input: CausesSplitInput, options?: CallOptions): Promise<CausesSplitAnswer>;
    /** Give a cause of dead letters another title. Role operator. */
    rename(input: CausesRenameInput, options?: CallOptions): Promise<CausesRenameAnswer>;
    /** Remove a rule of causes: its letters go back to the causes that they have without it. Role operator. */
    removeRule(input: CausesRemoveRuleInput, options?: CallOptions): Promise<CausesRemoveRuleAnswer>;
  };
  readonly config: {
    /** Print the values in force and where each came from. Role viewer. */
    show(input?: ConfigShowInput, options?: CallOptions): Promise<ConfigShowAnswer>;
    /** Check a text as a configuration, without the environment; changes nothing. Role viewer. */
    validate(input: ConfigValidateInput, options?: CallOptions): Promise<ConfigValidateAnswer>;
  };
  readonly deadLetters: {
    /** List dead letters, the newest death first. Role viewer. */
    list(input?: DeadLettersListInput, options?: CallOptions): Promise<DeadLettersListAnswer>;
    /** List the causes of dead letters, the one with the newest death first. Role viewer. */
    groups(input?: DeadLettersGroupsInput, options?: CallOptions): Promise<DeadLettersGroupsAnswer>;
    /** Count dead letters by reason, handler, cause and time. Role viewer. */
    stats(input?: DeadLettersStatsInput, options?: CallOptions): Promise<DeadLettersStatsAnswer>;
    /** Compare dead letters of each cause with jobs that succeeded. Role viewer. */
    causes(input?: DeadLettersCausesInput, options?: CallOptions): Promise<DeadLettersCausesAnswer>;
    /** The whole payload of a dead letter as text, with all digits of its numbers. Role viewer. */
    payload(input: DeadLettersPayloadInput, options?: CallOptions): Promise<DeadLettersPayloadAnswer>;
    /** Print a dead letter: why it died, what to do next, every attempt, its payload. Role viewer. */
    show(input: DeadLettersShowInput, options?: CallOptions): Promise<DeadLettersShowAnswer>;
    /** Requeue a dead letter with another payload; the old one is kept. Role admin. */
    edit(input: DeadLettersEditInput, options?: CallOptions): Promise<DeadLettersEditAnswer>;
    /** Dead letters as JSON lines, the newest death first. Role viewer. */
    export(input?: DeadLettersExportInput, options?: CallOptions): AsyncIterable<DeadLettersExportAnswer>;
  };
  readonly doctor: {
    /** Check store, schema, disk, clocks, workers, schedules, brokers and databases. Role viewer. */
    check(input?: DoctorCheckInput, options?: CallOptions): Promise<DoctorCheckAnswer>;
  };
  readonly documents: {
    /** List failed documents, the oldest attempt first. Role viewer. */
    list(input?: DocumentsListInput, options?: CallOptions): Promise<DocumentsListAnswer>;
    /** Make failed documents pending again, as never attempted: the next sweep sends them. Role operator. */
    reset(input: DocumentsResetInput, options?: CallOptions): Promise<DocumentsResetAnswer>;
    /** Move failed documents to <collection>_dead_letters. Role admin. */
    archive(input: DocumentsArchiveInput, options?: CallOptions): Promise<DocumentsArchiveAnswer>;
    /** Delete failed documents for good. Role admin. */
    purge(input: DocumentsPurgeInput, options?: CallOptions): Promise<DocumentsPurgeAnswer>;
  };
  readonly escalations: {
    /** List causes and collections that fail, the highest tier first. Role viewer. */
    list(input?: EscalationsListInput, options?: CallOptions): Promise<EscalationsListAnswer>;
    /** Show an escalation with its log: notifications and acts, the newest first. Role viewer. */
    show(input: EscalationsShowInput, options?: CallOptions): Promise<EscalationsShowAnswer>;
    /** Acknowledge an escalation: you look at it. Role operator. */
    ack(input: EscalationsAckInput, options?: CallOptions): Promise<EscalationsAckAnswer>;
    /** Send no notification of its tier or a lower one for a while. Role operator. */
    snooze(input: EscalationsSnoozeInput, options?: CallOptions): Promise<EscalationsSnoozeAnswer>;
    /** Assign an escalation to a person or a team. Role operator. */
    assign(input: EscalationsAssignInput, options?: CallOptions): Promise<EscalationsAssignAnswer>;
    /** Record the decision about an escalation, and print the command that carries it out. Role operator. */
    decide(input: EscalationsDecideInput, options?: CallOptions): Promise<EscalationsDecideAnswer>;
  };
  readonly gates: {
    /** List the closed gates, and when they open. Role viewer. */
    list(input?: GatesListInput, options?: CallOptions): Promise<GatesListAnswer>;
    /** Open the gates of a dependency now. Role operator. */
    release(input: GatesReleaseInput, options?: CallOptions): Promise<GatesReleaseAnswer>;
  };
  readonly jobs: {
    /** List jobs, the newest first. Role viewer. */
    list(input?: JobsListInput, options?: CallOptions): Promise<JobsListAnswer>;
    /** How many jobs match, by state. Role viewer. */
    counts(input?: JobsCountsInput, options?: CallOptions): Promise<JobsCountsAnswer>;
    /** Print the whole life of a job: every attempt, every wait, what is next and why. Role viewer. */
    show(input: JobsShowInput, options?: CallOptions): Promise<JobsShowAnswer>;
    /** Wait until a job has finished, and print its result. Role viewer. */
    wait(input: JobsWaitInput, options?: CallOptions): Promise<JobsWaitAnswer>;
    /** Follow the state and the progress of a job until it has finished. Role viewer. */
    watch(input: JobsWatchInput, options?: CallOptions): AsyncIterable<JobsWatchAnswer>;
    /** Every record of a job in the audit log, the oldest first. Role viewer. */
    history(input: JobsHistoryInput, options?: CallOptions): Promise<JobsHistoryAnswer>;
    /** Attempts and waits of a job with absolute times, and its planned attempts. Role viewer. */
    timeline(input: JobsTimelineInput, options?: CallOptions): Promise<JobsTimelineAnswer>;
    /** The work of a job over all rungs: calls, events, jobs and sweeps with its correlation id. Role viewer. */
    climb(input: JobsClimbInput, options?: CallOptions): Promise<JobsClimbAnswer>;
    /** Derive every decision of one job again and compare it with the record. Role viewer. */
    replay(input: JobsReplayInput, options?: CallOptions): Promise<JobsReplayAnswer>;
    /** Retries that are due in the next 24 hours, by quarter of an hour; reads 10,000 jobs. Role viewer. */
    scheduledRetries(input?: JobsScheduledRetriesInput, options?: CallOptions): Promise<JobsScheduledRetriesAnswer>;
    /** Enqueue 1 to 1,000 jobs in one commit; with an Idempotency-Key at most once. Role operator. */
    enqueue(input: JobsEnqueueInput, options?: CallOptions): Promise<JobsEnqueueAnswer>;
    /** Cancel jobs: waiting jobs at once; running jobs are asked to stop. Role operator. */
    cancel(input: JobsCancelInput, options?: CallOptions): Promise<JobsCancelAnswer>;
    /** Run dead or cancelled jobs again, and waiting jobs now. Role operator. */
    retry(input: JobsRetryInput, options?: CallOptions): Promise<JobsRetryAnswer>;
  };
  readonly kill: {
    /** List the kill switches that are engaged. Role viewer. */
    list(input?: KillListInput, options?: CallOptions): Promise<KillListAnswer>;
    /** The jobs that a kill switch would stop, by handler; counts are bounded. Role viewer. */
    forecast(input?: KillForecastInput, options?: CallOptions): Promise<KillForecastAnswer>;
    /** Engage a kill switch: no process starts a job until it is released. Role admin. */
    engage(input: KillEngageInput, options?: CallOptions): Promise<KillEngageAnswer>;
    /** Release a kill switch: its jobs may start again. Role admin. */
    release(input: KillReleaseInput, options?: CallOptions): Promise<KillReleaseAnswer>;
  };
  readonly lab: {
    /** The attempts of a time window as a recording (recording/v1); since: 7 days ago. Role viewer. */
    recording(input?: LabRecordingInput, options?: CallOptions): AsyncIterable<LabRecordingAnswer>;
  };
  readonly limits: {
    /** List the rates of handlers and queues, and how many jobs wait for each. Role viewer. */
    list(input?: LimitsListInput, options?: CallOptions): Promise<LimitsListAnswer>;
    /** Change a rate for all workers now, until it is changed again. Role operator. */
    set(input: LimitsSetInput, options?: CallOptions): Promise<LimitsSetAnswer>;
  };
  readonly metrics: {
    /** Jobs per minute by result, retry ratio and time to success of the last 1, 2, 6 or 24 hours; from memory. Role viewer. */
    figures(input?: MetricsFiguresInput, options?: CallOptions): Promise<MetricsFiguresAnswer>;
    /** Sessions, success rate, attempts and durations, by category, policy, subsystem, operation or tenant. Role viewer. */
    show(input?: MetricsShowInput, options?: CallOptions): Promise<MetricsShowAnswer>;
  };
  readonly operations: {
    /** List bulk operations, the newest first. Role viewer. */
    list(input?: OperationsListInput, options?: CallOptions): Promise<OperationsListAnswer>;
    /** Print a bulk operation: its request, its progress, and the jobs that failed again. Role viewer. */
    show(input: OperationsShowInput, options?: CallOptions): Promise<OperationsShowAnswer>;
    /** Predict a bulk operation: eligible jobs, refusals with reasons, samples; changes nothing. Role operator. */
    plan(input: OperationsPlanInput, options?: CallOptions): Promise<OperationsPlanAnswer>;
    /** Submit a bulk operation, which workers carry out; the same id again submits nothing new. Role operator. */
    submit(input: OperationsSubmitInput, options?: CallOptions): Promise<OperationsSubmitAnswer>;
    /** Pause a bulk operation until it is resumed. Role operator. */
    pause(input: OperationsPauseInput, options?: CallOptions): Promise<OperationsPauseAnswer>;
    /** Resume a bulk operation that is paused or was stopped by its ramp. Role operator. */
    resume(input: OperationsResumeInput, options?: CallOptions): Promise<OperationsResumeAnswer>;
    /** Abort a bulk operation for good; finished changes stay. Role operator. */
    abort(input: OperationsAbortInput, options?: CallOptions): Promise<OperationsAbortAnswer>;
    /** Change the rate of a bulk operation: jobs per second at most. Role operator. */
    setRate(input: OperationsSetRateInput, options?: CallOptions): Promise<OperationsSetRateAnswer>;
  };
  readonly park: {
    /** List the causes that jobs are parked for: since when, how many jobs, next probe. Role viewer. */
    list(input?: ParkListInput, options?: CallOptions): Promise<ParkListAnswer>;
    /** Make parked jobs of a cause ready: all, some, or at a pace. Role operator. */
    release(input: ParkReleaseInput, options?: CallOptions): Promise<ParkReleaseAnswer>;
    /** Hold the jobs of a cause: they stay parked even when the cause is gone. Role operator. */
    hold(input: ParkHoldInput, options?: CallOptions): Promise<ParkHoldAnswer>;
    /** End a hold: the jobs are released when the cause is gone. Role operator. */
    endHold(input: ParkEndHoldInput, options?: CallOptions): Promise<ParkEndHoldAnswer>;
  };
  readonly policies: {
    /** List every policy: those of the file, then those of the presets. Role viewer. */
    list(input?: PoliciesListInput, options?: CallOptions): Promise<PoliciesListAnswer>;
    /** Print every value of a policy and where it came from. Role viewer. */
    show(input: PoliciesShowInput, options?: CallOptions): Promise<PoliciesShowAnswer>;
    /** Say which policy applies, how long each wait is and when it gives up. Role viewer. */
    explain(input: PoliciesExplainInput, options?: CallOptions): Promise<PoliciesExplainAnswer>;
    /** Draw the wait before each attempt, with its jitter band. Role viewer. */
    plot(input: PoliciesPlotInput, options?: CallOptions): Promise<PoliciesPlotAnswer>;
    /** Review policies by the attempts of the last 7 days: at most an hour old; with renew, made now. Role viewer. */
    review(input?: PoliciesReviewInput, options?: CallOptions): Promise<PoliciesReviewAnswer>;
    /** Compare two policies: the fields and the waits that differ. Role viewer. */
    diff(input: PoliciesDiffInput, options?: CallOptions): Promise<PoliciesDiffAnswer>;
  };
  readonly queues: {
    /** List the queues that have jobs or are paused. Role viewer. */
    list(input?: QueuesListInput, options?: CallOptions): Promise<QueuesListAnswer>;
    /** Pause a queue, a handler or a schedule: none of its jobs is started. Role operator. */
    pause(input: QueuesPauseInput, options?: CallOptions): Promise<QueuesPauseAnswer>;
    /** Resume a paused queue, handler or schedule. Role operator. */
    resume(input: QueuesResumeInput, options?: CallOptions): Promise<QueuesResumeAnswer>;
  };
  readonly schedules: {
    /** List the schedules, their next and last ticks. Role viewer. */
    list(input?: SchedulesListInput, options?: CallOptions): Promise<SchedulesListAnswer>;
    /** Show a schedule with its next ticks. Role viewer. */
    show(input: SchedulesShowInput, options?: CallOptions): Promise<SchedulesShowAnswer>;
    /** Enqueue the job of a schedule now. Role operator. */
    run(input: SchedulesRunInput, options?: CallOptions): Promise<SchedulesRunAnswer>;
    /** Remove a schedule that no process declares any more, with its totals and its pause. Role admin. */
    remove(input: SchedulesRemoveInput, options?: CallOptions): Promise<SchedulesRemoveAnswer>;
  };
  readonly sessions: {
    /** Sessions of jobs that ran, in the shape session/v1, the newest submission first. Role viewer. */
    list(input?: SessionsListInput, options?: CallOptions): Promise<SessionsListAnswer>;
    /** Show a session: its jobs, at most 100, and their attempts in the shape session/v1. Role viewer. */
    show(input: SessionsShowInput, options?: CallOptions): Promise<SessionsShowAnswer>;
    /** Derive every decision of a session again and compare it with the record. Role viewer. */
    replay(input: SessionsReplayInput, options?: CallOptions): Promise<SessionsReplayAnswer>;
  };
  readonly signIns: {
    /** List who is signed in, the oldest first. Role admin. */
    list(input?: SignInsListInput, options?: CallOptions): Promise<SignInsListAnswer>;
    /** Sign people out: from the next request on their browsers are refused. Role admin. */
    revoke(input: SignInsRevokeInput, options?: CallOptions): Promise<SignInsRevokeAnswer>;
  };
  readonly sources: {
    /** Sources of events: as declared, and as the processes that take them report them. Role viewer. */
    list(input?: SourcesListInput, options?: CallOptions): Promise<SourcesListAnswer>;
  };
  readonly status: {
    /** Show which jobs are failing now, since when, why, how many, and what to do. Role viewer. */
    show(input?: StatusShowInput, options?: CallOptions): Promise<StatusShowAnswer>;
  };
  readonly stuck: {
    /** List stuck documents, the longest stuck first. Role viewer. */
    list(input?: StuckListInput, options?: CallOptions): Promise<StuckListAnswer>;
    /** Say why a document was not sent again, and when it will be. Role viewer. */
    explain(input: StuckExplainInput, options?: CallOptions): Promise<StuckExplainAnswer>;
    /** Send the events of documents now, whatever their age and back-off are. Role operator. */
    release(input: StuckReleaseInput, options?: CallOptions): Promise<StuckReleaseAnswer>;
  };
  readonly sweeps: {
    /** Show the numbers of all sweeps so far. Role viewer. */
    status(input?: SweepsStatusInput, options?: CallOptions): Promise<SweepsStatusAnswer>;
    /** Send the event of one document at a given time. Role operator. */
    schedule(input: SweepsScheduleInput, options?: CallOptions): Promise<SweepsScheduleAnswer>;
  };
  readonly tokens: {
    /** List the tokens. Role admin. */
    list(input?: TokensListInput, options?: CallOptions): Promise<TokensListAnswer>;
    /** Create a token, and print it this once. Role admin. */
    create(input: TokensCreateInput, options?: CallOptions): Promise<TokensCreateAnswer>;
    /** Revoke a token: from the next request on it is refused. Role admin. */
    revoke(input: TokensRevokeInput, options?: CallOptions): Promise<TokensRevokeAnswer>;
  };
  readonly workers: {
    /** List the live workers: handlers, concurrency, running jobs, last seen. Role viewer. */
    list(input?: WorkersListInput, options?: CallOptions): Promise<WorkersListAnswer>;
  };
}

/** Paths below /v1/, which are read unless a method is named. */
export const ADDRESSES = {
  audit: {
    replay: 'audit/replay/:id',
    list: 'audit',
    tail: 'STREAM audit/tail',
    export: 'STREAM audit/export',
    verify: 'STREAM audit/verify',
    prove: 'audit/prove/:id',
  },
  batches: {
    list: 'batches',
    show: 'batches/:id',
    cancel: 'POST batches/:id/cancel',
    retry: 'POST batches/:id/retry',
  },
  breakers: {
    list: 'breakers',
    show: 'breakers/:dependency',
    force: 'POST breakers/:dependency/force',
    halfOpen: 'POST breakers/:dependency/half-open',
    reset: 'POST breakers/:dependency/reset',
  },
  causes: {
    list: 'causes/rules',
    merge: 'POST causes/merge',
    split: 'POST causes/split',
    rename: 'POST causes/rename',
    removeRule: 'POST causes/remove-rule',
  },
  config: {
    show: 'config',
    validate: 'POST config/validate',
  },
  deadLetters: {
    list: 'dead-letters',
    groups: 'dead-letters/groups',
    stats: 'dead-letters/stats',
    causes: 'dead-letters/causes',
    payload: 'dead-letters/:id/payload',
    show: 'dead-letters/:id',
    edit: 'POST dead-letters/:id/edit',
    export: 'STREAM dead-letters/export',
  },
  doctor: {
    check: 'doctor',
  },
  documents: {
    list: 'documents',
    reset: 'POST documents/:collection/reset',
    archive: 'POST documents/:collection/archive',
    purge: 'POST documents/:collection/purge',
  },
  escalations: {
    list: 'escalations',
    show: 'escalations/:key',
    ack: 'POST escalations/:key/ack',
    snooze: 'POST escalations/:key/snooze',
    assign: 'POST escalations/:key/assign',
    decide: 'POST escalations/:key/decide',
  },
  gates: {
    list: 'gates',
    release: 'POST gates/release',
  },
  jobs: {
    list: 'jobs',
    counts: 'job-counts',
    show: 'jobs/:id',
    wait: 'jobs/:id/wait',
    watch: 'STREAM jobs/:id/watch',
    history: 'jobs/:id/history',
    timeline: 'jobs/:id/timeline',
    climb: 'jobs/:id/climb',
    replay: 'jobs/:id/replay',
    scheduledRetries: 'scheduled-retries',
    enqueue: 'POST jobs',
    cancel: 'POST jobs/cancel',
    retry: 'POST jobs/retry',
  },
  kill: {
    list: 'kill-switches',
    forecast: 'kill-switches/forecast',
    engage: 'POST kill-switches/engage',
    release: 'POST kill-switches/release',
  },
  lab: {
    recording: 'STREAM recording',
  },
  limits: {
    list: 'limits',
    set: 'POST limits/set',
  },
  metrics: {
    figures: 'figures',
    show: 'metrics',
  },
  operations: {
    list: 'operations',
    show: 'operations/:id',
    plan: 'POST operations/plan',
    submit: 'POST operations',
    pause: 'POST operations/:id/pause',
    resume: 'POST operations/:id/resume',
    abort: 'POST operations/:id/abort',
    setRate: 'POST operations/:id/rate',
  },
  park: {
    list: 'parks',
    release: 'POST parks/release',
    hold: 'POST parks/hold',
    endHold: 'POST parks/end-hold',
  },
  policies: {
    list: 'policies',
    show: 'policies/:policy',
    explain: 'policies/:policy/explain',
    plot: 'policies/plot',
    review: 'policies/review',
    diff: 'policies/diff',
  },
  queues: {
    list: 'queues',
    pause: 'POST pauses/pause',
    resume: 'POST pauses/resume',
  },
  schedules: {
    list: 'schedules',
    show: 'schedules/:name',
    run: 'POST schedules/:name/run',
    remove: 'POST schedules/:name/remove',
  },
  sessions: {
    list: 'sessions',
    show: 'sessions/:id',
    replay: 'sessions/:id/replay',
  },
  signIns: {
    list: 'sign-ins',
    revoke: 'POST sign-ins/revoke',
  },
  sources: {
    list: 'sources',
  },
  status: {
    show: 'status',
  },
  stuck: {
    list: 'stuck',
    explain: 'stuck/:collection/:id',
    release: 'POST stuck/:collection/release',
  },
  sweeps: {
    status: 'sweeps',
    schedule: 'POST sweeps/:collection/schedule',
  },
  tokens: {
    list: 'tokens',
    create: 'POST tokens',
    revoke: 'POST tokens/revoke',
  },
  workers: {
    list: 'workers',
  },
};
