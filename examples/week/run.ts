// Starts private servers, runs the week, and compares all figures with the count of the services. `npx node examples/week/run.ts`
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@redrive/core';
import { freePorts, startMongodb, startPrometheus, startRabbitmq } from '@redrive/testkit/services';
import { JumpingClock } from './clock.ts';
import { compareChunks, compareFigures, scraped } from './figures.ts';
import { startModel } from './model.ts';
import { CONFIG_FILE, openPipeline } from './pipeline.ts';
import { tell } from './story.ts';
import { startWorker } from './worker.ts';

const DAY_MS = 86_400_000;

// Where the paths of redrive.yaml begin.
process.chdir(import.meta.dirname);
const directory = mkdtempSync(join(tmpdir(), 'redrive-week-'));
const closing: (() => unknown)[] = [() => rmSync(directory, { recursive: true, force: true })];
const say = (line: string) => void process.stdout.write(`${line}\n`);
try {
  const [mongodb, rabbitmq] = await Promise.all([startMongodb(), startRabbitmq()]);
  closing.push(
    () => mongodb.stop(),
    () => rabbitmq.stop(),
  );
  const [port = 0, modelPort = 0] = await freePorts(2);
  const model = startModel(modelPort);
  closing.push(() => model.close());
  Object.assign(process.env, {
    ...{
      MONGODB_HOST: '127.0.0.1',
      MONGODB_PORT: new URL(mongodb.url).port,
      MONGODB_DATABASE: 'week',
    },
    ...{ RABBITMQ_HOST: rabbitmq.host, RABBITMQ_PORT: String(rabbitmq.port) },
    ...{ RABBITMQ_USERNAME: 'guest', RABBITMQ_PASSWORD: 'guest', WEEK_DIRECTORY: directory },
    ...{ MODEL_URL: `http://127.0.0.1:${modelPort}`, REDRIVE_CONFIG: CONFIG_FILE },
  });
  // The week ends now: commands that are run by hand afterwards find it in the past.
  const startMs = systemClock.now() - 10.5 * DAY_MS;
  const clock = new JumpingClock(startMs);
  const worker = await startWorker({ clock, directory, port });
  closing.push(() => worker.stop());
  const prometheus = await startPrometheus({
    config: `scrape_configs: [{ job_name: redrive, scrape_interval: 1s, static_configs: [{ targets: ["127.0.0.1:${port}"] }] }]`,
  });
  closing.push(() => prometheus.stop());
  const pipeline = await openPipeline(clock, worker.bus);
  closing.push(() => pipeline.close());
  const parts = { clock, startMs, worker, pipeline, model, directory };
  let wrong = 0;
  const compare = async (figures: typeof compareFigures) => {
    wrong += await figures({ ...parts, prometheus: await scraped(prometheus.url, clock) }, say);
  };
  await tell({ clock, worker, pipeline, model, say, look: () => compare(compareChunks) });
  await compare(compareFigures);
  say(wrong === 0 ? 'All figures agree.' : `${wrong} figures differ.`);
  process.exitCode = wrong === 0 ? 0 : 1;
} finally {
  for (const close of closing.reverse()) await Promise.resolve(close()).catch(console.error);
}
