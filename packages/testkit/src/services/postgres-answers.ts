import { connect } from 'node:net';

const PROTOCOL_3_0 = 196_608;
const PROBE_TIMEOUT_MS = 2_000;

/**
 * Whether the Postgres server behind a Unix socket lets `user` in, by the first step of its protocol: being able to
 * connect is not enough, because a server that is still recovering listens and turns clients away.
 */
export function postgresAnswers(socketPath: string, user: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath, () => socket.write(startupMessage(user)));
    const answer = (isReady: boolean): void => {
      socket.destroy();
      resolve(isReady);
    };
    socket.setTimeout(PROBE_TIMEOUT_MS, () => answer(false));
    // "R" speaks of authentication, which comes after the server's state was checked; "E" is a refusal.
    socket.once('data', (reply) => answer(reply.toString('latin1', 0, 1) === 'R'));
    socket.once('error', () => answer(false));
    socket.once('end', () => answer(false));
  });
}

function startupMessage(user: string): Buffer {
  const parameters = Buffer.from(`user\0${user}\0database\0postgres\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(head.length + parameters.length, 0);
  head.writeInt32BE(PROTOCOL_3_0, 4);
  return Buffer.concat([head, parameters]);
}
