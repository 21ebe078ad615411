import { allActions } from '@redrive/operate';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, onTestFinished, test } from 'vitest';
import { api } from './testing/api.ts';

interface Schema {
  readonly type?: unknown;
  readonly description?: string;
  readonly enum?: unknown;
  readonly const?: unknown;
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
}

interface Operation {
  readonly operationId?: string;
  readonly parameters: readonly (Schema & { readonly name: string; readonly schema: Schema })[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: { readonly 200: { readonly content: Content } };
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

/** The description as a viewer gets it. */
async function description() {
  const { call, token } = await api(onTestFinished);
  const answer = await call('GET', '/v1/openapi.json', { token: await token({ role: 'viewer' }) });
  return answer.json() as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
}

function isTyped({ type, enum: choices, const: only, anyOf, oneOf, $ref }: Schema): boolean {
  return [type, choices, only, anyOf, oneOf, $ref].some((each) => each !== undefined);
}

/** A field of any JSON, such as a payload, says so. */
function isClear(schema: Schema): boolean {
  return Boolean(schema.description) && (isTyped(schema) || /JSON/.test(schema.description ?? ''));
}

/** The fields without a type or a description, at every depth. */
function unclear(schema: Schema, under: string): string[] {
  const { properties = {}, items, anyOf = [], oneOf = [], additionalProperties } = schema;
  const inner = [items, additionalProperties, ...anyOf, ...oneOf].filter(
    (each) => typeof each === 'object',
  );
  return [
    ...inner.flatMap((each) => unclear(each, under)),
    ...Object.entries(properties).flatMap(([name, field]) => [
      ...(isClear(field) ? [] : [`${under} ${name}`]),
      ...unclear(field, `${under} ${name}`),
    ]),
  ];
}

const schemasIn = (content: Content = {}) => Object.values(content).map(({ schema }) => schema);

test('the description is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate({ ...(await description()) });
  expect(errors).toBeUndefined();
  expect({ valid, version: validator.version }).toEqual({ valid: true, version: '3.1' });
});

test('every action has an operation of its name, and every field has a type and a meaning', async () => {
  const { paths } = await description();
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => [`${method} ${path}`, each] as const),
  );
  const ids = operations.flatMap(([, { operationId }]) => operationId ?? []);
  const names = allActions().map(([name]) =>
    name.replace(/\.(.)/, (_, letter: string) => letter.toUpperCase()),
  );
  expect(ids.sort()).toEqual(names.sort());
  const found = operations
    .filter(([, { operationId }]) => operationId !== undefined)
    .flatMap(([at, { parameters, requestBody, responses }]) => [
      ...parameters
        .filter(({ description = '', schema }) => !isClear({ ...schema, description }))
        .map(({ name }) => `${at} ${name}`),
      ...schemasIn(requestBody?.content).flatMap((schema) => unclear(schema, at)),
      ...schemasIn(responses[200].content).flatMap((schema) => unclear(schema, at)),
    ]);
  expect(found).toEqual([]);
});
