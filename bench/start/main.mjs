import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { installedVersions, machineFacts } from '../lib/machine.mjs';
import { renderFacts, renderReport, renderSection, renderVerdict } from '../lib/report.mjs';
import { writeResults } from '../lib/results.mjs';
import { commands, firstJob, imports } from './measure.mjs';
import { openPlaces } from './places.mjs';
import { installRedrive } from './project.mjs';

const workloads = {
  'first-job': {
    title: 'Start to first job',
    about: `From the start of a process until the handler of a job that waits for it. The tables exist. Every contender
      runs as its documentation shows, with its defaults.`,
    measure: firstJob,
  },
  import: {
    title: 'Import',
    about:
      'A process that imports what the program above imports, and nothing else. Each contender imports its driver, too.',
    measure: imports,
  },
  commands: {
    title: 'Commands',
    about: 'Whole processes of command lines, from start to end, beside Node that runs nothing.',
    measure: commands,
  },
};
const names = Object.keys(workloads);
const usage = `usage: npm run bench -- start [--quick] [--only <workload>]...\nworkloads: ${names.join(', ')}`;

/** New processes of Redrive, from its tarballs, beside its peers. */
export async function main(args) {
  const options = { quick: { type: 'boolean' }, only: { type: 'string', multiple: true } };
  const { quick = false, only = names } = parseArgs({ args, options }).values;
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`no workload ${unknown.join(', ')}\n${usage}`);
  const rounds = quick ? 3 : 9;
  const machine = machineFacts();
  const notes = JSON.parse(readFileSync(new URL('./notes.json', import.meta.url), 'utf8'));
  const versions = installedVersions(['graphile-worker', 'pg-boss', 'bullmq', 'plainjob', 'pg']);
  const mode = quick ? 'Quick run: orders of magnitude only.' : `Full run: ${rounds} rounds.`;
  const facts = renderFacts({ machine, versions, mode });
  console.log(`${facts}\n`);
  console.error('packing and installing Redrive …');
  const project = await installRedrive();
  const places = await openPlaces();
  const sections = [];
  try {
    for (const name of only) {
      console.error(`measuring ${name} …`);
      const { title, about, measure } = workloads[name];
      const measured = await measure({ project, places, rounds });
      const section = { name, title, about, against: 'ratio', ...measured };
      console.log(`${renderSection(section, notes)}\n`);
      sections.push(section);
    }
  } finally {
    await places.close();
    await project.close();
  }
  console.log(renderVerdict(sections));
  if (quick || only.length < names.length)
    return console.error('Not written to bench/results: only a whole run is.');
  const title = 'Starts: new processes of Redrive and its peers';
  writeResults('start', renderReport({ title, facts, sections, notes }), {
    machine,
    versions,
    sections,
  });
}
