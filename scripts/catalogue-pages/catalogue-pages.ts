import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = dirname(dirname(import.meta.dirname));
const LEVELS = ['error', 'warn', 'info'];

/** The module with the log events, notices and reason codes of the catalogue, made from the pages that explain them. */
export function catalogueOfPages(): string {
  const log = read('worker-log.md');
  const events = rowsBelow('event', log).flatMap((cells) => {
    // A line with two levels has the graver one when something is wrong.
    const level = LEVELS.find((each) => cells[1]?.includes(each)) ?? '';
    return namesIn(cells[0]).map((name) => eventText(name, level, meaningOf(cells)));
  });
  const notices = rowsBelow('kind', log).flatMap(([kinds]) => namesIn(kinds));
  const reasons = rowsBelow('reason', read('reason-codes.md')).flatMap((cells) =>
    namesIn(cells[0]).map((name) => property(name, meaningOf(cells), 2)),
  );
  return [
    HEAD,
    `export const LOG_EVENTS: readonly LogEventEntry[] = [\n${events.join('\n')}\n];\n`,
    `export const NOTICES: readonly string[] = [\n${notices.map((name) => `  ${quoted(name)},`).join('\n')}\n];\n`,
    `export const REASON_CODES: Readonly<Record<ReasonCode, string>> = {\n${reasons.join('\n')}\n};\n`,
  ].join('\n');
}

const HEAD = `// Made from docs/reference/worker-log.md and reason-codes.md by \`npx vitest run scripts/catalogue-pages.test.ts -u\`.
import type { ReasonCode } from '@redrive/core';
import type { LogEventEntry } from './metric.ts';
`;

function read(page: string): string {
  return readFileSync(join(root, 'docs/reference', page), 'utf8');
}

/** The cells of all tables with this heading. */
function rowsBelow(heading: string, page: string): string[][] {
  const tables = page.matchAll(
    new RegExp(`^\\| ${heading} \\|.*\\n\\|-.*\\n((?:\\|.*\\n)+)`, 'gm'),
  );
  const rows = [...tables].flatMap(([, body = '']) => body.trimEnd().split('\n'));
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

function namesIn(cell = ''): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

/** The last cell without links, and without the word that says that nobody has to do anything. */
function meaningOf(cells: readonly string[]): string {
  return (cells.at(-1) ?? '').replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replace(/^Nothing\. /, '');
}

function eventText(name: string, level: string, meaning: string): string {
  const lines = [property('name', name, 4), property('level', level, 4)];
  return ['  {', ...lines, property('meaning', meaning, 4), '  },'].join('\n');
}

/** As the formatter writes it: a value that does not fit has a line of its own. */
function property(name: string, value: string, indent: number): string {
  const blanks = ' '.repeat(indent);
  const line = `${blanks}${name}: ${quoted(value)},`;
  return line.length <= 100 ? line : `${blanks}${name}:\n${blanks}  ${quoted(value)},`;
}

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  return `${quote}${text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)}${quote}`;
}
