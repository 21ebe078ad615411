/** The progress of running attempts: JSON, which heartbeats bring. Null: the attempt has reported none, or none runs. */
export function progress(s: string): string {
  return `
    alter table ${s}.jobs add column progress text;`;
}
