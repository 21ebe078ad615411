/** What the runner needs of a bulkhead: a bound on how many attempts run at once. */
export interface Bulkhead {
  /** Takes a slot now if one is free and nobody is queued. */
  tryEnter(): boolean;
  /**
   * Waits in the queue for a slot. Rejects with `bulkhead_full` at once when the queue is full, and with the signal's
   * reason when it aborts; then no slot is held.
   */
  enter(signal: AbortSignal | undefined): Promise<void>;
  /** Frees a slot. Called when the work itself has ended, not when somebody stopped waiting for it. */
  leave(): void;
}
