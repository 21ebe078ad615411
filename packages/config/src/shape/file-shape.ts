import type { Section } from '../sections/section.ts';
import { globalDefaultsShape, policyShape } from './policy-shape.ts';
import type { ObjectShape } from './shape.ts';

/** The whole of `redrive.yaml`. */
export function fileShape(sections: readonly Section[]): ObjectShape {
  return {
    kind: 'object',
    meaning: 'Retry policies and everything around them.',
    fields: {
      version: {
        kind: 'value',
        rule: { kind: 'string' },
        meaning: 'The version of this format.',
        required: 'always',
        since: '1.0.0',
        fallback: '1.1.0',
      },
      env_file: {
        kind: 'value',
        rule: { kind: 'string' },
        meaning:
          'A file of environment variables, from the directory of this file; it is read again on reload, which a process cannot do with its own.',
        fallbackText: 'none',
      },
      global_defaults: globalDefaultsShape(),
      policies: {
        kind: 'map',
        key: 'policy',
        meaning: 'Policies by id.',
        of: policyShape(),
        since: '1.0.0',
      },
      subsystem_mappings: {
        kind: 'tree',
        meaning:
          'Which policy an operation uses, by subsystem path: groups within groups, at whose ends stand names of policies. `default` applies to the rest of its group.',
        since: '1.0.0',
      },
      ...Object.fromEntries(sections.map(({ name, shape }) => [name, shape])),
    },
  };
}
