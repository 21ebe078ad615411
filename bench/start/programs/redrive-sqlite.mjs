import { jobsOn } from '@redrive/durable';
import { openStore } from '@redrive/sqlite';

const store = await openStore(process.env.PLACE);
const jobs = jobsOn(store, { job: (payload) => globalThis.firstJob(payload) });
if (process.argv[2] === 'fill') {
  await store.migrate();
  await jobs.enqueue('job', 1);
  await store.close();
} else {
  await jobs.start();
}
