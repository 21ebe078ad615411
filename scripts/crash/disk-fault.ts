import { type BinarySpec, ensureBinary } from '@redrive/testkit/services';

export const STRACE: BinarySpec = { name: 'strace', aptPackage: 'strace' };

/** How a process is started so that something happens to its calls of the operating system. */
export interface Launcher {
  readonly execPath: string;
  readonly execArgv: readonly string[];
}

/**
 * Starts a process under strace, which injects a fault into some of its system calls.
 *
 * @param calls e.g. `fdatasync`, or several with commas.
 * @param fault as strace has it: `signal=SIGKILL`, `error=EIO`, `delay_enter=50000`, with `:when=3` for the third call.
 * @param output where the calls are listed, with their times. Default: nowhere.
 */
export async function withDiskFault(
  calls: string,
  fault: string,
  output = '/dev/null',
): Promise<Launcher> {
  const execPath = await ensureBinary(STRACE);
  const filter = ['-e', `trace=${calls}`, '-e', `inject=${calls}:${fault}`];
  // A filter in the kernel, because stopping at every call is slow; but then strace injects no signals.
  const fast = fault.startsWith('signal') ? [] : ['--seccomp-bpf'];
  // strace as a grandchild (-D): then the process that is started is ours, and signals and exit codes are its own.
  const quiet = ['-D', '-f', '-qqq', '-ttt', '-s', '0', '-o', output];
  return { execPath, execArgv: [...quiet, ...fast, ...filter, process.execPath] };
}
