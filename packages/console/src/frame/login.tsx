import { commandText } from '@redrive/core/fields';
import { Button, CommandLine } from '../components/index.ts';
import { Brand } from './nav.tsx';
import { loginProblem, signIn, token } from './sign-in.ts';

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
      {problem && !isWrong && !isWrongToken && <p class="lede">{problem.message}</p>}
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
            ? problem.message
            : 'redrive tokens create --role viewer prints one. You have the rights of the token.'}
        </p>
        <Button type="submit">Sign in</Button>
      </form>
    </main>
  );
}
