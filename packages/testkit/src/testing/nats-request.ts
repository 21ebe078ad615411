import { connect } from 'node:net';
import type { NatsService } from '../services/nats.ts';

/** A request in the server's own protocol: no client library is at hand here. */
export function natsRequest(
  { host, port }: Pick<NatsService, 'host' | 'port'>,
  subject: string,
  body = '',
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const lines = `CONNECT {"verbose":false}\r\nSUB reply 1\r\nPUB ${subject} reply ${body.length}\r\n${body}\r\n`;
    const socket = connect(port, host, () => socket.write(lines));
    let received = '';
    socket.once('error', reject);
    socket.on('data', (data) => {
      received += data.toString();
      const [, length, rest] = /MSG reply 1 +(\d+)\r\n(.*)/s.exec(received) ?? [];
      if (rest === undefined || rest.length < Number(length)) return;
      socket.destroy();
      resolve(JSON.parse(rest.slice(0, Number(length))));
    });
  });
}
