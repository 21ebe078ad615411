import { CommandLine } from '../components/index.ts';
import { loginProblem } from './begin-session.ts';
import { Brand } from './nav.tsx';

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
