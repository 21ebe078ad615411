export const CHANGE_KINDS = ['insert', 'update', 'replace', 'delete'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

export interface ChangesRequest {
  readonly kinds: readonly ChangeKind[];
  /** `next` of the call before. Absent: no changes, and `next` is the position now. */
  readonly after?: string | undefined;
  /** 1 to `MAX_DOCUMENT_PAGE`. */
  readonly limit: number;
  /** Where there is no change yet, the time to wait for one. */
  readonly waitMs: number;
}

export interface ChangePage {
  /** In the order of the database. Only changes that no failover undoes. */
  readonly changes: readonly DocumentChange[];
  /** Opaque. It moves on without changes, too. */
  readonly next: string;
}

export interface DocumentChange {
  readonly kind: ChangeKind;
  /** Identity of the change: the same each time that it is read. */
  readonly token: string;
  readonly atMs: number;
  /** For `waitUntilReadable` of the adapter: a reader with this token sees the change. */
  readonly readToken: string;
  /** The fields of `read`, as in `StoredDocument`: of the document after the change; of a deleted one, the id. */
  readonly values: Readonly<Record<string, unknown>>;
}
