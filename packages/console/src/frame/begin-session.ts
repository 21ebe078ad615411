import { signal } from '@preact/signals';
import { type ApiProblem, asProblem, get, post } from '../api.ts';
import { me } from '../session.ts';

/** Why there is no session; `undefined`: there was none. */
export const loginProblem = signal<ApiProblem | undefined>(undefined);

/** Exchanges the code of the address for a session. The code leaves the address, and so the history, at once. */
export async function beginSession(): Promise<void> {
  const [, code] = /^#code=([\w-]+)$/.exec(location.hash) ?? [];
  try {
    if (code !== undefined) {
      history.replaceState(null, '', location.pathname + location.search);
      await post('/v1/session', { code });
    }
    loginProblem.value = undefined;
    me.value = await get('/v1/session');
  } catch (error) {
    const problem = asProblem(error);
    // An old link in a browser that has a session already.
    const known = code === undefined ? undefined : await get('/v1/session').catch(() => undefined);
    if (known !== undefined) {
      me.value = known;
      return;
    }
    loginProblem.value = problem.code === 'not_authenticated' ? undefined : problem;
    me.value = null;
  }
}
