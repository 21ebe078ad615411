/** The port of a bulkhead: a limit of attempts that run at once. */
export interface Bulkhead {
  /** Takes a slot now if one is free and the queue is empty. */
  tryEnter(): boolean;
  /**
   * Waits in the queue for a slot. Rejects with `bulkhead_full` at once when the queue is full, and with the signal's
   * reason when it aborts; then no slot is held.
   */
  enter(signal: AbortSignal | undefined): Promise<void>;
  /** Releases a slot. Called when the work itself has ended, not when its caller stopped waiting for it. */
  leave(): void;
}
