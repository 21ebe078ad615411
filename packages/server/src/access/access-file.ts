import { createHash, timingSafeEqual } from 'node:crypto';
import {
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { RedriveError, systemClock } from '@redrive/core';
import { commandText, shellWord } from '@redrive/core/fields';
import { secret, secretHex } from './secret.ts';
import { DEFAULT_RATE, type Role, type Who } from './who.ts';

export const SIGN_IN_MS = 12 * 3_600_000;
/** Sign-ins with one token, and by links. Beyond them the oldest of these end, never those of others. */
const MAX_SIGN_INS = 100;
/** The life of a code. */
export const CODE_MS = 600_000;
/** Codes that are kept; beyond them the oldest are forgotten. */
const MAX_CODES = 100;

/** A token as the file has it: never the token itself. */
interface StoredToken {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly tenant?: string | undefined;
  readonly expiresAtMs?: number | undefined;
  readonly rate: number;
  /** SHA-256 of the token's secret part, which has 256 random bits: nothing slower protects it better. */
  readonly hash: string;
}

/** A token as lists show it. */
export type TokenSummary = Omit<StoredToken, 'hash'>;

interface StoredSignIn {
  readonly id: string;
  /** SHA-256 of the cookie's value with the page's key, 256 random bits each: neither is worth anything without the other. */
  readonly hash: string;
  readonly name: string;
  readonly role: Role;
  /** The address of the browser. */
  readonly from: string;
  readonly beganAtMs: number;
  readonly expiresAtMs: number;
  /** The id of the token that was used: the sign-in has its rights, and ends with it. Absent: it is an admin's, by a code. */
  readonly token?: string | undefined;
}

/** A sign-in as lists show it. */
export type SignInSummary = Omit<StoredSignIn, 'hash'>;

interface StoredCode {
  readonly hash: string;
  readonly expiresAtMs: number;
}

interface Content {
  readonly tokens: readonly StoredToken[];
  readonly signIns: readonly StoredSignIn[];
  readonly codes: readonly StoredCode[];
}

/** The two secrets of a sign-in: the value of the cookie, and the key that the page sends. */
export interface SignInKeys {
  readonly cookie: string;
  readonly key: string;
}

/** A person who signs in, with a code or a token. A code works once. */
export interface SignInWish {
  readonly name: string;
  readonly from: string;
  readonly by: { readonly code: string } | { readonly token: string };
}

export interface TokenWish {
  /**
   * The owner of the token, for the audit log: letters, digits, `.`, `_` and `-`. Two tokens never have the same.
   * Default: the token's id.
   */
  readonly name?: string | undefined;
  readonly role: Role;
  readonly tenant?: string | undefined;
  readonly expiresAtMs?: number | undefined;
  /** Requests per second. Default 50. */
  readonly rate?: number | undefined;
}

/** Tokens, sign-ins and codes of links, in a file that only its owner can read. */
export class AccessFile {
  readonly #path: string;
  #read: { readonly version: string; readonly content: Content } | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  get hasTokens(): boolean {
    return this.#content().tokens.length > 0;
  }

  /** All tokens, also those whose time is over. */
  tokens(): readonly TokenSummary[] {
    return this.#content().tokens.map(summaryOf);
  }

  /** From the next request on it is worth nothing. `undefined`: there is no such token. */
  revokeToken(idOrName: string): TokenSummary | undefined {
    const found = this.tokens().find(({ id, name }) => id === idOrName || name === idOrName);
    if (found === undefined) return undefined;
    this.#change((content) => ({
      ...content,
      tokens: content.tokens.filter(({ id }) => id !== found.id),
    }));
    return found;
  }

  /**
   * Makes a token and answers with it. It is shown this once.
   *
   * @param before called when the token is sure to be made, before it exists: for a record of it.
   * @throws RedriveError `invalid_option` for a name that another token has, or that is none.
   */
  async createToken(
    wish: TokenWish,
    before: (token: TokenSummary) => Promise<void> = async () => undefined,
  ): Promise<string> {
    const id = secretHex(6);
    const value = secret();
    const { name = id, role, tenant, expiresAtMs, rate = DEFAULT_RATE } = wish;
    const token = { id, name, role, tenant, expiresAtMs, rate, hash: sha256(value) };
    checkName(name, this.#content().tokens);
    await before(summaryOf(token));
    this.#change((content) => {
      checkName(name, content.tokens);
      return { ...content, tokens: [...content.tokens, token] };
    });
    return `redrive_${id}_${value}`;
  }

  /** `undefined`: the token is wrong, or its time is over. */
  whoHas(token: string, nowMs: number): Who | undefined {
    const found = this.#find(token, nowMs);
    return found && whoOf(found);
  }

  #find(token: string, nowMs: number): StoredToken | undefined {
    const [, id = '', value = ''] = /^redrive_([0-9a-f]{12})_([\w-]{43})$/.exec(token) ?? [];
    const found = this.#content().tokens.find((each) => each.id === id);
    const isOver = (found?.expiresAtMs ?? Infinity) <= nowMs;
    return found !== undefined && !isOver && isSame(sha256(value), found.hash) ? found : undefined;
  }

  /** Makes a code that signs one admin in, within ten minutes. */
  createCode(nowMs: number): string {
    const code = secret();
    this.#change((content) => {
      const alive = content.codes.filter(({ expiresAtMs }) => expiresAtMs > nowMs);
      const made = { hash: sha256(code), expiresAtMs: nowMs + CODE_MS };
      return { ...content, codes: [...alive, made].slice(-MAX_CODES) };
    });
    return code;
  }

  /** True if the code exists, was not used, and has not expired. */
  hasCode(code: string, nowMs: number): boolean {
    return codeIn(this.#content(), code, nowMs) !== undefined;
  }

  /**
   * Begins a sign-in of 12 hours. It survives a restart.
   *
   * @returns `undefined` if the code or the token is wrong by now.
   */
  signIn({ name, from, by }: SignInWish, nowMs: number): SignInKeys | undefined {
    const made = { cookie: secret(), key: secret() };
    let isMade = false;
    this.#change((content) => {
      const code = 'code' in by ? codeIn(content, by.code, nowMs) : undefined;
      const token = 'token' in by ? this.#find(by.token, nowMs) : undefined;
      isMade = code !== undefined || token !== undefined;
      if (!isMade) return content;
      const signIn = {
        ...{ id: secretHex(6), hash: hashOf(made), name, from },
        role: token?.role ?? 'admin',
        beganAtMs: nowMs,
        expiresAtMs: nowMs + SIGN_IN_MS,
        ...(token && { token: token.id }),
      };
      return {
        ...content,
        codes: content.codes.filter((each) => each !== code),
        signIns: [...withRoomFor(token?.id, aliveIn(content, nowMs)), signIn],
      };
    });
    return isMade ? made : undefined;
  }

  /** The owner of a sign-in. `undefined`: the keys are wrong, or the sign-in has ended. */
  signedIn(keys: SignInKeys, nowMs: number): Who | undefined {
    const content = this.#content();
    const hash = hashOf(keys);
    const found = aliveIn(content, nowMs).find((each) => isSame(each.hash, hash));
    if (found === undefined) return undefined;
    const token = content.tokens.find(({ id }) => id === found.token);
    if (token !== undefined) return { ...whoOf(token), by: 'sign-in' };
    return { name: found.name, role: found.role, rate: DEFAULT_RATE, by: 'sign-in' };
  }

  /** The sign-ins that have not ended, the oldest first. */
  signIns(nowMs: number): readonly SignInSummary[] {
    return aliveIn(this.#content(), nowMs).map(({ hash: _, ...signIn }) => signIn);
  }

  /** Ends the sign-ins with this id, or of this name. From the next request on they are worth nothing. */
  revokeSignIns(idOrName: string, nowMs: number): readonly SignInSummary[] {
    const ended = this.signIns(nowMs).filter(
      ({ id, name }) => id === idOrName || name === idOrName,
    );
    const ids = new Set(ended.map(({ id }) => id));
    if (ids.size > 0) this.#keepSignIns(({ id }) => !ids.has(id));
    return ended;
  }

  signOut(keys: SignInKeys): void {
    const hash = hashOf(keys);
    this.#keepSignIns((each) => !isSame(each.hash, hash));
  }

  #keepSignIns(isKept: (each: StoredSignIn) => boolean): void {
    this.#change((content) => ({ ...content, signIns: content.signIns.filter(isKept) }));
  }

  #content(): Content {
    const stat = statSync(this.#path, { throwIfNoEntry: false });
    if (stat === undefined) return { tokens: [], signIns: [], codes: [] };
    if ((stat.mode & 0o077) !== 0) {
      const message = `The file ${this.#path} can be read by others. Run: chmod 600 ${shellWord(this.#path)}`;
      throw new RedriveError('invalid_option', message, { path: this.#path });
    }
    // Each change is a new file, so the inode differs even within one tick of the file system's clock.
    const version = `${stat.ino}:${stat.mtimeMs}:${stat.size}`;
    if (this.#read?.version !== version) {
      // Written by this class; nobody else can write it.
      const content = JSON.parse(readFileSync(this.#path, 'utf8')) as Content;
      this.#read = { version, content };
    }
    return this.#read.content;
  }

  /** Reads and writes under a lock: otherwise two processes lose each other's changes. */
  #change(next: (content: Content) => Content): void {
    withLock(`${this.#path}.lock`, () => this.#write(next(this.#content())));
  }

  /** A new file in the place of the old one: a crash in between leaves one of them whole. */
  #write(content: Content): void {
    const next = `${this.#path}.${secretHex(6)}`;
    const text = `${JSON.stringify(content, null, 2)}\n`;
    writeFileSync(next, text, { mode: 0o600, flush: true });
    renameSync(next, this.#path);
    this.#read = undefined;
  }
}

function checkName(name: string, tokens: readonly StoredToken[]): void {
  if (!/^[\w.-]{1,64}$/.test(name)) {
    const message = `This is no name of a token: ${name}. Use 1 to 64 letters, digits, ".", "_" and "-".`;
    throw new RedriveError('invalid_option', message, { name });
  }
  // Records of the audit log, rates and idempotency keys go by the name.
  if (tokens.some((each) => each.name === name || each.id === name)) {
    const message = `Another token has the name ${name}. Choose another name, or revoke it: ${commandText`redrive tokens revoke ${name}`}`;
    throw new RedriveError('invalid_option', message, { name });
  }
}

function summaryOf({ hash: _, ...token }: StoredToken): TokenSummary {
  return token;
}

function whoOf({ name, role, tenant, rate }: StoredToken): Who {
  return { name, role, tenant, rate, by: 'token' };
}

function codeIn({ codes }: Content, code: string, nowMs: number): StoredCode | undefined {
  const hash = sha256(code);
  return codes.find((each) => isSame(each.hash, hash) && each.expiresAtMs > nowMs);
}

/** The sign-ins that have not expired, and whose token still exists and has not expired. */
function aliveIn({ signIns, tokens }: Content, nowMs: number): readonly StoredSignIn[] {
  const isOver = ({ expiresAtMs = Infinity }: { readonly expiresAtMs?: number | undefined }) =>
    expiresAtMs <= nowMs;
  const ids = new Set(tokens.filter((each) => !isOver(each)).map(({ id }) => id));
  return signIns.filter(
    (each) => !isOver(each) && (each.token === undefined || ids.has(each.token)),
  );
}

/** Without the oldest sign-in with this token (or by a link), if there are as many as may be. */
function withRoomFor(
  token: string | undefined,
  signIns: readonly StoredSignIn[],
): readonly StoredSignIn[] {
  const kept = signIns.filter((each) => each.token === token).slice(1 - MAX_SIGN_INS);
  return signIns.filter((each) => each.token !== token || kept.includes(each));
}

function hashOf({ cookie, key }: SignInKeys): string {
  return sha256(`${cookie}.${key}`);
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** In constant time. */
function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

/** A lock is held for milliseconds. An older one is left over from a process that crashed. */
const STALE_MS = 5_000;
const WAIT_MS = 2;

/** Runs `work` while no other process runs its own with the same lock file. It blocks, like the writes that it guards. */
export function withLock<T>(path: string, work: () => T): T {
  while (!tryTake(path)) {
    const lock = statSync(path, { throwIfNoEntry: false });
    if (lock !== undefined && systemClock.now() - lock.mtimeMs > STALE_MS) {
      rmSync(path, { force: true });
    } else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
  }
  try {
    return work();
  } finally {
    rmSync(path, { force: true });
  }
}

function tryTake(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', 0o600));
    return true;
  } catch (error) {
    // Another error, such as a directory that does not exist, has a message of its own.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
