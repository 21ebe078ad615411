'use strict';
// CommonJS can require the packages: `node legacy.cjs` prints what it loaded.
const { retry } = require('@redrive/core');
const { jobsOn, memoryStore } = require('@redrive/durable');
const config = require('@redrive/config');
const postgres = require('@redrive/postgres');
const sqlite = require('@redrive/sqlite');
const testkit = require('@redrive/testkit');

async function main() {
  const answer = await retry(
    ({ attempt }) => {
      if (attempt === 1) throw new Error('connection reset');
      return `attempt ${attempt}`;
    },
    { baseDelayMs: 10 },
  );
  const jobs = jobsOn(memoryStore(), { greet: async (name) => `hello, ${name}` });
  await jobs.start();
  console.log(answer, '-', await jobs.wait(await jobs.enqueue('greet', 'Ada')));
  await jobs.stop();
  const loaded = [config.loadConfig, postgres.openStore, sqlite.openStore, testkit.virtualClock];
  console.log(loaded.map((fn) => typeof fn).join(' '));
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
