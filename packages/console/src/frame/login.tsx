import { signal } from '@preact/signals';
import { type ApiProblem, asProblem, get, post } from '../api.ts';
import { CommandLine } from '../components/index.ts';
import { me } from '../session.ts';
import { Brand } from './nav.tsx';

/** Why there is no session; `undefined`: there was none. */
const loginProblem = signal<ApiProblem | undefined>(undefined);

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

/** Nobody is known: says how to get in. */
export function Login() {
  const problem = loginProblem.value;
  const isWrong = problem?.code === 'wrong_code';
  return (
    <main class="login" id="main">
      <Brand />
      <h1>
        {isWrong
          ? 'This link was used, or is too old'
          : problem
            ? 'The console cannot be opened'
            : 'Open the console with its link'}
      </h1>
      {problem && !isWrong && <p class="lede">{problem.detail}</p>}
      <p class="lede">
        A session lasts 12 hours. The link that the start prints begins a new one: it works once,
        within ten minutes.
      </p>
      <p>Start the server again to get another link:</p>
      <CommandLine text="redrive serve" />
      <p class="l2">
        Beside a worker: redrive start --console. Behind a proxy: sign in there, then reload this
        page.
      </p>
    </main>
  );
}
