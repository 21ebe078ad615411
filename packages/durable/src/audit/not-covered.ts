/** Columns that verification does not compare with the log, by table, each with the reason. */
export type NotCovered = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Why a column is not compared with the log. */
export const NO_RECORD = {
  body: 'payloads and results are in no record; a hash of each would make every record of a block another text',
  secret: 'may hold secrets or personal data, and is in no record',
  history:
    'the list that is shown; the log has every attempt, and the numbers of attempts are compared',
  heartbeat: 'heartbeats move it and leave no record',
  company: 'the record of the claim has it; verification does not compare it',
  parked: 'what a parked job waits for, and until when, is in no record',
  group: 'groups dead letters of one cause in lists; nothing is decided by it',
  count: 'counts rows for lists and `status`; nothing is decided by it',
  hint: 'a hint for claims, made anew from the jobs',
  name: 'a name that nothing is decided by',
  control:
    'what is stopped; the log has a note of every change, which verification does not follow',
  operation: 'the progress of a bulk operation; each act on a job has its own record',
  worker: 'says which workers are alive; nothing is decided by it',
  ledger: 'the ledger is no part of the audit log',
  physical: 'where the row lies; nothing is decided by it',
} as const;

/** The list as a table of Markdown. */
export function notCoveredTable(list: NotCovered): string {
  const lines = Object.entries(list).flatMap(([table, columns]) =>
    [...Map.groupBy(Object.entries(columns), ([, reason]) => reason)].map(
      ([reason, own]) =>
        `| \`${table}\` | ${own.map(([name]) => `\`${name}\``).join(', ')} | ${reason} |`,
    ),
  );
  return ['| table | column | why not |', '|---|---|---|', ...lines].join('\n');
}
