import * as z from 'zod';
import { serverVersion } from './access/server-version.ts';
import type { AnyRoute } from './route.ts';

const PROBLEM = { $ref: '#/components/schemas/Problem' };
/** The codes are in the reference of the HTTP API. */
const PROBLEM_SCHEMA = {
  type: 'object',
  description: 'A refusal, or a fault of the server (RFC 9457)',
  properties: {
    type: { type: 'string', description: 'always about:blank: the code says more' },
    title: { type: 'string', description: 'the status in words' },
    status: { type: 'integer', description: 'the HTTP status' },
    code: { type: 'string', description: 'a code of the reference; it does not change' },
    detail: { type: 'string', description: 'what happened, and to what' },
    hint: { type: 'string', description: 'what to do about it' },
    problems: {
      type: 'array',
      description: 'every problem of the input',
      items: {
        type: 'object',
        properties: {
          field: { type: 'string', description: 'its path in the input' },
          message: { type: 'string', description: 'what is wrong with it' },
          hint: { type: 'string', description: 'how to write it' },
        },
        required: ['message'],
      },
    },
    request_id: { type: 'string', description: "the request in the server's log" },
  },
  required: ['type', 'title', 'status', 'code', 'detail'],
};

/** The OpenAPI 3.1 description, made from the routes. */
export function openApi(routes: readonly AnyRoute[], version = serverVersion()): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Redrive', version },
    servers: [{ url: '/' }],
    security: [{ token: [] }, { cookie: [], key: [] }],
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'redrive_sign_in_<port>' },
        key: { type: 'apiKey', in: 'header', name: 'x-redrive-key' },
      },
      schemas: { Problem: PROBLEM_SCHEMA },
    },
    paths,
  };
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}

function operation(route: AnyRoute): object {
  const { name, method, path, summary, details, role, answer, stream, reads } = route;
  const { properties = {}, required = [] } = schemaOf(route.input) as ObjectSchema; // Inputs are objects.
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, field = '']) => field);
  const others = Object.keys(properties).filter((field) => !inPath.includes(field));
  const reason = { type: 'string', maxLength: 1_000, description: 'kept in the audit log' };
  const parameter = (field: string, place: 'path' | 'query') => {
    const { description, ...schema } = Object(properties[field] ?? { type: 'string' });
    return {
      ...{ name: field, in: place, schema },
      ...(typeof description === 'string' && { description }),
      required: place === 'path' || required.includes(field),
    };
  };
  const parameters = [
    ...inPath.map((field) => parameter(field, 'path')),
    ...(method === 'GET' ? others.map((field) => parameter(field, 'query')) : []),
    ...(method === 'GET' && reads
      ? [{ name: 'reason', in: 'query', schema: reason, description: reason.description }]
      : []),
  ];
  const content = stream ?? 'application/json';
  const body = {
    type: 'object',
    properties: {
      ...Object.fromEntries(others.map((field) => [field, properties[field]])),
      reason,
    },
    required: [
      ...required.filter((field) => others.includes(field)),
      ...(route.reason ? ['reason'] : []),
    ],
  };
  return {
    ...(name !== undefined && idOf(name)),
    summary,
    ...(details !== undefined && { description: details }),
    'x-role': role,
    ...(reads && { 'x-reads': reads }),
    ...(role === 'public' && { security: [] }),
    parameters,
    ...(method === 'POST' && {
      requestBody: { required: true, content: { 'application/json': { schema: body } } },
    }),
    responses: {
      200: { description: 'done', content: { [content]: { schema: schemaOf(answer) } } },
      default: {
        description: 'a problem document (RFC 9457)',
        content: { 'application/problem+json': { schema: PROBLEM } },
      },
    },
  };
}

/** `gates.release` is the operation `gatesRelease` of the group `gates`. */
function idOf(name: string): object {
  const [group = '', verb = ''] = name.split('.');
  return {
    operationId: `${group}${verb.charAt(0).toUpperCase()}${verb.slice(1)}`,
    tags: [group],
  };
}

function schemaOf(type: z.ZodType): object {
  const { $schema: _, ...schema } = z.toJSONSchema(type, {
    io: 'input',
    unrepresentable: 'any',
    // The format says it; the pattern is longer than all other words of a time.
    override: ({ jsonSchema }) => {
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  });
  return schema;
}
