import type { RunCommand } from '../command/command-spec.ts';
import { dyingDependency } from './dying-dependency.ts';
import { givingUp, replay } from './giving-up.ts';
import { outage } from './outage.ts';
import { flakyCall, rateLimitedServer } from './retried-calls.ts';
import { print, type Stage, stageOn, waitMs } from './stage.ts';

/** `redrive demo`: shows what Redrive does about failing calls in process, in about ten seconds, explained as it goes. */
export const runTour: RunCommand = async ({ io }) => {
  const stage = stageOn(io.screen, io.stdout);
  print(
    stage,
    stage.paint('bold', 'Redrive: one retry system, from the first millisecond to the pager'),
    stage.paint('dim', 'Six short scenes. All of it runs now, on this machine.'),
  );
  await scene(stage, '1  A call that fails twice');
  await flakyCall(stage);
  await scene(stage, '2  A server that asks for patience');
  await rateLimitedServer(stage);
  await scene(stage, '3  A dependency dies and comes back');
  await dyingDependency(stage);
  await scene(stage, '4  An outage is not multiplied');
  await outage(stage);
  await scene(stage, '5  Giving up tells the whole story');
  const evidence = await givingUp(stage);
  await scene(stage, '6  Every decision can be derived again');
  replay(stage, evidence);
  await scene(stage, 'What to try next');
  print(stage, '   In the repository:', '');
  for (const [what, why] of NEXT_STEPS) {
    print(stage, `   ${stage.paint('cyan', what.padEnd(31))} ${why}`);
  }
};

async function scene(stage: Stage, title: string): Promise<void> {
  if (stage.pauseMs > 0) await waitMs(stage, stage.pauseMs);
  print(stage, '', stage.paint('bold', title), '');
}

const NEXT_STEPS: readonly [string, string][] = [
  ['examples/first-call.ts', 'a first call; more of them beside it'],
  ['docs/tutorial/first-retry.md', 'ten minutes to a pipeline'],
  ['docs/explanation/decision.md', 'what decide() is given; how to replay'],
  ['docs/how-to/test-retry-code.md', 'test code that waits, on virtual time'],
  ['npx node examples/loop.ts', 'run an example'],
  ['npm run bench -- in-process', 'Redrive beside its peers'],
];
