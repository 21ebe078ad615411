import type { RunCommand } from '../command/command-spec.ts';
import { withStore } from '../store/with-store.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { readOverview } from '../workers/read-overview.ts';
import { breakerLines } from './breaker-lines.ts';
import { breakerJson, breakerView, findBreaker } from './breaker-view.ts';

/** `redrive breakers show` */
export const runBreakerShow: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const overview = await withStore(invocation, readOverview);
  const { nowMs } = overview;
  const view = breakerView(findBreaker(overview, args[0] ?? ''), overview);
  if (options.json) printJson(io, breakerJson(view, nowMs));
  else printLines(io, breakerLines(io.screen, view, nowMs));
};
