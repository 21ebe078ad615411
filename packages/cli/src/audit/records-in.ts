import type { AuditBlock, AuditRecord } from '@redrive/durable/store';
import { isDate } from '../terminal/times.ts';

/** The records of a block, in their order; none where it is damaged, which `audit verify` reports. */
export function recordsIn({ body }: Pick<AuditBlock, 'body'>): readonly AuditRecord[] {
  try {
    const records: unknown = JSON.parse(body);
    // The stores' own encoding; what is no record is left out.
    return Array.isArray(records) ? (records.filter(isRecord) as AuditRecord[]) : [];
  } catch {
    return [];
  }
}

function isRecord(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    typeof value[0] === 'string' &&
    Number.isFinite(value[5]) &&
    isDate(value[5]) &&
    typeof value[10] === 'object' &&
    value[10] !== null
  );
}
