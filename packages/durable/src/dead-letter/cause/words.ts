import { MARK } from './marks.ts';

/** Words, also joined ones. */
export const WORD = String.raw`[\p{L}\p{N}_]{1,1000}(?:-[\p{L}\p{N}_]{1,1000}){0,50}`;

const WORDS = /* @__PURE__ */ new RegExp(WORD, 'gu');
const HAS_DIGIT = /\p{Nd}/u;
/** What Kubernetes appends to the names of pods: two groups of an alphabet without vowels. */
const POD = /-[bcdfghjklmnpqrstvwxz\d]{6,10}-[bcdfghjklmnpqrstvwxz\d]{5}$/;

/** Numbers of orders, invoices and articles: `SKU-57084`, `INV-2026-0042`. */
const BUSINESS = /^[A-Z]{1,6}(?:[-_]?\d{3,}|[-_]\d{1,})(?:[-_][\dA-Z]{1,12}){0,3}$/;
/** Numbers of flights, gates and shelves: `OS89`, `B17`. */
const SHORT_ID = /^[A-Z]{1,3}\d{1,4}[A-Z]?$/;
/** Names of techniques that end in a number. */
const TECHNICAL =
  /^(?:(?:UTF|SHA|AES|RSA|ISO|MD|EC|HTTP|TLS|SSL|IP|IPV|MP|ES|RFC|CVE|BASE|TCP|UDP|OAUTH|UUID|INT|FLOAT|CP|WIN|LATIN|KOI|ED|HS|RS|PS|ARM|AMD)[-_]?\d|(?:S3|H2|H26[45]|X86|X509|P-?(?:256|384|521))(?!\d))/i;

export function maskWords(text: string): string {
  return text.replace(WORDS, maskWord);
}

/** Numbers in names (`worker-17`) and parts that look like ids are masked; a prefix (`job_`) stays. */
export function maskWord(word: string): string {
  if (POD.test(word) && !/-[a-z]{1,6}ing-/.test(word)) return word.replace(POD, `-${MARK.id}`);
  if (!HAS_DIGIT.test(word)) return looksRandom(word) ? MARK.id : word;
  if (TECHNICAL.test(word) && word.length <= 12) return word;
  if (BUSINESS.test(word) || SHORT_ID.test(word)) return MARK.id;
  const [prefix = ''] = /^(?:[a-z]{1,20}[_-])+(?=[^_-])/u.exec(word) ?? [];
  const rest = word.slice(prefix.length);
  if (looksRandom(rest)) return prefix + MARK.id;
  let sawId = false;
  const parts = rest.split(/([_-])/u).map((part) => {
    const masked = maskPart(part);
    // The parts of one id may have no digit; words have a vowel.
    if (sawId && masked === part && !/[aeiou_-]/i.test(part)) return MARK.id;
    sawId ||= masked === MARK.id;
    return masked;
  });
  return prefix + parts.join('');
}

function maskPart(part: string): string {
  if (!HAS_DIGIT.test(part)) return part;
  if (!/\p{L}/u.test(part)) return MARK.number;
  const isHex = /^(?:0x)?[\da-f]{8,}$/i.test(part) || /^0x[\da-f]+$/i.test(part);
  const turns = part.match(/\p{Nd}(?=\p{L})|\p{L}(?=\p{Nd})/gu)?.length ?? 0;
  if (isHex || turns >= 2 || part.length >= 12) return MARK.id;
  return part.replace(/\p{Nd}+/gu, MARK.number);
}

/** Whether neighbours differ in kind as often as in base64: about 0.4 of them do; in names at most 0.2. */
export function looksRandom(text: string): boolean {
  if (text.length < 16) return false;
  const turns = text.match(/[a-z](?=[A-Z\d])|[A-Z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0;
  return turns >= text.length / (/\d/.test(text) ? 4 : 3);
}
