import type { CommandSpec } from '../command/command-spec.ts';
import { ACCESS_FILE_OPTION } from '../command/common-options.ts';

export const SERVE_COMMAND: CommandSpec = {
  name: 'serve',
  summary: 'serve the console and the HTTP API',
  options: [
    '--port <port> | 0: any free port; default 9480',
    '--host <address> | the address to listen on; beyond loopback a token is needed; default 127.0.0.1',
    {
      flags: '--allow-host <name>',
      summary: 'a host name that requests may carry, besides loopback and --host; may be repeated',
      repeats: true,
    },
    '--secure | it stands behind TLS: cookies are sent over TLS only',
    ACCESS_FILE_OPTION,
  ],
  uses: 'store',
  details:
    'The first line is the address to open in a browser. On a terminal it has a code that signs an admin in, once, within ten minutes; "redrive console link" makes another one. There is no code where tokens exist or a trusted proxy is configured: people sign in with a token, or at the proxy. Programs use tokens ("redrive tokens create"). A worker serves the same with "redrive start --console". The configuration is read once, at the start. It ends at SIGTERM or Ctrl-C; requests that are under way may end within a second. The routes are in docs/reference/http-api.md, and at /v1/openapi.json.',
  examples: ['redrive serve', 'redrive serve --port 0 --json'],
  json: `
    url | text | where it listens
    link | text or null | the address to open, with a code that is good once; null: not on a terminal, beyond loopback, or there are tokens or a proxy
    access_file | text | the file with the hashes of tokens and sign-ins
  `,
  exits: {
    failed:
      'the configuration is not valid, the port is in use, the access file is not valid, or a token is missing',
  },
  load: async () => (await import('./serve.ts')).runServe,
};
