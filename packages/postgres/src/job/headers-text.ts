/** @throws Error for a text that is not an object. */
export function headersOf(json: string | null): Record<string, string> {
  if (json === null) return {};
  const headers: unknown = JSON.parse(json);
  if (typeof headers !== 'object' || headers === null) throw new Error('it is not an object');
  // Written from the same.
  return headers as Record<string, string>;
}
