/** The groups that run now. One listener kills them all when this process exits without having waited for them. */
const running = new Set<number>();

function killAll(): void {
  for (const pid of running) signalGroup(pid, 'SIGKILL');
}

/** Remembers a program that leads its own group, until the answer is called. */
export function rememberGroup(pid: number): () => void {
  if (running.size === 0) process.on('exit', killAll);
  running.add(pid);
  return () => {
    running.delete(pid);
    if (running.size === 0) process.off('exit', killAll);
  };
}

/** Sends a signal to a program and all its children. Nothing happens when they are gone. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(HAS_GROUPS ? -pid : pid, signal);
  } catch {
    // ESRCH: nobody is left. EPERM: on macOS, everybody who is left has exited but was not yet waited for.
  }
}

/** Windows has no process groups: only the program itself is killed there. */
export const HAS_GROUPS = process.platform !== 'win32';
