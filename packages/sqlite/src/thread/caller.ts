/** Somebody who can be asked to do something on the other side: a thread. */
export interface Caller {
  /** @throws RedriveError `store_unavailable`, or what the other side says. */
  call<T>(name: string, input?: unknown): Promise<T>;
  /** Lets go of everything when it has done what it was asked for. Safe to call twice. */
  close(): Promise<void>;
}
