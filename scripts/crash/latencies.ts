import type { Facts } from './evidence.ts';

/** From its acceptance to the last end of its handler, of each accepted job that is meant, the shortest first. */
export function latenciesOf(
  { accepted, deeds }: Pick<Facts, 'accepted' | 'deeds'>,
  isMeant: (key: string) => boolean,
): readonly number[] {
  const endedAtMs = new Map<string, number>();
  for (const { what, key, atMs } of deeds) if (what === 'end') endedAtMs.set(key, atMs);
  const latencies: number[] = [];
  for (const { key, atMs } of accepted) {
    const ended = endedAtMs.get(key);
    // The journal of the acceptance may be written after the job has run.
    if (ended !== undefined && isMeant(key)) latencies.push(Math.max(0, ended - atMs));
  }
  return latencies.sort((a, b) => a - b);
}

/** Of sorted values; 0 where there are none. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
