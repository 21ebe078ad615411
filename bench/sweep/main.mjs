import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { machineFacts, workspaceVersions } from '../lib/machine.mjs';
import { renderFacts, renderReport, renderSection, renderVerdict } from '../lib/report.mjs';
import { writeResults } from '../lib/results.mjs';
import { databases } from './databases.mjs';
import { collectionOf } from './documents.mjs';
import { stopRabbitmq } from './end-to-end.mjs';
import { workloads } from './workloads.mjs';

const names = Object.keys(workloads);
const databaseNames = Object.keys(databases);
const SMALL = 10_000;

/** @param rounds of 100,000 stuck documents, which take the longest. */
const effortsWith = (rounds) => ({
  full: {
    ...{ total: 1_000_000, idle: 31, events: 10_000, rounds: 3, application: 100_000 },
    stuck: [
      { count: 1_000, rounds: 5 },
      { count: 100_000, rounds },
    ],
    memory: [1_000, 100_000],
  },
  brief: {
    ...{ total: 50_000, idle: 11, events: 2_000, rounds: 3, application: 5_000 },
    stuck: [
      { count: 1_000, rounds: 3 },
      { count: 5_000, rounds: 3 },
    ],
    memory: [5_000],
  },
});

const modesWith = (rounds) => ({
  full: `Full run: 1,000,000 documents; rounds with 100,000 stuck ones: ${rounds}.`,
  brief: 'Brief run, 50,000 documents: orders of magnitude only.',
});

const usage = `usage: npm run bench -- sweep [--brief] [--rounds <n>] [--database <database>]... [--only <workload>]...
databases: ${databaseNames.join(', ')}; workloads: ${names.join(', ')}`;

/** Each workload beside the bare driver of the same database, in the same run, in turns. */
export async function main(args) {
  const { brief, only, chosen, rounds } = readArguments(args);
  const machine = machineFacts();
  const mode = brief ? 'brief' : 'full';
  const notes = JSON.parse(readFileSync(new URL('./notes.json', import.meta.url), 'utf8'));
  const versions = workspaceVersions(['mongodb', 'pg', 'amqplib']);
  const facts = renderFacts({ machine, versions, mode: modesWith(rounds)[mode] });
  console.log(`${facts}\n`);
  const effort = effortsWith(rounds)[mode];
  const sections = [];
  try {
    for (const kind of chosen) sections.push(...(await measureOn(kind, only, effort, notes)));
  } finally {
    await stopRabbitmq();
  }
  console.log(renderVerdict(sections));
  const isWhole = only.length === names.length && chosen.length === databaseNames.length;
  if (brief || !isWhole) return console.error('Not written to bench/results: only a whole run is.');
  const title = 'Sweeps: Redrive beside the bare drivers of its databases';
  const markdown = renderReport({ title, facts, sections, notes });
  writeResults('sweep', markdown, { machine, versions, sections });
}

async function measureOn(kind, only, effort, notes) {
  const { label, open } = databases[kind];
  console.error(`filling ${kind} …`);
  const database = await open();
  const source = database.openSource();
  const sections = [];
  try {
    for (const [name, total] of [
      ['large', effort.total],
      ['small', SMALL],
    ]) {
      await database.fill(name, total);
      await source.prepare(collectionOf(name), { dryRun: false });
    }
    for (const name of only) {
      console.error(`measuring ${name} on ${kind} …`);
      const { title, about, measure } = workloads[name];
      const measured = await measure({ kind, database, source, effort });
      const heading = { name: `${kind}/${name}`, title: `${label}: ${title}`, about };
      const section = { ...heading, against: 'ratio', ...measured };
      console.log(`${renderSection(section, notes)}\n`);
      sections.push(section);
    }
  } finally {
    await source.close();
    await database.close();
  }
  return sections;
}

function readArguments(args) {
  const options = {
    brief: { type: 'boolean' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', multiple: true },
    database: { type: 'string', multiple: true },
  };
  const { values } = parseArgs({ args, options });
  const { brief = false, rounds, only = names, database = databaseNames } = values;
  const unknown = [
    ...only.filter((name) => !names.includes(name)),
    ...database.filter((name) => !databaseNames.includes(name)),
  ];
  if (unknown.length > 0)
    throw new Error(`no workload or database ${unknown.join(', ')}\n${usage}`);
  return { brief, only, chosen: database, rounds: Number(rounds) };
}
