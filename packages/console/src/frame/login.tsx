import { signal } from '@preact/signals';
import { type ApiProblem, asProblem, get, post } from '../api.ts';
import { Button, CommandLine } from '../components/index.ts';
import { me } from '../session.ts';
import { Brand } from './nav.tsx';

/** Why there is no session; `undefined`: there was none. */
const loginProblem = signal<ApiProblem | undefined>(undefined);

/** The token in the form. It is forgotten when the session has begun. */
const token = signal('');

/**
 * Exchanges the code of the address, or a token, for a session. The code leaves the address, and so the history, at once.
 */
export async function beginSession(given?: string): Promise<void> {
  const [, code] = /^#code=([\w-]+)$/.exec(location.hash) ?? [];
  try {
    if (code !== undefined) {
      history.replaceState(null, '', location.pathname + location.search);
      await post('/v1/session', { code });
    } else if (given !== undefined) await post('/v1/session', { token: given });
    token.value = '';
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
  const isWrongToken = problem?.code === 'wrong_token';
  return (
    <main class="login" id="main">
      <Brand />
      <h1>
        {isWrong
          ? 'This link was used, or is too old'
          : problem && !isWrongToken
            ? 'The console cannot be opened'
            : 'Open the console with its link'}
      </h1>
      {problem && !isWrong && !isWrongToken && <p class="lede">{problem.detail}</p>}
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
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void beginSession(token.value.trim());
        }}
      >
        <label for="token">Or sign in with a token</label>
        <input
          id="token"
          class="in mono"
          type="password"
          autocomplete="off"
          required
          aria-describedby="token-note"
          value={token.value}
          onInput={(event) => {
            token.value = event.currentTarget.value;
          }}
        />
        <p id="token-note" class={isWrongToken ? 'l2 red' : 'l2'}>
          {isWrongToken
            ? problem.detail
            : 'redrive tokens create --role viewer prints one. The session has the rights of the token.'}
        </p>
        <Button type="submit">Sign in</Button>
      </form>
    </main>
  );
}
