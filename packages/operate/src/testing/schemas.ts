import * as z from 'zod';
import type { AnyAction, AnyStream } from '../action/action.ts';

/** The part of JSON Schema that inputs and answers have. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly const?: string | number | boolean | null;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly 'x-notation'?: string;
  readonly $ref?: string;
}

/** The schemas of an action as a caller sees them. */
export function schemasOf({ input, answer }: AnyAction | AnyStream): {
  readonly input: Schema;
  readonly answer: Schema;
} {
  // Types of zod's own would not name what is used here.
  return { input: schemaOf(input), answer: schemaOf(answer) };
}

function schemaOf(type: z.ZodType): Schema {
  return z.toJSONSchema(type, {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
  }) as Schema; // A subset of what it makes.
}

/** The alternatives of a schema, `null` apart, and whether it may be `null`. */
export function alternatives(schema: Schema): {
  readonly others: readonly Schema[];
  readonly nullable: boolean;
} {
  const types = Array.isArray(schema.type) ? schema.type : undefined;
  const all = schema.anyOf ??
    schema.oneOf ??
    types?.map((type: string) => ({ ...schema, type })) ?? [schema];
  const others = all.filter(({ type }) => type !== 'null');
  return { others, nullable: others.length < all.length };
}
