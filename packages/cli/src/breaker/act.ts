import type { FullStore } from '@redrive/durable';
import {
  type BreakerChange,
  type ControlOverview,
  forceBreaker,
  halfOpenBreaker,
  resetBreaker,
} from '@redrive/durable/control';
import {
  breakerJson,
  breakerView,
  type Moment,
  readOverview,
  unreportedBreaker,
} from '@redrive/durable/store';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { durationOption, momentOption } from '../command/option-values.ts';
import { actorOf } from '../store/actor.ts';
import { withStore } from '../store/with-store.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { breakerLines } from './breaker-lines.ts';
import { findBreaker, hintFor } from './breaker-view.ts';

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
