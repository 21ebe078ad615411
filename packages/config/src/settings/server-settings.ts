import type { Config } from '../config.ts';
import { inCode, sectionDefaults } from '../sections/section.ts';
import { serverSection } from '../sections/server-section.ts';

/** The section `server`, in the units of code. */
export interface ServerSettings {
  /** Absent: no proxy is trusted. */
  readonly proxy?: ProxySettings;
}

/** A trusted proxy as the file declares it. */
export interface ProxySettings {
  readonly addresses: readonly string[];
  readonly userHeader: string;
  readonly groupsHeader: string;
  readonly roles: Readonly<Record<'viewer' | 'operator' | 'admin', readonly string[]>>;
  readonly tenantHeader?: string;
  /** The environment variable with the secret. */
  readonly secretEnv?: string;
}

/** Reads the section `server` of a configuration, defaults filled in. */
export function serverSettings(config: Config): ServerSettings {
  const { shape } = serverSection;
  // The validator has checked it against the same shape that fills in the defaults and names the keys.
  return inCode(shape, sectionDefaults(shape, config.sections.server)) as ServerSettings;
}
