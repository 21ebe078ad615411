import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('./lane-child.mjs', import.meta.url));
const driveTimeoutMs = 600_000;
const closeTimeoutMs = 10_000;

/**
 * A contender in a process of its own, which stays for all rounds of a workload: a server that has been
 * up for a while is what people run, not one that still compiles its code.
 */
export async function startLane({ name, contender, place, nodeFlags = [] }) {
  const child = fork(script, [JSON.stringify({ contender, place })], {
    execArgv: ['--expose-gc', ...nodeFlags],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const pending = new Map();
  let lastId = 0;
  const expectAnswer = (id) =>
    new Promise((resolve, reject) => {
      const fail = (message) => reject(new Error(`${name}: ${message}`));
      const timer = setTimeout(() => fail('no answer in ten minutes'), driveTimeoutMs).unref();
      pending.set(id, { resolve, fail, timer });
    });
  const settle = (id, how) => {
    const waiter = pending.get(id);
    if (!waiter) return;
    pending.delete(id);
    clearTimeout(waiter.timer);
    how(waiter);
  };
  child.on('message', ({ id, value, error }) =>
    settle(id, ({ resolve, fail }) => (error ? fail(error) : resolve(value))),
  );
  child.on('exit', (code, signal) => {
    for (const id of [...pending.keys()])
      settle(id, ({ fail }) => fail(`ended with ${signal ?? code}`));
  });

  const ask = (request) => {
    const id = ++lastId;
    const answer = expectAnswer(id);
    child.send({ id, ...request });
    return answer;
  };

  const durability = await expectAnswer(0);
  return {
    name,
    pid: child.pid,
    durability,
    drive: (drive, params) => ask({ ask: 'drive', name: drive, params }),
    async close() {
      if (!child.connected) return;
      const patience = new Promise((resolve) => setTimeout(resolve, closeTimeoutMs).unref());
      await Promise.race([ask({ ask: 'close' }), patience]).catch(() => {});
      child.kill('SIGKILL');
    },
  };
}
