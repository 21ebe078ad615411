/** Stands where a secret was. */
export const MASK = '[masked]';

/** Stands where something was left out because it is too long. */
export const CUT = '…';

/** Names of secrets in any spelling: `apiKey`, `X-Api-Key`, `db_pass`, `sig`. Not `tokens`: that is mostly a count. */
export const NAME =
  'passw(?:or)?d|passphrase|passcode|(?<![a-z])(?:pass|sig)(?![a-z])|pwd|secret|token(?!s)|credential|(?:api|access|account|private|secret)[-_ ]?key';

/** A quoted value, also one whose end was cut off, or a bracketed one. */
const QUOTED = String.raw`\\*"(?:[^"\\]|\\[^])*"?|\\*'(?:[^'\\]|\\[^])*'?|[[{(][^\])}]*[\])}]?`;

/** Between a name and its value: `: `, `=`, `" => "`. */
const IS = String.raw`["'\\\]]{0,3}\s*(?:=>?|:)\s*`;

const ORIGIN = String.raw`https?:\/\/[\w.-]+(?::\d+)?`;

/**
 * Patterns of secrets, in the order in which they are applied; the first group of a match stays. Every pattern takes
 * linear time, or quadratic time with a tiny factor on a few thousand characters. Each pattern also matches a secret
 * without its end.
 */
