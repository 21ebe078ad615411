import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { installedVersions, machineFacts } from '../lib/machine.mjs';
import { renderFacts, renderReport, renderSection, renderVerdict } from '../lib/report.mjs';
import { writeResults } from '../lib/results.mjs';
import { efforts } from './effort.mjs';
import { openServices } from './measure/services.mjs';

const workloads = [
  'sqlite-enqueue',
  'sqlite-enqueue-256',
  'sqlite-process',
  'telemetry',
  'postgres-enqueue',
  'postgres-process',
  'fail-twice',
  'idle-latency',
  'claim-cost',
  'held-transaction',
  'idle',
  'memory',
];

const peers = ['plainjob', 'pg-boss', 'graphile-worker', 'bullmq', 'ioredis', 'pg'];

/** How many rounds there are of each size, in words. */
function described(effort) {
  const sizes = Object.values(effort).flatMap(({ sizes = [] }) => sizes);
  const texts = [...Map.groupBy(sizes, ({ jobs }) => jobs)].map(([jobs, all]) => {
    const rounds = all.map((size) => size.rounds);
    const times = [...new Set([Math.min(...rounds), Math.max(...rounds)])].join(' to ');
    return `${times} rounds of ${jobs.toLocaleString('en-US')} jobs`;
  });
  return texts.join(', ');
}

const modes = {
  full: `Full run: ${described(efforts.full)}.`,
  brief: `Brief run: ${described(efforts.brief)}. Read its quartiles as the range that was seen.`,
  quick: 'Quick run: orders of magnitude only.',
};

const usage = `usage: npm run bench -- jobs [--quick | --brief] [--only <workload>]...
workloads: ${workloads.join(', ')}`;

export async function main(args) {
  const { quick, brief, only } = readArguments(args);
  const notes = JSON.parse(readFileSync(new URL('./notes.json', import.meta.url), 'utf8'));
  const machine = machineFacts();
  const kind = (quick && 'quick') || (brief && 'brief') || 'full';
  const mode = modes[kind];
  const effort = efforts[kind];
  const services = await openServices();
  try {
    const versions = { ...installedVersions(peers), ...(await services.versions()) };
    const facts = renderFacts({ machine, versions, mode });
    console.log(`${facts}\n`);

    const sections = [];
    for (const name of workloads.filter((name) => only.length === 0 || only.includes(name))) {
      console.error(`measuring ${name} …`);
      const { title, about, measure } = await import(`./workloads/${name}.mjs`);
      const measured = await measure({ services, effort: effort[name], quick });
      const section = { name, title, about, against: 'ratio', ...measured };
      console.log(`${renderSection(section, notes)}\n`);
      sections.push(section);
    }
    console.log(renderVerdict(sections));

    const isWhole = !quick && only.length === 0;
    if (!isWhole) return console.error('Not written to bench/results: only a whole run is.');
    const title = 'Durable jobs: Redrive beside its peers and the limits of its databases';
    const markdown = renderReport({ title, facts, sections, notes });
    writeResults('jobs', markdown, { machine, versions, sections });
  } finally {
    await services.close();
  }
}

function readArguments(args) {
  const options = {
    quick: { type: 'boolean' },
    brief: { type: 'boolean' },
    only: { type: 'string', multiple: true },
  };
  const { quick = false, brief = false, only = [] } = parseArgs({ args, options }).values;
  const unknown = only.filter((name) => !workloads.includes(name));
  if (unknown.length > 0) throw new Error(`no workload ${unknown.join(', ')}\n${usage}`);
  return { quick, brief, only };
}
