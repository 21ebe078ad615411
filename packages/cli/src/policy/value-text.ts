import type { FieldValue } from '@redrive/config/documents';

/** A value as people read it: `30 s`, `none`, `TimeoutError, ConnectionError`. */
export function valueText({ value, unit }: Pick<FieldValue, 'value' | 'unit'>): string {
  if (value === null) return 'no limit';
  if (Array.isArray(value)) {
    if (value.length === 0) return '(none)';
    return unit === 'seconds' ? `${value.join(', ')} s` : value.join(', ');
  }
  if (value === '') return '""';
  if (typeof value === 'object') return JSON.stringify(value);
  return unit === 'seconds' ? `${value} s` : String(value);
}
