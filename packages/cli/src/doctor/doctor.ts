import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { withStore } from '../store/with-store.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { wrapWords } from '../terminal/wrap-words.ts';
import {
  type Finding,
  findFutureDue,
  findUnreadable,
  findUnsealed,
  setAsideFinding,
} from './findings.ts';

interface Diagnosis {
  readonly store: string;
  readonly jobsRead: number;
  readonly putBack: readonly string[];
  readonly findings: readonly Finding[];
}

export const runDoctor: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const found = await diagnose(invocation);
  const { store, jobsRead, putBack, findings } = found;
  const ok = findings.every(({ level }) => level !== 'problem');
  if (options.json) {
    printJson(io, { store, ok, jobs_read: jobsRead, put_back: putBack, findings });
  } else {
    printLines(io, linesOf(io.screen, found, ok));
  }
  return ok ? EXIT.ok : EXIT.failed;
};

async function diagnose(invocation: Invocation): Promise<Diagnosis> {
  const warnings: string[] = [];
  const { io } = invocation;
  const openStore: typeof io.openStore = (url, create) =>
    io.openStore(url, create, (message) => void warnings.push(message));
  return withStore({ ...invocation, io: { ...io, openStore } }, async (store) => {
    const rows = await findUnreadable(store);
    const putBack = invocation.options.putBack ? await store.putBack(rows.mended) : [];
    const left = rows.mended.filter((id) => !putBack.includes(id));
    return {
      store: store.name,
      jobsRead: rows.looked,
      putBack,
      findings: [
        ...rows.findings,
        ...setAsideFinding(left),
        ...(await findFutureDue(store)),
        ...(await findUnsealed(store)),
        ...warnings.map(storeFinding),
      ],
    };
  });
}

/** A warning of the store says itself what to do, after its first sentence. */
function storeFinding(warning: string): Finding {
  const [, message = warning, remedy = ''] = /^(.*?\.) (.*)$/su.exec(warning) ?? [];
  return { check: 'store', level: 'warning', message, remedy, jobs: [] };
}

/** A store without problems can still be full of failing jobs. */
const ELSEWHERE = [
  'To see failing jobs: redrive status',
  'To check the audit log: redrive audit verify',
];

function linesOf(screen: Screen, { findings, jobsRead, putBack }: Diagnosis, ok: boolean) {
  const rows = `${jobsRead.toLocaleString('en')} ${jobsRead === 1 ? 'job was' : 'jobs were'} read.`;
  const verdict = ok
    ? screen.paint(
        'green',
        findings.length === 0
          ? 'The store has no problem.'
          : 'The store has no problem; warnings follow.',
      )
    : screen.paint('red', 'The store has problems.');
  return [
    `${verdict} ${rows}`,
    ...(putBack.length === 0 ? [] : [`Put back: ${putBack.join(', ')}`]),
    ...(findings.length === 0 ? ELSEWHERE : []),
    ...findings.flatMap(({ level, message, remedy }) => [
      '',
      ...wrapWords(
        `${screen.paint(level === 'problem' ? 'red' : 'yellow', level)} ${printable(message)}`,
        screen.columns,
      ),
      ...wrapWords(printable(remedy), screen.columns - 2).map((line) => `  ${line}`),
    ]),
  ];
}
