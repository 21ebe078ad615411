import { parseConfig } from '@redrive/config';
import { reportSource } from '@redrive/durable/store';
import { expect, onTestFinished, test } from 'vitest';
import { api } from '../testing/api.ts';

const FILE = `version: "1.1.0"
buses: { main: { url: "nats://svc:busHunter9@127.0.0.1:4222" } }
policies:
  invoice: { extends: runs.default, max_delay: 900, jitter_type: full, jitter_amount: 1 }
jobs: { handlers: { invoice: { command: ["curl", "https://u:cmdHunter9@host/x"], policy: invoice }, chunk: { command: ["true"] } } }
events: { sources: { chunking: { bus: main, handler: chunk, stream: DOCS, subject: docs.parsed } } }
`;

async function viewer() {
  const { config, problems } = parseConfig(FILE);
  if (config === undefined) throw new Error(JSON.stringify(problems));
  const made = await api(onTestFinished, { config: () => config });
  const token = await made.token({ role: 'viewer' });
  const look = async (path: string) => (await made.call('GET', path, { token })).json();
  const post = async (path: string, body: object) =>
    (await made.call('POST', path, { token, body })).json();
  return { ...made, look, post };
}

test('policies: list, values with their source, plot and diff', async () => {
  const { look } = await viewer();
  const { policies, file } = await look('/v1/policies');
  expect(file).toBe('redrive.yaml');
  expect(policies[0]).toMatchObject({ id: 'invoice', preset: 'runs.default' });
  const { values } = await look('/v1/policies/invoice');
  expect(values).toContainEqual({
    ...{ field: 'max_delay', value: 900, unit: 'seconds' },
    ...{ source: 'file', where: 'redrive.yaml:4' },
  });
  const diff = await look('/v1/policies/diff?a=invoice&b=runs.default');
  expect(diff.fields).toContainEqual({ field: 'jitter_type', a: 'full', b: 'none', unit: null });
  const plot = await look('/v1/policies/plot?names=invoice,runs.default');
  expect(plot).toMatchObject({ scale: 'log', policies: [{ id: 'invoice' }, {}] });
  expect(await look('/v1/policies/invoicee')).toMatchObject({ status: 404 });
});

test('the configuration in force shows no password', async () => {
  const { look } = await viewer();
  for (const effective of [false, true]) {
    const shown = await look(`/v1/config?effective=${effective}`);
    const text = JSON.stringify(shown);
    expect(text).toContain('jobs.handlers.invoice.policy');
    expect(text).not.toMatch(/Hunter9/);
  }
});

test('the configuration shows a viewer no payload of a schedule and no secret of an argument', async () => {
  const { config, problems } = parseConfig(`version: "1.1.0"
jobs:
  handlers:
    report: { command: ["report", "--api-key=Hunter1", "--token", "Hunter2", "--limit", "20"] }
    shell: { command: ["sh", "-c", "DB_PASSWORD=Hunter3 run --client-secret Hunter4 --tries 7"] }
schedules:
  nightly: { handler: report, every: 60, payload: '{"customer":"Hunter5"}' }
`);
  if (config === undefined) throw new Error(JSON.stringify(problems));
  const { call, token } = await api(onTestFinished, { config: () => config });
  for (const effective of [false, true]) {
    const url = `/v1/config?effective=${effective}`;
    const { body } = await call('GET', url, { token: await token({ role: 'viewer' }) });
    expect(body.match(/Hunter\d/g)).toBeNull();
    for (const kept of ['"--limit","20"', '--tries 7']) expect(body).toContain(kept);
  }
});

test('a text is validated, with all problems at once, and nothing is changed', async () => {
  const { post, look } = await viewer();
  const before = await look('/v1/config');
  const wrong = await post('/v1/config/validate', {
    text: 'version: "1.1.0"\npolicies: { x: { max_attempts: -1, base_delay: none } }',
  });
  expect(wrong.valid).toBe(false);
  const paths = wrong.problems.map(({ path }: { path: string }) => path);
  expect(paths).toEqual(
    expect.arrayContaining(['policies.x.max_attempts', 'policies.x.base_delay']),
  );
  expect(await post('/v1/config/validate', { text: FILE })).toMatchObject({ valid: true });
  expect(await look('/v1/config')).toEqual(before);
});

test('sources: declared ones that nobody takes, and reported ones', async () => {
  const { look, store, clock } = await viewer();
  expect((await look('/v1/sources')).sources).toMatchObject([
    { name: 'chunking', state: 'not_reported', bus: 'main', handler: 'chunk', last_report: null },
  ]);
  const counts = { handled: 0, stored: 3, duplicates: 1, deadLettered: 0 };
  await reportSource(store, 'chunking', { state: 'taking', waiting: 4, ...counts });
  await clock.advance(5_000);
  expect((await look('/v1/sources')).sources).toMatchObject([
    { name: 'chunking', state: 'taking', waiting: 4, stored: 3, from: 'DOCS docs.parsed' },
  ]);
});
