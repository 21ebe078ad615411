import { WORD } from './words.ts';

// Every pattern reads a bounded number of characters from where it starts, so that the whole takes linear time.

/** A single quote opens a text only where no word ends; inside, it may be an apostrophe, or doubled. */
const QUOTED = [
  String.raw`"(?:[^"\\]|\\.){0,1000}(?:"|…$)`,
  // Quoted inside a quoted text.
  String.raw`\\"[^"\\]{0,1000}(?:\\"|…$)`,
  String.raw`'(?<![\p{L}\p{N}]')(?:[^'\n]|''|(?<=\p{L})'(?=\p{L})){0,1000}(?:'(?![\p{L}\p{N}])|…$)`,
  '`[^`]{0,1000}`',
  '“[^”]{0,1000}”',
  '„[^“”]{0,1000}[“”]',
  '‘[^’]{0,1000}’',
  '«[^»]{0,1000}»',
  '「[^」]{0,1000}」',
  '『[^』]{0,1000}』',
].join('|');

const SPACE = '[ \u00A0\u202F\u2009]';
const HALF_DAY = String.raw`(?:[AP]\.?M|[ap]\.?m)\b\.?`;
const CLOCK = String.raw`\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:${SPACE}?${HALF_DAY})?`;
const ZONE = String.raw`(?:${SPACE}?(?:Z\b|GMT|UTC|CES?T|[ECMP][SD]T\b)?(?:[+-]\d\d:?\d\d)?)?(?: \([^)]{1,60}\))?`;
const MONTH =
  '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)[a-z]{0,6}\\.?';
const DAY = '(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? )?';
const AND_CLOCK = `(?:(?:T|,? (?:at )?|,)${CLOCK}${ZONE})?`;
const TIME = [
  String.raw`\d{4}-\d\d-\d\d${AND_CLOCK}`,
  String.raw`\d{8}T\d{6}(?:\.\d{1,6})?Z?`,
  String.raw`\d{1,4}\/\d{1,2}\/\d{1,4}${AND_CLOCK}`,
  String.raw`\d{1,2}\.${SPACE}?\d{1,2}\.${SPACE}?\d{4}${AND_CLOCK}`,
  `${DAY}(?:${MONTH} \\d{1,2},? \\d{4}|\\d{1,2}\\.? ${MONTH} \\d{4})${AND_CLOCK}`,
  String.raw`\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?(?:${SPACE}?${HALF_DAY})?${ZONE}`,
  String.raw`\d{1,2}:\d\d${SPACE}?${HALF_DAY}`,
  // Durations, also of several units, and ISO 8601: 250 ms, 1m30s, PT5M.
  String.raw`(?:\d{1,9}(?:[.,]\d{1,9})?${SPACE}?(?:days?|hours?|hrs?|minutes?|mins?|seconds?|secs?|milliseconds?|d|h|m|s|ms|µs|us|ns)(?:,? |(?![\p{L}_]))?){1,6}(?<! )(?![\p{L}\p{N}_])`,
  String.raw`P(?=T?\d)(?:\d{1,5}[YMWD]){0,4}(?:T(?:\d{1,9}(?:\.\d{1,9})?[HMS]){1,3})?(?![\p{L}\p{N}_])`,
].join('|');

const URL_LIKE = String.raw`[A-Za-z][A-Za-z\d+.-]{1,20}:\/\/(?:\[[\dA-Fa-f:.%]{2,60}\])?(?:\[masked\]|[^\s"'<>\])}]){0,1000}`;
const EMAIL = String.raw`[\p{L}\p{N}_.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,5}`;
const IP_V4 = String.raw`\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5}|\/\d{1,2})?`;
const IP_V6 = String.raw`\[?(?:[\dA-Fa-f]{0,4}:){2,7}[\dA-Fa-f]{0,4}(?:%\w{1,15})?\]?(?::\d{1,5})?`;
const HOST = String.raw`[A-Za-z\d_-]{1,63}(?:\.[A-Za-z\d_-]{1,63}){0,8}(?:\.[A-Za-z]{2,24}(?::\d{1,5})?|\.[A-Za-z\d_-]{1,63}:\d{1,5})`;

