import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';

/** A model whose outages a test decides. It does not listen before `start`. */
export class Model {
  /** The texts of all requests that it got, answered or not. */
  readonly asked: string[] = [];
  readonly #port: number;
  #server: Server | undefined;
  #released = Promise.withResolvers<void>();

  constructor(port: number) {
    this.#port = port;
  }

  /** Listens, and answers nothing before `release`. */
  async start(): Promise<void> {
    this.#released = Promise.withResolvers();
    this.#server = createServer(async (request, response) => {
      const body = await text(request);
      this.asked.push(body);
      await this.#released.promise;
      response.end(JSON.stringify([body.length]));
    }).listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  release(): void {
    this.#released.resolve();
  }

  async stop(): Promise<void> {
    this.release();
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
}
