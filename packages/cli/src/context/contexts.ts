import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { commandText } from '@redrive/core/fields';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { printJson, printText } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { columns, printList } from '../terminal/table.ts';
import {
  type Context,
  checkServer,
  known,
  NAME,
  readContexts,
  writeContexts,
} from './context-file.ts';

const MAX_CONTEXTS = 100;

export const runContextAdd: RunCommand = (invocation) => {
  const { io, args, options } = invocation;
  const [name = ''] = args;
  if (!NAME.test(name)) {
    const hint = 'A name has letters, digits, ".", "_" and "-", 63 at most.';
    throw new CliError('usage', `This is no name of a context: ${printable(name)}`, hint);
  }
  const server = textOption(options, 'server') ?? '';
  checkServer(server);
  const { current, all } = readContexts(io);
  if (all.has(name) && options.yes !== true) {
    throw new CliError('conflict', `The context ${name} exists.`, 'To replace it, add --yes.');
  }
  if (all.size >= MAX_CONTEXTS && !all.has(name)) {
    throw new CliError('failed', `There are ${MAX_CONTEXTS} contexts. Remove one first.`);
  }
  const token_file = fileOption(invocation, 'tokenFile');
  const ca_file = fileOption(invocation, 'caFile');
  const context = { server, ...(token_file && { token_file }), ...(ca_file && { ca_file }) };
  writeContexts(io, { current, all: new Map(all).set(name, context) });
  if (token_file && process.platform !== 'win32' && (statSync(token_file).mode & 0o077) !== 0) {
    io.stderr(`Other users can read the token: ${commandText`chmod 600 ${token_file}`}\n`);
  }
  if (options.json) printJson(io, documentOf(name, context, current));
  else {
    const use = commandText`redrive context use ${name}`;
    printText(io, `The context ${name} is added. To use it: ${use}`);
  }
};

export const runContextUse: RunCommand = ({ io, args, options }) => {
  const [name] = args;
  if ((name === undefined) !== (options.none === true)) {
    throw new CliError('usage', 'Name a context, or give --none to work on stores again.');
  }
  const { all } = readContexts(io);
  const context = name === undefined ? undefined : known(all, name);
  writeContexts(io, { current: name, all });
  if (options.json) printJson(io, { current: name ?? null, server: context?.server ?? null });
  else if (context === undefined) printText(io, 'No context is used.');
  else printText(io, `Commands run on ${context.server} from now on.`);
};

export const runContextRemove: RunCommand = ({ io, args, options }) => {
  const [name = ''] = args;
  const { current, all } = readContexts(io);
  const context = known(all, name);
  const rest = new Map(all);
  rest.delete(name);
  writeContexts(io, { current: current === name ? undefined : current, all: rest });
  if (options.json) printJson(io, documentOf(name, context, current));
  else printText(io, `The context ${name} is removed.`);
};

const COLUMNS = columns('name:cyan | current | server | token_file:optional | ca_file:optional');

export const runContextList: RunCommand = (invocation) => {
  const { current, all } = readContexts(invocation.io);
  printList(invocation, {
    name: 'contexts',
    items: [...all].map(([name, context]) => documentOf(name, context, current)),
    document: (item) => item,
    columns: COLUMNS,
    row: (item) => {
      const is = item.current ? 'current' : '';
      return [item.name, is, item.server, item.token_file ?? '', item.ca_file ?? ''];
    },
    none: 'There are no contexts. To add one: redrive context add prod --server https://…',
  });
};

function documentOf(name: string, context: Context, current: string | undefined) {
  const { server, token_file = null, ca_file = null } = context;
  return { name, server, token_file, ca_file, current: name === current };
}

/** Absolute, because a context is used from every directory. */
function fileOption({ io, options }: Invocation, name: string): string | undefined {
  const given = textOption(options, name);
  if (given === undefined) return undefined;
  const file = resolve(io.directory, given);
  try {
    accessSync(file, constants.R_OK);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CliError('failed', `The file cannot be read: ${why}`);
  }
  return file;
}
