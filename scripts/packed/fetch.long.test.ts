import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { OutsideProject } from './outside.ts';

// Requests that retry, with SDKs and clients from the registry and with the tarballs: as a stranger runs them.
vi.setConfig({ testTimeout: 120_000 });

let project: OutsideProject;
beforeAll(() => {
  project = new OutsideProject('fetch');
}, 600_000);
afterAll(() => project?.remove());

const nodes = ['20.19.0', '24'];
const nodeOf = (version: string) => (version === '24' ? process.execPath : project.node(version));

test.each(nodes)('three SDKs that take a fetch, on Node %s', (version) => {
  const lines = [
    'octokit: 200 after 2 requests',
    'openapi-fetch: 200 after 2 requests, one key',
    'stripe: cat after 2 requests, one key',
  ];
  const finished = project.run(nodeOf(version), ['sdks.mjs']);
  expect(finished).toEqual({ status: 0, stderr: '', stdout: `${lines.join('\n')}\n` });
});

test.each(nodes)('undici and axios, on Node %s', (version) => {
  const lines = [
    'undici: 200 cat after 2 requests',
    'axios: 200 {"article":"cat"} after 2 requests, one key',
    'axios: 503 after 1 request (effect_unknown)',
  ];
  const finished = project.run(nodeOf(version), ['clients.mjs']);
  expect(finished).toEqual({ status: 0, stderr: '', stdout: `${lines.join('\n')}\n` });
});
