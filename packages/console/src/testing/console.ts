import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '@redrive/config';
import { type FullStore, memoryStore } from '@redrive/durable';
import { AccessFile, type ServerOptions, startServer } from '@redrive/server';
import { chromium as chromiumProgram } from '@redrive/testkit/services';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

export interface ConsoleOptions {
  readonly seed?: ((store: FullStore) => Promise<void>) | undefined;
  readonly config?: (() => Config) | undefined;
  /** Further parts of the server: `sweeps`, `doctor`. */
  readonly parts?: Pick<ServerOptions, 'sweeps' | 'doctor'> | undefined;
  /** Default: in memory. */
  readonly store?: FullStore | undefined;
}

export interface OpenOptions {
  /** Default admin. */
  readonly role?: 'viewer' | 'operator' | 'admin';
  /** Default 1440 × 900. */
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'dark' | 'light';
}

export interface RunningConsole {
  readonly store: FullStore;
  readonly url: string;
  readonly link: string;
  /** Another link. */
  readonly newLink: () => string;
  readonly browser: Browser;
  readonly tokenOf: (role: 'viewer' | 'operator' | 'admin') => Promise<string>;
  /** Opens a page that has a token of this role. */
  readonly open: (path: string, options?: OpenOptions) => Promise<Page>;
  /** Refusals of the content security policy, errors of the pages, and requests to other hosts. */
  readonly violations: string[];
  readonly close: () => Promise<void>;
}

/** A store, a server and a browser for the tests of one file. */
export async function startConsole(options: ConsoleOptions = {}): Promise<RunningConsole> {
  const directory = mkdtempSync(join(tmpdir(), 'redrive-console-'));
  const store = options.store ?? memoryStore();
  await options.seed?.(store);
  const access = new AccessFile(join(directory, 'access.json'));
  const { config, parts } = options;
  const server = await startServer({ store, access, port: 0, config, ...parts });
  const browser = await chromium.launch(await chromiumProgram());
  const violations: string[] = [];
  const newLink = () => server.signInLink('always') ?? '';
  const tokens = new Map<string, string>();

  async function tokenOf(role: NonNullable<OpenOptions['role']>): Promise<string> {
    const made = tokens.get(role) ?? (await access.createToken({ name: role, role, rate: 1_000 }));
    tokens.set(role, made);
    return made;
  }

  function watch(context: BrowserContext): void {
    context.on('page', (page) => {
      page.on('pageerror', (error) => violations.push(`error: ${error.message}`));
      page.on('console', (message) => {
        if (message.text().includes('Content Security Policy')) violations.push(message.text());
      });
      page.on('request', (request) => {
        if (!request.url().startsWith(server.url)) violations.push(`request: ${request.url()}`);
      });
    });
  }

  async function open(path: string, wish: OpenOptions = {}): Promise<Page> {
    const context = await browser.newContext({
      viewport: { width: wish.width ?? 1440, height: wish.height ?? 900 },
      colorScheme: wish.theme ?? 'light',
      hasTouch: (wish.width ?? 1440) < 760,
      extraHTTPHeaders: { authorization: `Bearer ${await tokenOf(wish.role ?? 'admin')}` },
      timezoneId: 'UTC',
    });
    watch(context);
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await page.goto(server.url + path);
    await page.waitForSelector('h1');
    return page;
  }

  return {
    store,
    url: server.url,
    link: newLink(),
    newLink,
    browser,
    open,
    tokenOf,
    violations,
    close: async () => {
      await browser.close();
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
