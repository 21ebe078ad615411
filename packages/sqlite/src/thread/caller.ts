/** The caller's side of a thread. */
export interface Caller {
  /** @throws RedriveError `store_unavailable`, or the error of the thread. */
  call<T>(name: string, input?: unknown): Promise<T>;
  /** Closes the thread after its running calls. Safe to call twice. */
  close(): Promise<void>;
}
