import type { Config } from '../config.ts';
import { lookUp } from '../look-up/look-up.ts';
import { jobsSection } from '../sections/jobs-section.ts';
import { inCode, sectionDefaults } from '../sections/section.ts';

/** The section `jobs`, in the units of code. */
export interface JobsSettings {
  readonly leaseMs: number;
  readonly graceMs: number;
  /** Jobs that one process runs at once. */
  readonly concurrency: number;
  /** Absent: all. */
  readonly queues?: readonly string[];
  /** By queue, then by the name of the rate. */
  readonly queueRates: Readonly<Record<string, RateSettings>>;
  readonly healthPort: number;
  readonly retention: {
    readonly succeededMs: number;
    readonly cancelledMs: number;
    readonly deadMs: number;
    readonly purgedMs: number;
    /** A directory, as the file says it. */
    readonly archive?: string;
  };
  readonly http: HttpTargetSettings;
  readonly handlers: ReadonlyMap<string, HandlerSettings>;
}

/** Rates by their names in the file. */
export type RateSettings = Readonly<
  Record<
    string,
    {
      readonly limit: number;
      readonly perMs: number;
      readonly by?: 'handler' | 'tenant' | 'key';
      readonly burst?: number;
    }
  >
>;

/** Which addresses handlers with `http` may ask. */
export interface HttpTargetSettings {
  readonly targets: readonly string[];
  readonly allowHttp: readonly string[];
  readonly allowPrivate: readonly string[];
  /** A file, as the configuration says it. */
  readonly ca?: string;
}

/** The request of a handler. */
export interface HttpSettings {
  readonly url: string;
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'GET';
  readonly headers?: Readonly<Record<string, string>>;
  /** Names of environment variables, by header. */
  readonly headersEnv?: Readonly<Record<string, string>>;
  /** The environment variable with the secret that signs. */
  readonly secretEnv?: string;
  readonly timeoutMs: number;
}

/** A handler as the file declares it. Options that the file does not name are absent. */
export interface HandlerSettings {
  readonly name: string;
  /** For people: `redrive.yaml:12`, where it is declared. */
  readonly where: string;
  /** Absent together with `module` and `http`: an application registers it. */
  readonly command?: readonly string[];
  readonly module?: string;
  readonly http?: HttpSettings;
  readonly export: string;
  /** A policy's id, a category or a subsystem path. */
  readonly policy?: string;
  readonly concurrency?: number;
  readonly concurrencyPerKey?: number;
  readonly rates: RateSettings;
  readonly dependency?: string;
  readonly credential?: string;
  readonly idempotent?: boolean;
  readonly onUnknown?: 'retry' | 'dead_letter';
  readonly upTo?: number;
  readonly waitMs?: number;
  readonly stallAfterMs?: number;
  readonly onStall?: 'report' | 'interrupt';
  readonly deadHandler?: string;
}

/** Reads the section `jobs` of a configuration, defaults filled in. */
export function jobsSettings(config: Config): JobsSettings {
  const { shape } = jobsSection;
  const section = sectionDefaults(shape, config.sections.jobs);
  // The validator has checked it against the same shape that fills in the defaults and names the keys.
  const { handlers, ...settings } = inCode(shape, section, wholeMs) as FileSettings;
  const declared = Object.entries(handlers).map(([name, given]) => {
    const where = placeOf(config, `jobs.handlers.${name}.`);
    return [name, { ...given, name, where }] as const;
  });
  return { ...settings, handlers: new Map(declared) };
}

type FileSettings = Omit<JobsSettings, 'handlers'> & {
  readonly handlers: Readonly<Record<string, Omit<HandlerSettings, 'name' | 'where'>>>;
};

const wholeMs = (seconds: number) => Math.round(seconds * 1_000);

/** Where the file says something about it; what runs for it is the best place. */
function placeOf({ sources, file = '' }: Config, prefix: string): string {
  const own = ['module', 'command', 'http.url'].map((key) => sources.get(prefix + key)?.where);
  const any = [...sources].find(([path]) => path.startsWith(prefix))?.[1].where;
  return own.find((where) => where !== undefined) ?? any ?? file;
}

/**
 * The dependency of a handler: its own, else that of its policy, else its name.
 *
 * @returns a function of the handler's name and the policy that it ran with.
 */
export function handlerDependencies(config: Config): (handler: string, policyId: string) => string {
  const { handlers } = jobsSettings(config);
  return (handler, policyId) => {
    const declared = handlers.get(handler);
    const policy = lookUp(config, declared?.policy ?? policyId).policy?.policy;
    return declared?.dependency || policy?.dependency || handler;
  };
}
