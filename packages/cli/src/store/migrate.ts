import { maskUrls } from '@redrive/config';
import type { RunCommand } from '../command/command-spec.ts';
import { findStore } from '../config/configured-store.ts';
import { printJson, printText } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { planStoreAt, type StorePlan } from './open-store.ts';

export const runStoreMigrate: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const url = await findStore(invocation);
  const plan = await planStoreAt(url, io.directory);
  const { from, to, sql } = plan;
  const dry = options.dryRun === true;
  const name = maskUrls(url);
  const changed = !dry && from < to;
  if (changed) {
    const store = await io.openStore(url, true);
    try {
      await store.migrate();
    } finally {
      await store.close();
    }
  }
  if (options.json) {
    const shown = dry ? (sql ?? null) : null;
    printJson(io, { store: name, from, to, changed, sql: shown, dry_run: dry });
  } else if (dry && sql) {
    // As it is: it goes to psql.
    io.stdout(sql);
    const text = `${planText(name, plan)} Nothing was done. With a role that owns the schema: psql -v ON_ERROR_STOP=1 -f FILE`;
    io.stderr(`${printable(text)}\n`);
  } else {
    printText(io, dry || !changed ? planText(name, plan) : doneText(name, plan));
  }
};

function planText(name: string, { from, to }: StorePlan): string {
  if (from >= to) return `${name} is up to date: its tables have version ${from}.`;
  return from === 0
    ? `${name} does not exist: its tables would get version ${to}.`
    : `${name} would be brought from version ${from} to ${to}.`;
}

function doneText(name: string, { from, to }: StorePlan): string {
  return from === 0
    ? `${name} was created: its tables have version ${to}.`
    : `${name} was brought from version ${from} to ${to}.`;
}
