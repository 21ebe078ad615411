import type { HeldParts } from './marks.ts';

const JAVASCRIPT = /^\s{2,8}at (?:async )?(?:new )?([\w$.<>[\] ]{1,80}) \(/;
const JAVA = /^\s{0,4}at ([\w$.<>]{1,200})\([^)]{0,100}\)/;
const GO = /^([\w./*()]{1,100})\((?:0x|\{|\))/;
const FRAME = /^\s{1,8}(?:at |\.\.\. \d)|^\s{1,4}from /;

const PYTHON = 'Traceback (most recent call last)';
const GO_TRACE = /\n{1,2}goroutine \d/;

/**
 * A message without its stack trace: of the frames, only the name of the first function stays. Lines and addresses differ
 * with every release.
 */
export function firstFrames(message: string, held: HeldParts): string {
  const python = message.indexOf(PYTHON);
  if (python >= 0) return message.slice(0, python) + exceptionLine(message.slice(python));
  const go = message.search(GO_TRACE);
  if (go >= 0) return message.slice(0, go) + at(firstName(message.slice(go), [GO]), held);
  const lines = message.split('\n');
  const rest = lines.filter((line) => !FRAME.test(line)).join('\n');
  return rest + at(firstName(message, [JAVASCRIPT, JAVA]), held);
}

function at(name: string | undefined, held: HeldParts): string {
  return name === undefined ? '' : ` at ${held.hold(name)}`;
}

function firstName(trace: string, shapes: readonly RegExp[]): string | undefined {
  for (const line of trace.split('\n'))
    for (const shape of shapes) {
      const name = shape.exec(line)?.[1];
      if (name !== undefined) return name;
    }
  return undefined;
}

/** The lines of the frames are indented; those of the exception are not. */
function exceptionLine(trace: string): string {
  const lines = trace.split('\n').slice(1);
  const from = lines.findLastIndex((line) => /^\s/.test(line)) + 1;
  return lines.slice(from).join('\n');
}
