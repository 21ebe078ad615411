/**
 * The port that stops retries from outside: an engaged switch ends in-process retries with reason `kill_switch`.
 * `killSwitchOf(store)` of `@redrive/durable` answers from the switches in a store.
 */
export interface KillSwitch {
  /**
   * Whether retries of this call must stop. Called after each failed attempt and after each wait, never before the first
   * attempt; must answer at once, without I/O. A switch that throws counts as engaged.
   */
  isEngaged(call: KillSwitchCall): boolean;
}

/** The call that asks a kill switch. */
export interface KillSwitchCall {
  readonly operation: string;
  readonly tenantId: string | undefined;
  /** Whether the call runs, at any depth, in the attempt of a job. */
  readonly inJob: boolean;
}
