import { connect } from 'node:net';

const PROBE_TIMEOUT_MS = 2_000;

/** Whether the Redis server behind a Unix socket works: one that still reads its files back answers with an error. */
export function redisAnswers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath, () => socket.write('PING\r\n'));
    const answer = (isReady: boolean): void => {
      socket.destroy();
      resolve(isReady);
    };
    socket.setTimeout(PROBE_TIMEOUT_MS, () => answer(false));
    socket.once('data', (reply) => answer(reply.toString('latin1').startsWith('+PONG')));
    socket.once('error', () => answer(false));
    socket.once('end', () => answer(false));
  });
}
