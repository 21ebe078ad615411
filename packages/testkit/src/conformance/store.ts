import { type LedgerUnderTest, ledgerConformance } from './ledger.ts';
import { type ConformancePart, isInPart } from './part.ts';
import { actTests } from './store/acts.ts';
import { auditTests } from './store/audit.ts';
import { batchTests } from './store/batches.ts';
import { callerIdTests } from './store/caller-ids.ts';
import { cancelTests } from './store/cancel.ts';
import { claimAheadTests } from './store/claim-ahead.ts';
import { claimOrderTests } from './store/claim-order.ts';
import { closingTests } from './store/closing.ts';
import { controlTests } from './store/controls.ts';
import { countTests } from './store/counts.ts';
import { deadGroupTests } from './store/dead-groups.ts';
import { deadLetterTests } from './store/dead-letters.ts';
import { deadlineTests } from './store/deadlines.ts';
import { dryRunTests } from './store/dry-runs.ts';
import { enqueueTests } from './store/enqueue.ts';
import { eventDocumentTests } from './store/event-documents.ts';
import { failingTests } from './store/failing.ts';
import { filterTests } from './store/filters.ts';
import { followUpTests } from './store/follow-ups.ts';
import { hookTests } from './store/hooks.ts';
import { checkInvariants } from './store/invariants.ts';
import { killSwitchTests } from './store/kill-switches.ts';
import { ladderTests } from './store/ladder.ts';
import { leaseTests } from './store/leases.ts';
import { ledgerTests } from './store/ledger.ts';
import { limitKeyTests } from './store/limit-keys.ts';
import { logDocumentTests } from './store/log-documents.ts';
import { operationTests } from './store/operations.ts';
import { operatorTests } from './store/operator.ts';
import { buriedTests, originTests } from './store/origin.ts';
import { outageTests } from './store/outage.ts';
import { pagingTests } from './store/paging.ts';
import { parkingTests } from './store/parking.ts';
import { pauseTests } from './store/pauses.ts';
import { persistenceTests } from './store/persistence.ts';
import { policyTests } from './store/policies.ts';
import { pruneTests } from './store/prune.ts';
import { pruneOnlyTests } from './store/prune-only.ts';
import { pulseTests } from './store/pulse.ts';
import { rateTests } from './store/rates.ts';
import { regroupTests } from './store/regroup.ts';
import { releaseTests } from './store/releases.ts';
import { rescueTests } from './store/rescue.ts';
import { runFlowTests } from './store/run-flow.ts';
import { scheduleTests } from './store/schedules.ts';
import { settleTests } from './store/settle.ts';
import type {
  FullStoreSuite,
  FullStoreUnderTest,
  StoreSuite,
  StoreUnderTest,
  TestBody,
  TestRunner,
} from './store/suite.ts';
import { suspectTests } from './store/suspects.ts';
import { textTests } from './store/texts.ts';
import { tickTests } from './store/tick.ts';
import { transactionTests } from './store/transactions.ts';
import { uniqueKeyTests } from './store/unique-keys.ts';
import { uniqueWindowTests } from './store/unique-windows.ts';
import { unsealedTests } from './store/unsealed.ts';
import { workerTests } from './store/workers.ts';

/** With a server each of them asks thousands of questions. */
const LONG_CONCERNS: ReadonlySet<string> = new Set([
  'the ladder: attempts per rung',
  'a breaker never makes a job die earlier than no breaker',
  'documents of the log',
]);

export type { ConformancePart } from './part.ts';
export type { FullStoreUnderTest, StoreUnderTest } from './store/suite.ts';

const CONCERNS: Readonly<Record<string, (suite: StoreSuite) => void>> = {
  enqueueing: enqueueTests,
  'ids of callers': callerIdTests,
  'unique keys': uniqueKeyTests,
  'jobs that are stored with a settlement': followUpTests,
  'hooks of deaths': hookTests,
  'unique keys for a time': uniqueWindowTests,
  'order and fairness of claims': claimOrderTests,
  'claiming ahead': claimAheadTests,
  suspects: suspectTests,
  'filters of claims': filterTests,
  'leases and heartbeats': leaseTests,
  'settling and fencing': settleTests,
  'rescue of expired leases': rescueTests,
  parking: parkingTests,
  deadlines: deadlineTests,
  'what time brings': tickTests,
  cancelling: cancelTests,
  'requeue, run now, purge, restore': operatorTests,
  'limit keys': limitKeyTests,
  retention: pruneTests,
  paging: pagingTests,
  counts: countTests,
  'failing jobs': failingTests,
  pulse: pulseTests,
  policies: policyTests,
  audit: auditTests,
  'transactions and hints': transactionTests,
  'odd texts and large data': textTests,
  'the flow of a run': runFlowTests,
  persistence: persistenceTests,
  closing: closingTests,
};

