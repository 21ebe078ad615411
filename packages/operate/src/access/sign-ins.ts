import * as z from 'zod';
import { act, action } from '../action/action.ts';
import { Refusal } from '../action/refusal.ts';
import { nameText, time } from '../action/scalars.ts';
import { ROLES } from '../action/who.ts';
import { actNote, recordRevoked, type SignIn } from './access.ts';

const SIGN_IN = z.object({
  id: z.string().describe('for "redrive sign-ins revoke"'),
  name: z.string().describe('who signed in: the name of the token, or local, by a link'),
  role: z.enum(ROLES).describe('what they may do'),
  from: z.string().describe('the address of the browser'),
  token: z
    .string()
    .nullable()
    .describe('the id of the token: the sign-in ends with it; null: by a link'),
  began: time().describe('when they signed in'),
  expires: time().describe('when it ends by itself: 12 hours later'),
});

export const SIGN_INS = {
  list: action({
    at: 'GET /v1/sign-ins',
    summary: 'list who is signed in, the oldest first',
    role: 'admin',
    reads: 'sessions',
    uses: 'access',
    input: z.strictObject({}),
    answer: z.object({ sign_ins: z.array(SIGN_IN).describe('the oldest first') }),
    run: async ({ access, clock }) => ({
      sign_ins: (await access()).signIns(clock.now()).map(signInAnswer),
    }),
  }),

  revoke: act({
    at: 'POST /v1/sign-ins/revoke',
    summary: 'sign people out: from the next request on their browsers are refused',
    details:
      'Streams end within 15 s. A sign-in by a token also ends when the token is revoked. The audit log has a record of it. It works also while the store does not answer; then a warning says that the record is missing.',
    role: 'admin',
    uses: 'access',
    refusals: { no_match: 'there is no such sign-in' },
    input: z.strictObject({
      sign_in: nameText().describe('an id, or a name: all sign-ins of this name'),
    }),
    answer: z.object({
      sign_ins: z.array(SIGN_IN).describe('those that ended'),
      revoked: z.boolean().describe('false: a dry run'),
    }),
    run: async (context, { sign_in: wanted, dry_run }) => {
      const access = await context.access();
      const nowMs = context.clock.now();
      const ended = dry_run
        ? access.signIns(nowMs).filter(({ id, name }) => id === wanted || name === wanted)
        : access.revokeSignIns(wanted, nowMs);
      if (ended.length === 0) {
        const hint = 'To see all sign-ins: redrive sign-ins list';
        throw new Refusal('not_found', `There is no sign-in ${wanted}.`, hint);
      }
      const facts = { sign_ins: ended.map(({ id, name, role }) => ({ id, name, role })) };
      const note = actNote(context.actor, 'sign-in', 'revoke_sign_in', facts);
      if (!dry_run) await recordRevoked(access, context, note);
      return { sign_ins: ended.map(signInAnswer), revoked: !dry_run };
    },
  }),
};

function signInAnswer(signIn: SignIn): z.output<typeof SIGN_IN> {
  const { id, name, role, from, token, beganAtMs, expiresAtMs } = signIn;
  const began = new Date(beganAtMs).toISOString();
  const expires = new Date(expiresAtMs).toISOString();
  return { id, name, role, from, token: token ?? null, began, expires };
}
