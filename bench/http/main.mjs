// What clients that retry do with a failed request. No speed is measured: a server fails on purpose, and counts.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installedVersions } from '../lib/machine.mjs';
import { cases } from './cases.mjs';
import { clients, packages } from './clients.mjs';

const RESULTS = new URL('../results/http.md', import.meta.url);
const child = fileURLToPath(new URL('./child.mjs', import.meta.url));

export async function main() {
  const names = Object.keys(cases);
  const lines = [`| | ${names.join(' | ')} |`, `|---${'|---'.repeat(names.length)}|`];
  for (const client of Object.keys(clients)) {
    const cells = [];
    for (const name of names) cells.push(textOf(await observe(client, name)));
    lines.push(`| ${client} | ${cells.join(' | ')} |`);
    console.log(lines.at(-1));
  }
  const versions = Object.entries(installedVersions(packages));
  const about = `Node ${process.versions.node}, ${versions.map((each) => each.join(' ')).join(', ')}. Three attempts at most, all other options as they are by default.`;
  writeFileSync(
    RESULTS,
    `# Failed requests, and what clients do with them\n\n${about}\n\n${lines.join('\n')}\n`,
  );
  console.error('Written to bench/results/http.md');
}

async function observe(client, name) {
  const { stdout } = await promisify(execFile)(process.execPath, [child, client, name]);
  return JSON.parse(stdout);
}

function textOf({ requests, waitsMs, outcome }) {
  const count = requests === 1 ? '1 request' : `${requests} requests`;
  const longest = Math.round(Math.max(0, ...waitsMs) / 1_000).toLocaleString('en-US');
  return `${count}, ${outcome === 'still waiting' ? `then waits ${longest} s` : outcome}`;
}
