import type { AnyAction, AnyStream } from '../action/action.ts';
import { allActions } from '../actions.ts';
import type { ManifestEntry } from '../manifest/manifest-entry.ts';
import { alternatives, type Schema, schemasOf } from './schemas.ts';

/** `manifest/manifest.ts`, made from the list. */
export function manifestText(): string {
  const entries = allActions().map(([name, action]) => [name, entryOf(action)] as const);
  return `// Written by manifest.test.ts from the list of actions: \`npx vitest run packages/operate -u\`.
import type { ManifestEntry } from './manifest-entry.ts';

/** Every action by name. */
export const MANIFEST = ${JSON.stringify(Object.fromEntries(entries), null, 2)} as const satisfies Readonly<Record<string, ManifestEntry>>;

export type ActionName = keyof typeof MANIFEST;
`;
}

function entryOf(action: AnyAction | AnyStream): ManifestEntry {
  const { input, answer } = schemasOf(action);
  const { at, summary, details, role, reads, uses, exports, reason, refusals } = action;
  const isStream = action.kind === 'stream';
  return {
    ...{ at, summary, role },
    ...(details !== undefined && { details }),
    ...(reads && { reads }),
    ...(uses && { uses }),
    ...(exports && { exports }),
    ...(!isStream && action.acts && { acts: true }),
    ...(reason && { reason }),
    ...(!isStream && action.verdict && { verdict: true }),
    ...(isStream && { streams: true }),
    ...(refusals && { refusals }),
    input: Object.entries(input.properties ?? {})
      .filter(([name]) => name !== 'dry_run')
      .map(([name, schema]) => {
        const choices = choicesOf(schema);
        const repeats = choices !== undefined && alternatives(schema).others.length > 1;
        return {
          ...{ name, summary: schema.description ?? '' },
          ...(choices && { choices }),
          ...(repeats && { repeats: true as const }),
        };
      }),
    json: fieldLines(answer).join('\n'),
  };
}

/** The choices of a field, which may be a list of them. */
function choicesOf(schema: Schema): string[] | undefined {
  const [only, ...more] = alternatives(schema).others;
  const isList = more.every(({ items }) => items?.enum !== undefined);
  return isList ? only?.enum?.map(String) : undefined;
}

/** Every field, in the order of the schema; those of an object or a list follow it. */
export function fieldLines(schema: Schema, under = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${under}${name}`;
    return [
      `${path} | ${typeWord(field)} | ${field.description ?? ''}`,
      ...innerLines(field, path),
    ];
  });
}

function innerLines(field: Schema, path: string): string[] {
  const { others } = alternatives(field);
  return others.flatMap((each) => {
    if (each.type === 'array' && each.items) return fieldLines(objectIn(each.items), `${path}[].`);
    return each.type === 'object' ? fieldLines(each, `${path}.`) : [];
  });
}

function objectIn(schema: Schema): Schema {
  return alternatives(schema).others.find(({ type }) => type === 'object') ?? schema;
}

/** The word of the reference pages for a type. */
export function typeWord(schema: Schema): string {
  const notation = schema['x-notation'];
  if (notation !== undefined) return notation;
  const { others, nullable } = alternatives(schema);
  const words = [...new Set(others.flatMap(wordsOf)), ...(nullable ? ['null'] : [])];
  const last = words.pop() ?? 'any';
  return words.length === 0 ? last : `${words.join(', ')} or ${last}`;
}

function wordsOf(schema: Schema): string[] {
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each));
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  switch (schema.type) {
    case 'string':
      return [schema.format === 'date-time' ? 'time' : 'text'];
    case 'integer':
      return ['number'];
    case 'array':
      return [schema.items?.type === 'string' ? 'list of texts' : 'list'];
    case 'object':
      // The fields of a map follow it.
      return [schema.properties === undefined ? 'object' : 'map'];
    default:
      return [String(schema.type ?? 'any')];
  }
}
