import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ServicePlace } from './service-place.ts';

/** The process that ends the service on request, or when this process dies. */
export interface Reaper {
  /** Kills all processes of the service and keeps its files; resolves when they are gone. */
  kill(): Promise<void>;
  /** Ends all processes of the service and removes its files; resolves when that is done. */
  finish(): Promise<void>;
}

export function startReaper(
  { dir, owner }: ServicePlace,
  stopSignal: NodeJS.Signals,
  patienceMs: number,
): Reaper {
  // Beside this file, in the language of this file: sources and build both work.
  const program = fileURLToPath(new URL(`reaper${extname(import.meta.url)}`, import.meta.url));
  const args = [program, dir, stopSignal, `${patienceMs}`, `${owner.uid}`, `${owner.gid}`];
  const reaper = spawn(process.execPath, args, {
    // Its own session: Ctrl-C and signals to the test run's group do not reach it.
    detached: true,
    cwd: '/',
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const exited = once(reaper, 'exit');
  // It must not keep a test run alive that is otherwise finished; `once` alone would reject unheard on a failed spawn.
  exited.catch(() => {});
  reaper.stdin.on('error', () => {});
  reaper.unref();
  for (const pipe of [reaper.stdin, reaper.stdout]) if (pipe instanceof Socket) pipe.unref();
  const answers = createInterface({ input: reaper.stdout });

  return {
    async kill() {
      const answered = once(answers, 'line');
      reaper.ref();
      reaper.stdin.write('kill\n');
      await Promise.race([answered, exited.then(() => Promise.reject(new Error('Reaper died')))]);
      reaper.unref();
    },
    async finish() {
      reaper.ref();
      reaper.stdin.end();
      await exited;
    },
  };
}
