import { ACTIONS, type ActionList } from '../actions.ts';
import { alternatives, type Schema, schemasOf } from './schemas.ts';

/** `packages/client/src/actions.ts`, made from the list: types alone, and an address for each name. */
export function clientText(list: ActionList = ACTIONS): string {
  const types: string[] = [];
  const groups: string[] = [];
  const addresses: string[] = [];
  for (const [group, verbs] of Object.entries(list)) {
    const methods: string[] = [];
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
      types.push(
        `/** Input of \`${group}.${verb}\`. */\nexport interface ${name}Input ${typeText(given)}`,
      );
      types.push(
        `/** ${isStream ? 'An item' : 'Answer'} of \`${group}.${verb}\`. */\nexport interface ${name}Answer ${typeText(answer)}`,
      );
      const mark = (given.required ?? []).length === 0 ? '?' : '';
      const result = isStream ? `AsyncIterable<${name}Answer>` : `Promise<${name}Answer>`;
      methods.push(
        `    /** ${capital(action.summary)}. Role ${action.role}. */\n    ${verb}(input${mark}: ${name}Input, options?: CallOptions): ${result};`,
      );
      addresses.push(`  '${group}.${verb}': '${isStream ? 'stream ' : ''}${action.at}',`);
    }
    groups.push(`  readonly ${group}: {\n${methods.join('\n')}\n  };`);
  }
  return `// Written by manifest.test.ts of packages/operate from the list of actions.
import type { CallOptions } from './call.ts';

${types.join('\n\n')}

/** One function per action. */
export interface Actions {
${groups.join('\n')}
}

export const ADDRESSES: Readonly<Record<string, string>> = {
${addresses.join('\n')}
};
`;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function typeText(schema: Schema, indent = ''): string {
  const { others, nullable } = alternatives(schema);
  const texts = [...new Set(others.map((each) => oneType(each, indent)))];
  return [...texts, ...(nullable ? ['null'] : [])].join(' | ');
}

function oneType(schema: Schema, indent: string): string {
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
      return `readonly (${typeText(schema.items ?? {}, indent)})[]`;
    case 'object':
      return schema.properties === undefined ? mapType(schema, indent) : objectType(schema, indent);
    default:
      return 'unknown';
  }
}

function mapType({ additionalProperties }: Schema, indent: string): string {
  const value = typeof additionalProperties === 'object' ? additionalProperties : {};
  return `Readonly<Record<string, ${typeText(value, indent)}>>`;
}

function objectType({ properties = {}, required = [] }: Schema, indent: string): string {
  const deeper = `${indent}  `;
  const fields = Object.entries(properties).map(([name, field]) => {
    const mark = required.includes(name) ? '' : '?';
    const comment = field.description ? `${deeper}/** ${field.description} */\n` : '';
    const optional = mark === '' ? '' : ' | undefined';
    return `${comment}${deeper}readonly ${name}${mark}: ${typeText(field, deeper)}${optional};`;
  });
  return `{\n${fields.join('\n')}\n${indent}}`;
}
