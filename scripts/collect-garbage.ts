import { Session } from 'node:inspector/promises';

const COLLECT = JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' });

/** Collects what nobody holds any more, in this thread and in every other one of the process. */
export async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    // Threads may start and end meanwhile: only those of the beginning are waited for.
    const waiting = new Set<string>();
    const allHaveAnswered = Promise.withResolvers<void>();
    const ended = (sessionId: string) => {
      if (waiting.delete(sessionId) && waiting.size === 0) allHaveAnswered.resolve();
    };
    let isBeginning = true;
    session.on('NodeWorker.attachedToWorker', ({ params }) => {
      if (isBeginning) waiting.add(params.sessionId);
    });
    session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => ended(params.sessionId));
    session.on('NodeWorker.detachedFromWorker', ({ params }) => ended(params.sessionId));
    await session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
    isBeginning = false;
    const threads = [...waiting];
    for (const sessionId of threads) {
      await session.post('NodeWorker.sendMessageToWorker', { sessionId, message: COLLECT });
    }
    await session.post('HeapProfiler.collectGarbage');
    if (threads.length > 0) await allHaveAnswered.promise;
  } finally {
    session.disconnect();
  }
}
