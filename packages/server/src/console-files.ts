import { existsSync, globSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A file as it is sent: `br` and `gz` are the same, compressed by the build. */
interface ConsoleFile {
  readonly type: string;
  /** Its name changes with its content. */
  readonly isHashed: boolean;
  readonly plain: Buffer;
  readonly br: Buffer | undefined;
  readonly gz: Buffer | undefined;
}

/** The files of the console by path; empty where it was not built. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};
/** Beside the built module, or beside the bundle of the command line; the other one is for tests, which run the sources. */
const PLACES = ['./console/', '../dist/console/'];

/** Reads the built console once, so that a request reads no file and cannot name one that does not belong to it. */
export function readConsole(): ConsoleFiles {
  const place = PLACES.map((each) => fileURLToPath(new URL(each, import.meta.url))).find((each) =>
    existsSync(join(each, 'index.html')),
  );
  if (place === undefined) return new Map();
  const read = (file: string) => (existsSync(file) ? readFileSync(file) : undefined);
  const files = globSync(`**/*{${Object.keys(TYPES).join()}}`, { cwd: place });
  return new Map(
    files.map((name) => {
      const file = join(place, name);
      const type = TYPES[extname(name)] ?? 'application/octet-stream';
      const isHashed = name.startsWith(`assets${sep}`);
      const body = { plain: readFileSync(file), br: read(`${file}.br`), gz: read(`${file}.gz`) };
      return [`/${name.replaceAll(sep, '/')}`, { type, isHashed, ...body }];
    }),
  );
}

/**
 * Sends a file of the console; to a browser that opens any other address, its page, which knows the views.
 *
 * @returns `undefined` for everything else: there is no such route.
 */
export function sendConsole(
  files: ConsoleFiles,
  { method, url, headers }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const path = url.replace(/[?#].*$/, '');
  const isPage = headers.accept?.includes('text/html') === true && !path.startsWith('/v1/');
  const file = files.get(path) ?? (isPage ? files.get('/index.html') : undefined);
  if (file === undefined) return undefined;
  if (file.isHashed) reply.header('cache-control', 'public, max-age=31536000, immutable');
  reply.header('content-type', file.type).header('vary', 'Accept-Encoding');
  const accepted = headers['accept-encoding'] ?? '';
  if (file.br !== undefined && /\bbr\b/.test(accepted)) {
    return reply.header('content-encoding', 'br').send(file.br);
  }
  if (file.gz !== undefined && /\bgzip\b/.test(accepted)) {
    return reply.header('content-encoding', 'gzip').send(file.gz);
  }
  return reply.send(file.plain);
}
