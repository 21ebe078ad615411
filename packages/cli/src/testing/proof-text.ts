import { jobsOn, memoryStore } from '@redrive/durable';
import { proveRecord } from '@redrive/durable/audit';

/** The proof of a job's first record, as a file has it. */
export async function proofText(): Promise<string> {
  const store = memoryStore();
  await jobsOn(store, { resize: () => undefined }).enqueue('resize', {});
  await store.seal();
  const answer = await proveRecord(await store.readAudit(), { block: 1, index: 0 });
  return JSON.stringify(answer.proof);
}
