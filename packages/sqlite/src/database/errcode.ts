/** SQLite's extended result code. */
export function errcodeOf(error: unknown): number | undefined {
  const errcode = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return typeof errcode === 'number' ? errcode : undefined;
}

/** Another connection holds the lock, or is recovering the log. */
export function isBusy(error: unknown): boolean {
  const busy = 5;
  return ((errcodeOf(error) ?? 0) & 0xff) === busy;
}
