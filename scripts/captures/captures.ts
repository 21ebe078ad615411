import { runMain } from '../../packages/cli/src/testing/run-main.ts';
import { svgOf, THEMES } from './ansi-svg.ts';
import { storeInTrouble } from './store-in-trouble.ts';

/** The commands that are drawn, by the name of their files. */
const COMMANDS: Readonly<Record<string, string>> = {
  status: 'redrive status',
  'dlq-groups': 'redrive dlq groups',
  'dlq-show': 'redrive dlq show 0mzjkkjk000d1s48jinm',
  'workers-list': 'redrive workers list',
  'ops-list': 'redrive ops list',
};
const WIDTHS = [80, 120];

export interface Capture {
  readonly file: string;
  readonly svg: string;
}

/** Runs every command on the same store, on terminals of two widths, and draws what it prints, light and dark. */
export async function captures(): Promise<readonly Capture[]> {
  const all: Capture[] = [];
  for (const [name, command] of Object.entries(COMMANDS)) {
    for (const columns of WIDTHS) {
      const text = await printed(command, columns);
      for (const [theme, look] of Object.entries(THEMES)) {
        const file = `${name}-${columns}-${theme}.svg`;
        all.push({ file, svg: svgOf(text, columns, look, command) });
      }
    }
  }
  return all;
}

async function printed(command: string, columns: number): Promise<string> {
  const { store, clock } = await storeInTrouble();
  const stream = { isTTY: true, columns, rows: 60, hasColors: () => true };
  const ran = await runMain(command.split(' ').slice(1), { store, clock, stream });
  if (ran.exitCode !== 0) throw new Error(`${command}: ${ran.stderr}`);
  return `\x1b[2m$ ${command}\x1b[22m\n${ran.stdout}`;
}
