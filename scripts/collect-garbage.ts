import { Session } from 'node:inspector/promises';

const COLLECT = JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' });

/** Collects what nobody holds any more, in this thread and in every other one of the process. */
export async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    const threads: string[] = [];
    session.on('NodeWorker.attachedToWorker', ({ params }) => threads.push(params.sessionId));
    let answers = 0;
    const allHaveAnswered = new Promise<void>((resolve) => {
      session.on('NodeWorker.receivedMessageFromWorker', () => {
        answers += 1;
        if (answers === threads.length) resolve();
      });
    });
    await session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
    for (const sessionId of threads) {
      await session.post('NodeWorker.sendMessageToWorker', { sessionId, message: COLLECT });
    }
    await session.post('HeapProfiler.collectGarbage');
    if (threads.length > 0) await allHaveAnswered;
  } finally {
    session.disconnect();
  }
}
