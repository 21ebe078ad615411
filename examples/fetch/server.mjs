import { once } from 'node:events';
import { createServer } from 'node:http';

/** A server that fails the first request to each path, and answers the others with what it was sent. */
export async function startServer(status = 503) {
  const requests = new Map();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const seen = requests.get(request.url) ?? [];
    requests.set(request.url, [...seen, { key: request.headers['idempotency-key'], body }]);
    response.setHeader('content-type', 'application/json');
    response.writeHead(seen.length === 0 ? status : 200).end(JSON.stringify({ id: 'cat', body }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address();
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    /** What was asked of a path: how often, and whether with one key and one body. */
    report(path) {
      const sent = requests.get(path) ?? [];
      const isSame = sent.every(({ key, body }) => key === sent[0].key && body === sent[0].body);
      const key = sent[0]?.key ? ', one key' : '';
      return `${sent.length} request${sent.length === 1 ? '' : 's'}${isSame ? key : ', which differ'}`;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
