import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';

/** A process with the API over a store of its own. */
export async function startApi(folder, file) {
  const child = fork(fileURLToPath(new URL('./server.mjs', import.meta.url)), [folder, file]);
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`The server ended with ${code}`);
  });
  failed.catch(() => {});
  const next = async () => (await Promise.race([once(child, 'message'), failed]))[0].answer;
  const { url, bareUrl, token } = await next();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return {
    ...{ url, bareUrl, headers },
    ask: (act, given) => {
      child.send({ act, ...given });
      return next();
    },
    async close() {
      child.send({ act: 'close' });
      await once(child, 'exit');
    },
  };
}

/** Sends `count` requests from `clients` connections that are kept. Answers the time of each, and the rate of all. */
export async function sendAll({ url, path, headers, body, clients, count, pathOf }) {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const times = [];
  let left = count;
  let next;
  const startedMs = performance.now();
  const client = async () => {
    while (left-- > 0) {
      const sentMs = performance.now();
      const text = await send(agent, `${url}${pathOf?.(next) ?? path}`, headers, body);
      times.push(performance.now() - sentMs);
      if (pathOf) next = JSON.parse(text).next;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const seconds = (performance.now() - startedMs) / 1000;
  agent.destroy();
  return { times, rate: count / seconds };
}

function send(agent, url, headers, body) {
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, headers, method: body ? 'POST' : 'GET' }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part) => {
        text += part;
      });
      response.on('end', () => {
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${url} answered ${response.statusCode}: ${text.slice(0, 300)}`));
      });
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

/** Streams that are read until `close`. */
export async function openStreams({ url, headers }, count) {
  const agent = new Agent({ keepAlive: false, maxSockets: count });
  const open = () =>
    new Promise((resolve, reject) => {
      const asked = request(`${url}/v1/changes`, { agent, headers }, (response) => {
        response.resume();
        response.on('error', () => {});
        resolve(asked);
      });
      asked.on('error', reject);
      asked.end();
    });
  const streams = await Promise.all(Array.from({ length: count }, open));
  return () => {
    for (const stream of streams) stream.on('error', () => {}).destroy();
    agent.destroy();
  };
}
