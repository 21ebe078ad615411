import type { CommandGroup } from '../command/command-spec.ts';
import { under } from '../command/json-fields.ts';

/** A closed gate, under `at`. */
const GATE_FIELDS = `
  dependency | text | the dependency that is rate-limited
  credential | text or null | the credential that is rate-limited; null: all
  tenant | text or null | the tenant that is rate-limited; null: all
  until | time | when it opens by itself
  since | time | when it was closed
  cut | boolean | true: the Retry-After was longer than the hour that a gate may be closed
  parked | number | jobs that wait for it, counted up to 10,000
`;

export const GATE_COMMANDS: CommandGroup = {
  name: 'gates',
  aliases: ['gate'],
  summary: 'list dependencies that are rate-limited, and release their jobs early',
  commands: [
    {
      name: 'list',
      summary: 'list the closed gates, and when they open',
      uses: 'store',
      reads: 'metrics',
      rows: 'dependency, credential, tenant, opens, closed, parked, note',
      details:
        'When one attempt gets a Retry-After, the gate closes for all jobs with the same dependency, credential and tenant, in every process, for an hour at most.',
      examples: ['redrive gates list', 'redrive gates list --json'],
      json: `
        gates | list | by name; empty: none is closed
        ${under('gates[].', GATE_FIELDS)}
      `,
      load: async () => (await import('./gates.ts')).runGateList,
    },
    {
      name: 'release',
      summary: 'open the gates of a dependency now',
      args: [{ name: '<dependency>', summary: 'as "redrive gates list" names it' }],
      options: [
        '--credential <name> | only the gate of this credential',
        '--tenant <name> | only of this tenant',
      ],
      acts: true,
      uses: 'store',
      details:
        'The parked jobs are released at a growing pace. The next Retry-After closes the gate again.',
      examples: ["redrive gates release search --reason 'limit was raised'"],
      json: `
        released | list | the gates that were opened, or would be
        ${under('released[].', GATE_FIELDS)}
      `,
      exits: { no_match: 'no gate of that name is closed' },
      load: async () => (await import('./gates.ts')).runGateRelease,
    },
  ],
};
