import { Queue, Worker } from 'bullmq';

const connection = { url: process.env.PLACE, maxRetriesPerRequest: null };
if (process.argv[2] === 'fill') {
  const queue = new Queue('job', { connection });
  await queue.add('job', 1);
  await queue.close();
} else {
  new Worker('job', (job) => globalThis.firstJob(job.data), { connection });
}
