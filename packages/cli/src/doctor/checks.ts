import type { Check, Subject } from './check.ts';
import { checkBuses, checkConfiguration, checkPorts, checkSweeps } from './config-checks.ts';
import { findFutureDue, findUnreadable, findUnsealed, setAsideFinding } from './findings.ts';
import {
  checkClock,
  checkDisk,
  checkDurability,
  checkSchedules,
  checkSchema,
  checkStore,
  checkWorkers,
} from './store-checks.ts';

/** It reads every job of the store. */
const ALL_ROWS_MS = 600_000;

/** Everything that doctor looks at, in the order of its report. */
export const CHECKS: readonly Check[] = [
  { name: 'lints', needs: [], run: checkConfiguration },
  { name: 'store', needs: [], limitMs: 15_000, run: checkStore },
  { name: 'schema', needs: ['store'], run: checkSchema },
  { name: 'durability', needs: ['store'], run: checkDurability },
  { name: 'disk', needs: ['store'], run: checkDisk },
  { name: 'clock', needs: ['store'], run: checkClock },
  { name: 'rows', needs: ['store'], limitMs: ALL_ROWS_MS, run: checkRows },
  { name: 'future_due', needs: ['store'], run: async ({ store }) => findFutureDue(await store) },
  { name: 'unsealed', needs: ['store'], run: async ({ store }) => findUnsealed(await store) },
  { name: 'workers', needs: ['store'], run: checkWorkers },
  { name: 'schedules', needs: ['store'], run: checkSchedules },
  { name: 'buses', needs: ['config'], run: checkBuses },
  { name: 'sweeps', needs: ['config'], run: checkSweeps },
  { name: 'ports', needs: ['config'], run: checkPorts },
];

async function checkRows({ store, invocation, rows }: Subject) {
  const opened = await store;
  const { findings, looked, mended } = await findUnreadable(opened);
  rows.read = looked;
  rows.putBack = invocation.options.putBack ? await opened.putBack(mended) : [];
  const left = mended.filter((id) => !rows.putBack.includes(id));
  return [...findings, ...setAsideFinding(left)];
}
