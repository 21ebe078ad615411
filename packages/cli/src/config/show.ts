import type { Config } from '@redrive/config';
import { type ConfigGroup, configDocument, configGroups } from '@redrive/config/documents';
import type { RunCommand } from '../command/command-spec.ts';
import { valueText } from '../policy/value-text.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { columns, tableLines } from '../terminal/table.ts';
import { loadConfig } from './load-config.ts';

const COLUMNS = columns(':cyan | :shrinks | :dim');

/** `redrive config show`: what was set; with `--effective`, everything. */
export const runShowConfig: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const config = await loadConfig(invocation);
  const wish = { effective: options.effective === true };
  if (options.json) printJson(io, configDocument(config, wish));
  else printLines(io, showLines(io.screen, config, configGroups(config, wish)));
};

function showLines(
  screen: Screen,
  { file, version, hash }: Config,
  groups: readonly ConfigGroup[],
): string[] {
  const subject = file === undefined ? 'no file: the presets alone' : printable(file);
  const title = `${screen.paint('bold', subject)}  ${screen.paint('dim', `version ${version}, hash ${hash.slice(0, 12)}`)}`;
  if (groups.length === 0)
    return [title, '', 'Nothing was set; --effective shows the presets and defaults.'];
  return [
    title,
    ...groups.flatMap(({ path, values }) => {
      const rows = values.map((value) => [value.field, valueText(value), value.where]);
      // One table for each group, and its titles only once would not line up: the path stands in their place.
      const lines = tableLines({ ...screen, columns: screen.columns - 2 }, COLUMNS, rows);
      return ['', screen.paint('bold', printable(path)), ...lines.map((line) => `  ${line}`)];
    }),
  ];
}
