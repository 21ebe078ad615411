import { pauseWork } from '@redrive/durable/control';
import { expect, onTestFinished, test } from 'vitest';
import { api } from '../testing/api.ts';

const itemsIn = (body: string) =>
  body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const eventsIn = (items: readonly { records: { event: string; id: string }[] }[]) =>
  items.flatMap(({ records }) => records.map(({ event, id }) => [event, id]));

/** Looks leave records of their own. */
const NO_LOOKS = 'event=enqueue&event=settle&event=control';

async function setUp() {
  const made = await api(onTestFinished);
  const viewer = await made.token({ role: 'viewer' });
  const look = (query: string, token = viewer) => made.call('GET', `/v1/audit/${query}`, { token });
  const actor = { name: 'ann' };
  const act = () => pauseWork(made.store, { scope: 'queue', name: 'mail', actor });
  return { ...made, look, act };
}

test('a tail has the newest records, then new ones, until its time is over', async () => {
  const { look, clock, other, act } = await setUp();
  const tail = look(`tail?${NO_LOOKS}&limit=1&for=2s`);
  await clock.advance(1_000);
  await act();
  await clock.advance(2_000);
  const items = itemsIn((await tail).body);
  expect(eventsIn(items)).toEqual([
    ['settle', other],
    ['control', 'kill:pause:queue:mail'],
  ]);
  const [first] = items;
  const rest = look(`tail?${NO_LOOKS}&after=${first.block}&for=1s`);
  await clock.advance(2_000);
  expect(eventsIn(itemsIn((await rest).body))).toEqual([['control', 'kill:pause:queue:mail']]);
});

test('a stream has a space every 15 seconds, and an empty line at its end', async () => {
  const { look, clock } = await setUp();
  const tail = look(`tail?${NO_LOOKS}&limit=1&for=40s`);
  await clock.advance(41_000);
  expect((await tail).body).toMatch(/^\{[^\n]+\n {2}\n$/);
  expect((await look(`export?${NO_LOOKS}`)).body).toMatch(/\}\n\n$/);
});

test('tail and export have records of the own tenant alone', async () => {
  const { look, token, clock, acme } = await setUp();
  const own = await token({ role: 'viewer', tenant: 'acme' });
  const exported = itemsIn((await look(`export?${NO_LOOKS}`, own)).body);
  expect(eventsIn(exported)).toEqual([
    ['enqueue', acme],
    ['settle', acme],
  ]);
  const tail = look(`tail?${NO_LOOKS}&for=1s`, own);
  await clock.advance(2_000);
  expect(eventsIn(itemsIn((await tail).body))).toEqual(eventsIn(exported));
  expect((await look('export?tenant=other', own)).json()).toMatchObject({ status: 403 });
});

test('a server sends at most 20 tails at once, each for at most 15 minutes', async () => {
  const { look, clock, access } = await setUp();
  const owners = await Promise.all(
    [0, 1, 2, 3, 4].map((n) => access.createToken({ name: `tail${n}`, role: 'viewer' })),
  );
  const open = owners.flatMap((owner) =>
    Array.from({ length: 4 }, () => look(`tail?${NO_LOOKS}&for=10h`, owner)),
  );
  await clock.advance(1_000);
  expect((await look('tail')).json()).toMatchObject({ status: 429, code: 'too_busy' });
  await clock.advance(900_000);
  for (const each of await Promise.all(open)) expect(each.statusCode).toBe(200);
  const again = look('tail?for=0s');
  await clock.advance(1_000);
  expect((await again).statusCode).toBe(200);
});

test('a refusal comes before the first item', async () => {
  const { look } = await setUp();
  for (const path of ['tail', 'export']) {
    const answer = await look(`${path}?format=event/v1&event=idempotency`);
    expect(answer.json()).toMatchObject({ status: 400, code: 'invalid_input' });
  }
});