const FULL_CONCERNS: Readonly<Record<string, (suite: FullStoreSuite) => void>> = {
  'reset, generations and edited payloads': actTests,
  'deleting what was archived': pruneOnlyTests,
  'documents of events': eventDocumentTests,
  'dead letters': deadLetterTests,
  'groups of dead letters': deadGroupTests,
  'moving dead letters to other causes': regroupTests,
  'a dry run': dryRunTests,
  batches: batchTests,
  operations: operationTests,
  'control documents': controlTests,
  'kill switches': killSwitchTests,
  pauses: pauseTests,
  'release of parked jobs': releaseTests,
  rates: rateTests,
  schedules: scheduleTests,
  'the ladder: attempts per rung': ladderTests,
  'a breaker never makes a job die earlier than no breaker': outageTests,
  'events and their origin': originTests,
  'jobs that are dead from the start': buriedTests,
  'the ledger of a store': ledgerTests,
  workers: workerTests,
  'pulse of a sealed log': unsealedTests,
  'documents of the log': logDocumentTests,
};

/**
 * Registers the tests that every `Store` must pass, with virtual time. `makeStore` is called once per test and must give
 * an empty store each time. After each test everything that is in the store is checked: sums, revisions, the audit chain.
 *
 * Where stores may differ, and the tests look away: `more` may be true for nothing; how far a claim has looked for
 * `suspects`; the order of records inside one
 * block; sequence numbers of blocks; how often `watch` calls back; and which comes first of jobs with the same time, in
 * lists and where a limit cuts what a tick, a prune or `expiredLeases` does. (Claims have an exact order.)
 *
 * ```ts
 * import { describe, it } from 'vitest';
 *
 * storeConformance(async () => {
 *   const clock = virtualClock({ startMs: Date.UTC(2026, 0, 1) });
 *   return { store: memoryStore({ clock }), clock };
 * }, { describe, it });
 * ```
 */
export function storeConformance(
  makeStore: () => Promise<StoreUnderTest>,
  { describe, it }: TestRunner,
): void {
  const test = tester(makeStore, it);
  for (const [concern, register] of Object.entries(CONCERNS)) {
    describe(concern, () => register({ describe, test }));
  }
}

/**
 * Registers the tests that every `FullStore` must pass besides: dead letters, bulk operations, control, the ledger. See
 * `storeConformance`. The store with its ledger is also tested like every other ledger.
 *
 * @param part `quick` and `long` are its two halves: on a store behind a server, `long` takes a minute or more. Default
 * `all`.
 */
export function fullStoreConformance(
  makeStore: () => Promise<FullStoreUnderTest>,
  { describe, it }: TestRunner,
  part: ConformancePart = 'all',
): void {
  const test = tester(makeStore, it);
  for (const [concern, register] of Object.entries(FULL_CONCERNS)) {
    if (!isInPart(part, LONG_CONCERNS.has(concern))) continue;
    describe(concern, () => register({ describe, test }));
  }

  async function makeLedger(): Promise<LedgerUnderTest> {
    const { store, clock, close } = await makeStore();
    return { ledger: store.ledger(), clock, ...(close && { close }) };
  }
  describe('its ledger as any other', () => ledgerConformance(makeLedger, { describe, it }, part));
}

/** Runs each test on a store of its own, and checks what is in it afterwards. */
function tester<S extends StoreUnderTest>(makeStore: () => Promise<S>, it: TestRunner['it']) {
  return (name: string, body: (subject: S) => ReturnType<TestBody>): void => {
    it(name, async () => {
      const subject = await makeStore();
      try {
        // The store that is open at the end: a test may have opened it anew.
        const store = (await body(subject)) ?? subject.store;
        if (store !== 'unchecked') await checkInvariants(store);
      } finally {
        await subject.close?.();
      }
    });
  };
}
