import { DatabaseSync } from 'node:sqlite';
import type { FullStore } from '@redrive/durable';
import { verifyAudit } from '@redrive/durable/audit';
import { checkInvariants } from '../../packages/testkit/src/conformance/store/invariants.ts';
import type { Place } from './place.ts';
import type { Findings } from './report.ts';

/** What must hold in a store at rest, whatever was done to it before. */
export async function checkStore(
  store: FullStore,
  place: Place,
  findings: Findings,
): Promise<void> {
  try {
    await checkInvariants(store);
  } catch (error) {
    findings.violation('invariants', String(error));
  }
  // What the last workers have left.
  while ((await store.seal()) !== undefined);
  const reader = await store.readAudit();
  const { blocks, records, decisions, sealed, problems } = await verifyAudit(reader);
  await reader.close();
  findings.figures.audit = `${records} records in ${blocks} blocks, ${sealed} sealed, ${decisions} decisions`;
  if (sealed !== records) findings.violation('not sealed', `${records - sealed} records`);
  findings.none(
    'audit problems',
    problems.map((problem) => JSON.stringify(problem)),
  );
  if (place.kind === 'sqlite') checkFile(place.databaseFile, findings);
}

function checkFile(path: string, findings: Findings): void {
  const db = new DatabaseSync(path);
  const answers = db.prepare('PRAGMA integrity_check').all();
  db.close();
  const text = answers.map((row) => Object.values(row).join()).join('; ');
  findings.figures['integrity check'] = text;
  if (text !== 'ok') findings.violation('integrity check', text);
}
