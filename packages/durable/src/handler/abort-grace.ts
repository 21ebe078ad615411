/** The time that a handler has to end after its signal has aborted; then the worker does not wait for it any more. */
export const ABORT_GRACE_MS = 2_000;
