import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { listOf, textOf } from '../action/renderer.ts';
import { note, printLines, printText } from '../terminal/io.ts';
import { rateText } from '../terminal/parse-rate.ts';
import { columns } from '../terminal/table.ts';

type Tokens = AnswerOf<typeof ACTIONS.tokens.list>;

const COLUMNS = columns('id | name:cyan | role | tenant:optional | expires:optional | rate:right');

export const TOKEN_LIST = listOf<Tokens, Tokens['tokens'][number]>(() => ({
  name: 'tokens',
  columns: COLUMNS,
  row: ({ id, name, role, tenant, expires, rate }) => [
    ...[id, name, role, tenant ?? '', expires ?? '', rateText(rate)],
  ],
  none: 'There are no tokens. To create one: redrive tokens create --role viewer',
}));

export const TOKEN_CREATE = textOf<AnswerOf<typeof ACTIONS.tokens.create>>(
  ({ io, answer: { token, role } }) => {
    if (token === null) return printText(io, `A token with the role ${role} would be created.`);
    printLines(io, [token]);
    note(io, 'It is shown this once. Send it as "Authorization: Bearer <token>".');
  },
);

export const TOKEN_REVOKE = textOf<AnswerOf<typeof ACTIONS.tokens.revoke>>(
  ({ io, answer: { name, revoked } }) =>
    printText(io, `The token ${name} ${revoked ? 'is' : 'would be'} revoked.`),
);
