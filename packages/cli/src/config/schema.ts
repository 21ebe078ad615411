import { configJsonSchema } from '@redrive/config';
import type { RunCommand } from '../command/command-spec.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printJson } from '../terminal/io.ts';

/** `redrive config schema` */
export const runSchema: RunCommand = ({ io }) => {
  printJson(io, configJsonSchema());
  return EXIT.ok;
};
