import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An alert as a receiver of the Alertmanager gets it. */
export interface Notification {
  readonly receiver: string;
  readonly status: 'firing' | 'resolved';
  readonly alert: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

interface Message {
  readonly receiver: string;
  readonly alerts: readonly Omit<Notification, 'receiver' | 'alert'>[];
}

/** The other end of all receivers: takes what the Alertmanager sends. */
export async function startWebhook(onNotification: (notification: Notification) => void) {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.once('end', () => {
      response.end();
      const { receiver, alerts }: Message = JSON.parse(body);
      for (const { status, labels, annotations } of alerts) {
        onNotification({ receiver, status, alert: labels.alertname ?? '', labels, annotations });
      }
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
