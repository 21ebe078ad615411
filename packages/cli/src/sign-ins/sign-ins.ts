import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { listOf, textOf } from '../action/renderer.ts';
import { printText } from '../terminal/io.ts';
import { columns } from '../terminal/table.ts';

type SignIns = AnswerOf<typeof ACTIONS.signIns.list>;

const COLUMNS = columns('id | name:cyan | role | from | token:optional | began | expires');

export const SIGN_IN_LIST = listOf<SignIns, SignIns['sign_ins'][number]>(() => ({
  name: 'sign_ins',
  columns: COLUMNS,
  row: ({ id, name, role, from, token, began, expires }) => [
    ...[id, name, role, from, token ?? '', began, expires],
  ],
  none: 'Nobody is signed in.',
}));

export const SIGN_IN_REVOKE = textOf<AnswerOf<typeof ACTIONS.signIns.revoke>>(
  ({ io, answer: { sign_ins, revoked } }) => {
    const count = sign_ins.length === 1 ? 'One sign-in' : `${sign_ins.length} sign-ins`;
    const names = [...new Set(sign_ins.map(({ name }) => name))].join(', ');
    const are = sign_ins.length === 1 ? 'is' : 'are';
    printText(io, `${count} of ${names} ${revoked ? are : 'would be'} revoked.`);
  },
);
