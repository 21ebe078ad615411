import { mkdirSync, writeFileSync } from 'node:fs';
import { judge } from './goals.mjs';

const folder = new URL('../results/', import.meta.url);

/** Writes a run as Markdown for people and as JSON for whoever compares runs. */
export function writeResults(name, markdown, { machine, versions, sections }) {
  const workloads = sections.map(({ name, title, results }) => ({
    name,
    title,
    results: results.map((result) => ({ ...result, ...judge(result) })),
  }));
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(`${name}.md`, folder), markdown);
  const json = JSON.stringify({ machine, versions, workloads }, null, 2);
  writeFileSync(new URL(`${name}.json`, folder), `${json}\n`);
  console.error(`Written to bench/results/${name}.md and .json`);
}
