import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { machineFacts, workspaceVersions } from '../lib/machine.mjs';
import { renderFacts, renderReport, renderSection, renderVerdict } from '../lib/report.mjs';
import { writeResults } from '../lib/results.mjs';
import { brokers } from './brokers.mjs';
import { openPlaces } from './places.mjs';
import { workloads } from './workloads.mjs';

const names = Object.keys(workloads);
const brokerNames = Object.keys(brokers);

const efforts = {
  full: { rounds: 5, messages: 10_000, pings: 200, memory: 200_000 },
  quick: { rounds: 2, messages: 500, pings: 20, memory: 4_000 },
};

const modes = {
  full: 'Full run: 5 rounds of 10,000 events.',
  quick: 'Quick run: orders of magnitude only.',
};

const usage = `usage: npm run bench -- events [--quick] [--broker <broker>]... [--only <workload>]...
brokers: ${brokerNames.join(', ')}; workloads: ${names.join(', ')}`;

/** Each workload beside the raw client of the same broker, in the same run, in turns. */
export async function main(args) {
  const { quick, only, chosen } = readArguments(args);
  const machine = machineFacts();
  const kind = quick ? 'quick' : 'full';
  const notes = JSON.parse(readFileSync(new URL('./notes.json', import.meta.url), 'utf8'));
  const places = await openPlaces();
  try {
    const versions = workspaceVersions(['@nats-io/jetstream', 'amqplib', 'pg']);
    const facts = renderFacts({ machine, versions, mode: modes[kind] });
    console.log(`${facts}\n`);
    const sections = [];
    for (const broker of chosen) {
      console.error(`starting ${broker} …`);
      const open = await brokers[broker].start();
      try {
        for (const name of only) {
          console.error(`measuring ${name} on ${broker} …`);
          const { title, about, measure } = workloads[name];
          const measured = await measure({ broker: open, places, effort: efforts[kind] });
          const heading = `${brokers[broker].label}: ${title}`;
          const section = { name, title: heading, about, against: 'ratio', ...measured };
          console.log(`${renderSection(section, notes)}\n`);
          sections.push(section);
        }
      } finally {
        await open.stop();
      }
    }
    console.log(renderVerdict(sections));
    const isWhole = !quick && only.length === names.length && chosen.length === brokerNames.length;
    if (!isWhole) return console.error('Not written to bench/results: only a whole run is.');
    const title = 'Events: Redrive beside the raw clients of its brokers';
    const markdown = renderReport({ title, facts, sections, notes });
    writeResults('events', markdown, { machine, versions, sections });
  } finally {
    await places.close();
  }
}

function readArguments(args) {
  const options = {
    quick: { type: 'boolean' },
    only: { type: 'string', multiple: true },
    broker: { type: 'string', multiple: true },
  };
  const { quick = false, only = names, broker = brokerNames } = parseArgs({ args, options }).values;
  const unknown = [
    ...only.filter((name) => !names.includes(name)),
    ...broker.filter((name) => !brokerNames.includes(name)),
  ];
  if (unknown.length > 0) throw new Error(`no workload or broker ${unknown.join(', ')}\n${usage}`);
  return { quick, only, chosen: broker };
}
