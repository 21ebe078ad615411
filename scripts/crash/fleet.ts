import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Launcher } from './disk-fault.ts';

/** A process of the harness. */
export interface Member {
  readonly name: string;
  readonly child: ChildProcess;
  /** Resolves when it has begun to work. */
  readonly ready: Promise<void>;
  /** The signal that ended it, or its exit code. */
  readonly ended: Promise<string | number>;
}

export type Program =
  | 'worker-process'
  | 'submitter-process'
  | 'crash-point-process'
  | 'power-cut-process'
  | 'starvation-process'
  | 'exiting-job-process'
  | 'sweeper-process'
  | 'sender-process';

const STOP_TIMEOUT_MS = 30_000;

/** How a process is started, where it matters. */
export interface StartOptions {
  readonly launcher?: Launcher;
  readonly nodeOptions?: readonly string[];
  /** Told when it has ended by itself. Without this, such an end is a failure of the run. */
  readonly onDeath?: (member: Member, how: string | number) => void;
}

/** Processes that this harness has started, and only those: whatever happens to them goes through their handles. */
export class Fleet {
  readonly members = new Set<Member>();
  readonly #failures: string[] = [];
  /** Whose end is the harness's doing. Who is just starting ends by the signal that asks it to stop. */
  readonly #planned = new Set<Member>();
  #started = 0;

  /** What ended that nobody had ended. */
  get failures(): readonly string[] {
    return this.#failures;
  }

  start(
    program: Program,
    settingsOf: (name: string) => object,
    { launcher, nodeOptions = [], onDeath }: StartOptions = {},
  ): Member {
    this.#started += 1;
    const name = `${program.split('-')[0]}-${this.#started}`;
    const file = join(import.meta.dirname, `${program}.ts`);
    const child = fork(file, [JSON.stringify(settingsOf(name))], {
      ...launcher,
      execArgv: [
        ...(launcher?.execArgv ?? []),
        '--disable-warning=ExperimentalWarning',
        ...nodeOptions,
      ],
      // What V8 has to say about a memory that is used up is long, and known.
      ...(onDeath === undefined ? {} : { stdio: ['ignore', 'inherit', 'ignore', 'ipc'] as const }),
      // Not the options of a test runner.
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    const ready = new Promise<void>((resolve, reject) => {
      child.once('message', () => resolve());
      child.once('error', reject);
      child.once('exit', () => resolve());
    });
    const ended = new Promise<string | number>((resolve) => {
      child.once('exit', (code, signal) => resolve(signal ?? code ?? 0));
    });
    const member = { name, child, ready, ended };
    this.members.add(member);
    void ended.then((how) => {
      this.members.delete(member);
      if (how === 0 || this.#planned.has(member)) return;
      if (onDeath !== undefined) onDeath(member, how);
      else if (how !== 'SIGKILL') this.#failures.push(`${name} ended by itself: ${how}`);
    });
    return member;
  }

  /** @throws Error when a process has ended that nobody had ended: then waiting for it is in vain. */
  checkAlive(): void {
    if (this.#failures.length > 0) throw new Error(this.#failures.join('; '));
  }

  async kill(member: Member): Promise<void> {
    if (!this.members.has(member)) return;
    const gone = once(member.child, 'exit');
    this.#planned.add(member);
    member.child.kill('SIGKILL');
    await gone;
  }

  pause({ child }: Member): void {
    child.kill('SIGSTOP');
  }

  resume({ child }: Member): void {
    child.kill('SIGCONT');
  }

  /** Asks all to stop, and kills those that do not. */
  async stop(): Promise<void> {
    await Promise.all([...this.members].map((member) => this.#stop(member)));
  }

  async #stop(member: Member): Promise<void> {
    const { child, name } = member;
    const gone = once(child, 'exit');
    this.#planned.add(member);
    child.kill('SIGCONT');
    child.kill('SIGTERM');
    const timer = setTimeout(() => {
      this.#failures.push(`${name} did not stop within ${STOP_TIMEOUT_MS} ms`);
      child.kill('SIGKILL');
    }, STOP_TIMEOUT_MS);
    await gone;
    clearTimeout(timer);
  }
}
