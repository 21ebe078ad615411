import { controlOverview } from '@redrive/durable';
import type { RunCommand } from '../command/command-spec.ts';
import { withStore } from '../store/with-store.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printJson, printLines, printText } from '../terminal/io.ts';
import { killDocument } from './kill-document.ts';
import { killLines } from './kill-lines.ts';

const NONE =
  'No kill switch is engaged. "redrive kill engage" stops everything, a queue, an operation or a tenant.';

/** `redrive kill status` */
export const runKillStatus: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const { killSwitches, nowMs } = await withStore(invocation, controlOverview);
  if (options.json) printJson(io, { engaged: killSwitches.map(killDocument) });
  else if (killSwitches.length === 0) printText(io, NONE);
  else printLines(io, killLines(io.screen, killSwitches, nowMs));
  return EXIT.ok;
};
