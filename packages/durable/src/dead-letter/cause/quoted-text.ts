import { isProgramPath } from './places.ts';

/** What a quoted text is: its content stays, varies from case to case, or is a message itself. */
export type QuotedAs = 'kept' | 'masked' | 'message';

const BEFORE = (words: string) =>
  new RegExp(
    `(?<![\\p{L}\\p{N}_])(?:${words})(?:[ :=(#]|\\b(?:is|was|of|on|for|named|called|with|name|the)\\b ?){0,6}$`,
    'iu',
  );

/** Values: they win over everything else. */
const VALUE = BEFORE(
  'values?|entry|entries|got|received|input|string|text|literal|but was|actual|open|scandir|stat|lstat|unlink|mkdir|rename|write|read|user|username|login|account|customer|tenant|merchant|email|e-mail|mail|recipient|sender|host|hostname|file|filename|folder|directory|id|ids|sku|ref|reference|number|phone|message-id|subject|title|slug|city|country|query|search|token|session|document|order|invoice|product|article|item|thread|pod|node|plan|matches',
);

/** Nouns of a schema, a program or a configuration: the name behind one says which thing is wrong. */
const SCHEMA = BEFORE(
  'constraint|export|index|column|columns|relation|table|schema|sequence|view|for key|keyerror|property|properties|reading|setting|calling|module|package|import|selector|topic|queue|exchange|routing key|subject filter|stream|consumer|consumer group|group|subscription|template|template variable|placeholder|variable|field|fields|parameter|param|params|argument|arguments|attribute|key|option|flag|header|type|types|class|method|function|procedure|trigger|extension|operator|cast|role|permission|scope|scopes|privilege|policy|feature|database|catalog|keyspace|collection|bucket policy|breaker|circuit|service|dependency|endpoint|route|operation|action|command|task|job|handler|workflow|step|plugin|driver|codec|encoding|charset|collation|locale|protocol|scheme|algorithm|cipher|enum|environment variable|env|setting|config|configuration|identifier|element|tag|node type|namespace|rule|model|metric|region|zone|cluster|backend|upstream|unexpected token|unexpected|expected|awaiting|during|phase|stage|event|hook',
);

/** Nouns that follow the name: `"price" column`, `No 'Account' record`. */
const NOUN_AFTER =
  /^ (?:column|columns|relation|table|constraint|index|property|field|parameter|argument|option|attribute|header|record|model|module|codec|function|method|operation|variable|permission|role|scope|extension|plugin|type|topic|queue|exchange|template|service|endpoint|step|job|task|enum|instance|object)(?![\p{L}\p{N}_])/iu;

const PREDICATE =
  /^ (?:is (?:a )?(?:required|null|missing|mandatory|empty|not (?:allowed|defined|null|a function|supported|permitted|installed|recognized|iterable|a valid (?:option|property|field|argument)|an? )|deprecated|undefined|unknown|read-only|reserved)|must|should|cannot be|can not be|can't be|may not be|does not (?:match|contain|conform)|fails to|failed (?:validation|on)|with value|on type|length|contains an invalid|has an invalid|needs|expects|exceeds the|are required|field required|violates)(?![\p{L}\p{N}_])/iu;

const MESSAGE =
  /(?<![\p{L}\p{N}_])(?:message|messages|error|errors|reason|cause|caused by|because|detail|details|description|errmsg|msg|stderr|output|desc|response|answered|answer|said|says|saying)["']?\s?[:=(]?\s?$/iu;

/** Names as programs have them: `user_id`, `skuCode`, `user.create()`, `input.quantity`. */
const IDENTIFIER =
  /^[$@#.]?(?:[a-z]{2,30}(?:_[a-z]{1,30}){1,8}|[a-z]{2,30}(?:[A-Z][a-z]{1,30}){1,8}|[A-Z]{2,30}(?:_[A-Z]{1,30}){1,8}|[A-Za-z_$]{1,40}(?:\.[A-Za-z_$]{1,40}){0,6}\(\)|(?:[A-Z][a-z]{1,30}){2,8})$/;

const RANDOM = /\d{4}|[\da-f]{8}-[\da-f]{4}/i;

/** @param isListed the quoted text before it was kept, and only a comma is between them. */
export function quotedAs(
  content: string,
  before: string,
  after: string,
  isListed: boolean,
): QuotedAs {
  if (content.length > 200) return MESSAGE.test(before) ? 'message' : 'masked';
  if (isProgramPath(content)) return 'kept';
  if (VALUE.test(before)) return 'masked';
  const isName = !RANDOM.test(content) && content.length <= 100 && !/[@\n]|\s\S+\s/.test(content);
  if (isName && (isListed || SCHEMA.test(before))) return 'kept';
  if (isName && (NOUN_AFTER.test(after) || PREDICATE.test(after))) return 'kept';
  if (MESSAGE.test(before)) return 'message';
  return isName && IDENTIFIER.test(content) ? 'kept' : 'masked';
}
