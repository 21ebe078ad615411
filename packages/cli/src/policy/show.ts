import { fieldValues, policyDocument } from '@redrive/config/documents';
import type { RunCommand } from '../command/command-spec.ts';
import { loadConfig } from '../config/load-config.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { columns, tableLines } from '../terminal/table.ts';
import { findPolicy, subjectLines } from './find-policy.ts';
import { valueText } from './value-text.ts';

const COLUMNS = columns('field:cyan | value:shrinks | from:dim');

export const runShowPolicy: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const found = findPolicy(await loadConfig(invocation), args[0] ?? '');
  if (options.json) printJson(io, policyDocument(found));
  else {
    const rows = fieldValues(found.policy).map((value) => [
      value.field,
      valueText(value),
      value.where,
    ]);
    printLines(io, [
      ...subjectLines(io.screen, found),
      '',
      ...tableLines(io.screen, COLUMNS, rows),
    ]);
  }
};
