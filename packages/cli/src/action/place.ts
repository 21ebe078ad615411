/** A store or a server that an action runs on. */
export interface Place {
  readonly run: () => Promise<Ran>;
  readonly close: () => Promise<void>;
}

/** The answer of an action. */
export interface Ran {
  readonly answer: Readonly<Record<string, unknown>>;
  /** The store's time of the answer. */
  readonly nowMs: number;
  /** The URL of the store or of the server, without credentials. */
  readonly place: string;
  /** The store did not exist, and was created, or would be. */
  readonly created: boolean;
}
