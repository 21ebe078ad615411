/**
 * `works_from`: the lowest version of the code that works with the schema as it is. `step`: the last step that has been
 * carried out, while a migration is under way; null: all steps of `version` are.
 */
export function rollingDeploys(s: string): string {
  return `
    alter table ${s}.meta add column works_from integer not null default 10;
    alter table ${s}.meta add column step integer;`;
}
