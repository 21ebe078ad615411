import * as z from 'zod';
import { act, action } from '../action/action.ts';
import { invalidInput } from '../action/parse-input.ts';
import { Refusal } from '../action/refusal.ts';
import { moment, nameText, pace, text, time } from '../action/scalars.ts';
import { ROLES } from '../action/who.ts';
import { actNote, nameRefusal, recordRevoked, type Token } from './access.ts';

const TOKEN = z.object({
  id: z.string().describe('the middle part of the token'),
  name: z.string().describe('who has it, in the audit log as api:<name>@<address>'),
  role: z.enum(ROLES).describe('what it may do'),
  tenant: z
    .string()
    .nullable()
    .describe('it sees and changes jobs of this tenant only; null: of all'),
  expires: time().nullable().describe('when it ends; null: when it is revoked'),
  rate: z.number().describe('requests per second'),
});

export const TOKENS = {
  list: action({
    at: 'GET /v1/tokens',
    summary: 'list the tokens',
    role: 'admin',
    reads: 'sessions',
    uses: 'access',
    input: z.strictObject({}),
    answer: z.object({ tokens: z.array(TOKEN).describe('the oldest first') }),
    run: async ({ access }) => ({ tokens: (await access()).tokens().map(tokenAnswer) }),
  }),

  create: act({
    at: 'POST /v1/tokens',
    summary: 'create a token, and print it this once',
    details:
      'The audit log has a record of it before the token exists. The access file has a hash of the token, so the token cannot be read from it. A running server takes a new token at once, if it uses the same file: "redrive serve" prints its path, and so does --verbose. In the HTTP API a token is needed for it: a sign-in of a browser is refused.',
    role: 'admin',
    uses: 'access',
    refusals: { conflict: 'another token has the name' },
    input: z.strictObject({
      role: z.enum(ROLES).describe('what it may do; must be given'),
      name: nameText()
        .optional()
        .describe("who has it, for the audit log; default: the token's id"),
      tenant: text().optional().describe('it sees and changes jobs of this tenant only'),
      expires: moment
        .optional()
        .describe('when it ends: 2027-01-31T08:00:00Z or +30d; default: never'),
      rate: pace.optional().describe('requests per second, such as 50/s; default 50/s'),
    }),
    answer: z.object({
      token: z.string().nullable().describe('for "Authorization: Bearer <token>"; null: a dry run'),
      ...TOKEN.shape,
    }),
    run: async ({ access: open, actor, clock, who }, { dry_run, expires, ...given }) => {
      // A sign-in ends after 12 hours: a stolen one must not outlive that as a token.
      if (who.by !== undefined && who.by !== 'token') {
        const hint = 'Use the command line, with a token or on the machine of the server.';
        throw new Refusal('not_allowed', 'A browser cannot create tokens.', hint);
      }
      const nowMs = clock.now();
      const expiresAtMs =
        expires === undefined || 'atMs' in expires ? expires?.atMs : nowMs + expires.inMs;
      if (expiresAtMs !== undefined && expiresAtMs <= nowMs) {
        const hint = 'Write a time to come, such as +30d.';
        throw invalidInput([{ field: 'expires', message: 'is in the past', hint }]);
      }
      const wish = { ...given, expiresAtMs };
      if (dry_run) {
        const { name = '', rate = 50 } = given;
        return { token: null, ...tokenAnswer({ ...wish, id: '', name, rate }) };
      }
      const access = await open();
      let made: Token | undefined;
      const token = await access
        .createToken(wish, async (one) => {
          made = one;
          await access.record(tokenNote(actor, 'create_token', one));
        })
        .catch((error: unknown) => {
          throw nameRefusal(error);
        });
      if (made === undefined) throw new Error('A token was made without its record');
      return { token, ...tokenAnswer(made) };
    },
  }),

  revoke: act({
    at: 'POST /v1/tokens/revoke',
    summary: 'revoke a token: from the next request on it is refused',
    details:
      'The audit log has a record of it. A token is revoked also while the store does not answer; then a warning says that the record is missing.',
    role: 'admin',
    uses: 'access',
    refusals: { no_match: 'there is no such token' },
    input: z.strictObject({ token: nameText().describe('its id or its name') }),
    answer: TOKEN.extend({ revoked: z.boolean().describe('false: a dry run') }),
    run: async (context, { token: wanted, dry_run }) => {
      const access = await context.access();
      const isWanted = ({ id, name }: Token) => id === wanted || name === wanted;
      const found = dry_run ? access.tokens().find(isWanted) : access.revokeToken(wanted);
      if (found === undefined) {
        const hint = 'To see all tokens: redrive tokens list';
        throw new Refusal('not_found', `There is no token ${wanted}.`, hint);
      }
      const note = tokenNote(context.actor, 'revoke_token', found);
      if (!dry_run) await recordRevoked(access, context, note);
      return { ...tokenAnswer(found), revoked: !dry_run };
    },
  }),
};

function tokenAnswer({ id, name, role, tenant, expiresAtMs, rate }: Token): z.output<typeof TOKEN> {
  const expires = expiresAtMs === undefined ? null : new Date(expiresAtMs).toISOString();
  return { id, name, role, tenant: tenant ?? null, expires, rate };
}

function tokenNote(actor: Parameters<typeof actNote>[0], name: string, token: Token) {
  const { rate: _, ...facts } = tokenAnswer(token);
  return actNote(actor, `token:${token.name}`, name, facts);
}
