import { nearest } from '@redrive/core/fields';
import { controlOverview, releaseGate } from '@redrive/durable/control';
import { type GateView, gateJson, gateViews, readOverview } from '@redrive/durable/store';
import type { Options, RunCommand } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { actorOf, withStore } from '../store/with-store.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { printJson, printText } from '../terminal/io.ts';
import { ageCell, type Cell, columns, countCell, printList } from '../terminal/table.ts';
import { onceThereIsAWorker } from '../workers/worker-view.ts';

export const runGateRelease: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const dry = options.dryRun === true;
  const { released, hasWorker } = await withStore(invocation, async (store) => {
    const overview = await readOverview(store);
    const meant = gatesMeant(gateViews(overview), args[0] ?? '', options);
    for (const { dependency, credential, tenant } of dry ? [] : meant) {
      // It may have opened by itself in the meantime, and is open all the same.
      await releaseGate(store, { dependency, credential, tenant, actor: actorOf(options) });
    }
    return { released: meant, hasWorker: overview.hasWorker };
  });
  if (options.json) {
    printJson(io, { released: released.map(gateJson), dry_run: dry });
  } else {
    for (const gate of released) printText(io, releaseText(gate, dry, hasWorker));
  }
};

/** @throws CliError with the exit code 3, and with what is closed. */
function gatesMeant(all: readonly GateView[], dependency: string, options: Options): GateView[] {
  const credential = textOption(options, 'credential');
  const tenant = textOption(options, 'tenant');
  const meant = all.filter(
    (gate) =>
      gate.dependency === dependency &&
      (credential === undefined || gate.credential === credential) &&
      (tenant === undefined || gate.tenant === tenant),
  );
  if (meant.length > 0) return meant;
  const names = [...new Set(all.map((gate) => gate.dependency))];
  const close = nearest(dependency, names);
  const hint =
    names.length === 0
      ? 'No gate is closed.'
      : names.includes(dependency)
        ? 'It has closed gates for other credentials or tenants: see "redrive gates list".'
        : close === undefined
          ? `Closed gates: ${names.slice(0, 20).join(', ')}.`
          : `Did you mean ${close}?`;
  throw new CliError('no_match', `No such gate of ${dependency} is closed.`, hint);
}

function releaseText(gate: GateView, dry: boolean, hasWorker: boolean): string {
  const { dependency, credential, tenant, parked } = gate;
  const whose = [
    credential === '' ? '' : ` for the credential ${credential}`,
    tenant === '' ? '' : ` for the tenant ${tenant}`,
  ].join('');
  const jobs = parked === 1 ? '1 job is released' : `${parked} jobs are released`;
  const rest =
    parked === 0
      ? 'no job waits for it'
      : `${jobs} at a growing pace${onceThereIsAWorker(hasWorker)}`;
  return `The gate of ${dependency}${whose} ${dry ? 'would be' : 'is'} open: ${rest}.`;
}

const GATE_COLUMNS = columns(
  'dependency:cyan | credential:optional | tenant:optional | opens:yellow | closed | parked:right | :optional,shrinks',
);

function gateRow(view: GateView, nowMs: number): Cell[] {
  return [
    view.dependency,
    view.credential,
    view.tenant,
    ageCell(view.untilMs, nowMs),
    ageCell(view.sinceMs, nowMs),
    countCell(view.parked, view.bounded),
    view.cut ? 'asked for more than an hour' : '',
  ];
}

const NONE =
  'No gate is closed. A gate closes when a job gets a Retry-After from its dependency, or returns retryAfter().';

export const runGateList: RunCommand = async (invocation) => {
  const overview = await withStore(invocation, controlOverview);
  return printList(invocation, {
    name: 'gates',
    items: gateViews(overview),
    document: gateJson,
    columns: GATE_COLUMNS,
    row: (view) => gateRow(view, overview.nowMs),
    none: NONE,
  });
};
