import { type AuditBlock, type AuditRecord, isAuditRecord } from '@redrive/durable/store';

/** The records of a block, in their order; none where it is damaged, which `audit verify` reports. */
export function recordsIn({ body }: Pick<AuditBlock, 'body'>): readonly AuditRecord[] {
  try {
    const records: unknown = JSON.parse(body);
    // Somebody may have written into the table: what is no record is left out.
    return Array.isArray(records) ? records.filter(isAuditRecord) : [];
  } catch {
    return [];
  }
}
