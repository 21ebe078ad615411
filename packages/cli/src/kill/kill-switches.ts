import { commandText } from '@redrive/core/fields';
import type { FullStore, Store } from '@redrive/durable';
import {
  controlOverview,
  type EngagedKill,
  type KillTarget,
  killSwitches,
  releaseKill,
} from '@redrive/durable/control';
import {
  type KillScope,
  killDocument,
  readOverview,
  targetText,
  wordOf,
} from '@redrive/durable/store';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { paceOption } from '../command/option-values.ts';
import { actorOf, withStore } from '../store/with-store.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { type Io, printJson, printText } from '../terminal/io.ts';
import { rateText } from '../terminal/parse-rate.ts';
import { printable } from '../terminal/printable.ts';
import { ageCell, columns, printList } from '../terminal/table.ts';
import { onceThereIsAWorker } from '../workers/worker-view.ts';

export const runKillRelease: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const target = killTarget(invocation);
  const pace = paceOption(options);
  const dry = options.dryRun === true;
  return withStore(invocation, async (store) => {
    const released = dry
      ? await engagedAs(store, target)
      : (await releaseKill(store, { ...target, pace, actor: actorOf(options) })).released;
    if (released === undefined) throw notEngaged(target, await killSwitches(store));
    if (options.json)
      return printJson(io, {
        scope: target.scope,
        name: target.name ?? null,
        changed: !dry,
        released: killDocument(released),
        pace: pace?.perSecond ?? null,
        dry_run: dry,
      });
    const { hasWorker } = await readOverview(store);
    printText(io, releaseText(target, pace?.perSecond, dry, hasWorker));
    if (!dry) tellRest(invocation, await killSwitches(store));
  });
};

function notEngaged(target: KillTarget, engaged: readonly EngagedKill[]): CliError {
  const message = `No kill switch for ${targetText(target)} is engaged, so nothing was released.`;
  const hint =
    engaged.length === 0 ? 'No kill switch is engaged.' : `Engaged are: ${wordsOf(engaged)}.`;
  return new CliError('no_match', message, hint);
}

async function engagedAs(store: FullStore, target: KillTarget): Promise<EngagedKill | undefined> {
  const { scope, name } = target;
  return (await killSwitches(store)).find((kill) => kill.scope === scope && kill.name === name);
}

function releaseText(
  target: KillTarget,
  perSecond: number | undefined,
  dry: boolean,
  hasWorker: boolean,
): string {
  const what = targetText(target);
  const how =
    perSecond === undefined
      ? 'all its waiting jobs may start at once'
      : `its jobs are released at a growing pace, beginning with ${rateText(perSecond)}${onceThereIsAWorker(hasWorker)}`;
  return dry
    ? `The kill switch for ${what} would be released: ${how}.`
    : `The kill switch for ${what} is released: ${how}.`;
}

/** One switch may be released while another one still stops the same jobs. */
function tellRest({ io }: Invocation, rest: readonly EngagedKill[]): void {
  if (rest.length > 0) io.stderr(`${printable(`Still engaged: ${wordsOf(rest)}.`)}\n`);
}

function wordsOf(kills: readonly EngagedKill[]): string {
  return kills.map(targetWords).join(', ');
}

const COLUMNS = columns(
  'scope:red | name:cyan,optional | since | by | running jobs | why:shrinks,optional',
);

const NONE =
  'No kill switch is engaged. "redrive kill engage" stops everything, a queue, a handler or a tenant.';

export const runKillList: RunCommand = async (invocation) => {
  const { killSwitches, nowMs } = await withStore(invocation, controlOverview);
  return printList(invocation, {
    name: 'engaged',
    items: killSwitches,
    document: killDocument,
    columns: COLUMNS,
    row: ({ scope, name = '', sinceMs, by, mode, why = '' }) => [
      wordOf(scope),
      name,
      ageCell(sinceMs, nowMs),
      by,
      { shown: mode === 'interrupt' ? 'interrupted' : 'may finish', exact: mode },
      why,
    ],
    none: NONE,
  });
};

/** Scopes as people type them. Stores and JSON call a handler an operation, and that word is accepted, too. */
const WORDS = new Map<string, KillScope>([
  ['all', 'all'],
  ['queue', 'queue'],
  ['handler', 'operation'],
  ['operation', 'operation'],
  ['tenant', 'tenant'],
]);

/** The target that the command line names. @throws CliError with the exit code 2. */
export function killTarget({ args, command }: Invocation): KillTarget {
  const [given = '', name] = args;
  const scope = WORDS.get(given);
  const hint = `Write "redrive ${command} all", or a scope and its name: "redrive ${command} queue mail".`;
  if (scope === undefined) {
    const message = `There is no kill switch for "${given}": use all, queue, handler or tenant.`;
    throw new CliError('usage', message, hint);
  }
  if (scope === 'all') {
    if (name === undefined) return { scope };
    throw new CliError('usage', 'A kill switch for all has no name.', hint);
  }
  if (name !== undefined) return { scope, name };
  throw new CliError('usage', `The name of the ${wordOf(scope)} is missing.`, hint);
}

/** As the command line names it: `all`, `queue mail`. */
export function targetWords({ scope, name }: KillTarget): string {
  return name === undefined ? scope : `${wordOf(scope)} ${name === '' ? "''" : name}`;
}

/** The command that releases a kill switch. */
export function releaseCommand({ scope, name }: KillTarget): string {
  return name === undefined
    ? `redrive kill release ${scope}`
    : commandText`redrive kill release ${[wordOf(scope), name]}`;
}

/** Says where no job has the name. Tenants are not counted. */
export async function tellStrangeTarget(
  { io }: Pick<Invocation, 'io'>,
  store: Pick<Store, 'counts'>,
  { scope, name = '' }: KillTarget,
): Promise<void> {
  if (scope === 'queue') await tellStranger(io, store, 'queue', name);
  if (scope === 'operation') await tellStranger(io, store, 'handler', name);
}

/**
 * Says that no job has this queue or handler. It may be stopped all the same, for those to come; it may as well be a
 * slip, and then nothing is held back.
 */
export async function tellStranger(
  io: Io,
  store: Pick<Store, 'counts'>,
  scope: 'queue' | 'handler',
  name: string,
): Promise<void> {
  const { groups } = await store.counts();
  const known = [...new Set(groups.map((group) => group[scope]))].sort();
  if (known.length === 0 || known.includes(name)) return;
  const text = `No job has the ${scope} ${name}; there are jobs of ${known.join(', ')}.`;
  io.stderr(`${printable(text)}\n`);
}
