import { ACTIONS, type ActionList } from '../actions.ts';
import { alternatives, type Schema, schemasOf } from './schemas.ts';

/** `packages/client/src/actions.ts`, made from the list: types alone, and an address for each name. */
export function clientText(list: ActionList = ACTIONS): string {
  const types: string[] = [];
  const known: Known = new Map();
  const groups: string[] = [];
  const addresses: string[] = [];
  for (const [group, verbs] of Object.entries(list)) {
    const methods: string[] = [];
    const own: string[] = [];
    for (const [verb, action] of Object.entries(verbs)) {
      const name = capital(group) + capital(verb);
      const { input, answer } = schemasOf(action);
      const isStream = action.kind === 'stream';
      const reason = { type: 'string', description: 'why; recorded in the audit log' };
      const given: Schema = {
        ...input,
        properties: { ...input.properties, reason },
        required: [...(input.required ?? []), ...(action.reason ? ['reason'] : [])],
      };
      types.push(declared(`Input of \`${group}.${verb}\``, `${name}Input`, given, known));
      const what = isStream ? 'An item' : 'Answer';
      types.push(declared(`${what} of \`${group}.${verb}\``, `${name}Answer`, answer, known));
      const mark = (given.required ?? []).length === 0 ? '?' : '';
      const result = isStream ? `AsyncIterable<${name}Answer>` : `Promise<${name}Answer>`;
      methods.push(
        `    /** ${capital(action.summary)}. Role ${action.role}. */\n    ${verb}(input${mark}: ${name}Input, options?: CallOptions): ${result};`,
      );
      const at = action.at.replace(' /v1/', ' ').replace('GET ', isStream ? 'STREAM ' : '');
      own.push(`    ${verb}: '${at}',`);
    }
    addresses.push(`  ${group}: {\n${own.join('\n')}\n  },`);
    groups.push(`  readonly ${group}: {\n${methods.join('\n')}\n  };`);
  }
  return `// Written by manifest.test.ts of packages/operate from the list of actions.
import type { CallOptions } from './call.ts';

${types.join('\n\n')}

/** One function per action. */
export interface Actions {
${groups.join('\n')}
}

/** Paths below /v1/, which are read unless a method is named. */
export const ADDRESSES = {
${addresses.join('\n')}
};
`;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Where each type of an object is declared first, by its text: `GatesListAnswer['gates'][number]`. */
type Known = Map<string, string>;

function declared(summary: string, name: string, schema: Schema, known: Known): string {
  const text = objectType(schema, { path: name, indent: '', known });
  const isNew = text.startsWith('{');
  return `/** ${summary}. */\nexport ${isNew ? `interface ${name} ${text}` : `type ${name} = ${text};`}`;
}

interface Place {
  /** The expression that means the type in TypeScript. */
  readonly path: string;
  readonly indent: string;
  readonly known: Known;
}

function typeText(schema: Schema, place: Place): string {
  const { others, nullable } = alternatives(schema);
  const path = nullable ? `NonNullable<${place.path}>` : place.path;
  // One of several has no expression.
  const own = { ...place, path: others.length > 1 ? '' : path };
  const texts = [...new Set(others.map((each) => oneType(each, own)))];
  return [...texts, ...(nullable ? ['null'] : [])].join(' | ');
}

function oneType(schema: Schema, place: Place): string {
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  switch (schema.type) {
    case 'string':
    case 'number':
    case 'boolean':
      return schema.type;
    case 'integer':
      return 'number';
    case 'array':
      return `readonly (${typeText(schema.items ?? {}, below(place, '[number]'))})[]`;
    case 'object':
      return schema.properties === undefined ? mapType(schema, place) : objectType(schema, place);
    default:
      return 'unknown';
  }
}

function below(place: Place, key: string): Place {
  return { ...place, path: place.path === '' ? '' : `${place.path}${key}` };
}

function mapType({ additionalProperties }: Schema, place: Place): string {
  const value = typeof additionalProperties === 'object' ? additionalProperties : {};
  return `Readonly<Record<string, ${typeText(value, below(place, '[string]'))}>>`;
}

function objectType(schema: Schema, { path, indent, known }: Place): string {
  const text = JSON.stringify([schema.properties, schema.required]);
  const found = known.get(text);
  if (found !== undefined) return found;
  if (path !== '') known.set(text, path);
  const { properties = {}, required = [] } = schema;
  const deeper = `${indent}  `;
  const fields = Object.entries(properties).map(([name, field]) => {
    const isOptional = !required.includes(name);
    const key = `['${name}']`;
    const own = path === '' ? '' : isOptional ? `NonNullable<${path}${key}>` : `${path}${key}`;
    const type = typeText(field, { path: own, indent: deeper, known });
    const comment = field.description ? `/** ${field.description} */ ` : '';
    return `${deeper}${comment}readonly ${name}${isOptional ? '?' : ''}: ${type}${isOptional ? ' | undefined' : ''};`;
  });
  return `{\n${fields.join('\n')}\n${indent}}`;
}
