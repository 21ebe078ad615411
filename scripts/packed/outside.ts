import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '../..');

/** The newest Node when the tools were last raised. */
export const NEWEST_NODE = '26.10.0';

/** The oldest Node that a package's engines allow: `>=22.18` is 22.18.0, `^22.22.3 || …` is 22.22.3. */
export function oldestNodeOf(folder: string): string {
  const { engines } = JSON.parse(
    readFileSync(join(root, `packages/${folder}/package.json`), 'utf8'),
  );
  const [major = '', minor = '0', patch = '0'] = /[\d.]+/.exec(engines.node)?.[0].split('.') ?? [];
  return `${major}.${minor}.${patch}`;
}

export interface Finished {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Ended {
  readonly status: number | null;
  /** What it printed since the last `nextLine`. */
  readonly lines: readonly string[];
}

/** A program that was started. */
export interface Running {
  /** The next line that it prints. */
  nextLine(): Promise<string>;
  /** Waits until it ends by itself. */
  end(): Promise<Ended>;
  /** Ends it as SIGTERM does. */
  stop(): Promise<Ended>;
  /** Ends it as `kill -9` does. */
  kill(): Promise<void>;
}

/** A project of examples/ with the tarballs, in a directory outside the repository. */
export class OutsideProject {
  readonly #directory = mkdtempSync(join(tmpdir(), 'redrive-packed-'));
  readonly directory = join(this.#directory, 'project');
  readonly tarballs: readonly string[];
  #tools: string | undefined;
  readonly #running = new Set<ChildProcess>();

  constructor(example = 'project') {
    this.tarballs = packed();
    cpSync(join(root, 'examples', example), this.directory, { recursive: true });
    // Prisma's scripts download programs that no example needs.
    npm(this.directory, ['install', '--ignore-scripts', ...this.tarballs]);
  }

  /** Installed for those who ask: few tests need another Node. */
  get tools(): string {
    if (this.#tools !== undefined) return this.#tools;
    this.#tools = join(this.#directory, 'tools');
    cpSync(join(import.meta.dirname, 'tools'), this.#tools, { recursive: true });
    // Five packages have a program called node, so none is linked.
    npm(this.#tools, ['ci', '--no-bin-links', '--ignore-scripts']);
    return this.#tools;
  }

  /** The program of that version. There are packages for one platform only: elsewhere it is the Node of the repository. */
  node(version: string): string {
    if (process.platform !== 'linux' || process.arch !== 'x64') return process.execPath;
    return join(this.tools, `node_modules/node-${version}-linux-x64/bin/node`);
  }

  run(node: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Finished {
    const { status, stdout, stderr, error } = spawnSync(node, args, {
      cwd: this.directory,
      env: this.#env(node, env),
      encoding: 'utf8',
      timeout: 300_000,
    });
    if (error) throw error;
    return { status, stdout, stderr };
  }

  /** A program of node_modules/.bin, on that Node. */
  bin(node: string, name: string, args: readonly string[], env = {}): Finished {
    return this.run(node, [join(this.directory, 'node_modules/.bin', name), ...args], env);
  }

  start(
    node: string,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Running {
    const child = spawn(node, args, {
      cwd: this.directory,
      env: this.#env(node, env),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#running.add(child);
    const reader = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const ended = once(child, 'close');
    const end = async () => {
      const lines: string[] = [];
      for (let line = await reader.next(); !line.done; line = await reader.next()) {
        lines.push(line.value);
      }
      await ended;
      this.#running.delete(child);
      return { status: child.exitCode, lines };
    };
    return {
      end,
      async nextLine() {
        const { value, done } = await reader.next();
        if (done) throw new Error(`${args.join(' ')} has ended`);
        return value;
      },
      stop: async () => {
        child.kill('SIGTERM');
        return end();
      },
      kill: async () => {
        child.kill('SIGKILL');
        await ended;
        this.#running.delete(child);
      },
    };
  }

  remove(): void {
    for (const child of this.#running) child.kill('SIGKILL');
    rmSync(this.#directory, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Without the settings of the test run and of npm. */
  #env(node: string, env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
    const path = [dirname(node), process.env.PATH].join(delimiter);
    return { PATH: path, HOME: this.#directory, TMPDIR: tmpdir(), ...env };
  }
}

let tarballs: readonly string[] | undefined;

/** One pack serves all projects of a test file. */
function packed(): readonly string[] {
  if (tarballs === undefined) {
    npm(root, ['run', 'pack']);
    tarballs = globSync(join(root, 'packed/*.tgz')).sort();
  }
  return tarballs;
}

function npm(cwd: string, args: readonly string[]): void {
  const { status, stderr, stdout } = spawnSync('npm', args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed:\n${stdout}${stderr}`);
}
