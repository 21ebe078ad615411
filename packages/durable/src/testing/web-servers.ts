import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { onTestFinished } from 'vitest';

export async function listen(server: Server, host = '127.0.0.1', port = 0): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port; // It listens on TCP.
}

/** A server on loopback that counts its connections. */
export async function target(answer: RequestListener = (_, response) => response.end('ok')) {
  const server = createServer(answer);
  const counted = { connections: 0 };
  server.on('connection', () => {
    counted.connections += 1;
  });
  return { port: await listen(server), counted };
}

/** The server that the second answer of a name server leads to: the same port of another address. */
export async function rebound(port: number, host = '127.0.0.1') {
  const counted = { connections: 0 };
  const server = createTcpServer(() => {
    counted.connections += 1;
  });
  await listen(server, host, port);
  return { counted };
}

/** Addresses that no request may go to, as an attacker writes them. */
export const SPELLINGS = [
  ...['127.0.0.1', '127.1', '2130706433', '0x7f.1', '0x7f000001', '017700000001', '0177.0.0.1'],
  ...['127.0.0.1.', '0', '0.0.0.0', '127.127.127.127', '10.0.0.1', '012.1.2.3', '192.168.0.1'],
  ...['172.16.0.1', '169.254.169.254', '100.64.0.1', '[::1]', '[::]', '[::ffff:127.0.0.1]'],
  ...['[::fFFf:7f00:1]', '[0:0:0:0:0:ffff:7f00:1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]'],
  ...['[fd00::1]', '[fe80::1]', '[::127.0.0.1]', '[2001:0:0:1::]', '①②⑦.0.0.1', '%31%32%37.0.0.1'],
];
