/** Columns that verification does not compare with the log, by table, each with the reason. */
export type NotCovered = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Why a column is not compared with the log. */
export const NO_RECORD = {
  body: 'records contain no payloads and results; a hash of each would make the records of a block differ',
  secret: 'may contain secrets or personal data, and is not in the records',
  history: 'a list for people; the log has every attempt, and the numbers of attempts are compared',
  heartbeat: 'heartbeats change it without a record',
  company: 'the record of the claim has it; verification does not compare it',
  parked: 'records do not contain the cause and the release time of a parked job',
  group: 'groups dead letters in lists; no decision uses it',
  count: 'counts for lists and `status`; no decision uses it',
  hint: 'a cache for claims, rebuilt from the jobs',
  rate: 'what was used of rates; only claims read it',
  order: 'where the clock was set back, for lists; no decision uses it',
  name: 'a name; no decision uses it',
  control:
    'kill switches, pauses and other control; the log has a note of every change, which verification does not follow',
  batch: 'the log has a note of every change of a batch, which verification does not follow',
  operation: 'the progress of a bulk operation; each act on a job has its own record',
  worker: 'the workers that are alive; no decision uses it',
  eventDocument: 'an index of the events of documents, which sweeps look up; no decision uses it',
  ledger: 'the ledger is not part of the audit log',
  physical: 'the location of the row; no decision uses it',
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
