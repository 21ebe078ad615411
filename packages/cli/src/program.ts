import { readFileSync } from 'node:fs';
import { Command } from 'commander';

export interface Output {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

/** Every command loads its code when it runs, so that `--version` and `--help` answer at once. */
export function createProgram(output: Output): Command {
  const program = new Command('redrive')
    .description('One retry system, from the first millisecond to the pager.')
    .version(readVersion(), '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .showHelpAfterError('Run "redrive --help" for the list of commands.')
    .configureOutput({ writeOut: output.stdout, writeErr: output.stderr })
    .exitOverride();

  program
    .command('demo')
    .description('a tour of ten seconds: failing calls, and what Redrive does about them')
    .action(async () => {
      const { runDemo } = await import('./demo.ts');
      await runDemo(output);
    });

  return program;
}

function readVersion(): string {
  const manifest = new URL('../package.json', import.meta.url);
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}
