/** The tests of a suite to register: all, the quick ones or the long ones. */
export type ConformancePart = 'all' | 'quick' | 'long';

export function isInPart(part: ConformancePart, isLong: boolean): boolean {
  return part === 'all' || (part === 'long') === isLong;
}
