import type { MessagePart } from '@redrive/durable/dead-letters';
import { printable, wrapWords } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';

/** Brackets around the parts of a message that differ from case to case. */
const UNICODE = ['‹', '›'] as const;
const ASCII = ['<', '>'] as const;

/** A real message in lines: the parts that the cause ignores are in brackets, and in a colour if there are colours. */
export function messageLines(
  screen: Screen,
  parts: readonly MessagePart[],
  room: number,
): string[] {
  const [open, close] = screen.unicode ? UNICODE : ASCII;
  const text = parts.map(({ text, varies }) => (varies ? `${open}${text}${close}` : text)).join('');
  if (text === '') return [];
  let isOpen = false;
  return wrapWords(printable(`newest: ${text.replaceAll(/\s+/g, ' ')}`), room).map((line) =>
    line
      .split(new RegExp(`(?=${open})|(?<=${close})`))
      .map((part) => {
        isOpen ||= part.startsWith(open);
        const painted = screen.paint(isOpen ? 'yellow' : 'dim', part);
        if (part.endsWith(close)) isOpen = false;
        return painted;
      })
      .join(''),
  );
}
