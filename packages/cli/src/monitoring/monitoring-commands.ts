import type { CommandGroup } from '../command/command-spec.ts';
import { JSON_OPTION } from '../command/common-options.ts';

const OPTIONS = [
  '--to <directory> | write files into this directory, and create it if it does not exist',
  '--force | replace files that exist',
];

const JSON_FIELDS = `
  files | list | the files that were written, with their paths
`;

const EXITS = {
  failed: 'a file cannot be written',
  refused: 'a file exists, and --force was not given',
  not_permitted: 'this user may not write the directory or a file',
} as const;

/** `redrive alerts …` */
export const ALERTS_COMMANDS: CommandGroup = {
  name: 'alerts',
  aliases: ['alert'],
  summary: 'alert rules for Prometheus, and routes for the Alertmanager',
  commands: [
    {
      name: 'export',
      summary: 'print the alert rules, or write them and the routes to a directory',
      args: [
        {
          name: '[file]',
          summary: 'rules or alertmanager; default rules, with --to both',
          choices: ['rules', 'alertmanager'],
        },
      ],
      options: [
        ...OPTIONS,
        '--grafana-url <url> | address of your Grafana in the links to dashboards; default http://localhost:3000',
        JSON_OPTION,
      ],
      details:
        'The rules are YAML for rule_files of Prometheus, the routes are a configuration of the Alertmanager. Replace the addresses of its receivers by your own. With --json and without --to it prints the same.',
      examples: [
        'redrive alerts export > retry_policy.yml',
        'redrive alerts export --to monitoring --grafana-url https://grafana.example.com',
      ],
      json: JSON_FIELDS,
      exits: EXITS,
      load: async () => (await import('./export.ts')).runAlertsExport,
    },
  ],
};

/** `redrive dashboards …` */
export const DASHBOARDS_COMMANDS: CommandGroup = {
  name: 'dashboards',
  aliases: ['dashboard'],
  summary: 'dashboards for Grafana',
  commands: [
    {
      name: 'export',
      summary: 'print a dashboard, or write all of them to a directory',
      args: [
        {
          name: '[dashboard]',
          summary: 'redrive or retry-policy-monitoring; default redrive, with --to both',
          choices: ['redrive', 'retry-policy-monitoring'],
        },
      ],
      options: [...OPTIONS, JSON_OPTION],
      details:
        'The JSON is for the import of Grafana, or for a directory from which Grafana provisions dashboards. With --json and without --to it prints the same.',
      examples: [
        'redrive dashboards export > redrive.json',
        'redrive dashboards export --to grafana/dashboards',
      ],
      json: JSON_FIELDS,
      exits: EXITS,
      load: async () => (await import('./export.ts')).runDashboardsExport,
    },
  ],
};
