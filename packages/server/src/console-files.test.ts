import { brotliDecompressSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { api } from './testing/api.ts';

const BROWSER = { accept: 'text/html,application/xhtml+xml', 'accept-encoding': 'gzip, br' };

async function assetPaths() {
  const { call } = await api(onTestFinished);
  const page = await call('GET', '/', { headers: { accept: 'text/html' } });
  return {
    call,
    page,
    assets: [...page.body.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path),
  };
}

test('the console is served without a session: hashed files for ever, its page anew each time', async () => {
  const { call, page, assets } = await assetPaths();
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
  });
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  expect(assets.length).toBeGreaterThanOrEqual(3);
  for (const path of assets) {
    expect(path).toMatch(/^\/assets\/[\w-]+-[\w-]{8}\.(js|css|svg)$/);
    const plain = await call('GET', path);
    const packed = await call('GET', path, { headers: BROWSER });
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(packed.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true);
  }
});

test('a browser gets the page at the address of every view, a program a problem', async () => {
  const { call } = await api(onTestFinished);
  for (const path of ['/dead?q=handler:import', '/jobs/0mwi9q2dk000', '/policies/compare']) {
    const page = await call('GET', path, { headers: { accept: 'text/html' } });
    expect([page.statusCode, page.headers['content-type']]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect((await call('GET', path)).statusCode).toBe(404);
  }
  const none = await call('GET', '/v1/nowhere', { headers: { accept: 'text/html' } });
  expect(none.headers['content-type']).toContain('application/problem+json');
});

test('no address leads out of the console', async () => {
  const { call } = await api(onTestFinished);
  for (const path of [
    '/../package.json',
    '/assets/../../package.json',
    '/assets/%2e%2e/%2e%2e/package.json',
  ]) {
    expect((await call('GET', path)).statusCode).toBe(404);
  }
});
