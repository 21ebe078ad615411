import type { CommandGroup, CommandSpec, RunCommand } from '../command/command-spec.ts';
import { CliError } from '../terminal/cli-error.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { completionPlaces, SHELLS } from './completion-model.ts';
import { completionScript } from './completion-script.ts';

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
    return EXIT.ok;
  };
}
