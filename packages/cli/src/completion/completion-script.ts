import type { CommandGroup, CommandSpec, RunCommand } from '../command/command-spec.ts';
import { CliError } from '../terminal/exit-codes.ts';
import {
  type CompletedOption,
  completionPlaces,
  type Place,
  SHELLS,
  type Shell,
} from './completion-model.ts';

/** `redrive completion` for these commands. */
export function completionOf(tree: readonly (CommandGroup | CommandSpec)[]): RunCommand {
  return ({ io, args }) => {
    const [given = ''] = args;
    const shell = SHELLS.find((each) => each === given);
    if (shell === undefined) {
      const message = `There is no completion for ${given}.`;
      throw new CliError('usage', message, `There is one for ${SHELLS.join(', ')}.`);
    }
    io.stdout(completionScript(shell, completionPlaces(tree)));
  };
}

/** The script that a shell reads to complete command lines of `redrive`. */
function completionScript(shell: Shell, places: readonly Place[]): string {
  const script = { bash: bashScript, zsh: zshScript, fish: fishScript }[shell];
  return script(places);
}

/** `" queues pause"| " queue pause"`: a pattern of `case` for the words that lead to a place. */
function patternOf({ path }: Place): string {
  const ways = path.reduce<string[]>(
    (before, names) => before.flatMap((way) => names.map((name) => `${way} ${name}`)),
    [''],
  );
  return ways.map((way) => `'${way}'`).join('|');
}

/** For bash and zsh: what has a value of its own, by its flags. */
function valueCases(
  options: readonly CompletedOption[],
  line: (option: CompletedOption) => string,
) {
  return options
    .filter(({ value }) => value !== 'none')
    .map((option) => `        ${option.flags.join('|')}) ${line(option)} ;;`);
}

/** Sets `way` to the first words that are not options: no option before a command takes a value. */
const FIND_WAY = `  local way='' word i
  for ((i = FIRST; i < AT; i++)); do
    word=$WORD
    [[ $word == -* || $way$word == help ]] && continue
    way="$way $word"
    case "$way" in
GROUPS) ;;
      *) break ;;
    esac
  done`;

function findWay(places: readonly Place[], first: string, at: string, word: string): string {
  const groups = places
    .filter(({ path }) => path.length === 1 && places.some((each) => isUnder(each.path, path)))
    .map((place) => patternOf(place))
    .join('|');
  return FIND_WAY.replace('FIRST', first)
    .replace('AT', at)
    .replace('$WORD', word)
    .replace('GROUPS', `      ${groups}`);
}

function isUnder(path: Place['path'], parent: Place['path']): boolean {
  return path.length === 2 && path[0] === parent[0];
}

function bashScript(places: readonly Place[]): string {
  const cases = places.map((place) => {
    const values = valueCases(place.options, ({ value }) => {
      if (value === 'file') return 'COMPREPLY=($(compgen -f -- "$cur")); return';
      if (typeof value === 'string') return 'return';
      return `COMPREPLY=($(compgen -W '${value.join(' ')}' -- "$cur")); return`;
    });
    const flags = place.options.flatMap((option) => option.flags);
    return [
      `    ${patternOf(place)})`,
      ...(values.length === 0 ? [] : ['      case "$prev" in', ...values, '      esac']),
      `      options='${flags.join(' ')}'`,
      `      words='${place.words.map(({ word }) => word).join(' ')}'`,
      ...(place.takesFile ? ["      files='yes'"] : []),
      '      ;;',
    ].join('\n');
  });
  return `# Completion of redrive for bash. To use it: source <(redrive completion bash)
_redrive() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]}
  local options='' words='' files=''
  COMPREPLY=()
${findWay(places, '1', 'COMP_CWORD', '$' + '{COMP_WORDS[i]}')}
  case "$way" in
${cases.join('\n')}
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
  elif [[ -n $words ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
  elif [[ -n $files ]]; then
    COMPREPLY=($(compgen -f -- "$cur"))
  fi
}
complete -o filenames -F _redrive redrive
`;
}

function zshScript(places: readonly Place[]): string {
  const cases = places.map((place) => {
    const values = valueCases(place.options, ({ value }) => {
      if (value === 'file') return '_files; return';
      if (typeof value === 'string') return 'return';
      return `compadd -- ${value.join(' ')}; return`;
    });
    const options = place.options.flatMap(({ flags, about }) =>
      flags.map((flag) => zshItem(flag, about)),
    );
    return [
      `    ${patternOf(place)})`,
      ...(values.length === 0
        ? []
        : ['      case "$words[CURRENT-1]" in', ...values, '      esac']),
      `      options=(${options.join(' ')})`,
      `      names=(${place.words.map(({ word, about }) => zshItem(word, about)).join(' ')})`,
      ...(place.takesFile ? ['      files=yes'] : []),
      '      ;;',
    ].join('\n');
  });
  return `#compdef redrive
# Completion of redrive for zsh. To use it: source <(redrive completion zsh)
_redrive() {
  local -a options names
  local files=''
${findWay(places, '2', 'CURRENT', '$words[i]')}
  case "$way" in
${cases.join('\n')}
  esac
  if [[ $words[CURRENT] == -* ]]; then
    _describe -o option options
  elif (( $#names )); then
    _describe command names
  elif [[ -n $files ]]; then
    _files
  fi
}
if [[ $funcstack[1] == _redrive ]]; then
  _redrive "$@"
else
  compdef _redrive redrive
fi
`;
}

/** `'list:list jobs, the newest first'`; a colon ends the word, and a quote the text. */
function zshItem(word: string, about: string): string {
  return quoted(`${word.replaceAll(':', '\\:')}:${about}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function fishScript(places: readonly Place[]): string {
  const lines = places.flatMap((place) => {
    const ways = patternOf(place)
      .split('|')
      .map((way) => way.slice(2, -1));
    const at = `-n ${fishQuoted(`__redrive_at ${ways.map((way) => fishQuoted(way)).join(' ')}`)}`;
    const words = place.words.map(
      ({ word, about }) => `complete -c redrive ${at} -f -a ${word} -d ${fishQuoted(about)}`,
    );
    const options = place.options.map(({ flags, about, value }) => {
      const names = flags.map((flag) =>
        flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
      );
      const takes = { none: '', file: ' -r -F', text: ' -x' };
      const values =
        typeof value === 'string' ? takes[value] : ` -x -a ${fishQuoted(value.join(' '))}`;
      return `complete -c redrive ${at} ${names.join(' ')}${values} -d ${fishQuoted(about)}`;
    });
    return [...words, ...options, ...(place.takesFile ? [`complete -c redrive ${at} -F`] : [])];
  });
  const groups = places
    .filter(({ path }) => path.length === 1 && places.some((each) => isUnder(each.path, path)))
    .flatMap(({ path }) => path[0] ?? []);
  return `# Completion of redrive for fish. To use it: redrive completion fish | source
function __redrive_at
    set -l way
    for word in (commandline -opc)[2..]
        string match -q -- '-*' $word; and continue
        test "$way" = ''; and test $word = help; and continue
        set way $way $word
        contains -- $way[1] ${groups.join(' ')}; or break
        test (count $way) -eq 2; and break
    end
    contains -- "$way" $argv
end
complete -c redrive -f
${lines.join('\n')}
`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
