import { PgBoss } from 'pg-boss';

const boss = new PgBoss({ connectionString: process.env.PLACE });
boss.on('error', (error) => console.error(error.message));
await boss.start();
if (process.argv[2] === 'fill') {
  await boss.createQueue('job');
  await boss.send('job', { n: 1 });
  await boss.stop({ graceful: false });
} else {
  await boss.work('job', ([job]) => globalThis.firstJob(job.data));
}
