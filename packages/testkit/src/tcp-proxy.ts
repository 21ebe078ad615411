import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { type Clock, systemClock, type Timer } from '@redrive/core';

export interface TcpProxyOptions {
  /** Where connections lead. */
  readonly port: number;
  /** Default `127.0.0.1`. */
  readonly host?: string;
  /** Times the delays. Default: the system's clock. */
  readonly clock?: Clock;
}

/** A network that breaks on command. It passes everything on until a method breaks it. */
export interface TcpProxy {
  /** Connect here instead of to the real port. */
  readonly host: string;
  readonly port: number;
  /** Connections that are open now. */
  readonly connections: number;
  /** Resets every open connection. New ones are accepted. */
  cut(): void;
  /** Lets connections stand and no byte through, in either direction, also on new ones: until `pass()`. */
  stall(): void;
  /** Bytes that come in from now on are passed on `delayMs` later, in each direction. 0: at once. */
  delay(delayMs: number): void;
  /** Refuses new connections until `pass()`. Open ones go on. */
  refuse(): void;
  /** New connections lead to this port from now on, as after a failover. Open ones stay with the old one: see `cut()`. */
  redirect(port: number): void;
  /** Ends every fault: what was held back flows, nothing new is delayed, the same port accepts connections. */
  pass(): Promise<void>;
  /** Resets what is open and frees the port. */
  stop(): Promise<void>;
}

/** Starts a proxy on a free loopback port. */
export async function startTcpProxy(options: TcpProxyOptions): Promise<TcpProxy> {
  const network: Network = { stalled: false, delayMs: 0, clock: options.clock ?? systemClock };
  const target = { host: options.host ?? '127.0.0.1', port: options.port, allowHalfOpen: true };
  const directions = new Map<Socket, Direction>();

  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect(target);
    for (const [from, to] of [[client, upstream] as const, [upstream, client] as const]) {
      directions.set(from, forward(from, to, network));
      from.once('close', () => directions.delete(from));
    }
  });
  const listen = async (port: number): Promise<void> => {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  };
  await listen(0);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('Not listening on TCP');
  const { port } = address;

  function cut(): void {
    for (const socket of directions.keys()) socket.resetAndDestroy();
  }

  function change(fault: Partial<Network>): void {
    Object.assign(network, fault);
    for (const direction of directions.values()) direction.adapt();
  }

  return {
    host: '127.0.0.1',
    port,
    get connections() {
      return Math.ceil(directions.size / 2);
    },
    cut,
    stall: () => change({ stalled: true }),
    delay: (delayMs) => change({ delayMs }),
    refuse: () => void server.close(),
    redirect(port) {
      target.port = port;
    },
    async pass() {
      change({ stalled: false, delayMs: 0 });
      if (!server.listening) await listen(port);
    },
    async stop() {
      cut();
      if (server.listening) await once(server.close(), 'close');
    },
  };
}

interface Network {
  stalled: boolean;
  delayMs: number;
  readonly clock: Clock;
}

interface Direction {
  /** Looks at the network's faults again. */
  adapt(): void;
}

/** Carries bytes, and then the end of the stream, from one socket to the other. A reset of one resets the other. */
function forward(from: Socket, to: Socket, network: Network): Direction {
  const { clock } = network;
  const held: { readonly bytes: Buffer | undefined; readonly dueMs: number }[] = [];
  let timer: Timer | undefined;

  function hold(bytes: Buffer | undefined): void {
    held.push({ bytes, dueMs: clock.monotonic() + network.delayMs });
    release();
  }

  function release(): void {
    timer?.cancel();
    for (let next = held[0]; next !== undefined && !network.stalled; next = held[0]) {
      const waitMs = next.dueMs - clock.monotonic();
      if (waitMs > 0) {
        timer = clock.setTimer(waitMs, release);
        return;
      }
      held.shift();
      if (next.bytes === undefined) to.end();
      else to.write(next.bytes);
    }
  }

  function adapt(): void {
    // Data that is not read fills the sender's buffers in the end, as with a network that carries nothing.
    if (network.stalled) from.pause();
    else from.resume();
    release();
  }

  from.on('data', hold).once('end', () => hold(undefined));
  from.once('error', () => to.resetAndDestroy());
  to.once('close', () => {
    timer?.cancel();
    held.length = 0;
  });
  adapt();
  return { adapt };
}
