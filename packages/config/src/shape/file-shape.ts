import * as z from 'zod';
import { SECTIONS } from '../sections/built-in.ts';
import { globalDefaultsShape, policyShape } from './policy-shape.ts';
import type { ObjectShape } from './shape.ts';
import { toZod } from './to-zod.ts';

/** The whole of `redrive.yaml`. */
export function fileShape(): ObjectShape {
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
          'A file of environment variables, relative to the directory of this file. A reload reads it again; the environment of a running process never changes.',
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
          'The policy of each operation, by subsystem path: nested groups with names of policies as values. `default` applies to every other path of its group.',
        since: '1.0.0',
      },
      ...Object.fromEntries(SECTIONS.map(({ name, shape }) => [name, shape])),
    },
  };
}

/** The shape of a file and its validator. */
export interface FileType {
  readonly shape: ObjectShape;
  readonly type: z.ZodType;
}

let made: FileType | undefined;

/** Kept, because making a validator takes several times as long as reading a file with it. */
export function fileType(): FileType {
  if (made === undefined) {
    const shape = fileShape();
    made = { shape, type: toZod(shape) };
  }
  return made;
}

/**
 * The JSON Schema of `redrive.yaml`, for editors; made from the validator itself. What needs more than one value at a time
 * (names that must be there, `max_delay` and `base_delay`, what `extends` brings) is checked by `parseConfig` only.
 */
export function configJsonSchema(): Readonly<Record<string, unknown>> {
  const schema = z.toJSONSchema(fileType().type, { target: 'draft-2020-12' });
  const { $schema, ...rest } = schema;
  return { $schema, title: 'redrive.yaml', ...rest };
}
