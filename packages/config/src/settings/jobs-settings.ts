import type { Config } from '../config.ts';
import { jobsSection } from '../sections/jobs-section.ts';
import { sectionDefaults } from '../sections/section.ts';

/** The section `jobs`, in the units of code. */
export interface JobsSettings {
  readonly leaseMs: number;
  readonly graceMs: number;
  /** Jobs that one process runs at once. */
  readonly concurrency: number;
  /** Absent: all. */
  readonly queues?: readonly string[];
  readonly healthPort: number;
  readonly retention: {
    readonly succeededMs: number;
    readonly cancelledMs: number;
    readonly deadMs: number;
    readonly purgedMs: number;
    /** A directory, as the file says it. */
    readonly archive?: string;
  };
  readonly handlers: ReadonlyMap<string, HandlerSettings>;
}

/** A handler as the file declares it. What the file does not say is not there. */
export interface HandlerSettings {
  readonly name: string;
  /** For people: `redrive.yaml:12`, where it is declared. */
  readonly where: string;
  /** Absent together with `module`: an application registers it. */
  readonly command?: readonly string[];
  readonly module?: string;
  readonly export: string;
  /** A policy's id, a category or a subsystem path. */
  readonly policy?: string;
  readonly concurrency?: number;
  readonly concurrencyPerKey?: number;
  readonly dependency?: string;
  readonly credential?: string;
  readonly idempotent?: boolean;
  readonly onUnknown?: 'retry' | 'dead_letter';
}

/** What the file says about a handler; the names and types are those of the section's shape. */
interface FileHandler {
  readonly command?: readonly string[];
  readonly module?: string;
  readonly export: string;
  readonly policy?: string;
  readonly concurrency?: number;
  readonly concurrency_per_key?: number;
  readonly dependency?: string;
  readonly credential?: string;
  readonly idempotent?: boolean;
  readonly on_unknown?: 'retry' | 'dead_letter';
}

interface FileJobs {
  readonly lease_seconds: number;
  readonly grace_seconds: number;
  readonly concurrency: number;
  readonly queues?: readonly string[];
  readonly health_port: number;
  readonly retention: Readonly<Record<'succeeded' | 'cancelled' | 'dead' | 'purged', number>> & {
    readonly archive?: string;
  };
  readonly handlers: Readonly<Record<string, FileHandler>>;
}

/** Reads the section `jobs` of a configuration, defaults filled in. */
export function jobsSettings(config: Config): JobsSettings {
  // The validator has checked it against the same shape that fills in the defaults.
  const jobs = sectionDefaults(jobsSection.shape, config.sections.jobs) as FileJobs;
  const { retention } = jobs;
  return {
    leaseMs: toMs(jobs.lease_seconds),
    graceMs: toMs(jobs.grace_seconds),
    concurrency: jobs.concurrency,
    ...(jobs.queues === undefined ? {} : { queues: jobs.queues }),
    healthPort: jobs.health_port,
    retention: {
      succeededMs: toMs(retention.succeeded),
      cancelledMs: toMs(retention.cancelled),
      deadMs: toMs(retention.dead),
      purgedMs: toMs(retention.purged),
      ...(retention.archive === undefined ? {} : { archive: retention.archive }),
    },
    handlers: new Map(
      Object.entries(jobs.handlers).map(([name, given]) => [name, handlerOf(config, name, given)]),
    ),
  };
}

function handlerOf(config: Config, name: string, given: FileHandler): HandlerSettings {
  const { concurrency_per_key: concurrencyPerKey, on_unknown: onUnknown, ...same } = given;
  return {
    ...same,
    name,
    where: placeOf(config, `jobs.handlers.${name}.`),
    ...(concurrencyPerKey === undefined ? {} : { concurrencyPerKey }),
    ...(onUnknown === undefined ? {} : { onUnknown }),
  };
}

/** Where the file says something about it; what runs for it is the best place. */
function placeOf({ sources, file = '' }: Config, prefix: string): string {
  const own = ['module', 'command'].map((key) => sources.get(prefix + key)?.where);
  const any = [...sources].find(([path]) => path.startsWith(prefix))?.[1].where;
  return own.find((where) => where !== undefined) ?? any ?? file;
}

function toMs(seconds: number): number {
  return Math.round(seconds * 1_000);
}
