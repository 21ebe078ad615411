import { connect } from 'node:net';

/** The values that commands of this file have. */
type Value = string | number | boolean | readonly Value[] | { readonly [name: string]: Value };

const TIMEOUT_MS = 2_000;
const OP_MSG = 2013;
/** Length, request, response to, kind of message. */
const HEADER_BYTES = 16;

/**
 * Sends one command to the server behind a Unix socket, without a driver.
 *
 * @returns the answer's bytes, or `undefined` if there is none. `hasFlag` reads them.
 */
export function mongodbCommand(
  socketPath: string,
  command: { readonly [name: string]: Value },
): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const socket = connect(socketPath, () => socket.write(message({ ...command, $db: 'admin' })));
    let reply = Buffer.alloc(0);
    const answer = (value: Buffer | undefined): void => {
      socket.destroy();
      resolve(value);
    };
    socket.setTimeout(TIMEOUT_MS, () => answer(undefined));
    socket.on('data', (bytes) => {
      reply = Buffer.concat([reply, bytes]);
      if (reply.length >= HEADER_BYTES && reply.length >= reply.readInt32LE()) answer(reply);
    });
    socket.once('error', () => answer(undefined));
    socket.once('end', () => answer(undefined));
  });
}

/** Whether the answer has this field with `true`, or with the number 1 as `ok` has it. */
export function hasFlag(reply: Buffer | undefined, name: string): boolean {
  const one = Buffer.alloc(8);
  one.writeDoubleLE(1);
  return [[0x08, Buffer.from([1])] as const, [0x01, one] as const].some(([type, value]) =>
    reply?.includes(Buffer.concat([Buffer.from([type]), text(name), value])),
  );
}

function message(command: { readonly [name: string]: Value }): Buffer {
  const body = document(command);
  const header = Buffer.alloc(HEADER_BYTES + 5);
  header.writeInt32LE(header.length + body.length, 0);
  header.writeInt32LE(1, 4);
  header.writeInt32LE(OP_MSG, 12);
  // No flags; then one section of kind 0, the command.
  return Buffer.concat([header, body]);
}

/** BSON. An array is a document whose names are its indexes. */
function document(fields: readonly Value[] | { readonly [name: string]: Value }): Buffer {
  const elements = Object.entries(fields).map(([name, value]) => element(name, value));
  const body = Buffer.concat([...elements, Buffer.alloc(1)]);
  return Buffer.concat([int32(body.length + 4), body]);
}

function element(name: string, value: Value): Buffer {
  const [type, bytes] = encoded(value);
  return Buffer.concat([Buffer.from([type]), text(name), bytes]);
}

function encoded(value: Value): readonly [type: number, bytes: Buffer] {
  if (typeof value === 'string') {
    const bytes = text(value);
    return [0x02, Buffer.concat([int32(bytes.length), bytes])];
  }
  if (typeof value === 'number') return [0x10, int32(value)];
  if (typeof value === 'boolean') return [0x08, Buffer.from([value ? 1 : 0])];
  return [Array.isArray(value) ? 0x04 : 0x03, document(value)];
}

function text(value: string): Buffer {
  return Buffer.from(`${value}\0`);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}
