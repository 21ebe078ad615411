import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { machineFacts, workspaceVersions } from '../lib/machine.mjs';
import { renderFacts, renderReport, renderSection, renderVerdict } from '../lib/report.mjs';
import { writeResults } from '../lib/results.mjs';
import { workloads } from './workloads.mjs';

const names = Object.keys(workloads);
const efforts = {
  full: {
    rounds: 9,
    requests: 20_000,
    batches: 300,
    letters: 1_000_000,
    reads: 300,
    jobs: 200_000,
  },
  quick: { rounds: 3, requests: 2_000, batches: 40, letters: 20_000, reads: 50, jobs: 2_000 },
};
const modes = {
  full: 'Full run: 9 rounds, 1,000,000 dead letters.',
  quick: 'Quick run, 20,000 dead letters: orders of magnitude only.',
};
const usage = `usage: npm run bench -- api [--quick] [--only <workload>]...\nworkloads: ${names.join(', ')}`;

/** The HTTP API beside what it stands on, in turns, with 64 clients in another process. */
export async function main(args) {
  const options = { quick: { type: 'boolean' }, only: { type: 'string', multiple: true } };
  const { quick = false, only = names } = parseArgs({ args, options }).values;
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`no workload ${unknown.join(', ')}\n${usage}`);
  const mode = quick ? 'quick' : 'full';
  const machine = machineFacts();
  const notes = JSON.parse(readFileSync(new URL('./notes.json', import.meta.url), 'utf8'));
  const versions = workspaceVersions(['fastify']);
  const facts = renderFacts({ machine, versions, mode: modes[mode] });
  console.log(`${facts}\n`);
  const folder = await mkdtemp(join(tmpdir(), 'redrive-bench-'));
  const sections = [];
  try {
    for (const name of only) {
      console.error(`measuring ${name} …`);
      const { title, about, measure } = workloads[name];
      const measured = await measure({ folder, effort: efforts[mode] });
      const section = { name, title, about, against: 'ratio', ...measured };
      console.log(`${renderSection(section, notes)}\n`);
      sections.push(section);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  console.log(renderVerdict(sections));
  if (quick || only.length < names.length)
    return console.error('Not written to bench/results: only a whole run is.');
  const title = 'The HTTP API beside what it stands on';
  writeResults('api', renderReport({ title, facts, sections, notes }), {
    machine,
    versions,
    sections,
  });
}
