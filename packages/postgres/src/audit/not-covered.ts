import { NO_RECORD, type NotCovered } from '@redrive/durable/store';

/** The columns that finished and unfinished jobs share. */
const OF_JOBS = {
  previous_block: NO_RECORD.physical,
  payload: NO_RECORD.body,
  payload_bytes: NO_RECORD.body,
  'attempts.*': NO_RECORD.history,
  unique_key: NO_RECORD.secret,
  limit_key: NO_RECORD.secret,
  'headers.*': NO_RECORD.secret,
  tags: NO_RECORD.secret,
  'spec.policyId': NO_RECORD.secret,
  'spec.idempotencyKey': NO_RECORD.secret,
};

/** Columns, and fields of JSON columns, that verification does not compare with the log, by table, each with the reason. */
export const NOT_COVERED: NotCovered = {
  jobs: {
    ...OF_JOBS,
    cause: NO_RECORD.parked,
    lease_until: NO_RECORD.heartbeat,
    alone: NO_RECORD.company,
  },
  finished: {
    ...OF_JOBS,
    result: NO_RECORD.body,
    result_omitted_bytes: NO_RECORD.body,
    fingerprint: NO_RECORD.group,
  },
  meta: {
    version: NO_RECORD.name,
    works_from: NO_RECORD.name,
    step: NO_RECORD.name,
    migrated_at: NO_RECORD.name,
  },
  policies: { id: NO_RECORD.name },
  epochs: { epoch: NO_RECORD.physical },
  dead_groups: { fingerprint: NO_RECORD.group, pattern: NO_RECORD.group },
  payloads: { seq: NO_RECORD.body, payload: NO_RECORD.body, payload_bytes: NO_RECORD.body },
  earlier_payloads: {
    seq: NO_RECORD.body,
    generation: NO_RECORD.body,
    payload: NO_RECORD.body,
    payload_bytes: NO_RECORD.body,
    replaced_at: NO_RECORD.body,
    replaced_by: NO_RECORD.body,
  },
  stops: {
    queues: NO_RECORD.control,
    handlers: NO_RECORD.control,
    tenants: NO_RECORD.control,
    everything: NO_RECORD.control,
  },
  controls: {
    kind: NO_RECORD.control,
    key: NO_RECORD.control,
    revision: NO_RECORD.control,
    document: NO_RECORD.control,
  },
  control_revision: { revision: NO_RECORD.control, documents: NO_RECORD.control },
  operations: {
    id: NO_RECORD.operation,
    revision: NO_RECORD.operation,
    request: NO_RECORD.operation,
    finished: NO_RECORD.operation,
    page: NO_RECORD.operation,
    acted: NO_RECORD.operation,
    refused: NO_RECORD.operation,
    begun_by: NO_RECORD.operation,
    why: NO_RECORD.operation,
    started_at: NO_RECORD.operation,
    updated_at: NO_RECORD.operation,
  },
  ledger: {
    key: NO_RECORD.ledger,
    token: NO_RECORD.ledger,
    lease_until: NO_RECORD.ledger,
    until: NO_RECORD.ledger,
    state: NO_RECORD.ledger,
    fingerprint: NO_RECORD.ledger,
    value: NO_RECORD.ledger,
    error: NO_RECORD.ledger,
  },
  workers: {
    name: NO_RECORD.worker,
    since: NO_RECORD.worker,
    seen_at: NO_RECORD.worker,
    running: NO_RECORD.worker,
    stopping: NO_RECORD.worker,
    facts: NO_RECORD.worker,
  },
};
