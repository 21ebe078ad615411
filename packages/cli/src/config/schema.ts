import { configJsonSchema } from '@redrive/config';
import type { RunCommand } from '../command/command-spec.ts';
import { printJson } from '../terminal/io.ts';

/** `redrive config schema` */
export const runSchema: RunCommand = ({ io }) => {
  printJson(io, configJsonSchema());
};
