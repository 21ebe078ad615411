import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';

/** What a process did to a file, in the order in which the operating system saw it end. */
export type FileEvent =
  | { readonly kind: 'write'; readonly file: string; readonly at: number; readonly data: Buffer }
  /** A line added to a journal. */
  | { readonly kind: 'append'; readonly file: string; readonly data: Buffer }
  | { readonly kind: 'sync'; readonly file: string }
  | { readonly kind: 'truncate'; readonly file: string; readonly size: number };

/** For strace: every write to these files with all its bytes, and every sync of them. */
export function traceArguments(output: string, files: readonly string[]): readonly string[] {
  const calls = 'trace=pwrite64,write,fsync,fdatasync,ftruncate';
  const paths = files.flatMap((file) => ['-P', file]);
  // Paths beside file numbers, bytes in hexadecimal, none left out.
  return ['-f', '-qqq', '-y', '-xx', '-s', '1000000', '-e', calls, ...paths, '-o', output];
}

const CALL = /^(\d+) +(\w+)\((.*)$/s;
const RESUMED = /^(\d+) +<\.\.\. (\w+) resumed>(.*)$/s;
const UNFINISHED = ' <unfinished ...>';
const ANSWER = /\) += (-?\d+)/;

/** Reads what strace wrote. Calls that failed are left out, as they have changed nothing. */
export async function readTrace(path: string): Promise<readonly FileEvent[]> {
  const events: FileEvent[] = [];
  /** Calls under way, by thread. */
  const unfinished = new Map<string, { readonly name: string; readonly text: string }>();
  for await (const line of createInterface({ input: createReadStream(path, 'latin1') })) {
    const [, resumedBy, resumedName, rest = ''] = RESUMED.exec(line) ?? [];
    if (resumedBy !== undefined) {
      const begun = unfinished.get(resumedBy);
      unfinished.delete(resumedBy);
      if (begun !== undefined && begun.name === resumedName)
        add(events, begun.name, begun.text + rest);
      continue;
    }
    const [, thread, name, text = ''] = CALL.exec(line) ?? [];
    if (thread === undefined || name === undefined) continue;
    if (text.endsWith(UNFINISHED)) {
      unfinished.set(thread, { name, text: text.slice(0, -UNFINISHED.length) });
    } else {
      add(events, name, text);
    }
  }
  return events;
}

const ARGUMENTS = /^\d+<([^>]*)>(?:, "([^"]*)")?(?:, (\d+))?(?:, (\d+))?/;

function add(events: FileEvent[], name: string, text: string): void {
  const answer = Number(ANSWER.exec(text)?.[1] ?? -1);
  const [, path = '', bytes = '', first = '0', second = '0'] = ARGUMENTS.exec(text) ?? [];
  if (answer < 0) return;
  const file = basename(fromHex(path));
  switch (name) {
    case 'pwrite64':
      events.push({ kind: 'write', file, at: Number(second), data: bytesOf(bytes) });
      break;
    case 'write':
      events.push({ kind: 'append', file, data: bytesOf(bytes) });
      break;
    case 'ftruncate':
      events.push({ kind: 'truncate', file, size: Number(first) });
      break;
    default:
      events.push({ kind: 'sync', file });
  }
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text.replaceAll('\\x', ''), 'hex');
}

/** Newer versions of strace write paths in hexadecimal too. */
function fromHex(text: string): string {
  return text.startsWith('\\x') ? bytesOf(text).toString() : text;
}
