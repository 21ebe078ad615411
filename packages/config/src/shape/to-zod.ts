import type { FieldRule } from '@redrive/core/fields';
import * as z from 'zod';
import { MAX_SECONDS } from '../sections/section.ts';
import type { Shape, ValueShape } from './shape.ts';

/** Entries of a list in a file. */
const MAX_ENTRIES = 1_000;
/** Numbers of a list: the delays of a policy. */
const MAX_NUMBERS = 32;

/** The validator of a shape, which is also what the JSON Schema is made of. */
export function toZod(shape: Shape): z.ZodType {
  switch (shape.kind) {
    case 'value':
      return valueType(shape);
    case 'object': {
      const fields = Object.entries(shape.fields).map(([name, field]) => {
        const type = toZod(field);
        return [name, isRequired(field) ? type : type.optional()];
      });
      return z.strictObject(Object.fromEntries(fields)).meta({ description: shape.meaning });
    }
    case 'map':
      return z.record(z.string().min(1), toZod(shape.of)).meta({ description: shape.meaning });
    case 'json':
      return z.record(z.string().min(1), z.unknown()).meta({ description: shape.meaning });
    case 'tree':
      return treeType().meta({ description: shape.meaning });
  }
}

const isRequired = (shape: Shape) => shape.kind === 'value' && shape.required === 'always';

function treeType(): z.ZodType {
  const tree: z.ZodType = z.record(
    z.string().min(1),
    z.union([z.string().min(1), z.lazy(() => tree)]),
  );
  return tree;
}

function valueType(shape: ValueShape): z.ZodType {
  const { meaning: description, fallback, unit } = shape;
  return typeOf(shape.rule).meta({
    description: unit === undefined ? description : `${description} In ${unit}.`,
    ...(fallback === undefined ? {} : { default: fallback }),
  });
}

function typeOf(rule: FieldRule): z.ZodType {
  switch (rule.kind) {
    case 'choice':
      return z.enum([...rule.values]);
    case 'list':
      return rule.of.includes('number')
        ? z.array(z.number().min(0).max(MAX_SECONDS)).min(1).max(MAX_NUMBERS)
        : z.array(z.string().min(1)).max(MAX_ENTRIES);
    case 'integer':
      return z.int().min(rule.min).max(rule.max);
    case 'number': {
      const type = rule.min === Number.MIN_VALUE ? z.number().positive() : z.number().min(rule.min);
      return rule.max === Infinity ? type : type.max(rule.max);
    }
    case 'string':
      return rule.empty ? z.string() : z.string().min(1);
    case 'boolean':
      return z.boolean();
    default:
      return z.never();
  }
}
