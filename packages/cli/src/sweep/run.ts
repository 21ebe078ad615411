import { storeSettings } from '@redrive/config';
import { isRedriveError, systemClock } from '@redrive/core';
import { logNotice, type Notice } from '@redrive/durable';
import { type RunReport, runSweeps } from '@redrive/durable/documents';
import type { RunCollection, RunParts } from '@redrive/durable/store';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { integerOption, listOption } from '../command/option-values.ts';
import { logFormat, workerLog } from '../log/worker-log.ts';
import { actorOf, withStore } from '../store/with-store.ts';
import { EXIT, type ExitCode } from '../terminal/exit-codes.ts';
import { note, printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { type Progress, progress } from '../terminal/progress.ts';
import { describeError } from '../terminal/report-error.ts';
import { columns, tableLines } from '../terminal/table.ts';
import { formatDuration } from '../terminal/times.ts';
import { pause, untilStopped } from '../terminal/until-stopped.ts';
import { withSweeps } from './configured-sweeps.ts';
import { pushMetrics } from './document-handlers.ts';

export const runSweepRun: RunCommand = (invocation) => {
  const { io, options } = invocation;
  const only = listOption(options, 'collection');
  const isOnce = options.once === true || options.dryRun === true;
  return withSweeps(invocation, only, ({ sweeps, intervalMs, config }) =>
    withStore(
      invocation,
      async (store) => {
        // A dry run makes no tables either: it says that there is no store.
        if (options.dryRun !== true && storeSettings(config).migrate) await store.migrate();
        const clock = io.clock ?? systemClock;
        // Results go to stdout, so the log goes beside them.
        const messages = { ...io, stdout: io.stderr, screen: io.errorScreen };
        const format = logFormat(options);
        const plain = io.errorScreen.isTerminal && format === undefined;
        const log = workerLog(messages, { plain, format });
        const notify = (notice: Notice) => logNotice(log, notice);
        const parts = { store, clock, sweeps, intervalMs, notify, actor: actorOf(options) };
        return untilStopped(io, async (stopped) => {
          let code: ExitCode = EXIT.ok;
          do {
            const startedMs = clock.monotonic();
            try {
              const { status } = await oneRun(invocation, parts, stopped);
              if (options.dryRun !== true) await pushMetrics(io, { store, clock, log });
              code = status === 'success' ? EXIT.ok : EXIT.failed;
            } catch (error) {
              // The next run may find the store again.
              if (isOnce || !isRedriveError(error, 'store_unavailable')) throw error;
              code = EXIT.failed;
              const text = `The run failed: ${describeError(error).message}. The next one follows`;
              log.error({ event: 'sweep.failed' }, text);
            }
            if (isOnce) return code;
            const leftMs = intervalMs - (clock.monotonic() - startedMs);
            await pause(clock, leftMs, stopped);
          } while (!stopped.aborted);
          return code;
        });
      },
      { create: true, config },
    ),
  );
};

async function oneRun(
  invocation: Invocation,
  parts: RunParts,
  signal: AbortSignal,
): Promise<RunReport> {
  const { io, options } = invocation;
  const dryRun = options.dryRun === true;
  const limit = integerOption(options, 'limit', { min: 1, max: 1_000_000_000 });
  let shown: Progress | undefined;
  const report = await runSweeps(parts, {
    ...{ limit, dryRun, signal },
    isPartial: listOption(options, 'collection').length > 0,
    onPage: (name, { requeued }) => {
      shown ??= progress(io, `documents of ${printable(name)} sent`);
      shown.update(requeued);
    },
    onSwept: (name, { report: swept }) => {
      shown?.end();
      shown = undefined;
      if (!options.json && parts.sweeps.length > 1)
        note(io, `${printable(name)}: ${swept.requeued.toLocaleString('en')} sent`);
    },
  });
  const { status, durationSeconds, collections, numbers } = report;
  if (options.json) {
    printJson(io, {
      status,
      duration_seconds: durationSeconds,
      dry_run: dryRun,
      collections: [...collections].map(([name, swept]) => collectionJson(name, swept)),
      ...numbers,
    });
    return report;
  }
  const rows = [...collections].map(([name, swept]) => rowOf(name, swept));
  const failures = [...collections].flatMap(([name, { error }]) =>
    error === undefined ? [] : [printable(`${name} failed: ${describeError(error).message}`)],
  );
  const took = formatDuration(Math.round(durationSeconds * 1_000));
  const what = dryRun ? 'A dry run: nothing was changed' : `Swept in ${took}`;
  printLines(io, [...tableLines(io.screen, COLUMNS, rows), ...failures, '', `${what}.`]);
  return report;
}

const COLUMNS = columns(
  'collection:cyan | sent:right | waiting:right | newly failed:right | stuck:right | failed:right | stopped by:optional,shrinks',
);

function rowOf(name: string, { report, stuck, failed }: RunCollection): string[] {
  const numbers = [
    report.requeued,
    report.skippedBackoff,
    report.maxRetriesExceeded,
    stuck,
    failed,
  ];
  return [name, ...numbers.map((each) => each?.toLocaleString('en') ?? ''), report.stopped ?? ''];
}

function collectionJson(name: string, { report, stuck, failed, error }: RunCollection) {
  return {
    name,
    requeued: report.requeued,
    skipped_backoff: report.skippedBackoff,
    skipped_young: report.skippedYoung,
    max_retries_exceeded: report.maxRetriesExceeded,
    invalid: report.invalid,
    changed: report.changed,
    stuck: stuck ?? null,
    failed: failed ?? null,
    stopped: report.stopped ?? null,
    error: error === undefined ? null : describeError(error).message,
  };
}
