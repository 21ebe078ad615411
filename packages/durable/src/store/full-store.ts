import type { AuditStore } from '../audit/audit-store.ts';
import type { BatchStore } from '../batch/batch.ts';
import type { ControlStore } from '../control/control-store.ts';
import type { DeadLetterStore } from '../dead-letter/dead-letter-store.ts';
import type { EventDocumentStore } from '../event/event-documents.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';
import type { WorkerStore } from '../live-workers/worker-store.ts';
import type { OperationStore } from '../operation/operation.ts';
import type { UnreadableRows } from './set-aside.ts';
import type { Store } from './store.ts';

/** A store with everything: jobs, their audit log, their batches, the ledger, dead letters, bulk operations, control of them, the workers, and the documents of events. */
export interface FullStore
  extends Store,
    AuditStore,
    BatchStore,
    LedgerStore,
    DeadLetterStore,
    OperationStore,
    ControlStore,
    WorkerStore,
    EventDocumentStore,
    UnreadableRows {}
