// One case of one client, in a process of its own: `node child.mjs <client> <case>` prints what happened as JSON.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { cases } from './cases.mjs';
import { clients } from './clients.mjs';

const [client, name] = process.argv.slice(2);
const { method = 'GET', answer, abort = false, patienceMs } = cases[name];

const seen = { requests: 0, waitsMs: [], outcome: 'still waiting' };
const controller = new AbortController();

// What the client waits for between two requests. Time limits and keep-alive of Node and of undici's connections are no such waits.
const setTimer = globalThis.setTimeout;
globalThis.setTimeout = (run, delayMs, ...rest) => {
  const [, , caller = ''] = (new Error().stack ?? '').split('\n');
  if (seen.requests > 0 && !/node:|undici[/]lib[/](util|core|dispatcher)/.test(caller)) {
    seen.waitsMs.push(Math.round(delayMs));
  }
  return setTimer(run, delayMs, ...rest);
};

const server = createServer((request, response) => {
  seen.requests += 1;
  request.resume();
  answer(response);
  if (abort) setTimer(() => controller.abort(), 100);
});
await once(server.listen(0, '127.0.0.1'), 'listening');
const url = `http://127.0.0.1:${server.address().port}/`;

const done = clients[client](url, { method, signal: controller.signal }).then(
  (status) => `returns ${status}`,
  (error) => `throws ${error.name}`,
);
const late = new Promise((resolve) => setTimer(resolve, patienceMs, 'still waiting'));
seen.outcome = await Promise.race([done, late]);
console.log(JSON.stringify(seen));
process.exit();
