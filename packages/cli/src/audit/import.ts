import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import type { FullStore } from '@redrive/durable';
import { type ImportedRecord, importRecord } from '@redrive/durable/audit';
import { type Actor, counted, importedBefore, MetricsWindows } from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { fileError } from '../config/read-file.ts';
import { type Line, readLines } from '../jobs/enqueue-lines.ts';
import { withReader } from '../store/with-audit.ts';
import { actorOf, withStore } from '../store/with-store.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { type Io, printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';

/** A record has some hundred bytes, and a session of a thousand attempts some hundred KB. */
const MAX_LINE_BYTES = 1024 * 1024;
const MAX_RECORDS = 1_000_000;
/** Everything is checked before anything is written, so stdin has to be kept until then. */
const MAX_STDIN_BYTES = 64 * 1024 * 1024;
/** Bad lines that are named; the others are counted. */
const MAX_NAMED = 100;
/** Records of one commit. */
const BATCH = 500;
const BATCH_BYTES = 4 * 1024 * 1024;

/** The content of a file of records. */
interface Checked {
  readonly sessions: number;
  readonly events: number;
  /** Time windows of metrics. */
  readonly metrics: number;
  /** Lines that say the same as an earlier one. */
  readonly repeated: number;
  readonly bad: number;
  /** The first ones. */
  readonly problems: readonly { readonly line: number; readonly problem: string }[];
}

/** Opens the input again from its start, with every call. */
type Open = () => AsyncIterable<Uint8Array>;

/**
 * `redrive audit import`: checks every line before it writes the first record. Records that are in the log already are
 * left out, so that an import that broke off is finished by running it again.
 */
export const runAuditImport: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const [file = ''] = args;
  const open = await opener(io, file);
  const actor = actorOf(options);
  const checked = await check(open, file, actor);
  if (checked.bad > 0) {
    if (options.json) printJson(io, documentOf(checked, NOTHING, options.dryRun === true));
    else reportBad(io, checked);
    throw new CliError(
      'failed',
      `${file} has ${counted(checked.bad, 'bad line')}, so nothing was imported.`,
      'Correct or remove these lines, and run it again.',
    );
  }
  if (options.dryRun) {
    if (options.json) printJson(io, documentOf(checked, NOTHING, true));
    else printLines(io, [dryText(checked)]);
    return;
  }
  // A store is not made for it: under a mistyped name nobody would find the records again.
  const written = await withStore(invocation, (store) => write(store, open, file, actor));
  if (options.json) printJson(io, documentOf(checked, written, false));
  else printLines(io, [`${contents(checked)}: ${writtenText(written, checked)}.`]);
};

async function opener(io: Io, file: string): Promise<Open> {
  if (file !== '-') return () => createReadStream(resolve(io.directory, file));
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of io.stdin()) {
    bytes += piece.length;
    if (bytes > MAX_STDIN_BYTES) {
      const hint = 'Save it as a file, and give its name.';
      throw new CliError('failed', 'stdin has more than 64 MiB: nothing was imported.', hint);
    }
    pieces.push(piece);
  }
  return async function* () {
    yield* pieces;
  };
}

async function check(open: Open, file: string, actor: Actor): Promise<Checked> {
  const counts = { session: 0, event: 0, metrics: 0 };
  const problems: { line: number; problem: string }[] = [];
  const digests = new Set<string>();
  const sessions = new Map<string, Ended>();
  const windows = new MetricsWindows();
  let bad = 0;
  let repeated = 0;
  for await (const { line, record: given } of recordsOf(open, file, actor)) {
    const isAgain = 'kind' in given && digests.has(given.digest);
    const record =
      'kind' in given && !isAgain
        ? (overlapProblem(given, windows) ?? withoutContradiction(given, line, sessions))
        : given;
    if ('kind' in record) {
      counts[record.kind] += 1;
      if (isAgain) repeated += 1;
      digests.add(record.digest);
    } else {
      bad += 1;
      if (problems.length < MAX_NAMED) problems.push({ line, problem: record.join('; ') });
    }
    if (counts.session + counts.event + counts.metrics > MAX_RECORDS) {
      const most = MAX_RECORDS.toLocaleString('en');
      const hint = 'Split the file, and import one part after the other.';
      throw new CliError('failed', `${file} has more than ${most} records.`, hint);
    }
  }
  const { session, event, metrics } = counts;
  return { sessions: session, events: event, metrics, repeated, bad, problems };
}

/** Metrics of windows that overlap would count sessions twice. */
function overlapProblem(
  { window }: ImportedRecord,
  windows: MetricsWindows,
): readonly string[] | undefined {
  const other = window && windows.add(window);
  if (other === undefined) return undefined;
  const [from, to] = other.map((atMs) => new Date(atMs).toISOString());
  return [`its time window overlaps the metrics of ${from} to ${to}: sessions would count twice`];
}

/** How a session ended, by the first line that says it. */
interface Ended {
  readonly line: number;
  readonly success: boolean;
}

