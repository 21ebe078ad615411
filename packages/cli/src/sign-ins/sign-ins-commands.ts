import type { CommandGroup } from '../command/command-spec.ts';
import { ACCESS_FILE_OPTION, FILE_EXIT, FILE_PLACE } from '../command/common-options.ts';
import { under } from '../command/json-fields.ts';

const SIGN_IN_FIELDS = `
  id | text | for "redrive sign-ins revoke"
  name | text | who signed in: the name of the token, or local, by a link
  role | "viewer", "operator" or "admin" | what they may do
  from | text | the address of the browser
  token | text or null | the id of the token: the sign-in ends with it; null: by a link
  began | time | when they signed in
  expires | time | when it ends by itself: 12 hours later
`;

export const SIGN_INS_COMMANDS: CommandGroup = {
  name: 'sign-ins',
  aliases: ['sign-in'],
  summary: 'list and revoke sign-ins of the console',
  commands: [
    {
      name: 'list',
      summary: 'list who is signed in, the oldest first',
      options: [...FILE_PLACE],
      rows: 'id, name, role, from, token, began, expires',
      examples: ['redrive sign-ins list'],
      json: `
        sign_ins | list | the oldest first
        ${under('sign_ins[].', SIGN_IN_FIELDS)}
      `,
      exits: { failed: FILE_EXIT },
      load: async () => (await import('./sign-ins.ts')).runSignInList,
    },
    {
      name: 'revoke',
      summary: 'sign people out: from the next request on their browsers are refused',
      args: [{ name: '<sign-in>', summary: 'an id, or a name: all sign-ins of this name' }],
      options: [ACCESS_FILE_OPTION],
      acts: true,
      uses: 'store',
      details:
        'Streams end within 15 s. A sign-in by a token also ends when the token is revoked. The audit log has a record of it. It works also while the store does not answer; then a warning says that the record is missing.',
      examples: ['redrive sign-ins revoke local --reason stolen'],
      json: `
        sign_ins | list | those that ended
        ${under('sign_ins[].', SIGN_IN_FIELDS)}
        revoked | boolean | false: --dry-run
      `,
      exits: { failed: FILE_EXIT, no_match: 'there is no such sign-in' },
      load: async () => (await import('./sign-ins.ts')).runSignInRevoke,
    },
  ],
};
