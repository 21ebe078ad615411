import type { Clock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccessFile, SignInWish } from './access/access-file.ts';
import type { Who } from './access/who.ts';
import { cookiesOf, cookieText } from './browser.ts';
import type { SignInActs } from './route.ts';

/** The page of the console sends it with each request. Only its own origin holds the key, not even another port of the host. */
const KEY_HEADER = 'x-redrive-key';
const BY_LINK = 'local';

/** The person who signed in on the page that sent the request. `undefined`: there is no such sign-in, or it has ended. */
export function signedIn(
  access: AccessFile,
  { headers }: Pick<FastifyRequest, 'headers'>,
  nowMs: number,
): Who | undefined {
  for (const keys of keysOf(headers)) {
    const who = access.signedIn(keys, nowMs);
    if (who !== undefined) return who;
  }
  return undefined;
}

/** Every pair of the key with a cookie: another program of the host may have set one of the same name. */
function keysOf(headers: FastifyRequest['headers']) {
  const key = headers[KEY_HEADER];
  if (typeof key !== 'string') return [];
  return cookiesOf(headers).map((cookie) => ({ cookie, key }));
}

/** The parts of the server that signing in and out uses. */
interface SignInParts {
  readonly store: FullStore;
  readonly access: AccessFile;
  readonly clock: Clock;
  readonly secure: boolean;
  readonly onError: (message: string, error?: unknown) => void;
  /** Counts a wrong try. @throws Problem 429 after ten in a minute. */
  readonly noteWrong: (ip: string) => void;
  /** The owner of a token; a wrong one is counted. @throws Problem 429 */
  readonly ownerOf: (token: string, ip: string) => Who | undefined;
}

/** Signs people in and out, for a request. */
export function signInActs(
  { store, access, clock, secure, onError, noteWrong, ownerOf }: SignInParts,
  request: FastifyRequest,
  reply: FastifyReply,
  ask: { readonly by: string; readonly givenUp: AbortSignal },
): SignInActs {
  const { ip, headers } = request;
  const noteAct = (act: string, by: string) => {
    const detail = JSON.stringify({ by, from: ip, act });
    return store.apply([{ kind: 'note', event: 'act', subject: 'sign-in', detail }]);
  };
  const setCookie = (value: string) => {
    const isSecure = secure || request.protocol === 'https';
    reply.header('set-cookie', cookieText(headers.host ?? '', value, isSecure));
  };
  const begin = async (name: string, by: SignInWish['by']) => {
    // Before the sign-in: one without a record must not exist.
    await noteAct('sign_in', `api:${name}@${ip}`);
    ask.givenUp.throwIfAborted();
    const keys = access.signIn({ name, from: ip, by }, clock.now());
    if (keys !== undefined) setCookie(keys.cookie);
    return keys?.key;
  };
  return {
    async byCode(code) {
      if (!access.hasCode(code, clock.now())) {
        noteWrong(ip);
        return undefined;
      }
      const key = await begin(BY_LINK, { code });
      return key === undefined ? undefined : { role: 'admin', key };
    },
    async byToken(token) {
      const who = ownerOf(token, ip);
      const key = who && (await begin(who.name, { token }));
      return who === undefined || key === undefined ? undefined : { role: who.role, key };
    },
    async end() {
      setCookie('');
      for (const keys of keysOf(headers)) {
        if (access.signedIn(keys, clock.now()) === undefined) continue;
        // A person can sign out also while the store is away.
        access.signOut(keys);
        await noteAct('sign_out', ask.by).catch((error: unknown) =>
          onError('The end of a sign-in could not be recorded', error),
        );
      }
    },
  };
}
