import type { Config } from '../config.ts';
import { lookUp } from '../look-up/look-up.ts';
import { maskUrls } from '../settings/store-settings.ts';
import { type FieldValue, fieldValues } from './field-values.ts';

/** Values that belong together: a policy, the mappings, a section. */
export interface ConfigGroup {
  readonly path: string;
  readonly values: readonly FieldValue[];
}

/** A policy's id and names have no default for all policies. */
const NAMING = ['id', 'name', 'description'];

/** The values that were set; `effective`: all values. Passwords in URLs and arguments are masked, and payloads of schedules. */
export function configGroups(
  config: Config,
  { effective }: { readonly effective: boolean },
): readonly ConfigGroup[] {
  return effective ? groupsOf(config) : setGroups(config);
}

/** Values that were set, each once: values that a policy has from the global defaults are listed with those. */
function setGroups(config: Config): ConfigGroup[] {
  const [defaults, ...others] = groupsOf(config);
  const inherited = new Map(defaults?.values.map(({ field, where }) => [field, where]));
  const own = others.map(({ path, values }) => ({
    path,
    values: values.filter(({ field, where }) => inherited.get(field) !== where),
  }));
  return [...(defaults ? [defaults] : []), ...own]
    .map(({ path, values }) => ({ path, values: values.filter(wasSet) }))
    .filter(({ values }) => values.length > 0);
}

const wasSet = ({ source }: FieldValue) => source !== 'preset' && source !== 'default';

function groupsOf(config: Config): ConfigGroup[] {
  const policies = [...config.policies.values()].map((configured) => ({
    path: `policies.${configured.id}`,
    // The id is the key that the values stand under.
    values: fieldValues(configured).filter(({ field }) => field !== 'id'),
  }));
  const defaults = fieldValues(config.defaults).filter(({ field }) => !NAMING.includes(field));
  return [
    { path: 'global_defaults', values: defaults },
    ...policies,
    { path: 'subsystem_mappings', values: mappingValues(config) },
    ...sectionGroups(config),
  ];
}

function mappingValues(config: Config): FieldValue[] {
  const { mappings, policies, sources, file = '' } = config;
  return [...mappings].map(([path, value]) => {
    // A mapping comes from nowhere but the file.
    const source = sources.get(`subsystem_mappings.${path}`) ?? { kind: 'file', where: file };
    const servedBy = policies.has(value) ? undefined : lookUp(config, path).policy?.id;
    return { field: path, value, unit: null, source: source.kind, where: source.where, servedBy };
  });
}

function sectionGroups({ sections, sources }: Config): ConfigGroup[] {
  return Object.entries(sections).map(([path, section]) => ({
    path,
    values: leaves(section).map(([field, value]) => {
      const source = sources.get(field === '' ? path : `${path}.${field}`) ?? {
        kind: 'default',
        where: 'built in',
      };
      const isPayload = PAYLOAD.test(field === '' ? path : `${path}.${field}`);
      const printed = isPayload ? '***' : shown(value);
      return { field, value: printed, unit: null, source: source.kind, where: source.where };
    }),
  }));
}

/** A look at a payload is on record, a look at the configuration is not. */
const PAYLOAD = /^schedules\..+\.payload$/;
/** An argument that is a secret by its name; its value follows: `--api-key`. */
const SECRET_NAME = /^--?[\w-]*(?:key|token|secret|pass|pwd)[\w-]*$/i;
/** With its value in the same text: `--api-key=…`, `--token …`, `DB_PASSWORD=…`. */
const SECRET_VALUE =
  /(--?[\w-]*(?:key|token|secret|pass|pwd)[\w-]*[= ]|\b\w*(?:key|token|secret|pass|pwd)\w*=)\S+/gi;

/** URLs and the arguments of a command may have passwords in them. */
function shown(value: unknown): unknown {
  if (typeof value === 'string') return maskUrls(value).replaceAll(SECRET_VALUE, '$1***');
  if (!Array.isArray(value)) return value;
  return value.map((each, at) => (SECRET_NAME.test(String(value[at - 1])) ? '***' : shown(each)));
}

/** Every value that is not an object, with the keys that lead to it. Lists are values. */
function leaves(value: unknown, path = ''): (readonly [path: string, value: unknown])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) =>
    leaves(inner, path === '' ? key : `${path}.${key}`),
  );
}
