import type { CommandGroup } from '../command/command-spec.ts';
import { ACCESS_FILE_OPTION, FILE_EXIT, FILE_PLACE } from '../command/common-options.ts';
import { under } from '../command/json-fields.ts';

const TOKEN_FIELDS = `
  id | text | the middle part of the token
  name | text | who has it, in the audit log as api:<name>@<address>
  role | "viewer", "operator" or "admin" | what it may do
  tenant | text or null | it sees and changes jobs of this tenant only; null: of all
  expires | time or null | when it ends; null: when it is revoked
  rate | number | requests per second
`;

export const TOKENS_COMMANDS: CommandGroup = {
  name: 'tokens',
  aliases: ['token'],
  summary: 'create, list and revoke tokens of the HTTP API',
  commands: [
    {
      name: 'create',
      summary: 'create a token, and print it this once',
      options: [
        '--role <role> | what it may do; must be given [one of viewer, operator, admin]',
        "--name <name> | who has it, for the audit log; default: the token's id",
        '--tenant <name> | it sees and changes jobs of this tenant only',
        '--expires <time> | when it ends: 2027-01-31T08:00:00Z or +30d; default: never',
        '--rate <rate> | requests per second, such as 50/s; default 50/s',
        ACCESS_FILE_OPTION,
      ],
      acts: true,
      uses: 'store',
      details:
        'The audit log has a record of it before the token exists. The access file has a hash of the token, so nobody can read the token from it. A running server takes a new token at once, if it uses the same file: "redrive serve" prints its path.',
      examples: [
        'redrive tokens create --role viewer --name grafana',
        'redrive tokens create --role operator --tenant acme --expires +30d --rate 10/s',
      ],
      json: `
        token | text or null | for "Authorization: Bearer <token>"; null: --dry-run
        ${TOKEN_FIELDS}
      `,
      exits: { failed: FILE_EXIT, conflict: 'another token has the name' },
      load: async () => (await import('./tokens.ts')).runTokenCreate,
    },
    {
      name: 'list',
      summary: 'list the tokens',
      options: [...FILE_PLACE],
      rows: 'id, name, role, tenant, expires, rate',
      examples: ['redrive tokens list'],
      json: `
        tokens | list | the oldest first
        ${under('tokens[].', TOKEN_FIELDS)}
      `,
      exits: { failed: FILE_EXIT },
      load: async () => (await import('./tokens.ts')).runTokenList,
    },
    {
      name: 'revoke',
      summary: 'revoke a token: from the next request on it is refused',
      args: [{ name: '<token>', summary: 'its id or its name' }],
      options: [ACCESS_FILE_OPTION],
      acts: true,
      uses: 'store',
      details:
        'The audit log has a record of it. A token is revoked also while the store does not answer; then a warning says that the record is missing.',
      examples: ['redrive tokens revoke grafana'],
      json: `
        ${TOKEN_FIELDS}
        revoked | boolean | false: --dry-run
      `,
      exits: { failed: FILE_EXIT, no_match: 'there is no such token' },
      load: async () => (await import('./tokens.ts')).runTokenRevoke,
    },
  ],
};
