import type { Report } from './report.ts';

/** What is worth a place in the table of `docs/reference/reliability.md`, in this order, where a fault has it. */
const TOLD = [
  ...['kills', 'pauses', 'stalls', 'jumps', 'poisons', 'cases', 'images', 'trouble, ms'],
  ...['connections cut', 'server kills', 'syncs of the log', 'accepted', 'lost', 'not finished'],
  ...['acknowledged and missing', 'images that do not open', 'extra runs', 'leases lost'],
  ...['double effects in a transaction', 'effects outside after their record'],
  ...['effects outside again, cut before their record', 'ends refused', 'stale ends'],
  ...['tokens that did not rise', 'longest recovery, ms', 'early attempts'],
  ...['not ready after, ms', 'ready again after, ms', 'not ready, although only slow'],
  ...['healthy p99 without poison, ms', 'healthy p99 beside poison, ms', 'injected lines'],
  ...['injected into a terminal', 'audit', 'seconds'],
];

/** The reports as a table in Markdown, one line each. */
export function markdownTable(reports: readonly Report[]): string {
  return ['| fault | store | measured |', '|---|---|---|', ...reports.map(lineOf)].join('\n');
}

function lineOf({ fault, store, seed, figures, violations }: Report): string {
  const told = TOLD.filter((name) => figures[name] !== undefined).map(
    (name) => `${name}: ${figures[name]}`,
  );
  const memory = Object.keys(figures)
    .filter((name) => name.endsWith('memory, MiB'))
    .map((name) => Number.parseInt(String(figures[name]), 10));
  const most = memory.length === 0 ? [] : [`memory at most + ${Math.max(...memory)} MiB`];
  const wrong = violations.length === 0 ? 'no violations' : `**${violations.length} violations**`;
  const text = [`seed ${seed}`, ...told, ...most, wrong].join('; ').replaceAll('|', '\\|');
  return `| ${fault} | ${store} | ${text} |`;
}
