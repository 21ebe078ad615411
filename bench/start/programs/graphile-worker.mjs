import { Logger, makeWorkerUtils, run } from 'graphile-worker';

const options = { connectionString: process.env.PLACE, logger: new Logger(() => () => {}) };
if (process.argv[2] === 'fill') {
  const utils = await makeWorkerUtils(options);
  await utils.migrate();
  await utils.addJob('job', 1);
  await utils.release();
} else {
  const taskList = { job: (payload) => globalThis.firstJob(payload) };
  await run({ ...options, taskList, noHandleSignals: true });
}
