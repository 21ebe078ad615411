import { EXIT, EXIT_MEANINGS, type ExitName } from '../terminal/exit-codes.ts';
import type { CommandGroup, CommandSpec, OptionSpec } from './command-spec.ts';
import { GLOBAL_OPTIONS, optionsOf } from './common-options.ts';

/** `docs/reference/command-line.md`, from the tree of commands. A test compares the two. */
export function referencePage(tree: readonly (CommandGroup | CommandSpec)[]): string {
  const commands = tree.flatMap((each) =>
    'commands' in each
      ? each.commands.map((spec) => ({ path: `redrive ${each.name} ${spec.name}`, spec }))
      : [{ path: `redrive ${each.name}`, spec: each }],
  );
  const urgent = commands.filter(({ spec }) => spec.emergency).map(({ path }) => `\`${path}\``);
  return `${INTRODUCTION}- A configuration that is not valid stops no emergency command: ${urgent.join(', ')}. They use \`--store\`, \`REDRIVE_STORE\` or the store line of the broken file, and say so on stderr.

## Exit codes

${table(
  ['code', 'name', 'meaning'],
  exitNames().map((name) => [String(EXIT[name]), `\`${name}\``, EXIT_MEANINGS[name]]),
)}
The same for every command; a command lists the codes that it gives a meaning of its own.

## Shared options

These options mean the same in every command that has them; \`--quiet\` and \`--no-color\` are options of every command, and may also stand before it. A command lists its shared options by name.

${table(
  ['option', 'meaning'],
  sharedOptions(commands.map(({ spec }) => spec)).map(({ flags, summary }) => [
    `\`${flags}\``,
    summary,
  ]),
)}
## Commands

${table(
  ['command', 'what it does'],
  commands.map(({ path, spec }) => [`[\`${path}\`](#${anchorOf(path)})`, spec.summary]),
)}
${otherNames(tree)}
${commands.map(({ path, spec }) => section(path, spec)).join('\n')}`;
}

/** A sentence with every alias: `queue` is the same as `queues`. */
function otherNames(tree: readonly (CommandGroup | CommandSpec)[]): string {
  const names = tree.flatMap((each) => [
    ...namesOf(each, ''),
    ...('commands' in each ? each.commands.flatMap((spec) => namesOf(spec, `${each.name} `)) : []),
  ]);
  return `Other names for the same: ${names.join(', ')}.\n`;
}

function namesOf({ name, aliases = [] }: CommandGroup | CommandSpec, before: string): string[] {
  return aliases.map((alias) => `\`${before}${alias}\` is \`${before}${name}\``);
}

const INTRODUCTION = `# Command line

<!-- Made from the specifications of the commands in packages/cli/src: see reference-page.test.ts. -->

- Results go to stdout, messages to stderr, so that output can be piped and redirected.
- \`--json\` prints the result as JSON. Fields may be added in a later version; none is renamed or dropped. A command that fails prints \`{ "error": { "code", "message", "hint" } }\` on stderr instead of a sentence: \`code\` is the name of the exit code, \`hint\` may be \`null\`. What the parser of the command line refuses is reported in words all the same: an unknown command or option, a missing argument, a value that is none of those listed, options that exclude each other.
- The configuration is the file of \`--config\`, else of \`REDRIVE_CONFIG\`, else \`./redrive.yaml\`, else the presets alone. \`--verbose\` says which.
- What changes jobs, controls or a configuration takes \`--dry-run\`, which shows what would be done and does nothing; \`start\` and \`audit compress\` have none. \`config init\` does not write over a file without \`--yes\`; what a filter of \`dlq\` finds is acted on only with \`--confirm=<number>\` or \`--yes\`; \`kill engage all\` wants \`--confirm=all\`. Nothing else asks.
- What shows payloads, sessions or metrics of a store leaves a record in its audit log first (event \`read\`): who, from where, when, what was asked for, and the \`--reason\`. Payloads and sessions are not shown without it, so a store that cannot be written does not show them; numbers are shown all the same, with a warning. \`audit verify\` shows neither and leaves none, so it works on a copy that nobody may write.
- A list prints a table; with \`--json\` one document, whose \`next\` is the \`--after\` of the next page or \`null\`; with \`--jsonl\` one object per line; with \`--plain\` one line per row, tabs between the cells, no titles. On a terminal that is too narrow a table cuts its free text, such as error messages, and then puts its last columns on a line of their own; ids and names are never cut. In a pipe nothing is cut.
- Colours only on a terminal, and not with \`--no-color\` or \`NO_COLOR\`; \`FORCE_COLOR\` asks for them in a pipe. Without a terminal a line has 80 columns, or \`COLUMNS\`. Drawings are ASCII where \`LC_ALL\`, \`LC_CTYPE\` or \`LANG\` names a locale that is not UTF-8.
- \`redrive help <command>\` is \`redrive <command> --help\`. A command that does not exist is answered with the one that means the same (\`dlq retry\`: \`dlq requeue\`), else, like an option, with the one that is spelt alike.
`;