const SHAPES: readonly RegExp[] = [
  /()-----BEGIN [\s\S]*?(?:-----END [^-]*-----|$)/g,
  // https://user:pass@host and https://token@host; not https://host:8080/?mail=a@b
  /(\/\/)(?:[^\s/?#@:]*:(?!\d*[/?#])[^\s"'<>]*|[^\s/?#@:]+)(?=@)/g,
  /* @__PURE__ */ new RegExp(`((?:authorization|cookies?)${IS})(?:${QUOTED}|[^\\r\\n]+)`, 'gi'),
  // password=hunter2, "password": "hunter2" and --password hunter2; of an address its host stays.
  /* @__PURE__ */ new RegExp(
    `((?:${NAME})[\\w-]{0,20}(?:${IS}|(?<=\\s--?[\\w-]{1,50})\\s)(?:(?:bearer|basic)\\s+|${ORIGIN}(?=[/?#]))?)(?!${ORIGIN}(?:[\\s,;)"']|$))(?:${QUOTED}|[^\\s;&"']+)`,
    'gi',
  ),
  /(\bbearer\s+)(?!auth|token|scheme|realm|error)[^\s,;"']+/gi,
  /(\b(?:[Bb]asic|BASIC)\s+)(?=[^\s,;]*(?:\d|[a-z][A-Z]|=))[^\s,;"']+/g,
  // The address of a webhook is a secret: it is enough to post to it.
  /(\b(?:hooks\.slack\.com\/\w+|discord(?:app)?\.com\/api\/webhooks|webhook\.office\.com)\/)[^\s"'<>]+/gi,
  // JSON Web Tokens, and tokens that name their issuer.
  /()\beyJ[\w.-]{16,}/g,
  /()(?<![A-Za-z\d])(?:A[KS]IA|gh[a-z]_|github_pat_|glpat-|npm_|sk[-_]|xox[a-z]-)(?=[\w-]*\d)[\w-]{12,}/g,
  // Digests and keys in hex, base32 or base36. An identifier of that length without a separator has mixed case,
  // and the name of a host is no secret.
  /()(?<![A-Za-z\d])(?=[A-Za-z]*\d)(?=\d*[A-Za-z])(?:[\da-z]{32,}|[\dA-Z]{32,})(?<!:\/\/[\w.-]{1,250})/g,
];

/** May be base64: decided by `looksRandom`. Begins behind a port. */
const LONG_RUN = /(?!\d{1,5}\/(?<=:\d{1,5}\/))[\w+/=%.-]{32,}/g;

/** What an address or a path begins with, also with its separators encoded. One word before a slash may be base64. */
const FIRST_WORDS =
  /^(?:(?:(?:[a-z\d-]+\.)+[a-z]+|[a-z]*(?:[._-][a-z]+)*|v?\d+)(?:[/=]|%(?:2F|3[AD]))){2,}|^(?:[a-z\d-]+\.)+[a-z]+\//;

/**
 * Different letters and digits among 32 characters, plus neighbours of different kinds (digit, upper, lower): base64 has
 * about 44, a UUID about 28, and names and paths seldom more than 33.
 */
const RANDOM = 34;
const TURN = /[a-z](?=[A-Z\d])|[A-Z](?=[a-z\d])|\d(?=[A-Za-z])/g;

/** May hold the number of a payment card, in groups or not, beside other numbers. Not the digits of a fraction. */
const DIGITS = /(?<!\d\.?)(?:\d{14,19}|\d{3,6}(?:[ -]\d{3,6}){2,})(?!\.?\d)/g;

/** Issuers and lengths. Times have 13 digits or begin with 1 or 20, and so do most ids that are made of them. */
const CARD = /^(?:3\d{13,15}|[4-6]\d{15,18}|2[2-7]\d{14})$/;

/** Characters removed from the end of a cut text: half a secret there would be too short to match a pattern. */
const TAIL = 256;

/**
 * The text, at most `limit` characters of it, with secrets masked by their shape. A longer text ends in `…`. Looks at no
 * more than 1,500 characters past the limit, so that a text of any length takes the same short time.
 */
export function maskSecrets(text: string, limit: number): string {
  // One short word, such as the name of a class, has none of the shapes.
  if (text.length < limit && SHORT_WORD.test(text)) return text;
  if (text !== last.text || limit !== last.limit) last = { text, limit, masked: mask(text, limit) };
  return last.masked;
}

const SHORT_WORD = /^\w{0,12}$/;

/** While a dependency is down, the same message comes again and again. */
let last = { text: '', limit: 0, masked: '' };

function mask(text: string, limit: number): string {
  const looked = text.slice(0, limit + 1_500);
  const masked = SHAPES.reduce((rest, shape) => rest.replace(shape, `$1${MASK}`), looked)
    .replace(LONG_RUN, (run, at: number, whole: string) =>
      run.startsWith('//') && whole[at - 1] === ':' ? maskSegments(run) : maskRun(run),
    )
    .replace(DIGITS, maskCards);
  let end = masked.length;
  if (looked.length < text.length) {
    while (end > masked.length - TAIL && masked.charCodeAt(end - 1) > 32) end--;
    // Half a card number in groups is more than one word.
    end = masked.slice(0, end).replace(/(?:\d{3,6}[ -])+$/, '').length;
  } else if (end <= limit) {
    return storable(masked);
  }
  return storable(masked.slice(0, Math.min(end, limit - 1))) + CUT;
}

/** Stores and canonical JSON refuse lone surrogates (a cut may leave one), and Postgres refuses NUL. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

/** Of an address, only segments of the path are masked: the host says which server it was. */
function maskSegments(url: string): string {
  const [empty = '', slashes = '', host = '', ...path] = url.split('/');
  return [empty, slashes, host, ...path.map(maskRandom)].join('/');
}

/** A key in base64 may have slashes, too, but begins with no host, port or word. */
function maskRun(run: string): string {
  if (!looksRandom(run)) return run;
  const words = FIRST_WORDS.exec(run)?.[0] ?? '';
  return words + maskRandom(run.slice(words.length));
}

function maskRandom(run: string): string {
  return looksRandom(run) ? MASK : run;
}

/** Looks through a sliding window, so that a long path does not hide a token in it. */
function looksRandom(run: string): boolean {
  for (let at = 0; at < run.length; at += 8) {
    const window = run.slice(at, at + 32);
    const kinds = new Set(window.replace(/[^A-Za-z\d]/g, '')).size;
    if (kinds + (window.match(TURN)?.length ?? 0) >= RANDOM) return true;
  }
  return false;
}

/** Looks at every row of neighbouring groups, because an order number may stand before a card, and its code behind. */
function maskCards(run: string): string {
  const parts = run.split(/([ -])/);
  for (let from = 0; from < parts.length; from += 2) {
    let digits = '';
    for (let to = from; to < parts.length && digits.length < 20; to += 2) {
      digits += parts[to];
      if (CARD.test(digits) && hasCheckDigit(digits)) parts.splice(from, to - from + 1, MASK);
    }
  }
  return parts.join('');
}

/** Luhn's check: every second digit from the right counts twice, as the sum of its own digits. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let at = 1; at <= digits.length; at++) {
    const digit = Number(digits.at(-at));
    sum += at % 2 ? digit : 2 * digit - (digit > 4 ? 9 : 0);
  }
  return sum % 10 === 0;
}
