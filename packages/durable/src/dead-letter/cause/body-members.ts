/** Members that name a cause, in any spelling of their case. All others are data of one case. */
const CODES =
  /^(?:(?:error|err|status|reason|fault|sub|decline|sql|result|response)[-_]?)?(?:code|type|status|reason|issue)$/i;
/** A name may be that of a customer: only names of errors count. */
const ERROR_NAME = /(?:Error|Exception|Fault|Failure)$/;
const TEXTS =
  /^(?:error|err|message|msg|detail|details|title|description|error[-_]?(?:message|description|msg)|fault(?:string)?|reason[-_]?phrase|cause)$/i;
const PLACES =
  /^(?:field|param|parameter|path|property|attribute|pointer|argument|loc|location|source)$/i;
/** Members of a list of errors that are no names of fields. */
const VALUES =
  /^(?:(?:rejected|invalid|actual|attempted|received|given)[-_]?value|value|actual|received|given|input|target|data|id|index|row|line|position|offset|timestamp)$/i;
const ERRORS = /^(?:errors?|violations|issues|details|fields|validation[-_]?errors)$/i;

const MAX_DEPTH = 12;
const MAX_VALUES = 400;
const MAX_KEPT = 24;

interface Body {
  /** Place behind the body in the text. */
  readonly end: number;
  /** What it says about its cause, in a fixed order. */
  readonly kept: readonly string[];
}

/**
 * The members of a JSON body that name a cause: their order and a cut end make no difference. `undefined`: there is no body
 * at this place.
 *
 * @param normalise for the texts of messages.
 */
export function bodyAt(
  text: string,
  start: number,
  normalise: (message: string) => string,
): Body | undefined {
  const scanner = new Scanner(text, start, normalise);
  if (!scanner.value('', false, 0)) return undefined;
  return { end: scanner.at, kept: scanner.kept() };
}

/** Reads JSON as it is found in messages: also without its end, with escaped quotes, or as JavaScript prints objects. */
class Scanner {
  at: number;
  readonly #text: string;
  readonly #normalise: (message: string) => string;
  readonly #kept = new Set<string>();
  /** Kept only where nothing else was: the rest of a text that was cut off may differ. */
  #cut: string | undefined;
  #values = 0;

  constructor(text: string, at: number, normalise: (message: string) => string) {
    this.#text = text;
    this.at = at;
    this.#normalise = normalise;
  }

  kept(): readonly string[] {
    const kept = [...this.#kept].sort().slice(0, MAX_KEPT);
    return kept.length > 0 || this.#cut === undefined ? kept : [this.#cut];
  }

  /** @param name of the member. `isBelow`: it is somewhere below `errors`. */
  value(name: string, isBelow: boolean, depth: number): boolean {
    this.#values += 1;
    if (depth > MAX_DEPTH || this.#values > MAX_VALUES) return false;
    this.#space();
    const first = this.#text[this.at];
    if (first === '{') return this.#members(name, isBelow, depth);
    if (first === '[') return this.#elements(name, isBelow, depth);
    const value = this.#scalar();
    if (value === undefined) return depth > 0 && this.#isOver();
    this.#keep(name, value);
    return true;
  }

  #members(parent: string, isBelow: boolean, depth: number): boolean {
    this.at += 1;
    const below = isBelow || ERRORS.test(parent);
    let count = 0;
    for (;;) {
      this.#space();
      if (this.#isOver()) return count > 0 || depth > 0;
      if (this.#text[this.at] === '}') {
        this.at += 1;
        return count > 0 || depth > 0;
      }
      if (count > 0) {
        if (this.#text[this.at] !== ',') return false;
        this.at += 1;
        this.#space();
        if (this.#isOver()) return true;
      }
      const name = this.#scalar();
      if (name === undefined || name.isNumber) return false;
      this.#space();
      if (this.#isOver()) return true;
      if (this.#text[this.at] !== ':') return false;
      this.at += 1;
      count += 1;
      // A member below `errors` may be the name of a field: `{"errors":{"email":["is taken"]}}`.
      const isField = below && !isWord(name.text) && depth < 4 && ERRORS.test(parent);
      if (isField && !/\d{3}/.test(name.text)) this.#kept.add(`field ${name.text.slice(0, 60)}`);
      if (!this.value(isField ? 'message' : name.text, below, depth + 1)) return false;
    }
  }

  #elements(name: string, isBelow: boolean, depth: number): boolean {
    this.at += 1;
    for (let count = 0; ; count += 1) {
      this.#space();
      if (this.#isOver()) return true;
      if (this.#text[this.at] === ']') {
        this.at += 1;
        return depth > 0 || count > 0;
      }
      if (count > 0) {
        if (this.#text[this.at] !== ',') return false;
        this.at += 1;
        this.#space();
      }
      if (!this.value(name, isBelow || ERRORS.test(name), depth + 1)) return false;
    }
  }

  #keep(name: string, { text, isNumber, isCut }: Scalar): void {
    const word = name.toLowerCase().replaceAll(/[-_]/g, '');
    const isText = TEXTS.test(name);
    if (word === 'name' && ERROR_NAME.test(text)) this.#kept.add(`name ${text}`);
    if (text === '' || !(isText || CODES.test(name) || PLACES.test(name))) return;
    if (isNumber && !/code|status/.test(word)) return;
    const kept = isNumber ? `${word} ${text}` : `${word} ${this.#normalise(text)}`;
    if (isCut) this.#cut ??= kept;
    else this.#kept.add(kept);
  }

  #scalar(): Scalar | undefined {
    const text = this.#text;
    const quote = /\\{0,3}["']/y;
    quote.lastIndex = this.at;
    const open = quote.exec(text)?.[0];
    if (open === undefined) {
      const bare = /[\w.+$-]{1,100}/y;
      bare.lastIndex = this.at;
      const found = bare.exec(text)?.[0];
      if (found === undefined) return undefined;
      this.at += found.length;
      return { text: found, isNumber: /^-?[\d.]+$/.test(found), isCut: this.#isOver() };
    }
    const from = this.at + open.length;
    let end = text.indexOf(open, from);
    // An escaped quote does not end the text.
    while (open.length === 1 && end > 0 && text[end - 1] === '\\' && text[end - 2] !== '\\')
      end = text.indexOf(open, end + 1);
    if (end < 0) {
      this.at = text.length;
      return { text: text.slice(from), isNumber: false, isCut: true };
    }
    this.at = end + open.length;
    return { text: text.slice(from, end), isNumber: false, isCut: false };
  }

  #space(): void {
    while (/[\s]/.test(this.#text[this.at] ?? '')) this.at += 1;
    // Escaped line ends of a body inside a text.
    while (this.#text.startsWith('\\n', this.at)) this.at += 2;
  }

  /** The text ends here, or was cut off here. */
  #isOver(): boolean {
    return this.at >= this.#text.length || this.#text.startsWith('…', this.at);
  }
}

interface Scalar {
  readonly text: string;
  readonly isNumber: boolean;
  readonly isCut: boolean;
}

/** Whether a member's name is one of the words above, and not the name of a field. */
function isWord(name: string): boolean {
  return (
    [CODES, TEXTS, PLACES, ERRORS, VALUES].some((shape) => shape.test(name)) ||
    /^extensions$/i.test(name)
  );
}
