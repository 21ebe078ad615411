import { systemClock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import type { DoctorAnswer } from '@redrive/operate';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { configuredStore, findStore } from '../config/configured-store.ts';
import { checkConfig } from '../config/load-config.ts';
import { noteLook } from '../store/with-store.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable, wrapWords } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import type { Subject } from './check.ts';
import { CHECKS, type CheckResult, runChecks } from './run-checks.ts';

export const runDoctor: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const subject = subjectOf(invocation);
  const checks = await runChecks(CHECKS, subject);
  const isHanging = checks.some((check) => check.isHanging);
  // A store that does not answer does not close either.
  const store = isHanging ? undefined : await subject.store.catch(() => undefined);
  const name = store?.name ?? null;
  await store?.close();
  const document = doctorDocument(name, checks, subject.rows);
  const { ok } = document;
  if (options.json) printJson(io, document);
  else printLines(io, linesOf(io.screen, checks, subject.rows, ok));
  const code = ok ? EXIT.ok : EXIT.failed;
  if (isHanging) io.exit(code);
  return code;
};

function subjectOf(invocation: Invocation): Subject {
  const { io } = invocation;
  const warnings: string[] = [];
  const config = checkConfig(invocation);
  // A configuration that is not valid is a finding, and hides nothing of the store.
  const found = { ...invocation, emergency: true as const };
  const url = config.then(({ config: valid }) =>
    findStore(found, () => configuredStore(found, valid)),
  );
  const open = async (): Promise<FullStore> => {
    const store = await io.openStore(await url, false, (message) => void warnings.push(message));
    await noteLook(invocation, store).catch(async (error: unknown) => {
      await store.close();
      throw error;
    });
    return store;
  };
  const store = open();
  const clock = io.clock ?? systemClock;
  // Checks wait for them: an error is theirs.
  for (const part of [config, url, store]) part.catch(() => {});
  return { invocation, clock, config, url, store, warnings, rows: { read: 0, putBack: [] } };
}

/** A store without problems can still be full of failing jobs. */
const ELSEWHERE = [
  'To see failing jobs: redrive status',
  'To check the audit log: redrive audit verify',
];

function linesOf(
  screen: Screen,
  checks: readonly CheckResult[],
  { read, putBack }: Subject['rows'],
  ok: boolean,
) {
  const findings = checks.flatMap((check) => check.findings);
  const rows = `${read.toLocaleString('en')} ${read === 1 ? 'job was' : 'jobs were'} read.`;
  const verdict = ok
    ? screen.paint('green', findings.length === 0 ? 'No problem.' : 'No problem; warnings follow.')
    : screen.paint('red', 'There are problems.');
  const named = (result: string) =>
    checks.filter((check) => (check.result === 'skipped') === (result === 'skipped'));
  const names = (list: readonly CheckResult[]) => list.map(({ name }) => name).join(', ');
  const skipped = named('skipped');
  return [
    `${verdict} ${rows}`,
    ...wrapWords(`Checked: ${names(named('done'))}`, screen.columns),
    ...(skipped.length === 0 ? [] : wrapWords(`Not checked: ${names(skipped)}`, screen.columns)),
    ...(putBack.length === 0 ? [] : [`Put back: ${putBack.join(', ')}`]),
    ...(findings.length === 0 ? ELSEWHERE : []),
    ...findings.flatMap(({ check, level, message, remedy }) => [
      '',
      ...wrapWords(
        `${screen.paint(level === 'problem' ? 'red' : 'yellow', level)} ${check}: ${printable(message)}`,
        screen.columns,
      ),
      ...wrapWords(printable(remedy), screen.columns - 2).map((line) => `  ${line}`),
    ]),
  ];
}

/** The report as JSON prints it. @param store its name; `null`: it could not be opened. */
export function doctorDocument(
  store: string | null,
  checks: readonly CheckResult[],
  { read, putBack }: Subject['rows'] = { read: 0, putBack: [] },
): DoctorAnswer {
  const findings = checks.flatMap((check) => check.findings);
  return {
    store,
    ok: findings.every(({ level }) => level !== 'problem'),
    jobs_read: read,
    put_back: [...putBack],
    checks: checks.map(({ name, result }) => ({ name, result })),
    findings: findings.map((finding) => ({ ...finding, jobs: [...finding.jobs] })),
  };
}
