import { MARK } from './marks.ts';

const NOUN =
  'user|tenant|customer|merchant|account|member|subscriber|vendor|supplier|owner|operator|employee|player|patient|driver|guest|author|contact|organi[sz]ation|org|workspace|team|company|shop|store|client|partner|seller|buyer|host|node|worker|Benutzer|Kunde|Mandant|Nutzer|utilisateur|usu[áa]rio|cliente|gebruiker|klant|пользователь|клиент';
/** States behind such a noun: `account closed` and `account frozen` are two causes, and no names. */
const STATE =
  '(?!(?:ahmed|mohamed|mohammed|muhammed|khaled|waleed|saeed|alfred|wilfred|manfred|winfried|fred|reed)(?![\\p{L}\\p{N}_]))\\p{L}{2,20}ed|frozen|unknown|known|missing|inactive|active|invalid|valid|dormant|overdrawn|withdrawn|bankrupt|insolvent|unreachable|unavailable|unhealthy|ineligible|eligible|offline|online|down|full|busy|empty|dead|gone|lost|stale|left|quit|paid|late|early|ready|mismatch|inaktiv|unbekannt|ungültig|gesperrt|blockiert|gelöscht|gekündigt|fehlt|abgelaufen|bloqué|inconnu|suspendu|désactivé|supprimé|bloqueado|desconhecido|desconocido|inativo|inactivo';
const NAME = String.raw`(?!\p{L}{2,30}(?:tion|tions|ment|ments|ing|ity|ship|ance|ence|ness|ory|ure|ures|ings)(?![\p{L}\p{N}_])|(?:is|was|has|had|are|were|does|did|do|can|cannot|could|must|may|not|no|name|id|ids|data|record|account|already|with|who|that|which|in|on|of|from|for|to|by|and|or|the|a|an|email|password|session|token|profile|settings|group|role|limit|quota|service|server|database|table|input|agent|key|type|status|state|error|request|response|pool|list|info|details|authentication|authorization|permission|permissions|credentials|lookup|cache|index|queue|import|export|sync|report|store|api|endpoint|update|upload|delete|task|job|pool|registry|event|events|agent|records|accounts|users|tenants|customers|balance|address|addresses|currency|country|consent|count|key|keys|schema|secret|certificate|connection|row|rows|table|tables|disk|process|is_\w+|ist|hat|wurde|nicht|est|a été|n'est|não|nao|nie|niet|está|foi|не|${STATE})(?![\p{L}\p{N}_]))[\p{L}\p{N}_][\p{L}\p{N}_.@+-]{0,63}`;
const PREDICATE =
  "is|was|has|had|does|did|do|can|cannot|could|must|may|needs|not|already|exceeded|exceeds|reached|failed|belongs|owns|over|lacks|no longer|[a-z]{2,11}[a-rt-z]s|used|tried|attempted|requested|ist|hat|wurde|nicht|darf|existiert|est|a|n'|não|está|foi|tem|tiene|niet|heeft|не";

/** What follows the name of a company: `Brightwater GmbH`, `Olive & Sons`. */
const LEGAL_FORM = String.raw`(?: (?:& \p{L}{1,30}|GmbH|AG|KG|SE|SARL|Inc\.?|Ltd\.?|LLC|LLP|Corp\.?|Co\.?|BV|Oy|AB)(?![\p{L}\p{N}_])){0,3}`;

const ABOUT = new RegExp(
  String.raw`(?<![\p{L}\p{N}_])((?:${NOUN})(?: (?:id|name|named|account))?:? )(${NAME})${LEGAL_FORM}(?= (?:${PREDICATE})(?![\p{L}\p{N}_])|[,.;)]? ?(?:$|[,;)]))`,
  'giu',
);
/** `is locked by OLGA`, `owned by team-a`. */
const BY =
  /(?<![\p{L}\p{N}_])((?:locked|blocked|owned|held|used|edited|modified|claimed|taken|assigned|opened|checked out|gesperrt|bearbeitet)(?: since| already)? (?:by|to|von|durch) (?:user |Benutzer )?)(?!another|other|a |an |the |someone|something|process|transaction|this|that)([\p{L}\p{N}_][\p{L}\p{N}_.@+-]{0,63})/giu;
/** `locked by OLGA Meyer`: the second name is told from other words by its capital, so without the flag for both cases. */
const SECOND_NAME = new RegExp(
  String.raw`(?<= (?:by|von|durch) ${MARK.name}) \p{Lu}\p{Ll}{1,30}(?=$|[.,;)!])`,
  'gu',
);
/** `contract 4711 of initech not found`: the name behind a masked part. */
const OF = new RegExp(
  String.raw`(\d[\p{L}\p{N}_-]{0,63} (?:of|for|by|from) (?:tenant |customer |user |merchant )?)(${NAME})(?= (?:${PREDICATE})(?![\p{L}\p{N}_]))`,
  'giu',
);
/** `access denied for bob`, where the text or the clause ends. */
const FOR =
  /(?<=(?:registered|denied|blocked|suspended|locked|disabled|revoked|refused|error) for )(?!user |all |the |a |an )([\p{L}\p{N}_][\p{L}\p{N}_.@+-]{0,63})(?=[.!]?$|[,;)])/giu;
/** `uid=bob`, `cn=Bob Smith,ou=staff`, `request 8F3KX0`. */
const NAMED =
  /(?<![\p{L}\p{N}_])((?:cn|uid|sAMAccountName|login|user(?:name)?|email|customer|tenant)=)(?![[\uE000-\uE00F"'])[^\s,;)&"']{1,100}/giu;
const REQUEST =
  /(?<![\p{L}\p{N}_])((?:request|trace|correlation|transaction|session|ticket|host)[ _-]?(?:id|ID|Id)?[ :=]{1,2})(?=[A-Z\d_:-]{8})[A-Z\d_:-]{8,64}(?![\p{L}\p{N}_])/gu;
/** No name is masked where this is not found. */
export const NAME_HINT = new RegExp(
  String.raw`(?<![\p{L}\p{N}_])(?:${NOUN}|by|of|von|durch|to|for|from|request|trace)[ :=]|=`,
  'iu',
);
const POSTFIX =
  /(?<=\p{L}) (?:of|for) (?:tenant|customer|user|merchant|account|organi[sz]ation|workspace|shop) (?:(?:id|ID) )?(?!is|was|has|the|a |an )([\p{L}\p{N}_][\p{L}\p{N}_.@+-]{0,63})/giu;

/** People see whether it was a number. */
function markOf(name: string): string {
  return /^\d+$/.test(name) ? MARK.number : MARK.name;
}

/** Names of people and tenants stand without quotes behind a noun for them. */
export function maskNames(text: string): string {
  return text
    .replace(ABOUT, (_, noun: string, name: string) => noun + markOf(name))
    .replace(BY, `$1${MARK.name}`)
    .replace(SECOND_NAME, '')
    .replace(OF, `$1${MARK.name}`)
    .replace(FOR, MARK.name)
    .replace(NAMED, `$1${MARK.name}`)
    .replace(REQUEST, `$1${MARK.id}`)
    .replace(POSTFIX, (found, name: string) => found.slice(0, -name.length) + MARK.name);
}
