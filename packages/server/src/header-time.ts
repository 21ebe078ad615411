import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '@redrive/core';

/** A connection may wait this long for all headers of its next request. */
const HEADERS_MS = 10_000;

/**
 * Closes connections whose next request does not arrive in time. Node's own limits begin with the first byte of a request
 * and restart its idle time with every byte, so line breaks that trickle between two requests keep a connection for ever.
 */
export function limitHeaderTime(server: Server, clock: Clock): void {
  const waiting = new WeakMap<Socket, { running: number; timer: { cancel(): void } }>();
  server.on('connection', (socket: Socket) => {
    const state = { running: 0, timer: clock.setTimer(HEADERS_MS, () => socket.destroy()) };
    waiting.set(socket, state);
    socket.once('close', () => state.timer.cancel());
  });
  server.on('request', ({ socket }, response) => {
    const state = waiting.get(socket);
    if (state === undefined) return;
    state.running += 1;
    state.timer.cancel();
    response.once('close', () => {
      state.running -= 1;
      if (state.running > 0 || socket.destroyed) return;
      state.timer.cancel();
      state.timer = clock.setTimer(HEADERS_MS, () => socket.destroy());
    });
  });
}
