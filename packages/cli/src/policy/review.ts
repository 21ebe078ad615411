import { FINDING_CODES, type Finding, review, type Undecided } from '@redrive/lab';
import { findPolicy } from '@redrive/operate/run';
import type { RunCommand } from '../command/command-spec.ts';
import { listOption } from '../command/option-values.ts';
import { loadConfig } from '../config/load-config.ts';
import { loadRecording } from '../lab/load-recording.ts';
import { CliError, EXIT } from '../terminal/exit-codes.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable, wrapWords } from '../terminal/printable.ts';
import { columns, tableLines } from '../terminal/table.ts';
import { policyText } from './policy-words.ts';

const WEEK_MS = 604_800_000;

const COLUMNS = columns(
  'policy:cyan | category | sessions:right | attempts:right | succeeded:right | attempts each:right | at attempt 1, 2, …',
);

export const runReview: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const codes = listOption(options, 'failOn');
  const unknown = codes.find((code) => !FINDING_CODES.some((known) => known === code));
  if (unknown !== undefined) {
    const hint = `Known are ${FINDING_CODES.join(', ')}.`;
    throw new CliError('usage', `--fail-on is not a finding: ${unknown}`, hint);
  }
  const config = await loadConfig(invocation);
  const [name] = args;
  const wanted = name === undefined ? undefined : findPolicy(config, name).policy.id;
  const recording = await loadRecording(invocation, config, WEEK_MS);
  const own = [...config.policies.values()].flatMap(({ id, preset }) =>
    id === preset ? [] : [id],
  );
  const all = review(recording.attempts, own);
  const isWanted = ({ policy }: { policy: string }) => wanted === undefined || policy === wanted;
  const rows = all.rows.filter(isWanted);
  const findings = all.findings.filter(isWanted);
  const undecided = all.undecided.filter(isWanted);
  if (rows.length === 0 && findings.length === 0) {
    throw new CliError('refused', `${recording.source} has no session to review.`);
  }
  if (options.json) {
    printJson(io, { policies: rows, findings, undecided });
  } else {
    const cells = rows.map((row) => [
      policyText(row.policy),
      printable(row.category ?? '-'),
      String(row.sessions),
      String(row.attempts),
      percent(row.success_rate),
      row.average_attempts.toFixed(2),
      row.succeeded_at.map(percent).join(', '),
    ]);
    printLines(io, [
      ...tableLines(io.screen, COLUMNS, cells),
      '',
      ...[
        ...(findings.length === 0 ? ['No findings.'] : findings.flatMap(findingLines)),
        ...undecided.map(undecidedLine),
      ].flatMap((line) => wrapWords(line, io.screen.columns)),
    ]);
  }
  if (recording.stopped) return EXIT.interrupted;
  if (findings.some(({ code }) => codes.includes(code))) return EXIT.differs;
  return recording.cut ? EXIT.partial : EXIT.ok;
};

function findingLines({ code, policy, figure, examples, next }: Finding): string[] {
  const sessions = examples.length === 0 ? '' : ` Sessions: ${examples.join(', ')}.`;
  return [printable(`${code} ${policy}: ${figure}.${sessions} Next: ${next}`)];
}

function undecidedLine({ code, policy, figure }: Undecided): string {
  return printable(`${code} ${policy}: ${figure}.`);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
