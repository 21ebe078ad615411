/** Null: not alone, or not leased. */
export function leasesAlone(s: string): string {
  return `alter table ${s}.jobs add column if not exists alone boolean;`;
}
