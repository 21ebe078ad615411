import { signal } from '@preact/signals';
import { commandText } from '@redrive/core/fields';
import { type ApiProblem, asProblem, get, post } from '../api.ts';
import { Button, CommandLine } from '../components/index.ts';
import { keepKey } from '../key.ts';
import { me } from '../me.ts';
import { Brand } from './nav.tsx';

/** The error of the last sign-in. `undefined`: there was none. */
const loginProblem = signal<ApiProblem | undefined>(undefined);

/** The token in the form. It is forgotten after the sign-in. */
const token = signal('');

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
    me.value = await get('/v1/me');
  } catch (error) {
    const problem = asProblem(error);
    // An old link in a browser that is signed in already.
    const known = code === undefined ? undefined : await get('/v1/me').catch(() => undefined);
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
        You stay signed in for 12 hours. A link works once, within ten minutes, on the machine of
        the server.
      </p>
      <p>If no token exists, get a link:</p>
      <CommandLine text={commandText`redrive console link --url ${location.origin}`} />
      <p class="l2">Behind a proxy: sign in there, then reload this page.</p>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void signIn(token.value.trim());
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
            : 'redrive tokens create --role viewer prints one. You have the rights of the token.'}
        </p>
        <Button type="submit">Sign in</Button>
      </form>
    </main>
  );
}
