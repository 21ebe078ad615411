import { memoryStore } from '@redrive/durable';
import { memoryDocuments } from '@redrive/durable/documents';
import { memoryBus } from '@redrive/durable/events';
import { expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

const CONFIG = 'version: "1.1.0"\nsweeps: { collections: { archives: {}, threads: {} } }\n';
const ENVIRONMENT = {
  ...{ MONGODB_HOST: 'documentdb', MONGODB_DATABASE: 'copilot', MONGODB_USERNAME: 'root' },
  ...{ MONGODB_PASSWORD_FILE: 'secret', RABBITMQ_HOST: 'messagebus' },
  ...{ RABBITMQ_USERNAME: 'guest', RABBITMQ_PASSWORD: 'geheim' },
};

test('the servers of the environment: their secrets are in no output', async () => {
  const directory = scratchDirectory(onTestFinished, {
    'redrive.yaml': CONFIG,
    'other.yaml': CONFIG.replace('{}', '{ source: "mongodb://root:geheim@other/db" }'),
    secret: 'geheim\n',
  });
  const store = memoryStore();
  const world = { store, documents: memoryDocuments(), bus: memoryBus(), directory };
  const outputs: string[] = [];
  for (const command of [
    'config validate',
    'config validate --json',
    'config show --json',
    'config show',
    'config diff redrive.yaml other.yaml',
    'config explain documents.archives',
    'sweep run --once',
    'sweep status --json',
    'stuck list',
    'doctor',
    'doctor --json',
    'status --json',
  ]) {
    const run = await runMain(command.split(' '), { ...world, env: ENVIRONMENT });
    expect(run.stderr, command).not.toContain('has no source');
    outputs.push(run.stdout + run.stderr);
  }
  expect(outputs.join('\n')).not.toMatch(/geheim/);
  expect(outputs.join('\n')).toContain('mongodb://***@documentdb');
  await store.close();
});
