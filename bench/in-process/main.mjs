import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { installedVersions, machineFacts } from '../lib/machine.mjs';
import { renderFacts, renderReport, renderSection, renderVerdict } from '../lib/report.mjs';
import { writeResults } from '../lib/results.mjs';
import { efforts } from './effort.mjs';

const workloads = [
  'success',
  'fail-twice',
  'guarded',
  'waiting-heap',
  'waiting-lateness',
  'million',
  'bundle',
];

const contenders = [
  '@redrive/core',
  '@lifeomic/attempt',
  'async-retry',
  'cockatiel',
  'effect',
  'esbuild',
  'exponential-backoff',
  'mollitia',
  'opossum',
  'p-retry',
];

const usage = `usage: npm run bench -- in-process [--quick] [--only <workload>]...
workloads: ${workloads.join(', ')}`;

export async function main(args) {
  const { quick, only } = readArguments(args);
  const notes = JSON.parse(readFileSync(new URL('./notes.json', import.meta.url), 'utf8'));
  const machine = machineFacts();
  const versions = installedVersions(contenders);
  const mode = quick ? 'Quick run: orders of magnitude only.' : 'Full run.';
  const facts = renderFacts({ machine, versions, mode });
  console.log(`${facts}\n`);

  const effort = quick ? efforts.quick : efforts.full;
  const sections = [];
  for (const name of workloads.filter((name) => only.length === 0 || only.includes(name))) {
    console.error(`measuring ${name} …`);
    const { title, about, measure } = await import(`./workloads/${name}.mjs`);
    const section = { name, title, about, results: await measure(effort[name]) };
    console.log(`${renderSection(section, notes)}\n`);
    sections.push(section);
  }
  console.log(renderVerdict(sections));

  const isWhole = !quick && only.length === 0;
  if (!isWhole) return console.error('Not written to bench/results: only a full run is.');
  const title = 'In process: Redrive beside a hand-written loop and its peers';
  const markdown = renderReport({ title, facts, sections, notes });
  writeResults('in-process', markdown, { machine, versions, sections });
}

function readArguments(args) {
  const options = { quick: { type: 'boolean' }, only: { type: 'string', multiple: true } };
  const { quick = false, only = [] } = parseArgs({ args, options }).values;
  const unknown = only.filter((name) => !workloads.includes(name));
  if (unknown.length > 0) throw new Error(`no workload ${unknown.join(', ')}\n${usage}`);
  return { quick, only };
}
