import { MANIFEST, type ManifestEntry } from '@redrive/operate/manifest';
import type {
  ArgumentSpec,
  CommandSpec,
  OptionEntry,
  OptionSpec,
} from '../command/command-spec.ts';
import { camel, nameOf, type Sugar } from './sugar.ts';

/** A command of an action: help, options and the documentation of its JSON come from the manifest. */
export function actionCommand(sugar: Sugar): CommandSpec {
  const entry: ManifestEntry = MANIFEST[sugar.action];
  const { action, args, options = [], summary = entry.summary, render, json, ...rest } = sugar;
  const { aliases, emergency, examples, name, pages, rows, verdict } = rest;
  const exits = { ...entry.refusals, ...sugar.exits };
  const { uses = 'store' } = entry;
  // A look is recorded in the store.
  const reads = uses === 'store' ? entry.reads : undefined;
  const details = sugar.details ?? entry.details;
  return {
    ...{ name, summary, uses, remote: true },
    ...(aliases && { aliases }),
    ...(emergency && { emergency }),
    ...(examples && { examples }),
    ...(pages && { pages }),
    ...(rows !== undefined && { rows }),
    ...(verdict && { verdict }),
    ...(details !== undefined && { details }),
    ...(args && { args: args.map((each) => argumentOf(each, entry)) }),
    options: options.map((each) => optionOf(each, sugar, entry)),
    ...(entry.acts && { acts: true }),
    ...(reads && { reads }),
    ...(Object.keys(exits).length > 0 && { exits }),
    json: json === undefined ? entry.json : `${entry.json}\n${json}`,
    load: async () => {
      const { runAction } = await import('./run-action.ts');
      const renderer = await render();
      return (invocation) => runAction(sugar, renderer, invocation);
    },
  };
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
    ...(excluded !== undefined && { conflicts: excluded.split(', ') }),
  };
}
