/** The body of a request, as it is sent. */
interface SentBody {
  /** To be sent instead of the given body. `undefined`: send the given one. */
  readonly body?: BodyInit | undefined;
  /** `false`: it can be read only once. */
  readonly canSendAgain: boolean;
}

/** The default limit for the body of a `Request`, which is a stream even if it was made from a text. */
const HIDDEN_BYTES = 1_048_576;

/**
 * Makes a body that can be sent again, where possible. Text, blobs, forms and parameters need nothing; bytes are copied,
 * because `fetch` copies them too; a stream is read first, if it is not longer than the limit.
 *
 * @throws the reason of the signal, or the error of the stream.
 */
export async function bodyToSend(
  given: unknown,
  isHidden: boolean,
  limitBytes: number | undefined,
  signal: AbortSignal | undefined,
): Promise<SentBody> {
  if (given instanceof ArrayBuffer) return { body: given.slice(0), canSendAgain: true };
  if (ArrayBuffer.isView(given)) return { body: bytesOf(given).slice(), canSendAgain: true };
  const limit = limitBytes ?? (isHidden ? HIDDEN_BYTES : 0);
  const stream = limit > 0 ? streamOf(given) : given;
  if (!isStream(stream)) return { canSendAgain: !isIterable(given) && !hasPipe(given) };
  // `fetch` itself refuses a stream that is locked.
  return limit > 0 && !stream.locked ? readUpTo(limit, stream, signal) : { canSendAgain: false };
}

async function readUpTo(
  limit: number,
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<SentBody> {
  const reader = stream.getReader();
  const cancel = () => void reader.cancel(signal?.reason).catch(() => {});
  signal?.addEventListener('abort', cancel);
  if (signal?.aborted) cancel();
  try {
    const read: Uint8Array[] = [];
    for (let size = 0; size <= limit; ) {
      const { done, value } = await reader.read();
      if (done) {
        signal?.throwIfAborted();
        return { body: new Blob(read as BlobPart[]), canSendAgain: true };
      }
      read.push(value);
      size += value.byteLength;
    }
    return { body: continued(read, reader), canSendAgain: false };
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}

/** The chunks that were read, and then the rest of the stream. */
function continued(
  read: Uint8Array[],
  reader: ReadableStreamDefaultReader<Uint8Array>,
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const value = read.shift() ?? (await reader.read()).value;
      if (value === undefined) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function bytesOf(view: ArrayBufferView): Uint8Array<ArrayBuffer> {
  // The cast: `fetch` takes no view of shared memory.
  return new Uint8Array(view.buffer as ArrayBuffer, view.byteOffset, view.byteLength);
}

function isStream(body: unknown): body is ReadableStream<Uint8Array> {
  return typeof Object(body).getReader === 'function';
}

/** A stream of Node or a generator, which its `fetch` takes too. */
function isIterable(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof Object(body)[Symbol.asyncIterator] === 'function';
}

/** An older stream of Node, such as a form of `form-data`. */
function hasPipe(body: unknown): boolean {
  return typeof Object(body).pipe === 'function';
}

function streamOf(body: unknown): unknown {
  // Newer than the types of this package.
  const { from } = ReadableStream as { from?: (body: AsyncIterable<Uint8Array>) => unknown };
  return !isStream(body) && isIterable(body) ? (from?.call(ReadableStream, body) ?? body) : body;
}
