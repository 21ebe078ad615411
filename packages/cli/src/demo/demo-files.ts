import { existsSync, lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../terminal/exit-codes.ts';

/** The store of the demo, and the shop's own database. */
export const DEMO_FILE = 'redrive-demo.db';
export const SHOP_FILE = 'redrive-demo-shop.db';
/** What SQLite and the console write beside a file. */
const BESIDE = ['', '-wal', '-shm', '-journal', '.access.json'];

/**
 * SQLite would create the file that a link names, wherever that is: in a directory that others may write, they choose it.
 *
 * @throws CliError
 */
export function refuseDanglingLinks(directory: string, files: readonly string[]): void {
  for (const file of files) {
    const path = join(directory, file);
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    if (!isLink || existsSync(path)) continue;
    const message = `${file} is a symbolic link to a file that does not exist.`;
    throw new CliError('refused', message, 'Remove the link, or name a store with --store.');
  }
}

/** Deletes what earlier demos left in this directory. */
export function deleteDemoFiles(directory: string): void {
  for (const file of [DEMO_FILE, SHOP_FILE]) {
    for (const ending of BESIDE) rmSync(join(directory, file + ending), { force: true });
  }
}
