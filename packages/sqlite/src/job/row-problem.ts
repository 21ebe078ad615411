import { attemptsProblem, decodeSpec, problemText } from '@redrive/durable/store';
import { type JobRow, ROW, readLease } from './job-row.ts';
import { decodeLife, type StoredLife } from './life-code.ts';

/** The columns of a row that hold more than a number or a name. */
export interface RowTexts {
  readonly spec: string | null;
  readonly life: string | null;
  readonly attempts: string | null;
  readonly lease?: string | null;
}

/** The first column of a row that cannot be read, and its problem. `undefined`: the row can be read. */
export function rowProblem({ spec, life, attempts, lease = null }: RowTexts): string | undefined {
  return (
    problemOf('spec', spec, decodeSpec) ??
    problemOf('life', life, decodeLife) ??
    problemOf('attempts', attempts, (text) => {
      const problem = attemptsProblem(text);
      if (problem !== undefined) throw new Error(problem);
    }) ??
    problemOf('lease', lease, readLease)
  );
}

export function textsOf(row: JobRow): Required<RowTexts> {
  return {
    spec: row[ROW.spec],
    life: row[ROW.life],
    attempts: row[ROW.attempts],
    lease: row[ROW.lease],
  };
}

function problemOf(
  column: string,
  text: string | null,
  read: (text: string) => unknown,
): string | undefined {
  if (text === null) return undefined;
  try {
    read(text);
    return undefined;
  } catch (error) {
    return `${column}: ${problemText(error)}`;
  }
}

/** The readable part of a row: columns that cannot be read count as empty. */
export function readablePart(row: JobRow): JobRow {
  if (rowProblem(textsOf(row)) === undefined) return row;
  const part: JobRow = [...row];
  const { spec, life, attempts, lease } = textsOf(row);
  const clear = (place: 'spec' | 'life' | 'attempts' | 'lease', texts: Partial<RowTexts>) => {
    const alone = { spec: null, life: null, attempts: null, ...texts };
    if (rowProblem(alone) !== undefined) part[ROW[place]] = null;
  };
  clear('spec', { spec });
  clear('life', { life });
  clear('attempts', { attempts });
  clear('lease', { lease });
  return part;
}

/** The stored life of a job, or an empty one if it cannot be read. */
export function readableLife(life: string | null): StoredLife {
  const isReadable = rowProblem({ spec: null, life, attempts: null }) === undefined;
  return decodeLife(isReadable ? life : null);
}
