import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A copy in which bugs may be planted, with what was built before. */
export class RepositoryCopy {
  readonly root: string;
  readonly #from: string;

  constructor(from: string) {
    this.#from = from;
    this.root = mkdtempSync(join(tmpdir(), 'redrive-mutants-'));
    const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
      cwd: from,
      encoding: 'utf8',
    });
    for (const file of files.split('\0').filter((name) => name !== '')) this.#copy(file);
    for (const name of readdirSync(join(from, 'packages'))) this.#copy(`packages/${name}/dist`);
    this.#linkModules();
  }

  remove(): void {
    rmSync(this.root, { recursive: true });
  }

  #copy(path: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    // Times too: then only what was changed is built again.
    cpSync(join(this.#from, path), join(this.root, path), {
      recursive: true,
      preserveTimestamps: true,
    });
  }

  /** Everything that is installed, but our own packages are those of the copy. */
  #linkModules(): void {
    const own = join(this.root, 'node_modules');
    mkdirSync(join(own, '@redrive'), { recursive: true });
    for (const name of readdirSync(join(this.#from, 'node_modules'))) {
      if (name === '@redrive') continue;
      symlinkSync(join(this.#from, 'node_modules', name), join(own, name));
    }
    for (const name of readdirSync(join(this.#from, 'node_modules/@redrive'))) {
      symlinkSync(join(this.root, 'packages', name), join(own, '@redrive', name));
    }
  }
}
