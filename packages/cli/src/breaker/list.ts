import { controlOverview } from '@redrive/durable';
import type { RunCommand } from '../command/command-spec.ts';
import { withStore } from '../store/with-store.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printJson, printLines, printText } from '../terminal/io.ts';
import { breakerTable } from './breaker-lines.ts';
import { breakerJson, breakerViews } from './breaker-view.ts';

const NONE =
  'No breaker has counted a failure. One appears when a job fails whose handler or policy names a dependency and has a circuit breaker, or when somebody forces one.';

/** `redrive breaker list` */
export const runBreakerList: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const overview = await withStore(invocation, controlOverview);
  const { nowMs } = overview;
  const views = breakerViews(overview);
  if (options.json) printJson(io, { breakers: views.map((view) => breakerJson(view, nowMs)) });
  else if (views.length === 0) printText(io, NONE);
  else printLines(io, breakerTable(io.screen, views, nowMs));
  return EXIT.ok;
};