const UUID = String.raw`[\dA-Fa-f]{8}-(?:[\dA-Fa-f]{4}-){3}[\dA-Fa-f]{12}(?![\p{L}\p{N}_])`;

/** A bank account: `DE89 3704 0044 0532 0130 00`. */
const IBAN = String.raw`[A-Z]{2}\d\d(?: ?[A-Z\d]{4}){3,7}(?: ?[A-Z\d]{1,3})?(?![\p{L}\p{N}_])`;

/** Currencies before or behind a number belong to it. */
const CURRENCY =
  '(?:[€$£¥₹₽]|(?:USD|EUR|GBP|JPY|CHF|CNY|INR|AUD|CAD|SEK|NOK|DKK|PLN|CZK|HUF|BRL|MXN|ZAR|KRW|SGD|HKD|NZD|TRY|ILS|THB)(?![\\p{L}\\p{N}_]))';

/** Units of sizes: `10GiB`, `12.4 MB`, `900 bytes`. */
const SIZE = String.raw`(?:${SPACE}?(?:[kKmMgGtTpP]i?[bB](?:it|ytes?)?|[bB]ytes?)|[bB](?:it)?)(?![\p{L}\p{N}_])`;

/** With a short unit behind it: `1.5s`, `5000ms`, `10GiB`, `12 %`, `9,99 EUR`. */
const NUMBER = String.raw`(?!0x)[-+]?\p{Nd}{1,40}(?:[.,_'\u00A0\u202F\u2009]\p{Nd}{1,40}){0,20}(?:[eE][+-]?\d{1,3})?(?:${SIZE})?(?=(?:[A-Za-zµ]{1,3})?(?![\p{L}\p{N}_]))`;

/** Words, also joined ones. Runs with the other characters of base64 are looked at as one. */
const RUN = String.raw`[\p{L}\p{N}_+\/-]{20,1000}={0,2}`;
const PATH = String.raw`(?:~|\.{1,2})?\/[\w.~@%+,=-]{1,255}(?:\/[\w.~@%+,=-]{0,255}){1,30}(?::\d{1,7}){0,2}|[\w.@%+=-]{1,255}(?:\/[\w.@%+=-]{1,255}){1,30}`;

/** Most words are just that: they need not be tried as anything else. */
const PLAIN = String.raw`(?!${CURRENCY}|Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|mars|avr|mai|juin|jan|fév)\p{L}{1,60}(?![\p{L}\p{N}_:@.+\/-])`;

const START = String.raw`(?<![\p{L}\p{N}_])`;

/** Places of a match's groups. Groups with names would make an object for every word of every message. */
export const KIND = {
  quoted: 0,
  plain: 1,
  time: 2,
  url: 3,
  email: 4,
  address: 5,
  uuid: 6,
  money: 7,
  number: 8,
  currency: 9,
  host: 10,
  path: 11,
  run: 12,
  word: 13,
} as const;

/** The parts of a message that may vary, and words between them. */
export const TOKEN = /* @__PURE__ */ new RegExp(
  [
    `(${QUOTED})|${START}(?:(${PLAIN}(?:[ ,]{1,2}${PLAIN}){0,30})|(${TIME})|(${URL_LIKE})`,
    `(${EMAIL})|((?:${IP_V4}|${IP_V6})(?![\\p{L}\\p{N}_]))`,
    `(${UUID}|${IBAN})|(${CURRENCY}${SPACE}?)?(${NUMBER})(?:${SPACE}?${CURRENCY})?`,
    `(${CURRENCY})|(${HOST}(?![\\p{L}\\p{N}_/]))|(${PATH})|(${RUN})|(${WORD}))`,
  ].join('|'),
  'gu',
);
