import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock } from '@redrive/core';
import { memoryStore } from '@redrive/durable';
import { AccessFile, startServer } from '@redrive/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMAND_TREE } from '../packages/cli/src/command-tree.ts';
import { privateCa } from '../packages/durable/src/testing/private-ca.ts';
import { sweptArchives } from '../packages/server/src/testing/swept.ts';

// A machine that has the command line, a token and the certificate of a private authority, and no store.
const launcher = join(dirname(import.meta.dirname), 'packages/cli/bin/redrive.cjs');
const ROLES = ['viewer', 'operator', 'admin'] as const;
const ends: (() => unknown)[] = [];
let directory: string;
let url: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'redrive-tls-'));
  ends.push(() => rmSync(directory, { recursive: true, force: true }));
  mkdirSync(join(directory, 'own'));
  const access = new AccessFile(join(directory, 'access.json'));
  for (const role of ROLES) {
    writeFileSync(join(directory, 'own', role), await access.createToken({ name: role, role }));
  }
  const { ca, cert, key } = await privateCa('redrive.internal', '127.0.0.1');
  writeFileSync(join(directory, 'own/ca.pem'), ca);
  const sweeps = async () => [sweptArchives(systemClock).sweep];
  const server = await startServer({ store: memoryStore(), access, sweeps, port: 0 });
  ends.push(() => server.close());
  url = await tlsProxy({ cert, key }, server.url);
}, 60_000);

afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

/** Ends TLS, and passes each request on to the server. */
async function tlsProxy(pair: { cert: string; key: string }, target: string): Promise<string> {
  const proxy = createServer(pair, (asked, answer) => {
    const { method, url: path, headers } = asked;
    const passed = request(`${target}${path}`, { method, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      given.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  ends.push(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  // It listens on a port.
  return `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line as a process, in a home of its own. The proxy of this process answers meanwhile. */
function redrive(home: string, line: string): Promise<Ran> {
  const env = { PATH: process.env.PATH, HOME: join(directory, home) };
  const at = { cwd: join(directory, 'own'), env, timeout: 60_000 };
  return new Promise((resolve) => {
    execFile(process.execPath, [launcher, ...line.split(' ')], at, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

/** Every command that reads on a server and needs no argument. */
const READS = COMMAND_TREE.flatMap((each) =>
  'commands' in each
    ? each.commands.map((spec) => ({ line: `${each.name} ${spec.name}`, spec }))
    : [{ line: each.name, spec: each }],
)
  .filter(({ spec: { remote, acts, reads, streams, args = [] } }) => {
    const needs = args.some(({ name }) => name.startsWith('<'));
    return remote && reads && !acts && !streams && !needs;
  })
  .map(({ line }) => (line === 'lab record' ? 'lab record --to recording' : line));
const ACT = 'queues pause mail --reason moved';
const ADMIN_ACT = 'kill engage queue mail --reason INC-7';
/** The exit codes of both acts. */
const ALLOWED = { viewer: [6, 6], operator: [0, 6], admin: [0, 0] } as const;

describe.each(ROLES)('through TLS with the token of a role: %s', (role) => {
  test('a context with the private authority reads everything, and acts as the role allows', async () => {
    const files = `--token-file ${role} --ca-file ca.pem`;
    const added = await redrive(role, `contexts add prod --server ${url} ${files}`);
    expect(added).toMatchObject({ code: 0 });
    expect(await redrive(role, 'contexts use prod')).toMatchObject({ code: 0 });
    expect(READS.length).toBeGreaterThan(15);
    // Reads differ in nothing but the action, and roles do not differ in reads.
    for (const line of role === 'viewer' ? READS : READS.slice(0, 2)) {
      expect(await redrive(role, `${line} --json`), line).toMatchObject({ code: 0, stderr: '' });
    }
    const acts = [await redrive(role, ACT), await redrive(role, ADMIN_ACT)];
    expect(acts.map(({ code }) => code)).toEqual(ALLOWED[role]);
    for (const { code, stderr } of acts) {
      expect(stderr).toContain(`Context prod: ${url}`);
      if (code === 6) expect(stderr).toContain(`${role} has the role ${role}`);
    }
    await redrive(role, 'queues resume mail');
    await redrive(role, 'kill release queue mail --reason done');
  }, 120_000);
});

test('without the certificate of the authority nothing is sent, and the message says why', async () => {
  const line = `queues list --server ${url} --token-file viewer`;
  const { code, stdout, stderr } = await redrive('nowhere', line);
  expect([code, stdout]).toEqual([8, '']);
  expect(stderr).toMatch(/The server \S+ cannot be reached: .*(certificate|self.signed)/);
}, 60_000);
