import { type Config, storeSettings } from '@redrive/config';
import { isRedriveError, systemClock } from '@redrive/core';
import { logNotice, type Notice } from '@redrive/durable';
import { type RunReport, runSweeps, sentCounter } from '@redrive/durable/documents';
import type { RunCollection, RunParts } from '@redrive/durable/store';
import { shortFactor } from '@redrive/operate/texts';
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
import { sendHere } from './send-here.ts';

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
              const { status } = await oneRun(invocation, config, parts, stopped);
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
  config: Config,
  parts: RunParts,
  signal: AbortSignal,
): Promise<RunReport> {
  const { io, options } = invocation;
  const dryRun = options.dryRun === true;
  const limit = integerOption(options, 'limit', { min: 1, max: 1_000_000_000 });
  const { store, clock, sweeps } = parts;
  const counter = sentCounter(parts);
  const sent = new Map<string, number>();
  let shown: Progress | undefined;
  const report = await runSweeps(parts, {
    ...{ limit, dryRun, signal },
    isPartial: listOption(options, 'collection').length > 0,
    async send(name, ids) {
      const sweep = sweeps.find((one) => one.name === name);
      if (sweep === undefined) return;
      const sending = { io, config, store, clock, signal, onSent: counter.add };
      sent.set(name, await sendHere(sending, sweep, ids));
      await counter.written();
    },
    onPage: (name, { claimed }) => {
      shown ??= progress(io, `documents of ${printable(name)} claimed`);
      shown.update(claimed);
    },
    onSwept: (name) => {
      shown?.end();
      shown = undefined;
      if (!options.json && parts.sweeps.length > 1)
        note(io, `${printable(name)}: ${(sent.get(name) ?? 0).toLocaleString('en')} sent`);
    },
  });
  const { status, durationSeconds, collections, numbers } = report;
  // A dry run counts what it would send.
  const sentOf = (name: string, { report: swept }: RunCollection) =>
    dryRun ? swept.claimed : (sent.get(name) ?? 0);
  if (options.json) {
    printJson(io, {
      status,
      duration_seconds: durationSeconds,
      dry_run: dryRun,
      collections: [...collections].map(([name, swept]) =>
        collectionJson(name, swept, sentOf(name, swept)),
      ),
      ...numbers,
    });
    return report;
  }
  const rows = [...collections].map(([name, swept]) => rowOf(name, swept, sentOf(name, swept)));
  const failures = [...collections].flatMap(([name, { error }]) =>
    error === undefined ? [] : [printable(`${name} failed: ${describeError(error).message}`)],
  );
  const took = formatDuration(Math.round(durationSeconds * 1_000));
  const what = dryRun ? 'A dry run: nothing was changed' : `Swept in ${took}`;
  const factors = [...collections].flatMap(([name, { factor = 1 }]) =>
    factor > 1 ? [printable(`${name}: the back-off is ${shortFactor(factor)} times as long.`)] : [],
  );
  printLines(io, [
    ...tableLines(io.screen, COLUMNS, rows),
    ...[...failures, ...factors, '', `${what}.`],
  ]);
  return report;
}

const COLUMNS = columns(
  'collection:cyan | sent:right | waiting:right | in back-off:right | newly failed:right | stuck:right | failed:right | stopped by:optional,shrinks',
);

function rowOf(
  name: string,
  { report, stuck, failed, waiting }: RunCollection,
  sent: number,
): string[] {
  const { skippedBackoff, maxRetriesExceeded } = report;
  const numbers = [sent, waiting, skippedBackoff, maxRetriesExceeded, stuck, failed];
  return [name, ...numbers.map((each) => each?.toLocaleString('en') ?? ''), report.stopped ?? ''];
}

function collectionJson(
  name: string,
  { report, stuck, failed, waiting, factor = 1, error }: RunCollection,
  sent: number,
) {
  return {
    name,
    requeued: sent,
    waiting: waiting ?? null,
    backoff_factor: factor,
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
