import { createServer, type Server } from 'node:net';

/**
 * Ports of the loopback interface that nobody listens on. Another process may take one before it is used, so a
 * caller that starts a server on it must be ready to ask again.
 */
export async function freePorts(count: number): Promise<number[]> {
  // All are held until the last one is known: else the same port could come twice.
  const servers = await Promise.all(Array.from({ length: count }, listenAnywhere));
  const ports = servers.map(portOf);
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  return ports;
}

function listenAnywhere(): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('Not listening on TCP');
  return address.port;
}
