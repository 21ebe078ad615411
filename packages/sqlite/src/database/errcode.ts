/** SQLite's extended result code. */
export function errcodeOf(error: unknown): number | undefined {
  const errcode = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return typeof errcode === 'number' ? errcode : undefined;
}
