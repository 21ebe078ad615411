import { type Config, maskUrls } from '@redrive/config';
import type { RunCommand } from '../command/command-spec.ts';
import { type FieldValue, fieldValues, valueText } from '../policy/field-values.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { type Column, tableLines } from '../terminal/table.ts';
import { loadConfig } from './load-config.ts';

/** Values that belong together: a policy, the mappings, a section. */
interface Group {
  readonly path: string;
  readonly values: readonly FieldValue[];
}

const COLUMNS: readonly Column[] = [
  { title: '', colour: 'cyan' },
  { title: '', shrinks: true },
  { title: '', colour: 'dim' },
];

/** What a policy is called has no default for all. */
const NAMING = ['id', 'name', 'description'];

/** `redrive config show`: what was set; with `--effective`, everything. */
export const runShowConfig: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const config = await loadConfig(invocation);
  const groups = options.effective ? groupsOf(config) : setGroups(config);
  if (options.json) {
    const { file = null, version, hash } = config;
    printJson(io, { file, version, hash, values: groups.flatMap(jsonValues) });
  } else {
    printLines(io, showLines(io.screen, config, groups));
  }
};

/** What somebody set, each value once: what a policy has from the global defaults is listed with those. */
function setGroups(config: Config): Group[] {
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

function groupsOf(config: Config): Group[] {
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

function mappingValues({ mappings, sources, file = '' }: Config): FieldValue[] {
  return [...mappings].map(([path, value]) => {
    // A mapping comes from nowhere but the file.
    const source = sources.get(`subsystem_mappings.${path}`) ?? { kind: 'file', where: file };
    return { field: path, value, unit: null, source: source.kind, where: source.where };
  });
}

function sectionGroups({ sections, sources }: Config): Group[] {
  return Object.entries(sections).map(([path, section]) => ({
    path,
    values: leaves(section).map(([field, value]) => {
      const source = sources.get(field === '' ? path : `${path}.${field}`) ?? {
        kind: 'default',
        where: 'built in',
      };
      return { field, value: shown(value), unit: null, source: source.kind, where: source.where };
    }),
  }));
}

/** The URL of a store, or in a handler's command, may have a password in it. */
function shown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shown);
  return typeof value === 'string' ? maskUrls(value) : value;
}

/** Every value that is no object, with the keys that lead to it. Lists are values. */
function leaves(value: unknown, path = ''): (readonly [path: string, value: unknown])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) =>
    leaves(inner, path === '' ? key : `${path}.${key}`),
  );
}

function jsonValues({ path, values }: Group) {
  return values.map(({ field, value, source, where }) => ({
    path: field === '' ? path : `${path}.${field}`,
    value,
    source,
    where,
  }));
}

function showLines(
  screen: Screen,
  { file, version, hash }: Config,
  groups: readonly Group[],
): string[] {
  const subject = file === undefined ? 'no file: the presets alone' : printable(file);
  const title = `${screen.paint('bold', subject)}  ${screen.paint('dim', `version ${version}, hash ${hash.slice(0, 12)}`)}`;
  if (groups.length === 0)
    return [title, '', 'Nothing was set; --effective shows the presets and defaults.'];
  return [
    title,
    ...groups.flatMap(({ path, values }) => {
      const rows = values.map((value) => [value.field, valueText(value), value.where]);
      // One table for each group, and its titles only once would not line up: the path stands in their place.
      const lines = tableLines({ ...screen, columns: screen.columns - 2 }, COLUMNS, rows);
      return ['', screen.paint('bold', printable(path)), ...lines.map((line) => `  ${line}`)];
    }),
  ];
}
