import { print, type Stage } from './stage.ts';

const steps: readonly [string, string][] = [
  ['examples/first-call.ts', 'a first call; more of them beside it'],
  ['docs/tutorial/first-retry.md', 'ten minutes to a pipeline'],
  ['docs/explanation/decision.md', 'what decide() is given; how to replay'],
  ['docs/how-to/test-retry-code.md', 'test code that waits, on virtual time'],
  ['npx node examples/loop.ts', 'run an example'],
  ['npm run bench -- in-process', 'Redrive beside its peers'],
];

/** Where to go from here. */
export function nextSteps(stage: Stage): void {
  print(stage, '   In the repository:', '');
  for (const [what, why] of steps) {
    print(stage, `   ${stage.paint('cyan', what.padEnd(31))} ${why}`);
  }
}
