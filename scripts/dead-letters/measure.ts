import type { FullStore } from '@redrive/durable';
import { questions } from './questions.ts';

const LIMIT_MS = 300;

/** Asks every question some times, prints how long the answers took, and says whether all were quick enough. */
export async function measure(store: FullStore, rounds: number): Promise<boolean> {
  const [newest] = (await store.deadLetters({}, { limit: 1 })).jobs;
  const [oldest] = (await store.deadLetters({}, { limit: 1, first: 'oldest' })).jobs;
  const { groups } = await store.deadGroups({}, { limit: 100 });
  const bySize = [...groups].sort((a, b) => b.count - a.count);
  const causes = [bySize[0]?.fingerprint ?? '', bySize.at(-1)?.fingerprint ?? ''] as const;
  let slowest = 0;
  for (const { name, place, ask } of questions(
    newest?.finishedAtMs ?? 0,
    oldest?.finishedAtMs ?? 0,
    causes,
  )) {
    const timesMs: number[] = [];
    let entries = 0;
    for (let round = 0; round < rounds; round++) {
      const after = await place?.(store, round);
      const startMs = performance.now();
      entries = await ask(store, round, after);
      timesMs.push(performance.now() - startMs);
    }
    timesMs.sort((a, b) => a - b);
    const p95 = percentile(timesMs, 0.95);
    slowest = Math.max(slowest, p95);
    const numbers = [percentile(timesMs, 0.5), p95].map((ms) => ms.toFixed(1).padStart(8));
    const mark = p95 > LIMIT_MS ? '  TOO SLOW' : '';
    console.log(
      `${name.padEnd(55)} p50 ${numbers[0]} ms  p95 ${numbers[1]} ms  ${entries} entries${mark}`,
    );
  }
  console.log(`slowest p95: ${slowest.toFixed(1)} ms, limit ${LIMIT_MS} ms`);
  return slowest <= LIMIT_MS;
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
