import { pauses, pauseWork, resumeWork } from '@redrive/durable/control';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { actorOf } from '../store/actor.ts';
import { tellStranger } from '../store/job-counts.ts';
import { withStore } from '../store/with-store.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';

export const runPause: RunCommand = (invocation) => change(invocation, true);

export const runResume: RunCommand = (invocation) => change(invocation, false);

async function change(invocation: Invocation, paused: boolean): Promise<void> {
  const { io, args, options } = invocation;
  const dry = options.dryRun === true;
  const name = args[0] ?? '';
  const scope = options.handler ? 'handler' : 'queue';
  const { was, changed } = await withStore(invocation, async (store) => {
    const all = await pauses(store);
    const before = all.some((pause) => pause.scope === scope && pause.name === name);
    if (dry) return { was: before, changed: false };
    const act = paused ? pauseWork : resumeWork;
    const result = await act(store, { scope, name, actor: actorOf(options) });
    if (result.changed && paused) await tellStranger(io, store, scope, name);
    return { was: before, changed: result.changed };
  });
  if (options.json) {
    printJson(io, { scope, name, paused: dry ? was : paused, changed, dry_run: dry });
  } else {
    const done = paused ? 'paused' : 'resumed';
    const would = was === paused ? 'would stay as it is' : `would be ${done}`;
    const same = paused ? 'was already paused' : 'was not paused';
    const is = changed ? `is ${done}` : same;
    printLines(io, [printable(`The ${scope} ${name} ${dry ? would : is}.`)]);
  }
}
