import { createServer, type Server } from 'node:http';

/** The model of the embedding service. Nothing listens until it is mended. */
export interface Model {
  /** Requests by chunk. */
  readonly requests: ReadonlyMap<string, number>;
  mend(): Promise<void>;
  close(): void;
}

export function startModel(port: number): Model {
  const requests = new Map<string, number>();
  let server: Server | undefined;
  return {
    requests,
    mend() {
      server = createServer((request, response) => {
        const chunk = String(request.headers['x-chunk']);
        requests.set(chunk, (requests.get(chunk) ?? 0) + 1);
        request.resume().once('end', () => response.end('[0.1, 0.2]'));
      });
      return new Promise((resolve) => server?.listen(port, '127.0.0.1', resolve));
    },
    close() {
      server?.close();
      server?.closeAllConnections();
    },
  };
}
