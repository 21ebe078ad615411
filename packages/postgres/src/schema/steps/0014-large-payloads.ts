/** Payloads that are too large for the row of their job: written once, and not moved when the job is. */
export function largePayloads(s: string): string {
  return `
    create table if not exists ${s}.payloads (
      seq bigint primary key,
      payload text,
      payload_bytes bytea
    );`;
}