function withoutContradiction(
  record: ImportedRecord,
  line: number,
  sessions: Map<string, Ended>,
): ImportedRecord | readonly string[] {
  const { success, note } = record;
  if (success === undefined) return record;
  const earlier = sessions.get(note.subject);
  if (earlier === undefined) sessions.set(note.subject, { line, success });
  if (earlier === undefined || earlier.success === success) return record;
  const [here, there] = success ? ['succeeded', 'failed'] : ['failed', 'succeeded'];
  return [`the session ${note.subject} ${here} here, but ${there} in line ${earlier.line}`];
}

interface Read {
  readonly line: number;
  readonly record: ImportedRecord | readonly string[];
}

async function* recordsOf(open: Open, file: string, actor: Actor): AsyncGenerator<Read> {
  try {
    for await (const line of readLines(open(), MAX_LINE_BYTES)) {
      yield { line: line.number, record: recordIn(line, actor) };
    }
  } catch (error) {
    throw fileError(error, 'read', file, 'Check the path; - is stdin.');
  }
}

function recordIn(line: Line, actor: Actor): ImportedRecord | readonly string[] {
  if ('problem' in line) return [line.problem];
  try {
    return importRecord(JSON.parse(line.text), actor);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // The parser counts lines, too, and sees but this one.
    return [`it is not valid JSON: ${message.replace(/ \(line 1 column \d+\)$/, '')}`];
  }
}

interface Written {
  readonly imported: number;
  /** Left out, because the log has the same record. */
  readonly known: number;
}

const NOTHING: Written = { imported: 0, known: 0 };

async function write(store: FullStore, open: Open, file: string, actor: Actor): Promise<Written> {
  const { digests: known, windows } = await withReader(store, importedBefore);
  await refuseOverlaps(open, file, actor, known, windows);
  const own = new Set<string>();
  let imported = 0;
  let left = 0;
  let batch: ImportedRecord['note'][] = [];
  let bytes = 0;
  const flush = async () => {
    if (batch.length > 0) await store.apply(batch);
    imported += batch.length;
    batch = [];
    bytes = 0;
  };
  for await (const { line, record } of recordsOf(open, file, actor)) {
    if (!('kind' in record)) throw changed(file, line, imported);
    if (own.has(record.digest)) continue;
    own.add(record.digest);
    if (known.has(record.digest)) {
      left += 1;
      continue;
    }
    batch.push(record.note);
    bytes += record.note.detail.length;
    if (batch.length >= BATCH || bytes >= BATCH_BYTES) await flush();
  }
  await flush();
  return { imported, known: left };
}

/** Before anything is written: the windows of the file with those of the log. */
async function refuseOverlaps(
  open: Open,
  file: string,
  actor: Actor,
  known: ReadonlySet<string>,
  windows: MetricsWindows,
): Promise<void> {
  const seen = new Set(known);
  for await (const { line, record } of recordsOf(open, file, actor)) {
    if (!('kind' in record) || record.window === undefined || seen.has(record.digest)) continue;
    seen.add(record.digest);
    const problem = overlapProblem(record, windows);
    if (problem === undefined) continue;
    throw new CliError(
      'failed',
      `line ${line} of ${file}: ${problem.join('; ')}. Nothing was imported.`,
      'The audit log keeps what was imported first. Remove the line, and run it again.',
    );
  }
}

function changed(file: string, line: number, imported: number): CliError {
  return new CliError(
    imported === 0 ? 'conflict' : 'partial',
    `${file} was changed while it was imported: line ${line} is bad now. ${counted(imported, 'record')} imported.`,
    'Run it again when nobody writes to the file: a record that is in the log is not imported twice.',
  );
}

function reportBad(io: Io, { bad, problems }: Checked): void {
  for (const { line, problem } of problems) io.stderr(`line ${line}: ${printable(problem)}\n`);
  if (bad > problems.length) io.stderr(`and ${counted(bad - problems.length, 'more bad line')}\n`);
}

function documentOf(checked: Checked, done: Written, dry: boolean) {
  const { sessions, events, metrics, repeated, bad, problems } = checked;
  return {
    sessions,
    events,
    metrics,
    imported: done.imported,
    already_imported: done.known,
    repeated,
    dry_run: dry,
    bad_lines: bad,
    problems,
  };
}

function contents({ sessions, events, metrics }: Checked): string {
  const both = `${counted(sessions, 'session')} and ${counted(events, 'event')}`;
  return metrics === 0 ? both : `${both}, and the metrics of ${counted(metrics, 'time window')}`;
}

function dryText(checked: Checked): string {
  const { sessions, events, metrics, repeated } = checked;
  if (repeated === 0) return `${contents(checked)} would be imported.`;
  const records = counted(sessions + events + metrics - repeated, 'record');
  return `${contents(checked)}: ${records} would be imported${repeatedText(checked)}.`;
}

function writtenText({ imported, known }: Written, checked: Checked): string {
  const before = known === 0 ? '' : `, ${known.toLocaleString('en')} in the log already`;
  return `${counted(imported, 'record')} imported${before}${repeatedText(checked)}`;
}

function repeatedText({ repeated }: Checked): string {
  return repeated === 0 ? '' : `, ${repeated.toLocaleString('en')} repeated in the file`;
}