function section(path: string, spec: CommandSpec): string {
  const args = (spec.args ?? []).map(({ name }) => ` ${name}`).join('');
  const parts = [
    `### ${path}\n\n${[sentence(spec.summary), spec.details, readText(spec)].filter(Boolean).join(' ')}\n`,
    fence('text', [`${path}${args}${optionsOf(spec).length === 0 ? '' : ' [options]'}`]),
    spec.examples === undefined ? '' : fence('sh', spec.examples),
    table(
      ['argument or option', 'meaning'],
      [
        ...(spec.args ?? []).map(({ name, summary }) => [`\`${name}\``, summary]),
        ...optionsOf(spec)
          .filter(({ shared }) => !shared)
          .map(({ flags, summary }) => [`\`${flags}\``, summary]),
      ],
    ),
    sharedText(spec),
    spec.rows === undefined ? '' : `A row of \`--plain\`: ${spec.rows.join(', ')}.\n`,
    table(
      ['exit code', 'when'],
      exitNames().flatMap((name) => {
        const when = spec.exits?.[name];
        return when === undefined ? [] : [[String(EXIT[name]), when]];
      }),
    ),
    table(
      ['in JSON', 'type', 'meaning'],
      (spec.json ?? []).map(({ path: field, type, meaning }) => [`\`${field}\``, type, meaning]),
    ),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

/** Each once, in the order in which the commands name them. */
function sharedOptions(specs: readonly CommandSpec[]): OptionSpec[] {
  const shared = specs.flatMap((spec) => optionsOf(spec).filter((option) => option.shared));
  return [...new Map(shared.map((option) => [option.flags, option])).values()];
}

/** `[Shared options](#shared-options): --store, --json.` Those of every command are not named. */
function sharedText(spec: CommandSpec): string {
  const names = optionsOf(spec)
    .filter((option) => option.shared && !GLOBAL_OPTIONS.includes(option))
    .map(({ flags }) => `\`${/--[a-z-]+/.exec(flags)?.[0] ?? flags}\``);
  return names.length === 0 ? '' : `[Shared options](#shared-options): ${names.join(', ')}.\n`;
}

function readText({ reads }: CommandSpec): string | undefined {
  return reads === undefined ? undefined : `It reads ${reads}, and is recorded.`;
}

function exitNames(): ExitName[] {
  // The keys of a constant are its names.
  return Object.keys(EXIT) as ExitName[];
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  const rule = `|${titles.map(() => '---|').join('')}\n`;
  return [line(titles), rule, ...rows.map(line)].join('');
}

function fence(language: string, lines: readonly string[]): string {
  return `\`\`\`${language}\n${lines.join('\n')}\n\`\`\`\n`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function anchorOf(path: string): string {
  return path.replaceAll(' ', '-');
}
