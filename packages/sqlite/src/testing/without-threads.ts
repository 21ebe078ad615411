import { type ReaderData, readerTasks } from '../reader/reader-tasks.ts';
import type { Caller, Tasks } from '../thread/protocol.ts';
import { answer, CLOSE } from '../thread/serve.ts';
import { failureError, type ThreadOptions, unavailable } from '../thread/thread.ts';
import { type WriteBackData, writeBackTasks } from '../write-back/write-back-tasks.ts';
import { type WriterData, writerTasks } from '../writer/writer-tasks.ts';

/** Does in this thread what a thread would do, copying whatever would cross. */
export function withoutThreads(options: ThreadOptions): Caller {
  const tasks = tasksOf(options);
  let closed = false;

  async function call<T>(name: string, input?: unknown): Promise<T> {
    if (closed) throw unavailable(options.name, 'it is closed');
    const given = structuredClone(input);
    await null;
    const reply = structuredClone(answer(tasks, { number: 0, name, input: given }));
    if ('failure' in reply) throw failureError(reply.failure, options.name);
    // It answers a call, and with what the task gives.
    return ('value' in reply ? reply.value : undefined) as T;
  }

  return {
    call,
    async close() {
      if (closed) return;
      const end = call(CLOSE);
      closed = true;
      await end;
    },
  };
}

function tasksOf({ main, data, onEvent }: ThreadOptions): Tasks {
  if (main === 'writer/writer-thread') {
    return writerTasks(data as WriterData, (event) => onEvent?.(event));
  }
  if (main === 'write-back/write-back-thread') return writeBackTasks(data as WriteBackData);
  return readerTasks(data as ReaderData);
}
