import type { Config } from '@redrive/config';
import { commandText } from '@redrive/core/fields';
import type { FullStore } from '@redrive/durable';
import { Attempts, RecordingReader, replaySessions } from '@redrive/lab';
import { type Side, sideOf } from '@redrive/operate/run';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { integerOption, listOption, textOption } from '../command/option-values.ts';
import { configsOf, loadConfig } from '../config/load-config.ts';
import { withStore } from '../store/with-store.ts';
import { CliError, EXIT } from '../terminal/exit-codes.ts';
import { note, printJson } from '../terminal/io.ts';
import { untilStopped } from '../terminal/until-stopped.ts';
import { DerivedAttempts, type Difference } from './derive-attempts.ts';
import { recordedFromStore, type Window, windowOf } from './recorded-from-store.ts';
import { documentOf, type Listed, printReplay } from './replay-lines.ts';

const WEEK_MS = 604_800_000;
/** Attempts of one replay. With a difference in each session the heap needs some 90 MiB. Later ones are left out. */
const MAX_ATTEMPTS = 100_000;
/** Differences that are listed. */
const DEFAULT_LIMIT = 20;

export const runLabReplay: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const limit = integerOption(options, 'limit', { min: 0, max: 10_000 }) ?? DEFAULT_LIMIT;
  const window = windowOf(invocation, WEEK_MS);
  const others = await othersOf(invocation);
  const config = await loadConfig(invocation);
  const attempts = new Attempts(MAX_ATTEMPTS);
  const read = await untilStopped(io, (signal) =>
    withStore(
      invocation,
      (store) => readStore(invocation, store, { window, config, signal }, others, attempts),
      { config },
    ),
  );
  const { derived, session, found, isStopped } = read;
  if (!isStopped) refuseEmpty(attempts, others, found, session);
  const listed: Listed[] = [];
  let differing = 0;
  const totals = replaySessions(attempts, derived.differences, {
    untilMs: window.untilMs,
    only: session,
    onCourse: (divergence, course) => {
      differing += 1;
      // Only differences of `derived` went in.
      if (listed.length < limit) listed.push({ difference: divergence as Difference, course });
    },
  });
  const replayed = { window, others, derived, totals, differing, listed };
  if (options.json) printJson(io, documentOf(replayed));
  else printReplay(io, replayed);
  if (attempts.omitted > 0) {
    const omitted = attempts.omitted.toLocaleString('en');
    io.stderr(`${omitted} later attempts are left out: give a shorter time with --until.\n`);
  }
  if (isStopped) note(io, 'Stopped: later attempts are not in it.');
  if (isStopped) return EXIT.interrupted;
  if (derived.underived > 0) return EXIT.failed;
  return attempts.omitted > 0 ? EXIT.partial : EXIT.ok;
};

/** The other policies, by the id of the recorded one: `--policy id=FILE`, `--policy id=FILE:other-id`. */
async function othersOf(invocation: Invocation): Promise<ReadonlyMap<string, Side>> {
  const others = new Map<string, Side>();
  for (const text of listOption(invocation.options, 'policy')) {
    const [, id = '', file = ''] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    const hint = 'Write the id and a file, as mail=new.yaml, or mail=new.yaml:patient.';
    if (id === '') throw new CliError('usage', `--policy is not id=FILE: ${text}`, hint);
    if (others.has(id)) throw new CliError('usage', `--policy names ${id} twice.`);
    const hasOwnId = /\.[^:/]+:[^:/]+$/.test(file);
    others.set(id, await sideOf(configsOf(invocation), hasOwnId ? file : `${file}:${id}`));
  }
  return others;
}

interface Reading {
  readonly window: Window;
  readonly config: Config;
  readonly signal: AbortSignal;
}

async function readStore(
  invocation: Invocation,
  store: FullStore,
  reading: Reading,
  others: ReadonlyMap<string, Side>,
  attempts: Attempts,
) {
  const wanted = textOption(invocation.options, 'session');
  // A job that continues the session of a call has another id than the session.
  const session = wanted && ((await store.job(wanted))?.sessionId ?? wanted);
  const policies = new Map([...others].map(([id, { policy }]) => [id, policy.policy]));
  const policyOf = async (hash: string) => (await store.policy(hash))?.policy;
  const derived = new DerivedAttempts(policyOf, policies);
  const reader = new RecordingReader(attempts);
  let left = MAX_ATTEMPTS;
  let found = 0;
  for await (const { attempt, line } of recordedFromStore(invocation, store, reading)) {
    reader.add(line);
    left -= 1;
    if (left < 0 || (session !== undefined && attempt.session !== session)) continue;
    found += 1;
    await derived.take(attempt);
  }
  reader.end();
  return { derived, session, found, isStopped: reading.signal.aborted };
}

/** @throws CliError `refused`: there is nothing to replay; `no_match`: the session has no attempt in that time. */
function refuseEmpty(
  attempts: Attempts,
  others: ReadonlyMap<string, Side>,
  found: number,
  session: string | undefined,
): void {
  if (session !== undefined && found === 0) {
    const hint = `"${commandText`redrive audit replay ${session}`}" reads the whole log.`;
    throw new CliError('no_match', `The session ${session} has no attempt in that time.`, hint);
  }
  if (found === 0) {
    const hint = 'Give an earlier --since, or a later --until.';
    throw new CliError('refused', 'The audit log has no attempt in that time.', hint);
  }
  const known = [...new Set(attempts.groups.map(({ policy }) => policy))].sort();
  const unknown = [...others.keys()].find((id) => !known.includes(id));
  if (unknown === undefined) return;
  const hint = `There are sessions of ${known.join(', ')}.`;
  throw new CliError('refused', `No session in that time has the policy ${unknown}.`, hint);
}
