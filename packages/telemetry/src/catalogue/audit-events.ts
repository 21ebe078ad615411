import type { AuditEvent } from '@redrive/durable/store';

/** The meaning of each event of the audit log. docs/reference/audit.md has the details of each. */
export const AUDIT_EVENTS: Readonly<Record<AuditEvent, string>> = {
  enqueue: 'A job was stored.',
  replace: 'A waiting job got another payload by its unique key.',
  claim: 'A worker took a job: one attempt is charged.',
  settle: 'An attempt ended; the record has the decision.',
  lease_lost: 'The lease of a lost worker was settled.',
  unpark: 'A parked job was released.',
  run_now: 'An operator made a job due.',
  cancel: 'A job was cancelled.',
  expire: 'The deadline of a waiting job passed: it is a dead letter.',
  requeue: 'A dead letter was sent back: a new generation begins.',
  reset: 'The attempts of a job were reset.',
  purge: 'A finished job was purged.',
  restore: 'A purge was undone.',
  regroup: 'A dead letter moved to another cause.',
  prune: 'Retention deleted a finished job.',
  control: 'A kill switch, pause, breaker, gate, cause, escalation or bulk operation changed.',
  session: 'A record of a session in process, or an imported one.',
  batch: 'A batch of jobs was opened or sealed, or has ended.',
  config: 'The configuration in force changed.',
  set_aside: 'The row of a job cannot be read and was set aside.',
  put_back: 'A row that was set aside can be read again.',
  read: 'A person or a scraper read payloads, sessions or metrics.',
  act: 'Another act of an operator.',
};
