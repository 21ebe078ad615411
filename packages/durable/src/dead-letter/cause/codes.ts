/** Words that announce a code: `status code 404`, `HTTP 503`, `SMTP 550`, `rc=12`, `HRESULT 0x80070005`, `error 30003`. */
const ANNOUNCED =
  /(?<![\p{L}\p{N}])(?:status|(?:status|response|reply|exit|error|reason|result|return|vendor|native)[ _-]?code|code|errno|error|err|fault|faultcode|http(?:s?\/\d(?:\.\d)?)?|e?smtp|sqlstate|sqlcode|signal|rc|ret|reason|returned|exited with|hresult|win32|msg|class|state|(?<=class \S{1,8}, )number)["']?(?:[:= ]|\(#?|\[|#){0,3}$/iu;

/** The phrases of HTTP's statuses, as servers write them behind the number. */
const PHRASES =
  /^ \(?(?:Bad Request|Unauthorized|Payment Required|Forbidden|Not Found|Method Not Allowed|Not Acceptable|Request Timeout|Conflict|Gone|Payload Too Large|Content Too Large|Unsupported Media Type|Unprocessable|Locked|Too Many Requests|Internal Server Error|Not Implemented|Bad Gateway|Service Unavailable|(?:Service )?Temporarily Unavailable|Gateway Time-?out)(?!\p{L})/u;

/** The enhanced status of mail behind its reply code: `550 5.1.1`. */
const ENHANCED = /^[ -][245]\.\d{1,3}\.\d{1,3}(?![\d.])/;

/** Verbs of an answer: `the gateway answered 502`. */
const ANSWERED =
  /(?:^|[:([\-,>"'])\s*$|(?<!\p{L})(?:answered|returned|got|gave|responded|response|replied|with|failed|received|was|a|an)(?: with)?:? $/iu;

/** The same at the end of a clause, where the number alone is the answer: `GET /items responded 500`. */
const ANSWERED_WITH = /(?<!\p{L})(?:answered|responded|replied)(?: with)?:? $/iu;

/** Names of errors with a number: `ORA-00001`, `E_CONN_42`, `TS2304`, `SQL0803N`. */
const NAMED = /^[A-Z][A-Z\d]{0,14}(?:[_-][A-Z]{1,15}){0,4}[_-]?\d{1,6}[A-Z]?$/;
const ERROR_PREFIX =
  /^(?:E|ERR|ERROR|EX|F|W|SQL|ORA|PLS|TNS|JBAS|DPY|RC|HY|AADSTS|PGRST|TS|CS|MSB|BTHR|CPF|DSN|IEC|ABEND)[_-]?(?:[A-Z]{1,15}[_-])*\d/;
/** Prefixes of business numbers, which look the same. */
const BUSINESS =
  /^(?:SKU|INV|ORD|PO|SO|RE|CUST|CUS|TICKET|ITEM|REF|ID|NO|ACC|PAY|TX|TXN|REQ|USER|ORDER|INVOICE|SHP|PKG|BATCH|LOT|JOB|DOC|CASE|KD|AB|LS)[_-]?\d/;

/** Whether a number is a code that says what went wrong. */
export function isCode(number: string, before: string, after: string): boolean {
  if (/^[45]\.\d{1,3}\.\d{1,3}$/.test(number)) return /(?<!\d)[245]\d\d[ -]$/.test(before);
  const isShort = number.length <= 6 && /^-?\d+$/.test(number);
  if (isShort && ANNOUNCED.test(before))
    return !/^ (?:ms|s|bytes?|times?|of)(?!\p{L})/u.test(after);
  if (!/^[2-5]\d\d$/.test(number)) return false;
  if (ENHANCED.test(after)) return true;
  if (!/^[45]/.test(number)) return false;
  if (/^(?:$|[.,;:)\n])/.test(after) && ANSWERED_WITH.test(before)) return true;
  if (PHRASES.test(after)) return before === '' || ANSWERED.test(before);
  return before === '' && /^[ -]\p{L}/u.test(after);
}

/** Whether a word with digits is a code: behind a word that announces one, or where a message or a clause begins. */
export function isNamedCode(word: string, before: string, after: string): boolean {
  if (/^0x[\da-f]{8}$/i.test(word))
    return /(?:hresult|error|code|status)[ :=(]{0,3}$/iu.test(before);
  if (word.length <= 8 && ANNOUNCED.test(before)) return /^[\dA-Z]+$/.test(word);
  if (!NAMED.test(word) || BUSINESS.test(word)) return false;
  const begins = /(?:^|[:.([\]>\n-]\s*)$/u.test(before);
  if (!begins) return false;
  return /^(?::|\)|\]| -|,|<)/.test(after) || word.includes('_') || ERROR_PREFIX.test(word);
}
