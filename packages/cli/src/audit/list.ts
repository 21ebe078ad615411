import type { ACTIONS, AnswerOf, FoundAnswer } from '@redrive/operate';
import { listOf } from '../action/renderer.ts';
import { safeJson } from '../terminal/printable.ts';
import { columns } from '../terminal/table.ts';
import { RECORD_COLUMNS, recordLines, recordRow } from './record-lines.ts';

type Records = AnswerOf<typeof ACTIONS.audit.list>['records'];

const DOCUMENT_COLUMNS = columns('document');
const lineOf = (document: object) => safeJson(JSON.stringify(document));

export const AUDIT_LIST = listOf<{ readonly records: Records }, object>(
  ({ io: { screen }, options, answer }) => {
    const shared = { name: 'records', none: 'No record matches.' };
    if (options.format !== undefined) {
      return {
        ...shared,
        columns: DOCUMENT_COLUMNS,
        row: (document) => [lineOf(document)],
        lines: () => answer.records.map(lineOf),
      };
    }
    return {
      ...shared,
      columns: RECORD_COLUMNS,
      row: (record) => recordRow(screen, asFound(record)),
      lines: () => answer.records.flatMap((record) => recordLines(screen, asFound(record))),
    };
  },
);

/** Without `--format` they are records of the log. */
export const asFound = (record: object) => record as FoundAnswer;
