import { controlOverview } from '@redrive/durable';
import type { RunCommand } from '../command/command-spec.ts';
import { withStore } from '../store/with-store.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printJson, printLines, printText } from '../terminal/io.ts';
import { parkJson, parkTable } from './park-view.ts';

const NONE =
  'Nothing is parked. Jobs are parked together when the breaker of their dependency is open, its gate is closed, or a kill switch was released at a pace.';

/** Rows that anybody reads; `--json` has all that there are. */
const MAX_ROWS = 50;

/** `redrive park list` */
export const runParkList: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const { parked, nowMs } = await withStore(invocation, controlOverview);
  if (options.json) printJson(io, { causes: parked.map(parkJson) });
  else if (parked.length === 0) printText(io, NONE);
  else {
    const rest = parked.length - MAX_ROWS;
    printLines(io, [
      ...parkTable(io.screen, parked.slice(0, MAX_ROWS), nowMs),
      ...(rest > 0 ? [`and ${rest} more; --json has all`] : []),
    ]);
  }
  return EXIT.ok;
};
