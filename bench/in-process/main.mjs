import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { installedVersions, machineFacts } from '../lib/machine.mjs';
import { renderReport, renderSection } from '../lib/report.mjs';
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

const usage = `usage: npm run bench -- in-process [--quick] [--only <workload>]...
workloads: ${workloads.join(', ')}`;

export async function main(args) {
  const { quick, only } = readArguments(args);
  const machine = machineFacts();
  const versions = installedVersions();
  const notes = JSON.parse(readFileSync(new URL('./notes.json', import.meta.url), 'utf8'));
  const effort = quick ? efforts.quick : efforts.full;
  const sections = [];
  for (const name of workloads.filter((name) => only.length === 0 || only.includes(name))) {
    const { title, about, measure } = await import(`./workloads/${name}.mjs`);
    console.error(`measuring ${name} …`);
    const section = { name, title, about, results: await measure(effort[name]) };
    console.log(`${renderSection(section, notes)}\n`);
    sections.push(section);
  }

  const report = {
    title: 'In process: Redrive beside a hand-written loop and its peers',
    machine,
    versions,
    mode: quick ? 'Quick run: orders of magnitude only.' : 'Full run.',
    sections,
    notes,
  };
  const whole = !quick && only.length === 0;
  if (whole) writeResults('in-process', renderReport(report), report);
  else console.error('Not written to bench/results: only a full run of all workloads is.');
}

function readArguments(args) {
  const options = { quick: { type: 'boolean' }, only: { type: 'string', multiple: true } };
  const { quick = false, only = [] } = parseArgs({ args, options }).values;
  const unknown = only.filter((name) => !workloads.includes(name));
  if (unknown.length > 0) throw new Error(`no workload ${unknown.join(', ')}\n${usage}`);
  return { quick, only };
}
