/** A handler whose signal has aborted may take so long to come to its end; then nobody waits for it any more. */
export const ABORT_GRACE_MS = 2_000;
