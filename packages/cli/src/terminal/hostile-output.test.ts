import { expect, onTestFinished, test } from 'vitest';
import { commandsAbout, documentsOf, HOSTILE_CONFIG, storeOf } from '../testing/hostile-place.ts';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

/** A terminal obeys them: a title, colours, a cleared screen, a link, a reversed line, a bell, a copied text. */
const NAMES = [
  '\x1b]0;pwned\x07a',
  '\x1b[2J\x1b[31mred',
  '\x9b31mred\x9d0;title\x9c',
  '\x1b]8;;http://evil.example\x1b\\click\x1b]8;;\x1b\\',
  '\x1b]52;c;ZXZpbA==\x07',
  'line\r\nredrive: all is well\n',
  'abc\b\b\bxyz\x7f\x0b\x0c\u2028\u2029\u0085',
  '\u202egnp.exe\u2066\u200f\ufeff',
];
/** All but line breaks, and the carriage return of the progress. */
const OBEYED = /[^\P{Cc}\n\r]|[\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;

test.each(NAMES)(
  'no command prints what a terminal obeys, where everything is called %j',
  async (name) => {
    // A store refuses control characters in names; arguments and files may have them.
    const place = await storeOf(/\p{Cc}/u.test(name) ? 'plain' : name);
    const { store, clock } = place;
    const directory = scratchDirectory(onTestFinished, { 'redrive.yaml': HOSTILE_CONFIG });
    const documents = documentsOf(name);
    const bad: unknown[] = [];
    for (const args of commandsAbout(name, place)) {
      for (const option of [[], ['--json']]) {
        const stream = { isTTY: true, columns: 100 };
        const env = { NO_COLOR: '1' };
        const given = { store, clock, directory, documents, stream, env };
        const at = args.indexOf('--');
        const words =
          at < 0 ? [...args, ...option] : [...args.slice(0, at), ...option, ...args.slice(at)];
        const { stdout, stderr } = await runMain(words, given);
        const [found] = OBEYED.exec(stdout + stderr) ?? [];
        if (found !== undefined)
          bad.push([
            words,
            found,
            (stdout + stderr).split('\n').find((line) => line.includes(found)),
          ]);
      }
    }
    expect(bad).toEqual([]);
  },
);
