// Sweeps once for every message that it gets, and answers each with its numbers. May be told to die or to pause after a
// step.
import { systemClock } from '@redrive/core';
import { runSweeps } from '@redrive/durable/documents';
import { openTarget, type Target } from './open-target.ts';
import { clocksOf } from './shifted-clock.ts';
import { type SweepStop, stoppingParts, uncomparedDocuments } from './sweep-steps.ts';
import { type DocumentsUrl, openDocuments, sweepOf } from './swept-documents.ts';

export interface SweeperSettings {
  readonly target: Target;
  readonly documents: DocumentsUrl;
  readonly directory: string;
  readonly name: string;
  readonly clockFile: string;
  /** Absent: it goes on until the harness ends it. */
  readonly stop?: SweepStop | undefined;
  /** `false`: without the compare-and-set. The harness must find out. */
  readonly fencing: boolean;
}

/** `limit`: documents that it sends. Absent: all. */
export interface SweepOrder {
  readonly limit?: number | undefined;
}

export interface SweepAnswer {
  readonly status: 'success' | 'failure';
  readonly error?: string | undefined;
  readonly claimed: number;
  readonly changed: number;
  readonly finished: number;
}

// The harness writes them.
const settings = JSON.parse(process.argv[2] ?? '{}') as SweeperSettings;
const { name, stop, directory } = settings;
const clock = clocksOf(settings.clockFile).worker;
const opened = {
  store: await openTarget(settings.target),
  source: await openDocuments(settings.documents, clock),
};
const { store, source } =
  stop === undefined ? opened : stoppingParts(opened, stop, { directory, name });
const sweep = sweepOf(settings.fencing ? source : uncomparedDocuments(source));
const parts = {
  ...{ store, sweeps: [sweep], clock: systemClock, intervalMs: 900_000 },
  ...{ actor: { name }, notify: () => {} },
};

process.once('disconnect', () => process.exit());
process.once('SIGTERM', async () => {
  await opened.source.close();
  await opened.store.close();
  process.exit();
});
process.on('message', async ({ limit }: SweepOrder) => {
  const { status, collections } = await runSweeps(parts, { limit });
  const [{ report, error } = { report: undefined, error: undefined }] = collections.values();
  const { claimed = 0, changed = 0, finished = 0 } = report ?? {};
  const text = error === undefined ? undefined : String(error);
  process.send?.({ status, error: text, claimed, changed, finished } satisfies SweepAnswer);
});
process.send?.('ready');
