import { RedriveError } from '@redrive/core';
import type { DocumentCollection } from '@redrive/durable/documents';

/** Names become parts of filters and updates, where `$` begins an operator and a dot leads into an object. */
export function checkNames({ name, fields }: DocumentCollection): void {
  const { read, created, ...own } = fields;
  const paths = [...(read === 'all' ? [] : read), ...(created === undefined ? [] : [created])];
  const bad = [
    ...Object.values(own).filter((field) => !isName(field) || field.includes('.')),
    ...paths.filter((path) => !path.split('.').every(isName)),
    ...(isName(name) && !name.startsWith('system.') ? [] : [name]),
  ];
  if (bad.length === 0) return;
  const list = bad.map((each) => JSON.stringify(each)).join(', ');
  throw new RedriveError(
    'invalid_option',
    `Collection ${JSON.stringify(name)} has names that MongoDB cannot use as a field or collection: ${list}. Use names without "$" and control characters; only fields to read may have dots`,
    { collection: name },
  );
}

/** Without `$` anywhere and without control characters. */
function isName(name: unknown): boolean {
  return (
    typeof name === 'string' && name !== '' && !/[$\p{Cc}]/u.test(name) && name !== '__proto__'
  );
}
