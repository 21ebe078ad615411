/** Which tests of a suite are registered. */
export type ConformancePart = 'all' | 'quick' | 'long';

export function isInPart(part: ConformancePart, isLong: boolean): boolean {
  return part === 'all' || (part === 'long') === isLong;
}
