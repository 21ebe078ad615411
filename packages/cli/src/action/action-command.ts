import { type ActionName, MANIFEST, type ManifestEntry } from '@redrive/operate/manifest';
import type {
  ArgumentSpec,
  CommandSpec,
  OptionEntry,
  OptionSpec,
} from '../command/command-spec.ts';
import { ACCESS_FILE_OPTION } from '../command/common-options.ts';
import { camel, nameOf, type Sugar } from './sugar.ts';

/** A command of an action: help, options and the documentation of its JSON come from the manifest. */
export function actionCommand(sugar: Sugar): CommandSpec {
  const entry: ManifestEntry = MANIFEST[sugar.action];
  const { action, args, options = [], summary = entry.summary, render, json, ...rest } = sugar;
  const { aliases, emergency, examples, name, pages, rows, streams, verdict } = rest;
  const exits = { ...entry.refusals, ...sugar.exits };
  // The store says where the access file is.
  const uses = entry.uses === 'config' ? 'config' : 'store';
  // A look is recorded in the store.
  const reads = entry.uses === undefined ? entry.reads : undefined;
  const details = sugar.details ?? entry.details;
  return {
    ...{ name, summary, uses, remote: true },
    ...(aliases && { aliases }),
    ...(emergency && { emergency }),
    ...(examples && { examples }),
    ...(pages && { pages }),
    ...(rows !== undefined && { rows }),
    ...(streams && { streams }),
    ...(verdict && { verdict }),
    ...(details !== undefined && { details }),
    ...(args && { args: args.map((each) => argumentOf(each, entry)) }),
    options: [
      ...options.map((each) => optionOf(each, sugar, entry)),
      ...(entry.uses === 'access' ? [ACCESS_FILE_OPTION] : []),
    ],
    ...(entry.acts && { acts: true }),
    ...(reads && { reads }),
    ...(Object.keys(exits).length > 0 && { exits }),
    json: sugar.jsonFields ?? (json === undefined ? entry.json : `${entry.json}\n${json}`),
    load: async () => {
      if (sugar.run) {
        const run = await sugar.run();
        return (invocation) => run(sugar, invocation);
      }
      const { runAction } = await import('./run-action.ts');
      if (render === undefined) throw new Error(`${name} has neither run nor render`);
      const renderer = await render();
      return (invocation) => runAction(sugar, renderer, invocation);
    },
  };
}

/** The lines of a manifest's JSON below a field: those of `records[].` without it. */
export function fieldsUnder(action: ActionName, path: string): string {
  const lines = MANIFEST[action].json.split('\n').filter((line) => line.startsWith(path));
  return lines.map((line) => line.slice(path.length)).join('\n');
}

/** The lines of a manifest's JSON, except those whose field matches. */
export function fieldsWithout(action: ActionName, left: RegExp): string {
  const lines = MANIFEST[action].json.split('\n');
  return lines.filter((line) => !left.test(line.replace(/ \|.*/, ''))).join('\n');
}

function argumentOf(
  { name, summary, choices }: NonNullable<Sugar['args']>[number],
  entry: ManifestEntry,
): ArgumentSpec {
  const field = entry.input.find((each) => each.name === nameOf(name));
  const values = choices ?? field?.choices;
  return { name, summary: summary ?? field?.summary ?? '', ...(values && { choices: values }) };
}

function optionOf(option: OptionEntry, { fields = {} }: Sugar, entry: ManifestEntry): OptionEntry {
  if (typeof option !== 'string' || option.includes(' | ')) return option;
  const [, flags = option, excluded] = /^(.+) \[not with (.+)\]$/.exec(option) ?? [];
  const word = /--([a-z-]+)/.exec(flags)?.[1] ?? '';
  const name = fields[camel(word)] ?? word.replaceAll('-', '_');
  const field = entry.input.find((each) => each.name === name);
  if (field === undefined) throw new Error(`${flags} is no field of ${entry.at}`);
  const spec: OptionSpec = { flags, summary: field.summary };
  return {
    ...spec,
    ...(field.choices && { choices: field.choices }),
    ...(field.repeats && { repeats: true }),
    ...(excluded !== undefined && { conflicts: excluded.split(', ') }),
  };
}
