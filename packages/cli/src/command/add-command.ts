import { type Command, Option } from 'commander';
import { CliError, EXIT, type ExitCode } from '../terminal/exit-codes.ts';
import type { Io } from '../terminal/io.ts';
import type { CommandGroup, CommandSpec, Invocation, OptionSpec, Options } from './command-spec.ts';
import { exitsOf, optionsOf, SERVER_OPTIONS } from './common-options.ts';
import { inFull } from './resolve-words.ts';

/** Where a command leaves its exit code for `main`. */
export interface Ending {
  code: ExitCode;
  /** Its exit code is an answer that counts also when nobody reads the output. */
  isVerdict?: boolean;
}

/** Adds a group and its commands to the tree. */
export function addGroup(parent: Command, group: CommandGroup, io: Io, ending: Ending): void {
  const command = parent.command(group.name).description(group.summary).helpCommand(false);
  pointToHelp(command, `redrive ${group.name}`, 'for its commands');
  command.configureOutput({
    outputError: (text, write) => write(inFull(text, `redrive ${group.name}`)),
  });
  for (const spec of group.commands) addCommand(command, spec, io, ending, `redrive ${group.name}`);
}

/** Adds one command, with its help, to the tree. Its code is loaded when it runs. */
export function addCommand(
  parent: Command,
  spec: CommandSpec,
  io: Io,
  ending: Ending,
  prefix = 'redrive',
): void {
  const command = parent.command(spec.name).description(spec.summary);
  for (const { name, summary } of spec.args ?? []) command.argument(name, summary);
  const options = optionsOf(spec).map(optionOf);
  const longs = options.map(({ long }) => long);
  // "contexts add" has options of these names that mean something else.
  const places = SERVER_OPTIONS.map(optionOf).filter(({ long }) => !longs.includes(long));
  for (const option of options) command.addOption(option);
  for (const option of places) command.addOption(option.hideHelp());
  command.addHelpText('after', () => helpTail(spec, command, io.screen.columns));
  pointToHelp(command, `${prefix} ${spec.name}`, 'for what it takes');
  command.action(async () => {
    ending.isVerdict = spec.verdict === true;
    const path = `${prefix} ${spec.name}`.replace('redrive ', '');
    const given: Options = command.opts();
    if (!spec.remote) {
      const named = places.find((option) => given[option.attributeName()] !== undefined);
      refuseServer(path, spec, given, { env: io.env, named: named?.long ?? undefined });
    }
    const run = await spec.load();
    const options = spec.streams && given.jsonl ? { ...given, json: true } : given;
    const quiet = command.optsWithGlobals().quiet === true;
    const own = { io: quiet ? { ...io, quiet } : io, args: argsOf(command), options };
    const { reads, emergency } = spec;
    ending.code = (await run({ ...own, command: path, reads, emergency })) ?? EXIT.ok;
  });
}

/**
 * A command that only makes sense on this machine refuses options that name a server. It refuses variables that do, if it
 * would open a store of this machine instead; a command without a store (`completion`) does the same in any case.
 */
function refuseServer(
  path: string,
  { uses, onServer }: CommandSpec,
  { store, config }: Options,
  { env, named }: { readonly env: Io['env']; readonly named: string | undefined },
): void {
  const opens = uses === 'store' && store === undefined && config === undefined;
  const variable = ['REDRIVE_SERVER', 'REDRIVE_CONTEXT'].find((name) => opens && env[name]);
  if (named === undefined && variable === undefined) return;
  const message = `"redrive ${path}" runs on this machine only, not on a server.`;
  const here = named ? `Leave out ${named}.` : `${variable} is set: name a store with --store.`;
  throw new CliError('usage', message, onServer ?? here);
}

export function optionOf(spec: OptionSpec): Option {
  const { flags, summary, choices, conflicts = [], repeats, shared } = spec;
  const option = new Option(flags, summary).conflicts([...conflicts]);
  if (shared) option.helpGroup('Shared options:');
  if (choices !== undefined) option.choices(choices);
  if (!repeats) return option;
  // The parser of the choices, if there is one, checks each value before it is added.
  const { parseArg } = option;
  return option.argParser((value: string, before: readonly string[] = []) => {
    parseArg?.(value, undefined);
    return [...before, value];
  });
}

/** Optional arguments that were left out are dropped, and the rest of a variadic one is spread. */
function argsOf(command: Command): Invocation['args'] {
  // Commander has only texts and lists of texts here: no argument has a parser of its own.
  const given = command.processedArgs as readonly (string | readonly string[] | undefined)[];
  return given.flatMap((one) => one ?? []);
}

function pointToHelp(command: Command, path: string, why: string): void {
  command.showHelpAfterError(`Run "${path} --help" ${why}.`);
}

function helpTail(spec: CommandSpec, command: Command, columns: number): string {
  const { details, examples = [] } = spec;
  const parts: string[] = [];
  if (details !== undefined) parts.push(command.createHelp().boxWrap(details, columns));
  if (examples.length > 0)
    parts.push(['Examples:', ...examples.map((one) => `  ${one}`)].join('\n'));
  const codes = exitsOf(spec).map(([name, when]) => `  ${String(EXIT[name]).padStart(3)}  ${when}`);
  if (codes.length > 0) parts.push(['Exit codes:', '    0  done', ...codes].join('\n'));
  return parts.map((part) => `\n${part}`).join('\n');
}
