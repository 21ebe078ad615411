import { MARK } from './marks.ts';
import { maskWord, maskWords } from './words.ts';

/** From here on, systems give a port to the side that calls. */
const FIRST_EPHEMERAL = 32_768;
const DATA_FILE =
  /\.(?:csv|tsv|json|jsonl|ndjson|xml|ya?ml|pdf|xlsx?|docx?|pptx?|od[stp]|rtf|epub|txt|log|png|jpe?g|gif|webp|svg|tiff?|heic|bmp|psd|dcm|mp[34]|m4a|mov|mkv|webm|avi|wav|ogg|flac|zip|gz|tgz|tar|bz2|xz|zst|rar|7z|parquet|avro|orc|arrow|npy|onnx|eml|msg|ics|html?|part|tmp|bak|dat|bin|sql|dump|edi|lock|pid|sock)$/i;
/** Directories of programs: the same on every machine. */
const PROGRAM =
  /^(?:file:\/\/)?\/(?:etc|app|opt|usr|src|lib|bin|sbin|proc|sys|dev|root|node_modules)\//;
/** A file may be that of a program if it is named alone: `package.json`. */
const PROGRAM_FILE = /\.(?:ya?ml|json|html?|sql|lock|sock|xml)$/i;
const COLLECTION = /^[a-z][a-z_-]{1,40}s$/i;
const VERSION = /^v\d{1,3}(?:\.\d{1,3})*$/i;
const NOT_A_COLLECTION =
  /^(?:https?|dns|aws|sls|ws|wss|js|css|process|status|access|address|business|class|news|analytics|is|this|has|metrics|settings|docs|events|ops)$/i;

/** An address: IPs are masked; so are labels with digits of a host. A port of a server stays. */
export function maskAddress(address: string): string {
  // Of an IPv6 address without brackets, a port cannot be told from a group, except behind the own machine's.
  const [, v6Port] = /^(?:\[[^\]]*\]|::1)(?::(\d{2,5}))?$/.exec(address) ?? [];
  if (v6Port !== undefined) return MARK.address + shownPort(v6Port);
  const [host = '', port, ...groups] = address.split(':');
  if (DATA_FILE.test(address) && !PROGRAM_FILE.test(address)) return MARK.path;
  return groups.length > 0 ? MARK.address : maskHost(host) + shownPort(port);
}

function shownPort(port: string | undefined): string {
  return port === undefined || Number(port) >= FIRST_EPHEMERAL ? '' : `:${port}`;
}

export function maskHost(host: string): string {
  if (/^[\d.]+(?:\/\d+)?$/.test(host)) return MARK.address;
  // `ip-10-1-2-3.region.compute.internal` is an address, too.
  if (/^[a-z]{0,8}-?\d{1,3}-\d{1,3}-\d{1,3}-\d{1,3}(?![\d-])/i.test(host)) return MARK.address;
  const labels = host.split('.');
  return labels.map((label) => (maskWord(label) === label ? label : MARK.address)).join('.');
}

/** Scheme, host and the fixed words of the path stay. */
export function maskUrl(url: string): string {
  const end = /[.,;:!)]+$/.exec(url)?.[0] ?? '';
  const whole = end === '' ? url : url.slice(0, -end.length);
  const [, scheme = '', authority = '', path = ''] =
    /^([^:]*:\/\/)([^/?#]*)([^?#]*)/su.exec(whole) ?? [];
  if (/^file:/i.test(scheme)) return maskPath(path) + end;
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return scheme + maskAddress(host) + maskSegments(path) + end;
}

function maskSegments(path: string): string {
  let previous = '';
  return path
    .split('/')
    .map((segment) => {
      const before = previous;
      previous = segment;
      if (segment === '' || VERSION.test(segment)) return segment;
      if (DATA_FILE.test(segment)) return MARK.path;
      const isMember = COLLECTION.test(before) && !NOT_A_COLLECTION.test(before);
      if (
        isMember &&
        !COLLECTION.test(segment) &&
        !/^(?:search|bulk|batch|export|import|count|me|self|new|current|create|update|delete|list|all|status|health)$/i.test(
          segment,
        )
      )
        return MARK.id;
      return /\d/.test(segment) || /%[\da-f]{2}/i.test(segment)
        ? maskSegment(segment)
        : maskWords(segment);
    })
    .join('/');
}

function maskSegment(segment: string): string {
  const masked = maskWords(segment);
  return masked === segment ? masked : MARK.id;
}

/** Whether it is a file that is the same on every machine. */
export function isProgramPath(path: string): boolean {
  return PROGRAM.test(path) && !path.includes(' ') && maskPath(path) === path;
}

/** A path of the file system, or of an object in a store. Only paths of programs stay. */
export function maskPath(path: string): string {
  const [, bare = path] = /^(.*?)(?::\d{1,7}){1,2}$/.exec(path) ?? [];
  if (PROGRAM.test(path)) {
    const name = bare.slice(bare.lastIndexOf('/') + 1);
    return DATA_FILE.test(name) && !PROGRAM_FILE.test(name)
      ? bare.slice(0, -name.length) + MARK.path
      : maskWords(bare);
  }
  if (/^(?:~|\.{0,2})\//.test(path)) return MARK.path;
  const segments = bare.split('/');
  // `a/b`, `read/write` and `data/products/485/price` are words; a file or an id makes it the key of an object.
  const masked = segments.map((segment) => maskWords(segment));
  const isKey = masked.some(
    (segment, at) => DATA_FILE.test(segments[at] ?? '') || segment.includes(MARK.id),
  );
  return isKey ? MARK.path : masked.join('/');
}
