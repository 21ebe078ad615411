import { LEASES_UNTIL_TAKEN, MAX_SUSPECTS } from '@redrive/durable/store';
import { sessionSetting } from '../connect/session-settings.ts';
import type { FastPaths } from '../fast-paths.ts';
import { SQL_TEXTS } from './sql-texts.ts';

/** Files of `sql/` that are written by hand. They are in the package as a module: a bundle has no other files. */
export type SqlFile = keyof typeof SQL_TEXTS;

/** A name behind the schema's, or a setting or a lock that has the schema's name in it; and a number with its name. */
const PLACES = /'redrive\.(\w+)_redrive'|'redrive (\w+)'|\bredrive\.|\d+ \/\* (\w+) \*\//g;

/**
 * The functions of a file. The file is valid SQL for the schema `redrive`. Another schema's quoted name is put in its place,
 * and the numbers with a name (`8` with `cursorJobs` in a comment) are those of the code.
 */
export function sqlFile(file: SqlFile): (s: string, fastPaths: FastPaths) => string {
  return (s, fastPaths) => {
    const numbers = numbersOf(fastPaths);
    return SQL_TEXTS[file].replace(
      PLACES,
      (found, setting?: string, lock?: string, number?: string) => {
        if (setting !== undefined) return `'${sessionSetting(setting, s)}'`;
        if (lock !== undefined) return `'${s.replaceAll('"', '')} ${lock}'`;
        return number === undefined ? `${s}.` : String(numbers[number] ?? found);
      },
    );
  };
}

/** The numbers that a file may have, by their names. */
export function numbersOf(fastPaths: FastPaths): Readonly<Record<string, number>> {
  return { ...fastPaths, LEASES_UNTIL_TAKEN, MAX_SUSPECTS };
}
