import type { BrokerKind } from './broker.ts';
import type { Target } from './open-target.ts';
import type { Workload } from './workload.ts';

/** Where a worker takes events from. */
export interface EventSettings {
  readonly broker: BrokerKind;
  readonly url: string;
  readonly prefetch: number;
  /** A planted bug, which the harness must find. Default: none. */
  readonly bug?: 'early acknowledgement' | 'random id';
}

/** What a process of the harness is told when it is started, as JSON in its first argument. */
export interface ProcessSettings {
  readonly target: Target;
  /** Where the evidence goes. */
  readonly directory: string;
  /** Unique over all processes of a run. */
  readonly name: string;
  readonly seed: number;
  readonly leaseMs: number;
  readonly longShare: number;
  readonly sweepMs: number;
  readonly pollMs: number;
  readonly concurrency: number;
  readonly timeoutMs: number;
  /** `false`: the harness must find out. */
  readonly fencing: boolean;
  /** `false`: the harness must find out. Default `true`. */
  readonly ledger?: boolean;
  /** Default: the mixed jobs. */
  readonly workload?: Workload;
  /** Says how the dependency answers: see `dependency.ts`. Default: it is well. */
  readonly dependencyFile?: string;
  /** A file that says how far clocks are off: see `shifted-clock.ts`. Default: they are right. */
  readonly clockFile?: string;
  /** Default: the worker takes no events. */
  readonly events?: EventSettings;
}

export function readSettings<T extends ProcessSettings>(): T {
  // Whoever starts the process writes them.
  return JSON.parse(process.argv[2] ?? '{}') as T;
}
