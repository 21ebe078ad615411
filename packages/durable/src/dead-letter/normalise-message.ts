import { maskSecrets } from '@redrive/core/stored';

const MAX_INPUT = 1_000;

/**
 * The longest compared part. A message that was cut when it was stored is cut at another place each time, because its
 * variable parts differ in length.
 */
const MAX_PATTERN = 200;

// Every pattern reads a bounded number of characters from where it starts, so that the whole takes linear time.

/** Names of members stay: `{"code":…}` is a shape. Their values are quoted texts. */
const KEY = String.raw`"(?<=[{,]\s{0,5}")[\w.-]{1,40}"(?=\s{0,5}:)`;

/** A single quote opens a text only where no word ends; inside, it may be an apostrophe, or doubled. */
const QUOTED = [
  String.raw`"(?:[^"\\]|\\.){0,1000}(?:"|…$)`,
  // Quoted inside a quoted text.
  String.raw`\\"[^"\\]{0,1000}(?:\\"|…$)`,
  String.raw`'(?<![\p{L}\p{N}]')(?:[^'\n]|''|(?<=\p{L})'(?=\p{L})){0,1000}(?:'(?![\p{L}\p{N}])|…$)`,
  '`[^`]{0,1000}`',
  '“[^”]{0,1000}”',
  '‘[^’]{0,1000}’',
  '«[^»]{0,1000}»',
].join('|');

const CLOCK = String.raw`\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?[AP]M\b)?`;
const ZONE = String.raw`(?: ?(?:Z\b|GMT|UTC)?(?:[+-]\d\d:?\d\d)?)?(?: \([^)]{1,60}\))?`;
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}';
const DAY = '(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? )?';
const TIME = [
  String.raw`\d{4}-\d\d-\d\d(?:[T ]${CLOCK}${ZONE})?`,
  String.raw`\d{1,4}\/\d{1,2}\/\d{1,4}(?:[, T]{1,2}${CLOCK}${ZONE})?`,
  `${DAY}(?:${MONTH} \\d{1,2},? \\d{4}|\\d{1,2} ${MONTH} \\d{4})(?: ${CLOCK}${ZONE})?`,
  `${CLOCK}${ZONE}`,
].join('|');

const URL_LIKE = String.raw`[a-z][a-z\d+.-]{1,20}:\/\/(?:<id>@)?(?:\[[\da-f:.%]{2,60}\])?[^\s"'<>\])}]{0,1000}`;
const EMAIL = String.raw`[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}`;
const IP_V4 = String.raw`\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5}|\/\d{1,2})?`;
const IP_V6 = String.raw`\[?(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}(?:%\w{1,15})?\]?(?::\d{1,5})?`;
const HOST_AND_PORT = String.raw`[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,8}:\d{1,5}`;

const UUID = String.raw`[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}(?![\p{L}\p{N}_])`;

/** With at most three letters behind it: `1.5s`, `5000ms`, `10GiB`. */
const NUMBER = String.raw`[-+]?\p{Nd}{1,40}(?:[.,_]\p{Nd}{1,40}){0,20}(?:e[+-]?\d{1,3})?(?=(?:[a-zµ]{1,3})?(?![\p{L}\p{N}_]))`;

/** Words, also joined ones. Runs with the other characters of base64 are looked at as one. */
const RUN = String.raw`[\p{L}\p{N}_+\/-]{20,1000}={0,2}`;
const WORD = String.raw`[\p{L}\p{N}_]{1,1000}(?:-[\p{L}\p{N}_]{1,1000}){0,50}`;

/** Most words are just that: they need not be tried as anything else. */
const PLAIN = String.raw`(?!Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\p{L}{1,60}(?![\p{L}\p{N}_:@.+\/-])`;

const START = String.raw`(?<![\p{L}\p{N}_])`;

const TOKEN = /* @__PURE__ */ new RegExp(
  [
    `(?<key>${KEY})|(?<quoted>${QUOTED})|${START}(?:(?<plain>${PLAIN})|(?<time>${TIME})|(?<url>${URL_LIKE})`,
    `(?<email>${EMAIL})|(?<address>(?:${IP_V4}|${IP_V6}|${HOST_AND_PORT})(?![\\p{L}\\p{N}_]))`,
    `(?<uuid>${UUID})|(?<number>${NUMBER})|(?<run>${RUN})|(?<word>${WORD}))`,
  ].join('|'),
  'giu',
);

/** A value masked by its shape may be an ordinary id. A value masked by its name (`password=`) is a secret. */
const UNNAMED = /(?<![=:]\s?)\[masked\]/g;

/**
 * A message with everything replaced that differs from case to case. Words, names of members, host names without a port,
 * and status and error codes stay: behind the word that announces a code, or in the form of servers
 * (`503 Service Unavailable`, `550 5.1.1 User unknown`).
 */
export function normaliseMessage(message: string): string {
  const safe = maskSecrets(message, MAX_INPUT).replace(UNNAMED, '<id>').normalize('NFC');
  return maskTokens(safe)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_PATTERN)
    .toWellFormed();
}

