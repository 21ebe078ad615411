import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as the server got it, with its whole body. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What the server does with a request: by its number, from 1. */
export type Answer = (response: ServerResponse, number: number, received: Received) => void;

export interface TestServer {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  readonly sockets: ReadonlySet<Socket>;
  /** Resolves when no more than `count` sockets are open. */
  atMost(count: number): Promise<void>;
  close(): Promise<void>;
}

/** An HTTP server on loopback that keeps what it gets. Ends with the test. */
export async function serve(answer: Answer): Promise<TestServer> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  let changed = () => {};
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const one = { method, path, headers, body: Buffer.concat(chunks).toString() };
      received.push(one);
      answer(response, received.length, one);
    });
  });
  // A socket that is left open stays open.
  server.keepAliveTimeout = 0;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      changed();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    sockets,
    async atMost(count) {
      while (sockets.size > count) {
        await new Promise<void>((resolve) => {
          changed = resolve;
        });
      }
    },
    close,
  };
}

/** A port of loopback on which nothing listens. */
export async function closedPort(): Promise<number> {
  const { port, close } = await serve(() => {});
  await close();
  return port;
}

/** Answers with these statuses in turn; the last one repeats. */
export function statuses(...list: readonly number[]): Answer {
  return (response, number) => {
    const status = list[Math.min(number, list.length) - 1] ?? 200;
    response.writeHead(status, { 'content-type': 'text/plain' }).end(`answer ${number}`);
  };
}
