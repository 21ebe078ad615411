import { dyingDependency } from './dying-dependency.ts';
import { flakyCall } from './flaky-call.ts';
import { givingUp } from './giving-up.ts';
import { nextSteps } from './next-steps.ts';
import { outage } from './outage.ts';
import { rateLimitedServer } from './rate-limited-server.ts';
import { replay } from './replay.ts';
import { print, type Stage, waitMs } from './stage.ts';

/** Shows what Redrive does about failing calls, in about ten seconds, explained as it goes. */
export async function runTour(stage: Stage): Promise<void> {
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
  nextSteps(stage);
}

async function scene(stage: Stage, title: string): Promise<void> {
  if (stage.pauseMs > 0) await waitMs(stage, stage.pauseMs);
  print(stage, '', stage.paint('bold', title), '');
}
