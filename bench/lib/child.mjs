import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Runs a measuring script in a fresh process and answers what it printed as JSON. A fresh process
 * has compiled nothing, holds no other contender's heap, and has seen only the shapes that this
 * measurement shows it.
 */
export async function runChild(script, request, nodeFlags = []) {
  const args = ['--expose-gc', ...nodeFlags, script, JSON.stringify(request)];
  const { stdout } = await run(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout);
}

/** The request that `runChild` gave to this process. */
export const childRequest = () => JSON.parse(process.argv[2]);

/** Prints the answer and ends the process, whatever timers still wait. */
export function answer(value) {
  process.stdout.write(JSON.stringify(value), () => process.exit(0));
}
