import { Command } from 'commander';
import { addCommand, addGroup, type Ending, optionOf } from './command/add-command.ts';
import { NO_COLOR_OPTION, QUIET_OPTION } from './command/common-options.ts';
import { inFull } from './command/resolve-words.ts';
import { COMMAND_TREE } from './command-tree.ts';
import { type Io, readVersion } from './terminal/io.ts';

/** Every command loads its code when it runs, so that `--version` and `--help` answer at once. */
export function createProgram(io: Io, ending: Ending): Command {
  const program = new Command('redrive')
    .description('One retry system, from the first millisecond to the pager.')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addOption(optionOf(QUIET_OPTION))
    .addOption(optionOf(NO_COLOR_OPTION))
    .helpCommand(false)
    .showHelpAfterError('Run "redrive --help" for the list of commands.')
    .configureOutput({
      writeOut: io.stdout,
      writeErr: io.stderr,
      outputError: (text, write) => write(inFull(text, 'redrive')),
      getOutHelpWidth: () => io.screen.columns,
      getErrHelpWidth: () => io.errorScreen.columns,
    })
    .exitOverride();
  program.addHelpText(
    'after',
    '\nRun "redrive <command> --help" for what a command does and takes.',
  );
  for (const each of COMMAND_TREE) {
    if ('commands' in each) addGroup(program, each, io, ending);
    else addCommand(program, each, io, ending);
  }
  return program;
}
