import type { CommandGroup, CommandSpec, OptionSpec } from '../command/command-spec.ts';
import { exitsOf, GLOBAL_OPTIONS, optionsOf } from '../command/common-options.ts';
import { jsonFields } from '../command/json-fields.ts';
import { EXIT, EXIT_MEANINGS, type ExitName } from '../terminal/exit-codes.ts';

/** `docs/reference/command-line.md`, from the tree of commands. A test compares the two. */
export function referencePage(tree: readonly (CommandGroup | CommandSpec)[]): string {
  const commands = tree.flatMap((each) =>
    'commands' in each
      ? each.commands.map((spec) => ({ path: `redrive ${each.name} ${spec.name}`, spec }))
      : [{ path: `redrive ${each.name}`, spec: each }],
  );
  const urgent = commands.filter(({ spec }) => spec.emergency).map(({ path }) => `\`${path}\``);
  return `${INTRODUCTION}- Emergency commands also work with a configuration that is not valid: ${urgent.join(', ')}. They take the store from \`--store\`, \`REDRIVE_STORE\` or the store line of the broken file, and report that on stderr.

## Exit codes

${table(
  ['code', 'name', 'meaning'],
  exitNames().map((name) => [String(EXIT[name]), `\`${name}\``, EXIT_MEANINGS[name]]),
)}
These codes are the same for every command. The section of a command lists the codes that have a more exact meaning there.

## Shared options

These options mean the same in every command that has them. Every command has \`--quiet\` and \`--no-color\`; they can also stand before the command. A command lists its shared options by name.

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
  return `Aliases: ${names.join(', ')}.\n`;
}

function namesOf({ name, aliases = [] }: CommandGroup | CommandSpec, before: string): string[] {
  return aliases.map((alias) => `\`${before}${alias}\` is \`${before}${name}\``);
}

const INTRODUCTION = `# Command line

<!-- Made from the specifications of the commands in packages/cli/src: see reference-page.test.ts. -->

- Results go to stdout, messages to stderr, so that output can be piped and redirected.
- \`--json\` prints the result as JSON. Fields may be added in a later version; none is renamed or dropped. A command that fails prints \`{ "error": { "code", "message", "hint" } }\` on stderr instead of a sentence: \`code\` is the name of the exit code, \`hint\` may be \`null\`. Errors of the command line itself are always plain sentences: an unknown command or option, a missing argument, a value that the option does not allow, options that exclude each other.
- The configuration is the file of \`--config\`, else of \`REDRIVE_CONFIG\`, else \`./redrive.yaml\`, else the presets alone. \`--verbose\` prints which of them is used.
- Every command that changes jobs, controls or a configuration has \`--dry-run\`, which shows what would change and changes nothing; only \`start\` and \`audit compress\` do not have it. Three commands need a confirmation: \`config init\` overwrites a file only with \`--yes\`; a \`dlq\` command with a filter changes dead letters only with \`--confirm=<number>\` or \`--yes\`; \`kill engage all\` needs \`--confirm=all\`.
- A command that shows payloads, sessions or metrics of a store first writes a record into the audit log (event \`read\`): the user, the host, the time, the request, and the \`--reason\`. If the record cannot be written, payloads and sessions are not shown; metrics are shown with a warning. \`audit verify\` shows none of them and writes no record, so it works on a read-only copy.
- A list prints a table; with \`--json\` one document, whose \`next\` is the \`--after\` of the next page or \`null\`; with \`--jsonl\` one object per line; with \`--plain\` one line per row, tabs between the cells, no titles, times as ISO 8601. On a narrow terminal a table cuts its free text, such as error messages, and then puts its last columns on a line of their own; ids and names are never cut. In a pipe nothing is cut.
- Colours are used on a terminal, unless \`--no-color\` or \`NO_COLOR\` is given; \`FORCE_COLOR\` switches them on in a pipe. Without a terminal a line has 80 columns, or \`COLUMNS\`. Drawings are ASCII where \`LC_ALL\`, \`LC_CTYPE\` or \`LANG\` names a locale that is not UTF-8.
- \`redrive help <command>\` is \`redrive <command> --help\`. For a command that does not exist, the error suggests the command with the same meaning (\`dlq requeue\` for \`dlq retry\`), or else, as for options, the one with a similar spelling.
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
    spec.rows === undefined ? '' : `A row of \`--plain\`: ${spec.rows}.\n`,
    table(
      ['exit code', 'when'],
      exitsOf(spec).map(([name, when]) => [String(EXIT[name]), when]),
    ),
    table(
      ['in JSON', 'type', 'meaning'],
      jsonFields(spec).map(({ path: field, type, meaning }) => [`\`${field}\``, type, meaning]),
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
  return reads === undefined
    ? undefined
    : `It reads ${reads}, and writes a record of the read into the audit log.`;
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
