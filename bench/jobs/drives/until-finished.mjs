/** Resolves when the database shows no unfinished job any more: a handler's end is not yet its record. */
export async function untilFinished(queue, timeoutMs = 120_000) {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const left = await queue.unfinished();
    if (left === 0) return;
    if (performance.now() > end) throw new Error(`${left} jobs are still unfinished`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
