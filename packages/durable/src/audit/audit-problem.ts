/** The kinds of problems of an audit log. `docs/reference/audit.md` explains each. */
export type AuditProblemKind =
  /** A position is not above the one before it. */
  | 'order'
  /** A block's hash does not match its content. */
  | 'block_hash'
  /** A block does not follow its writer's block before it. */
  | 'chain'
  /** A block's body cannot be read. */
  | 'body'
  /** An anchor's hash does not match its content. */
  | 'anchor_hash'
  /** An anchor does not follow the one before it. */
  | 'anchor_chain'
  /** The blocks under an anchor are not the blocks that it sealed. */
  | 'segment'
  /** A pack of old blocks does not match its own columns. */
  | 'pack'
  /** The log does not contain the head that somebody saved. */
  | 'head'
  /** A job's records have a gap, or one is there twice. */
  | 'revision'
  /** A transition is not legal in the state that the job was in. */
  | 'transition'
  /** A token, a generation or a number of attempts does not follow from the record before. */
  | 'count'
  /** A record does not name the block with the job's record before it. */
  | 'pointer'
  /** A job's row differs from its newest record. */
  | 'lookup'
  /** A job's row cannot be read, or says otherwise than the job's records. */
  | 'row'
  /** The policy of a decision is not known. */
  | 'policy'
  /** `decide` was given something else than follows from the records before. */
  | 'input'
  /** `decide` answers something else than was recorded. */
  | 'decision';

export interface AuditProblem {
  readonly kind: AuditProblemKind;
  readonly where: AuditPlace;
  readonly expected: string;
  readonly found: string;
}

/** The place of a problem, as far as it is known. */
export interface AuditPlace {
  readonly anchor?: number | undefined;
  readonly pack?: number | undefined;
  /** Sequence number of a block. */
  readonly block?: number | undefined;
  /** Of a job, or the subject of a note. */
  readonly id?: string | undefined;
  readonly revision?: number | undefined;
}

const MAX_TEXT = 300;

/** A list of problems up to a limit. Further problems are counted. */
export class AuditProblems {
  readonly list: AuditProblem[] = [];
  readonly #limit: number;
  #found = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How many there are, also beyond the limit. */
  get found(): number {
    return this.#found;
  }

  add(kind: AuditProblemKind, where: AuditPlace, expected: unknown, found: unknown): void {
    this.#found += 1;
    if (this.list.length >= this.#limit) return;
    this.list.push({ kind, where, expected: textOf(expected), found: textOf(found) });
  }

  /** Adds the problem if the two differ. Answers whether they are the same. */
  compare(kind: AuditProblemKind, where: AuditPlace, expected: unknown, found: unknown): boolean {
    if (expected === found) return true;
    this.add(kind, where, expected, found);
    return false;
  }

  /** Adds the problems of another list. */
  addAll(others: AuditProblems): void {
    this.#found += others.#found;
    this.list.push(...others.list.slice(0, Math.max(0, this.#limit - this.list.length)));
  }
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1).toWellFormed()}…`;
}
