import * as z from 'zod';
import type { AnyRoute } from './route.ts';

/** The OpenAPI 3.1 description, made from the routes. */
export function openApi(routes: readonly AnyRoute[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Redrive', version: '1' },
    security: [{ token: [] }, { cookie: [], key: [] }],
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'redrive_sign_in_<port>' },
        key: { type: 'apiKey', in: 'header', name: 'x-redrive-key' },
      },
    },
    paths,
  };
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}

function operation(route: AnyRoute): object {
  const { method, path, summary, details, role, answer, stream, reads } = route;
  const { properties = {}, required = [] } = schemaOf(route.input) as ObjectSchema; // Inputs are objects.
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const others = Object.keys(properties).filter((name) => !inPath.includes(name));
  const parameters = [
    ...inPath.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...(method === 'GET'
      ? others.map((name) => ({
          name,
          in: 'query',
          required: required.includes(name),
          schema: properties[name],
        }))
      : []),
  ];
  const content = stream ?? 'application/json';
  const reason = { reason: { type: 'string', description: 'kept in the audit log' } };
  const body = {
    type: 'object',
    properties: {
      ...Object.fromEntries(others.map((name) => [name, properties[name]])),
      ...reason,
    },
    required: [
      ...required.filter((name) => others.includes(name)),
      ...(route.reason ? ['reason'] : []),
    ],
  };
  return {
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
        content: { 'application/problem+json': { schema: { type: 'object' } } },
      },
    },
  };
}

function schemaOf(type: z.ZodType): object {
  return z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' });
}