function maskTokens(text: string): string {
  return text.replace(TOKEN, (token: string, ...rest) => {
    // With named groups, a replacer is given its place, the whole text and the groups last.
    const [offset, , kind] = rest.slice(-3) as [number, string, Readonly<Record<string, string>>];
    if ((kind.plain ?? kind.key) !== undefined) return token;
    if (kind.quoted !== undefined) return '<str>';
    if (kind.time !== undefined) return '<time>';
    if (kind.url !== undefined) return maskUrl(token);
    if (kind.email !== undefined) return '<addr>';
    if (kind.uuid !== undefined) return '<id>';
    // Words of hex letters with colons between them are not an address.
    if (kind.address !== undefined) return /\d|^::/.test(token) ? '<addr>' : token;
    const before = text.slice(Math.max(0, offset - 30), offset);
    const announced = isAnnounced(before);
    if (kind.number !== undefined) {
      const isCode = announced && token.length <= 5;
      return isCode || isReply(before, token, text.slice(offset + token.length)) ? token : '<n>';
    }
    if (kind.run !== undefined) {
      return /[+/=]/.test(token) && looksRandom(token) ? '<id>' : maskWords(token);
    }
    return announced && token.length <= 5 ? token : maskWord(token);
  });
}

/** Whether a code follows: `status code 404`, `HTTP 503`, `SMTP 550`, `errno: 111`, `SQLSTATE 42P01`, `Error 1062`. */
function isAnnounced(before: string): boolean {
  return /(?<![\p{L}\p{N}])(?:status|(?:status|response|reply)_?code|code|errno|error|http(?:\/\d(?:\.\d)?)?|e?smtp|sqlstate|signal)["']?[:= (#[]{0,3}$/iu.test(
    before,
  );
}

/** The phrases of HTTP's statuses, as servers write them behind the number. */
const PHRASES =
  /^ (?:Bad Request|Unauthorized|Payment Required|Forbidden|(?:page )?Not Found|Method Not Allowed|Not Acceptable|Request Timeout|Conflict|Gone|Payload Too Large|Content Too Large|Unsupported Media Type|Unprocessable|Locked|Too Many Requests|Internal Server Error|Not Implemented|Bad Gateway|Service Unavailable|(?:Service )?Temporarily Unavailable|Gateway Time-?out)(?!\p{L})/iu;

/** The enhanced status of mail behind its reply code: `550 5.1.1`. */
const ENHANCED = /^[ -][245]\.\d{1,3}\.\d{1,3}(?![\d.])/;

/**
 * Whether a number is a server's reply though no word announces it: `503 Service Unavailable`, `550 5.1.1 User unknown`,
 * `5.1.1` itself, and a 4xx or 5xx that the message begins with.
 */
function isReply(before: string, number: string, after: string): boolean {
  if (/^[45]\.\d{1,3}\.\d{1,3}$/.test(number)) return /(?<!\d)[45]\d\d[ -]$/.test(before);
  if (!/^[45]\d\d$/.test(number)) return false;
  return (
    ENHANCED.test(after) || PHRASES.test(after) || (before === '' && /^[ -]\p{L}/u.test(after))
  );
}

/** Scheme and path stay, and the host unless it is a number or has a port. */
function maskUrl(url: string): string {
  const [, scheme = '', authority = '', path = '', query = ''] =
    /^([^:]*:\/\/)([^/?#]*)([^?#]*)(.*)$/su.exec(url) ?? [];
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const isAddress = /:\d{1,5}$|^\[|^[\d.]+$/.test(host);
  const end = /[.,;:!]$/.exec(query || path)?.[0] ?? '';
  return `${scheme}${isAddress ? '<addr>' : maskWords(host)}${maskWords(path)}${query && `?<query>${end}`}`;
}

const WORDS = /* @__PURE__ */ new RegExp(WORD, 'gu');

function maskWords(text: string): string {
  return text.replace(WORDS, maskWord);
}

/** Numbers in names (`worker-17`) become `<n>`, and parts that look like ids become `<id>`; a prefix (`job_`) stays. */
function maskWord(word: string): string {
  if (!/\p{Nd}/u.test(word)) return word;
  const [prefix = ''] = /^(?:[a-z]{1,20}[_-])+(?=[^_-])/u.exec(word) ?? [];
  const rest = word.slice(prefix.length);
  if (looksRandom(rest)) return `${prefix}<id>`;
  let sawId = false;
  const parts = rest.split(/([_-])/u).map((part) => {
    const masked = maskPart(part);
    // The parts of one id may have no digit; words have a vowel.
    if (sawId && masked === part && !/[aeiou_-]/i.test(part)) return '<id>';
    sawId ||= masked === '<id>';
    return masked;
  });
  return prefix + parts.join('');
}

function maskPart(part: string): string {
  if (!/\p{Nd}/u.test(part)) return part;
  if (!/\p{L}/u.test(part)) return '<n>';
  const isHex = /^(?:0x)?[\da-f]{8,}$/i.test(part) || /^0x[\da-f]+$/i.test(part);
  const turns = part.match(/\p{Nd}(?=\p{L})|\p{L}(?=\p{Nd})/gu)?.length ?? 0;
  if (isHex || turns >= 2 || part.length >= 12) return '<id>';
  return part.replace(/\p{Nd}+/gu, '<n>');
}

/** Whether neighbours differ in kind as often as in base64: about 0.4 of them do; in names at most 0.2. */
function looksRandom(text: string): boolean {
  if (text.length < 16 || !/\d/.test(text)) return false;
  const turns = text.match(/[a-z](?=[A-Z\d])|[A-Z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0;
  return turns >= text.length / 4;
}
