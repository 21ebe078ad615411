import { describe, expect, test } from 'vitest';
import { type Environment, type ScreenStream, screenOf } from './screen.ts';

const colourful: ScreenStream = { isTTY: true, columns: 90, hasColors: () => true };
const isColoured = (stream: ScreenStream, env: Environment) =>
  screenOf(stream, env).paint('red', 'no') === '\x1b[31mno\x1b[39m';

describe('colours', () => {
  test.each<[string, ScreenStream, Environment, boolean]>([
    ['a terminal that has them', colourful, {}, true],
    ['NO_COLOR', colourful, { NO_COLOR: '1' }, false],
    ['an empty NO_COLOR says nothing', colourful, { NO_COLOR: '' }, true],
    ['a terminal that has none', { isTTY: true, hasColors: () => false }, {}, false],
    ['a pipe, whatever it claims', { hasColors: () => true }, {}, false],
    ['a pipe with FORCE_COLOR', {}, { FORCE_COLOR: '1' }, true],
    ['FORCE_COLOR=0', colourful, { FORCE_COLOR: '0' }, false],
    ['both', colourful, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  ])('%s', (_, stream, env, expected) => {
    expect(isColoured(stream, env)).toBe(expected);
    if (!expected) expect(screenOf(stream, env).paint('red', 'no')).toBe('no');
  });
});

describe('columns', () => {
  test.each<[string, ScreenStream, Environment, number]>([
    ["a terminal's own", colourful, { COLUMNS: '50' }, 90],
    ['80 without a terminal', { columns: 20 }, {}, 80],
    ['COLUMNS without a terminal', {}, { COLUMNS: '132' }, 132],
    ['80 where COLUMNS is no number', {}, { COLUMNS: 'wide' }, 80],
    ['40 at least', { isTTY: true, columns: 3 }, {}, 40],
  ])('%s', (_, stream, env, expected) => {
    expect(screenOf(stream, env).columns).toBe(expected);
  });
});

describe('unicode', () => {
  test.each<[Environment, boolean]>([
    [{}, true],
    [{ LANG: 'en_GB.UTF-8' }, true],
    [{ LANG: 'C.utf8' }, true],
    [{ LANG: 'C' }, false],
    [{ LANG: 'en_GB.UTF-8', LC_ALL: 'POSIX' }, false],
    [{ LANG: 'C', LC_CTYPE: 'de_DE.UTF-8' }, true],
    [{ LANG: 'de_DE.ISO-8859-1', LC_ALL: '' }, false],
  ])('%j: %s', (env, expected) => {
    expect(screenOf({}, env).unicode).toBe(expected);
  });
});
