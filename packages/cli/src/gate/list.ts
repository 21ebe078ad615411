import { controlOverview } from '@redrive/durable';
import type { RunCommand } from '../command/command-spec.ts';
import { withStore } from '../store/with-store.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printJson, printLines, printText } from '../terminal/io.ts';
import { gateJson, gateTable, gateViews } from './gate-view.ts';

const NONE =
  'No gate is closed. One closes when a job of a dependency is answered with a Retry-After, or returns retryAfter().';

/** `redrive gate list` */
export const runGateList: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const overview = await withStore(invocation, controlOverview);
  const views = gateViews(overview);
  if (options.json) printJson(io, { gates: views.map(gateJson) });
  else if (views.length === 0) printText(io, NONE);
  else printLines(io, gateTable(io.screen, views, overview.nowMs));
  return EXIT.ok;
};
