import { systemClock } from '@redrive/core';
import { type FullStore, jobsOn } from '@redrive/durable';
import {
  DEFAULT_TIERS,
  lookAtEscalations,
  NOTIFY_HANDLER,
  notifyHandler,
} from '@redrive/durable/escalation';
import { openMade } from './open-made.ts';

/** A command of the test. `look`: at `atMs`, so that all processes look at the same moment. */
export type WatchCommand =
  | { readonly act: 'look'; readonly atMs: number; readonly dies?: boolean | undefined }
  | { readonly act: 'notify' };

// A process that watches: it looks when the test says so, and then notifies the webhook of the test.
const [, , path = '', url = ''] = process.argv;
const store = await openMade(path);
const hours = { opensMinute: 540, closesMinute: 1_020, days: [1, 2, 3, 4, 5], holidays: [] };
const rules = {
  tiers: DEFAULT_TIERS,
  hours: { timeZone: 'UTC', ...hours },
  resolveAfterMs: 900_000,
};

process.on('message', (command: WatchCommand) => void run(command));
process.send?.('watches');

async function run(command: WatchCommand): Promise<void> {
  if (command.act === 'look') {
    while (systemClock.now() < command.atMs);
    await lookAtEscalations(command.dies ? dying() : store, rules);
  } else {
    const notify = notifyHandler({
      channels: () => ({ pager: { url, timeoutMs: 5_000 } }),
      tiers: () => rules.tiers,
      allowed: () => ({ http: ['127.0.0.1'], private: ['127.0.0.1'] }),
    });
    const jobs = jobsOn(store, { [NOTIFY_HANDLER]: notify }, { log: 'off' });
    await jobs.start();
    await jobs.idle();
    await jobs.stop();
  }
  process.send?.('done');
}

/** A store whose process is killed when it would enqueue: its document is written by then. */
function dying(): FullStore {
  return Object.assign(Object.create(store), {
    apply(commands: Parameters<FullStore['apply']>[0]) {
      if (commands.some(({ kind }) => kind === 'enqueue')) process.kill(process.pid, 'SIGKILL');
      return store.apply(commands);
    },
  });
}
