import { allActions } from '@redrive/operate';
import { ROLES } from '@redrive/operate/manifest';
import * as z from 'zod';
import { actionRoute } from '../action-route.ts';
import { openApi } from '../openapi.ts';
import { Problem } from '../problem.ts';
import { type AnyRoute, route } from '../route.ts';
import { LOOK_ROUTES } from './look.ts';

const NOTHING = z.strictObject({});

const OWN_ROUTES: readonly AnyRoute[] = [
  route({
    at: 'GET /v1/health',
    summary: 'whether the server runs',
    role: 'public',
    input: NOTHING,
    answer: z.object({ ok: z.boolean().describe('always true') }),
    handle: async () => ({ ok: true }),
  }),
  route({
    at: 'GET /v1/openapi.json',
    summary: 'this description, OpenAPI 3.1',
    role: 'viewer',
    tenants: true,
    input: NOTHING,
    answer: z.looseObject({ openapi: z.string().describe('the version of OpenAPI') }),
    handle: async () => openApi(ROUTES),
  }),
  route({
    at: 'GET /v1/me',
    summary: 'who you are: name, role and tenant',
    role: 'viewer',
    tenants: true,
    input: NOTHING,
    answer: z.object({
      name: z.string().describe('of the token, the sign-in or the user of the proxy'),
      role: z.enum(ROLES).describe('what it may do'),
      tenant: z.string().nullable().describe('the only tenant that it sees; null: all'),
    }),
    handle: async ({ who: { name, role, tenant } }) => ({ name, role, tenant: tenant ?? null }),
  }),
  route({
    at: 'POST /v1/sign-in',
    summary: 'sign a browser in: with the code of a link, or with a token and its rights',
    details:
      'The answer sets a cookie, and has the key that each request sends as `x-redrive-key`: one is worth nothing without the other.',
    role: 'public',
    input: z
      .strictObject({
        code: z.string().max(100).describe('of a link, good once').optional(),
        token: z.string().max(100).describe('a token').optional(),
      })
      .refine(({ code, token }) => (code === undefined) !== (token === undefined), {
        error: 'either code or token',
      }),
    answer: z.object({
      role: z.enum(ROLES).describe('what it may do'),
      key: z.string().describe('for the header x-redrive-key of each request'),
    }),
    handle: async ({ signIn, input: { code = '', token } }) => {
      const signedIn = await (token === undefined ? signIn.byCode(code) : signIn.byToken(token));
      if (signedIn !== undefined) return signedIn;
      throw token === undefined
        ? new Problem(401, 'wrong_code', 'The code is wrong, was used, or is too old.')
        : new Problem(401, 'wrong_token', 'The token is wrong, was revoked, or has expired.');
    },
  }),
  route({
    at: 'POST /v1/sign-out',
    summary: 'end the sign-in of this browser',
    role: 'viewer',
    tenants: true,
    input: NOTHING,
    answer: z.object({ ended: z.boolean().describe('always true') }),
    handle: async ({ signIn }) => {
      await signIn.end();
      return { ended: true };
    },
  }),
  route({
    at: 'POST /v1/downloads',
    summary:
      'make a single-use address for a GET, good for 60 seconds: a browser that saves a file',
    role: 'viewer',
    tenants: true,
    input: z.strictObject({
      path: z
        .string()
        .max(8_192)
        .regex(/^\/v1\/(?!downloads\/)[\x21-\x7e]*$/, 'must be a path below /v1/')
        .describe('a path below /v1/, with its query'),
    }),
    answer: z.object({ address: z.string().describe('good once, for 60 seconds') }),
    handle: async ({ download, input }) => ({ address: download(input.path) }),
  }),
];

/** Every route of the API. */
export const ROUTES: readonly AnyRoute[] = [
  ...OWN_ROUTES,
  ...allActions().map(([name, each]) => actionRoute(name, each)),
  ...LOOK_ROUTES,
];
