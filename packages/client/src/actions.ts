// Written by manifest.test.ts of packages/operate from the list of actions.
import type { CallOptions } from './call.ts';

/** Input of `gates.list`. */
export interface GatesListInput {
  /** why; recorded in the audit log */
  readonly reason?: string | undefined;
}

/** Answer of `gates.list`. */
export interface GatesListAnswer {
  /** by name; empty: none is closed */
  readonly gates: readonly ({
    /** the dependency that is rate-limited */
    readonly dependency: string;
    /** the credential that is rate-limited; null: all */
    readonly credential: string | null;
    /** the tenant that is rate-limited; null: all */
    readonly tenant: string | null;
    /** when it opens by itself */
    readonly until: string;
    /** when it was closed */
    readonly since: string;
    /** true: the Retry-After was longer than the hour that a gate may be closed */
    readonly cut: boolean;
    /** jobs that wait for it, counted up to 10,000 */
    readonly parked: number;
    /** true: more jobs wait for it */
    readonly bounded: boolean;
  })[];
}

/** Input of `gates.release`. */
export interface GatesReleaseInput {
  /** the dependency of the gates */
  readonly dependency: string;
  /** only the gate of this credential */
  readonly credential?: string | undefined;
  /** only of this tenant */
  readonly tenant?: string | undefined;
  /** show what would change, and change nothing */
  readonly dry_run?: boolean | string | undefined;
  /** why; recorded in the audit log */
  readonly reason?: string | undefined;
}

/** Answer of `gates.release`. */
export interface GatesReleaseAnswer {
  /** the gates that were opened, or would be */
  readonly released: readonly ({
    /** the dependency that is rate-limited */
    readonly dependency: string;
    /** the credential that is rate-limited; null: all */
    readonly credential: string | null;
    /** the tenant that is rate-limited; null: all */
    readonly tenant: string | null;
    /** when it opens by itself */
    readonly until: string;
    /** when it was closed */
    readonly since: string;
    /** true: the Retry-After was longer than the hour that a gate may be closed */
    readonly cut: boolean;
    /** jobs that wait for it, counted up to 10,000 */
    readonly parked: number;
    /** true: more jobs wait for it */
    readonly bounded: boolean;
  })[];
  /** false: no live worker has the handlers of the parked jobs, so they wait for one */
  readonly has_worker: boolean;
  /** true: nothing was changed */
  readonly dry_run: boolean;
}

/** One function per action. */
export interface Actions {
  readonly gates: {
    /** List the closed gates, and when they open. Role viewer. */
    list(input?: GatesListInput, options?: CallOptions): Promise<GatesListAnswer>;
    /** Open the gates of a dependency now. Role operator. */
    release(input: GatesReleaseInput, options?: CallOptions): Promise<GatesReleaseAnswer>;
  };
}

export const ADDRESSES: Readonly<Record<string, string>> = {
  'gates.list': 'GET /v1/gates',
  'gates.release': 'POST /v1/gates/release',
};
