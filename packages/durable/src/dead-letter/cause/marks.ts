/**
 * Marks stand for the varying parts of a message. They are private-use characters, so no rule takes them for text. People
 * see `<n>`; the key of a cause has one mark for all kinds, because the same part may be a number once and an id the next
 * time.
 */
export const MARK = {
  number: '\uE000',
  id: '\uE001',
  text: '\uE002',
  address: '\uE003',
  time: '\uE004',
  name: '\uE005',
  path: '\uE006',
} as const;

const SHOWN: Readonly<Record<string, string>> = {
  [MARK.number]: '<n>',
  [MARK.id]: '<id>',
  [MARK.text]: '<str>',
  [MARK.address]: '<addr>',
  [MARK.time]: '<time>',
  [MARK.name]: '<name>',
  [MARK.path]: '<path>',
};

const ANY_MARK = '[\uE000-\uE00F]';
const MARKS = /[\uE000-\uE00F]/g;
/** Characters of our own in a message, which would be taken for marks or held parts. */
const FOREIGN = /[\uE000-\uF8FF]/g;
const HELD = /[\uE100-\uF8FF]/g;
const FIRST_HELD = 0xe1_00;
const LAST_HELD = 0xf8_ff;

/** Without characters that this module uses itself. */
export function withoutMarks(text: string): string {
  return text.replace(FOREIGN, '\uFFFD');
}

/**
 * Parts that are finished: later rules must not mask the digits in them. Each is replaced by one character until all rules
 * have run.
 */
export class HeldParts {
  readonly #parts: string[] = [];

  hold(part: string): string {
    const code = FIRST_HELD + this.#parts.length;
    if (code > LAST_HELD) return part;
    this.#parts.push(part);
    return String.fromCharCode(code);
  }

  /** Parts may hold others. */
  release(text: string): string {
    if (this.#parts.length === 0) return text;
    let released = text;
    for (let depth = 0; depth < 4 && HELD.test(released); depth += 1)
      released = released.replace(
        HELD,
        (held) => this.#parts[held.charCodeAt(0) - FIRST_HELD] ?? '',
      );
    return released;
  }
}

/** As people read it. */
export function shown(text: string): string {
  return text.replace(MARKS, (mark) => SHOWN[mark] ?? '<…>');
}

const CUT = '…';
/**
 * The compared part of a message that was cut when it was stored. It is cut at another place each time, because its varying
 * parts differ in length.
 */
const MAX_CUT = 200;

const BETWEEN = String.raw`(?:,? (?:and|or|und|oder|et|ou|y|o|x|×) |[\s,;:/|.+%&"'()<>\[\]#=_-]{0,5})`;
const RUN = new RegExp(`${ANY_MARK}(?:${BETWEEN}${ANY_MARK}){1,200}`, 'g');
const LIST = /([^\s\uE000-\uE00F]{0,60}\uE000)(?:[\s,;]{1,4}\1){1,200}/g;

export function hasAddress(text: string): boolean {
  return text.includes(MARK.address);
}

/** As causes are compared: one mark for all kinds, and one for a list of them. */
export function compared(text: string): string {
  const whole = text.endsWith(CUT) ? text.slice(0, MAX_CUT) : text;
  return whole
    .replace(RUN, MARK.number)
    .replace(MARKS, MARK.number)
    .replace(LIST, '$1')
    .toLowerCase();
}
