import { nearest } from '@redrive/core/fields';
import type { FullStore } from '@redrive/durable';
import {
  type BreakerChange,
  type ControlOverview,
  forceBreaker,
  halfOpenBreaker,
  type NamedBreaker,
  resetBreaker,
} from '@redrive/durable/control';
import {
  breakerJson,
  breakerView,
  breakerViews,
  type Moment,
  readOverview,
  unreportedBreaker,
} from '@redrive/durable/store';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { durationOption, momentOption } from '../command/option-values.ts';
import { actorOf, withStore } from '../store/with-store.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { printList } from '../terminal/table.ts';
import { BREAKER_COLUMNS, breakerLines, breakerRow } from './breaker-lines.ts';

export const runForceOpen: RunCommand = (invocation) => force(invocation, 'open');
export const runForceClosed: RunCommand = (invocation) => force(invocation, 'closed');

export const runHalfOpen: RunCommand = (invocation) =>
  act(invocation, {
    would: 'The next probe would start at once',
    carryOut: (store, dependency) =>
      halfOpenBreaker(store, { dependency, actor: actorOf(invocation.options) }),
  });

export const runReset: RunCommand = (invocation) =>
  act(invocation, {
    would: 'It would be closed, and its count of failures would be 0',
    carryOut: (store, dependency) =>
      resetBreaker(store, { dependency, actor: actorOf(invocation.options) }),
  });

interface Wish {
  /** In words, for a dry run. */
  readonly would: string;
  /** Also a dependency without a breaker. */
  readonly makes?: true;
  readonly carryOut: (store: FullStore, dependency: string) => Promise<BreakerChange>;
}

function force(invocation: Invocation, state: 'open' | 'closed'): Promise<void> {
  const until = endOf(invocation);
  return act(invocation, {
    would: `It would be forced ${state}`,
    makes: true,
    carryOut: (store, dependency) =>
      forceBreaker(store, { dependency, state, until, actor: actorOf(invocation.options) }),
  });
}

/** The end of a forced state. @throws CliError with the exit code 2. */
function endOf({ options }: Invocation): Moment | undefined {
  const inMs = durationOption(options, 'for');
  return inMs === undefined ? momentOption(options, 'until') : { inMs };
}

function act(invocation: Invocation, { would, makes, carryOut }: Wish): Promise<void> {
  const { io, args, options } = invocation;
  const [dependency = ''] = args;
  const dry = options.dryRun === true;
  return withStore(invocation, async (store) => {
    const before = await readOverview(store);
    if (makes) tellStrangeBreaker(invocation, before, dependency);
    else findBreaker(before, dependency);
    const { changed } = dry ? { changed: false } : await carryOut(store, dependency);
    const overview = dry ? before : await readOverview(store);
    const found = overview.breakers.find((each) => each.dependency === dependency);
    if (options.json) {
      // A breaker that this command has just created has no reports yet.
      const shown = found ?? unreportedBreaker(dependency, overview.nowMs);
      const document = breakerJson(breakerView(shown, overview), overview.nowMs);
      printJson(io, { ...document, changed, dry_run: dry });
    } else {
      const view = found && breakerView(found, overview);
      const lines = view === undefined ? [] : breakerLines(io.screen, view, overview.nowMs);
      printLines(io, dry ? [`${would}.`, ...lines] : lines);
    }
  });
}

/** A dependency without a breaker can be forced. It may as well be a slip. */
function tellStrangeBreaker(
  { io }: Invocation,
  { breakers }: ControlOverview,
  dependency: string,
): void {
  const names = breakers.map((each) => each.dependency);
  if (names.length === 0 || names.includes(dependency)) return;
  const text = `${dependency} has no breaker yet. ${hintFor(dependency, names)}`;
  io.stderr(`${printable(text)}\n`);
}

/** @throws CliError with the exit code 3, and with the names that there are. */
export function findBreaker(
  { breakers }: Pick<ControlOverview, 'breakers'>,
  dependency: string,
): NamedBreaker {
  const found = breakers.find((each) => each.dependency === dependency);
  if (found !== undefined) return found;
  const names = breakers.map((each) => each.dependency);
  throw new CliError(
    'no_match',
    `The dependency ${dependency} has no breaker.`,
    hintFor(dependency, names),
  );
}

/** A suggestion for a dependency that has no breaker. */
export function hintFor(dependency: string, names: readonly string[]): string {
  const close = nearest(dependency, names);
  if (close !== undefined) return `Did you mean ${close}?`;
  return names.length === 0
    ? 'A breaker is created when a job with this dependency fails, or when an operator forces it.'
    : `Dependencies with a breaker: ${names.slice(0, 20).join(', ')}.`;
}

export const runBreakerShow: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const overview = await withStore(invocation, readOverview);
  const { nowMs } = overview;
  const view = breakerView(findBreaker(overview, args[0] ?? ''), overview);
  if (options.json) printJson(io, breakerJson(view, nowMs));
  else printLines(io, breakerLines(io.screen, view, nowMs));
};

const NO_BREAKERS =
  'No breaker has counted a failure. A breaker appears when a job fails whose handler or policy names a dependency and has a circuit breaker, or when an operator forces one.';

export const runBreakerList: RunCommand = async (invocation) => {
  const overview = await withStore(invocation, readOverview);
  const { nowMs } = overview;
  return printList(invocation, {
    name: 'breakers',
    items: breakerViews(overview),
    document: (view) => breakerJson(view, nowMs),
    columns: BREAKER_COLUMNS,
    row: (view) => breakerRow(view, nowMs),
    none: NO_BREAKERS,
  });
};
