import { signal } from '@preact/signals';
import { asProblem, post, type RedriveClientError, whoAmI } from '../api.ts';
import { keepKey } from '../key.ts';
import { me } from '../me.ts';

/** The error of the last sign-in. `undefined`: there was none. */
export const loginProblem = signal<RedriveClientError | undefined>(undefined);

/** The token in the form. It is forgotten after the sign-in. */
export const token = signal('');

/**
 * Signs in with the code of the address, or with a token. The code leaves the address, and so the history, at once.
 */
export async function signIn(given?: string): Promise<void> {
  const [, code] = /^#code=([\w-]+)$/.exec(location.hash) ?? [];
  try {
    if (code !== undefined) {
      history.replaceState(null, '', location.pathname + location.search);
      await begin({ code });
    } else if (given !== undefined) await begin({ token: given });
    token.value = '';
    loginProblem.value = undefined;
    me.value = await whoAmI();
  } catch (error) {
    const problem = asProblem(error);
    // An old link in a browser that is signed in already.
    const known = code === undefined ? undefined : await whoAmI().catch(() => undefined);
    if (known !== undefined) {
      me.value = known;
      return;
    }
    loginProblem.value = problem.code === 'not_authenticated' ? undefined : problem;
    me.value = null;
  }
}

async function begin(by: { readonly code: string } | { readonly token: string }): Promise<void> {
  const { key } = await post<{ readonly key: string }>('/v1/sign-in', by);
  keepKey(key);
}

export async function signOut(): Promise<void> {
  await post('/v1/sign-out').catch(() => undefined);
  keepKey(undefined);
  me.value = null;
}
