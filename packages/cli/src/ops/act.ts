import { systemClock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import {
  abortOperation,
  type OperationAct,
  type OperationStatus,
  pauseOperation,
  resumeOperation,
  setOperationRate,
} from '@redrive/durable/control';
import { operationJson } from '@redrive/durable/store';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { actorOf } from '../store/actor.ts';
import { withStore } from '../store/with-store.ts';
import { note, printJson, printLines } from '../terminal/io.ts';
import { parseRate } from '../terminal/parse-rate.ts';
import { nextStep, operationLines } from './operation-lines.ts';
import { findOperation } from './show.ts';

type Act = (store: FullStore, about: OperationAct) => Promise<OperationStatus>;

export const runOpsPause: RunCommand = (invocation) => act(invocation, pauseOperation);
export const runOpsResume: RunCommand = (invocation) => act(invocation, resumeOperation);
export const runOpsAbort: RunCommand = (invocation) => act(invocation, abortOperation);

export const runOpsSetRate: RunCommand = (invocation) => {
  const [, rate = ''] = invocation.args;
  const ratePerSecond = rate === 'none' ? undefined : parseRate(rate, 'The rate');
  return act(invocation, (store, about) => setOperationRate(store, { ...about, ratePerSecond }));
};

/** Acts on one operation, and shows how it is then, or would be. */
async function act(invocation: Invocation, carryOut: Act): Promise<void> {
  const { io, args, options } = invocation;
  const [id = ''] = args;
  const dry = options.dryRun === true;
  const { before, status } = await withStore(invocation, async (store) => ({
    before: await findOperation(store, id),
    status: await carryOut(store, { id, actor: actorOf(options), dryRun: dry }),
  }));
  if (options.json) return printJson(io, { ...operationJson(status), dry_run: dry });
  const { hasWorker } = before;
  const nowMs = (io.clock ?? systemClock).now();
  const lines = operationLines(io.screen, { ...status, hasWorker }, nowMs);
  if (dry) {
    const stays = before.state === status.state && before.ratePerSecond === status.ratePerSecond;
    printLines(io, [`Nothing was changed. It would ${stays ? 'stay as it is' : 'be'}:`, ...lines]);
    return;
  }
  printLines(io, lines);
  note(io, nextStep(status));
}
